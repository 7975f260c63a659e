"""Evaluations built by hand, so that the golden files do not change with data or model.

``python -m tests.render.scorecards`` writes the golden files anew: read the diff before committing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.domain.scorecard import (
    ChoiceScore,
    Coverage,
    ErrorScore,
    Evaluation,
    FitPlot,
    FoldScore,
    Goal,
    GroupScore,
    Measure,
    PartScore,
    Scorecard,
    TieScore,
)
from advisor.render.fit_chart import fit_charts
from advisor.render.scorecard import scorecard_text
from advisor.render.scorecard_json import scorecard_json
from advisor.render.scorecard_markdown import scorecard_markdown
from tests.render.answers import GOLDEN

if TYPE_CHECKING:
    from collections.abc import Callable


def error(median: float, p90: float, worst: float, cells: int = 336) -> ErrorScore:
    return ErrorScore(cells=cells, median=median, p90=p90, worst=worst)


def coverage(level: float, share: float) -> Coverage:
    return Coverage(
        level=level, share=share, low=share - 0.041, high=share + 0.037, width=level / 8
    )


SIZE = FoldScore(
    key="size",
    title="one size of a family",
    groups=(
        GroupScore(name="m5.large", error=error(0.0214, 0.0612, 0.0813, 8), coverage_80=0.875),
        GroupScore(name="m6g.16xlarge", error=error(0.0533, 0.121, 0.157, 8), coverage_80=0.625),
    ),
    error=error(0.0312, 0.0911, 0.214),
    baseline=error(0.0421, 0.151, 0.389),
    coverage=(coverage(0.8, 0.812), coverage(0.9, 0.906)),
    is_validated=True,
)
SILICON = FoldScore(
    key="silicon",
    title="a silicon generation",
    groups=(GroupScore(name="graviton2", error=error(0.112, 0.201, 0.257), coverage_80=0.71),),
    error=error(0.0941, 0.232, 0.402),
    baseline=error(0.0913, 0.198, 82_583.0),
    coverage=(coverage(0.8, 0.78),),
    is_validated=False,
)


def choice(
    rule: str, fold: str, mean: float, p90: float, measure: Measure = Measure.THROUGHPUT
) -> ChoiceScore:
    return ChoiceScore(
        rule=rule,
        fold=fold,
        measure=measure,
        cases=112,
        mean_regret=mean,
        p90_regret=p90,
        within_5=1.0 - p90,
        within_10=1.0 - p90 / 2.0,
    )


def goal(
    key: str, title: str, reached: float, *, at_most: float | None, at_least: float | None = None
) -> Goal:
    return Goal(
        key=key,
        title=title,
        at_most=at_most,
        at_least=at_least,
        reached=reached,
        baseline="plain USL 4.2%",
    )


def usual() -> Evaluation:
    """Return an evaluation that meets some goals, misses others, and is beaten by a rule once."""
    card = Scorecard(
        goals=(
            goal("size.median", "median error of a new size", 0.0312, at_most=0.05),
            goal("silicon.p90", "p90 error of new silicon", 0.2001, at_most=0.2),
            goal(
                "size.coverage", "coverage of the 80% interval", 0.812, at_most=0.88, at_least=0.75
            ),
            goal(
                "size.throughput.random",
                "new size, throughput: regret ÷ that of random",
                0.0512,
                at_most=1.0 / 3.0,
            ),
        ),
        folds=(SIZE, SILICON),
        choices=(
            choice("advisor", "size", 0.011, 0.034),
            choice("plain USL", "size", 0.043, 0.121),
            choice("newest generation", "size", 0.041, 0.111),
            replace(choice("always m6g", "size", 0.002, 0.001), cases=40),
            choice("advisor", "size", 0.021, 0.062, Measure.DOLLARS),
            choice("plain USL", "size", 0.052, 0.149, Measure.DOLLARS),
            choice("cheapest per hour", "size", 0.093, 0.211, Measure.DOLLARS),
            choice("advisor", "silicon", 0.052, 0.149),
            choice("plain USL", "silicon", 0.217, 0.467),
            choice("newest generation", "silicon", 0.041, 0.111),
        ),
        ties=(
            TieScore(
                fold="size",
                measure=Measure.THROUGHPUT,
                true_ties=41,
                found=37,
                called_apart=512,
                wrong=3,
            ),
        ),
        parts=(
            PartScore(
                key="volumes",
                title="EBS volumes: IOPS by threads",
                groups=("gp2", "gp3", "io1"),
                error=error(0.043, 0.131, 0.35, 96),
                baseline="the nearest thread count",
                baseline_error=error(0.087, 0.2, 0.6, 96),
                coverage=Coverage(level=0.8, share=0.77, low=0.61, high=0.88, width=0.14),
                note="one volume of each type was measured, so volumes are not told apart",
            ),
            PartScore(
                key="engines",
                title="Cost of a write",
                groups=("mysql", "postgresql"),
                error=error(0.21, 0.39, 0.8, 24),
                baseline="one cost for all engines",
                baseline_error=error(0.18, 0.41, 0.9, 24),
                coverage=None,
                note="answers take no engine from another",
            ),
        ),
        anchors=(
            ("a paper", "a median error of 12% on machines of its training set"),
            ("another", "below 20% for most jobs, with runs of the very job that it predicts"),
        ),
        repeat_noise=0.0162,
    )
    return Evaluation(
        scorecard=card, data_version="0123456789ab-01234567", model_version="2026.11-1"
    )


def bare() -> Evaluation:
    """Return an evaluation with one fold that is not the usual one, and nothing else."""
    found = usual()
    card = replace(
        found.scorecard,
        goals=(goal("lost", "a value nobody knows", float("nan"), at_most=0.1),),
        folds=(SILICON,),
        choices=(),
        ties=(),
        parts=(),
        anchors=(),
    )
    return replace(found, scorecard=card)


def plots() -> tuple[FitPlot, ...]:
    """Return the fits of two types."""
    return (
        FitPlot(
            instance_type="m5.large",
            threads=(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0),
            measured=(311.0, 588.0, 654.0, 671.0, 668.0, 662.0, 641.0, 613.0),
            held_out=(300.0, 577.0, 671.0, 690.0, 688.0, 679.0, 655.0, 634.0),
        ),
        FitPlot(
            instance_type="c6g.16xlarge",
            threads=(1.0, 8.0, 64.0, 128.0),
            measured=(402.0, 3_110.0, 17_900.0, 18_400.0),
            held_out=(431.0, 3_290.0, 16_800.0, 19_100.0),
        ),
    )


RENDERINGS: dict[str, Callable[[], str]] = {
    "scorecard.txt": lambda: scorecard_text(usual()),
    "scorecard-bare.txt": lambda: scorecard_text(bare()),
    "scorecard.json": lambda: scorecard_json(usual()),
    "scorecard.md": lambda: scorecard_markdown(usual()),
    "fits.txt": lambda: f"{fit_charts(plots(), is_coloured=False)}\n",
}


if __name__ == "__main__":
    for name, render in RENDERINGS.items():
        (GOLDEN / name).write_text(render(), encoding="utf-8")
