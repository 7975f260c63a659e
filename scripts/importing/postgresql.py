"""pgbench on PostgreSQL, and the RDS comparison of 2023 with TPC-C, TPC-H and TATP."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from scripts.importing.numbers import gib_of_gb, gib_of_pgbench_scale, plain
from scripts.importing.observation import Imported, Observation, measured, repeated
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, READ_RATIOS, version_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SYSTEMS = {
    "AWS Aurora": ("aurora", "pgbench-100gb-aurora"),
    "AWS RDS": ("rds", "pgbench-100gb-rds"),
    "Postgres managed by Clickhouse": ("ec2", "pgbench-100gb-nvme"),
}
"""System → platform and condition, where the instance type is known."""

OTHER_PLAN = "plan of another vendor: platform and instance type not known"

LATENCIES = ("latency_avg_ms", "latency_p95_ms", "latency_p99_ms")


def _grouped(rows: Iterable[Row], columns: tuple[str, ...]) -> list[list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in columns)].append(row)
    return list(groups.values())


def _metrics(row: Row, latencies: Iterable[str]) -> Mapping[str, str]:
    return {"transactions_per_s": row["tps"]} | {name: row[name] for name in latencies}


def pgbench_100gb(folder: Path) -> Imported:
    """Pgbench tpcb on 100 GiB at 256 clients: mean of three repeats per system and size."""
    rows = read_table(folder, "postgres_pgbench_100gb_2026")
    result = Imported("postgres_pgbench_100gb_2026", len(rows))
    known = [row for row in rows if row["system"] in SYSTEMS]
    for _ in range(len(rows) - len(known)):
        result.drop(OTHER_PLAN)
    for runs in _grouped(known, ("system", "instance_type", "vcpu", "memory_gib")):
        metrics = [_metrics(run, (*LATENCIES, "latency_sd_ms")) for run in runs]
        result.observations += repeated(_pgbench_base(runs[0]), metrics)
    return result


def _pgbench_base(row: Row) -> Observation:
    platform, condition_id = SYSTEMS[row["system"]]
    is_nvme = platform == "ec2"
    is_gp3 = "GP3" in row["storage_type"]
    disk = re.match(r"(\d+) GB - NVMe", row["instance_storage"]) if is_nvme else None
    storage_type = "nvme" if is_nvme else "gp3" if is_gp3 else ""
    return Observation(
        source_id=row["source_id"],
        condition_id=condition_id,
        series=row["system"].lower().replace(" ", "-"),
        date=row["date"],
        platform=platform,
        instance_type=row["instance_type"],
        vcpu=row["vcpu"],
        memory_gib=row["memory_gib"],
        engine=ENGINES[row["engine"]],
        engine_version=version_of(row["engine_version"]),
        storage_type="aurora" if platform == "aurora" else storage_type,
        storage_size_gib="1000" if is_gp3 else gib_of_gb(disk[1]) if disk else "",
        storage_iops=plain(row["provisioned_iops"]),
        storage_count="1" if storage_type else "",
        nodes="1",
        workload=row["workload"],
        read_ratio=READ_RATIOS[row["workload"]],
        threads=row["threads"],
        data_gib="100",
        duration_s=row["duration_s"],
        note=_pgbench_note(row, platform),
    )


def _pgbench_note(row: Row, platform: str) -> str:
    if platform == "ec2":
        return "managed by a vendor on this instance type"
    return f"class has a local disk ({row['instance_storage'].replace(' - ', ' ')})"


EXTREME = "aws.c5d.metal.extreme.md"
EXTREME_SCALE = 4000
"""Scale of the extreme runs in their logs; the summary page says 5000."""


def pgbench_metal(folder: Path) -> Imported:
    """Pgbench on c5d.metal with 4 local disks; the extreme set-up turned fsync off."""
    rows = read_table(folder, "postgres_pgbench_c5d_metal")
    result = Imported("postgres_pgbench_c5d_metal", len(rows))
    for row in rows:
        is_extreme = row["setup"] == EXTREME
        scale = EXTREME_SCALE if is_extreme else int(row["scale_factor"])
        base = Observation(
            source_id=row["source_id"],
            condition_id="pgbench-metal-extreme" if is_extreme else "pgbench-metal-normal",
            series="extreme" if is_extreme else "normal",
            date="2022",
            platform="ec2",
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            engine=ENGINES[row["engine"]],
            engine_version="14.5",
            storage_type="nvme",
            storage_size_gib=gib_of_gb(900),
            storage_count="4",
            nodes="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            threads=row["threads"],
            data_gib=gib_of_pgbench_scale(scale),
            buffer_pool_gib="128" if is_extreme else "16",
            durability="relaxed" if is_extreme else "full",
            duration_s="300" if is_extreme else "",
            note="table says scale 5000, logs 4000" if is_extreme else "",
        )
        result.observations += measured(base, {"transactions_per_s": row["tps"]})
    return result


def rds_comparison(folder: Path) -> Imported:
    """RDS MySQL and PostgreSQL on db.m5.4xlarge gp3: mean of three repeats per workload."""
    rows = read_table(folder, "dbaas_mysql_postgres_2023")
    result = Imported("dbaas_mysql_postgres_2023", len(rows))
    for runs in _grouped(rows, ("engine", "workload", "threads")):
        row = runs[0]
        workload = row["workload"].replace("-", "")
        scenario = json.loads(row["scenario"])
        base = Observation(
            source_id=row["source_id"],
            condition_id=f"benchbase-{workload}-2023",
            series=f"benchbase-{workload}",
            date=row["date"],
            platform="rds",
            instance_type=row["instance_type"],
            engine=ENGINES[row["engine"]],
            engine_version=row["engine_version"],
            storage_type=row["storage_type"],
            storage_size_gib=plain(row["storage_size_gb"]),
            storage_iops=plain(row["provisioned_iops"]),
            storage_count="1",
            nodes=row["nodes"],
            workload=workload,
            threads=plain(row["threads"]),
            duration_s=str(scenario["runtime"]),
            note=f"scale factor {plain(scenario['scaleFactor'])}",
        )
        result.observations += repeated(base, [_metrics(run, LATENCIES) for run in runs])
    return result
