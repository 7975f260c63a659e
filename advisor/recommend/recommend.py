"""One answer: from a request and the ground it stands on to a ``Recommendation``."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from advisor.domain.recommendation import (
    Ranked,
    Recommendation,
    Request,
    Unpriced,
)
from advisor.domain.vocabulary import EBS_TYPES, Station
from advisor.errors import NoCandidateError
from advisor.prediction import MODEL_VERSION
from advisor.prediction.answer import predict
from advisor.recommend.advice import caveats, settings_of, small_gp2
from advisor.recommend.alternatives import kinds_beside, knee_of
from advisor.recommend.candidates import allowed, priced, refuse_contradictions
from advisor.recommend.cost import cost_of
from advisor.recommend.engines import competing
from advisor.recommend.evidence import evidence_of
from advisor.recommend.leaders import Leader, leaders, twins_of
from advisor.recommend.options import Option, accepts_volatile
from advisor.recommend.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.recommend.ground import Ground

#: Characters of an answer's id.
ID_LENGTH = 12


def recommend(request: Request, ground: Ground, *, is_pruned: bool = True) -> Recommendation:
    """Return the answer to ``request``.

    ``is_pruned`` False looks at the whole space and answers the same.

    Raises NoCandidateError when nothing fits, PricingError when nothing is priced, UsageError for a
    contradiction that only the data can show.
    """
    refuse_contradictions(request, ground)
    kept, rejected = allowed(request, ground)
    entries, unpriced = priced(kept, request, ground)
    demands, alike = competing(request.workload, request.constraints, ground.parameters)
    space = Space(request, ground._replace(entries=entries), demands, is_pruned=is_pruned)
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
    return Recommendation(
        id=_id(request, ground),
        request=request,
        ranking=ranking,
        alternatives=_alternatives(kinds, shown, request, ground, space),
        knee=knee_of(space, pick, request.workload.nodes),
        unpriced=unpriced,
        rejected=rejected,
        considered=space.size,
        notes=(
            *_notes(request, ground, alike, unpriced),
            *small_gp2(pick, request.workload, ground),
        ),
        data_version=ground.data_version,
        price_source=ground.market.source,
        price_as_of=min(line.price.as_of for line in ranking[0].cost.lines),
        model_version=MODEL_VERSION,
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
    option, nodes = leader.option, request.workload.nodes
    candidate = option.candidate(nodes)
    return Ranked(
        rank=place[0],
        candidate=candidate,
        prediction=predict(option.settled, option.point, request.workload, ground.parameters),
        cost=cost_of(
            candidate,
            ground.market.instance_prices[option.entry.instance.name],
            ground.market.volume_tariffs.get(option.storage.type),
            ground.volume_limits.get(option.storage.type),
        ),
        score=option.score,
        role=place[1],
        meets_target=_meets(option, request),
        probability_best=leader.probability_best,
        tied_with=tuple(other.candidate(nodes).config for other in leader.tied_with),
        folded=tuple(other.candidate(nodes).config for other in twins_of(space, option)),
        caveats=caveats(option, request.workload, ground.parameters),
        evidence=evidence_of(option, request.workload, ground),
        settings=settings_of(option, request.workload),
    )


def _meets(option: Option, request: Request) -> bool | None:
    workload = request.workload
    if workload.target_tps is None and workload.max_p95_ms is None:
        return None
    return option.shortfall <= 0.0


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
            lone = Leader(option=option, probability_best=None, tied_with=())
            found.append(_ranked(lone, (len(seen), role), request, ground, space))
    return tuple(found)


def _notes(
    request: Request, ground: Ground, alike: tuple[str, ...], unpriced: tuple[Unpriced, ...]
) -> tuple[str, ...]:
    notes = []
    if alike:
        notes.append(
            f"{', '.join(alike)} cannot be told from the shown engine here: their measured CPU "
            "costs differ by noise"
        )
    if unpriced:
        notes.append(
            f"{len(unpriced)} instance types have no {request.term} price in {request.region} and "
            "are not ranked"
        )
    missing = [kind.value for kind in EBS_TYPES if kind not in ground.market.volume_tariffs]
    if missing:
        notes.append(f"no price for {', '.join(missing)} in {request.region}: not ranked")
    if not accepts_volatile(request):
        notes.append("local NVMe is left out: it needs --allow-ephemeral or replicas")
    if request.workload.nodes > 1:
        notes.append("traffic between availability zones is not in the cost")
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
        reached[0] += f" of {workload.target_tps:,.0f} with {workload.headroom_ratio:.0%} headroom"
        relax += ["lower the target", "lower --headroom", "raise --threads"]
    if workload.max_p95_ms is not None:
        reached.append(f"p95 {nearest.p95_ms:,.3g} ms of {workload.max_p95_ms:,.3g}")
        relax.append("raise --max-p95-ms")
    if budget is not None:
        relax.append("raise --budget")
    return NoCandidateError(
        "no candidate meets what was asked",
        nearest=f"{nearest.candidate(workload.nodes).config} reaches {', '.join(reached)}, "
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
    if option.point.limit is Station.INSTANCE_EBS:
        return (
            f"the instance's EBS link ({instance.ebs_baseline_iops:,.0f} IOPS, "
            f"{instance.ebs_baseline_mib_per_s:,.0f} MiB/s sustained)"
        )
    return str(option.point.limit or Station.CPU)


def _id(request: Request, ground: Ground) -> str:
    """Return the hash of everything that the answer depends on."""
    text = "\n".join(
        (repr(request.identity), ground.data_version, ground.market.source, MODEL_VERSION)
    )
    return sha256(text.encode()).hexdigest()[:ID_LENGTH]
