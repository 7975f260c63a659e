"""The current prices in the cache: read, and replaced by those of a batch within a transaction.

Every function works in the transaction of its caller; see ``cache``.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

from advisor.pricing.batch import covered, facts_text, whole_markets
from advisor.pricing.cache_schema import checksum_of
from advisor.pricing.documents import documents_of, quotes_of, subject_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

    from advisor.domain.quote import Quote, Subject
    from advisor.pricing.batch import Batch

_DOCUMENT = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
#: At most this many parts of a market are kept beside its whole.
_FEW_PARTS = (
    "DELETE FROM documents WHERE region = ?1 AND market = ?2 AND NOT is_whole "
    "AND refresh_id NOT IN (SELECT refresh_id FROM documents "
    "WHERE region = ?1 AND market = ?2 AND NOT is_whole ORDER BY refresh_id DESC LIMIT 20)"
)
_CHANGE = "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?)"
_KNOWN = "EXISTS (SELECT 1 FROM history WHERE market = ? AND name = ?)"
#: The price before the first change, and one that comes back.
_FIRST = f"INSERT INTO history SELECT ?, ?, ?, ?, ?, ? WHERE NOT {_KNOWN}"
_RETURN = f"INSERT OR REPLACE INTO history SELECT ?, ?, ?, ?, ?, ? WHERE {_KNOWN}"
#: Refreshes of a region of which nothing is left are remembered up to this many.
_REMEMBERED = 20


def stored_documents(
    connection: Connection, region: str
) -> tuple[list[tuple[str, tuple[Quote, ...]]], list[str]]:
    """Return (when fetched, quotes) of each document of a region, and the markets of damaged ones.

    Where a price comes twice, the later one counts.
    """
    found, damaged = [], []
    rows = connection.execute(
        "SELECT market, body, paid, checksum, fetched_at FROM documents WHERE region = ? "
        "ORDER BY market, is_whole DESC, refresh_id",
        (region,),
    )
    for market, body, paid, checksum, fetched_at in rows:
        try:
            if checksum_of(market, fetched_at, body) == checksum:
                upfront = None if paid is None else zlib.decompress(paid).decode()
                found.append((fetched_at, quotes_of(market, body, upfront)))
            else:
                damaged.append(market)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, zlib.error):
            damaged.append(market)
    return found, damaged


def quotes_in(connection: Connection, region: str) -> dict[tuple[str, str], Quote]:
    """Return (market, name) → current price of a region; a damaged document has none."""
    stored, _ = stored_documents(connection, region)
    return {(each.market, each.name): each for _, quotes in stored for each in quotes}


def record_refresh(connection: Connection, batch: Batch, status: str) -> int:
    """Write who was asked for what, and return the number of the refresh."""
    subjects = {subject_of(quote.market) for quote in batch.quotes} | {*batch.settled}
    cursor = connection.execute(
        "INSERT INTO refreshes (region, subjects, origins, started, finished, requests, "
        "wire_bytes, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            batch.region,
            json.dumps(sorted(filter(None, subjects))),
            json.dumps(batch.origins),
            batch.started,
            batch.finished,
            batch.requests,
            batch.wire_bytes,
            status,
        ),
    )
    return int(cursor.lastrowid or 0)


def replace_current(connection: Connection, batch: Batch, refresh_id: int) -> None:
    """Put a batch in the place of what it refreshed."""
    region = batch.region
    before, seen = quotes_in(connection, region), _seen(connection, region)
    whole = whole_markets(batch)
    for market in _markets(connection, region):
        if market in whole or (not batch.types and subject_of(market) in batch.settled):
            _delete(connection, "documents", region, market)
            _delete(connection, "troubles", region, market)
    published = dict(batch.published)
    for document in documents_of(batch.quotes):
        market = document.market
        paid = None if document.paid is None else zlib.compress(document.paid.encode(), 1)
        where = (region, market, market in whole, batch.started, document.origin)
        how = (published.get(document.origin), document.prices, refresh_id)
        text = (checksum_of(market, batch.started, document.body), document.body, paid)
        connection.execute(_DOCUMENT, (*where, *how, *text))
        connection.execute(_FEW_PARTS, (region, market))
    _write_remarks(connection, batch)
    _write_history(connection, batch, before, seen)
    mark_replaced(connection, region)


def _seen(connection: Connection, region: str) -> dict[str, str]:
    rows = connection.execute(
        "SELECT market, min(fetched_at) FROM documents WHERE region = ? GROUP BY market", (region,)
    )
    return dict(rows.fetchall())


def _markets(connection: Connection, region: str) -> list[str]:
    rows = connection.execute(
        "SELECT market FROM documents WHERE region = ?1 "
        "UNION SELECT market FROM troubles WHERE region = ?1 ORDER BY market",
        (region,),
    )
    return [market for (market,) in rows]


def _delete(connection: Connection, table: str, region: str, market: str) -> None:
    connection.execute(
        f"DELETE FROM {table} WHERE region = ? AND market = ?",  # noqa: S608 (our own tables)
        (region, market),
    )


def _write_remarks(connection: Connection, batch: Batch) -> None:
    connection.executemany(
        "DELETE FROM troubles WHERE market = ? AND name = ?",
        [(each.market, each.name) for each in batch.quotes],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO troubles VALUES (?, ?, ?, ?)",
        [(batch.region, each.market, each.name, each.reason) for each in batch.troubles],
    )
    write_failures(connection, batch)
    connection.executemany(
        "INSERT OR REPLACE INTO types VALUES (?, ?, ?, ?)",
        [
            (name, batch.started, checksum_of(name, batch.started, text), text)
            for name, text in ((each.name, facts_text(each)) for each in batch.facts)
        ],
    )


def write_failures(connection: Connection, batch: Batch) -> None:
    """Replace the failures of what a batch was asked for."""
    asked: Iterable[Subject] = {*batch.settled, *(miss.subject for miss in batch.misses)}
    connection.executemany(
        "DELETE FROM failures WHERE region = ? AND subject = ?",
        [(batch.region, subject) for subject in asked],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)",
        [
            (batch.region, miss.subject, miss.origin, miss.reason, batch.finished)
            for miss in batch.misses
        ],
    )


def _write_history(
    connection: Connection,
    batch: Batch,
    before: dict[tuple[str, str], Quote],
    seen: dict[str, str],
) -> None:
    """Write what changed: the price that was, where it is not written yet, and the one that is."""
    after = quotes_in(connection, batch.region)
    answered = {(each.market, each.name) for each in batch.quotes} | {*covered(batch, before)}
    for key in sorted(answered):
        old, new = before.get(key), after.get(key)
        if old is None:
            if new is not None:
                connection.execute(_RETURN, (*key, batch.started, *_texts(new), *key))
        elif new is None or _paid(old) != _paid(new):
            connection.execute(_FIRST, (*key, seen[key[0]], *_texts(old), *key))
            now = _texts(new) if new else (None, None, old.origin)
            connection.execute(_CHANGE, (*key, batch.started, *now))


def _paid(quote: Quote) -> tuple[object, ...]:
    return quote.usd, quote.upfront_usd


def _texts(quote: Quote) -> tuple[str | None, str | None, str]:
    return text_of(quote.usd), text_of(quote.upfront_usd), quote.origin


def set_status(connection: Connection, status: str, region: str, earlier: str) -> None:
    """Change the status of the refreshes of a region that have another."""
    connection.execute(
        "UPDATE refreshes SET status = ? WHERE region = ? AND status = ?",
        (status, region, earlier),
    )


def mark_replaced(connection: Connection, region: str) -> None:
    """Mark the refreshes of which nothing is left, and forget the oldest of them."""
    connection.execute(
        "UPDATE refreshes SET status = 'replaced' WHERE region = ? AND status = 'current' "
        "AND id NOT IN (SELECT refresh_id FROM documents)",
        (region,),
    )
    connection.execute(
        "DELETE FROM refreshes WHERE region = ?1 AND status IN ('replaced', 'failed') "
        "AND id NOT IN (SELECT id FROM refreshes "
        "WHERE region = ?1 AND status IN ('replaced', 'failed') ORDER BY id DESC LIMIT ?2)",
        (region, _REMEMBERED),
    )
