"""What the price cache holds, for people: its age and gaps, and everything about one name."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.price_report import (
    CacheStatus,
    Change,
    Coverage,
    Found,
    Held,
    LastFailure,
    Stated,
)
from advisor.domain.quote import Origin, Subject, Trouble
from advisor.domain.vocabulary import Term
from advisor.errors import PricingError
from advisor.pricing.current import stored_documents
from advisor.pricing.documents import article_of, effective_usd, subject_of, term_of

if TYPE_CHECKING:
    from sqlite3 import Connection

    from advisor.pricing.cache import Cache


def status(cache: Cache) -> CacheStatus:
    """Return what the cache holds; a file that cannot be used is a warning, not an error."""
    try:
        with cache.file.reading() as connection:
            if connection is None:
                return _NOTHING
            return CacheStatus(
                coverage=_coverage(connection),
                troubles=_troubles(connection),
                failures=_failures(connection),
                held=_held(connection),
                file_bytes=cache.file.path.stat().st_size,
                warning=None,
            )
    except PricingError as error:
        return _empty(error.message)


def lookup(cache: Cache, name: str, region: str) -> Found:
    """Return the prices of a name in every market of a region, and how they changed.

    ``m7g.large`` finds the instance, ``db.m7g.large`` the class under each engine, ``gp3`` the
    items of the volume type on EC2 and RDS.
    """
    try:
        with cache.file.reading() as connection:
            if connection is None:
                return Found(prices=(), history=(), warning=None)
            return _found(connection, name, region)
    except PricingError as error:
        return Found(prices=(), history=(), warning=error.message)


def _empty(warning: str | None) -> CacheStatus:
    return CacheStatus(
        coverage=(), troubles=(), failures=(), held=(), file_bytes=0, warning=warning
    )


_NOTHING = _empty(None)


def _coverage(connection: Connection) -> tuple[Coverage, ...]:
    trouble_rows = connection.execute(
        "SELECT market, count(*) FROM troubles GROUP BY region, market"
    )
    troubles = dict(trouble_rows.fetchall())
    groups: dict[tuple[str, str, str, str], list[tuple[str, ...]]] = {}
    rows = connection.execute(
        "SELECT region, market, origin, fetched_at, published, prices FROM documents "
        "ORDER BY region, market"
    )
    for region, market, *rest in rows:
        subject = subject_of(market)
        if subject is not None:
            key = region, market.partition("/")[0], term_of(market) or "", subject
            groups.setdefault(key, []).append((market, *rest))
    return tuple(
        _covered(key, mine, sum(troubles.get(market, 0) for market in {row[0] for row in mine}))
        for key, mine in sorted(groups.items())
    )


def _covered(
    key: tuple[str, str, str, str], rows: list[tuple[str, ...]], troubles: int
) -> Coverage:
    region, platform, term, subject = key
    return Coverage(
        region=region,
        platform=platform,
        subject=Subject(subject),
        term=Term(term) if term else None,
        origins=tuple(sorted({row[1] for row in rows})),
        fetched_at=min(row[2] for row in rows),
        published=min((row[3] for row in rows if row[3]), default=None),
        markets=len({row[0] for row in rows}),
        prices=sum(int(row[4]) for row in rows),
        troubles=troubles,
    )


def _troubles(connection: Connection) -> tuple[Trouble, ...]:
    rows = connection.execute("SELECT market, name, reason FROM troubles ORDER BY market, name")
    return tuple(Trouble(market=market, name=name, reason=reason) for market, name, reason in rows)


def _failures(connection: Connection) -> tuple[LastFailure, ...]:
    rows = connection.execute(
        "SELECT region, subject, origin, reason, failed_at FROM failures ORDER BY 1, 2, 3"
    )
    return tuple(
        LastFailure(
            region=region,
            subject=Subject(subject),
            origin=Origin(origin),
            reason=reason,
            failed_at=failed_at,
        )
        for region, subject, origin, reason, failed_at in rows
    )


def _held(connection: Connection) -> tuple[Held, ...]:
    rows = connection.execute(
        "SELECT region, started, origins, subjects, reasons FROM held "
        "JOIN refreshes USING (region) WHERE refreshes.id = held.refresh_id ORDER BY region"
    )
    return tuple(
        Held(
            region=region,
            started=started,
            origins=tuple(json.loads(origins)),
            subjects=tuple(json.loads(subjects)),
            reasons=tuple(json.loads(reasons)),
        )
        for region, started, origins, subjects, reasons in rows
    )


def _found(connection: Connection, name: str, region: str) -> Found:
    stored, damaged = stored_documents(connection, region)
    prices = {
        (quote.market, quote.name): Stated(
            quote=quote, effective_usd=effective_usd(quote), fetched_at=fetched_at
        )
        for fetched_at, quotes in stored
        for quote in quotes
        if article_of(quote.market, quote.name) == name
    }
    return Found(
        prices=tuple(prices[key] for key in sorted(prices)),
        history=_history(connection, name, region),
        warning=f"damaged in the price cache: {', '.join(damaged)}" if damaged else None,
    )


def _history(connection: Connection, name: str, region: str) -> tuple[Change, ...]:
    rows = connection.execute(
        "SELECT market, name, seen_at, usd, upfront_usd, origin FROM history "
        "WHERE instr(market || '/', '/' || ? || '/') AND instr(name, ?) "
        "ORDER BY market, name, seen_at",
        (region, name),
    )
    return tuple(
        Change(
            market=market,
            name=item,
            seen_at=seen_at,
            usd=None if usd is None else Decimal(usd),
            upfront_usd=None if upfront is None else Decimal(upfront),
            origin=Origin(origin),
        )
        for market, item, seen_at, usd, upfront, origin in rows
        if article_of(market, item) == name
    )
