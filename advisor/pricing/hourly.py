"""Prices by the hour of many instance types, made when asked for: this is on the start-up path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from advisor.domain.cost import Price
from advisor.pricing.own import OWN

_WHOLE = Decimal(1)


class HourlyPrices(Mapping[str, Price]):
    """Name → price per hour; what has no price is not in it."""

    __slots__ = ("_factor", "_made", "_quotes")

    def __init__(self, quotes: dict[str, tuple[str, str, str]], factor: Decimal = _WHOLE) -> None:
        """Keep quotes of (amount, source, date); list prices are multiplied by ``factor``."""
        self._quotes = quotes
        self._factor = factor
        self._made: dict[str, Price] = {}

    def __getitem__(self, name: str) -> Price:
        made = self._made.get(name)
        if made is None:
            amount, source, as_of = self._quotes[name]
            usd = Decimal(amount)
            if self._factor != _WHOLE and source != OWN:
                usd *= self._factor
            made = Price(usd=usd, unit="hour", source=source, as_of=as_of)
            self._made[name] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._quotes)

    def __len__(self) -> int:
        return len(self._quotes)

    def __contains__(self, name: object) -> bool:
        return name in self._quotes
