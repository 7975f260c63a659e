"""sysbench-tpcc on EC2, RDS and Aurora, and the cluster speed-up of Percona XtraDB Cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.importing.aurora import TPCC_METRICS
from scripts.importing.numbers import gib_of_gb, plain
from scripts.importing.observation import Imported, Observation, measured
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, instance_type_of

if TYPE_CHECKING:
    from pathlib import Path

RAID0_OF_TWO = "gp2 x2 RAID0"


def volume_sweep(folder: Path) -> Imported:
    """InnoDB and MyRocks against io1 IOPS and gp2 size; size and IOPS are of one volume."""
    rows = read_table(folder, "tpcc_innodb_myrocks_iops_sweep_2018")
    result = Imported("tpcc_innodb_myrocks_iops_sweep_2018", len(rows))
    for row in rows:
        volumes = 2 if row["storage_type"] == RAID0_OF_TWO else 1
        instance_type, note = instance_type_of(row["instance_type"])
        engine = ENGINES[row["engine"]]
        volume_type = row["storage_type"].partition(" ")[0]
        base = Observation(
            source_id=row["source_id"],
            condition_id="tpcc-myrocks-2018" if engine == "myrocks" else "tpcc-innodb-2018",
            series=f"{volume_type}-raid0" if volumes > 1 else volume_type,
            date=row["date"],
            platform="ec2",
            instance_type=instance_type,
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            engine=engine,
            engine_version=row["engine_version"],
            storage_type=volume_type,
            storage_size_gib=plain(int(row["storage_size_gb"]) / volumes),
            storage_iops=plain(int(row["provisioned_iops"]) / volumes),
            storage_count=str(volumes),
            nodes="1",
            workload=row["workload"],
            threads=plain(row["threads"]),
            data_gib=gib_of_gb(row["dataset_gb"]),
            durability="relaxed",
            duration_s=str(round(float(row["duration_s"]))),
            note=note,
        )
        values = {metric: row[column] for metric, column in TPCC_METRICS.items()}
        result.observations += measured(base, values)
    return result


def managed_and_cluster(folder: Path) -> Imported:
    """Aurora, PXC and RDS MySQL on (db.)r5.xlarge; the storage type is unknown and stays empty."""
    rows = read_table(folder, "tpcc_aurora_pxc_rds_2020")
    result = Imported("tpcc_aurora_pxc_rds_2020", len(rows))
    for row in rows:
        platform = _platform(row)
        base = Observation(
            source_id=row["source_id"],
            condition_id=f"tpcc-{'pxc' if platform == 'ec2' else platform}-2020",
            series=f"tpcc-50gb-{'pxc' if platform == 'ec2' else platform}",
            date=row["date"],
            platform=platform,
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            engine=ENGINES[row["engine"]],
            engine_version="8.0" if platform == "ec2" else "",
            storage_type="aurora" if platform == "aurora" else "",
            nodes=row["nodes"],
            workload=row["workload"],
            threads=plain(row["threads"]),
            data_gib=gib_of_gb(row["dataset_gb"]),
            durability="relaxed" if platform == "ec2" else "",
            duration_s=str(round(float(row["duration_s"]))),
            note=_managed_note(row, platform),
        )
        values = {metric: row[column] for metric, column in TPCC_METRICS.items()}
        result.observations += measured(base, values)
    return result


ODD_BELOW_THREADS = 8
"""The RDS rows below this are in doubt: the client seems to have stood nearer than for others."""


def _platform(row: Row) -> str:
    if row["engine"].startswith("Aurora"):
        return "aurora"
    return "rds" if row["engine"].startswith("RDS") else "ec2"


def _managed_note(row: Row, platform: str) -> str:
    notes = []
    if platform != "aurora":
        notes.append("storage type not stated")
    if platform == "rds":
        notes.append("one writer whatever nodes says")
        if float(row["threads"]) < ODD_BELOW_THREADS:
            notes.append("placement anomaly below 8 threads")
    return "; ".join(notes)


def cluster_speedup(folder: Path) -> Imported:
    """PXC of 3 nodes: throughput relative to .large, and with ProxySQL over without."""
    rows = read_table(folder, "pxc_speedup_2017")
    result = Imported("pxc_speedup_2017", len(rows))
    for row in rows:
        is_io1 = row["storage_type"].startswith("io1")
        base = Observation(
            source_id=row["source_id"],
            condition_id="pxc-oltp-2017",
            series="io1" if is_io1 else "nvme",
            date=row["date"],
            platform="ec2",
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=plain(row["memory_gib"]),
            engine="pxc",
            engine_version="5.7.18",
            storage_type="io1" if is_io1 else "nvme",
            storage_size_gib="200" if is_io1 else "",
            storage_iops="10000" if is_io1 else "",
            storage_count="1" if is_io1 else "",
            nodes="3",
            workload="oltp",
            threads=row["threads"],
            data_gib=gib_of_gb(95),
            note="relative to the .large of the same series; absolute values are charts only",
        )
        values = {
            "relative_throughput": row["throughput_relative_to_large"],
            "proxysql_ratio": row["proxysql_throughput_ratio"],
        }
        result.observations += measured(base, values)
    return result
