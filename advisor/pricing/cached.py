"""Live prices of one region out of the user's cache, for an answer: read, never written.

On the start-up path: one short read, a market is decoded when it is asked for. Must never fail and
never wait: what cannot be read is absent, with one line that says so.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import TypeFacts
from advisor.domain.record import record
from advisor.pricing.cache_schema import APPLICATION_ID, SCHEMA_VERSION, checksum_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: Longest wait for a writer that is just committing, s.
BUSY_S = 0.1
_MARKETS = (
    "SELECT market, is_whole, fetched_at, origin, checksum, body FROM documents "
    "WHERE region = ? AND fetched_at >= ? ORDER BY market, is_whole DESC, refresh_id"
)
_TYPES = "SELECT facts FROM types ORDER BY name"


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

    __slots__ = ("_facts", "_made", "_rows", "warnings")

    def __init__(
        self, rows: Sequence[tuple[Any, ...]] = (), facts: Sequence[str] = (), warning: str = ""
    ) -> None:
        """Keep rows of ``documents``; a market is decoded when it is asked for."""
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        for market, *row in rows:
            self._rows.setdefault(market, []).append(tuple(row))
        self._made: dict[str, CachedMarket | None] = {}
        self._facts = facts
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
            return tuple(TypeFacts(**json.loads(facts)) for facts in self._facts)
        except (ValueError, TypeError):
            self.warnings.append("the new instance types in the price cache cannot be read")
            return ()

    def _decoded(self, market: str) -> CachedMarket | None:
        parts = self._rows.get(market)
        if not parts:
            return None
        try:
            body = [group for part in parts for group in _body_of(market, part)]
        except (ValueError, TypeError, AttributeError):
            self.warnings.append(f"the cached prices of {market} are damaged and are not used")
            return None
        is_whole, _, origin, *_ = parts[0]
        oldest = min(part[1] for part in parts)
        return CachedMarket(body=body, fetched_at=oldest, origin=origin, is_whole=bool(is_whole))


def _body_of(market: str, part: tuple[Any, ...]) -> list[Any]:
    _, fetched_at, _, checksum, text = part
    if checksum_of(market, fetched_at, text) != checksum:
        raise ValueError("the text is not the one that was written")
    body: list[Any] = json.loads(text)
    return body


def cached_documents(path: Path, region: str, not_before: str = "") -> CachedMarkets:
    """Return the live prices of a region, without those fetched before a time (UTC).

    A missing file has no prices and needs no warning; anything else that goes wrong is one.
    """
    try:
        if not path.exists():
            return CachedMarkets()
        return _read(path, region, not_before)
    except (sqlite3.Error, OSError, ValueError) as error:
        return CachedMarkets(warning=f"the price cache is not used: {_words(error)}")


def _read(path: Path, region: str, not_before: str) -> CachedMarkets:
    # rw, not ro: SQLite can then undo what a killed refresh left half done; it falls back to
    # reading where the file is write-protected.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_S, isolation_level=None
    )
    try:
        connection.execute("PRAGMA query_only = 1")
        connection.execute("BEGIN")
        ((application,),) = connection.execute("PRAGMA application_id")
        ((version,),) = connection.execute("PRAGMA user_version")
        if (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
            return CachedMarkets(warning=f"the price cache is not used: {_other(application)}")
        rows = connection.execute(_MARKETS, (region, not_before)).fetchall()
        facts = [facts for (facts,) in connection.execute(_TYPES)]
    finally:
        connection.close()
    return CachedMarkets(rows, facts)


def _other(application: int) -> str:
    if application == APPLICATION_ID:
        return "another version of advisor wrote it"
    return "the file is not one"


def _words(error: Exception) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return "it is damaged; `advisor prices refresh` makes a new one"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "a refresh is writing it"
    return "it cannot be read"
