"""Leads, ties and crossovers, on ladders made by hand."""

from __future__ import annotations

import pytest

from advisor.domain.comparison import Crossover, Rung
from advisor.prediction.uncertainty import Factor
from advisor.recommend.comparison import crossovers, rung
from tests.render.answers import prediction


def made(threads: int, *rates: float, is_tie: bool = False) -> Rung:
    order = sorted(range(len(rates)), key=lambda place: -rates[place])
    return Rung(
        threads=threads,
        predictions=tuple(prediction(rate) for rate in rates),
        leader=order[0],
        runner_up=order[1],
        probability=1.0,
        is_tie=is_tie,
    )


def compared(first: float, second: float, sigma: float) -> Rung:
    factors = [
        [Factor(rate=rate, errors=((name, sigma),))] for name, rate in (("a", first), ("b", second))
    ]
    return rung(8, [prediction(first), prediction(second)], factors)


@pytest.mark.parametrize(
    ("first", "second", "sigma", "is_tie"),
    [
        (100.0, 104.9, 0.001, True),
        (100.0, 106.0, 0.001, False),
        (100.0, 120.0, 0.2, True),
        (100.0, 200.0, 0.2, False),
        (100.0, 100.0, 0.0, True),
    ],
)
def test_ties_are_small_leads_and_doubtful_ones(
    first: float, second: float, sigma: float, is_tie: bool
) -> None:
    for pair in ((first, second), (second, first)):
        found = compared(*pair, sigma)
        assert found.is_tie is is_tie
        assert found.rate(found.leader) >= found.rate(found.runner_up)
        assert found.lead_ratio >= 1.0
        assert 0.5 <= found.probability <= 1.0


def test_a_clear_change_is_a_crossover() -> None:
    ladder = [made(1, 10, 20), made(2, 20, 30), made(4, 40, 35)]
    assert crossovers(ladder) == (
        Crossover(before=1, after=0, from_threads=2, to_threads=4, leads_until=2, leads_from=4),
    )


def test_the_last_change_within_ties_counts() -> None:
    ladder = [
        made(1, 10, 20),
        made(2, 31, 30, is_tie=True),
        made(4, 40, 41, is_tie=True),
        made(8, 61, 60, is_tie=True),
        made(16, 90, 60),
    ]
    (found,) = crossovers(ladder)
    assert (found.from_threads, found.to_threads) == (4, 8)
    assert (found.leads_until, found.leads_from) == (1, 16)


def test_no_crossover_without_two_clear_leads() -> None:
    assert crossovers([made(1, 10, 20), made(2, 31, 30, is_tie=True)]) == ()
    assert crossovers([made(1, 10, 20), made(2, 10, 30)]) == ()
    assert crossovers([made(1, 10, 10, is_tie=True)]) == ()


def test_the_lead_may_change_more_than_once_among_three() -> None:
    ladder = [made(1, 30, 20, 10), made(2, 30, 50, 40), made(4, 30, 50, 90)]
    found = crossovers(ladder)
    assert [(each.before, each.after) for each in found] == [(0, 1), (1, 2)]
    assert [(each.from_threads, each.to_threads) for each in found] == [(1, 2), (2, 4)]
