"""How far an answer holds: changes are real, the nearest are found, and the same at every run.

Everything is worked out again from the printed CONFIGs, by the path of ``advisor predict``.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.config import parse_config
from advisor.domain.recommendation import Axis, AxisCrossover, Constraints, Recommendation
from advisor.domain.vocabulary import Objective, Platform
from advisor.prediction.draws import drawn_rates
from advisor.prediction.uncertainty import factors_of
from advisor.recommend.candidates import allowed, priced
from advisor.recommend.crossovers import (
    SHARE_STEP,
    WITHIN_RATIO,
    WITHIN_SHARE,
    margins,
    moved,
    stated_value,
)
from advisor.recommend.engines import competition
from advisor.recommend.leaders import SAME_PRICE, leaders, win_share
from advisor.recommend.options import score_of
from advisor.recommend.recommend import recommend
from advisor.recommend.space import Space
from advisor.render.recommendation_json import recommendation_json
from advisor.session.candidate import assess, cost_under, perform, resolve
from tests.ground import FEW, changed, everywhere, ground, request, workload, workloads

if TYPE_CHECKING:
    from advisor.domain.recommendation import Request
    from advisor.domain.workload import Workload
    from advisor.recommend.ground import Ground
    from advisor.recommend.leaders import Leader

OBJECTIVES = st.sampled_from([item for item in Objective if item is not Objective.COST])
KINDS = {"cheaper", "faster", "managed", "self-managed", "other-architecture", "other-storage"}
EVERYWHERE = Constraints(platforms=tuple(Platform))
CASES: dict[str, dict[str, Any]] = {
    "mixed": {"threads": 16, "rw": "mixed"},
    "reads": {"threads": 64, "rw": "read", "data_gib": 500.0},
    "writes": {"threads": 4, "rw": "write"},
    "many": {"threads": 200, "rw": "0.5"},
    "point": {"threads": 16, "rw": "point"},
    "single": {"threads": 1, "rw": "0.9"},
}
#: A bill to the cent, and a margin from it.
NEAR = 1e-4


@cache
def answer_of(case: str, objective: Objective = Objective.BALANCED) -> Recommendation:
    asked = request(workload(**CASES[case]), objective, constraints=EVERYWHERE)
    return recommend(asked, everywhere())


@pytest.fixture(params=list(CASES))
def answer(request: pytest.FixtureRequest) -> Recommendation:
    found: Recommendation = answer_of(request.param)
    return found


class Rescored:
    """The rows of an answer under other workloads."""

    def __init__(self, answer: Recommendation, known: Ground) -> None:
        self.answer, self.known = answer, known
        self.stated = answer.request.workload
        self.pick = answer.pick.candidate.config
        self.rivals = [row.candidate.config for row in answer.rows if row.role in KINDS]
        self.found = {
            config: resolve(parse_config(config), self.stated, known)
            for config in (self.pick, *self.rivals)
        }
        factors = [perform(each, known).factors for each in self.found.values()]
        self.drawn = dict(zip(self.found, drawn_rates(factors), strict=True))

    def score(self, config: str, load: Workload) -> float:
        """Return the objective; only what Aurora stores and requests is billed anew."""
        found, billed = self.found[config], self.stated
        if found.candidate.storage.type.is_aurora:
            found, billed = resolve(parse_config(config), load, self.known), load
        rate = perform(changed(found, workload=load), self.known).prediction.transactions_per_s
        cost, _ = cost_under(changed(found, workload=billed), self.known)
        assert cost is not None
        return score_of(self.answer.request.objective, rate.value, float(cost.usd_per_month))

    def margin(self, rival: str) -> float:
        """Return by how much a rival must lead, by the documented rule."""
        power = 2.0 if self.answer.request.objective is Objective.BALANCED else 1.0
        rates = [
            perform(self.found[each], self.known).prediction.transactions_per_s.value
            for each in (rival, self.pick)
        ]
        shares = sorted(
            (theirs / mine) / (rates[0] / rates[1])
            for theirs, mine in zip(self.drawn[rival], self.drawn[self.pick], strict=True)
        )
        ratio = self.score(rival, self.stated) / self.score(self.pick, self.stated)
        costs = [cost_under(self.found[each], self.known)[0] for each in (rival, self.pick)]
        assert costs[0] is not None
        assert costs[1] is not None
        dearer = float(costs[0].usd_per_month / costs[1].usd_per_month)
        steps = [shares[12] ** -power]
        if dearer <= 1.1:
            steps.insert(0, 1.0)
        if dearer * 1.1 < 1.0:
            steps.insert(0, shares[114] ** -power)
        return next((step for step in steps if step >= ratio * (1.0 - NEAR)), ratio)

    def lead(self, rival: str, load: Workload) -> float:
        """Return by how much a rival leads beyond what it must: above 1 it takes the place."""
        return self.score(rival, load) / self.score(self.pick, load) / self.margin(rival)


def looked_at(each: AxisCrossover) -> list[float]:
    """Return the values that are looked at before the nearest change."""
    end = each.looked_to if each.value is None else each.value
    if each.axis is Axis.READ_SHARE:
        values = [step * SHARE_STEP for step in range(9)]
    else:
        values = [each.stated * 2.0**octave for octave in range(-3, 4)]
        if each.axis is Axis.THREADS:
            values = [float(max(1, round(value))) for value in values]
    low, high = sorted((each.stated, end))
    return [value for value in values if low < value < high or value == end]


def assert_real(answer: Recommendation, known: Ground) -> None:
    """At the value the pick holds, at the next its rival leads, and nothing nearer is missed."""
    rescored = Rescored(answer, known)
    for each in answer.crossovers:
        for value in looked_at(each):
            load = moved(rescored.stated, each.axis, value)
            for rival in rescored.rivals:
                assert rescored.lead(rival, load) <= 1.0 + NEAR, (each, value, rival)
        if each.value is None or each.changes_at is None:
            continue
        assert each.rival in rescored.rivals
        at = moved(rescored.stated, each.axis, each.value)
        beyond = moved(rescored.stated, each.axis, each.changes_at)
        leads = {rival: rescored.lead(rival, beyond) for rival in rescored.rivals}
        assert rescored.lead(each.rival, at) <= 1.0 + NEAR, each
        assert leads[each.rival] > 1.0 - NEAR, each
        assert leads[each.rival] == pytest.approx(max(leads.values()), rel=NEAR)


def test_a_change_is_real_and_no_nearer_one_is_missed(answer: Recommendation) -> None:
    assert_real(answer, everywhere())


@pytest.mark.parametrize("objective", [Objective.THROUGHPUT, Objective.VALUE])
def test_it_is_the_objective_that_changes_hands(objective: Objective) -> None:
    assert_real(answer_of("mixed", objective), everywhere())


@FEW
@given(load=workloads(), objective=OBJECTIVES)
def test_changes_are_real_for_any_workload(load: Workload, objective: Objective) -> None:
    answer = recommend(request(load, objective), ground())
    assert_shape(answer)
    if not any(row.candidate.storage.type.is_volatile for row in answer.rows):
        assert_real(answer, ground())


def assert_shape(answer: Recommendation) -> None:
    """Directions in order, values between stated and looked to, changes narrowed, rows shown."""
    load = answer.request.workload
    order = list(Axis)
    places = [(order.index(each.axis), each.is_above) for each in answer.crossovers]
    assert places == sorted(set(places))
    shown = {row.candidate.config for row in answer.rows}
    for each in answer.crossovers:
        assert each.stated == stated_value(each.axis, load)
        if each.value is None or each.changes_at is None:
            assert (each.value, each.changes_at, each.rival, each.is_tie) == (None,) * 4
            continue
        assert each.rival is None or each.rival in shown
        assert each.is_tie in {None, each.rival in answer.pick.tied_with}
        path = (each.stated, each.value, each.changes_at, each.looked_to)
        assert list(path) == sorted(path, reverse=not each.is_above)
        gap = abs(each.changes_at - each.value)
        if each.axis is Axis.READ_SHARE:
            assert gap <= WITHIN_SHARE
        else:
            is_near = max(path[1:3]) <= WITHIN_RATIO * min(path[1:3])
            assert is_near or (each.axis is Axis.THREADS and gap == 1.0)


def test_every_axis_has_room_but_where_it_ends(answer: Recommendation) -> None:
    """No fewer than one thread, no shares beyond 0 and 1, none of the point preset."""
    assert_shape(answer)
    found = {(each.axis, each.is_above) for each in answer.crossovers}
    load = answer.request.workload
    share = None if load.profile.name == "point" else load.profile.read_ratio
    expected = {
        (Axis.THREADS, False): load.threads > 1,
        (Axis.THREADS, True): True,
        (Axis.DATA_SIZE, False): True,
        (Axis.DATA_SIZE, True): True,
        (Axis.READ_SHARE, False): share is not None and share > 0.0,
        (Axis.READ_SHARE, True): share is not None and share < 1.0,
    }
    assert found == {place for place, is_there in expected.items() if is_there}


def test_hot_data_keep_their_share_only_where_nobody_stated_them() -> None:
    assumed = workload(16, "mixed")
    assert moved(assumed, Axis.DATA_SIZE, 400.0).hot_gib == pytest.approx(80.0)
    stated = workload(16, "mixed", hot_gib=30.0)
    assert moved(stated, Axis.DATA_SIZE, 400.0).hot_gib == 30.0
    assert moved(stated, Axis.DATA_SIZE, 25.0).hot_gib == 25.0


def test_beyond_what_the_pick_can_serve_nothing_else_is_made_up() -> None:
    """A target that data outgrow: the change names no rival unless one meets it."""
    asked = request(workload(16, "mixed", target_tps=700.0), constraints=EVERYWHERE)
    answer = recommend(asked, everywhere())
    above = next(
        each for each in answer.crossovers if each.axis is Axis.DATA_SIZE and each.is_above
    )
    assert above.value is not None
    assert above.changes_at is not None
    for value, holds in ((above.value, True), (above.changes_at, False)):
        load = moved(asked.workload, Axis.DATA_SIZE, value)
        config = parse_config(answer.pick.candidate.config)
        found = assess(config, changed(asked, workload=load), everywhere())
        assert found.meets_target is holds


def test_a_budget_that_the_pick_just_fits_leaves_it_in_place() -> None:
    """Bills are rounded to the cent, a budget need not be."""
    open_budget = answer_of("mixed")
    usd = open_budget.pick.cost.usd_per_month
    for budget in (usd, usd + Decimal("0.001"), usd - Decimal("0.001")):
        constraints = changed(EVERYWHERE, budget_usd_per_month=budget)
        answer = recommend(request(workload(16, "mixed"), constraints=constraints), everywhere())
        assert_shape(answer)
        dear = {row.candidate.config for row in answer.rows if row.cost.usd_per_month > budget + 1}
        assert not dear & {each.rival for each in answer.crossovers}


def test_the_margin_is_where_nine_draws_in_ten_are_won() -> None:
    """A rival that costs more takes over when it wins over nine in ten, as in a ranking."""
    rows = leaders_of(request(workload(16, "mixed")))
    pick, *others = (row.option for row in rows)
    dearer = [each for each in others if each.usd_per_month > pick.usd_per_month * SAME_PRICE]
    assert len(dearer) >= 3
    found = margins(pick, dearer, [0.0] * len(dearer), Objective.THROUGHPUT)
    squared = margins(pick, dearer, [0.0] * len(dearer), Objective.BALANCED)
    own, *drawn = drawn_rates([factors_of(each.settled, each.point) for each in (pick, *dearer)])
    for rival, margin, square, rates in zip(dearer, found, squared, drawn, strict=True):
        assert square == pytest.approx(margin**2)
        for nudge, is_clear in ((1.0 + NEAR, True), (1.0 - NEAR, False)):
            factor = nudge * margin * pick.rate / rival.rate
            share = win_share([rate * factor for rate in rates], own)
            assert (share > 0.9) is is_clear


def leaders_of(asked: Request) -> tuple[Leader, ...]:
    rivals = competition(asked, ground().parameters)
    kept, _ = allowed(asked, ground())
    entries, _ = priced(kept, asked, ground(), rivals)
    return leaders(Space(asked, changed(ground(), entries=entries), rivals), asked)


def test_the_same_question_gives_the_same_bytes() -> None:
    asked = answer_of("mixed").request
    assert recommendation_json(recommend(asked, everywhere())) == recommendation_json(
        answer_of("mixed")
    )
