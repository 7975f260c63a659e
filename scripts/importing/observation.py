"""One row of ``data/observations``: a metric of a run with everything it was measured under."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field, fields, replace
from typing import TYPE_CHECKING

from scripts.importing.numbers import mean_of, plain, spread_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RATIO = "ratio"
MS = "ms"
PER_S = "1/s"
MIB_PER_S = "MiB/s"
PERCENT = "percent"

UNITS: Mapping[str, str] = {
    "transactions_per_s": PER_S,
    "transactions_per_s_steady": PER_S,
    "transactions_per_s_steady_p5": PER_S,
    "queries_per_s": PER_S,
    "queries_per_s_steady": PER_S,
    "events_per_s": PER_S,
    "errors": "count",
    "latency_min_ms": MS,
    "latency_avg_ms": MS,
    "latency_sd_ms": MS,
    "latency_p50_ms": MS,
    "latency_p95_ms": MS,
    "latency_p99_ms": MS,
    "latency_max_ms": MS,
    "latency_p95_steady_p50_ms": MS,
    "latency_p95_steady_p99_ms": MS,
    "latency_p95_second_mean_ms": MS,
    "latency_p95_second_cv": RATIO,
    "latency_p95_second_p50_ms": MS,
    "latency_p95_second_p95_ms": MS,
    "latency_p95_second_p99_ms": MS,
    "latency_p95_second_max_ms": MS,
    "read_latency_avg_ms": MS,
    "read_latency_max_ms": MS,
    "read_latency_p50_ms": MS,
    "read_latency_p95_ms": MS,
    "read_latency_p99_ms": MS,
    "write_latency_avg_ms": MS,
    "write_latency_max_ms": MS,
    "write_latency_p50_ms": MS,
    "write_latency_p95_ms": MS,
    "write_latency_p99_ms": MS,
    "sync_min_ms": MS,
    "sync_avg_ms": MS,
    "sync_sd_ms": MS,
    "sync_max_ms": MS,
    "sync_p99_ms": MS,
    "sync_p999_ms": MS,
    "iops": PER_S,
    "read_iops": PER_S,
    "write_iops": PER_S,
    "fsyncs_per_s": PER_S,
    "throughput_mib_per_s": MIB_PER_S,
    "throughput_second_p1_mib_per_s": MIB_PER_S,
    "throughput_second_p5_mib_per_s": MIB_PER_S,
    "throughput_second_p50_mib_per_s": MIB_PER_S,
    "throughput_second_p95_mib_per_s": MIB_PER_S,
    "read_throughput_mib_per_s": MIB_PER_S,
    "write_throughput_mib_per_s": MIB_PER_S,
    "variation_cv": RATIO,
    "relative_throughput": RATIO,
    "proxysql_ratio": RATIO,
    "gain_low_pct": PERCENT,
    "gain_high_pct": PERCENT,
    "peak_cpu_pct": PERCENT,
}
"""Unit of every metric; a metric that is not here cannot be imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A measured value and its conditions, as text; an empty field is unknown."""

    source_id: str
    condition_id: str
    series: str
    """Which runs belong together and what sets this one apart within its source."""
    date: str
    platform: str
    instance_type: str = ""
    vcpu: str = ""
    memory_gib: str = ""
    engine: str = ""
    engine_version: str = ""
    storage_type: str = ""
    storage_size_gib: str = ""
    """Of one volume or disk."""
    storage_iops: str = ""
    """Provisioned or baseline IOPS of one volume."""
    storage_count: str = ""
    nodes: str = ""
    workload: str
    read_ratio: str = ""
    threads: str = ""
    data_gib: str = ""
    buffer_pool_gib: str = ""
    durability: str = ""
    client: str = ""
    duration_s: str = ""
    repeats: str = "1"
    metric: str = ""
    value: str = ""
    unit: str = ""
    spread_cv: str = ""
    """Sample CV over the repeats; a CV over seconds is the metric ``variation_cv``."""
    note: str = ""


COLUMNS = tuple(item.name for item in fields(Observation))


@dataclass(slots=True)
class Imported:
    """What one table gave: observations, rows left out with the reason, rows read."""

    table: str
    rows_in: int
    observations: list[Observation] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    """Rows left out, by reason."""
    cells_dropped: dict[str, int] = field(default_factory=dict)
    """Single values left out of rows that were kept, by reason."""

    def drop(self, reason: str) -> None:
        """Count one row of the table as left out."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def drop_cell(self, reason: str) -> None:
        """Count one value of a kept row as left out."""
        self.cells_dropped[reason] = self.cells_dropped.get(reason, 0) + 1


def measured(base: Observation, values: Mapping[str, str | float]) -> list[Observation]:
    """One observation per metric that has a value."""
    return [
        replace(base, metric=metric, value=plain(value), unit=UNITS[metric])
        for metric, value in values.items()
        if value != ""
    ]


def repeated(base: Observation, repeats: Sequence[Mapping[str, str]]) -> list[Observation]:
    """Median and spread over ``repeats`` of each metric; all must carry the same metrics."""
    rows = []
    for metric in repeats[0]:
        values = [float(run[metric]) for run in repeats]
        rows.append(
            replace(
                base,
                metric=metric,
                value=mean_of(values),
                unit=UNITS[metric],
                spread_cv=spread_of(values),
                repeats=str(len(values)),
            )
        )
    return rows


def as_row(observation: Observation) -> tuple[str, ...]:
    """The observation in the order of :data:`COLUMNS`."""
    return astuple(observation)
