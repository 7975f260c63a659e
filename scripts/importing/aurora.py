"""Aurora: against Percona Server (2015), r5 against r6g (2021), vendor's claims, Serverless v1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.importing.numbers import gib_of_gb, plain
from scripts.importing.observation import Imported, Observation, measured
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, READ_RATIOS, instance_type_of

if TYPE_CHECKING:
    from pathlib import Path


def against_percona_server(folder: Path) -> Imported:
    """The 2015 table by its tps column; the published ops are write queries and are not used."""
    rows = read_table(folder, "aurora_vs_percona_server_2015")
    result = Imported("aurora_vs_percona_server_2015", len(rows))
    for row in rows:
        is_aurora = row["storage_type"] == "Aurora"
        base = Observation(
            source_id=row["source_id"],
            condition_id="aurora-2015" if is_aurora else "percona-server-2015",
            series=row["series"],
            date=row["date"],
            platform="aurora" if is_aurora else "ec2",
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            engine=ENGINES[row["engine"]],
            engine_version=row["engine_version"],
            storage_type=row["storage_type"].lower(),
            storage_size_gib=plain(row["storage_size_gb"]),
            storage_iops=plain(row["provisioned_iops"]),
            storage_count="" if is_aurora else "1",
            nodes="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            threads=row["threads"],
            data_gib=gib_of_gb(row["dataset_gb"]),
            duration_s=row["duration_s"],
            note=_note_2015(row),
        )
        values = {"transactions_per_s": row["tps"], "queries_per_s": row["qps"]}
        result.observations += measured(base, values)
    return result


def _note_2015(row: Row) -> str:
    notes = []
    if row["workload"] == "oltp_read_write":
        notes.append(
            "tps is a quarter of the published write queries/s; queries without BEGIN, COMMIT"
        )
    if row["storage_type"] == "gp2":
        notes.append("gp2 under 1 TiB: the run may hold an hour of burst to 3,000 IOPS")
    return "; ".join(notes)


NOT_COMPARABLE = "r5 and r6g of this size had clients at different distances: not comparable"
FAR_PAIR_SIZES = ("4xlarge", "8xlarge")


def r5_against_r6g(folder: Path) -> Imported:
    """oltp_read_write on r5 and r6g; suspected copies stand in series of their own."""
    rows = read_table(folder, "aurora_r5_r6g_oltp_rw_2021")
    result = Imported("aurora_r5_r6g_oltp_rw_2021", len(rows))
    for row in rows:
        is_aurora = row["storage_type"] == "Aurora"
        family = row["instance_type"].removeprefix("db.").partition(".")[0]
        series = f"{ENGINES[row['engine']]}-{family}"
        base = Observation(
            source_id=row["source_id"],
            condition_id="aurora-r5-r6g-2021" if is_aurora else "postgresql-r5-r6g-2021",
            series=series + ("-suspect-duplicate" if row["suspect_duplicate"] == "1" else ""),
            date=row["date"],
            platform="aurora" if is_aurora else "ec2",
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            engine=ENGINES[row["engine"]],
            engine_version=row["engine_version"].removeprefix("5.7.mysql_aurora."),
            storage_type=row["storage_type"].lower(),
            storage_iops=plain(row["provisioned_iops"]),
            storage_count="" if is_aurora else "1",
            nodes="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            threads=row["threads"],
            data_gib=gib_of_gb(row["dataset_gb"]),
            buffer_pool_gib="40" if is_aurora else "",
            client="cross-az" if row["client_far_az"] == "1" else "same-az",
            duration_s=row["duration_s"],
            note=_note_r6g(row),
        )
        values = {
            "transactions_per_s": row["tps"],
            "queries_per_s": row["qps"],
            "errors": row["errors"],
            "latency_min_ms": row["latency_min_ms"],
            "latency_avg_ms": row["latency_avg_ms"],
            "latency_p95_ms": row["latency_p95_ms"],
            "latency_max_ms": row["latency_max_ms"],
            "peak_cpu_pct": row["peak_cpu_pct"],
        }
        result.observations += measured(base, values)
    return result


def _note_r6g(row: Row) -> str:
    notes = []
    if row["suspect_duplicate"] == "1":
        notes.append("suspect duplicate")
    is_postgresql = row["engine"].endswith("PostgreSQL")
    if is_postgresql:
        notes.append("printed text only (quality C)")
    if is_postgresql and row["instance_type"].rpartition(".")[2] in FAR_PAIR_SIZES:
        notes.append(NOT_COMPARABLE)
    if row["storage_type"] == "io1":
        notes.append("the text says 4xlarge, the launch command 8xlarge")
    if row["client_far_az"] == "1":
        notes.append(f"least latency of the group {row['min_lat_group']} ms")
    return "; ".join(notes)


NO_NUMBER = "statement without a number: kept as a source with its caveat"


def r6g_claims(folder: Path) -> Imported:
    """Published gain ranges of R6g over R5; statements without numbers live in the sources."""
    rows = read_table(folder, "aurora_r6g_vs_r5_claims_2021")
    result = Imported("aurora_r6g_vs_r5_claims_2021", len(rows))
    for row in rows:
        if not row["qps_gain_low_pct"]:
            result.drop(NO_NUMBER)
            continue
        instance_type, _ = instance_type_of(row["instance_a"])
        mix = "readonly" if row["workload"] == "oltp_read_only" else "default"
        base = Observation(
            source_id=row["source_id"],
            condition_id=f"aurora-r6g-claims-{mix}",
            series="gain-over-" + row["instance_b"],
            date=row["date"],
            platform="aurora",
            instance_type=instance_type,
            engine="aurora-mysql",
            engine_version="2.09.1",
            storage_type="aurora",
            nodes="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            data_gib=gib_of_gb(1.5),
            duration_s="1200",
            note=f"vendor's claim, later revised by it; range over threads {row['threads']}",
        )
        gains = {"gain_low_pct": row["qps_gain_low_pct"], "gain_high_pct": row["qps_gain_high_pct"]}
        result.observations += measured(base, gains)
    return result


TPCC_METRICS = {
    "transactions_per_s": "tps",
    "transactions_per_s_steady": "tps_steady_mean",
    "transactions_per_s_steady_p5": "tps_steady_p5",
    "queries_per_s": "qps",
    "queries_per_s_steady": "qps_steady_mean",
    "latency_avg_ms": "latency_avg_ms",
    "latency_p95_ms": "latency_p95_ms",
    "latency_max_ms": "latency_max_ms",
    "latency_p95_steady_p50_ms": "lat95_steady_p50",
    "latency_p95_steady_p99_ms": "lat95_steady_p99",
    "variation_cv": "tps_steady_cv",
}
"""Metric → column of the three sysbench-tpcc tables."""


def serverless(folder: Path) -> Imported:
    """TPC-C on Aurora Serverless v1: ``rate-N`` series are open loop, ``threads`` closed."""
    rows = read_table(folder, "tpcc_aurora_serverless_2018")
    result = Imported("tpcc_aurora_serverless_2018", len(rows))
    for row in rows:
        rate = plain(row["target_rate_tps"])
        notes = ["capacity scaled by the service"]
        if rate:
            notes.append(f"open loop at {rate} transactions/s")
        if int(row["n_sec"]) < round(float(row["duration_s"])) - 5:
            notes.append(f"only {row['n_sec']} seconds reported")
        base = Observation(
            source_id=row["source_id"],
            condition_id="tpcc-serverless-2018",
            series=f"rate-{rate}" if rate else "threads",
            date=row["date"],
            platform="aurora",
            engine="aurora-mysql",
            engine_version="serverless-v1",
            storage_type="aurora",
            workload=row["workload"],
            threads=plain(row["threads"]),
            data_gib=gib_of_gb(row["dataset_gb"]),
            duration_s=str(round(float(row["duration_s"]))),
            note="; ".join(notes),
        )
        values = {metric: row[column] for metric, column in TPCC_METRICS.items()}
        result.observations += measured(base, values)
    return result
