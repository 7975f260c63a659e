"""The storage options worth pricing for an instance.

The grid of sizes and IOPS, plus the exact need.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from advisor.domain.storage import StorageSpec, VolumeLimits
from advisor.domain.vocabulary import StorageType
from advisor.prediction.volume import gp2_iops, gp2_throughput_mib_per_s

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.domain.instance import InstanceType

#: IOPS steps of DESIGN.md section 5.
GRID_IOPS = (3_000, 6_000, 9_000, 12_000, 16_000, 24_000, 32_000, 64_000, 80_000)
#: IOPS and MiB/s are bought in such steps, so that a CONFIG reads well.
IOPS_STEP = 100
THROUGHPUT_STEP = 25


def fits(limits: VolumeLimits, size_gib: int) -> bool:
    """Whether one volume of the type can be that large."""
    return size_gib <= limits.max_gib


def options(
    limits: VolumeLimits,
    size_gib: int,
    needs: Sequence[float],
    most_iops: float,
    mib_per_io: float,
) -> Iterator[StorageSpec]:
    """Yield the options of a volume type: the grid below the largest need, and every need itself.

    ``needs`` are IOPS, ``most_iops`` is the instance's sustained limit, and ``mib_per_io`` turns
    IOPS into the throughput that goes with them. Options beyond the largest need would cost more
    and give nothing, so they are not made.
    """
    size = max(size_gib, limits.min_gib)
    wanted = [min(need, most_iops) for need in needs]
    if limits.type is StorageType.GP2:
        yield from _gp2(size, limits, wanted)
        return
    most = min(limits.max_iops, int(limits.iops_per_gib * size))
    if limits.type is StorageType.GP3:
        most = max(most, limits.min_iops)
    exact = {min(most, max(limits.min_iops, _stepped(need))) for need in wanted}
    top = max(exact)
    for iops in sorted({min(most, step) for step in GRID_IOPS if step < top} | exact):
        yield provisioned(limits.type, size, iops, _throughput(limits, iops, mib_per_io))


def _stepped(iops: float) -> int:
    return ceil(iops / IOPS_STEP) * IOPS_STEP


def _throughput(limits: VolumeLimits, iops: int, mib_per_io: float) -> int:
    """Return the throughput to buy with ``iops``.

    What they carry at this I/O size, within the type's ratio.
    """
    wanted = ceil(iops * mib_per_io / THROUGHPUT_STEP) * THROUGHPUT_STEP
    if limits.type is not StorageType.GP3:
        return limits.max_throughput_mib_per_s
    ratio = limits.throughput_per_iops or 0.0
    most = min(
        float(limits.max_throughput_mib_per_s), max(ratio * iops, limits.min_throughput_mib_per_s)
    )
    return int(min(most, max(wanted, limits.min_throughput_mib_per_s)))


@lru_cache(maxsize=4096)
def provisioned(
    storage_type: StorageType, size_gib: int, iops: int, throughput_mib_per_s: int
) -> StorageSpec:
    """Return a volume with IOPS and throughput; equal ones are one value."""
    return StorageSpec(
        type=storage_type, size_gib=size_gib, iops=iops, throughput_mib_per_s=throughput_mib_per_s
    )


def gp2_volume(size_gib: int) -> StorageSpec:
    """Return a gp2 volume: its size gives IOPS and throughput."""
    return provisioned(
        StorageType.GP2, size_gib, gp2_iops(size_gib), gp2_throughput_mib_per_s(size_gib)
    )


def _gp2(size: int, limits: VolumeLimits, needs: Sequence[float]) -> Iterator[StorageSpec]:
    """Yield gp2 at the asked size and enlarged for IOPS up to the largest need."""
    exact = {min(limits.max_iops, max(limits.min_iops, _stepped(need))) for need in needs}
    top = max(exact)
    sizes = {size}
    for iops in {step for step in GRID_IOPS if step < top} | exact:
        larger = ceil(iops / limits.iops_per_gib)
        if size < larger <= limits.max_gib:
            sizes.add(larger)
    for larger in sorted(sizes):
        yield gp2_volume(larger)


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
