"""The goals of the product beside what was reached: the one file that CI holds the model to.

``HELD`` is what the bundled data reached when this file was last changed, rounded to the worse
side: the goals, then errors and widths of every hold-out, then the parts beside the curves. A worse
value fails the suite; a better one is an invitation to write it down here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.scorecard import Goal, Measure
from advisor.evaluation.choices import CHEAPEST, OURS, RANDOM, USL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.domain.scorecard import ChoiceScore, FoldScore


class Wanted(NamedTuple):
    """One goal: at most, or at least, a value."""

    key: str
    title: str
    at_most: float | None = None
    at_least: float | None = None


#: Folds whose coverage and choices have goals: key and name.
CHOSEN_FOLDS = {"threads": "thread count", "size": "size", "silicon": "silicon"}
_CHOICES = (
    Wanted("mean_regret", "mean regret", at_most=0.03),
    Wanted("p90_regret", "p90 regret", at_most=0.10),
    Wanted("within_10", "within 10 % of the best", at_least=0.95),
)
ERRORS = (
    Wanted("threads.median", "new thread count: median error", at_most=0.03),
    Wanted("threads.p90", "new thread count: p90 error", at_most=0.10),
    Wanted("threads-bend.median", "… at 0.5 to 1.33 threads per vCPU: median", at_most=0.08),
    Wanted("size.median", "new size: median error", at_most=0.04),
    Wanted("size.p90", "new size: p90 error", at_most=0.12),
    Wanted("silicon.median", "new silicon from CPU scores: median error", at_most=0.12),
)
#: 80 % intervals must cover this share.
COVERED = (0.75, 0.85)
#: Regret as a share of that of random and of the cheapest per hour.
OF_SIMPLE = 1.0 / 3.0
#: Regret by which a fixed family may look better by chance: repeat noise of the data.
NOISE = 0.018

#: What the bundled data reached, rounded to the worse side: the suite fails below it.
HELD = {
    "threads.median": 0.0117,
    "threads.p90": 0.0474,
    "threads-bend.median": 0.0217,
    "size.median": 0.025,
    "size.p90": 0.0944,
    "silicon.median": 0.0924,
    "threads.coverage": 0.8135,
    "size.coverage": 0.7887,
    "silicon.coverage": 0.8185,
    "threads.throughput.mean_regret": 0.0013,
    "threads.throughput.p90_regret": 0.0,
    "threads.throughput.within_10": 1.0,
    "threads.throughput.random": 0.0043,
    "threads.throughput.cheapest": 0.0039,
    "threads.throughput.fixed": -0.0572,
    "threads.dollars.mean_regret": 0.0025,
    "threads.dollars.p90_regret": 0.0,
    "threads.dollars.within_10": 1.0,
    "threads.dollars.random": 0.0097,
    "threads.dollars.cheapest": 0.0328,
    "threads.dollars.fixed": -0.076,
    "size.throughput.mean_regret": 0.0147,
    "size.throughput.p90_regret": 0.0124,
    "size.throughput.within_10": 0.9375,
    "size.throughput.random": 0.0517,
    "size.throughput.cheapest": 0.047,
    "size.throughput.fixed": -0.0298,
    "size.dollars.mean_regret": 0.0083,
    "size.dollars.p90_regret": 0.0037,
    "size.dollars.within_10": 0.9687,
    "size.dollars.random": 0.0328,
    "size.dollars.cheapest": 0.1134,
    "size.dollars.fixed": -0.0652,
    "silicon.throughput.mean_regret": 0.1013,
    "silicon.throughput.p90_regret": 0.396,
    "silicon.throughput.within_10": 0.625,
    "silicon.throughput.random": 0.3568,
    "silicon.throughput.cheapest": 0.3243,
    "silicon.throughput.fixed": 0.0115,
    "silicon.dollars.mean_regret": 0.0821,
    "silicon.dollars.p90_regret": 0.2477,
    "silicon.dollars.within_10": 0.6875,
    "silicon.dollars.random": 0.3267,
    "silicon.dollars.cheapest": 1.1298,
    "silicon.dollars.fixed": 0.017,
    "fold.threads.median": 0.0117,
    "fold.threads.p90": 0.0474,
    "fold.threads.width": 0.0326,
    "fold.threads-bend.median": 0.0217,
    "fold.threads-bend.p90": 0.0625,
    "fold.threads-bend.width": 0.0598,
    "fold.threads-everywhere.median": 0.0264,
    "fold.threads-everywhere.p90": 0.0802,
    "fold.threads-everywhere.width": 0.0602,
    "fold.band.median": 0.0233,
    "fold.band.p90": 0.0722,
    "fold.band.width": 0.0539,
    "fold.size.median": 0.025,
    "fold.size.p90": 0.0944,
    "fold.size.width": 0.0621,
    "fold.size-everywhere.median": 0.0341,
    "fold.size-everywhere.p90": 0.154,
    "fold.size-everywhere.width": 0.1158,
    "fold.family.median": 0.0201,
    "fold.family.p90": 0.069,
    "fold.family.width": 0.085,
    "fold.silicon.median": 0.0924,
    "fold.silicon.p90": 0.2579,
    "fold.silicon.width": 0.2429,
    "fold.source.median": 0.0347,
    "fold.source.p90": 0.2258,
    "fold.source.width": 0.2081,
    "part.beyond-vcpu.median": 0.0682,
    "part.beyond-vcpu.p90": 0.2224,
    "part.beyond-vcpu.width": 0.1669,
    "part.beyond-vcpu.uncovered": 0.205,
    "part.beyond-threads.median": 0.0478,
    "part.beyond-threads.p90": 0.1386,
    "part.beyond-threads.width": 0.1042,
    "part.beyond-threads.uncovered": 0.2024,
    "part.tail.median": 0.0188,
    "part.tail.p90": 0.0775,
    "part.tail.width": 0.1663,
    "part.tail.uncovered": 0.0149,
    "part.volume-threads.median": 0.0271,
    "part.volume-threads.p90": 0.077,
    "part.volume-threads.width": 0.212,
    "part.volume-threads.uncovered": 0.0,
    "part.storage-type.median": 0.2211,
    "part.storage-type.p90": 0.6523,
    "part.storage-type.width": 0.6697,
    "part.storage-type.uncovered": 0.0834,
    "part.engine-threads.median": 0.046,
    "part.engine-threads.p90": 0.1576,
    "part.engine-threads.width": 0.1089,
    "part.engine-threads.uncovered": 0.1667,
    "part.engine.median": 0.0679,
    "part.engine.p90": 0.2358,
    "part.mix.median": 0.0475,
    "part.mix.p90": 0.3341,
    "part.mix.width": 0.2215,
    "part.mix.uncovered": 0.2,
    "part.benchmark.median": 0.075,
    "part.benchmark.p90": 0.1022,
    "part.benchmark.width": 0.1993,
    "part.benchmark.uncovered": 0.0,
    "part.data-to-memory.median": 0.1391,
    "part.data-to-memory.p90": 0.2888,
    "part.data-to-memory.width": 0.3559,
    "part.data-to-memory.uncovered": 0.1667,
    "part.commit.median": 0.6909,
    "part.commit.p90": 0.973,
    "part.commit.width": 0.9452,
    "part.commit.uncovered": 0.0,
}


def goals_of(
    folds: Sequence[FoldScore],
    choices: Sequence[ChoiceScore],
    fixed: Mapping[tuple[str, Measure], tuple[str, float]],
) -> tuple[Goal, ...]:
    """Return every goal with what was reached and the best baseline.

    ``fixed``: by fold and measure the best fixed family, and our mean regret less its.
    """
    by_key = {fold.key: fold for fold in folds}
    known = {key: name for key, name in CHOSEN_FOLDS.items() if key in by_key}
    found = [_error_goal(wanted, by_key) for wanted in ERRORS if wanted.key.split(".")[0] in by_key]
    found += [_coverage_goal(by_key[key], name) for key, name in known.items()]
    for key, name in known.items():
        for measure in Measure:
            if (key, measure) in fixed:
                found += _choice_goals(key, name, measure, choices, fixed[key, measure])
    return tuple(found)


def _error_goal(wanted: Wanted, folds: dict[str, FoldScore]) -> Goal:
    key, statistic = wanted.key.split(".")
    return Goal(
        key=wanted.key,
        title=wanted.title,
        at_most=wanted.at_most,
        at_least=None,
        reached=getattr(folds[key].error, statistic),
        baseline=f"plain USL {getattr(folds[key].baseline, statistic):.1%}",
        is_validated=folds[key].is_validated,
    )


def _coverage_goal(fold: FoldScore, name: str) -> Goal:
    first = fold.coverage[0]
    return Goal(
        key=f"{fold.key}.coverage",
        title=f"new {name}: 80 % interval covers",
        at_most=COVERED[1],
        at_least=COVERED[0],
        reached=first.share,
        baseline=f"{len(fold.groups)} groups"
        + ("" if fold.is_validated else ", too few to validate"),
        is_validated=fold.is_validated,
    )


def _choice_goals(
    key: str, name: str, measure: Measure, choices: Sequence[ChoiceScore], fixed: tuple[str, float]
) -> list[Goal]:
    """Return the goals of one measure with one thing held out; ``fixed``: the best fixed family."""
    mine = {score.rule: score for score in choices if (score.fold, score.measure) == (key, measure)}
    ours = mine[OURS]
    beside = USL if USL in mine else RANDOM
    prefix = f"{key}.{'throughput' if measure is Measure.THROUGHPUT else 'dollars'}"
    title = f"new {name}, {measure}"
    found = [
        Goal(
            key=f"{prefix}.{wanted.key}",
            title=f"{title}: {wanted.title}",
            at_most=wanted.at_most,
            at_least=wanted.at_least,
            reached=getattr(ours, wanted.key),
            baseline=f"{beside} {getattr(mine[beside], wanted.key):.1%}",
        )
        for wanted in _CHOICES
    ]
    found += [
        Goal(
            key=f"{prefix}.{rule.split()[0]}",
            title=f"{title}: regret ÷ that of {rule}",
            at_most=OF_SIMPLE,
            at_least=None,
            reached=ours.mean_regret / mine[rule].mean_regret,
            baseline=f"{rule} {mine[rule].mean_regret:.1%}",
        )
        for rule in (RANDOM, CHEAPEST)
        if mine[rule].mean_regret > 0.0
    ]
    found.append(
        Goal(
            key=f"{prefix}.fixed",
            title=f"{title}: regret beyond the best fixed family",
            at_most=NOISE,
            at_least=None,
            reached=fixed[1],
            baseline=fixed[0],
        )
    )
    return found
