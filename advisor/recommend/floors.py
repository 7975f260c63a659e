"""The least that storage of a type can cost: a line that no option lies below."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import StorageType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.cost import VolumeTariff
    from advisor.domain.storage import VolumeLimits


class StorageFloor(NamedTuple):
    """Cost of all nodes' volumes a month: capacity, then a price per IOPS beyond the free ones."""

    usd: float
    free_iops: float
    usd_per_iops: float

    def at(self, iops: float) -> float:
        """Return the least that storage with ``iops`` costs, USD a month."""
        return self.usd + self.usd_per_iops * max(0.0, iops - self.free_iops)

    def most_iops(self, usd: float) -> float:
        """Return the most IOPS that storage can have for ``usd`` a month."""
        if usd < self.usd:
            return 0.0
        if self.usd_per_iops <= 0.0:
            return inf
        return self.free_iops + (usd - self.usd) / self.usd_per_iops


#: Local disks come with the instance.
NO_COST = StorageFloor(usd=0.0, free_iops=0.0, usd_per_iops=0.0)


def floor_of(
    tariff: VolumeTariff, steps: Sequence[VolumeLimits], size_gib: int, nodes: int, copies: int
) -> StorageFloor:
    """Return the floor of a volume type at a size: the cheapest tier of IOPS, no throughput.

    ``copies`` is the most volumes that may share the load; each has its own free IOPS.
    """
    per_gib = float(tariff.capacity.usd)
    fitting = [limits for limits in steps if size_gib <= limits.max_gib]
    size = min(max(size_gib, limits.min_gib) for limits in fitting)
    if fitting[0].type is StorageType.GP2:
        free = max(fitting[0].iops_per_gib * size, float(copies * fitting[0].min_iops))
        per_iops = per_gib / fitting[0].iops_per_gib
    else:
        per_iops = min((float(tier.price.usd) for tier in tariff.iops), default=0.0)
        free = 0.0
        if fitting[0].type is StorageType.GP3:
            free = float(copies * max(limits.min_iops for limits in fitting))
    return StorageFloor(usd=per_gib * size * nodes, free_iops=free, usd_per_iops=per_iops * nodes)


def aurora_floor(tariff: VolumeTariff, size_gib: int) -> StorageFloor:
    """Return the floor of Aurora storage: capacity, requests left out."""
    return StorageFloor(usd=float(tariff.capacity.usd) * size_gib, free_iops=0.0, usd_per_iops=0.0)


def undominated(floors: Iterable[StorageFloor]) -> tuple[StorageFloor, ...]:
    """Return the floors that are the lowest somewhere, as far as two of them can be compared."""
    kept: list[StorageFloor] = []
    for floor in sorted(floors):
        if not any(
            other.free_iops >= floor.free_iops and other.usd_per_iops <= floor.usd_per_iops
            for other in kept
        ):
            kept.append(floor)
    return tuple(kept)
