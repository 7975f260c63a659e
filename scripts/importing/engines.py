"""Engines on bare metal outside AWS: shapes and ratios between engines, no absolute levels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.importing.numbers import plain
from scripts.importing.observation import Imported, Observation, measured
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, READ_RATIOS, version_of

if TYPE_CHECKING:
    from pathlib import Path

HOST_2026 = "engines-2026"
OWN_BUILD = "engines-2026-own-build"


def engines_2026(folder: Path) -> Imported:
    """MySQL, Percona Server and MariaDB with pools of 2 and 32 GiB, client local or remote."""
    rows = read_table(folder, "mysql_engines_baremetal_2026")
    result = Imported("mysql_engines_baremetal_2026", len(rows))
    for row in rows:
        base = Observation(
            source_id=row["source_id"],
            condition_id=f"engines-2026-{row['client']}",
            series=OWN_BUILD if "own build" in row["engine"] else HOST_2026,
            date=row["date"],
            platform="bare-metal",
            engine=ENGINES[row["engine"]],
            engine_version=version_of(row["engine_version"]),
            nodes="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            threads=row["threads"],
            buffer_pool_gib=row["buffer_pool_gb"],
            client=row["client"],
            duration_s=str(round(float(row["duration_s"]))),
        )
        values = {
            "transactions_per_s": row["tps"],
            "transactions_per_s_steady": row["tps_steady_mean"],
            "queries_per_s": row["qps"],
            "latency_avg_ms": row["latency_avg_ms"],
            "latency_p95_ms": row["latency_p95_ms"],
            "variation_cv": row["tps_steady_cv"],
        }
        result.observations += measured(base, values)
    return result


CONDITIONS_2020 = {
    "percona_mysql_mariadb_tpcc_2020": "tpcc-baremetal-2020",
    "percona_myrocks_2021": "oltp-baremetal-2021",
    "percona_pg_checkpoint_2020": "tpcc-postgresql-baremetal-2020",
}
UNDATED = {"percona_pg_checkpoint_2020": "2020-07"}
"""Month of a source whose rows carry no date, from the name of its repository."""

STORAGE_2020 = {"NVMe": "nvme", "SATA SSD": "sata-ssd", "": ""}


def engines_2020(folder: Path) -> Imported:
    """TPC-C and sysbench runs of 2020 and 2021; the series is the directory and file of the run."""
    rows = read_table(folder, "engines_baremetal_2020_21")
    result = Imported("engines_baremetal_2020_21", len(rows))
    for row in rows:
        source = row["source_id"]
        values = {
            "transactions_per_s": row["tps"],
            "transactions_per_s_steady": row["tps_steady_mean"],
            "queries_per_s": row["qps"],
            "latency_p95_ms": row["latency_p95_ms"],
            "variation_cv": row["tps_steady_cv"],
        }
        base = Observation(
            source_id=source,
            condition_id=CONDITIONS_2020[source],
            series=row["file"].removesuffix(".txt"),
            date=row["date"] or UNDATED[source],
            platform="bare-metal",
            engine=ENGINES[row["engine"]],
            engine_version=_version_2020(row),
            storage_type=_storage_2020(row),
            nodes="1",
            workload=row["workload"].replace(" ", "_"),
            threads=plain(row["threads"]),
            buffer_pool_gib=plain(row["cache_gb"]),
            duration_s=str(round(float(row["duration_s"]))) if row["duration_s"] else "",
            note=_note_2020(row),
        )
        result.observations += measured(base, values)
    return result


def _storage_2020(row: Row) -> str:
    if row["file"].endswith(".ssd.txt"):
        return "sata-ssd"
    return STORAGE_2020[row["storage_type"]]


def _version_2020(row: Row) -> str:
    if row["engine"] == "see file":
        return ""
    if row["engine"].startswith("MySQL") or row["engine"].startswith("Percona"):
        return "8.0.21"
    found = re.search(r"10\.5\.\d+", row["file"])
    return found[0] if found else row["engine"].rpartition(" ")[2]


def _note_2020(row: Row) -> str:
    notes = []
    if not row["tps"]:
        notes.append("run without a final summary: steady part only")
    if row["engine"] == "see file":
        notes.append("engine not stated in the file name")
    named = re.search(r"threads(\d+)/", row["file"])
    threads = plain(row["threads"])
    if named and named[1] != threads:
        notes.append(f"directory says threads{named[1]}, log says {threads} threads")
    if "mysql-8.0.21" in row["file"] and row["engine"].startswith("MariaDB"):
        notes.append("inner directory names mysql-8.0.21, outer one MariaDB")
    return "; ".join(notes)
