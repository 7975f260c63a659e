"""MySQL read-only runs of 2021: CPU evidence, with its hosts and side tests.

Never evidence for storage or for data larger than a few MB: one table of 25 MB, client on the
same instance, no binary log. The storage columns of the read-only runs stay empty for that reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from scripts.importing.numbers import gib_of_gb, plain
from scripts.importing.observation import Imported, Observation, repeated
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, READ_RATIOS

if TYPE_CHECKING:
    from pathlib import Path

PILOT_TYPES = ("c5.large", "c5a.large", "c6g.large")
"""Types with four runs, of which repeat 1 was a pilot hours before the others."""

PILOT = "pilot run (repeat 1 of c5.large, c5a.large, c6g.large)"
ZERO = "printed as 0.00 ms: below the tool's resolution"

CONDITIONS = {
    "percona_arm_m5_2021": "readonly-m5-2021",
    "percona_arm_c5_2021": "readonly-c5-2021",
    "percona_arm_m6_2022": "readonly-m6-2021",
}
SIDE_CONDITIONS = {
    "percona_arm_m5_2021": "sidetests-m5-2021",
    "percona_arm_c5_2021": "sidetests-c5-2021",
}

BUFFER_POOL_SHARE = 0.8
"""innodb_buffer_pool_size over the memory of the instance, in all of these runs."""

RUN_METRICS = {
    "transactions_per_s": "tps",
    "queries_per_s": "qps",
    "latency_min_ms": "latency_min_ms",
    "latency_avg_ms": "latency_avg_ms",
    "latency_p95_ms": "latency_p95_ms",
    "latency_max_ms": "latency_max_ms",
}

HOST_COLUMNS = (
    "source_id",
    "run_id",
    "instance_type",
    "date",
    "kernel",
    "cpu_model",
    "vcpu",
    "has_hyperthreading",
    "memory_gib",
    "note",
)


def is_pilot(instance_type: str, repeat_no: str) -> bool:
    """Whether a run is one of the three pilots."""
    return repeat_no == "1" and instance_type in PILOT_TYPES


def read_only_runs(folder: Path) -> Imported:
    """Median over the valid repeats of each instance type and thread count."""
    rows = read_table(folder, "mysql_readonly_cpu_2021")
    result = Imported("mysql_readonly_cpu_2021", len(rows))
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if is_pilot(row["instance_type"], row["repeat_no"]):
            result.drop(PILOT)
            continue
        groups[row["source_id"], row["instance_type"], row["threads"]].append(row)
    for runs in groups.values():
        metrics = [{name: run[column] for name, column in RUN_METRICS.items()} for run in runs]
        result.observations += repeated(_read_only_base(runs), metrics)
    return result


def _read_only_base(runs: list[Row]) -> Observation:
    row = runs[0]
    source = row["source_id"]
    return Observation(
        source_id=source,
        condition_id=CONDITIONS[source],
        series=CONDITIONS[source],
        date=min(run["date"] for run in runs),
        platform="ec2",
        instance_type=row["instance_type"],
        vcpu=row["vcpu"],
        memory_gib=plain(row["memory_gib"]),
        engine=ENGINES[row["engine"]],
        engine_version=row["engine_version"],
        nodes="1",
        workload=row["workload"],
        read_ratio=READ_RATIOS[row["workload"]],
        threads=row["threads"],
        data_gib=gib_of_gb(row["dataset_gb"]),
        buffer_pool_gib=plain(float(row["memory_gib"]) * BUFFER_POOL_SHARE),
        client="local",
        duration_s=row["duration_s"],
        note=_read_only_note(runs),
    )


def _read_only_note(runs: list[Row]) -> str:
    notes = []
    if runs[0]["instance_type"].startswith("t"):
        notes.append("ran on CPU credits")
    models = sorted({_cpu_model(run["cpu_model"])[1] for run in runs} - {""})
    if len(models) > 1:
        notes.append("repeats on different CPUs: " + " / ".join(models))
    last = max(run["date"] for run in runs)
    if last != min(run["date"] for run in runs):
        notes.append(f"repeats until {last}")
    return "; ".join(notes)


def _cpu_model(label: str) -> tuple[str, str]:
    """Count and model of a label such as ``48xAMD EPYC 7571``; empty where nothing was recorded."""
    found = re.fullmatch(r"(\d+)x(.+)", label)
    return (found[1], found[2]) if found else ("", "")


def side_tests(folder: Path) -> Imported:
    """Sysbench cpu, threads, memory and buffered fileio on the same hosts; series is the test."""
    rows = read_table(folder, "mysql_hosts_side_tests_2021")
    result = Imported("mysql_hosts_side_tests_2021", len(rows))
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["instance_type"], row["test"], row["threads"]].append(row)
    for runs in groups.values():
        metrics = [_side_metrics(run) for run in runs]
        for name in [name for name in metrics[0] if name.startswith("latency")]:
            if any(float(run[name]) == 0 for run in metrics):
                for run in metrics:
                    del run[name]
                    result.drop_cell(ZERO)
        result.observations += repeated(_side_base(runs), metrics)
    return result


def _side_metrics(row: Row) -> dict[str, str]:
    value = {
        "memory_write": "throughput_mib_per_s",
        "threads_mutex": "events_per_s",
        "cpu_prime": "events_per_s",
        "fileio_rndrw_buffered_fsync100": "iops",
    }[row["workload"]]
    metrics = {value: row["value"]}
    if value == "iops":
        metrics |= {
            "read_iops": row["reads_s"],
            "write_iops": row["writes_s"],
            "fsyncs_per_s": row["fsyncs_s"],
            "read_throughput_mib_per_s": row["read_mib_s"],
            "write_throughput_mib_per_s": row["write_mib_s"],
        }
    return metrics | {name: row[name] for name in row if name.startswith("latency_")}


def _side_base(runs: list[Row]) -> Observation:
    row = runs[0]
    has_storage = row["workload"].startswith("fileio")
    durations = sorted(float(run["duration_s"]) for run in runs)
    return Observation(
        source_id=row["source_id"],
        condition_id=SIDE_CONDITIONS[row["source_id"]],
        series=row["test"],
        date=row["date"],
        platform="ec2",
        instance_type=row["instance_type"],
        vcpu=row["vcpu"],
        memory_gib=plain(row["memory_gib"]),
        storage_type="gp2" if has_storage else "",
        storage_size_gib="200" if has_storage else "",
        storage_iops="600" if has_storage else "",
        storage_count="1" if has_storage else "",
        workload=row["workload"],
        read_ratio="0.6" if has_storage else "",
        threads=plain(row["threads"]),
        client="local",
        duration_s=str(round(durations[len(durations) // 2])),
        note="page cache in use: not volume evidence" if has_storage else "",
    )


def hosts(folder: Path) -> tuple[Imported, list[tuple[str, ...]]]:
    """The hosts behind the read-only runs, one row per run in the order of HOST_COLUMNS."""
    rows = read_table(folder, "mysql_hosts_2021")
    first_runs = {kind: min(r["run"] for r in rows if r["vm"] == kind) for kind in PILOT_TYPES}
    hosts_rows: list[tuple[str, ...]] = []
    for row in rows:
        count, model = _cpu_model(row["models"])
        virtual = re.search(r"virtual = (\d+)", row["processors"])
        threading = re.search(r"hyperthreading = (\w+)", row["processors"])
        is_compute = row["vm"].startswith("c")
        hosts_rows.append(
            (
                "percona_arm_c5_2021" if is_compute else "percona_arm_m5_2021",
                row["run"],
                row["vm"],
                row["date"][:10],
                row["kernel"],
                model,
                count or (virtual[1] if virtual else ""),
                threading[1] if threading else "",
                row["mem"].removesuffix("G"),
                "pilot run, not used" if first_runs.get(row["vm"]) == row["run"] else "",
            )
        )
    return Imported("mysql_hosts_2021", len(rows)), hosts_rows
