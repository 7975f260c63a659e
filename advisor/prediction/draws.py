"""Deterministic paired draws of log errors.

The same sources of error move together across candidates.

The points are a shifted Korobov lattice (Korobov 1959; Sloan and Joe 1994, chapter 4): every
coordinate visits every quantile once, in an order of its own. Quantiles come from Acklam's rational
approximation of the normal quantile (relative error below 1.2e-9).
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.prediction.uncertainty import Factor

#: Points: a prime, so that every coordinate visits every quantile once.
DRAWS = 127
#: Multiplier of the lattice and shift between coordinates: of all multipliers, the one whose first
#: 24 coordinates are least correlated (at most 0.20).
GENERATOR, SHIFT = 96, 53
_CENTRAL = (
    -3.969683028665376e01,
    2.209460984245205e02,
    -2.759285104469687e02,
    1.383577518672690e02,
    -3.066479806614716e01,
    2.506628277459239e00,
)
_CENTRAL_BELOW = (
    -5.447609879822406e01,
    1.615858368580409e02,
    -1.556989798598866e02,
    6.680131188771972e01,
    -1.328068155288572e01,
    1.0,
)
_TAIL = (
    -7.784894002430293e-03,
    -3.223964580411365e-01,
    -2.400758277161838e00,
    -2.549732539343734e00,
    4.374664141464968e00,
    2.938163982698783e00,
)
_TAIL_BELOW = (
    7.784695709041462e-03,
    3.224671290700398e-01,
    2.445134137142996e00,
    3.754408661907416e00,
    1.0,
)
_TAIL_FROM = 0.02425


def _polynomial(coefficients: Sequence[float], at: float) -> float:
    value = 0.0
    for coefficient in coefficients:
        value = value * at + coefficient
    return value


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile of a probability strictly between 0 and 1."""
    if probability < _TAIL_FROM:
        at = sqrt(-2.0 * log(probability))
        return _polynomial(_TAIL, at) / _polynomial(_TAIL_BELOW, at)
    if probability > 1.0 - _TAIL_FROM:
        return -normal_quantile(1.0 - probability)
    centred = probability - 0.5
    square = centred * centred
    return centred * _polynomial(_CENTRAL, square) / _polynomial(_CENTRAL_BELOW, square)


@lru_cache(maxsize=1)
def _quantiles() -> tuple[float, ...]:
    """Return the normal quantiles of the middles of ``DRAWS`` equal shares."""
    return tuple(normal_quantile((index + 0.5) / DRAWS) for index in range(DRAWS))


@lru_cache(maxsize=64)
def normal_values(dimension: int) -> tuple[float, ...]:
    """Return ``DRAWS`` standard normal values of one coordinate, the same at every call.

    Coordinate d of point i is the quantile of rank i × g^d + d × shift modulo the draws.
    """
    quantiles = _quantiles()
    step = pow(GENERATOR, dimension, DRAWS)
    return tuple(quantiles[(index * step + dimension * SHIFT) % DRAWS] for index in range(DRAWS))


def drawn_rates(candidates: Sequence[Sequence[Factor]]) -> tuple[tuple[float, ...], ...]:
    """Return the throughput of each candidate in every draw: the least of its factors.

    Equal sources of error share their draws across factors and candidates.
    """
    sources = sorted(
        {source for factors in candidates for factor in factors for source, _ in factor.errors}
    )
    normals = {source: normal_values(index) for index, source in enumerate(sources)}
    return tuple(
        tuple(map(min, *drawn)) if len(drawn) > 1 else drawn[0]
        for drawn in ([_drawn(factor, normals) for factor in factors] for factors in candidates)
    )


def _drawn(factor: Factor, normals: Mapping[str, Sequence[float]]) -> tuple[float, ...]:
    """Return the rate of one factor in every draw."""
    errors = [0.0] * DRAWS
    for source, sigma in factor.errors:
        errors = [
            error + sigma * value for error, value in zip(errors, normals[source], strict=True)
        ]
    return tuple(factor.rate * exp(error) for error in errors)
