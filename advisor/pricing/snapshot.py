"""The bundled price snapshot: every price with its source and date.

One query per question, because this is on the start-up path. Must never substitute: no price of
another term, region or day stands in for a missing one, and none is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb

from advisor.domain.cost import Price, PriceTier, VolumeTariff
from advisor.domain.vocabulary import EBS_TYPES, Platform, StorageType
from advisor.errors import PricingError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from advisor.domain.vocabulary import Term

#: Amounts as their shortest decimal text: 0.204, not 0.204000000.
AMOUNT = "rtrim(rtrim({}::VARCHAR, '0'), '.')"
_HOURLY = (
    f"SELECT instance_type, {AMOUNT.format('usd_per_hour')}, source_id, as_of "  # noqa: S608 (constant text)
    "FROM ec2_prices WHERE region = $1 AND term = $2"
)
_VOLUMES = (
    f"SELECT volume_type, item, tier_from, {AMOUNT.format('usd')}, unit, source_id, as_of "  # noqa: S608 (constant text)
    "FROM volume_prices WHERE region = $1 ORDER BY volume_type, item, tier_from"
)


class HourlyPrices(Mapping[str, Price]):
    """Instance type → price per hour; a type without a price is not in it."""

    __slots__ = ("_quotes",)

    def __init__(self, quotes: dict[str, tuple[str, str, str]]) -> None:
        """Keep quotes of (amount, source, date); a Price is made when asked for."""
        self._quotes = quotes

    def __getitem__(self, instance_type: str) -> Price:
        amount, source, as_of = self._quotes[instance_type]
        return Price(usd=Decimal(amount), unit="hour", source=source, as_of=as_of)

    def __iter__(self) -> Iterator[str]:
        return iter(self._quotes)

    def __len__(self) -> int:
        return len(self._quotes)

    def __contains__(self, instance_type: object) -> bool:
        return instance_type in self._quotes

    def usd(self, instance_type: str) -> Decimal | None:
        """Return the bare amount, the cheapest way to compare many; None: no price."""
        quote = self._quotes.get(instance_type)
        return Decimal(quote[0]) if quote is not None else None


def ec2_prices(connection: DuckDBPyConnection, region: str, term: Term) -> HourlyPrices:
    """Return the hourly Linux prices of a region under one term.

    Empty where no type has a price under the term. Raises PricingError when they cannot be read.
    """
    rows = fetched(connection, _HOURLY, [region, str(term)])
    return HourlyPrices({name: (amount, source, as_of) for name, amount, source, as_of in rows})


def volume_prices(
    connection: DuckDBPyConnection, region: str
) -> dict[tuple[Platform, StorageType], VolumeTariff]:
    """Return the tariff of each EBS type that has a price in a region.

    Five regions have none, fifteen more lack io2: a missing type is unpriced, never free.
    """
    tariffs = tariffs_of(fetched(connection, _VOLUMES, [region]))
    return {
        (Platform.EC2, kind): tariffs[kind.value] for kind in EBS_TYPES if kind.value in tariffs
    }


def tariffs_of(rows: Iterable[tuple[str, ...]]) -> dict[str, VolumeTariff]:
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


def fetched(
    connection: DuckDBPyConnection, statement: str, parameters: list[str]
) -> list[tuple[str, ...]]:
    """Return the rows of a price query; raises PricingError when they cannot be read."""
    try:
        return connection.execute(statement, parameters).fetchall()
    except duckdb.Error as error:
        raise PricingError(f"the bundled prices cannot be read: {error}") from error
