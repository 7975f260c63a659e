"""Whether new prices may be trusted beside those of before. Pure.

A refresh is held as a whole when in one market, or over all of them, more than 2 % of the prices
common with the previous data move by more than 20 %, or more than 5 % of the items have no price
any more. Of fewer than 20 prices at least 2 must do so: 1 of 10 is 10 % and says nothing. But one
item of storage that moves so far is enough: there are few, and every answer rests on them. Spot
prices move by the hour and are compared with nothing.
"""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

from advisor.domain.price_report import Move, PriceMoves
from advisor.domain.quote import Subject
from advisor.pricing.documents import effective_usd, is_by_item, subject_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.quote import Quote

    Quotes = Mapping[tuple[str, str], Quote]

#: A price has moved far when it changed by more than this.
FAR_RATIO = 0.20
#: Held above these shares: prices that moved far, of the common ones; items without a price.
MOST_FAR_RATIO, MOST_VANISHED_RATIO = 0.02, 0.05
#: Of fewer prices than this, at least so many offenders.
FEW, LEAST_OFFENDERS = 20, 2
_SHOWN = 10


def compared(before: Quotes, after: Quotes) -> PriceMoves:
    """Return new prices beside those of before; both by (market, name) and of the same scope."""
    moves = [_move(quote, after[key]) for key, quote in sorted(before.items()) if key in after]
    vanished = sorted(before.keys() - after.keys())
    up = [move.change_ratio for move in moves if move.change_ratio > 0]
    down = [move.change_ratio for move in moves if move.change_ratio < 0]
    changed = [move for move in moves if move.change_ratio]
    return PriceMoves(
        reasons=_reasons(moves, vanished),
        common=len(moves),
        moved_far=sum(_is_far(move) for move in moves),
        before=len(before),
        vanished=tuple(vanished),
        up=len(up),
        up_median_ratio=median(up) if up else None,
        down=len(down),
        down_median_ratio=median(down) if down else None,
        biggest=tuple(sorted(changed, key=_by_size)[:_SHOWN]),
    )


class _Tally:
    """What is counted of a market, or of all."""

    def __init__(self) -> None:
        self.common = self.far = self.vanished = 0
        self.least = LEAST_OFFENDERS

    def reasons(self, where: str) -> list[str]:
        found = []
        if _is_too_much(self.far, self.common, MOST_FAR_RATIO, self.least):
            found.append(
                f"{where}: {self.far} of {self.common} prices moved by more than {FAR_RATIO:.0%}"
            )
        before = self.common + self.vanished
        if _is_too_much(self.vanished, before, MOST_VANISHED_RATIO, LEAST_OFFENDERS):
            found.append(f"{where}: {self.vanished} of {before} have no price any more")
        return found


def _reasons(moves: list[Move], vanished: list[tuple[str, str]]) -> tuple[str, ...]:
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    overall = _Tally()
    for move in moves:
        if subject_of(move.market) is not Subject.SPOT:
            if is_by_item(move.market):
                tallies[move.market].least = 1
            for tally in (tallies[move.market], overall):
                tally.common += 1
                tally.far += _is_far(move)
    for market, _ in vanished:
        if subject_of(market) is not Subject.SPOT:
            for tally in (tallies[market], overall):
                tally.vanished += 1
    found = [reason for market in sorted(tallies) for reason in tallies[market].reasons(market)]
    return tuple(found or overall.reasons("all markets"))


def _is_too_much(offenders: int, of: int, most_ratio: float, least: int) -> bool:
    return offenders > most_ratio * of and (of >= FEW or offenders >= least)


def _move(old: Quote, new: Quote) -> Move:
    before, after = effective_usd(old), effective_usd(new)
    return Move(
        market=new.market,
        name=new.name,
        before_usd=before,
        after_usd=after,
        change_ratio=float(after / before - 1),
    )


def _is_far(move: Move) -> bool:
    return abs(move.change_ratio) > FAR_RATIO


def _by_size(move: Move) -> tuple[float, str, str]:
    return -abs(move.change_ratio), move.market, move.name
