"""The leaders of a ranking: near-duplicates folded, ties found on paired draws, the pick chosen."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import Objective, Station
from advisor.prediction.draws import DRAWS, drawn_rates
from advisor.prediction.uncertainty import factors_of
from advisor.recommend.options import Option, score_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.recommendation import Request
    from advisor.domain.vocabulary import Platform
    from advisor.prediction.curve import SpaceEntry
    from advisor.recommend.space import Space

#: Leaders that are compared draw by draw (MODEL.md: at most 10).
LEADERS = 10
#: Two candidates are tied when either wins in 10 % to 90 % of the draws (DESIGN.md section 5).
TIE_FROM, TIE_TO = 0.1, 0.9
#: Prices within this factor of the lowest do not decide a tie.
SAME_PRICE = Decimal("1.10")
#: A volume at its limit must score this much more than one with room on the same instance.
FULL_SCORE = 1.10
#: Throughput within which an instance of the same silicon, vCPU and memory is a near-duplicate:
#: repeat noise, p90.
DUPLICATE_WITHIN = 0.05


class Leader(NamedTuple):
    """One row of the ranking before it is explained."""

    option: Option
    probability_best: float | None
    """None: not among the leaders."""
    expected_regret: float | None
    """Mean share of the best score that is lost over the draws; None: not among the leaders."""
    tied_with: tuple[Option, ...]


def _machine(entry: SpaceEntry) -> tuple[Platform, str, int, int]:
    """Return what near-duplicates share as machines: platform, silicon, vCPU and memory."""
    instance = entry.instance
    return entry.platform, instance.silicon, instance.vcpu, round(instance.memory_gib)


def leaders(space: Space, request: Request) -> tuple[Leader, ...]:
    """Return at most ``LEADERS`` rows, the pick first; empty when nothing meets the request.

    Those tied with the best score come first, cheapest first, then the others by score.
    """
    heads = best_of(space)
    if request.workload.target_tps is None and request.objective is not Objective.COST:
        heads = [_roomier(space, head) for head in heads]
    if not heads:
        return ()
    scores = _drawn_scores(heads, request)
    wins = _wins(scores)
    best, regrets = _best_shares(scores), _regrets(scores)
    order = _order(heads, wins)
    return tuple(
        Leader(
            option=heads[index],
            probability_best=best[index],
            expected_regret=regrets[index],
            tied_with=tuple(
                heads[other] for other in order if other != index and is_tie(wins[index][other])
            ),
        )
        for index in order
    )


def best_of(space: Space) -> list[Option]:
    """Return the options with the best scores, best first: at most ``LEADERS``, none twice."""
    heads: list[Option] = []
    for option in space.scan():
        if not any(_is_duplicate(option, head) for head in heads):
            heads.append(option)
            if len(heads) == LEADERS:
                break
    return heads


def _roomier(space: Space, head: Option) -> Option:
    """Return ``head``, or where its volume is full a larger one on the same instance.

    The larger one may score a tenth less: a volume at its limit meets its expectation only when
    nothing turns out worse.
    """
    if head.point.limit not in (Station.VOLUME_IOPS, Station.VOLUME_THROUGHPUT):
        return head
    return min(
        (
            option
            for option in space.options_of(head.entry, head.storage.type)
            if option.engine is head.engine
            and option.shortfall <= 0.0
            and option.point.limit is None
            and option.score >= head.score / FULL_SCORE
        ),
        key=lambda option: option.order,
        default=head,
    )


def is_tie(share: float) -> bool:
    """Whether winning that share of the draws tells two candidates apart no better than chance."""
    return TIE_FROM <= share <= TIE_TO


def _order(heads: Sequence[Option], wins: Sequence[Sequence[float]]) -> list[int]:
    """Return the order of the leaders: the pick, those that none beats by price, then the others.

    Among leaders that none beats in nine draws of ten, and none both outruns and undercuts, the
    price decides; prices within a tenth of the lowest are one, and there the score does.
    """
    everyone = range(len(heads))
    unbeaten = [
        mine
        for mine in everyone
        if all(wins[other][mine] <= TIE_TO for other in everyone if other != mine)
        and not any(_dominates(option, heads[mine]) for option in heads)
    ] or [0]
    unbeaten.sort(key=lambda index: (heads[index].usd_per_month, heads[index].order))
    lowest = heads[unbeaten[0]].usd_per_month
    near = [index for index in unbeaten if heads[index].usd_per_month <= lowest * SAME_PRICE]
    pick = min(near, key=lambda index: heads[index].order)
    rest = [index for index in unbeaten if index != pick]
    shown = [pick, *rest]
    return shown + [index for index in everyone if index not in shown]


def _dominates(option: Option, other: Option) -> bool:
    """Whether an option is at least as fast for no more money, and better in one of the two."""
    return (
        option.rate >= other.rate
        and option.usd_per_month <= other.usd_per_month
        and (option.rate > other.rate or option.usd_per_month < other.usd_per_month)
    )


def _drawn_scores(heads: Sequence[Option], request: Request) -> list[list[float]]:
    """Return the score of each leader in every draw."""
    rates = drawn_rates([factors_of(option.settled, option.point) for option in heads])
    target = request.workload.target_tps if request.objective is Objective.COST else None
    return [
        [
            0.0
            if target is not None and rate < target
            else score_of(request.objective, rate, float(option.usd_per_month))
            for rate in drawn
        ]
        for option, drawn in zip(heads, rates, strict=True)
    ]


def win_share(own: Sequence[float], others: Sequence[float]) -> float:
    """Return the share of draws that the first wins; equal ones count half."""
    return (
        sum(
            1.0 if mine > other else 0.5 if mine == other else 0.0
            for mine, other in zip(own, others, strict=True)
        )
        / DRAWS
    )


def _wins(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the share of draws in which the row's leader beats the column's."""
    return [[win_share(own, others) for others in scores] for own in scores]


def _best_shares(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the share of draws in which each leader scores best; equal scores share the draw."""
    shares = [0.0] * len(scores)
    for draw in range(DRAWS):
        top = max(own[draw] for own in scores)
        winners = [index for index, own in enumerate(scores) if own[draw] == top]
        for index in winners:
            shares[index] += 1.0 / len(winners) / DRAWS
    return [round(share, 4) for share in shares]


def _regrets(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of 1 − score ÷ best score over the draws, of each leader.

    A draw in which no leader scores costs nothing.
    """
    tops = [max(draw) for draw in zip(*scores, strict=True)]
    return [
        round(
            sum(1.0 - mine / top for mine, top in zip(own, tops, strict=True) if top > 0.0) / DRAWS,
            4,
        )
        for own in scores
    ]


def _is_duplicate(option: Option, head: Option) -> bool:
    """Whether an option is ``head`` again.

    It has like hardware and a throughput within the noise, or it is the same instance with more or
    less of the same storage.
    """
    if option.entry is head.entry and option.storage.type is head.storage.type:
        return option.engine is head.engine
    return (
        option.engine is head.engine
        and _machine(option.entry) == _machine(head.entry)
        and abs(option.rate / head.rate - 1.0) <= DUPLICATE_WITHIN
    )


def twins_of(space: Space, head: Option) -> tuple[Option, ...]:
    """Return the best option of each other instance type that is ``head`` again, by score."""
    mine = _machine(head.entry)
    found: list[Option] = []
    for bound in space.bounds:
        is_twin = bound.entry.instance.vcpu == mine[2] and _machine(bound.entry) == mine
        if not is_twin or bound.entry is head.entry:
            continue
        matching = [
            option
            for option in space.options_of(bound.entry, head.storage.type)
            if option.shortfall <= 0.0 and _is_duplicate(option, head)
        ]
        if matching:
            found.append(min(matching, key=lambda option: option.order))
    return tuple(sorted(found, key=lambda option: option.order))
