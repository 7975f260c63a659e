"""What answers stand on: the knowledge base, live prices, the user's own terms."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.names import INSTANCE_TYPES
from advisor.pricing.own import OwnPrices, own_prices
from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from advisor.domain.quote import TypeFacts
    from advisor.knowledge.database import Connection
    from advisor.pricing.book import Book
    from advisor.pricing.cached import CachedMarkets
    from advisor.settings import Directories, Settings

#: The cache of live prices in the user's cache directory.
CACHE_NAME = "prices.sqlite3"


#: Live prices may be this much younger than now, s: clocks differ.
_SKEW_S = 3_600.0


class Sources(NamedTuple):
    """Where an answer finds its data."""

    database: Path
    """The knowledge base; it need not exist."""
    cache: Path | None
    """The cache of live prices; None: bundled prices only."""
    own: OwnPrices
    max_age_s: float
    """Age of live prices from which a refresh is asked for, s."""


def sources_of(settings: Settings, directories: Directories, *, is_offline: bool) -> Sources:
    """Return the sources in force; ``is_offline`` leaves live prices out."""
    return Sources(
        database=knowledge_path(settings.database),
        cache=None if is_offline else directories.cache / CACHE_NAME,
        own=_own(settings),
        max_age_s=settings.price_max_age_s,
    )


def bundled(database: Path | None) -> Sources:
    """Return sources of a knowledge base with its own prices, without discounts."""
    return Sources(knowledge_path(database), None, OwnPrices(), float("inf"))


def _own(settings: Settings) -> OwnPrices:
    if not settings.discounts and not settings.negotiated:
        return OwnPrices()
    changed = settings.config_file.stat().st_mtime if settings.config_file else 0.0
    as_of = datetime.fromtimestamp(changed, UTC).date().isoformat()
    return own_prices(settings.discounts, settings.negotiated, as_of)


class Prices(NamedTuple):
    """The prices of a region, and what is to be said of them beside the answer."""

    book: Book
    types: tuple[TypeFacts, ...]
    """Instance types on sale that the bundled catalogue does not know."""
    cached: CachedMarkets | None
    """The cache that was read, with what could not be read of it; None: there is none."""

    def notes(self, sources: Sources, now: datetime) -> Iterator[str]:
        """Yield what belongs on stderr: a damaged cache, prices that are due for a refresh."""
        if self.cached is not None:
            yield from self.cached.warnings
        fetched_at = self.book.fetched_at
        if fetched_at is None:
            return
        age_s = (now - datetime.fromisoformat(fetched_at)).total_seconds()
        if age_s < -_SKEW_S:
            yield f"live prices are dated {fetched_at}, in the future: advisor prices refresh"
        if age_s > sources.max_age_s:
            yield f"live prices are {shown_age(age_s)} old: advisor prices refresh"


def newer_types(cache: Path) -> tuple[str, ...]:
    """Return the names of instance types on sale that the bundled catalogue does not know."""
    from advisor.pricing.cached import cached_documents

    found = (each.name for each in cached_documents(cache, "").types())
    return tuple(name for name in found if name not in INSTANCE_TYPES)


def shown_age(seconds: float) -> str:
    """Return an age in words: ``3 days``, ``5 hours``, ``20 minutes``."""
    for size, word in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.0f} {word}s"
    return "a minute"


def open_prices(connection: Connection, region: str, sources: Sources) -> Prices:
    """Return the prices of ``region`` from the cache and the knowledge base that is open."""
    from advisor.pricing.book import Book

    if sources.cache is None:
        return Prices(Book(connection, None, sources.own), (), None)
    from advisor.pricing.cached import cached_documents

    found = cached_documents(sources.cache, region)
    return Prices(
        Book(connection, found, sources.own),
        tuple(each for each in found.types() if each.name not in INSTANCE_TYPES),
        found,
    )
