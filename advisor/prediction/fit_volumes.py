"""Fits latency, tail and steadiness of each storage type."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import EBS_TYPES, Basis, StorageType
from advisor.prediction.fit_numbers import rounded
from advisor.prediction.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.prediction.fit_input import FitInput, LocalDiskPoint, VolumePoint

FILEIO_2021 = ("pboros_ebs_2021",)
SYNC_2019 = ("jfg_sync_latency_2019",)
IOTUNE_2025 = ("scylla_aws_io_params",)
#: Threads at which the IOPS limit of the measured volumes binds in every mode.
AT_LIMIT = 16
#: One volume of each type on one day: the spread between volumes is unknown.
VOLUME_SIGMA = 0.15
#: Random 16 KiB read from local NVMe with one thread, ms; AWS states no figure and no run here
#: isolates it.
LOCAL_READ_MS = 0.1
LOCAL_SIGMA = 0.4


def fit_volumes(data: FitInput) -> tuple[Parameter, ...]:
    """Return the storage parameters in a fixed order."""
    fitted = [parameter for storage in EBS_TYPES for parameter in _ebs(storage, data.volume_points)]
    return (*fitted, *_local(data.local_sync_ms, data.local_disk_points))


def _cell(
    points: Sequence[VolumePoint], storage: StorageType, mode: str, threads: int
) -> VolumePoint:
    return next(
        point
        for point in points
        if point.storage_type == storage and point.mode == mode and point.threads == threads
    )


def _ebs(storage: StorageType, points: Sequence[VolumePoint]) -> list[Parameter]:
    """Return the parameters of an EBS volume type from its one-thread and 16-thread cells."""
    read = _cell(points, storage, "fileio_rndrd", 1)
    write = _cell(points, storage, "fileio_rndwr", 1)
    loaded = _cell(points, storage, "fileio_rndrd", AT_LIMIT)
    values = (
        ("read_ms", 1000.0 / read.iops, "ms", "16 KiB random reads, one thread: 1 ÷ IOPS"),
        (
            "write_ms",
            1000.0 / write.iops,
            "ms",
            "16 KiB random O_DIRECT writes, one thread: 1 ÷ IOPS",
        ),
        (
            "read_p95_ratio",
            read.latency_p95_ms / read.latency_avg_ms,
            "ratio",
            "p95 ÷ mean, one thread",
        ),
        (
            "limit_p95_ratio",
            loaded.latency_p95_ms / loaded.latency_avg_ms,
            "ratio",
            "p95 ÷ mean, 16 threads",
        ),
        (
            "write_p95_ratio",
            write.latency_p95_ms / write.latency_avg_ms,
            "ratio",
            "p95 ÷ mean, one thread",
        ),
        (
            "variation_cv",
            read.variation_cv,
            "ratio",
            "CV of per-second throughput, one read thread",
        ),
        ("limit_cv", loaded.variation_cv, "ratio", "CV of per-second throughput, 16 read threads"),
    )
    return [
        Parameter(
            name=f"volume.{storage}.{name}",
            value=rounded(value),
            unit=unit,
            sigma=VOLUME_SIGMA,
            basis=Basis.MEASURED,
            rows=1,
            sources=FILEIO_2021,
            note=f"{note}; 1 TiB and 3,000 IOPS on r5.xlarge",
        )
        for name, value, unit, note in values
    ]


def _local(sync_ms: float, disks: Sequence[LocalDiskPoint]) -> list[Parameter]:
    """Return the parameters of local NVMe disks."""
    prefix = f"volume.{StorageType.NVME}."
    assumed = (
        (
            "read_ms",
            LOCAL_READ_MS,
            "ms",
            "order of magnitude of NVMe flash; not isolated by any bundled run",
        ),
        (
            "read_p95_ratio",
            1.4,
            "ratio",
            "16 jobs on m5d.8xlarge: p95 0.33 ms of a mean of 0.24 ms",
        ),
        ("limit_p95_ratio", 1.4, "ratio", "as below the limit"),
        ("write_p95_ratio", 1.4, "ratio", "as for reads"),
        ("variation_cv", 0.02, "ratio", "not measured"),
        ("limit_cv", 0.02, "ratio", "not measured"),
    )
    page_read = [min(1.0, disk.read_mib_per_s * 64.0 / disk.read_iops) for disk in disks]
    page_write = [min(1.0, disk.write_mib_per_s * 64.0 / disk.write_iops) for disk in disks]
    return [
        Parameter(
            name=prefix + "write_ms",
            value=rounded(sync_ms),
            unit="ms",
            sigma=LOCAL_SIGMA,
            basis=Basis.SCALED,
            rows=1,
            sources=SYNC_2019,
            note="ioping, synced 4 KiB writes on m5d.xlarge",
        ),
        *(
            Parameter(
                name=prefix + name,
                value=value,
                unit=unit,
                sigma=LOCAL_SIGMA,
                basis=Basis.ASSUMED,
                rows=0,
                sources=(),
                note=note,
            )
            for name, value, unit, note in assumed
        ),
        *(
            Parameter(
                name=f"nvme.page_{kind}_ratio",
                value=rounded(median(ratios)),
                unit="ratio",
                sigma=0.2,
                basis=Basis.SCALED,
                rows=len(ratios),
                sources=IOTUNE_2025,
                note="16 KiB IOPS that the bandwidth allows ÷ 4 KiB IOPS, median over disks",
            )
            for kind, ratios in (("read", page_read), ("write", page_write))
        ),
    ]
