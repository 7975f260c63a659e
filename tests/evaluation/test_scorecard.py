"""The scorecard: what CI holds, and whether its harness can fail."""

from __future__ import annotations

from functools import cache
from math import exp, log

import pytest

from advisor.domain.scorecard import Measure, Scorecard
from advisor.evaluation.choices import Market, Trial
from advisor.evaluation.coverage import Cell, coverage, wilson
from advisor.evaluation.folds import folds_of, outcome_of
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


def reached(card: Scorecard) -> dict[str, float]:
    """Everything that is held: smaller is better, but for goals of at least something."""
    found = {goal.key: goal.reached for goal in card.goals}
    for fold in card.folds:
        found[f"fold.{fold.key}.median"] = fold.error.median
        found[f"fold.{fold.key}.p90"] = fold.error.p90
        found[f"fold.{fold.key}.width"] = fold.coverage[0].width
    for part in card.parts:
        found[f"part.{part.key}.median"] = part.error.median
        found[f"part.{part.key}.p90"] = part.error.p90
        if part.coverage:
            found[f"part.{part.key}.width"] = part.coverage.width
            found[f"part.{part.key}.uncovered"] = 1.0 - part.coverage.share
    return found


def test_nothing_is_worse_than_what_was_reached() -> None:
    """The values of ``advisor/evaluation/goals.py``; a better one is written down there."""
    goals = {goal.key: goal for goal in scorecard().goals}
    found = reached(scorecard())
    assert set(found) == set(HELD)
    for key, value in found.items():
        goal = goals.get(key)
        if goal is None or goal.at_least is None:
            assert value <= HELD[key] + ROUNDING, key
        elif goal.at_most is None:
            assert value >= HELD[key] - ROUNDING, key
        else:
            middle = 0.5 * (goal.at_least + goal.at_most)
            assert abs(value - middle) <= abs(HELD[key] - middle) + ROUNDING, key


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


@pytest.mark.parametrize(
    "names",
    [("m5",), ("m5", "c5"), ("m5", "m6i"), ("c6g", "m6g", "c5")],
    ids=" ".join,
)
def test_fewer_families_are_scored_as_far_as_they_go(names: tuple[str, ...]) -> None:
    """What cannot be held out is left out of the scorecard, and nothing fails."""
    data = fit_data()
    points = tuple(
        point for point in data.curve_points if point.instance_type.split(".")[0] in names
    )
    card = evaluate(changed(data, curve_points=points), prices(), lambda *_: None)
    keys = {fold.key for fold in card.folds}
    assert {"threads", "size"} <= keys
    assert ("silicon" in keys) == (names not in {("m5",), ("m5", "c5")})
    assert {goal.key.split(".")[0] for goal in card.goals} <= keys


def test_without_prices_only_errors_are_scored() -> None:
    card = evaluate(fit_data(), {}, lambda *_: None)
    assert card.choices == ()
    assert card.folds


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
    """Other values of a group leave its own widths as they are, in every way to hold out."""
    data = fit_data()
    whole = Compute(data.types, data.curve_points, data.scores)
    for fold in folds_of(whole):
        name = fold.groups[0].name
        own = {index for group in fold.groups if group.name == name for index in group.indices}
        points = [
            changed(point, transactions_per_s=point.transactions_per_s * (1.0 + 0.1 * place))
            if place in own
            else point
            for place, point in enumerate(whole.points)
        ]
        louder = Compute(data.types, points, data.scores)
        same = next(each for each in folds_of(louder) if each.key == fold.key)
        before, after = outcome_of(whole, fold).width, outcome_of(louder, same).width
        tested = own & set(before)
        assert tested
        for index in tested:
            assert before[index] == pytest.approx(after[index], abs=1e-9), fold.key


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
    low, high = wilson(hits / count, count)
    assert 0.0 <= low <= hits / count <= high + 1e-12
    assert high <= 1.0


def test_wilson_is_the_published_interval() -> None:
    """Brown, Cai and DasGupta 2001: 81 of 263 gives 0.2553 to 0.3662."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=2e-4)


def test_usl_recovers_its_own_law() -> None:
    """Points that follow the law exactly come back at a thread count that was left out."""
    types = {item.name: item for item in fit_data().types}

    def rate(threads: int) -> float:
        return 1000.0 * threads / (1.0 + 0.02 * (threads - 1) + 1e-4 * threads * (threads - 1))

    points = [
        CurvePoint(
            source="percona_arm_m5_2021",
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
        "beyond-vcpu",
        "beyond-threads",
        "engine-threads",
        "benchmark",
        "tail",
        "volume-threads",
        "storage-type",
        "engine",
        "mix",
        "data-to-memory",
        "commit",
    }
    for key in set(parts) - {"engine", "engine-threads"}:
        assert parts[key].error.median < parts[key].baseline_error.median, key


def test_what_lies_beyond_is_held_as_often_as_it_should() -> None:
    """The widening by distance, found without the tested group: 75 % to 85 %, threads and sizes."""
    parts = {part.key: part for part in scorecard().parts}
    for key in ("beyond-threads", "beyond-vcpu"):
        held = parts[key].coverage
        assert held is not None
        assert 0.75 <= held.share <= 0.85, key
    assert parts["beyond-threads"].baseline_error.median > 0.3


def test_coverage_counts_cells_within_their_own_width() -> None:
    cells = [
        Cell("one", 0.1, 0.2),
        Cell("one", -0.3, 0.2),
        Cell("other", -0.1, 0.1),
        Cell("other", 0.0, 0.0),
    ]
    found = coverage(cells, 0.8)
    assert found.share == 0.75
    assert found.low < 0.75 < found.high
    assert found.width == pytest.approx(exp(0.125) - 1.0)
