"""Which instance types are candidates: asked for, measured or related, priced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.recommendation import Rejection, Unpriced
from advisor.domain.vocabulary import ENGINES_ON, STORAGE_ON, Payment, Platform, StorageType
from advisor.errors import NoCandidateError, PricingError, UsageError
from advisor.recommend.engines import accepts_volatile, kinds_of
from advisor.recommend.storage_grid import most_gib

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.recommendation import Constraints, Request
    from advisor.prediction.curve import SpaceEntry
    from advisor.recommend.engines import Competition
    from advisor.recommend.ground import Ground

#: The smallest measured types have 2 vCPU and 4 GiB; below that a family must be named.
LEAST_VCPU, LEAST_MEMORY_GIB = 2, 4.0
_NAMES = {Platform.EC2: "EC2", Platform.RDS: "RDS", Platform.AURORA: "Aurora"}
#: Which regions have a price of a platform's storage.
_REGIONS = {
    Platform.EC2: "SELECT DISTINCT region FROM volume_prices",
    Platform.RDS: "SELECT DISTINCT region FROM rds_storage_prices WHERE engine <> 'aurora'",
    Platform.AURORA: "SELECT DISTINCT region FROM rds_storage_prices WHERE engine = 'aurora'",
}


def refuse_contradictions(request: Request, ground: Ground, rivals: Competition) -> None:
    """Raise what makes any answer impossible, before candidates are looked at."""
    workload, wanted = request.workload, request.constraints
    asked = wanted.storage_types
    if asked == (StorageType.NVME,) and not accepts_volatile(workload, wanted):
        raise UsageError(
            "local NVMe loses its data when the instance stops",
            hint="accept that with --allow-ephemeral, or keep copies with --availability multi-az",
        )
    if not rivals.demands:
        raise UsageError(
            f"no platform runs {_named(wanted)} with --availability {workload.availability}",
            hint="drop --engine, --platform or --dialect, or ask for another --availability",
        )
    if any(stored_kinds(platform, request, ground) for platform in rivals.demands):
        return
    size = workload.volume_gib
    sold = [
        most_gib(ground.volume_limits, platform, kind)
        for platform in rivals.demands
        for kind in kinds_of(platform, workload, request.constraints)
        if kind is not StorageType.NVME
    ]
    largest = max(sold, default=size)
    if size > largest:
        raise UsageError(
            f"the data need {size:,} GiB; the largest storage holds {largest:,} GiB",
            hint="lower --data-size, or shard the data",
        )
    if sold:
        raise _unpriced_storage(request, ground, rivals)
    kinds = ", ".join(asked) or "fitting"
    raise NoCandidateError(
        f"no {kinds} storage can hold {size:,} GiB with a known price in {request.region}",
        relax=("allow other storage types: drop --storage",),
    )


def _unpriced_storage(request: Request, ground: Ground, rivals: Competition) -> PricingError:
    """Return the error that names the missing price, and what has one."""
    wanted, priced_on = request.constraints, {platform for platform, _ in ground.market.tariffs}
    here = [platform for platform in Platform if platform in rivals.demands]
    what = " or ".join(_NAMES[each] for each in here)
    kinds = f"{' or '.join(wanted.storage_types)} as {what}" if wanted.storage_types else what
    others = [
        platform
        for platform in Platform
        if platform in priced_on and platform not in here and _runs(platform, wanted)
    ]
    ways = ["drop --storage"] if priced_on & set(here) else []
    ways += [f"--platform {platform} has prices there" for platform in others]
    return PricingError(
        f"no price of {kinds} storage is bundled for {request.region}",
        hint="; ".join((*ways, f"regions that have one: advisor data query {_REGIONS[here[0]]!r}")),
    )


def _runs(platform: Platform, wanted: Constraints) -> bool:
    """Whether a platform has one of the engines, and of the storage types, asked for."""
    engines, kinds = wanted.engines or ENGINES_ON[platform], wanted.storage_types
    return any(engine in ENGINES_ON[platform] for engine in engines) and any(
        kind in STORAGE_ON[platform] for kind in kinds or STORAGE_ON[platform]
    )


def _named(wanted: Constraints) -> str:
    """Return the engines, platforms or dialect that were asked for, in words."""
    words = [*wanted.engines, *wanted.platforms] or [wanted.dialect]
    return " and ".join(words)


def stored_kinds(platform: Platform, request: Request, ground: Ground) -> tuple[StorageType, ...]:
    """Return the storage types of a platform that hold the data and have a price."""
    size = request.workload.volume_gib
    return tuple(
        kind
        for kind in kinds_of(platform, request.workload, request.constraints)
        if kind is StorageType.NVME
        or (
            (platform, kind) in ground.market.tariffs
            and most_gib(ground.volume_limits, platform, kind) >= size
        )
    )


def allowed(
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
        other = _other_architecture(request, ground)
        raise NoCandidateError(
            other or "no instance type meets the constraints",
            nearest=f"removed by {reasons}" if reasons else None,
            relax=(
                "drop --arch, or name another --family"
                if other
                else "widen --family, --arch or the vCPU and memory limits",
            ),
        )
    excluded = ground.excluded if any(each.platform is Platform.EC2 for each in kept) else ()
    return tuple(kept), (*excluded, *removed)


def _other_architecture(request: Request, ground: Ground) -> str | None:
    """Return that the families asked for have other CPUs than asked for; None: some fit."""
    wanted = request.constraints
    if not wanted.architectures:
        return None
    found = {
        entry.instance.family: entry.instance.architecture
        for entry in ground.entries
        if entry.instance.family in wanted.families
    }
    if not found or any(each in wanted.architectures for each in found.values()):
        return None
    named = ", ".join(
        f"{family} is {found[family]}" for family in wanted.families if family in found
    )
    return f"no instance type is both: {named}, --arch asks for {', '.join(wanted.architectures)}"


def _reason(request: Request, entry: SpaceEntry) -> str | None:
    """Return the constraint that an instance type fails; None: it is a candidate."""
    wanted, instance = request.constraints, entry.instance
    checks = (
        (
            "smaller than anything measured",
            not wanted.families
            and (instance.vcpu < LEAST_VCPU or instance.memory_gib < LEAST_MEMORY_GIB),
        ),
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


def _lacking(request: Request) -> str:
    """Return what a refresh is to be asked for."""
    if request.term.is_savings:
        return "savings"
    return "reserved" if request.term.is_reserved else "ec2,rds,aurora"


def priced(
    entries: Iterable[SpaceEntry], request: Request, ground: Ground, rivals: Competition
) -> tuple[tuple[SpaceEntry, ...], tuple[Unpriced, ...]]:
    """Return the entries with a price under the term, and those without: they are never ranked."""
    found, unpriced = [], []
    bought = str(request.term)
    if request.payment is not Payment.NONE:
        bought += f" ({request.payment} upfront)"
    offered = {
        platform: [
            (engine, kind)
            for engine in rivals.demands[platform]
            for kind in kinds_of(platform, request.workload, request.constraints)
        ]
        for platform in rivals.demands
    }
    for entry in entries:
        platform, name = entry.platform, entry.instance.name
        if any(
            ground.market.is_priced(platform, engine, name, kind)
            for engine, kind in offered.get(platform, ())
        ):
            found.append(entry)
        elif platform in rivals.demands:
            reason = f"no {bought} price on {platform} in {request.region}"
            unpriced.append(Unpriced(instance_type=name, reason=reason))
    if not found:
        raise PricingError(
            f"none of the {len(unpriced)} instance types that fit has a {bought} price in "
            f"{request.region}",
            hint=f"advisor prices refresh --region {request.region} --what {_lacking(request)} "
            "fetches live ones; or try --term on-demand",
        )
    return tuple(found), tuple(unpriced)
