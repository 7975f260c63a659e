"""The bundled price snapshot: every price with its source and date.

One query per question, because this is on the start-up path. Must never substitute: no price of
another term, region or day stands in for a missing one, and none is 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb

from advisor.domain.cost import Price, PriceTier, VolumeTariff
from advisor.domain.quote import ec2_market, volume_market
from advisor.domain.vocabulary import EBS_TYPES, Payment, Platform, StorageType
from advisor.errors import PricingError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from advisor.domain.vocabulary import Term

_DOCUMENT = "SELECT body FROM price_documents WHERE name = $1"


class HourlyPrices(Mapping[str, Price]):
    """Instance type → price per hour; a type without a price is not in it."""

    __slots__ = ("_made", "_quotes")

    def __init__(self, quotes: dict[str, tuple[str, str, str]]) -> None:
        """Keep quotes of (amount, source, date); a Price is made when asked for."""
        self._quotes = quotes
        self._made: dict[str, Price] = {}

    def __getitem__(self, instance_type: str) -> Price:
        made = self._made.get(instance_type)
        if made is None:
            amount, source, as_of = self._quotes[instance_type]
            made = Price(usd=Decimal(amount), unit="hour", source=source, as_of=as_of)
            self._made[instance_type] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._quotes)

    def __len__(self) -> int:
        return len(self._quotes)

    def __contains__(self, instance_type: object) -> bool:
        return instance_type in self._quotes


def ec2_prices(
    connection: DuckDBPyConnection, region: str, term: Term, payment: Payment = Payment.NONE
) -> HourlyPrices:
    """Return the hourly Linux prices of a region under one term, upfront spread evenly.

    Empty where no type has a price under the term. Raises PricingError when they cannot be read.
    """
    return hourly(connection, ec2_market(region, term, payment))


def hourly(connection: DuckDBPyConnection, market: str) -> HourlyPrices:
    """Return the hourly prices of a market; empty where nothing has a price."""
    return HourlyPrices(
        {
            name: (usd, source, as_of)
            for source, as_of, amounts in document(connection, market)
            for name, usd in amounts.items()
        }
    )


def volume_prices(
    connection: DuckDBPyConnection, region: str
) -> dict[tuple[Platform, StorageType], VolumeTariff]:
    """Return the tariff of each EBS type that has a price in a region.

    Five regions have none, fifteen more lack io2: a missing type is unpriced, never free.
    """
    tariffs = tariffs_of(document(connection, volume_market(region)))
    return {
        (Platform.EC2, kind): tariffs[kind.value] for kind in EBS_TYPES if kind.value in tariffs
    }


def tariffs_of(rows: Iterable[Sequence[Any]]) -> dict[str, VolumeTariff]:
    """Return the tariffs of rows of (type, item, tier, amount, unit, source, date)."""
    items: dict[str, dict[str, list[PriceTier]]] = {}
    for kind, item, above, amount, unit, source, as_of in rows:
        price = Price(usd=Decimal(amount), unit=unit, source=source, as_of=as_of)
        tiers = items.setdefault(kind, {}).setdefault(item, [])
        tiers.append(PriceTier(above=int(above), price=price))
    found = ((kind, _tariff(parts)) for kind, parts in items.items())
    return {kind: tariff for kind, tariff in found if tariff is not None}


def priced_regions(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Return the regions with EC2 prices, sorted."""
    rows = fetched(connection, "SELECT DISTINCT region FROM ec2_prices ORDER BY region", [])
    return tuple(region for (region,) in rows)


def volume_regions(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Return the regions with EBS prices, sorted."""
    rows = fetched(connection, "SELECT DISTINCT region FROM volume_prices ORDER BY region", [])
    return tuple(region for (region,) in rows)


def _tariff(items: dict[str, list[PriceTier]]) -> VolumeTariff | None:
    if "capacity" not in items:
        return None
    throughput, requests = items.get("throughput"), items.get("requests")
    return VolumeTariff(
        capacity=items["capacity"][0].price,
        iops=tuple(items.get("iops", ())),
        throughput=throughput[0].price if throughput else None,
        requests=requests[0].price if requests else None,
    )


def document(connection: DuckDBPyConnection, market: str) -> list[Any]:
    """Return the prices of a market as they were gathered; empty where nothing has a price."""
    rows = fetched(connection, _DOCUMENT, [market])
    found: list[Any] = json.loads(rows[0][0]) if rows else []
    return found


def fetched(
    connection: DuckDBPyConnection, statement: str, parameters: list[str]
) -> list[tuple[str, ...]]:
    """Return the rows of a price query; raises PricingError when they cannot be read."""
    try:
        return connection.execute(statement, parameters).fetchall()
    except duckdb.Error as error:
        raise PricingError(f"the bundled prices cannot be read: {error}") from error
