"""Reads what ``advisor storage`` needs besides the documents: the EBS runs and one instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.instance import LocalDisks
from advisor.domain.vocabulary import StorageType
from advisor.domain.volumes import InstanceLink
from advisor.errors import UsageError
from advisor.prediction.volume_curve import VolumeCell

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: Reads as a share of I/Os in each mode of the runs.
_READ_RATIOS = {"fileio_rndwr": 0.0, "fileio_rndrw": 0.6, "fileio_rndrd": 1.0}
_CELLS = """
    SELECT storage_type, workload, threads,
        max(value) FILTER (metric = 'iops'),
        max(value) FILTER (metric = 'latency_p95_ms'),
        max(value) FILTER (metric = 'variation_cv')
    FROM observations WHERE source_id = 'pboros_ebs_2021' AND storage_count = 1
    GROUP BY ALL ORDER BY ALL
"""
_LINK = """
    SELECT instance_type, ebs_baseline_iops, ebs_max_iops, ebs_baseline_mib_per_s,
        ebs_max_mib_per_s, hypervisor, disk_count, disk_total_gb, disk_read_iops, disk_write_iops
    FROM instance_types WHERE instance_type = $1
"""


def volume_cells(connection: DuckDBPyConnection) -> tuple[VolumeCell, ...]:
    """Return every cell of the 16 KiB fileio runs on one volume."""
    return tuple(
        VolumeCell(
            storage_type=StorageType(kind),
            read_ratio=_READ_RATIOS[mode],
            threads=threads,
            iops=iops,
            latency_p95_ms=p95,
            variation_cv=cv,
        )
        for kind, mode, threads, iops, p95, cv in connection.execute(_CELLS).fetchall()
    )


def instance_link(connection: DuckDBPyConnection, name: str) -> InstanceLink:
    """Return what an instance type lets through to its volumes; UsageError: no such type here."""
    row = connection.execute(_LINK, [name]).fetchone()
    if row is None:
        raise UsageError(f"this knowledge base does not hold {name}")
    disks = None
    if row[6] is not None and row[7] is not None:
        disks = LocalDisks(count=row[6], total_gb=row[7], read_iops=row[8], write_iops=row[9])
    return InstanceLink(
        instance_type=row[0],
        ebs_baseline_iops=row[1],
        ebs_max_iops=row[2],
        ebs_baseline_mib_per_s=row[3],
        ebs_max_mib_per_s=row[4],
        is_nitro=row[5] != "xen",
        local_disks=disks,
    )
