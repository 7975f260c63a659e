"""Paired draws: the same at every call, normal enough, and shared by shared sources."""

from __future__ import annotations

from math import exp, sqrt
from statistics import NormalDist, mean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.prediction.draws import DRAWS, drawn_rates, normal_quantile, normal_values
from advisor.prediction.uncertainty import Z_80, Factor, interval
from tests.ground import PROPERTY


@PROPERTY
@given(st.floats(min_value=1e-9, max_value=1.0 - 1e-9))
def test_the_quantile_is_that_of_the_normal_distribution(probability: float) -> None:
    """Acklam's approximation: relative error below 1.2e-9 of the value."""
    expected = NormalDist().inv_cdf(probability)
    assert normal_quantile(probability) == pytest.approx(expected, rel=2e-8, abs=1e-9)


def test_the_interval_is_one_of_80_percent() -> None:
    assert pytest.approx(NormalDist().inv_cdf(0.9), rel=1e-12) == Z_80


@pytest.mark.parametrize("dimension", range(12))
def test_each_coordinate_is_nearly_standard_normal(dimension: int) -> None:
    """Even for 128 draws: mean, spread and the share inside an 80 % interval."""
    values = normal_values(dimension)
    assert len(values) == DRAWS
    assert values == normal_values(dimension)
    assert abs(mean(values)) < 0.06
    assert pstdev(values) == pytest.approx(1.0, abs=0.08)
    inside = sum(abs(value) <= Z_80 for value in values) / DRAWS
    assert inside == pytest.approx(0.8, abs=0.05)


def test_coordinates_are_nearly_uncorrelated() -> None:
    """A tie test on correlated coordinates would call differences that are none."""
    columns = [normal_values(dimension) for dimension in range(10)]
    for index, one in enumerate(columns):
        for other in columns[:index]:
            product = sum(a * b for a, b in zip(one, other, strict=True)) / DRAWS
            assert abs(product) < 0.25


def _factor(rate: float, **errors: float) -> Factor:
    return Factor(rate=rate, errors=tuple(errors.items()))


def test_shared_sources_move_together() -> None:
    """Equal errors leave the ratio alone, so the faster one wins every draw."""
    fast, slow = drawn_rates([[_factor(110.0, silicon=0.2)], [_factor(100.0, silicon=0.2)]])
    assert all(a / b == pytest.approx(1.1) for a, b in zip(fast, slow, strict=True))


def test_own_sources_move_apart() -> None:
    one, other = drawn_rates([[_factor(100.0, a=0.2)], [_factor(100.0, b=0.2)]])
    share = sum(x > y for x, y in zip(one, other, strict=True)) / DRAWS
    assert share == pytest.approx(0.5, abs=0.1)


def test_no_draw_exceeds_any_factor() -> None:
    """A candidate at an exact limit never draws more than the limit."""
    (drawn,) = drawn_rates([[_factor(100.0, a=0.5), Factor(rate=100.0, errors=())]])
    assert max(drawn) == 100.0
    assert min(drawn) < 70.0


def test_draws_of_a_sum_of_errors_are_as_wide_as_the_interval() -> None:
    """Eight of ten draws lie inside the printed interval of one factor."""
    factor = _factor(1000.0, silicon=0.1, size=0.08, mix=0.05)
    low, high = interval([factor])
    assert factor.sigma == pytest.approx(sqrt(0.0189))
    assert high / 1000.0 == pytest.approx(exp(Z_80 * factor.sigma))
    (drawn,) = drawn_rates([[factor]])
    inside = sum(low <= rate <= high for rate in drawn) / DRAWS
    assert inside == pytest.approx(0.8, abs=0.07)


_FACTORS = st.lists(
    st.builds(
        Factor,
        rate=st.floats(min_value=1.0, max_value=1e6),
        errors=st.lists(
            st.tuples(st.sampled_from("abcdef"), st.floats(min_value=0.01, max_value=0.5)),
            max_size=3,
            unique_by=lambda pair: pair[0],
        ).map(tuple),
    ),
    min_size=1,
    max_size=3,
)


@PROPERTY
@given(st.lists(_FACTORS, min_size=1, max_size=4))
def test_the_same_candidates_draw_the_same(candidates: list[list[Factor]]) -> None:
    assert drawn_rates(candidates) == drawn_rates(candidates)


@PROPERTY
@given(_FACTORS)
def test_the_least_factor_lies_in_its_interval(factors: list[Factor]) -> None:
    low, high = interval(factors)
    assert low <= min(factor.rate for factor in factors) <= high
