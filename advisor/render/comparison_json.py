"""A comparison as ``advisor.comparison/1``: a versioned contract, fields only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.cost import per_1000_tps, per_million
from advisor.render.assessment_json import assessed
from advisor.render.json_document import Json, json_text
from advisor.render.recommendation_json import assumed_json, predicted, workload_json

if TYPE_CHECKING:
    from advisor.domain.comparison import Comparison, Crossover, Rung, TermCosts

SCHEMA = "advisor.comparison/1"


def comparison_json(answer: Comparison) -> str:
    """Return the comparison as a JSON document that ends with a newline."""
    first = answer.assessments[0]
    shared = set.intersection(*(set(each.assumed) for each in answer.assessments))
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "workload": workload_json(
            answer.request.workload, [each for each in first.assumed if each in shared]
        ),
        "request": {"region": answer.request.region, "term": answer.request.term.value},
        "configurations": [
            {
                **assessed(each),
                "assumed": assumed_json(one for one in each.assumed if one not in shared),
            }
            for each in answer.assessments
        ],
        "ladder": [_rung(each, answer) for each in answer.ladder],
        "crossovers": [_crossover(each, answer) for each in answer.crossovers],
        "terms": [_term(each, answer) for each in answer.terms],
        "data_version": first.data_version,
        "prices": {"source": first.price_source},
        "model_version": first.model_version,
    }
    return json_text(document)


def _config(answer: Comparison, place: int) -> str:
    return str(answer.assessments[place].config)


def _rung(rung: Rung, answer: Comparison) -> Json:
    """Return one number of threads; differences are those from the first configuration."""
    base = rung.rate(0)
    return {
        "threads": rung.threads,
        "leader": _config(answer, rung.leader),
        "runner_up": _config(answer, rung.runner_up),
        "lead_ratio": rung.lead_ratio,
        "lead_transactions_per_s": rung.rate(rung.leader) - rung.rate(rung.runner_up),
        "probability_leader_beats_runner_up": rung.probability,
        "is_tie": rung.is_tie,
        "configurations": [
            {
                "config": _config(answer, place),
                "predicted": predicted(each),
                "throughput_ratio": rung.rate(place) / base,
                "difference_transactions_per_s": rung.rate(place) - base,
            }
            for place, each in enumerate(rung.predictions)
        ],
    }


def _crossover(each: Crossover, answer: Comparison) -> Json:
    return {
        "before": _config(answer, each.before),
        "after": _config(answer, each.after),
        "from_threads": each.from_threads,
        "to_threads": each.to_threads,
        "leads_until_threads": each.leads_until,
        "leads_from_threads": each.leads_from,
    }


def _term(each: TermCosts, answer: Comparison) -> Json:
    """Return the costs under a term, with those of the stated threads' work."""
    rates = [done.transactions_per_s.value for done in answer.stated.predictions]
    return {
        "term": each.term.value,
        "configurations": [
            {
                "config": _config(answer, place),
                "usd_per_month": None if cost is None else cost.usd_per_month,
                "usd_per_month_per_1000_tps": per_1000_tps(cost, rates[place]),
                "usd_per_million_transactions": per_million(cost, rates[place]),
            }
            for place, cost in enumerate(each.costs)
        ],
    }
