"""A Price List file to quotes: what a market and a name select is one price, or it is Trouble."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Quote, Subject, Trouble
from advisor.domain.record import record
from advisor.pricing import price_list_sql as sql
from advisor.pricing.price_list_table import opened
from advisor.pricing.price_list_types import types_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from advisor.domain.quote import TypeFacts
    from advisor.pricing.price_list_table import Head
    from advisor.pricing.provider import Deadline

    Offers = Iterable[Mapping[str, list[str | None] | None]]


class Offer(StrEnum):
    """A file per region, by the name under which AWS lists it."""

    EC2 = "AmazonEC2"
    RDS = "AmazonRDS"
    COMPUTE_SAVINGS = "AWSComputeSavingsPlan"
    DATABASE_SAVINGS = "AWSDatabaseSavingsPlans"

    @property
    def is_savings_plan(self) -> bool:
        """Whether it states rates of Savings Plans, in a layout of their own."""
        return self in (Offer.COMPUTE_SAVINGS, Offer.DATABASE_SAVINGS)


#: Our unit, and how many of AWS's go to one of ours.
_UNITS = {
    ("gb-mo", "GiB-month"): Decimal(1),
    ("gb-month", "GiB-month"): Decimal(1),
    ("iops-mo", "IOPS-month"): Decimal(1),
    ("iops-month", "IOPS-month"): Decimal(1),
    ("gibps-mo", "MiB/s-month"): 1 / Decimal(1024),
    ("mibps-mo", "MiB/s-month"): Decimal(1),
    ("mbps-mo", "MiB/s-month"): Decimal(1),
    ("ios", "million-requests"): Decimal(1_000_000),
    ("ios", "request"): Decimal(1),
    ("acu-hr", "ACU-hour"): Decimal(1),
}
_RATES = {
    Offer.EC2: (sql.EC2, sql.EC2_RATES),
    Offer.RDS: (sql.RDS, sql.RDS_RATES),
    Offer.COMPUTE_SAVINGS: (sql.SAVINGS, sql.SAVINGS_RATES),
    Offer.DATABASE_SAVINGS: (sql.SAVINGS, sql.SAVINGS_RATES),
}


@record
class Reading:
    """What a file states."""

    published: str
    """ISO time at which AWS published it."""
    quotes: Mapping[Subject, tuple[Quote, ...]]
    """A subject without a single price is not in it."""
    troubles: Mapping[Subject, tuple[Trouble, ...]]
    types: tuple[TypeFacts, ...]


def read(  # noqa: PLR0913 (a file, and whose)
    path: Path, head: Head, *, offer: Offer, region: str, as_of: str, deadline: Deadline
) -> Reading:
    """Return all prices of ``region`` in a file of ``offer``.

    Raises PricingError when the file cannot be read before ``deadline``. Takes less than 300 MB of
    memory for a file of any size.
    """
    layout, rates = _RATES[offer]
    quotes: dict[Subject, list[Quote]] = {}
    troubles: dict[Subject, list[Trouble]] = {}
    with opened(path, head, layout, region, deadline) as connection:
        _look_ups(connection, region)
        connection.execute(rates)
        found = [_hourly(connection, as_of)]
        if not offer.is_savings_plan:
            found.append(_items(connection, as_of))
        for subject, outcome in (each for outcomes in found for each in outcomes):
            if isinstance(outcome, Quote):
                quotes.setdefault(subject, []).append(outcome)
            else:
                troubles.setdefault(subject, []).append(outcome)
        types = types_of(connection) if offer is Offer.EC2 else ()
    return Reading(
        published=head.published,
        quotes={subject: tuple(each) for subject, each in quotes.items()},
        troubles={subject: tuple(each) for subject, each in troubles.items()},
        types=types,
    )


def _look_ups(connection: DuckDBPyConnection, region: str) -> None:
    for macro in sql.MACROS:
        connection.execute(macro)
    tables = (
        (sql.MARKETS, sql.markets(region)),
        (sql.ENGINE, sql.ENGINES),
        (sql.ITEM, sql.items(region)),
    )
    for (made, filled), rows in tables:
        connection.execute(made)
        connection.executemany(filled, list(rows))


def _hourly(
    connection: DuckDBPyConnection, as_of: str
) -> Iterator[tuple[Subject, Quote | Trouble]]:
    for subject, market, name, is_upfront, offers in connection.execute(sql.HOURLY).fetchall():
        outcome = _rate(offers, is_upfront=is_upfront)
        if isinstance(outcome, str):
            yield Subject(subject), Trouble(market=market, name=name, reason=outcome)
            continue
        usd, upfront = outcome
        yield (
            Subject(subject),
            Quote(
                market=market,
                name=name,
                usd=usd,
                unit="hour",
                origin=Origin.BULK,
                as_of=as_of,
                upfront_usd=upfront,
            ),
        )


def _rate(offers: Offers, *, is_upfront: bool) -> tuple[Decimal, Decimal] | str:
    """Return what is paid by the hour and at once, or why that is not known."""
    hourly, upfront = (
        {_decimal(usd) for offer in offers for usd in offer[part] or ()}
        for part in ("hourly", "upfront")
    )
    reason = _not_one(hourly) or (_not_one(upfront, " upfront") if upfront else None)
    if reason:
        return reason
    usd, at_once = hourly.pop(), upfront.pop() if upfront else Decimal(0)
    if usd is None or at_once is None or usd < 0 or at_once < 0:
        return "a price that is no number"
    if is_upfront and at_once == 0:
        return "no upfront payment stated"
    if usd == 0 and at_once == 0:
        return "a price of 0"
    return usd, at_once


def _items(connection: DuckDBPyConnection, as_of: str) -> Iterator[tuple[Subject, Quote | Trouble]]:
    for subject, market, name, unit, prices in connection.execute(sql.ITEMS).fetchall():
        outcome = _price(prices, unit)
        if isinstance(outcome, str):
            yield Subject(subject), Trouble(market=market, name=name, reason=outcome)
            continue
        yield (
            Subject(subject),
            Quote(
                market=market, name=name, usd=outcome, unit=unit, origin=Origin.BULK, as_of=as_of
            ),
        )


def _price(prices: Iterable[Mapping[str, str | None]], unit: str) -> Decimal | str:
    """Return the price in our unit, or why it is not known."""
    found: set[Decimal | None] = set()
    for price in prices:
        factor = _UNITS.get((price["unit"] or "", unit))
        if factor is None:
            return f"a price per {price['unit']}"
        usd = _decimal(price["usd"])
        found.add(None if usd is None else _short(usd * factor))
    reason = _not_one(found)
    if reason:
        return reason
    usd = found.pop()
    if usd is None or usd < 0:
        return "a price that is no number"
    return usd or "a price of 0"


def _not_one(prices: set[Decimal | None], what: str = "") -> str | None:
    if len(prices) == 1:
        return None
    if not prices:
        return f"no{what} price stated"
    shown = sorted("none" if price is None else str(price) for price in prices)
    return f"{len(prices)}{what} prices: {' and '.join(shown)}"


def _decimal(words: str | None) -> Decimal | None:
    try:
        usd = Decimal(words or "")
    except InvalidOperation:
        return None
    return _short(usd) if usd.is_finite() else None


def _short(usd: Decimal) -> Decimal:
    """Return the number without the zeros that AWS pads it with, and without an exponent."""
    return Decimal(f"{usd.normalize():f}")
