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
    """One price as a row of a provider states it, before it is compared with its equals.

    A name has one unit, whatever AWS writes: rows are converted before they come here.
    """

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
    found: dict[tuple[str, str, str], set[tuple[Decimal, Decimal]]] = {}
    for row in rows:
        price = (_tidy(row.usd), _tidy(row.upfront_usd))
        found.setdefault((row.market, row.name, row.unit), set()).add(price)
    quotes: list[Quote] = []
    troubles: list[Trouble] = []
    for (market, name, unit), stated in sorted(found.items()):
        prices = sorted(price for price in stated if any(price))
        if len(prices) == 1:
            ((usd, upfront),) = prices
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


def _tidy(amount: Decimal) -> Decimal:
    """Return the number without the zeros that AWS pads it with; 10 stays 10, not 1E+1."""
    return Decimal(f"{amount.normalize():f}")


def _reason(prices: list[tuple[Decimal, Decimal]]) -> str:
    if not prices:
        return "a price of 0"
    words = [f"{usd:f} + {upfront:f} upfront" if upfront else f"{usd:f}" for usd, upfront in prices]
    number = {2: "two"}.get(len(words), str(len(words)))
    return f"{number} prices: {', '.join(words[:-1])} and {words[-1]}"
