"""Volumes as ``advisor.storage/1`` and as CSV: versioned contracts, fields only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.csv_document import csv_text
from advisor.render.json_document import Json, json_text
from advisor.render.recommendation_json import (
    assumed_json,
    cost_json,
    estimate_json,
    evidence_json,
    storage_spec_json,
)

if TYPE_CHECKING:
    from advisor.domain.storage import StorageSpec
    from advisor.domain.volumes import InstanceLink, VolumeAnswer, VolumeOption, VolumeRequest

SCHEMA = "advisor.storage/1"
_ESTIMATE = ("value", "low", "high", "level", "basis")
#: Paths of the CSV columns: those of a volume, then the request and the versions.
CSV_PATHS = (
    "config",
    "rank",
    "is_first_on_price",
    "is_first_on_latency",
    "meets",
    *(f"storage.{name}" for name in ("type", "size_gib", "iops", "throughput_mib_per_s", "count")),
    "shape",
    *(
        f"predicted.{name}.{part}"
        for name in ("iops", "latency_avg_ms", "latency_p95_ms", "variation_cv")
        for part in _ESTIMATE
    ),
    "one_thread.iops",
    "one_thread.latency_avg_ms",
    "one_thread.latency_p95_ms",
    "throughput_mib_per_s",
    "max_throughput_mib_per_s",
    "limit",
    "full_at_threads",
    "burst.iops",
    "burst.minutes",
    "durability",
    "waste.iops",
    "waste.throughput_mib_per_s",
    "waste.usd_per_month",
    "cost.usd_per_month",
    "cost.source",
    "cost.as_of",
    "caveats",
    *(
        f"request.{name}"
        for name in (
            "size_gib", "iops", "throughput_mib_per_s", "threads", "rw", "read_ratio",
            "instance_type", "region",
        )
    ),
    "data_version",
    "prices.source",
    "prices.as_of",
)  # fmt: skip


def storage_json(answer: VolumeAnswer) -> str:
    """Return the answer as a JSON document that ends with a newline."""
    return json_text(_document(answer))


def storage_csv(answer: VolumeAnswer) -> str:
    """Return one row per volume, in the order of the answer."""
    document = _document(answer)
    shared = {name: document[name] for name in ("request", "data_version", "prices")}
    return csv_text(CSV_PATHS, [{**_volume(each, answer), **shared} for each in answer.options])


def _document(answer: VolumeAnswer) -> dict[str, Json]:
    return {
        "schema": SCHEMA,
        "request": _request(answer.request),
        "volumes": [_volume(each, answer) for each in answer.options],
        "first_on_price": _config(answer.first_on_price),
        "first_on_latency": _config(answer.first_on_latency),
        "instance": _link(answer.link),
        "left_out": [{"type": each.type.value, "reason": each.reason} for each in answer.left_out],
        "notes": list(answer.notes),
        "evidence": [evidence_json(each) for each in answer.evidence],
        "data_version": answer.data_version,
        "prices": {"source": answer.price_source, "as_of": answer.price_as_of},
    }


def _config(storage: StorageSpec | None) -> str | None:
    """Return the storage part of a CONFIG."""
    return None if storage is None else str(storage)


def _request(request: VolumeRequest) -> Json:
    return {
        "size_gib": request.size_gib,
        "iops": request.iops,
        "throughput_mib_per_s": request.throughput_mib_per_s,
        "threads": request.threads,
        "rw": request.rw,
        "read_ratio": request.read_ratio,
        "storage_types": [each.value for each in request.storage_types],
        "instance_type": request.instance_type,
        "region": request.region,
        "assumed": assumed_json(request.assumed),
    }


def _volume(option: VolumeOption, answer: VolumeAnswer) -> dict[str, Json]:
    storage, waste = option.storage, option.waste
    return {
        "config": _config(storage),
        "rank": option.rank,
        "is_first_on_price": storage == answer.first_on_price,
        "is_first_on_latency": storage == answer.first_on_latency,
        "meets": option.meets,
        "storage": storage_spec_json(storage),
        "shape": option.shape or None,
        "predicted": {
            "iops": estimate_json(option.iops),
            "latency_avg_ms": estimate_json(option.latency_avg_ms),
            "latency_p95_ms": estimate_json(option.latency_p95_ms),
            "variation_cv": estimate_json(option.variation_cv),
        },
        "one_thread": {
            "iops": option.one_thread.iops,
            "latency_avg_ms": option.one_thread.latency_avg_ms,
            "latency_p95_ms": option.one_thread.latency_p95_ms,
        },
        "throughput_mib_per_s": option.throughput_mib_per_s,
        "max_throughput_mib_per_s": option.max_throughput_mib_per_s,
        "limit": option.limit,
        "full_at_threads": option.full_at_threads,
        "burst": (
            None
            if option.burst_minutes is None
            else {"iops": option.burst_iops, "minutes": option.burst_minutes}
        ),
        "durability": option.durability,
        "waste": (
            None
            if waste is None
            else {
                "iops": waste.iops,
                "throughput_mib_per_s": waste.throughput_mib_per_s,
                "usd_per_month": waste.usd_per_month,
            }
        ),
        "cost": None if option.cost is None else cost_json(option.cost),
        "caveats": list(option.caveats),
    }


def _link(link: InstanceLink | None) -> Json:
    if link is None:
        return None
    disks = link.local_disks
    return {
        "instance_type": link.instance_type,
        "ebs_baseline_iops": link.ebs_baseline_iops,
        "ebs_max_iops": link.ebs_max_iops,
        "ebs_baseline_mib_per_s": link.ebs_baseline_mib_per_s,
        "ebs_max_mib_per_s": link.ebs_max_mib_per_s,
        "local_disks": None if disks is None else disks.count,
        "local_disks_gib": None if disks is None else disks.total_gib,
    }
