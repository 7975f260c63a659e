"""The tables of choices and ties of a scorecard: ours beside plain USL and rules.

Says where plain USL or a rule that predicts nothing gives up less than our choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.scorecard import Measure
from advisor.render.figures import UNKNOWN, count
from advisor.render.sheet import Sheet, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.scorecard import ChoiceScore, Scorecard, TieScore

#: The fold of the headline: a size nobody measured is the usual question.
HEADLINE_FOLD = "size"
_MEASURES = {
    Measure.THROUGHPUT: "Choices by throughput",
    Measure.DOLLARS: "Choices by throughput per dollar",
}
_SHORT_MEASURES = {Measure.THROUGHPUT: "throughput", Measure.DOLLARS: "dollars"}
#: Our model and plain USL come before the rules that predict nothing.
_PREDICTING = 2
_REGRET = "What a choice gives up: 1 - chosen ÷ best, both as measured."
_RULES = (
    " Rules that predict nothing come last; with fewer cases a rule had no candidate in the others."
)
_CHOICE_COLUMNS = ("held out", "chosen by", "mean", "p90", "within 5%", "within 10%", "cases")
_CHOICE_FIGURES = (2, 3, 4, 5, 6)


def by_case(
    choices: Iterable[ChoiceScore],
) -> dict[tuple[str, Measure], tuple[ChoiceScore, ...]]:
    """Return the scores by what was held out and measure: ours, plain USL, then the rules."""
    found: dict[tuple[str, Measure], tuple[ChoiceScore, ...]] = {}
    for each in choices:
        key = (each.fold, each.measure)
        found[key] = (*found.get(key, ()), each)
    return found


def choices(card: Scorecard, measure: Measure) -> Sheet:
    """Return ours and plain USL for all that was held out, then the rules of the usual question."""
    found = {
        fold: scores
        for (fold, compared), scores in by_case(card.choices).items()
        if compared is measure
    }
    predicting = [each for scores in found.values() for each in scores[:_PREDICTING]]
    rules = found.get(HEADLINE_FOLD, ())[_PREDICTING:]
    return Sheet(
        key=f"choices-{measure.name.lower()}",
        title=_MEASURES[measure],
        lead=_REGRET + (_RULES if rules else ""),
        columns=_CHOICE_COLUMNS,
        rows=(
            *(_choice(each, _title(card, each.fold)) for each in predicting),
            *(_choice(each, UNKNOWN) for each in rules),
        ),
        figures=_CHOICE_FIGURES,
        notes=tuple(note for scores in found.values() for note in _choice_notes(card, scores)),
    )


def _choice(score: ChoiceScore, held_out: str) -> tuple[str, ...]:
    return (
        held_out,
        score.rule,
        share(score.mean_regret),
        share(score.p90_regret),
        share(score.within_5),
        share(score.within_10),
        count(score.cases),
    )


def _choice_notes(card: Scorecard, scores: Sequence[ChoiceScore]) -> Iterator[str]:
    """Yield what gives up less than our choice in the same cases."""
    ours, *others = scores
    better = [
        f"{each.rule} {share(each.mean_regret)}"
        for each in others
        if each.cases == ours.cases and each.mean_regret < ours.mean_regret
    ]
    if better:
        yield (
            f"{_title(card, ours.fold)}: better than ours ({share(ours.mean_regret)} on average): "
            f"{', '.join(better)}."
        )


def _title(card: Scorecard, fold: str) -> str:
    """Return what was held out in words."""
    return {each.key: each.title for each in card.folds}.get(fold, fold)


def ties(card: Scorecard) -> Sheet:
    """Return how well near-equal candidates are told from clearly different ones."""
    return Sheet(
        key="ties",
        title="Ties",
        lead=(
            "Pairs of the choice and another candidate of its size; true ties differ by no more "
            "than repeats of one measurement."
        ),
        columns=("held out", "by", "true ties", "found", "missed", "called apart", "wrong order"),
        rows=tuple(_tie(card, each) for each in card.ties),
        figures=(2, 3, 4, 5, 6),
        notes=(),
    )


def _tie(card: Scorecard, score: TieScore) -> tuple[str, ...]:
    return (
        _title(card, score.fold),
        _SHORT_MEASURES[score.measure],
        count(score.true_ties),
        count(score.found),
        count(score.true_ties - score.found),
        count(score.called_apart),
        count(score.wrong),
    )


def every_choice(card: Scorecard) -> Sheet:
    """Return every choice with every rule in the same cases: part of the document alone."""
    return Sheet(
        key="every-choice",
        title="Every choice",
        lead=_REGRET,
        columns=("by", *_CHOICE_COLUMNS),
        rows=tuple(
            (_SHORT_MEASURES[each.measure], *_choice(each, _title(card, each.fold)))
            for each in card.choices
        ),
        figures=tuple(index + 1 for index in _CHOICE_FIGURES),
        notes=(),
    )
