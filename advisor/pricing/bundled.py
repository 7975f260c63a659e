"""The bundled prices of a region one by one, named as live ones are."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.price_report import BundledPrice
from advisor.pricing.snapshot import documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from duckdb import DuckDBPyConnection

_TARIFFS = ("volumes/", "storage/")
#: Markets of the snapshot that answers never use: convertible reservations and old spot figures.
_UNUSED = ("convertible", "spot-")


def bundled_prices(connection: DuckDBPyConnection, region: str) -> tuple[BundledPrice, ...]:
    """Return every bundled price of a region by market and name; PricingError when unreadable."""
    return tuple(
        price
        for market, body in documents(connection, region).items()
        if not any(word in market for word in _UNUSED)
        for price in _prices(market, body)
    )


def _prices(market: str, body: Sequence[Any]) -> Iterator[BundledPrice]:
    if market.startswith(_TARIFFS):
        for kind, item, above, usd, unit, source, as_of in body:
            yield BundledPrice(
                market=market,
                name=f"{kind}/{item}/{above}",
                usd=Decimal(usd),
                unit=unit,
                source=source,
                as_of=as_of,
            )
        return
    for source, as_of, amounts in body:
        for name, usd in amounts.items():
            yield BundledPrice(
                market=market,
                name=name,
                usd=Decimal(usd),
                unit="hour",
                source=source,
                as_of=as_of,
            )
