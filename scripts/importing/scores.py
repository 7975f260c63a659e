"""CPU scores of AWS instance types; the SpareCores tables stay apart under CC BY-SA 4.0."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.importing.numbers import plain
from scripts.importing.observation import Imported
from scripts.importing.tables import Row, read_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SOURCE = "sparecores_inspector"

SCORE_COLUMNS = ("source_id", "instance_type", "metric", "value", "unit", "date")
MODEL_COLUMNS = (
    "source_id",
    "instance_type",
    "vcpu",
    "architecture",
    "cpu_model",
    "threads_per_core",
    "l3_bytes",
    "l3_instances",
    "date",
)
SCALING_COLUMNS = ("source_id", "instance_type", "threads", "bogo_s")
REDIS_COLUMNS = (
    "source_id",
    "instance_type",
    "operation",
    "threads",
    "pipeline",
    "rps",
    "latency_ms",
)
COREMARK_COLUMNS = (
    "source_id",
    "instance_type",
    "threads",
    "iterations_per_s",
    "date",
    "ffmpeg_fps",
    "numa_nodes",
)

SCORE_UNITS: Mapping[str, str] = {
    "stressng_multi_bogo_s": "bogo/s",
    "stressng_single_bogo_s": "bogo/s",
    "pm_summ_cpu": "score",
    "pm_summ_me": "score",
    "pm_cpu_singlethread": "Mops/s",
    "pm_cpu_integer_math": "Mops/s",
    "pm_cpu_compression": "KB/s",
    "pm_cpu_sorting": "Kstrings/s",
    "pm_me_read_l": "MB/s",
    "pm_me_write": "MB/s",
    "pm_me_latency": "ns",
    "pm_me_threaded": "MB/s",
    "gb6_single": "score",
    "gb6_single_file_compression": "score",
    "gb6_single_text_processing": "score",
    "gb6_single_clang": "score",
    "gb6_multi": "score",
    "gb6_multi_file_compression": "score",
    "gb6_multi_text_processing": "score",
    "gb6_multi_clang": "score",
    "redis_set_rps_max": "1/s",
    "redis_set_rps_pipeline1": "1/s",
    "static_web_1k_rps_max": "1/s",
    "bw_mem_rd_largest_mb_s": "MB/s",
    "bw_mem_wr_largest_mb_s": "MB/s",
    "bw_mem_rdwr_largest_mb_s": "MB/s",
}
"""Score → unit, under the names of the provider. PassMark's units are those of its manual."""

FAILED = "score of zero: the test did not run"

ARCHITECTURES = {"x86_64": "x86_64", "aarch64": "arm64"}


def cpu_scores(
    folder: Path,
) -> tuple[Imported, list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Scores in long form, and the CPU behind them, one row per instance type."""
    rows = read_table(folder, "cpu_scores_sparecores")
    result = Imported("cpu_scores_sparecores", len(rows))
    scores: list[tuple[str, ...]] = []
    for row in rows:
        for metric, unit in SCORE_UNITS.items():
            value = plain(row[metric])
            if value == "0":
                result.drop_cell(FAILED)
            elif value:
                scores.append((SOURCE, row["instance_type"], metric, value, unit, row["date"]))
    return result, scores, [_cpu(row) for row in rows]


def _cpu(row: Row) -> tuple[str, ...]:
    cache = re.match(r"(\d+) \((\d+) instance", row["l3"])
    return (
        SOURCE,
        row["instance_type"],
        row["vcpu"],
        ARCHITECTURES[row["arch"]],
        row["cpu_model"],
        row["threads_per_core"],
        cache[1] if cache else "",
        cache[2] if cache else "",
        row["date"],
    )


def cpu_scaling(folder: Path) -> tuple[Imported, list[tuple[str, ...]]]:
    """stress-ng throughput against threads."""
    rows = read_table(folder, "cpu_scaling_stressng_sparecores")
    scaling: list[tuple[str, ...]] = [
        (SOURCE, r["instance_type"], r["threads"], plain(r["bogo_s"])) for r in rows
    ]
    return Imported("cpu_scaling_stressng_sparecores", len(rows)), scaling


def redis(folder: Path) -> tuple[Imported, list[tuple[str, ...]]]:
    """Redis SET requests per second against threads per client and pipeline depth."""
    rows = read_table(folder, "redis_sparecores")
    numbers = ("threads", "pipeline", "rps", "latency_ms")
    requests = [
        (SOURCE, row["instance_type"], row["operation"], *(plain(row[name]) for name in numbers))
        for row in rows
    ]
    return Imported("redis_sparecores", len(rows)), requests


def coremark(folder: Path) -> tuple[Imported, list[tuple[str, ...]]]:
    """CoreMark on all threads of each type, with the NUMA nodes seen."""
    rows = read_table(folder, "coremark")
    scores: list[tuple[str, ...]] = [
        (
            row["source_id"],
            row["instance_type"],
            row["threads"],
            plain(row["coremark_iter_s"]),
            row["date"],
            plain(row["ffmpeg_fps"]),
            row["numa_nodes"],
        )
        for row in rows
    ]
    return Imported("coremark", len(rows)), scores
