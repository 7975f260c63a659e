"""The scorecard: the model against data that it did not know, beside rules and baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.scorecard import Measure, Scorecard
from advisor.evaluation.choices import Market, Trial
from advisor.evaluation.folds import folds_of, outcome_of
from advisor.evaluation.goals import CHOSEN_FOLDS, goals_of
from advisor.evaluation.parts import parts_of
from advisor.prediction.calibration import repeat_noise
from advisor.prediction.compute import Compute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from advisor.domain.scorecard import ChoiceScore, TieScore
    from advisor.prediction.fit_input import FitInput

#: Published figures to hold ours against.
ANCHORS = (
    ("Selecta (Klimovic et al., 2018)", "within 10 % of the best in 94 % of cases, cost 80 %"),
    ("Ernest (Venkataraman et al., 2016)", "prediction error below 20 %"),
)
#: Folds whose choices are scored beside those with goals.
_ALSO_CHOSEN = ("threads-everywhere", "size-everywhere", "family", "source")


def evaluate(
    data: FitInput, prices: Mapping[str, float], progress: Callable[[str, int, int], None]
) -> Scorecard:
    """Return the scorecard of the model on ``data``; the same data give the same digits.

    ``prices``: USD per hour by instance type; types without one are not chosen among.
    ``progress`` hears what is next, how many steps are done, and how many there are.
    """
    compute = Compute(data.types, data.curve_points, data.scores)
    market = Market(compute, prices)
    folds = folds_of(compute)
    choices: list[ChoiceScore] = []
    ties: list[TieScore] = []
    scores, fixed = [], {}
    for done, fold in enumerate(folds):
        progress(fold.title, done, len(folds) + 1)
        outcome = outcome_of(compute, fold)
        scores.append(outcome.score)
        if fold.key not in (*CHOSEN_FOLDS, *_ALSO_CHOSEN):
            continue
        for measure in Measure:
            trial = Trial(market, outcome, measure)
            choices += trial.choices()
            ties.append(trial.ties())
            excess = trial.excess_over_families()
            if excess is not None:
                fixed[fold.key, measure] = excess
    progress("other parts of the model", len(folds), len(folds) + 1)
    return Scorecard(
        goals=goals_of(scores, choices, fixed),
        folds=tuple(scores),
        choices=tuple(choices),
        ties=tuple(ties),
        parts=parts_of(data, compute),
        anchors=ANCHORS,
        repeat_noise=repeat_noise(compute),
    )
