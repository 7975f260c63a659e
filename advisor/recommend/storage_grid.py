"""The storage options worth pricing for an instance.

The grid of sizes and IOPS, plus the exact need.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.storage import StorageSpec, VolumeLimits
from advisor.domain.vocabulary import StorageType
from advisor.prediction.volume import GP2_MAX_IOPS, gp2_iops, gp2_throughput_mib_per_s

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from advisor.domain.instance import InstanceType
    from advisor.domain.vocabulary import Platform

#: IOPS steps of DESIGN.md section 5.
GRID_IOPS = (3_000, 6_000, 9_000, 12_000, 16_000, 24_000, 32_000, 64_000, 80_000)
#: An Aurora cluster volume holds 128 TiB (Aurora user guide, quotas and constraints).
AURORA_MOST_GIB = 131_072
#: IOPS and MiB/s are bought in such steps, so that a CONFIG reads well.
IOPS_STEP = 100
THROUGHPUT_STEP = 25


class Need(NamedTuple):
    """What a workload asks of storage on an instance."""

    iops: tuple[float, ...]
    """IOPS worth an option of their own; the largest is what unlimited storage would carry."""
    most_iops: float
    """The instance's sustained limit."""
    mib_per_io: float
    """MiB/s that go with one IOPS."""
    mib_per_s: float
    """MiB/s that unlimited storage would carry, headroom included."""


def options(
    steps: Sequence[VolumeLimits], size_gib: int, need: Need, copies: int = 1
) -> Iterator[StorageSpec]:
    """Yield the options of a volume type: the grid below the largest need, and every need itself.

    ``steps`` are the type's limits by rising size. Options beyond the largest need would cost more
    and give nothing, so they are not made. ``copies`` volumes share size and IOPS (RAID0).
    """
    for limits in steps:
        if size_gib > limits.max_gib:
            continue
        size = max(-(-size_gib // copies), limits.min_gib)
        wanted = [min(each, need.most_iops) / copies for each in need.iops]
        if limits.type is StorageType.GP2:
            yield from _gp2(size, limits, wanted, copies)
            continue
        yield from _provisioned(size, limits, wanted, (need, copies))


def _provisioned(
    size: int, limits: VolumeLimits, wanted: Sequence[float], shape: tuple[Need, int]
) -> Iterator[StorageSpec]:
    """Yield gp3, io1 or io2; ``shape`` is the need and the number of volumes that share it."""
    need, copies = shape
    most = limits.most_iops(size)
    exact = {min(most, max(limits.min_iops, stepped(each, IOPS_STEP))) for each in wanted}
    top = max(exact)
    grid = {min(most, max(step, limits.min_iops)) for step in GRID_IOPS if step < top}
    for iops in sorted(grid | exact):
        mib = min(iops * need.mib_per_io, need.mib_per_s / copies)
        throughput = _throughput(limits, iops, mib)
        yield volume(limits.type, size, iops, throughput, copies)


#: Volumes that are striped where one cannot carry the need.
RAID_COPIES = (2, 4)


def raid_copies(limits: VolumeLimits, need: Need, bare: Sequence[StorageSpec]) -> tuple[int, ...]:
    """Return the numbers of volumes worth striping: those where one volume is the limit."""
    most = max((float(spec.iops or 0) for spec in bare), default=0.0)
    wanted = min(max(need.iops), need.most_iops)
    is_short = most < wanted * (1.0 - 1e-9) and most >= min(limits.max_iops, GRID_IOPS[0])
    mib = wanted * need.mib_per_io
    if not is_short and mib <= limits.max_throughput_mib_per_s:
        return ()
    return RAID_COPIES


def stepped(value: float, step: int) -> int:
    """Return ``value`` rounded up to a multiple of ``step``."""
    return ceil(value / step) * step


def _throughput(limits: VolumeLimits, iops: int, mib_per_s: float) -> int:
    """Return the MiB/s of a volume with ``iops``: the need in steps (gp3), or what is given."""
    most = limits.most_throughput(iops)
    if limits.type is not StorageType.GP3:
        return most
    wanted = stepped(mib_per_s, THROUGHPUT_STEP)
    return min(most, max(wanted, limits.min_throughput_mib_per_s))


@lru_cache(maxsize=4096)
def volume(
    kind: StorageType, size_gib: int, iops: int, throughput_mib_per_s: int, count: int = 1
) -> StorageSpec:
    """Return a volume with IOPS and throughput, or several alike; equal ones are one value."""
    return StorageSpec(
        type=kind,
        size_gib=size_gib,
        iops=iops,
        throughput_mib_per_s=throughput_mib_per_s,
        count=count,
    )


def most_gib(
    limits: Mapping[tuple[Platform, StorageType], Sequence[VolumeLimits]],
    platform: Platform,
    kind: StorageType,
) -> int:
    """Return the size of the largest storage of a type."""
    if kind.is_aurora:
        return AURORA_MOST_GIB
    return max(step.max_gib for step in limits[platform, kind])


@lru_cache(maxsize=8)
def aurora_storage(kind: StorageType, size_gib: int) -> StorageSpec:
    """Return Aurora storage holding ``size_gib`` of data; it grows and shrinks by itself."""
    return StorageSpec(type=kind, size_gib=size_gib, iops=None, throughput_mib_per_s=None)


def gp2_volume(size_gib: int, count: int = 1) -> StorageSpec:
    """Return a gp2 volume: its size gives IOPS and throughput."""
    return volume(
        StorageType.GP2, size_gib, gp2_iops(size_gib), gp2_throughput_mib_per_s(size_gib), count
    )


def _gp2(
    size: int, limits: VolumeLimits, needs: Sequence[float], copies: int
) -> Iterator[StorageSpec]:
    """Yield gp2 at the asked size and enlarged for IOPS up to the largest need."""
    most = min(limits.max_iops, GP2_MAX_IOPS)
    exact = {int(min(most, max(limits.min_iops, stepped(need, IOPS_STEP)))) for need in needs}
    top = max(exact)
    sizes = {size}
    for iops in {step for step in GRID_IOPS if step < top} | exact:
        larger = ceil(iops / limits.iops_per_gib)
        if size < larger <= limits.max_gib:
            sizes.add(larger)
    for larger in sorted(sizes):
        yield gp2_volume(larger, copies)


def local_disks(instance: InstanceType) -> StorageSpec | None:
    """Return the instance's own disks as one volume.

    None: there are none, or their IOPS are not published.
    """
    disks = instance.local_disks
    if disks is None or disks.read_iops is None or disks.write_iops is None:
        return None
    return StorageSpec(
        type=StorageType.NVME,
        size_gib=int(disks.total_gib),
        iops=None,
        throughput_mib_per_s=None,
        count=disks.count,
    )
