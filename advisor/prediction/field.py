"""A field of points: what known values say about a point that is not among them.

Expectations are weighted sums of the known values; the weights follow from how alike the points are
(``kernel``) and from their CPU scores. Leaving points out needs no second fit: the inverse of the
covariance holds the answer for every block of points (Rasmussen and Williams 2006, section 5.4.2),
and a test compares it with a real refit.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

from advisor.prediction.kernel import Layers, Site, covariance
from advisor.prediction.linear import Matrix, cholesky, dot, inverted, solved

if TYPE_CHECKING:
    from collections.abc import Sequence


class Learned(NamedTuple):
    """What the values known at the sites of a field teach."""

    weights: list[float]
    """By site."""
    score_weights: list[float]
    """By CPU score: what one unit of deviation from the mean of all scores brings."""


class Field:
    """Sites with their covariance; values are given to each question."""

    def __init__(
        self, sites: Sequence[Site], scores: Sequence[Sequence[float]], layers: Layers
    ) -> None:
        """``scores``: by site, how far each CPU score deviates from the mean of all."""
        self._sites = tuple(sites)
        self._layers = layers
        self._scores = tuple(scores)
        rows = [
            [
                covariance(one, other, layers) + layers.score_sigma**2 * dot(mine, theirs)
                for other, theirs in zip(sites[: index + 1], scores, strict=False)
            ]
            for index, (one, mine) in enumerate(zip(sites, scores, strict=True))
        ]
        for row in rows:
            row[-1] += layers.repeat_sigma**2
        self._lower = cholesky(rows)
        self._inverse: Matrix = []

    def learned(self, values: Sequence[float]) -> Learned:
        """Return what the ``values`` known at the sites teach."""
        weights = solved(self._lower, values)
        variance = self._layers.score_sigma**2
        return Learned(
            weights=weights,
            score_weights=[
                variance * dot(column, weights) for column in zip(*self._scores, strict=True)
            ],
        )

    def log_likelihood(self, values: Sequence[float], learned: Learned) -> float:
        """Return ln of the marginal likelihood of ``values``, up to a constant."""
        determinant = sum(log(row[-1]) for row in self._lower)
        return -0.5 * dot(values, learned.weights) - determinant

    def alike(self, site: Site) -> list[float]:
        """Return the covariance of ``site`` with each known site, scores aside."""
        return [covariance(site, known, self._layers) for known in self._sites]

    def errors_without(self, left_out: Sequence[int], learned: Learned) -> list[float]:
        """Return known less expected value at the sites ``left_out`` (indices), from all others."""
        if not self._inverse:
            self._inverse = inverted(self._lower)
        block = [[self._inverse[one][other] for other in left_out] for one in left_out]
        return solved(cholesky(block), [learned.weights[index] for index in left_out])


def expected(alike: Sequence[float], scores: Sequence[float], learned: Learned) -> float:
    """Return the expected value at a site with these covariances and deviations of scores."""
    return dot(alike, learned.weights) + dot(scores, learned.score_weights)
