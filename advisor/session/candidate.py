"""A CONFIG as a candidate of the model: the one place where stated configurations meet it.

``predict``, ``compare`` and ``recommend --current`` build on these functions alone, and these on
the same public functions as the ranking, so that a CONFIG fed back gives the numbers it was printed
with.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.assessment import Assessment
from advisor.domain.candidate import Candidate
from advisor.domain.recommendation import Constraints
from advisor.domain.stated_storage import completed
from advisor.domain.vocabulary import Availability, Dialect, Payment, StorageType, Term
from advisor.domain.workload import Assumption
from advisor.errors import NoCandidateError, UsageError
from advisor.prediction import MODEL_VERSION
from advisor.prediction.answer import predict
from advisor.prediction.demand import demand_of
from advisor.prediction.performance import operating_point, part_of, settle
from advisor.prediction.uncertainty import factors_of
from advisor.prediction.volume import limits_of
from advisor.recommend.advice import caveats, room_short
from advisor.recommend.bill import bill_of, meets
from advisor.recommend.contested import disputes
from advisor.recommend.counsel import counsel_of
from advisor.recommend.engines import era_wait_ms
from advisor.recommend.evidence import evidence_of
from advisor.recommend.options import (
    Option,
    aurora_gib,
    limits_at,
    shortfall,
)
from advisor.recommend.storage_grid import (
    aurora_storage,
    gp2_volume,
    local_disks,
    volume,
)
from advisor.session.recommend import gather, prices, subjects_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.domain.config import Config
    from advisor.domain.cost import Cost
    from advisor.domain.instance import InstanceType
    from advisor.domain.prediction import Prediction
    from advisor.domain.quote import Subject
    from advisor.domain.recommendation import Request
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.uncertainty import Factor
    from advisor.recommend.ground import Ground
    from advisor.session.sources import Sources

#: What an option that nobody ranks scores and, unpriced, costs: nothing may read either.
_UNRANKED = float("nan")
_NO_AMOUNT = Decimal("NaN")


class Resolved(NamedTuple):
    """A CONFIG found in the catalogue."""

    config: Config
    """With every figure of its volume."""
    candidate: Candidate
    entry: SpaceEntry
    workload: Workload
    """With the availability of the configuration."""
    assumed: tuple[Assumption, ...]
    """Decisions about the configuration and its availability."""


class Performance(NamedTuple):
    """What a configuration does at one number of threads."""

    prediction: Prediction
    factors: tuple[Factor, ...]
    """Its bounds with their errors, for paired draws."""


def ground_of(config: Config, request: Request, sources: Sources) -> Ground:
    """Return what predictions of ``config`` stand on; raises KnowledgeError."""
    return grounds_of((config,), request, sources)[0]


def grounds_of(configs: Sequence[Config], request: Request, sources: Sources) -> tuple[Ground, ...]:
    """Return what each of ``configs`` stands on; raises KnowledgeError.

    They share one, but that RDS sells its Multi-AZ deployments at prices of their own.
    """
    known = {
        is_multi_az: gather(_asked(configs, request, is_multi_az=is_multi_az), sources)
        for is_multi_az in {config.is_multi_az for config in configs}
    }
    return tuple(known[config.is_multi_az] for config in configs)


def repriced(
    configs: Sequence[Config], grounds: Sequence[Ground], request: Request, sources: Sources
) -> tuple[Ground, ...]:
    """Return the grounds of ``configs`` with the prices of another term or payment."""
    known = {
        is_multi_az: prices(_asked(configs, request, is_multi_az=is_multi_az), sources)
        for is_multi_az in {config.is_multi_az for config in configs}
    }
    return tuple(
        ground._replace(market=known[config.is_multi_az])
        for config, ground in zip(configs, grounds, strict=True)
    )


def needed_by(configs: Sequence[Config], request: Request) -> tuple[Subject, ...]:
    """Return the prices that ``configs`` use under the term of ``request``."""
    return subjects_of({config.platform for config in configs}, request.term)


def _asked(configs: Sequence[Config], request: Request, *, is_multi_az: bool) -> Request:
    """Return the request whose ground holds all of ``configs``, in one deployment of RDS."""
    availability = Availability.MULTI_AZ if is_multi_az else Availability.SINGLE
    dialects = {config.engine.dialect for config in configs}
    return replace(
        request,
        workload=replace(request.workload, availability=availability),
        constraints=Constraints(
            families=tuple(sorted({_family(config) for config in configs})),
            platforms=tuple(sorted({config.platform for config in configs})),
            dialect=dialects.pop() if len(dialects) == 1 else Dialect.ANY,
        ),
    )


def under(request: Request, term: Term) -> Request:
    """Return ``request`` with another purchase term; only reserved nodes are paid upfront."""
    payment = Payment.NONE if term is Term.ON_DEMAND else request.payment
    return replace(request, term=term, payment=payment)


def resolve(config: Config, workload: Workload, ground: Ground) -> Resolved:
    """Return ``config`` as a candidate under ``workload``.

    Raises UsageError for figures its volume cannot have or nodes that contradict the workload,
    NoCandidateError for an instance whose performance nothing tells.
    """
    workload, assumed = _available(config, workload)
    entry = _entry(config, ground)
    steps = ground.volume_limits.get((config.platform, config.storage_type))
    if steps is not None:
        size = config.size_gib or -(-workload.volume_gib // config.count)
        config, decided = completed(config, workload, limits_at(steps, size))
        assumed = (*assumed, *decided)
    candidate = Candidate(
        platform=config.platform,
        engine=config.engine,
        instance=entry.instance,
        storage=_storage(config, entry.instance, workload, ground),
        nodes=config.nodes,
        is_multi_az=config.is_multi_az,
    )
    return Resolved(config, candidate, entry, workload, assumed)


def perform(found: Resolved, ground: Ground, threads: int | None = None) -> Performance:
    """Return what a configuration does, at other ``threads`` than the workload's where given."""
    workload = found.workload if threads is None else replace(found.workload, threads=threads)
    option = _option(found, workload, ground)
    return Performance(
        prediction=predict(option.settled, option.point, workload, ground.parameters),
        factors=factors_of(option.settled, option.point),
    )


def cost_under(found: Resolved, ground: Ground) -> tuple[Cost | None, str | None]:
    """Return (cost, None), or (None, what has no price) under the ground's region and term."""
    option = _option(found, found.workload, ground)
    return bill_of(option, found.candidate, found.workload, ground)


def assess(config: Config, request: Request, ground: Ground) -> Assessment:
    """Return what ``config`` does under the workload of ``request``, its cost and its reasons."""
    found = resolve(config, request.workload, ground)
    workload = found.workload
    option = _option(found, workload, ground)
    cost, lacking = bill_of(option, found.candidate, workload, ground)
    evidence = evidence_of(option, workload, ground)
    return Assessment(
        request=replace(request, workload=workload),
        config=found.config,
        candidate=found.candidate,
        prediction=predict(option.settled, option.point, workload, ground.parameters),
        cost=cost,
        unpriced=lacking and f"{lacking} has no {request.term} price in {request.region}",
        meets_target=meets(option, workload),
        caveats=tuple(_caveats(found, option, ground)),
        contested=disputes((found.candidate,), workload, ground.advice),
        evidence=evidence,
        counsel=counsel_of(option, found.candidate, workload, evidence, ground),
        assumed=_assumed(request, found),
        data_version=ground.data_version,
        price_source=ground.market.source,
        model_version=MODEL_VERSION,
        price_notes=ground.market.notes,
    )


def instances(ground: Ground) -> tuple[InstanceType, ...]:
    """Return the instance types whose performance is known."""
    return tuple(entry.instance for entry in ground.entries)


def _option(found: Resolved, workload: Workload, ground: Ground) -> Option:
    """Return the configuration as the ranking would see it, neither scored nor costed."""
    candidate, parameters = found.candidate, ground.parameters
    engine = candidate.engine
    demand = demand_of(workload, candidate.platform, engine, parameters)
    waited_ms = era_wait_ms(parameters, candidate.instance.family, engine)
    part = part_of(found.entry, workload, demand, waited_ms)
    settled = settle(part, parameters.volume(candidate.storage.type))
    point = operating_point(settled, limits_of(candidate.storage, candidate.instance, parameters))
    return Option(
        entry=found.entry,
        engine=engine,
        nodes=candidate.nodes,
        settled=settled,
        point=point,
        usd_per_month=_NO_AMOUNT,
        score=_UNRANKED,
        shortfall=shortfall(workload, settled, point),
    )


def _family(config: Config) -> str:
    return config.instance_type.removeprefix("db.").partition(".")[0]


def _entry(config: Config, ground: Ground) -> SpaceEntry:
    """Return the catalogue's entry of the configuration's instance."""
    for entry in ground.entries:
        if (entry.platform, entry.instance.name) == (config.platform, config.instance_type):
            return entry
    family = _family(config)
    known = [item.name for item in instances(ground) if item.family == family]
    raise NoCandidateError(
        f"nothing tells what {config.instance_type} does: no database run, no CPU score, or no "
        "complete specification is bundled",
        hint=f"of its family {', '.join(known[:4])} are known"
        if known
        else f"see what is known: advisor data show {config.instance_type}",
    )


def _storage(
    config: Config, instance: InstanceType, workload: Workload, ground: Ground
) -> StorageSpec:
    kind, size = config.storage_type, config.size_gib
    if kind.is_aurora:
        return aurora_storage(kind, aurora_gib(workload))
    if size is None:  # the local disks come with the instance
        disks = local_disks(instance)
        if disks is None:
            has_disks = instance.local_disks is not None
            lacking = "no published IOPS of its local disks" if has_disks else "no local disks"
            raise UsageError(
                f"CONFIG {config}: {instance.name} has {lacking}",
                hint="name an EBS volume instead, such as gp3:200GiB",
            )
        return disks
    if kind is StorageType.GP2:
        return gp2_volume(size, config.count)
    iops, throughput = config.iops or 0, config.throughput_mib_per_s
    if throughput is None:
        steps = ground.volume_limits[config.platform, kind]
        throughput = limits_at(steps, size).most_throughput(iops)
    return volume(kind, size, iops, throughput, config.count)


def _available(config: Config, workload: Workload) -> tuple[Workload, tuple[Assumption, ...]]:
    """Return the workload with the availability of the configuration; a contradiction raises."""
    implied = config.availability
    if "availability" not in {each.name for each in workload.assumed}:
        if workload.availability is not implied:
            raise UsageError(
                f"CONFIG {config} is {implied}, --availability asks for {workload.availability}",
                hint="leave out --availability, or give the CONFIG as many nodes: /x3",
            )
        return workload, ()
    nodes = "one node" if config.nodes == 1 else f"{config.nodes} nodes"
    reason = f"the configuration has {nodes}"
    return replace(workload, availability=implied), (
        Assumption(name="availability", value=implied.value, reason=reason),
    )


def _caveats(found: Resolved, option: Option, ground: Ground) -> Iterator[str]:
    """Yield that the storage is too small, then what is said of every candidate."""
    misfit = room_short(found.candidate.storage, found.workload)
    if misfit is not None:
        yield misfit
    yield from caveats(option, found.workload, ground)


def _assumed(request: Request, found: Resolved) -> tuple[Assumption, ...]:
    """Return the assumptions in force: those of the workload that the CONFIG did not decide."""
    replaced = {"availability", "volume-size"}
    if request.workload.target_tps is None:
        replaced.add("headroom")
    kept = [each for each in request.workload.assumed if each.name not in replaced]
    return (*kept, *found.assumed, *request.assumed)
