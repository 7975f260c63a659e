"""Live prices of one region out of the user's cache, for an answer: read, never written.

On the start-up path: one short read, a market is decoded when it is asked for. Must never fail and
never wait: what cannot be read is absent, with one line that says so.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import TypeFacts
from advisor.domain.record import record
from advisor.pricing.cache_schema import APPLICATION_ID, SCHEMA_VERSION, checksum_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from sqlite3 import Connection

#: Longest wait for a writer that is just committing, s.
BUSY_S = 0.1
_MARKETS = (
    "SELECT market, is_whole, fetched_at, origin, checksum, body FROM documents "
    "WHERE region = ? AND fetched_at >= ? ORDER BY market, is_whole DESC, refresh_id"
)
_TYPES = "SELECT name, seen_at, checksum, facts FROM types ORDER BY name"


@record
class CachedMarket:
    """The prices of one market."""

    body: list[Any]
    """As of a bundled price document; where a name comes twice, the later price is the newer."""
    fetched_at: str
    """UTC, ``2026-11-21T09:30:00Z``; of its oldest part."""
    origin: str
    """Of most prices; each group of the body names its own."""
    is_whole: bool
    """Whether all that the market sells was asked for; otherwise names beside it are unknown."""


class CachedMarkets:
    """Market → prices, and the instance types that the catalogue did not know."""

    __slots__ = ("_made", "_rows", "_types", "warnings")

    def __init__(
        self,
        rows: Sequence[tuple[Any, ...]] = (),
        types: Sequence[tuple[Any, ...]] = (),
        warning: str = "",
    ) -> None:
        """Keep rows of both tables; what they hold is decoded when it is asked for."""
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        for market, *row in rows:
            self._rows.setdefault(market, []).append(tuple(row))
        self._made: dict[str, CachedMarket | None] = {}
        self._types = types
        self.warnings = [warning] if warning else []
        """What could not be read, a line each; grows while markets are decoded."""

    def __len__(self) -> int:
        return len(self._rows)

    def markets(self) -> tuple[str, ...]:
        """Return the markets that have prices, sorted."""
        return tuple(self._rows)

    def get(self, market: str) -> CachedMarket | None:
        """Return the prices of a market; None: there are none that can be trusted."""
        if market not in self._made:
            self._made[market] = self._decoded(market)
        return self._made[market]

    def types(self) -> tuple[TypeFacts, ...]:
        """Return the new instance types, sorted by name."""
        try:
            return tuple(TypeFacts(**json.loads(_intact(*row))) for row in self._types)
        except (ValueError, TypeError, AttributeError):
            self.warnings.append("the new instance types in the price cache are damaged")
            return ()

    def _decoded(self, market: str) -> CachedMarket | None:
        parts = self._rows.get(market)
        if not parts:
            return None
        try:
            texts = [_intact(market, part[1], *part[3:]) for part in parts]
            body = [group for text in texts for group in json.loads(text)]
        except (ValueError, TypeError, AttributeError):
            self.warnings.append(f"the cached prices of {market} are damaged and are not used")
            return None
        is_whole, _, origin, *_ = parts[0]
        oldest = min(part[1] for part in parts)
        return CachedMarket(body=body, fetched_at=oldest, origin=origin, is_whole=bool(is_whole))


def _intact(key: str, written_at: str, checksum: int, text: str) -> str:
    if checksum_of(key, written_at, text) != checksum:
        raise ValueError("the text is not the one that was written")
    return text


def cached_documents(path: Path, region: str, not_before: str = "") -> CachedMarkets:
    """Return the live prices of a region, without those fetched before a time (UTC).

    A missing file has no prices and needs no warning; anything else that goes wrong is one.
    """
    try:
        if not path.exists():
            return CachedMarkets()
    except OSError:
        return _unused("it cannot be read")
    return _read(path, region, not_before)


def _read(path: Path, region: str, not_before: str) -> CachedMarkets:
    import sqlite3  # 3 ms, which those without a cache need not wait for

    try:
        # rw, not ro: SQLite can then undo what a killed refresh left half done; it falls back to
        # reading where the file is write-protected.
        uri = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)
        try:
            return _found(connection, region, not_before)
        finally:
            connection.close()
    except sqlite3.Error as error:
        return _unused(_words(getattr(error, "sqlite_errorname", "")))
    except ValueError:  # text that is no UTF-8, in the file or in SQLite's message about it
        return _unused(_DAMAGED)


def _found(connection: Connection, region: str, not_before: str) -> CachedMarkets:
    connection.execute("PRAGMA query_only = 1")
    connection.execute("BEGIN")
    ((application,),) = connection.execute("PRAGMA application_id")
    ((version,),) = connection.execute("PRAGMA user_version")
    if application != APPLICATION_ID:
        return _unused("the file is not one")
    if version != SCHEMA_VERSION:
        return _unused("another version of advisor wrote it")
    rows = connection.execute(_MARKETS, (region, not_before)).fetchall()
    return CachedMarkets(rows, connection.execute(_TYPES).fetchall())


def _unused(reason: str) -> CachedMarkets:
    return CachedMarkets(warning=f"the price cache is not used: {reason}")


_DAMAGED = "it is damaged; `advisor prices refresh` makes a new one"


def _words(error_name: str) -> str:
    if error_name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return _DAMAGED
    if error_name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "a refresh is writing it"
    return "it cannot be read"
