"""A prediction as ``advisor.prediction/1``: a versioned contract, fields only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.advice import counsel_json
from advisor.render.contested import contested_json
from advisor.render.json_document import Json, json_text
from advisor.render.recommendation_json import (
    candidate_json,
    cost_json,
    evidence_json,
    per_million_json,
    predicted,
    station_json,
    workload_json,
)

if TYPE_CHECKING:
    from advisor.domain.assessment import Assessment

SCHEMA = "advisor.prediction/1"


def assessment_json(found: Assessment) -> str:
    """Return the prediction as a JSON document that ends with a newline."""
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "workload": workload_json(found.request.workload, found.assumed),
        "request": {"region": found.request.region, "term": found.request.term.value},
        **assessed(found),
        "data_version": found.data_version,
        "prices": {
            "source": found.price_source,
            "as_of": None if found.cost is None else found.cost.as_of,
        },
        "model_version": found.model_version,
    }
    return json_text(document)


def assessed(found: Assessment) -> dict[str, Json]:
    """Return a configuration with its prediction, cost and reasons."""
    return {
        "config": str(found.config),
        **candidate_json(found.candidate),
        "predicted": predicted(found.prediction),
        "interval_is_validated": found.prediction.is_validated,
        "bottlenecks": [station_json(load) for load in found.prediction.stations],
        "burst_minutes": found.prediction.burst_minutes,
        "cost": None if found.cost is None else cost_json(found.cost),
        "unpriced": found.unpriced,
        "usd_per_million_transactions": found.usd_per_million_transactions,
        "usd_per_million_transactions_interval": per_million_json(found.cost, found.prediction),
        "usd_per_month_per_1000_tps": found.usd_per_month_per_1000_tps,
        "meets_target": found.meets_target,
        "caveats": list(found.caveats),
        "contested": contested_json(found.contested),
        "evidence": [evidence_json(each) for each in found.evidence],
        **counsel_json(found.counsel),
    }
