"""One answer: from a request and the ground it stands on to a ``Recommendation``."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from advisor.domain.candidate import Candidate
from advisor.domain.recommendation import (
    Knee,
    Ranked,
    Recommendation,
    Rejection,
    Request,
    Unpriced,
)
from advisor.domain.vocabulary import Platform, StorageType
from advisor.errors import NoCandidateError, PricingError, UsageError
from advisor.prediction import MODEL_VERSION
from advisor.prediction.answer import predict
from advisor.recommend.advice import caveats, settings_of
from advisor.recommend.cost import cost_of
from advisor.recommend.engines import competing
from advisor.recommend.evidence import evidence_of
from advisor.recommend.ground import Ground
from advisor.recommend.leaders import Leader, leaders
from advisor.recommend.options import Option, Space, accepts_volatile, storage_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.prediction.curve import SpaceEntry

#: A cheaper alternative saves at least a fifth; a faster one brings at least a quarter more.
CHEAPER_RATIO, FASTER_RATIO = 0.8, 1.25
#: Characters of an answer's id.
ID_LENGTH = 12


def recommend(request: Request, ground: Ground, *, is_pruned: bool = True) -> Recommendation:
    """Return the answer to ``request``.

    ``is_pruned`` False looks at the whole space and answers the same.

    Raises NoCandidateError when nothing fits, PricingError when nothing is priced, UsageError for a
    contradiction that only the data can show.
    """
    _refuse_contradictions(request, ground)
    kept, rejected = _filter(request, ground)
    priced, unpriced = _priced(kept, request, ground)
    demands, alike = competing(request.workload, request.constraints, ground.parameters)
    space = Space(request, _with(ground, priced), demands, is_pruned=is_pruned)
    rows = leaders(space, request)
    if not rows:
        raise _nothing_fits(space, request)
    pick = rows[0].option
    shown = rows[: request.top]
    kinds = _kinds(space, pick)
    ranking = tuple(
        _ranked(leader, index + 1, _role(leader, index, pick, kinds), request, ground)
        for index, leader in enumerate(shown)
    )
    return Recommendation(
        id=_id(request, ground),
        request=request,
        ranking=ranking,
        alternatives=_alternatives(kinds, shown, request, ground),
        knee=_knee(space, pick),
        unpriced=unpriced,
        rejected=rejected,
        considered=space.size,
        notes=_notes(request, ground, alike, unpriced),
        data_version=ground.data_version,
        price_source=ground.market.source,
        price_as_of=min(line.price.as_of for line in ranking[0].cost.lines),
        model_version=MODEL_VERSION,
    )


def _with(ground: Ground, entries: tuple[SpaceEntry, ...]) -> Ground:
    return Ground(
        entries=entries,
        excluded=ground.excluded,
        market=ground.market,
        volume_limits=ground.volume_limits,
        parameters=ground.parameters,
        sources=ground.sources,
        data_version=ground.data_version,
    )


def _refuse_contradictions(request: Request, ground: Ground) -> None:
    asked = request.constraints.storage_types
    if asked == (StorageType.NVME,) and not accepts_volatile(request):
        raise UsageError(
            "local NVMe loses its data when the instance stops",
            hint="accept that with --allow-ephemeral, or keep copies with --availability multi-az",
        )
    if storage_types(request, ground):
        return
    size = request.workload.volume_gib
    largest = max(limits.max_gib for limits in ground.volume_limits.values())
    if size > largest:
        raise UsageError(
            f"the data need a volume of {size:,} GiB; the largest EBS volume has {largest:,} GiB",
            hint="lower --data-size, or shard the data",
        )
    if not ground.market.volume_tariffs:
        raise PricingError(
            f"no EBS prices are bundled for {request.region}",
            hint="ask for a region that has them: advisor data query "
            "'SELECT DISTINCT region FROM volume_prices'",
        )
    names = ", ".join(asked)
    raise NoCandidateError(
        f"no {names} volume can hold {size:,} GiB with a known price in {request.region}",
        relax=("allow other storage types: drop --storage",),
    )


def _filter(
    request: Request, ground: Ground
) -> tuple[tuple[SpaceEntry, ...], tuple[Rejection, ...]]:
    """Return the entries that the constraints allow, and how many each constraint removed."""
    kept = []
    counts: dict[str, list[str]] = {}
    for entry in ground.entries:
        reason = _reason(request, entry)
        if reason is None:
            kept.append(entry)
        else:
            counts.setdefault(reason, []).append(entry.instance.name)
    removed = [
        Rejection(reason=reason, count=len(names), example=names[0])
        for reason, names in sorted(counts.items())
    ]
    if not kept:
        reasons = ", ".join(f"{item.reason} ({item.count})" for item in removed)
        raise NoCandidateError(
            "no instance type meets the constraints",
            nearest=f"removed by {reasons}" if reasons else None,
            relax=("widen --family, --arch or the vCPU and memory limits",),
        )
    return tuple(kept), (*ground.excluded, *removed)


def _reason(request: Request, entry: SpaceEntry) -> str | None:
    """Return the constraint that an instance type fails; None: it is a candidate."""
    wanted, instance = request.constraints, entry.instance
    checks = (
        ("other family", bool(wanted.families) and instance.family not in wanted.families),
        (
            "other architecture",
            bool(wanted.architectures) and instance.architecture not in wanted.architectures,
        ),
        ("fewer vCPU", wanted.min_vcpu is not None and instance.vcpu < wanted.min_vcpu),
        ("more vCPU", wanted.max_vcpu is not None and instance.vcpu > wanted.max_vcpu),
        (
            "less memory",
            wanted.min_memory_gib is not None and instance.memory_gib < wanted.min_memory_gib,
        ),
        (
            "more memory",
            wanted.max_memory_gib is not None and instance.memory_gib > wanted.max_memory_gib,
        ),
    )
    return next((reason for reason, fails in checks if fails), None)


def _priced(
    entries: Iterable[SpaceEntry], request: Request, ground: Ground
) -> tuple[tuple[SpaceEntry, ...], tuple[Unpriced, ...]]:
    """Return the entries with a price under the term, and those without: they are never ranked."""
    prices = ground.market.instance_prices
    priced, unpriced = [], []
    for entry in entries:
        if entry.instance.name in prices:
            priced.append(entry)
        else:
            unpriced.append(
                Unpriced(
                    instance_type=entry.instance.name,
                    reason=f"no {request.term} price in {request.region}",
                )
            )
    if not priced:
        raise PricingError(
            f"none of the {len(unpriced)} instance types that fit has a {request.term} price in "
            f"{request.region}",
            hint="try --term on-demand or another --region",
        )
    return tuple(priced), tuple(unpriced)


def _role(leader: Leader, index: int, pick: Option, kinds: tuple[tuple[str, Option], ...]) -> str:
    """Return what a row of the ranking is to the user."""
    if index == 0:
        return "pick"
    for role, option in kinds:
        if option is leader.option:
            return role
    return "tie" if any(other is pick for other in leader.tied_with) else "alternative"


def _ranked(leader: Leader, rank: int, role: str, request: Request, ground: Ground) -> Ranked:
    """Return a leader explained."""
    option = leader.option
    candidate = _candidate(option, request)
    return Ranked(
        rank=rank,
        candidate=candidate,
        prediction=predict(option.settled, option.point, request.workload, ground.parameters),
        cost=cost_of(
            candidate,
            ground.market.instance_prices[option.entry.instance.name],
            ground.market.volume_tariffs.get(option.storage.type),
            ground.volume_limits.get(option.storage.type),
        ),
        score=option.score,
        role=role,
        meets_target=_meets(option, request),
        probability_best=leader.probability_best,
        tied_with=tuple(_candidate(other, request).config for other in leader.tied_with),
        folded=tuple(_candidate(other, request).config for other in leader.folded),
        caveats=caveats(option, request.workload, ground.parameters),
        evidence=evidence_of(option, request.workload, ground),
        settings=settings_of(option, request.workload),
    )


def _candidate(option: Option, request: Request) -> Candidate:
    return Candidate(
        platform=Platform.EC2,
        engine=option.engine,
        instance=option.entry.instance,
        storage=option.storage,
        nodes=request.workload.nodes,
    )


def _meets(option: Option, request: Request) -> bool | None:
    workload = request.workload
    if workload.target_tps is None and workload.max_p95_ms is None:
        return None
    return option.shortfall <= 0.0


def _kinds(space: Space, pick: Option) -> tuple[tuple[str, Option], ...]:
    """Return the best option of each kind that differs from the pick: (role, option)."""
    usd = float(pick.usd_per_month)
    architecture = pick.entry.instance.architecture
    wanted: tuple[tuple[str, Callable[[Option], bool]], ...] = (
        ("cheaper", lambda option: float(option.usd_per_month) <= CHEAPER_RATIO * usd),
        ("faster", lambda option: option.rate >= FASTER_RATIO * pick.rate),
        (
            "other-architecture",
            lambda option: option.entry.instance.architecture is not architecture,
        ),
        ("other-storage", lambda option: option.storage.type is not pick.storage.type),
    )
    best = ((role, next(space.scan(is_wanted), None)) for role, is_wanted in wanted)
    return tuple((role, option) for role, option in best if option is not None)


def _alternatives(
    kinds: tuple[tuple[str, Option], ...], shown: Sequence[Leader], request: Request, ground: Ground
) -> tuple[Ranked, ...]:
    """Return the best of each kind.

    One that the ranking shows already, or another kind, is not repeated.
    """
    seen = [leader.option for leader in shown]
    found: list[Ranked] = []
    for role, option in kinds:
        if all(option is not other for other in seen):
            seen.append(option)
            lone = Leader(option=option, folded=(), probability_best=None, tied_with=())
            found.append(_ranked(lone, len(seen), role, request, ground))
    return tuple(found)


def _knee(space: Space, pick: Option) -> Knee:
    """Return the best throughput for half and for twice the money of the pick."""
    half = space.fastest(float(pick.usd_per_month) / 2.0)
    twice = space.fastest(float(pick.usd_per_month) * 2.0)
    return Knee(
        half_config=_config(half),
        half_usd_per_month=None if half is None else half.usd_per_month,
        half_throughput_ratio=None if half is None else half.rate / pick.rate,
        twice_config=_config(twice),
        twice_usd_per_month=None if twice is None else twice.usd_per_month,
        twice_throughput_ratio=None if twice is None else twice.rate / pick.rate,
    )


def _config(option: Option | None) -> str | None:
    if option is None:
        return None
    return "/".join(("ec2", option.engine, option.entry.instance.name, str(option.storage)))


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
    missing = [
        kind.value
        for kind in StorageType
        if kind is not StorageType.NVME and kind not in ground.market.volume_tariffs
    ]
    if missing:
        notes.append(f"no price for {', '.join(missing)} in {request.region}: not ranked")
    if not accepts_volatile(request):
        notes.append("local NVMe is left out: it needs --allow-ephemeral or replicas")
    if request.workload.nodes > 1:
        notes.append("traffic between availability zones is not in the cost")
    return tuple(notes)


def _nothing_fits(space: Space, request: Request) -> NoCandidateError:
    """Return the error that names the nearest miss and what to relax."""
    everything = list(space.all_options())
    if not everything:
        cheapest = min(space.bounds, key=lambda bound: bound.usd_per_month)
        return NoCandidateError(
            f"nothing costs at most ${request.constraints.budget_usd_per_month} a month",
            nearest=f"{cheapest.entry.instance.name} from ${cheapest.usd_per_month:,.2f} a month",
            relax=("raise --budget", "lower --data-size", "try --term reserved-1y"),
        )
    nearest = min(everything, key=lambda option: (option.shortfall, option.order))
    config = _candidate(nearest, request).config
    relax = ["raise --threads", "lower --headroom"] if request.workload.target_tps else []
    if request.workload.target_tps:
        relax.append("lower the target")
    if request.workload.max_p95_ms:
        relax.append("raise --max-p95-ms")
    if request.constraints.budget_usd_per_month is not None:
        relax.append("raise --budget")
    mean_ms = request.workload.threads / nearest.rate * 1000.0
    return NoCandidateError(
        "no candidate meets what was asked",
        nearest=f"{config}: {nearest.rate:,.0f} transactions/s, {mean_ms:.1f} ms mean, "
        f"{nearest.shortfall:.0%} short",
        relax=tuple(relax),
    )


def _id(request: Request, ground: Ground) -> str:
    """Return the hash of everything that the answer depends on."""
    prices = min((str(value) for value in (ground.market.source,)), default="")
    text = "\n".join((repr(request), ground.data_version, prices, MODEL_VERSION))
    return sha256(text.encode()).hexdigest()[:ID_LENGTH]
