"""The single-value rule: an item has one distinct price, or is a trouble.

Must never guess: no price is picked, averaged, or taken to be 0.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from advisor.domain.quote import Quote, Trouble
from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.documents import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.quote import Origin, Subject

_ZERO = Decimal(0)
#: Characters of a value that are shown when it is no number.
_MOST_SHOWN = 24
_COUNTED = {2: "two", 3: "three"}


@record
class Charge:
    """What one row states; texts and numbers as they came."""

    price: object
    per: Decimal = Decimal(1)
    """Factor from the row's unit to the quote's."""
    upfront: object = _ZERO
    is_upfront: bool = False
    """Whether a part is paid at once: without an amount above 0 it is half a price."""
    interruptions: str | None = None


@record
class Row:
    """A charge and what it is for."""

    subject: Subject
    market: str
    name: str
    unit: str
    charge: Charge


class Stated:
    """Prices as they are read, by market and name."""

    def __init__(self, origin: Origin, as_of: str) -> None:
        self._origin = origin
        self._as_of = as_of
        self.taken = 0
        """Rows taken or refused so far."""
        self._found: dict[tuple[str, str], dict[tuple[Decimal, Decimal], Quote]] = {}
        self._refused: dict[tuple[str, str], str] = {}

    def add(self, market: str, name: str, unit: str, charge: Charge) -> None:
        """Take what one row states.

        What is no number, is negative, is 0 without an upfront payment, or lacks a part makes a
        trouble.
        """
        self.taken += 1
        try:
            usd = _tidy(amount(charge.price) * charge.per)
            upfront_usd = amount(charge.upfront)
        except PricingError as error:
            self._refused.setdefault((market, name), error.message)
            return
        if charge.is_upfront and upfront_usd == _ZERO:
            self._refused.setdefault((market, name), "no upfront amount")
            return
        if usd == _ZERO and upfront_usd == _ZERO:
            self._refused.setdefault((market, name), "a price of 0")
            return
        quote = Quote(
            market=market,
            name=name,
            usd=usd,
            unit=unit,
            origin=self._origin,
            as_of=self._as_of,
            upfront_usd=upfront_usd,
            interruptions=charge.interruptions,
        )
        self._found.setdefault((market, name), {}).setdefault((usd, upfront_usd), quote)

    def refuse(self, market: str, name: str, reason: str) -> None:
        """Make an item a trouble, whatever else is stated about it."""
        self.taken += 1
        self._refused.setdefault((market, name), reason)

    def quotes(self) -> tuple[Quote, ...]:
        """Return the prices of items with exactly one, sorted by market and name."""
        return tuple(
            next(iter(prices.values()))
            for item, prices in sorted(self._found.items())
            if len(prices) == 1 and item not in self._refused
        )

    def troubles(self) -> tuple[Trouble, ...]:
        """Return the items without exactly one price, sorted by market and name."""
        reasons = {
            item: several(prices) for item, prices in self._found.items() if len(prices) > 1
        } | self._refused
        return tuple(
            Trouble(market=market, name=name, reason=reasons[market, name])
            for market, name in sorted(reasons)
        )


def amount(stated: object) -> Decimal:
    """Return a price as AWS states it, without needless zeros; raises PricingError."""
    if isinstance(stated, bool) or not isinstance(stated, str | int | Decimal):
        raise PricingError("no price" if stated is None else f"not a price: {_shown(stated)}")
    try:
        number = Decimal(stated)
    except InvalidOperation as error:
        raise PricingError(f"not a price: {_shown(stated)}") from error
    if not number.is_finite() or number < _ZERO:
        raise PricingError(f"not a price: {_shown(stated)}")
    return _tidy(number)


def _tidy(number: Decimal) -> Decimal:
    """Return the number without trailing zeros and without an exponent."""
    return Decimal(text_of(number))


def several(prices: Iterable[tuple[Decimal, Decimal]]) -> str:
    """Return why more than one price, each (per unit, upfront), is none."""
    *others, last = [paid(*price) for price in sorted(prices)]
    count = len(others) + 1
    return f"{_COUNTED.get(count, count)} prices: {', '.join(others)} and {last}"


def paid(usd: Decimal, upfront_usd: Decimal) -> str:
    """Return a price in words."""
    return text_of(usd) + (f" + {text_of(upfront_usd)} upfront" if upfront_usd else "")


def _shown(stated: object) -> str:
    text = repr(stated)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
