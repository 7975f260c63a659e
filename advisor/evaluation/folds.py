"""The ways to hold out groups of the measured points, and what comes of each."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.scorecard import FoldScore, GroupScore, error_score
from advisor.evaluation.coverage import Cell, coverage
from advisor.evaluation.usl import Usl
from advisor.prediction.calibration import (
    FEWEST_GROUPS,
    Hold,
    Residual,
    groups_of,
    residuals_of,
    widths,
)
from advisor.prediction.compute import Compute, Group
from advisor.prediction.curve import Band

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEVELS = (0.8, 0.9)


class Fold(NamedTuple):
    """One way to hold out groups."""

    key: str
    title: str
    groups: tuple[Group, ...]
    """Left out one at a time; groups of one name are one independent member."""
    scored: frozenset[int] | None = None
    """Points that count in the score; None: all."""
    keeps_family: bool = True
    """Whether other points of the family stay known."""


class Outcome(NamedTuple):
    """What a fold predicted."""

    fold: Fold
    residuals: tuple[Residual, ...]
    width: dict[int, float]
    """By point: log width at 80 %, calibrated without the point's own group."""
    usl: dict[int, float]
    """By point: ln(USL ÷ measured)."""
    score: FoldScore


def folds_of(compute: Compute) -> tuple[Fold, ...]:
    """Return every way to hold out that has two groups or more, from one point to a source."""
    folds = _folds(compute)
    return tuple(fold for fold in folds if len({group.name for group in fold.groups}) > 1)


def _folds(compute: Compute) -> tuple[Fold, ...]:
    types, points = compute.types, compute.points
    counts = sorted({point.threads for point in points})
    threads = groups_of(compute, Hold.THREADS)
    inner = frozenset(index for group in threads for index in group.indices)
    bend = frozenset(index for index in inner if compute.band_at(index) is Band.BEND)
    return (
        Fold("threads", "thread count of a type", threads),
        Fold("threads-bend", "… at 0.5 to 1.33 threads per vCPU", threads, bend),
        Fold(
            "threads-everywhere",
            "thread count, of all types",
            compute.grouped(
                lambda point: str(point.threads) if point.threads in counts[1:-1] else None
            ),
        ),
        Fold(
            "band",
            "band of threads per vCPU, of a type",
            tuple(
                Group(name, indices)
                for name in types
                for band in Band
                if (
                    indices := tuple(
                        index
                        for index, point in enumerate(points)
                        if point.instance_type == name and compute.band_at(index) is band
                    )
                )
            ),
        ),
        Fold("size", "size of a family", groups_of(compute, Hold.SIZE)),
        Fold(
            "size-everywhere",
            "size, of all families",
            compute.grouped(lambda point: f"{types[point.instance_type].vcpu} vCPU"),
        ),
        Fold(
            "family",
            "family, its silicon known",
            groups_of(compute, Hold.FAMILY),
            keeps_family=False,
        ),
        Fold(
            "silicon",
            "silicon generation",
            groups_of(compute, Hold.SILICON),
            keeps_family=False,
        ),
        Fold(
            "source",
            "source",
            compute.grouped(lambda point: point.source),
            keeps_family=False,
        ),
    )


def outcome_of(compute: Compute, fold: Fold) -> Outcome:
    """Return what ``fold`` predicts; each interval is calibrated on the other groups alone."""
    residuals = residuals_of(compute, fold.groups)
    by_name = _by_group(residuals)
    width: dict[float, dict[int, float]] = {level: {} for level in LEVELS}
    for name, mine in by_name.items():
        others = [group for group in fold.groups if group.name != name]
        hidden = frozenset(
            index for group in fold.groups if group.name == name for index in group.indices
        )
        inner = residuals_of(compute, others, hidden)
        for level in LEVELS:
            by_band = widths(inner, level)
            width[level].update((each.at, by_band[each.band]) for each in mine)
    scored = [each for each in residuals if fold.scored is None or each.at in fold.scored]
    usl = _usl_errors(compute, fold)
    return Outcome(
        fold=fold,
        residuals=tuple(scored),
        width=width[LEVELS[0]],
        usl=usl,
        score=_score(fold, scored, width, usl),
    )


def _by_group(residuals: Iterable[Residual]) -> dict[str, list[Residual]]:
    """Return the residuals by their independent group, in order."""
    found: dict[str, list[Residual]] = {}
    for each in residuals:
        found.setdefault(each.group, []).append(each)
    return found


def _usl_errors(compute: Compute, fold: Fold) -> dict[int, float]:
    """Return ln(USL ÷ measured) of each point of the fold, fitted without its group."""
    errors: dict[int, float] = {}
    for group in fold.groups:
        hidden = frozenset(group.indices)
        curves = Usl(
            compute.types,
            (point for index, point in enumerate(compute.points) if index not in hidden),
        )
        for index in group.indices:
            point = compute.points[index]
            item = compute.types[point.instance_type]
            errors[index] = curves.log_tps(item, point.threads) - compute.measured(index)
    return errors


def _score(
    fold: Fold,
    scored: Sequence[Residual],
    width: Mapping[float, Mapping[int, float]],
    usl: Mapping[int, float],
) -> FoldScore:
    by_name = _by_group(scored)
    first = width[LEVELS[0]]
    return FoldScore(
        key=fold.key,
        title=fold.title,
        groups=tuple(
            GroupScore(
                name=name,
                error=error_score([each.error for each in found]),
                coverage_80=fmean(abs(each.error) <= first[each.at] for each in found),
            )
            for name, found in by_name.items()
        ),
        error=error_score([each.error for each in scored]),
        baseline=error_score([usl[each.at] for each in scored]),
        coverage=tuple(
            coverage(
                [Cell(each.group, each.error, width[level][each.at]) for each in scored], level
            )
            for level in LEVELS
        ),
        is_validated=len(by_name) >= FEWEST_GROUPS,
    )
