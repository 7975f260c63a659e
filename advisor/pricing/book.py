"""The prices of one answer: live ones where the cache has them, the bundled snapshot beside them.

Of two prices of one thing the one of the later day counts; what the user pays by contract counts
before both. Must never substitute: no price of another term, payment or region stands in for a
missing one, and none is 0.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from advisor.domain.cost import Price, PriceTier, VolumeTariff
from advisor.domain.quote import (
    aurora_market,
    ec2_market,
    rds_market,
    storage_market,
    volume_market,
)
from advisor.domain.vocabulary import EBS_TYPES, Platform, StorageType
from advisor.pricing.hourly import HourlyPrices
from advisor.pricing.own import OWN, OwnPrices
from advisor.pricing.snapshot import document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from advisor.domain.vocabulary import Payment, Term
    from advisor.pricing.cached import CachedMarket, CachedMarkets

#: How bundled prices are named in an answer.
SNAPSHOT = "bundled snapshot"
_AURORA_MODES = {
    "aurora-standard": StorageType.AURORA_STANDARD,
    "aurora-io-optimized": StorageType.AURORA_IO_OPTIMIZED,
}
#: Units of items that only a negotiated price names.
UNITS = {
    "capacity": "GiB-month",
    "iops": "IOPS-month",
    "throughput": "MiB/s-month",
    "requests": "million-requests",
}
_DATE = 6
"""Place of the date in the row of a tariff."""


def deployment_of(*, is_multi_az: bool) -> str:
    """Return AWS's word for a deployment."""
    return "multi-az" if is_multi_az else "single-az"


class Book:
    """Prices by market; remembers which live ones it was asked for."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        live: CachedMarkets | None = None,
        own: OwnPrices | None = None,
    ) -> None:
        """``live``: by market; without it everything is from the snapshot."""
        self._connection = connection
        self._live = live
        self._own = own or OwnPrices()
        self._used: dict[str, CachedMarket] = {}
        self._has_own = False

    def ec2(self, region: str, term: Term, payment: Payment) -> HourlyPrices:
        """Return instance type → price; an upfront payment is spread evenly over the term."""
        return self._hourly(ec2_market(region, term, payment))

    def rds(self, region: str, deployment: str, term: Term, payment: Payment) -> HourlyPrices:
        """Return ``engine/class`` → price."""
        return self._hourly(rds_market(region, deployment, term, payment))

    def aurora(self, region: str, term: Term, payment: Payment) -> HourlyPrices:
        """Return ``engine/class/mode`` → price."""
        return self._hourly(aurora_market(region, term, payment))

    def volumes(self, region: str) -> dict[tuple[Platform, StorageType], VolumeTariff]:
        """Return the tariff of each EBS type that has a price: a missing one is never free."""
        found = tariffs_of(self._rows(volume_market(region)))
        return {(Platform.EC2, kind): found[kind.value] for kind in EBS_TYPES if kind in found}

    def managed_storage(
        self, region: str, engine: str, deployment: str
    ) -> dict[tuple[Platform, StorageType], VolumeTariff]:
        """Return the tariffs of RDS volumes under ``engine`` and of Aurora storage.

        List prices are alike for all engines, negotiated ones need not be.
        """
        found: dict[tuple[Platform, StorageType], VolumeTariff] = {}
        volumes = tariffs_of(self._rows(storage_market(region, engine, deployment)))
        for kind, tariff in volumes.items():
            if kind in tuple(StorageType):
                found[Platform.RDS, StorageType(kind)] = tariff
        modes = tariffs_of(self._rows(storage_market(region, "aurora", "regional")))
        for name, mode in _AURORA_MODES.items():
            if name in modes:
                found[Platform.AURORA, mode] = modes[name]
        return found

    @property
    def fetched_at(self) -> str | None:
        """When the oldest of the live prices asked for was fetched; None: none was."""
        return min((live.fetched_at for live in self._used.values()), default=None)

    @property
    def phrase(self) -> str:
        """Where the prices asked for come from, in one phrase."""
        found = SNAPSHOT
        if self._used:
            origins = ", ".join(sorted({live.origin for live in self._used.values()}))
            found = f"live prices ({origins}) of {self.fetched_at}, bundled ones for the rest"
        if self._own.discounts:
            shares = ", ".join(
                f"{name} {float(share):.4g}" for name, share in sorted(self._own.discounts.items())
            )
            found += f", less your discounts ({shares})"
        if self._has_own:
            found += ", your negotiated prices first"
        return found

    def _hourly(self, market: str) -> HourlyPrices:
        groups = document(self._connection, market)
        live = self._of(market)
        if live is not None:
            if live.is_whole:  # what a whole list of a later day lacks is not sold any more
                newest = max((str(group[1]) for group in live.body), default="")
                groups = [group for group in groups if str(group[1]) > newest]
            groups = sorted([*groups, *live.body], key=lambda group: str(group[1]))
        quotes = {
            name: (usd, source, as_of)
            for source, as_of, amounts in groups
            for name, usd in amounts.items()
        }
        for name, usd in self._own_of(market).items():
            quotes[name] = (usd, OWN, self._own.as_of)
        return HourlyPrices(quotes, self._own.factor(market))

    def _rows(self, market: str) -> list[Sequence[Any]]:
        """Return the rows of a market's tariffs, of each type from one source alone.

        Live ones of the later day, where they price all that the bundled tariff does: one item
        without a live price must not take the type away.
        """
        bundled = document(self._connection, market)
        live = self._of(market)
        rows = bundled
        if live is not None:
            listed, fresh = _by_type(bundled), _by_type(live.body)
            rows = [
                row
                for kind in dict.fromkeys((*listed, *fresh))
                for row in _chosen(listed.get(kind, []), fresh.get(kind, []))
            ]
        negotiated, factor = self._own_of(market), self._own.factor(market)
        if not negotiated and factor == 1:
            return rows
        known = {f"{row[0]}/{row[1]}/{row[2]}" for row in rows}
        added = [
            (*name.split("/"), usd, UNITS.get(name.split("/")[1], ""), OWN, self._own.as_of)
            for name, usd in negotiated.items()
            if name not in known
        ]
        return [*(self._own_row(row, negotiated, factor) for row in rows), *added]

    def _own_of(self, market: str) -> Mapping[str, str]:
        """Return the user's own prices of a market."""
        found = self._own.negotiated.get(market, {})
        self._has_own = self._has_own or bool(found)
        return found

    def _own_row(
        self, row: Sequence[Any], negotiated: Mapping[str, str], factor: Decimal
    ) -> Sequence[Any]:
        kind, item, above, amount, unit, source, as_of = row
        own = negotiated.get(f"{kind}/{item}/{above}")
        if own is not None:
            return (kind, item, above, own, unit, OWN, self._own.as_of)
        return (kind, item, above, str(Decimal(amount) * factor), unit, source, as_of)

    def _of(self, market: str) -> CachedMarket | None:
        live = None if self._live is None else self._live.get(market)
        if live is not None:
            self._used[market] = live
        return live


def _by_type(rows: Iterable[Sequence[Any]]) -> dict[str, list[Sequence[Any]]]:
    found: dict[str, list[Sequence[Any]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def _chosen(bundled: list[Sequence[Any]], live: list[Sequence[Any]]) -> list[Sequence[Any]]:
    """Return the rows of one type that count: live ones unless they are older or lack an item."""
    items = [{(row[1], row[2]) for row in rows} for rows in (bundled, live)]
    days = [max((str(row[_DATE]) for row in rows), default="") for rows in (bundled, live)]
    return live if items[0] <= items[1] and days[0] <= days[1] else bundled


def tariffs_of(rows: Iterable[Sequence[Any]]) -> dict[str, VolumeTariff]:
    """Return the tariffs of rows of (type, item, tier, amount, unit, source, date)."""
    items: dict[str, dict[str, list[PriceTier]]] = {}
    for kind, item, above, amount, unit, source, as_of in rows:
        price = Price(usd=Decimal(amount), unit=unit, source=source, as_of=as_of)
        tiers = items.setdefault(kind, {}).setdefault(item, [])
        tiers.append(PriceTier(above=int(above), price=price))
    found = ((kind, _tariff(parts)) for kind, parts in items.items())
    return {kind: tariff for kind, tariff in found if tariff is not None}


def _tariff(items: dict[str, list[PriceTier]]) -> VolumeTariff | None:
    if "capacity" not in items:
        return None
    throughput, requests = items.get("throughput"), items.get("requests")
    return VolumeTariff(
        capacity=items["capacity"][0].price,
        iops=tuple(sorted(items.get("iops", ()), key=lambda tier: tier.above)),
        throughput=throughput[0].price if throughput else None,
        requests=requests[0].price if requests else None,
    )
