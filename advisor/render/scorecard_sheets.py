"""The tables of a scorecard with the words around them, for text and Markdown alike.

Says where a goal is missed, where plain USL is nearer, and which interval too few groups stand
behind. Computes nothing but the counts and differences that it names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.scorecard import Measure
from advisor.render.choice_sheets import HEADLINE_FOLD, by_case, choices, ties
from advisor.render.figures import UNKNOWN, count
from advisor.render.sheet import Sheet, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.domain.scorecard import (
        ErrorScore,
        FoldScore,
        Goal,
        PartScore,
        Scorecard,
    )

#: Most decimals that tell a value from the limit that it misses.
_MOST_DECIMALS = 4
#: What is asked of the model in short: the last part of the key of a goal.
_SHORT = ("median", "p90", "coverage", "mean_regret")


def headline(card: Scorecard) -> tuple[str, ...]:
    """Return how many goals are met, then error, regret and coverage of the usual question."""
    met = sum(goal.is_met for goal in card.goals)
    said = [f"{met} of {len(card.goals)} goals are met."]
    fold = next((each for each in card.folds if each.key == HEADLINE_FOLD), None)
    if fold is None:
        return tuple(said)
    said.append(
        "The throughput of a size that nobody measured is predicted within "
        f"{share(fold.error.median)} in the median and within {share(fold.error.p90)} in nine of "
        "ten cells."
    )
    tried = by_case(card.choices).get((fold.key, Measure.THROUGHPUT), ())
    said += [
        f"Choosing among such sizes gives up {share(ours.mean_regret)} of the best throughput on "
        "average."
        for ours in tried[:1]
    ]
    said += [
        f"The {share(each.level, 0)} interval holds {share(each.share)} of the measured values"
        f"{'' if fold.is_validated else ' (not validated: fewer than ten groups)'}."
        for each in sorted(fold.coverage, key=lambda each: each.level)[:1]
    ]
    return tuple(said)


def sheets(card: Scorecard) -> tuple[Sheet, ...]:
    """Return the tables in their order; one without rows is left out."""
    found = (
        _goals(card.goals),
        _folds(card.folds),
        _intervals(card.folds),
        *(choices(card, measure) for measure in Measure),
        ties(card),
        _parts(card.parts),
        _anchors(card),
    )
    return tuple(sheet for sheet in found if sheet.rows)


def groups(card: Scorecard) -> Sheet:
    """Return every group that was left out: too long for a page, part of the document."""
    return Sheet(
        key="groups",
        title="Held-out groups",
        lead="Each line is one group that was left out whole.",
        columns=("held out", "group", "cells", "median", "p90", "worst", "in 80%"),
        rows=tuple(
            (
                fold.title,
                group.name,
                count(group.error.cells),
                *_error(group.error),
                share(group.error.worst),
                share(group.coverage_80, 0),
            )
            for fold in card.folds
            for group in fold.groups
        ),
        figures=(2, 3, 4, 5, 6),
        notes=(),
    )


def short_goals(card: Scorecard) -> Sheet:
    """Return the goals that a reader in a hurry asks for: errors, coverage and mean regret."""
    return _goals(goal for goal in card.goals if goal.key.rpartition(".")[2] in _SHORT)


def noise_sentence(card: Scorecard) -> str:
    """Return how far repeats lie apart: no error can be told from less."""
    return (
        f"Repeats of the same measurement differ by {share(card.repeat_noise)} (median coefficient "
        "of variation): an error of that size is as much the measurement's as the model's."
    )


def _goals(goals: Iterable[Goal]) -> Sheet:
    found = tuple(goals)
    return Sheet(
        key="goals",
        title="Goals",
        lead="",
        columns=("goal", "asked", "reached", "met", "baseline"),
        rows=tuple(
            (
                goal.title,
                _asked(goal),
                _reached(goal),
                _verdict(goal),
                goal.baseline or UNKNOWN,
            )
            for goal in found
        ),
        figures=(1, 2),
        notes=tuple(
            f"Missed: {goal.title}: {_reached(goal)}, asked for {_asked(goal)}."
            for goal in found
            if not goal.is_met and goal.is_validated
        ),
    )


def _verdict(goal: Goal) -> str:
    if goal.is_met:
        return "yes"
    return "NO" if goal.is_validated else "not validated"


def _limits(goal: Goal) -> list[tuple[str, float]]:
    limits = (("at least", goal.at_least), ("at most", goal.at_most))
    return [(word, value) for word, value in limits if value is not None]


def _asked(goal: Goal) -> str:
    """Return what is asked for: ``at most 5%``, ``75% to 88%``."""
    limits = _limits(goal)
    values = [f"{value * 100.0:.3g}%" for _, value in limits]
    if len(values) > 1:
        return " to ".join(values)
    return f"{limits[0][0]} {values[0]}" if values else UNKNOWN


def _reached(goal: Goal) -> str:
    """Return the value, with more digits where a limit that it misses reads the same."""
    for decimals in range(1, _MOST_DECIMALS):
        text = share(goal.reached, decimals)
        limits = [share(value, decimals) for _, value in _limits(goal)]
        if goal.is_met or text not in limits:
            return text
    return share(goal.reached, _MOST_DECIMALS)


def _error(error: ErrorScore) -> tuple[str, str]:
    return share(error.median), share(error.p90)


def _folds(folds: Iterable[FoldScore]) -> Sheet:
    found = tuple(folds)
    return Sheet(
        key="folds",
        title="Throughput error, groups held out whole",
        lead="How far predictions lie from what was measured; USL is fitted on the same rest.",
        columns=(
            "held out",
            "groups",
            "cells",
            "median",
            "p90",
            "worst",
            "USL median",
            "USL p90",
        ),
        rows=tuple(
            (
                fold.title,
                count(len(fold.groups)),
                count(fold.error.cells),
                *_error(fold.error),
                share(fold.error.worst),
                *_error(fold.baseline),
            )
            for fold in found
        ),
        figures=(1, 2, 3, 4, 5, 6, 7),
        notes=tuple(note for fold in found for note in _fold_notes(fold)),
    )


def _fold_notes(fold: FoldScore) -> Iterator[str]:
    """Yield where plain USL is nearer, and the group that is met worst."""
    nearer = [
        f"{share(theirs)} against {share(ours)} ({name})"
        for name, ours, theirs in (
            ("median", fold.error.median, fold.baseline.median),
            ("p90", fold.error.p90, fold.baseline.p90),
        )
        if theirs < ours
    ]
    if nearer:
        yield f"{fold.title}: plain USL is nearer, {', '.join(nearer)}."
    worst = max(fold.groups, key=lambda group: group.error.median, default=None)
    if worst is not None and len(fold.groups) > 1:
        yield f"{fold.title}: worst for {worst.name}, {share(worst.error.median)} in the median."


def _intervals(folds: Iterable[FoldScore]) -> Sheet:
    found = tuple(folds)
    doubtful = [fold.title for fold in found if not fold.is_validated]
    doubt = (
        f"Not validated: {'; '.join(doubtful)}. Fewer than ten independent groups calibrate and "
        "test the interval, so its share may be luck."
    )
    return Sheet(
        key="intervals",
        title="Intervals",
        lead=(
            "How often an interval that was calibrated on other groups held the measured value; "
            "width is its upper half."
        ),
        columns=("held out", "interval", "held", "95% of that share", "width", ""),
        rows=tuple(
            (
                fold.title,
                share(each.level, 0),
                share(each.share),
                f"{share(each.low)} to {share(each.high)}",
                f"+{share(each.width)}",
                "" if fold.is_validated else "not validated",
            )
            for fold in found
            for each in fold.coverage
        ),
        figures=(1, 2, 3, 4),
        notes=(doubt,) if doubtful else (),
    )


def _parts(parts: Iterable[PartScore]) -> Sheet:
    found = tuple(parts)
    return Sheet(
        key="parts",
        title="Parts beside the compute curves",
        lead="Each with groups of its own data held out; held: by its 80% interval.",
        columns=(
            *("part", "groups", "cells", "median", "p90", "held"),
            *("compared with", "median", "p90"),
        ),
        rows=tuple(
            (
                part.title,
                count(len(part.groups)),
                count(part.error.cells),
                *_error(part.error),
                share(part.coverage.share) if part.coverage else "-",
                part.baseline,
                *_error(part.baseline_error),
            )
            for part in found
        ),
        figures=(1, 2, 3, 4, 5, 7, 8),
        notes=tuple(note for part in found for note in _part_notes(part)),
    )


def _part_notes(part: PartScore) -> Iterator[str]:
    if part.baseline_error.median < part.error.median:
        yield (
            f"{part.title}: {part.baseline} is nearer, {share(part.baseline_error.median)} against "
            f"{share(part.error.median)} in the median."
        )
    held = ""
    if part.coverage:
        low, high = share(part.coverage.low), share(part.coverage.high)
        held = f"held {share(part.coverage.share)} ({low} to {high}); "
    yield f"{part.title}: {held}{part.note}"


def _anchors(card: Scorecard) -> Sheet:
    return Sheet(
        key="anchors",
        title="Published figures to hold against ours",
        lead="",
        columns=("who", "what they report"),
        rows=card.anchors,
        figures=(),
        notes=(),
    )
