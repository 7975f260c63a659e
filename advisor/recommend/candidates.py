"""Which instance types are candidates: asked for, measured or related, priced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.recommendation import Rejection, Unpriced
from advisor.domain.vocabulary import StorageType
from advisor.errors import NoCandidateError, PricingError, UsageError
from advisor.recommend.options import accepts_volatile, storage_types

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.recommendation import Request
    from advisor.prediction.curve import SpaceEntry
    from advisor.recommend.ground import Ground

#: The smallest measured types have 2 vCPU and 4 GiB; below that a family must be named.
LEAST_VCPU, LEAST_MEMORY_GIB = 2, 4.0


def refuse_contradictions(request: Request, ground: Ground) -> None:
    """Raise what makes any answer impossible, before candidates are looked at."""
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


def priced(
    entries: Iterable[SpaceEntry], request: Request, ground: Ground
) -> tuple[tuple[SpaceEntry, ...], tuple[Unpriced, ...]]:
    """Return the entries with a price under the term, and those without: they are never ranked."""
    prices = ground.market.instance_prices
    found, unpriced = [], []
    for entry in entries:
        if entry.instance.name in prices:
            found.append(entry)
        else:
            unpriced.append(
                Unpriced(
                    instance_type=entry.instance.name,
                    reason=f"no {request.term} price in {request.region}",
                )
            )
    if not found:
        raise PricingError(
            f"none of the {len(unpriced)} instance types that fit has a {request.term} price in "
            f"{request.region}",
            hint="try --term on-demand or another --region",
        )
    return tuple(found), tuple(unpriced)
