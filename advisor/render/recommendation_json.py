"""The answer as ``advisor.recommendation/1``: a versioned contract, fields only ever added.

Units stand in field names, unknown is null, nothing is cut. Model numbers carry six significant
digits so that the bytes are stable; money is decimal, amounts to the cent.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.cost import per_million
from advisor.domain.vocabulary import Platform
from advisor.render.advice import counsel_json
from advisor.render.contested import contested_json
from advisor.render.crossovers import crossovers_json
from advisor.render.json_document import Json, json_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.candidate import Candidate
    from advisor.domain.cost import Cost
    from advisor.domain.current import CurrentReview
    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Estimate, Prediction, StationLoad
    from advisor.domain.recommendation import Constraints, Knee, Ranked, Recommendation, Request
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Assumption, Workload

SCHEMA = "advisor.recommendation/1"
_CENT = Decimal("0.01")


def recommendation_json(answer: Recommendation) -> str:
    """Return the answer as a JSON document that ends with a newline."""
    return json_text(recommendation_document(answer))


def recommendation_document(answer: Recommendation) -> dict[str, Json]:
    """Return the fields of ``advisor.recommendation/1``."""
    return {
        "schema": SCHEMA,
        "id": answer.id,
        "workload": workload_json(answer.request.workload, answer.request.all_assumed),
        "request": _request(answer.request),
        "recommendations": [ranked_json(row) for row in answer.rows],
        "knee": _knee(answer.knee),
        "contested": contested_json(answer.contested),
        "crossovers": crossovers_json(answer.crossovers),
        "current": None if answer.current is None else _current(answer.current),
        "considered": answer.considered,
        "notes": list(answer.notes),
        "unpriced": [
            {"instance_type": each.instance_type, "reason": each.reason} for each in answer.unpriced
        ],
        "rejected": {each.reason: each.count for each in answer.rejected},
        "data_version": answer.data_version,
        "prices": {"source": answer.price_source, "as_of": answer.price_as_of},
        "model_version": answer.model_version,
    }


def workload_json(workload: Workload, assumed: Sequence[Assumption]) -> Json:
    """Return what is asked of the database, and every decision that nobody stated."""
    profile = workload.profile
    return {
        "threads": workload.threads,
        "rw": profile.name,
        "read_ratio": profile.read_ratio,
        "reads_per_transaction": profile.reads,
        "writes_per_transaction": profile.writes,
        "statements_per_transaction": profile.statements,
        "data_gib": workload.data_gib,
        "hot_gib": workload.hot_gib,
        "volume_gib": workload.volume_gib,
        "durability": workload.durability.value,
        "availability": workload.availability.value,
        "nodes": workload.nodes_on(Platform.EC2),
        "client": workload.client.value,
        "target_transactions_per_s": workload.target_tps,
        "headroom_ratio": workload.headroom_ratio,
        "max_latency_p95_ms": workload.max_p95_ms,
        "connections": workload.connections,
        "assumed": assumed_json(assumed),
    }


def _request(request: Request) -> Json:
    return {
        "region": request.region,
        "term": request.term.value,
        "objective": request.objective.value,
        "top": request.top,
        "constraints": _constraints(request.constraints),
    }


def _constraints(allowed: Constraints) -> Json:
    return {
        "engines": [each.value for each in allowed.engines],
        "families": list(allowed.families),
        "architectures": [each.value for each in allowed.architectures],
        "storage_types": [each.value for each in allowed.storage_types],
        "min_vcpu": allowed.min_vcpu,
        "max_vcpu": allowed.max_vcpu,
        "min_memory_gib": allowed.min_memory_gib,
        "max_memory_gib": allowed.max_memory_gib,
        "budget_usd_per_month": allowed.budget_usd_per_month,
        "allow_ephemeral": allowed.allow_ephemeral,
    }


def ranked_json(row: Ranked) -> dict[str, Json]:
    """Return one ranked candidate."""
    return {
        "rank": row.rank,
        "config": row.candidate.config,
        "role": row.role,
        **candidate_json(row.candidate),
        "predicted": predicted(row.prediction),
        "interval_is_validated": row.prediction.is_validated,
        "bottlenecks": [station_json(load) for load in row.prediction.stations],
        "burst_minutes": row.prediction.burst_minutes,
        "cost": cost_json(row.cost),
        "usd_per_million_transactions": row.usd_per_million_transactions,
        "usd_per_million_transactions_interval": per_million_json(row.cost, row.prediction),
        "usd_per_month_per_1000_tps": row.usd_per_month_per_1000_tps,
        "meets_target": row.meets_target,
        "probability_best": row.probability_best,
        "expected_regret": row.expected_regret,
        "tied_with": list(row.tied_with),
        "folded": list(row.folded),
        "caveats": list(row.caveats),
        "evidence": [evidence_json(each) for each in row.evidence],
        **counsel_json(row.counsel),
    }


def candidate_json(candidate: Candidate) -> dict[str, Json]:
    """Return the parts of a candidate."""
    storage = candidate.storage
    return {
        "platform": candidate.platform.value,
        "engine": candidate.engine.value,
        "instance_type": candidate.instance.name,
        "architecture": candidate.instance.architecture.value,
        "vcpu": candidate.instance.vcpu,
        "memory_gib": candidate.instance.memory_gib,
        "nodes": candidate.nodes,
        "storage": storage_spec_json(storage),
    }


def storage_spec_json(storage: StorageSpec) -> Json:
    """Return storage as bought; IOPS and MiB/s are those of one volume."""
    return {
        "type": storage.type.value,
        "size_gib": storage.size_gib,
        "iops": storage.iops,
        "throughput_mib_per_s": storage.throughput_mib_per_s,
        "count": storage.count,
    }


def assumed_json(assumed: Iterable[Assumption]) -> Json:
    """Return decisions that nobody stated."""
    return [{"name": each.name, "value": each.value, "reason": each.reason} for each in assumed]


def per_million_json(cost: Cost | None, prediction: Prediction) -> Json:
    """Return the interval of the cost of a million transactions: that of the throughput."""
    rate = prediction.transactions_per_s
    return {
        "low": per_million(cost, rate.high),
        "high": per_million(cost, rate.low),
        "level": rate.level,
    }


def predicted(prediction: Prediction) -> Json:
    """Return the estimates by name; null where the evidence carries none."""
    return {
        "transactions_per_s": estimate_json(prediction.transactions_per_s),
        "queries_per_s": estimate_json(prediction.queries_per_s),
        "latency_avg_ms": estimate_json(prediction.latency_avg_ms),
        "latency_p95_ms": estimate_json(prediction.latency_p95_ms),
        "latency_p99_ms": estimate_json(prediction.latency_p99_ms),
        "variation_cv": estimate_json(prediction.variation_cv),
    }


def estimate_json(estimate: Estimate | None) -> Json:
    """Return a number with its bounds; null where there is none."""
    if estimate is None:
        return None
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "basis": estimate.basis.value,
    }


def station_json(load: StationLoad) -> Json:
    """Return one line of the bottleneck ledger."""
    return {
        "station": load.station.value,
        "load": load.load,
        "capacity": load.capacity,
        "unit": load.unit,
        "utilisation_ratio": load.utilisation_ratio,
        "time_ms": load.time_ms,
        "is_limit": load.is_limit,
        "note": load.note,
    }


def cost_json(cost: Cost) -> Json:
    """Return the bill, to the cent."""
    sources = dict.fromkeys(line.price.source for line in cost.lines)
    return {
        "usd_per_month": cost.usd_per_month,
        "lines": [
            {
                "label": line.label,
                "quantity": line.quantity,
                "unit": line.price.unit,
                "usd_per_unit": line.price.usd,
                "usd_per_month": line.usd_per_month.quantize(_CENT),
                "source": line.price.source,
                "as_of": line.price.as_of,
            }
            for line in cost.lines
        ],
        "source": ", ".join(sources),
        "as_of": cost.as_of,
    }


def evidence_json(evidence: Evidence) -> Json:
    """Return one body of measurements."""
    source = evidence.source
    return {
        "part": evidence.part,
        "what": evidence.what,
        "rows": evidence.rows,
        "source_id": source.id,
        "title": source.title,
        "url": source.url or None,
        "date": source.date or None,
        "licence": source.licence or None,
        "quality": source.quality or None,
        "caveats": source.caveats or None,
    }


def _current(found: CurrentReview) -> Json:
    from advisor.render.current_json import review_json

    return review_json(found)


def _knee(knee: Knee) -> Json:
    return {
        "half": {
            "config": knee.half_config,
            "usd_per_month": knee.half_usd_per_month,
            "throughput_ratio": knee.half_throughput_ratio,
        },
        "twice": {
            "config": knee.twice_config,
            "usd_per_month": knee.twice_usd_per_month,
            "throughput_ratio": knee.twice_throughput_ratio,
        },
    }
