"""The accuracy of the model on groups that were held out whole: what ``advisor evaluate`` finds."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence


class Measure(StrEnum):
    """What candidates of a case are compared by."""

    THROUGHPUT = "throughput"
    DOLLARS = "throughput per dollar"


@record
class ErrorScore:
    """|predicted ÷ measured − 1| over the held-out cells; shares, 0.03 is 3 %."""

    cells: int
    median: float
    p90: float
    worst: float


@record
class Coverage:
    """How often an interval at ``level`` held the measured value, calibrated on other groups."""

    level: float
    share: float
    low: float
    """Wilson's 95 % confidence interval of the share, for as many cells as are independent."""
    high: float
    width: float
    """Geometric mean of high ÷ value − 1."""


@record
class GroupScore:
    """One group left out."""

    name: str
    error: ErrorScore
    coverage_80: float
    """Share of its cells within the 80 % interval."""


@record
class FoldScore:
    """One way to hold out groups."""

    key: str
    title: str
    groups: tuple[GroupScore, ...]
    error: ErrorScore
    baseline: ErrorScore
    """Plain USL on what is left."""
    coverage: tuple[Coverage, ...]
    is_validated: bool
    """Whether at least ten independent groups calibrate and test the interval."""


@record
class ChoiceScore:
    """How good the choices of one rule are: regret is 1 − chosen ÷ best, as measured."""

    rule: str
    fold: str
    """What was held out of every prediction; a rule that predicts nothing has the same cases."""
    measure: Measure
    cases: int
    mean_regret: float
    p90_regret: float
    within_5: float
    """Share of cases whose choice is within 5 % of the best."""
    within_10: float


@record
class TieScore:
    """Pairs of the choice and another candidate: those that differ by less than the noise."""

    fold: str
    measure: Measure
    true_ties: int
    found: int
    """True ties that were called ties."""
    called_apart: int
    wrong: int
    """Pairs called apart whose order is the other way round."""


@record
class PartScore:
    """A part of the model beside the compute curves, with groups of its own data held out."""

    key: str
    title: str
    groups: tuple[str, ...]
    error: ErrorScore
    baseline: str
    baseline_error: ErrorScore
    coverage: Coverage | None
    """Of the 80 % interval that answers give this part, calibrated without the group; None: answers
    predict nothing of the kind.
    """
    note: str


@record
class Goal:
    """A share to reach, what was reached, and what does as well without the model."""

    key: str
    title: str
    at_most: float | None
    at_least: float | None
    reached: float
    baseline: str
    """The best rule or model without ours, with its value."""
    is_validated: bool = True
    """Whether enough independent groups stand behind it for the value to count."""

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached, by enough groups to say so."""
        above = self.at_least is None or self.reached >= self.at_least
        return (
            self.is_validated and above and (self.at_most is None or self.reached <= self.at_most)
        )


@record
class Scorecard:
    """Everything that ``advisor evaluate`` prints."""

    goals: tuple[Goal, ...]
    folds: tuple[FoldScore, ...]
    choices: tuple[ChoiceScore, ...]
    """By fold and measure: ours first, plain USL, then rules that predict nothing."""
    ties: tuple[TieScore, ...]
    parts: tuple[PartScore, ...]
    anchors: tuple[tuple[str, str], ...]
    """Published figures to hold against ours: (who, what)."""
    repeat_noise: float
    """Median coefficient of variation of repeats."""

    def fold(self, key: str) -> FoldScore:
        """Return a fold; KeyError when there is none of that key."""
        return {fold.key: fold for fold in self.folds}[key]


@record
class Evaluation:
    """The scorecard of one knowledge base."""

    scorecard: Scorecard
    data_version: str
    """Start of the content hash and of the model hash of the knowledge base."""
    model_version: str


@record
class FitPlot:
    """The fit of one instance type against its data."""

    instance_type: str
    threads: tuple[float, ...]
    measured: tuple[float, ...]
    """transactions/s."""
    held_out: tuple[float, ...]
    """Predicted at the same thread counts without the type, transactions/s."""


def error_score(errors: Sequence[float]) -> ErrorScore:
    """Return the score of ln(predicted ÷ measured); raises ValueError without any."""
    from math import exp
    from statistics import median

    if not errors:
        raise ValueError("no cells to score")
    shares = sorted(abs(exp(error) - 1.0) for error in errors)
    return ErrorScore(
        cells=len(shares),
        median=median(shares),
        p90=shares[int(0.9 * len(shares))] if len(shares) > 1 else shares[0],
        worst=shares[-1],
    )
