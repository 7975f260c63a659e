"""What a volume, the instance's EBS link and local disks sustain.

And how long a gp2 burst lasts.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import StorageType

if TYPE_CHECKING:
    from advisor.domain.instance import InstanceType
    from advisor.domain.storage import StorageSpec
    from advisor.prediction.parameters import ModelParameters

#: gp2: credits of a full bucket (AWS EBS user guide, general purpose volumes).
GP2_BUCKET = 5_400_000.0
#: gp2: burst IOPS of volumes whose baseline is lower.
GP2_BURST_IOPS = 3_000.0
GP2_MIN_IOPS = 100.0
GP2_MAX_IOPS = 16_000.0
GP2_IOPS_PER_GIB = 3.0
#: gp2: from this size on 250 MiB/s do not depend on credits.
GP2_FULL_THROUGHPUT_GIB = 334
KIB_PER_MIB = 1024.0


def gp2_iops(size_gib: float) -> int:
    """Return the baseline IOPS of a gp2 volume: 3 per GiB between 100 and 16,000."""
    return int(min(GP2_MAX_IOPS, max(GP2_MIN_IOPS, GP2_IOPS_PER_GIB * size_gib)))


def gp2_throughput_mib_per_s(size_gib: float) -> int:
    """Return the throughput of a gp2 volume.

    128 MiB/s up to 170 GiB, 250 from 334 GiB on, between them only on credits.
    """
    return 250 if size_gib >= GP2_FULL_THROUGHPUT_GIB else 128


def gp2_burst_minutes(size_gib: float, demanded_iops: float) -> float | None:
    """Return the minutes until a full bucket is empty at ``demanded_iops``.

    None when it never empties.
    """
    base = gp2_iops(size_gib)
    used = min(demanded_iops, GP2_BURST_IOPS)
    if base >= GP2_BURST_IOPS or used <= base:
        return None
    return GP2_BUCKET / (used - base) / 60.0


class StorageLimits(NamedTuple):
    """Sustained limits of a storage configuration on an instance."""

    storage: StorageSpec
    read_iops: float
    """IOPS of the volumes or disks; mixed with writes they share it."""
    write_iops: float
    mib_per_s: float
    instance_iops: float | None
    """Sustained IOPS of the instance's EBS link; None for local disks."""
    instance_mib_per_s: float | None


def limits_of(
    storage: StorageSpec, instance: InstanceType, parameters: ModelParameters
) -> StorageLimits:
    """Return the sustained limits of ``storage`` on ``instance``.

    Raises ValueError for nvme on an instance without local disks or without published IOPS.
    """
    if storage.type is StorageType.NVME:
        return _local_limits(storage, instance, parameters)
    if storage.type.is_aurora:
        return StorageLimits(
            storage=storage,
            read_iops=inf,
            write_iops=inf,
            mib_per_s=inf,
            instance_iops=None,
            instance_mib_per_s=None,
        )
    if storage.iops is None or storage.throughput_mib_per_s is None:
        raise ValueError(f"{storage} has no IOPS or throughput")
    iops = float(storage.iops * storage.count)
    return StorageLimits(
        storage=storage,
        read_iops=iops,
        write_iops=iops,
        mib_per_s=float(storage.throughput_mib_per_s * storage.count),
        instance_iops=instance.ebs_baseline_iops,
        instance_mib_per_s=instance.ebs_baseline_mib_per_s,
    )


def _local_limits(
    storage: StorageSpec, instance: InstanceType, parameters: ModelParameters
) -> StorageLimits:
    disks = instance.local_disks
    if disks is None or disks.read_iops is None or disks.write_iops is None:
        raise ValueError(f"{instance.name} has no local disks with known IOPS")
    read = disks.read_iops * parameters.value("nvme.page_read_ratio")
    write = disks.write_iops * parameters.value("nvme.page_write_ratio")
    return StorageLimits(
        storage=storage,
        read_iops=read,
        write_iops=write,
        mib_per_s=read * 16.0 / KIB_PER_MIB,
        instance_iops=None,
        instance_mib_per_s=None,
    )
