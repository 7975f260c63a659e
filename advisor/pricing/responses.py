"""Web answers in the price cache, for conditional requests; losing one costs a download.

So nothing is waited for: while another process writes, there is no stored answer.

Addresses are kept as digests: one may carry what must not be written down.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from advisor.errors import PricingError
from advisor.pricing.cache_file import CacheFile
from advisor.pricing.eviction import keep_responses_within
from advisor.pricing.stored import Stored
from advisor.pricing.times import utc_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from advisor.pricing.cache import Cache

_PUT = "INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?)"
_GET = "SELECT etag, last_modified, body FROM responses WHERE address = ?"


class Responses:
    """The stored answers of one cache."""

    def __init__(self, cache: Cache, clock: Callable[[], datetime]) -> None:
        self._file = CacheFile(cache.file.path, busy_s=0.0)
        self._most_bytes = cache.most_bytes
        self._clock = clock

    def get(self, url: str) -> Stored | None:
        """Return what the address answered last; None when it is not known or damaged."""
        with suppress(PricingError, zlib.error), self._file.reading() as connection:
            row = connection and connection.execute(_GET, (_digest(url),)).fetchone()
            if row:
                etag, last_modified, body = row
                return Stored(etag=etag, last_modified=last_modified, body=zlib.decompress(body))
        return None

    def put(self, url: str, stored: Stored) -> None:
        """Keep an answer; one that cannot be kept is asked for again another time."""
        body = zlib.compress(stored.body, 1)
        row = (_digest(url), stored.etag, stored.last_modified, utc_text(self._clock()), body)
        with suppress(PricingError, sqlite3.Error), self._file.writing() as connection:
            connection.execute(_PUT, row)
            keep_responses_within(connection, self._most_bytes)


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()
