"""The review of what somebody runs now: the field ``current`` of ``advisor.recommendation/1``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.assessment_json import assessed
from advisor.render.recommendation_json import assumed_json

if TYPE_CHECKING:
    from advisor.domain.current import CurrentReview, Move
    from advisor.render.json_document import Json


def review_json(found: CurrentReview) -> Json:
    """Return the configuration, what is wrong with it, the moves and the pick beside it."""
    smallest = found.smallest_safe_move
    return {
        **assessed(found.assessment),
        "assumed": assumed_json(found.assessment.assumed),
        "findings": [
            {"problem": each.problem.value, "message": each.message} for each in found.findings
        ],
        "smallest_safe_move": None if smallest is None else _move(smallest),
        "moves": [_move(each) for each in found.moves],
        "pick": {
            "is_current": found.is_pick,
            "throughput_ratio": found.pick_throughput_ratio,
            "latency_p95_ratio": found.pick_p95_ratio,
            "saving_usd_per_month": found.pick_saving_usd_per_month,
        },
    }


def _move(move: Move) -> Json:
    return {
        "kind": move.kind.value,
        "config": str(move.to.config),
        "transactions_per_s": move.to.prediction.transactions_per_s.value,
        "latency_p95_ms": move.to.prediction.latency_p95_ms.value,
        "usd_per_month": None if move.to.cost is None else move.to.cost.usd_per_month,
        "throughput_ratio": move.throughput_ratio,
        "latency_p95_ratio": move.p95_ratio,
        "saving_usd_per_month": move.saving_usd_per_month,
        "is_safe": move.is_safe,
        "meets_target": move.to.meets_target,
    }
