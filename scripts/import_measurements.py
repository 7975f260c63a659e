#!/usr/bin/env python3
"""Import the shared measurement tables into ``data/``: observations, conditions, sources, scores.

Deterministic: the same tables give the same bytes. It never copies a file, never drops a row
without saying so, and writes no prices (see ``import_prices.py``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # to run as a file too

from scripts.importing import aurora, engines, fio, mysql_cpu, postgresql, scores, tpcc, volumes
from scripts.importing.conditions import COLUMNS as CONDITION_COLUMNS
from scripts.importing.conditions import CONDITIONS
from scripts.importing.observation import COLUMNS, Imported, as_row
from scripts.importing.sources import COLUMNS as SOURCE_COLUMNS
from scripts.importing.sources import SOURCES
from scripts.importing.tables import write_table

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent

OBSERVATION_IMPORTERS: tuple[Callable[[Path], Imported], ...] = (
    aurora.against_percona_server,
    aurora.r5_against_r6g,
    aurora.r6g_claims,
    aurora.serverless,
    engines.engines_2020,
    engines.engines_2026,
    fio.fio,
    mysql_cpu.read_only_runs,
    mysql_cpu.side_tests,
    postgresql.pgbench_100gb,
    postgresql.pgbench_metal,
    postgresql.rds_comparison,
    tpcc.cluster_speedup,
    tpcc.managed_and_cluster,
    tpcc.volume_sweep,
    volumes.fdatasync,
    volumes.fileio,
    volumes.local_nvme,
    volumes.sync_latency,
)


class InconsistentImportError(Exception):
    """An observation repeats a key, or refers to a source or condition that does not exist."""


def check(imported: list[Imported]) -> None:
    """Raise :class:`InconsistentImportError` unless keys are unique and references complete."""
    sources = {source.source_id for source in SOURCES}
    conditions = {condition.condition_id: condition.source_id for condition in CONDITIONS}
    if not set(conditions.values()) <= sources:
        raise InconsistentImportError("a condition names an unknown source")
    not_key = {COLUMNS.index("value"), COLUMNS.index("spread_cv")}
    for result in imported:
        seen: set[tuple[str, ...]] = set()
        for observation in result.observations:
            row = as_row(observation)
            key = tuple(cell for n, cell in enumerate(row) if n not in not_key)
            if key in seen:
                raise InconsistentImportError(f"{result.table}: repeated key {key}")
            seen.add(key)
            if conditions.get(observation.condition_id) != observation.source_id:
                raise InconsistentImportError(f"{result.table}: {observation.condition_id}")


def write_observations(folder: Path, data: Path) -> list[Imported]:
    """Import every table of observations and write one file for each under ``data``."""
    imported = [read(folder) for read in OBSERVATION_IMPORTERS]
    check(imported)
    for result in imported:
        path = data / "observations" / f"{result.table}.csv"
        write_table(path, COLUMNS, map(as_row, result.observations))
    return imported


def write_scores(folder: Path, data: Path) -> list[tuple[Imported, int]]:
    """Write the CPU scores and hosts, and return the rows written for each table."""
    apart = data / "share-alike"
    cpu, score_rows, models = scores.cpu_scores(folder)
    scaling, scaling_rows = scores.cpu_scaling(folder)
    redis, redis_rows = scores.redis(folder)
    coremark, coremark_rows = scores.coremark(folder)
    hosts, host_rows = mysql_cpu.hosts(folder)
    write_table(apart / "cpu_models.csv", scores.MODEL_COLUMNS, models)
    catalogue = data / "catalogue"
    hosts_path = catalogue / "benchmark_hosts.csv"
    coremark_path = catalogue / "coremark.csv"
    return [
        (cpu, write_table(apart / "cpu_scores.csv", scores.SCORE_COLUMNS, score_rows)),
        (scaling, write_table(apart / "cpu_scaling.csv", scores.SCALING_COLUMNS, scaling_rows)),
        (redis, write_table(apart / "redis.csv", scores.REDIS_COLUMNS, redis_rows)),
        (coremark, write_table(coremark_path, scores.COREMARK_COLUMNS, coremark_rows)),
        (hosts, write_table(hosts_path, mysql_cpu.HOST_COLUMNS, host_rows)),
    ]


def report(result: Imported, rows_out: int) -> None:
    """Say on stderr what came in, what went out and what was left out and why."""
    dropped = sum(result.dropped.values())
    line = f"{result.table}: {result.rows_in} rows in, {dropped} dropped, {rows_out} rows out"
    print(line, file=sys.stderr)
    for reason, count in result.dropped.items():
        print(f"    {count} rows dropped: {reason}", file=sys.stderr)
    for reason, count in result.cells_dropped.items():
        print(f"    {count} values dropped: {reason}", file=sys.stderr)


def main() -> int:
    """Import everything and return the exit code."""
    parser = argparse.ArgumentParser(description="Import the shared measurement tables into data/.")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--data", type=Path, default=ROOT / "data")
    arguments = parser.parse_args()
    folder, data = arguments.shared / "measurements", arguments.data
    if not folder.is_dir():
        print(f"no measurements in {arguments.shared}: give --shared", file=sys.stderr)
        return 2
    for result in write_observations(folder, data):
        report(result, len(result.observations))
    for result, rows_out in write_scores(folder, data):
        report(result, rows_out)
    write_table(data / "sources" / "measurements.csv", SOURCE_COLUMNS, SOURCES)
    write_table(data / "conditions.csv", CONDITION_COLUMNS, CONDITIONS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
