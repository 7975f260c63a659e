"""Which volumes of a type to look at for a wanted size, IOPS and throughput.

One volume as asked where it can be; larger where the size sets the IOPS; RAID0 of equal volumes
where one cannot. Knows what can be bought, not what it does or costs.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.storage import LARGEST_IO_MIB, StorageSpec, VolumeLimits
from advisor.domain.vocabulary import StorageType
from advisor.domain.volumes import PAGES_PER_MIB, VolumeRequest
from advisor.prediction.volume import GP2_FULL_THROUGHPUT_GIB
from advisor.recommend.storage_grid import gp2_volume

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Volumes that a stripe has at most.
MAX_STRIPE = 16


class Shape(NamedTuple):
    """A storage configuration that can be bought."""

    storage: StorageSpec
    why: str
    """Why it is not one volume of the asked size and IOPS; empty when it is."""


class _Need(NamedTuple):
    """What one volume of a stripe must be."""

    volumes: int
    size_gib: int
    iops: int
    mib_per_s: float


def shapes(limits: VolumeLimits, request: VolumeRequest) -> Iterator[Shape]:
    """Yield what to look at of one EBS type, the asked size first; nothing where none can be."""
    if limits.type is StorageType.GP2:
        yield from _gp2(limits, request)
        return
    for need in _needs(request):
        storage = _provisioned(limits, need)
        if storage is not None:
            yield Shape(storage, _why(storage, limits, request))
            return


def _needs(request: VolumeRequest) -> Iterator[_Need]:
    """Yield the need of each volume for one volume, then for stripes of more and more."""
    mib_per_s = max(float(request.throughput_mib_per_s or 0), request.iops / PAGES_PER_MIB)
    for count in range(1, MAX_STRIPE + 1):
        yield _Need(
            volumes=count,
            size_gib=ceil(request.size_gib / count),
            iops=ceil(request.iops / count),
            mib_per_s=mib_per_s / count,
        )


def _provisioned(limits: VolumeLimits, need: _Need) -> StorageSpec | None:
    """Return the least gp3, io1 or io2 that meets a need; None where one volume cannot."""
    iops = max(need.iops, limits.min_iops, _iops_for(limits, need.mib_per_s))
    size = max(need.size_gib, limits.min_gib)
    if limits.type is not StorageType.GP3 or iops > limits.min_iops:
        size = max(size, ceil(iops / limits.iops_per_gib))
    is_possible = (
        iops <= limits.max_iops
        and size <= limits.max_gib
        and need.mib_per_s <= limits.max_throughput_mib_per_s
    )
    if not is_possible:
        return None
    return StorageSpec(
        type=limits.type,
        size_gib=size,
        iops=iops,
        throughput_mib_per_s=_throughput(limits, iops, need.mib_per_s),
        count=need.volumes,
    )


def _iops_for(limits: VolumeLimits, mib_per_s: float) -> int:
    """Return the IOPS that have to be bought for a throughput."""
    ratio = limits.throughput_per_iops or 0.0
    if mib_per_s <= limits.min_throughput_mib_per_s and limits.type is StorageType.GP3:
        return limits.min_iops
    if limits.type is StorageType.IO1 and mib_per_s <= limits.min_throughput_mib_per_s:
        ratio = LARGEST_IO_MIB
    return ceil(mib_per_s / ratio) if ratio else 0


def _throughput(limits: VolumeLimits, iops: int, wanted: float) -> int:
    """Return the MiB/s of a volume: bought on gp3, given by the IOPS on io1 and io2."""
    if limits.type is StorageType.GP3:
        return max(ceil(wanted), limits.min_throughput_mib_per_s)
    return limits.most_throughput(iops)


def _why(storage: StorageSpec, limits: VolumeLimits, request: VolumeRequest) -> str:
    kind, iops = storage.type.value, storage.iops or 0
    if storage.count > 1:
        return (
            f"RAID0 of {storage.count}: one {kind} has at most {limits.max_gib:,} GiB, "
            f"{limits.max_iops:,} IOPS and {limits.max_throughput_mib_per_s:,} MiB/s"
        )
    if storage.size_gib > request.size_gib:
        least = (
            f"{kind} takes at most {limits.iops_per_gib:,.0f} IOPS per GiB"
            if storage.size_gib > limits.min_gib
            else f"the smallest {kind}"
        )
        return f"enlarged from {request.size_gib:,} GiB: {least}"
    least_iops = max(request.iops, limits.min_iops)
    if iops > least_iops:
        return f"{iops:,} IOPS bought for its throughput"
    if iops > request.iops and limits.type is not StorageType.GP3:
        return f"{iops:,} IOPS are the least of {kind}"
    return ""


def _gp2(limits: VolumeLimits, request: VolumeRequest) -> Iterator[Shape]:
    """Yield gp2 at the asked size, and enlarged where that size gives too little."""
    count = ceil(request.size_gib / limits.max_gib)
    asked = gp2_volume(max(ceil(request.size_gib / count), limits.min_gib), count)
    yield Shape(
        asked, f"RAID0 of {count}: one gp2 has at most {limits.max_gib:,} GiB" if count > 1 else ""
    )
    for need in _needs(request):
        size = max(
            need.size_gib,
            limits.min_gib,
            ceil(need.iops / limits.iops_per_gib) if need.iops > limits.min_iops else 0,
            GP2_FULL_THROUGHPUT_GIB if need.mib_per_s > limits.min_throughput_mib_per_s else 0,
        )
        is_possible = (
            need.iops <= limits.max_iops
            and size <= limits.max_gib
            and need.mib_per_s <= limits.max_throughput_mib_per_s
        )
        if not is_possible:
            continue
        storage = gp2_volume(size, need.volumes)
        if storage != asked:
            striped = f", as RAID0 of {need.volumes}" if need.volumes > 1 else ""
            yield Shape(
                storage,
                f"enlarged from {request.size_gib:,} GiB: its size buys its IOPS{striped}",
            )
        return
