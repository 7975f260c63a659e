"""Choices: which instance type a model or a rule would take, and what it would have cost.

A case is a number of threads, a set of candidates and a measure. The candidates are all measured
types of one size (which family?) or all measured types (which family and size?). Every candidate is
predicted by a model that did not know its group. Regret is 1 − chosen ÷ best, both as measured.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, hypot, log
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.scorecard import ChoiceScore, Measure, TieScore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.domain.instance import InstanceType
    from advisor.evaluation.folds import Outcome
    from advisor.prediction.compute import Compute

#: |ln ratio| up to which two measured throughputs are equal: the 90th percentile of repeats.
TIE_WITHIN = 0.05
_SHARES = (0.05, 0.10)
OURS, USL, RANDOM, CHEAPEST = "advisor", "plain USL", "random", "cheapest per hour"


class Case(NamedTuple):
    """One question: which of these points is best."""

    threads: int
    points: tuple[int, ...]
    """Indices of the candidates in ``Compute.points``."""
    of_one_size: bool


#: Which candidates of a case a rule takes; none: it does not apply.
Rule = Callable[[Case], list[int]]


class Market(NamedTuple):
    """The measured points with what each costs."""

    compute: Compute
    prices: Mapping[str, float]
    """instance type → USD per hour."""

    def item(self, point: int) -> InstanceType:
        """Return the instance type of a point."""
        return self.compute.types[self.compute.points[point].instance_type]

    def price(self, point: int) -> float:
        """Return USD per hour of a point's type; KeyError without a price."""
        return self.prices[self.item(point).name]

    def worth(self, point: int, measure: Measure, log_rate: float) -> float:
        """Return ln of what is compared, for a point with ``log_rate`` = ln(transactions/s)."""
        return log_rate - (log(self.price(point)) if measure is Measure.DOLLARS else 0.0)


def cases_of(market: Market, known: Sequence[int]) -> tuple[Case, ...]:
    """Return the cases among the points ``known``; types without a price are no candidates."""
    by_threads: dict[int, list[int]] = {}
    for point in known:
        if market.item(point).name in market.prices:
            by_threads.setdefault(market.compute.points[point].threads, []).append(point)
    found: list[Case] = []
    for threads, points in sorted(by_threads.items()):
        found.append(Case(threads, tuple(points), of_one_size=False))
        sizes: dict[int, list[int]] = {}
        for point in points:
            sizes.setdefault(market.item(point).vcpu, []).append(point)
        found += [
            Case(threads, tuple(members), of_one_size=True)
            for _, members in sorted(sizes.items())
            if len(members) > 1
        ]
    return tuple(found)


class Trial:
    """One measure under one hold-out: every rule chooses in the same cases."""

    def __init__(self, market: Market, outcome: Outcome, measure: Measure) -> None:
        self._market = market
        self._outcome = outcome
        self._measure = measure
        measured = market.compute.measured
        self._ours = {each.at: measured(each.at) + each.error for each in outcome.residuals}
        usl = {point: measured(point) + outcome.usl[point] for point in self._ours}
        self._usl = usl if outcome.fold.keeps_family else None
        self._cases = cases_of(market, sorted(self._ours))

    def choices(self) -> tuple[ChoiceScore, ...]:
        """Return the score of our model, of plain USL, and of rules that predict nothing.

        USL cannot tell families apart of which it knows nothing, and does not choose there.

        Several candidates that fit a rule count on average.
        """
        rules = {OURS: self._best(self._ours)}
        if self._usl is not None:
            rules[USL] = self._best(self._usl)
        rules |= _rules(self._market)
        scores = (self._score(name, rule, self._cases) for name, rule in rules.items())
        return tuple(score for score in scores if score is not None)

    def excess_over_families(self) -> tuple[str, float] | None:
        """Return the fixed family that does best beside our model, and our mean regret less its.

        None: there is nothing to choose.

        Each family is compared in the cases in which it is a candidate.
        """
        found: list[tuple[float, str]] = []
        for name, rule in _rules(self._market).items():
            if name.removeprefix("always ") not in self._market.compute.families:
                continue
            shared = [case for case in self._cases if rule(case)]
            mine = self._score(OURS, self._best(self._ours), shared)
            theirs = self._score(name, rule, shared)
            if mine is not None and theirs is not None:
                found.append((mine.mean_regret - theirs.mean_regret, name))
        if not found:
            return None
        excess, name = max(found)
        return name, excess

    def ties(self) -> TieScore:
        """Return how well near-equal candidates of one size are told from clearly different ones.

        A pair is called a tie when either may win in 10 % to 90 % of cases, errors independent.
        """
        width = self._outcome.width
        ties = found = apart = wrong = 0
        choose = self._best(self._ours)
        for case in self._cases:
            if not case.of_one_size:
                continue
            (mine,) = choose(case)
            for other in case.points:
                if other == mine:
                    continue
                true = self._true(mine) - self._true(other)
                expected = self._worth(mine, self._ours) - self._worth(other, self._ours)
                # Half-widths at 80 % are Z_80 σ, and P = 10 % lies at Z_80 σ of the difference.
                is_called = expected <= hypot(width[mine], width[other])
                if abs(true) <= TIE_WITHIN:
                    ties += 1
                    found += is_called
                if not is_called:
                    apart += 1
                    wrong += true < -TIE_WITHIN
        return TieScore(
            fold=self._outcome.fold.key,
            measure=self._measure,
            true_ties=ties,
            found=found,
            called_apart=apart,
            wrong=wrong,
        )

    def _worth(self, point: int, rates: Mapping[int, float]) -> float:
        return self._market.worth(point, self._measure, rates[point])

    def _true(self, point: int) -> float:
        return self._market.worth(point, self._measure, self._market.compute.measured(point))

    def _best(self, rates: Mapping[int, float]) -> Rule:
        """Return the rule that takes the candidate with the best predicted value."""
        return lambda case: [
            max(case.points, key=lambda point: (self._worth(point, rates), -point))
        ]

    def _score(self, name: str, rule: Rule, cases: Sequence[Case]) -> ChoiceScore | None:
        """Return the score of a rule over the cases in which it can choose; None: in none."""
        regrets: list[tuple[float, float]] = []
        counted = 0
        for case in cases:
            chosen = rule(case)
            counted += bool(chosen)
            best = max(map(self._true, case.points))
            regrets += [
                (1.0 - exp(self._true(point) - best), 1.0 / len(chosen)) for point in chosen
            ]
        if not counted:
            return None
        within = [sum(weight for regret, weight in regrets if regret <= share) for share in _SHARES]
        return ChoiceScore(
            rule=name,
            fold=self._outcome.fold.key,
            measure=self._measure,
            cases=counted,
            mean_regret=sum(regret * weight for regret, weight in regrets) / counted,
            p90_regret=_quantile(sorted(regrets), 0.9 * counted),
            within_5=within[0] / counted,
            within_10=within[1] / counted,
        )


def _rules(market: Market) -> dict[str, Rule]:
    """Return the rules that predict nothing.

    Where any size may be taken, all but the first two take the smallest with a vCPU per thread.
    """

    def where(is_meant: Callable[[InstanceType], bool]) -> Rule:
        return lambda case: _sized(market, case, is_meant)

    return {
        RANDOM: lambda case: list(case.points),
        CHEAPEST: lambda case: _least(case.points, market.price),
        "always Intel": where(lambda item: item.cpu_maker == "Intel"),
        "always Graviton": where(lambda item: item.cpu_maker == "AWS"),
        "newest generation": lambda case: _newest(market, case),
        **{
            f"always {family}": where(lambda item, family=family: item.family == family)  # type: ignore[misc]
            for family in sorted(market.compute.families)
        },
    }


def _least(points: Sequence[int], key: Callable[[int], float]) -> list[int]:
    least = min(key(point) for point in points)
    return [point for point in points if key(point) == least]


def _sized(market: Market, case: Case, is_meant: Callable[[InstanceType], bool]) -> list[int]:
    """Return the meant candidates of the size that has a vCPU per thread, else of the largest."""
    meant = [point for point in case.points if is_meant(market.item(point))]
    if case.of_one_size or not meant:
        return meant
    enough = [point for point in meant if market.item(point).vcpu >= case.threads]
    if enough:
        return _least(enough, lambda point: market.item(point).vcpu)
    return _least(meant, lambda point: -market.item(point).vcpu)


def _newest(market: Market, case: Case) -> list[int]:
    newest = max(market.item(point).generation for point in case.points)
    return _sized(market, case, lambda item: item.generation == newest)


def _quantile(weighted: Sequence[tuple[float, float]], wanted: float) -> float:
    """Return the value at which the weights of ordered (value, weight) pairs add up to more."""
    total = 0.0
    for value, weight in weighted:
        total += weight
        if total > wanted:
            return value
    return weighted[-1][0]
