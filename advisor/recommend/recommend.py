"""One answer: from a request and the ground it stands on to a ``Recommendation``."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from advisor.domain.recommendation import (
    Ranked,
    Recommendation,
    Request,
    Unpriced,
)
from advisor.domain.vocabulary import Availability, Durability, Platform, Station, StorageType
from advisor.errors import NoCandidateError, PricingError
from advisor.prediction import MODEL_VERSION
from advisor.prediction.answer import predict
from advisor.prediction.stations import limiting_station
from advisor.recommend.advice import caveats, small_gp2
from advisor.recommend.alternatives import kinds_beside, knee_of
from advisor.recommend.bill import bill_of, meets
from advisor.recommend.candidates import allowed, priced, refuse_contradictions
from advisor.recommend.contested import disputes
from advisor.recommend.counsel import counsel_of
from advisor.recommend.crossovers import crossovers
from advisor.recommend.engines import accepts_volatile, competition, kinds_of
from advisor.recommend.evidence import evidence_of
from advisor.recommend.leaders import Leader, leaders, twins_of
from advisor.recommend.options import shortfall
from advisor.recommend.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.recommend.engines import Competition
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option

#: Characters of an answer's id.
ID_LENGTH = 12


def recommend(request: Request, ground: Ground, *, is_pruned: bool = True) -> Recommendation:
    """Return the answer to ``request``.

    ``is_pruned`` False looks at the whole space and answers the same.

    Raises NoCandidateError when nothing fits, PricingError when nothing is priced, UsageError for a
    contradiction that only the data can show.
    """
    rivals = competition(request, ground.parameters)
    refuse_contradictions(request, ground, rivals)
    kept, rejected = allowed(request, ground)
    entries, unpriced = priced(kept, request, ground, rivals)
    space = Space(request, ground._replace(entries=entries), rivals, is_pruned=is_pruned)
    rows = leaders(space, request)
    if not rows:
        raise _nothing_fits(space, request)
    pick = rows[0].option
    shown = rows[: request.top]
    kinds = kinds_beside(space, pick)
    ranking = tuple(
        _ranked(leader, (index + 1, _role(leader, index, pick, kinds)), request, ground, space)
        for index, leader in enumerate(shown)
    )
    alternatives = _alternatives(kinds, shown, request, ground, space)
    candidates = (row.candidate for row in (*ranking, *alternatives))
    return Recommendation(
        id=_id(request, ground),
        request=request,
        ranking=ranking,
        alternatives=alternatives,
        knee=knee_of(space, pick, request.workload.availability),
        contested=disputes(candidates, request.workload, ground.advice),
        crossovers=crossovers(rows, kinds, request, ground),
        unpriced=unpriced,
        rejected=rejected,
        considered=space.size,
        notes=(
            *_notes(request, ground, rivals, unpriced),
            *small_gp2(pick, request.workload, ground),
        ),
        data_version=ground.data_version,
        price_source=ground.market.source,
        price_as_of=min(line.price.as_of for line in ranking[0].cost.lines),
        model_version=MODEL_VERSION,
        price_notes=ground.market.notes,
    )


def _role(leader: Leader, index: int, pick: Option, kinds: tuple[tuple[str, Option], ...]) -> str:
    """Return what a row of the ranking is to the user."""
    if index == 0:
        return "pick"
    for role, option in kinds:
        if option is leader.option:
            return role
    return "tie" if any(other is pick for other in leader.tied_with) else "alternative"


def _ranked(
    leader: Leader, place: tuple[int, str], request: Request, ground: Ground, space: Space
) -> Ranked:
    """Return a leader explained; ``place`` is its rank and role."""
    option, availability = leader.option, request.workload.availability
    candidate = option.candidate(availability)
    evidence = evidence_of(option, request.workload, ground)
    cost, unpriced = bill_of(option, candidate, request.workload, ground)
    if cost is None:
        raise PricingError(f"{unpriced} has no price on {candidate.platform}")
    return Ranked(
        rank=place[0],
        candidate=candidate,
        prediction=predict(option.settled, option.point, request.workload, ground.parameters),
        cost=cost,
        score=option.score,
        role=place[1],
        meets_target=meets(option, request.workload),
        probability_best=leader.probability_best,
        expected_regret=leader.expected_regret,
        tied_with=tuple(other.candidate(availability).config for other in leader.tied_with),
        folded=tuple(other.candidate(availability).config for other in twins_of(space, option)),
        caveats=caveats(option, request.workload, ground),
        evidence=evidence,
        counsel=counsel_of(option, candidate, request.workload, evidence, ground),
    )


def _alternatives(
    kinds: tuple[tuple[str, Option], ...],
    shown: Sequence[Leader],
    request: Request,
    ground: Ground,
    space: Space,
) -> tuple[Ranked, ...]:
    """Return the best of each kind.

    One that the ranking shows already, or another kind, is not repeated.
    """
    seen = [leader.option for leader in shown]
    found: list[Ranked] = []
    for role, option in kinds:
        if all(option is not other for other in seen):
            seen.append(option)
            lone = Leader(option=option, probability_best=None, expected_regret=None, tied_with=())
            found.append(_ranked(lone, (len(seen), role), request, ground, space))
    return tuple(found)


def _notes(
    request: Request, ground: Ground, rivals: Competition, unpriced: tuple[Unpriced, ...]
) -> tuple[str, ...]:
    notes = []
    if rivals.alike:
        notes.append(
            f"{', '.join(rivals.alike)} cannot be told from the shown engine here: their measured "
            "CPU costs differ by noise"
        )
    reasons: dict[str, int] = {}
    for item in unpriced:
        reasons[item.reason] = reasons.get(item.reason, 0) + 1
    notes += [
        f"{number} instance type{'s' if number > 1 else ''}: {reason}, not ranked"
        for reason, number in sorted(reasons.items())
    ]
    for platform in rivals.demands:
        asked = kinds_of(platform, request.workload, request.constraints)
        missing = [
            kind.value
            for kind in asked
            if kind is not StorageType.NVME and (platform, kind) not in ground.market.tariffs
        ]
        if missing:
            where = f"on {platform} in {request.region}"
            notes.append(f"no price for {', '.join(missing)} {where}: not ranked")
    if Platform.EC2 in rivals.demands and not accepts_volatile(
        request.workload, request.constraints
    ):
        notes.append("local NVMe is left out: it needs --allow-ephemeral or replicas")
    if request.workload.availability is not Availability.SINGLE:
        notes.append("traffic between availability zones is not in the cost")
    if any(platform.is_managed for platform in rivals.demands):
        notes.append(
            "RDS for MariaDB and Aurora Serverless v2 are left out: no bundled prices or runs "
            "that carry a prediction"
        )
    return tuple(notes)


def _nothing_fits(space: Space, request: Request) -> NoCandidateError:
    """Return the error that names the nearest miss and what to relax."""
    workload, budget = request.workload, request.constraints.budget_usd_per_month
    everything = list(space.all_options())
    if not everything and budget is None:
        return NoCandidateError(
            f"no storage of {workload.volume_gib:,} GiB fits on any of the "
            f"{len(space.bounds)} instance types",
            relax=("lower --data-size", *_loosen(request)),
        )
    if not everything:
        cheapest = min(space.bounds, key=lambda bound: bound.instance_usd)
        return NoCandidateError(
            f"nothing costs at most ${budget} a month",
            nearest=f"{cheapest.entry.instance.name} alone costs "
            f"${cheapest.instance_usd:,.2f} a month",
            relax=("raise --budget", "lower --data-size", *_loosen(request)),
        )
    nearest = min(everything, key=lambda option: (option.shortfall, option.order))
    reached = [f"{nearest.rate:,.0f} transactions/s"]
    relax: list[str] = []
    if workload.target_tps is not None:
        kept = f", {workload.headroom_ratio:.0%} of it kept free" if workload.headroom_ratio else ""
        reached[0] += f"{kept}, of {workload.target_tps:,.0f} asked"
        alone = replace(workload, max_p95_ms=None)
        if shortfall(alone, nearest.settled, nearest.point) > 0.0:
            relax += ["lower the target", "lower --headroom"]
            if nearest.point.limit is None:
                relax.append("raise --threads")
    if workload.max_p95_ms is not None:
        reached.append(f"p95 {nearest.p95_ms:,.3g} ms of {workload.max_p95_ms:,.3g}")
        if nearest.p95_ms > workload.max_p95_ms:
            relax.append("raise --max-p95-ms")
    is_synced = limiting_station(nearest.settled, nearest.point) is Station.COMMIT
    if is_synced and workload.durability is Durability.FULL:
        relax.append("accept --durability relaxed, which can lose the last second")
    if budget is not None:
        relax.append("raise --budget")
    return NoCandidateError(
        "no candidate meets what was asked",
        nearest=f"{nearest.candidate(workload.availability).config} reaches {', '.join(reached)}, "
        f"limited by {_limit(nearest)}",
        relax=(*relax, *_loosen(request)),
    )


def _loosen(request: Request) -> tuple[str, ...]:
    """Return the constraints that were set, as flags to drop."""
    wanted = request.constraints
    flags = (
        ("--family", bool(wanted.families)),
        ("--arch", bool(wanted.architectures)),
        ("--storage", bool(wanted.storage_types)),
        ("--max-vcpu", wanted.max_vcpu is not None),
        ("--max-memory", wanted.max_memory_gib is not None),
    )
    return tuple(f"drop {flag}" for flag, is_set in flags if is_set)


def _limit(option: Option) -> str:
    """Return what keeps an option from more, in words."""
    instance = option.entry.instance
    station = limiting_station(option.settled, option.point)
    if station is Station.INSTANCE_EBS:
        return (
            f"the instance's EBS link ({instance.ebs_baseline_iops:,.0f} IOPS, "
            f"{instance.ebs_baseline_mib_per_s:,.0f} MiB/s sustained)"
        )
    is_full = option.point.limit is not None or station is Station.CPU
    return str(station) if is_full else f"{station} latency"


def _id(request: Request, ground: Ground) -> str:
    """Return the hash of everything that the answer depends on."""
    text = "\n".join(
        (repr(request.identity), ground.data_version, ground.market.source, MODEL_VERSION)
    )
    return sha256(text.encode()).hexdigest()[:ID_LENGTH]
