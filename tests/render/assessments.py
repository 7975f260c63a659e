"""Predictions, comparisons and reviews built by hand; beside ``answers``, for golden files.

``python -m tests.render.assessments`` writes the golden files anew: read the diff before
committing.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.assessment import Assessment
from advisor.domain.comparison import Comparison, Crossover, Rung, TermCosts
from advisor.domain.config import config_of
from advisor.domain.current import CurrentReview, Finding, Move, MoveKind, Problem
from advisor.domain.vocabulary import Architecture, Term
from advisor.domain.workload import Assumption
from advisor.render.assessment import assessment_explanation, assessment_text
from advisor.render.assessment_json import assessment_json
from advisor.render.comparison import comparison_text
from advisor.render.comparison_json import comparison_json
from advisor.render.recommendation import recommendation_text
from advisor.render.recommendation_json import recommendation_json
from advisor.render.recommendation_markdown import recommendation_markdown
from tests.render.answers import GOLDEN, GP3, IO2, cost, dispute, instance, prediction, row, usual

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.domain.instance import InstanceType
    from advisor.domain.recommendation import Recommendation
    from advisor.domain.storage import StorageSpec

ARM = instance("r8g.xlarge", 4)
INTEL = instance("r8i.xlarge", 4, Architecture.X86_64)


def assessed(machine: InstanceType, storage: StorageSpec, rate: float, hourly: str) -> Assessment:
    """Return the prediction of a configuration that says what a ranked row says."""
    request = usual().request
    ranked = row(1, "pick", machine, storage, rate, hourly)
    return Assessment(
        request=request,
        config=config_of(ranked.candidate),
        candidate=ranked.candidate,
        prediction=ranked.prediction,
        cost=ranked.cost,
        unpriced=None,
        meets_target=None,
        caveats=(*ranked.caveats, "not measured here: order of magnitude of NVMe flash"),
        contested=(dispute(ranked.candidate.config),),
        evidence=ranked.evidence,
        counsel=ranked.counsel,
        assumed=(
            *request.workload.assumed[:2],
            Assumption(
                name="availability", value="single", reason="the configuration has one node"
            ),
            *request.assumed[:2],
        ),
        data_version="abcdef012345-01234567",
        price_source="bundled snapshot",
        model_version="2026.11-1",
    )


def alone() -> Assessment:
    """Return a priced prediction."""
    return assessed(ARM, GP3, 1834.4175, "0.23564")


def unpriced() -> Assessment:
    """Return a prediction without a price that misses its target."""
    found = alone()
    workload = replace(found.request.workload, target_tps=5000.0, max_p95_ms=9.5)
    return replace(
        found,
        request=replace(found.request, workload=workload),
        cost=None,
        unpriced="r8g.xlarge has no reserved-1y price in eu-west-1",
        meets_target=False,
    )


def beside() -> Comparison:
    """Return a comparison with a tie, a crossover and a term without a price."""
    first, second = alone(), assessed(INTEL, IO2, 1702.0, "0.27783")
    second = replace(second, assumed=second.assumed[1:])
    rates = ((1, 140.0, 171.0), (2, 280.0, 281.0), (16, 1834.4175, 1702.0))
    ladder = tuple(
        Rung(
            threads=threads,
            predictions=(prediction(one), prediction(other)),
            leader=0 if one >= other else 1,
            runner_up=1 if one >= other else 0,
            probability=0.6 if threads == 2 else 0.98,
            is_tie=threads == 2,
        )
        for threads, one, other in rates
    )
    return Comparison(
        request=first.request,
        assessments=(first, second),
        ladder=ladder,
        crossovers=(
            Crossover(
                before=1, after=0, from_threads=2, to_threads=16, leads_until=1, leads_from=16
            ),
        ),
        terms=(
            TermCosts(term=Term.ON_DEMAND, costs=(first.cost, second.cost)),
            TermCosts(term=Term.RESERVED_1Y, costs=(cost("r8g.xlarge", "0.15"), None)),
        ),
    )


def beside_unpriced() -> Comparison:
    """Return a comparison in which one has no price and nothing is clear."""
    answer = beside()
    second = replace(answer.assessments[1], cost=None, unpriced="r8i.xlarge has no price")
    return replace(
        answer,
        assessments=(answer.assessments[0], second),
        ladder=tuple(replace(rung, is_tie=True) for rung in answer.ladder),
        crossovers=(),
    )


def reviewed() -> Recommendation:
    """Return an answer beside what somebody runs now."""
    answer = usual()
    now = assessed(INTEL, replace(IO2, iops=9000), 1702.0, "0.27783")
    safe = assessed(INTEL, IO2, 1702.0, "0.27783")
    bold = assessed(ARM, replace(IO2, iops=9000), 1834.4175, "0.23564")
    return replace(
        answer,
        request=replace(answer.request, current=now.config),
        current=CurrentReview(
            assessment=now,
            findings=(
                Finding(
                    problem=Problem.WASTED_IOPS,
                    message="9,000 IOPS are paid on the volume, r8i.xlarge sustains 6,000 to EBS",
                ),
            ),
            moves=(
                Move(
                    kind=MoveKind.LESS_IOPS,
                    to=safe,
                    throughput_ratio=1.0,
                    p95_ratio=1.0,
                    saving_usd_per_month=Decimal("195.00"),
                    is_safe=True,
                ),
                Move(
                    kind=MoveKind.OTHER_ARCHITECTURE,
                    to=bold,
                    throughput_ratio=1.078,
                    p95_ratio=0.928,
                    saving_usd_per_month=None,
                    is_safe=False,
                ),
            ),
            pick_throughput_ratio=1.078,
            pick_p95_ratio=0.928,
            pick_saving_usd_per_month=Decimal("-12.50"),
            is_pick=False,
        ),
    )


RENDERINGS: dict[str, Callable[[], str]] = {
    "prediction.txt": lambda: assessment_text(alone()),
    "prediction.explain.txt": lambda: assessment_explanation(alone()),
    "prediction.json": lambda: assessment_json(alone()),
    "prediction-unpriced.txt": lambda: assessment_text(unpriced()),
    "prediction-unpriced.json": lambda: assessment_json(unpriced()),
    "comparison.txt": lambda: comparison_text(beside()),
    "comparison.json": lambda: comparison_json(beside()),
    "comparison-unpriced.txt": lambda: comparison_text(beside_unpriced()),
    "current.txt": lambda: recommendation_text(reviewed()),
    "current.md": lambda: recommendation_markdown(reviewed()),
    "current.json": lambda: recommendation_json(reviewed()),
}


def main() -> None:
    """Write every golden file."""
    for name, render in RENDERINGS.items():
        (GOLDEN / name).write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
