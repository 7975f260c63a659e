"""The user's cache of live prices: what is current by region, and what is kept apart.

Every change is one transaction: a reader, or a kill at any moment, sees the old prices of a region
or the new ones, never a mixture. Must never trust a file it cannot vouch for: see ``cache_file``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor.domain.record import replaced
from advisor.errors import PricingError
from advisor.pricing.batch import joined, packed, unpacked
from advisor.pricing.cache_file import BUSY_S, CacheFile
from advisor.pricing.current import (
    mark_replaced,
    quotes_in,
    record_refresh,
    replace_current,
    set_status,
    write_failures,
)
from advisor.pricing.documents import subject_of
from advisor.pricing.eviction import MOST_BYTES, keep_within

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from sqlite3 import Connection

    from advisor.domain.quote import Quote
    from advisor.pricing.batch import Batch
    from advisor.pricing.provider import Deadline


class Cache:
    """One cache file and its bound."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES, *, busy_s: float = BUSY_S) -> None:
        self.file = CacheFile(path, busy_s=busy_s)
        self.most_bytes = most_bytes

    def until(self, deadline: Deadline) -> Cache:
        """Return the same cache, which waits for other processes until ``deadline`` at most."""
        bounded = Cache(self.file.path, self.most_bytes)
        bounded.file = self.file.until(deadline)
        return bounded

    def prepare(self) -> str | None:
        """Make the file where it is missing; see ``CacheFile.prepare``."""
        return self.file.prepare()

    def quotes(self, region: str) -> tuple[Quote, ...]:
        """Return the current prices of a region; raises PricingError when they cannot be read."""
        with self.file.reading() as connection:
            if connection is None:
                return ()
            return tuple(quotes_in(connection, region).values())

    def make_current(self, batch: Batch) -> None:
        """Replace the prices of what a batch refreshed; all or nothing.

        Raises PricingError when it cannot be written: the old prices stay.
        """
        with self.file.writing() as connection:
            replace_current(connection, batch, record_refresh(connection, batch, "current"))
            _forget_overtaken(connection, batch)
            keep_within(connection, self.most_bytes, batch.region)

    def keep_apart(self, batch: Batch, reasons: Sequence[str]) -> None:
        """Hold a batch until it is accepted, joined with what is held of the region already.

        Raises PricingError when it cannot be written.
        """
        with self.file.writing() as connection:
            held, reasons = _with_held(connection, batch, reasons)
            set_status(connection, "replaced", batch.region, "held")
            refresh_id = record_refresh(connection, held, "held")
            connection.execute(
                "INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?)",
                (batch.region, refresh_id, json.dumps(list(reasons)), packed(held)),
            )
            keep_within(connection, self.most_bytes, batch.region)

    def note_failure(self, batch: Batch) -> None:
        """Remember why a batch without a price has none; raises PricingError when it cannot."""
        with self.file.writing() as connection:
            record_refresh(connection, batch, "failed")
            write_failures(connection, batch)
            mark_replaced(connection, batch.region)

    def accept(self, region: str) -> Batch | None:
        """Make the held refresh of a region current and return it; None: nothing is held.

        Subjects refreshed since it was held keep their newer prices. Raises PricingError when it
        cannot be read or written.
        """
        with self.file.writing() as connection:
            row = connection.execute(
                "SELECT refresh_id, batch FROM held WHERE region = ?", (region,)
            ).fetchone()
            if row is None:
                return None
            try:
                batch = _without_overtaken(connection, unpacked(row[1]), row[0])
            except ValueError as error:
                raise PricingError(str(error), hint="`advisor prices refresh` asks anew") from error
            connection.execute("DELETE FROM held WHERE region = ?", (region,))
            set_status(connection, "current", region, "held")
            replace_current(connection, batch, row[0])
            keep_within(connection, self.most_bytes, region)
        return batch


def _with_held(
    connection: Connection, batch: Batch, reasons: Sequence[str]
) -> tuple[Batch, Sequence[str]]:
    """Return a batch joined with the held one of its region, and the reasons of what is left."""
    row = connection.execute(
        "SELECT refresh_id, reasons, batch FROM held WHERE region = ?", (batch.region,)
    ).fetchone()
    if row is None:
        return batch, reasons
    try:
        earlier = json.loads(row[1])
        held = joined(_without_overtaken(connection, unpacked(row[2]), row[0]), batch)
    except ValueError:
        return batch, reasons
    if held is batch:
        return batch, reasons
    answered = tuple({f"{quote.market}: " for quote in batch.quotes})
    return held, (*(each for each in earlier if not each.startswith(answered)), *reasons)


def _forget_overtaken(connection: Connection, batch: Batch) -> None:
    """Drop a held refresh of which this newer one left nothing to accept."""
    row = connection.execute("SELECT batch FROM held WHERE region = ?", (batch.region,)).fetchone()
    if row is None:
        return
    try:
        is_overtaken = {*unpacked(row[0]).settled} <= {*batch.settled} and not batch.types
    except ValueError:
        is_overtaken = True
    if is_overtaken:
        connection.execute("DELETE FROM held WHERE region = ?", (batch.region,))
        set_status(connection, "replaced", batch.region, "held")


def _without_overtaken(connection: Connection, batch: Batch, refresh_id: int) -> Batch:
    rows = connection.execute(
        "SELECT DISTINCT market FROM documents WHERE region = ? AND is_whole AND refresh_id > ?",
        (batch.region, refresh_id),
    )
    newer = {subject_of(market) for (market,) in rows}
    return replaced(
        batch,
        settled=tuple(each for each in batch.settled if each not in newer),
        quotes=tuple(each for each in batch.quotes if subject_of(each.market) not in newer),
        troubles=tuple(each for each in batch.troubles if subject_of(each.market) not in newer),
        misses=tuple(each for each in batch.misses if each.subject not in newer),
    )
