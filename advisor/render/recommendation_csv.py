"""The answer as CSV: one row per recommendation, the fields of its JSON, stable columns.

Lists are joined within a field. Cost lines and the ledger stand in JSON only; of the ledger each
station has its share of use and its time here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Station
from advisor.render.csv_document import csv_text
from advisor.render.recommendation_json import ranked_json, recommendation_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.recommendation import Ranked, Recommendation
    from advisor.render.json_document import Json

_ESTIMATES = (
    "transactions_per_s",
    "queries_per_s",
    "latency_avg_ms",
    "latency_p95_ms",
    "latency_p99_ms",
    "variation_cv",
)
#: Paths of the columns: new ones come last.
PATHS = (
    "config",
    "rank",
    "role",
    "platform",
    "engine",
    "instance_type",
    "architecture",
    "vcpu",
    "memory_gib",
    "nodes",
    "storage.type",
    "storage.size_gib",
    "storage.iops",
    "storage.throughput_mib_per_s",
    "storage.count",
    *(
        f"predicted.{name}.{part}"
        for name in _ESTIMATES
        for part in ("value", "low", "high", "level", "basis")
    ),
    "bottleneck",
    *(
        f"bottlenecks.{station.value}.{part}"
        for station in Station
        for part in ("utilisation_ratio", "time_ms")
    ),
    "burst_minutes",
    "cost.usd_per_month",
    "cost.source",
    "cost.as_of",
    "usd_per_million_transactions",
    "usd_per_month_per_1000_tps",
    "meets_target",
    "probability_best",
    "tied_with",
    "folded",
    "caveats",
    "evidence",
    "settings",
    *(
        f"workload.{name}"
        for name in (
            "threads",
            "rw",
            "read_ratio",
            "data_gib",
            "hot_gib",
            "durability",
            "availability",
            "client",
            "target_transactions_per_s",
            "headroom_ratio",
            "max_latency_p95_ms",
        )
    ),
    "request.region",
    "request.term",
    "request.objective",
    "id",
    "data_version",
    "prices.source",
    "prices.as_of",
    "model_version",
    "expected_regret",
    "interval_is_validated",
)


def recommendation_csv(answer: Recommendation) -> str:
    """Return a header and one row per ranked candidate and alternative."""
    document = recommendation_document(answer)
    shared = {
        name: document[name]
        for name in ("workload", "request", "id", "data_version", "prices", "model_version")
    }
    return csv_text(PATHS, [{**_flat(row), **shared} for row in answer.rows])


def _flat(row: Ranked) -> Mapping[str, Json]:
    """Return the JSON of a row with its lists of objects made to fit one field each."""
    done = row.prediction
    return {
        **ranked_json(row),
        "bottleneck": done.bottleneck.station.value,
        "bottlenecks": {
            load.station.value: {
                "utilisation_ratio": load.utilisation_ratio,
                "time_ms": load.time_ms,
            }
            for load in done.stations
        },
        "evidence": [each.source.id for each in row.evidence],
        "settings": [f"{each.name} = {each.value}" for each in row.counsel.settings],
    }
