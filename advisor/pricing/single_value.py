"""The single-value rule: what a filter selects for one name has exactly one distinct price."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.quote import Quote, Trouble
from advisor.domain.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.quote import Origin, Subject


@record
class Stated:
    """One price as a row of a provider states it, before it is compared with its equals."""

    subject: Subject
    market: str
    name: str
    usd: Decimal
    unit: str
    upfront_usd: Decimal = Decimal(0)


def settled(
    rows: Iterable[Stated], origin: Origin, as_of: str
) -> tuple[tuple[Quote, ...], tuple[Trouble, ...]]:
    """Return the quotes of names with one distinct price above 0, and the trouble with the others.

    Both are sorted by market and name. A row without any price beside one with a price is dropped,
    as AWS lists what is free under the attributes of what is sold.
    """
    found: dict[tuple[str, str], set[tuple[Decimal, Decimal, str]]] = {}
    for row in rows:
        price = (row.usd, row.upfront_usd, row.unit)
        found.setdefault((row.market, row.name), set()).add(price)
    quotes: list[Quote] = []
    troubles: list[Trouble] = []
    for (market, name), stated in sorted(found.items()):
        prices = sorted(price for price in stated if price[0] > 0 or price[1] > 0)
        if len(prices) == 1:
            ((usd, upfront, unit),) = prices
            quotes.append(
                Quote(
                    market=market,
                    name=name,
                    usd=usd,
                    unit=unit,
                    origin=origin,
                    as_of=as_of,
                    upfront_usd=upfront,
                )
            )
        else:
            troubles.append(Trouble(market=market, name=name, reason=_reason(prices)))
    return tuple(quotes), tuple(troubles)


def _reason(prices: list[tuple[Decimal, Decimal, str]]) -> str:
    if not prices:
        return "a price of 0"
    words = [_shown(*price) for price in prices]
    number = "two" if len(words) == 2 else str(len(words))  # noqa: PLR2004 (a pair)
    return f"{number} prices: {', '.join(words[:-1])} and {words[-1]}"


def _shown(usd: Decimal, upfront: Decimal, unit: str) -> str:
    per = "" if unit == "hour" else f" per {unit}"
    paid = f" + {upfront.normalize():f} upfront" if upfront else ""
    return f"{usd.normalize():f}{per}{paid}"
