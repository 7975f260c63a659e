"""Pruning loses nothing: the bounded search and the whole space give one answer.

200 random workloads for each objective, each over a random hundred of the ground's instance types.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING

import pytest

from advisor.domain.recommendation import Constraints, Recommendation, Request
from advisor.domain.vocabulary import (
    Architecture,
    Availability,
    Client,
    Dialect,
    Durability,
    Engine,
    Objective,
    Platform,
    StorageType,
)
from advisor.domain.workload import PROFILES, Workload, profile_of_read_ratio
from advisor.errors import AdvisorError, NoCandidateError
from advisor.recommend.alternatives import kinds_beside, knee_of
from advisor.recommend.candidates import allowed, priced
from advisor.recommend.engines import competition
from advisor.recommend.leaders import FULL_SCORE, best_of
from advisor.recommend.recommend import recommend
from advisor.recommend.space import Space
from tests.ground import changed, everywhere, request, workload

if TYPE_CHECKING:
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option

WORKLOADS = 200
ENTRIES = 100
#: Answers of each objective that are also checked against a plain enumeration of the space.
ENUMERATED = 40

Failure = tuple[str, str, str | None]


def _workload(random: Random, *, has_target: bool) -> Workload:
    data_gib = 10.0 ** random.uniform(0.0, 3.6)
    profile = (
        PROFILES[random.choice(sorted(PROFILES))]
        if random.random() < 0.6
        else profile_of_read_ratio(random.random())
    )
    target = 10.0 ** random.uniform(1.0, 3.8) if has_target else None
    return Workload(
        threads=int(10.0 ** random.uniform(0.0, 3.2)),
        profile=profile,
        data_gib=data_gib,
        hot_gib=data_gib * random.uniform(0.01, 1.0),
        durability=random.choice(list(Durability)),
        availability=random.choice(list(Availability)),
        client=random.choice(list(Client)),
        target_tps=target,
        headroom_ratio=random.choice((0.0, 0.3, 0.5)),
        max_p95_ms=random.choice((None, None, None, 10.0 ** random.uniform(0.5, 2.5))),
    )


def _constraints(random: Random) -> Constraints:
    """Return loose constraints: most requests have none of each kind."""
    return Constraints(
        engines=random.choice(((), (), (), (Engine.MYROCKS, Engine.PXC))),
        architectures=random.choice(((), (), (Architecture.X86_64,))),
        storage_types=random.choice(((), (), (), (StorageType.GP2, StorageType.IO2))),
        min_vcpu=random.choice((None, None, 4)),
        max_vcpu=random.choice((None, None, 64)),
        budget_usd_per_month=random.choice((None, None, Decimal(random.randrange(150, 6000)))),
        allow_ephemeral=random.random() < 0.3,
        platforms=random.choice(((Platform.EC2,), (Platform.EC2,), tuple(Platform))),
        dialect=random.choice((Dialect.MYSQL, Dialect.MYSQL, Dialect.POSTGRESQL, Dialect.ANY)),
    )


def _case(objective: Objective, seed: int) -> tuple[Request, Ground]:
    random = Random(f"{objective}-{seed}")  # noqa: S311 (a seeded sample, not a secret)
    has_target = objective is Objective.COST or random.random() < 0.15
    load = _workload(random, has_target=has_target)
    asked = request(load, objective, constraints=_constraints(random), top=10)
    whole = everywhere(load.availability)
    return asked, changed(whole, entries=tuple(random.sample(whole.entries, ENTRIES)))


def _answer(asked: Request, on: Ground, *, is_pruned: bool) -> Recommendation | Failure:
    try:
        return recommend(asked, on, is_pruned=is_pruned)
    except AdvisorError as error:
        nearest = error.nearest if isinstance(error, NoCandidateError) else None
        return type(error).__name__, error.message, nearest


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("objective", Objective)
def test_pruned_and_unpruned_answers_are_equal(objective: Objective, half: int) -> None:
    """Ranking, ties, folding, alternatives, knee, counts, or the refusal: all of the value."""
    answered = 0
    for seed in range(half, WORKLOADS, 2):
        asked, on = _case(objective, seed)
        pruned = _answer(asked, on, is_pruned=True)
        whole = _answer(asked, on, is_pruned=False)
        assert pruned == whole, f"{objective} workload {seed}"
        answered += isinstance(pruned, Recommendation)
    assert answered >= WORKLOADS // 8, "too few of the random requests have an answer"


def _enumerated(asked: Request, on: Ground) -> list[Option]:
    """Return every option that meets the request, best first, without any bound."""
    kept, _ = allowed(asked, on)
    rivals = competition(asked, on.parameters)
    entries, _ = priced(kept, asked, on, rivals)
    space = Space(asked, changed(on, entries=entries), rivals, is_pruned=False)
    found = space.all_options()
    return sorted(
        (option for option in found if option.shortfall <= 0.0), key=lambda option: option.order
    )


@pytest.mark.parametrize("objective", Objective)
def test_the_search_finds_what_plain_enumeration_finds(objective: Objective) -> None:
    """Best score, the best cheaper and faster one, and the knee, against a loop over everything."""
    for seed in range(ENUMERATED):
        asked, on = _case(objective, seed)
        answer = _answer(asked, on, is_pruned=True)
        if not isinstance(answer, Recommendation):
            continue
        options = _enumerated(asked, on)
        availability = asked.workload.availability
        top = max(row.score for row in answer.ranking)
        if options[0].point.limit is None or asked.workload.target_tps is not None:
            assert top == options[0].score
        else:
            assert options[0].score / FULL_SCORE <= top <= options[0].score
        pick = next(
            option
            for option in options
            if option.candidate(availability).config == answer.pick.candidate.config
        )
        usd = float(pick.usd_per_month)
        kinds = {
            "cheaper": [
                o for o in options if float(o.usd_per_month) <= 0.8 * float(pick.usd_per_month)
            ],
            "faster": [o for o in options if o.rate >= 1.25 * pick.rate],
        }
        shown = {row.candidate.config for row in (*answer.ranking, *answer.alternatives)}
        for kind, found in kinds.items():
            if found:
                assert found[0].candidate(availability).config in shown, (kind, seed)
        for share, ratio in (
            (0.5, answer.knee.half_throughput_ratio),
            (2.0, answer.knee.twice_throughput_ratio),
        ):
            limit = share * usd
            within = [o for o in options if float(o.usd_per_month) <= limit]
            most = max((o.rate for o in within), default=0.0)
            best = min(
                (o for o in within if o.rate >= 0.99 * most),
                key=lambda option: (option.usd_per_month, option.order),
                default=None,
            )
            assert ratio == (best and pytest.approx(best.rate / pick.rate)), seed


HARD = {
    "data beyond memory": workload(16, data_gib=16_384.0),
    "local disks": workload(
        256, data_gib=10_240.0, hot_gib=4096.0, availability=Availability.MULTI_AZ
    ),
    "a target": workload(64, "write", target_tps=1000.0, max_p95_ms=60.0),
}


@pytest.mark.parametrize("load", [workload(16), *HARD.values()], ids=["usual", *HARD])
def test_pruning_looks_at_little_of_the_space(load: Workload) -> None:
    """The reason for bounds: of ten pairs of type and storage, nine are never worked out."""
    asked = request(load, constraints=Constraints(platforms=tuple(Platform)))
    whole = everywhere(load.availability)
    kept, _ = allowed(asked, whole)
    rivals = competition(asked, whole.parameters)
    entries, _ = priced(kept, asked, whole, rivals)
    space = Space(asked, changed(whole, entries=entries), rivals)
    pick = best_of(space)[0]
    kinds_beside(space, pick)
    knee_of(space, pick, load.availability)
    assert space.evaluated < space.size / 10
