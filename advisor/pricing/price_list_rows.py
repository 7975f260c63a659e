"""A Price List file to quotes: what a market and a name select is one price, or it is Trouble."""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Subject
from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing import price_list_sql as sql
from advisor.pricing.price_list_table import opened
from advisor.pricing.price_list_types import types_of
from advisor.pricing.stated import Charge, Stated
from advisor.pricing.usage_types import factor

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from advisor.domain.quote import Quote, Trouble, TypeFacts
    from advisor.pricing.price_list_table import Head
    from advisor.pricing.provider import Deadline


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
    stated = {subject: Stated(Origin.BULK, as_of) for subject in Subject}
    with opened(path, head, layout, region, deadline) as connection:
        _look_ups(connection, region)
        connection.execute(rates)
        _read_hourly(connection, stated)
        if not offer.is_savings_plan:
            _read_items(connection, stated)
        types = types_of(connection) if offer is Offer.EC2 else ()
    quotes = {subject: found.quotes() for subject, found in stated.items()}
    troubles = {subject: found.troubles() for subject, found in stated.items()}
    return Reading(
        published=head.published,
        quotes={subject: each for subject, each in quotes.items() if each},
        troubles={subject: each for subject, each in troubles.items() if each},
        types=types,
    )


def _look_ups(connection: DuckDBPyConnection, region: str) -> None:
    for macro in sql.MACROS:
        connection.execute(macro)
    tables = (
        (sql.MARKETS, sql.markets(region)),
        (sql.ENGINE, sql.engines()),
        (sql.CLASS, sql.classes()),
        (sql.ITEM, sql.items(region)),
    )
    for (made, filled), rows in tables:
        connection.execute(made)
        connection.executemany(filled, list(rows))


def _read_hourly(connection: DuckDBPyConnection, stated: Mapping[Subject, Stated]) -> None:
    for row in connection.execute(sql.HOURLY).fetchall():
        subject, market, name, is_upfront, hourly, upfront = row
        for price, at_once in product(hourly or (None,), upfront or (0,)):
            charge = Charge(price=price, upfront=at_once, is_upfront=is_upfront)
            stated[Subject(subject)].add(market, name, "hour", charge)


def _read_items(connection: DuckDBPyConnection, stated: Mapping[Subject, Stated]) -> None:
    for subject, market, name, unit, price, per in connection.execute(sql.ITEMS).fetchall():
        found = stated[Subject(subject)]
        try:
            charge = Charge(price=price, per=factor(per or "", unit))
        except PricingError as error:
            found.refuse(market, name, error.message)
        else:
            found.add(market, name, unit, charge)
