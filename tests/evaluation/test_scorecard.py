"""The scorecard: what CI holds, and whether its harness can fail."""

from __future__ import annotations

from functools import cache
from math import log

import pytest

from advisor.domain.scorecard import Measure, Scorecard
from advisor.evaluation.choices import Market, Trial
from advisor.evaluation.folds import folds_of, outcome_of, wilson
from advisor.evaluation.goals import HELD
from advisor.evaluation.scorecard import evaluate
from advisor.evaluation.usl import Usl
from advisor.prediction.calibration import Hold, groups_of, residuals_of, width
from advisor.prediction.compute import Compute
from advisor.prediction.fit_input import CurvePoint
from tests.ground import changed, fit_data, ground

#: A share may be this much worse than what is held: rounding of the fourth digit.
ROUNDING = 5e-5


def prices() -> dict[str, float]:
    """On-demand prices of the bundled snapshot."""
    return {name: float(price.usd) for name, price in ground().market.ec2.items()}


@cache
def scorecard() -> Scorecard:
    """The scorecard of the bundled data."""
    return evaluate(fit_data(), prices(), lambda *_: None)


def test_nothing_is_worse_than_what_was_reached() -> None:
    """The thresholds of ``advisor/evaluation/goals.py``; a better value is written down there."""
    goals = {goal.key: goal for goal in scorecard().goals}
    assert set(goals) == set(HELD)
    for key, goal in goals.items():
        if goal.at_least is not None and goal.at_most is not None:
            assert goal.is_met, key
        elif goal.at_least is not None:
            assert goal.reached >= HELD[key] - ROUNDING, key
        else:
            assert goal.reached <= HELD[key] + ROUNDING, key


def test_the_same_data_give_the_same_scorecard() -> None:
    assert evaluate(fit_data(), prices(), lambda *_: None) == scorecard()


def test_progress_counts_every_step() -> None:
    heard: list[tuple[int, int]] = []
    evaluate(fit_data(), prices(), lambda _, done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == list(range(len(heard)))
    assert {total for _, total in heard} == {len(heard)}


def test_every_way_to_hold_out_beats_plain_usl() -> None:
    for fold in scorecard().folds:
        assert fold.error.median < fold.baseline.median, fold.key
        assert fold.error.p90 < fold.baseline.p90, fold.key


def test_intervals_at_90_per_cent_are_wider_and_cover_more() -> None:
    for fold in scorecard().folds:
        first, second = fold.coverage
        assert first.level < second.level
        assert first.width <= second.width
        assert first.share <= second.share
        assert first.low <= first.share <= first.high


def test_few_groups_are_not_called_validated() -> None:
    validated = {fold.key: fold.is_validated for fold in scorecard().folds}
    assert validated["size"]
    assert not validated["silicon"]


def test_scrambled_measurements_are_found_out() -> None:
    """The harness can fail: rates handed to the wrong types are predicted badly."""
    data = fit_data()
    names = sorted({point.instance_type for point in data.curve_points})
    other = dict(zip(names, [*names[7:], *names[:7]], strict=True))
    points = tuple(
        changed(point, instance_type=other[point.instance_type]) for point in data.curve_points
    )
    compute = Compute(data.types, points, data.scores)
    fold = next(each for each in folds_of(compute) if each.key == "size")
    assert (
        outcome_of(compute, fold).score.error.median > 3.0 * scorecard().fold("size").error.median
    )


def test_an_interval_is_calibrated_without_the_group_it_is_tested_on() -> None:
    """A type that no other resembles lies outside its own interval, however wide that would be."""
    data = fit_data()
    points = tuple(
        changed(point, transactions_per_s=point.transactions_per_s * 5.0)
        if point.instance_type == "c5.xlarge"
        else point
        for point in data.curve_points
    )
    compute = Compute(data.types, points, data.scores)
    fold = next(each for each in folds_of(compute) if each.key == "size")
    groups = {group.name: group for group in outcome_of(compute, fold).score.groups}
    assert groups["c5.xlarge"].coverage_80 == 0.0


def test_hidden_points_are_unknown_throughout() -> None:
    """Nesting: what one residual says does not depend on the value of a hidden point."""
    data = fit_data()
    whole = Compute(data.types, data.curve_points, data.scores)
    hidden = frozenset(
        index for index, point in enumerate(whole.points) if point.instance_type == "m5.xlarge"
    )
    louder = Compute(
        data.types,
        [
            changed(point, transactions_per_s=point.transactions_per_s * 2.0)
            if point.instance_type == "m5.xlarge"
            else point
            for point in data.curve_points
        ],
        data.scores,
    )
    one, other = (
        [
            each.error
            for each in residuals_of(each_compute, groups_of(each_compute, Hold.SIZE), hidden)
        ]
        for each_compute in (whole, louder)
    )
    assert one == pytest.approx(other, abs=1e-9)


def test_a_width_covers_its_share_with_groups_of_equal_weight() -> None:
    """One group of a hundred small errors does not drown four groups of large ones."""
    data = fit_data()
    compute = Compute(data.types, data.curve_points, data.scores)
    first = residuals_of(compute, groups_of(compute, Hold.SIZE))[0]
    small = [first._replace(error=0.01, group="many") for _ in range(100)]
    large = [first._replace(error=0.2, group=f"few {place}") for place in range(4)]
    assert width([*small, *large], 0.8) == 0.2
    assert width(small, 0.8) == 0.01
    with pytest.raises(ValueError, match="no residuals"):
        width([], 0.8)


@pytest.mark.parametrize(("hits", "count"), [(0, 10), (8, 10), (10, 10), (336, 400)])
def test_wilson_holds_the_share(hits: int, count: int) -> None:
    low, high = wilson(hits, count)
    assert 0.0 <= low <= hits / count <= high + 1e-12
    assert high <= 1.0


def test_wilson_is_the_published_interval() -> None:
    """Brown, Cai and DasGupta 2001: 81 of 263 gives 0.2553 to 0.3662."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=2e-4)


def test_usl_recovers_its_own_law() -> None:
    """Points that follow the law exactly come back at a thread count that was left out."""
    types = {item.name: item for item in fit_data().types}

    def rate(threads: int) -> float:
        return 1000.0 * threads / (1.0 + 0.02 * (threads - 1) + 1e-4 * threads * (threads - 1))

    points = [
        CurvePoint(
            instance_type="m5.large",
            threads=threads,
            transactions_per_s=rate(threads),
            p95_ratio=1.2,
            spread_cv=None,
        )
        for threads in (1, 2, 4, 16, 32, 64)
    ]
    found = Usl(types, points)
    assert found.log_tps(types["m5.large"], 8) == pytest.approx(log(rate(8)), abs=1e-6)
    assert found.log_tps(types["m5.xlarge"], 16) == pytest.approx(log(2.0 * rate(8)), abs=1e-6)


def test_regret_is_nought_for_the_best_and_known_for_a_rule() -> None:
    """Perfect predictions have no regret; the cheapest per hour has what prices say."""
    data = fit_data()
    compute = Compute(data.types, data.curve_points, data.scores)
    fold = next(each for each in folds_of(compute) if each.key == "size")
    outcome = outcome_of(compute, fold)
    perfect = outcome._replace(
        residuals=tuple(each._replace(error=0.0) for each in outcome.residuals)
    )
    for measure in Measure:
        ours, *rules = Trial(Market(compute, prices()), perfect, measure).choices()
        assert ours.mean_regret == 0.0
        assert ours.within_5 == 1.0
        assert all(rule.mean_regret > 0.0 for rule in rules)


def test_parts_name_their_groups_and_baselines() -> None:
    parts = {part.key: part for part in scorecard().parts}
    assert set(parts) == {
        "volume-threads",
        "storage-type",
        "engine",
        "mix",
        "data-to-memory",
        "commit",
    }
    for key in ("volume-threads", "storage-type", "mix", "data-to-memory", "commit"):
        assert parts[key].error.median < parts[key].baseline_error.median, key
