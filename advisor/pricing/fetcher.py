"""One GET of a small body: bounded in time and size, retried, and free when nothing changed.

Bodies are kept and counted as they came over the network. Must never outlast the deadline by more
than one read, and never put an address into a reason.
"""

from __future__ import annotations

import random
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from advisor.domain.record import record
from advisor.pricing.bodies import UnreadableError, plain
from advisor.pricing.server_clock import date_of
from advisor.pricing.stored import Stored
from advisor.pricing.web import WebError, in_words, refusal, waits

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    import httpx

    from advisor.pricing.provider import Deadline

T = TypeVar("T")

#: Largest body, compressed and plain, bytes. The largest feed of 2026 has 9 MB.
MOST_BYTES = 32 * 1024 * 1024
MOST_TRIES = 3
#: Wait before the second try, doubled for each further one, s; each is spread by ±50 %.
FIRST_WAIT_S = 0.2
_NOT_MODIFIED, _OK = 304, 200


class ResponseStore(Protocol):
    """Keeps bodies between runs; called from the thread that fetches, never from two at once."""

    def get(self, url: str) -> Stored | None:
        """Return what was put under ``url``, if it is still there."""

    def put(self, url: str, stored: Stored) -> None:
        """Keep ``stored``; may drop anything at any time."""


@record
class Fetched:
    """A body and how it came."""

    stored: Stored
    is_unchanged: bool
    """Whether the server said that the stored body still holds."""


class Fetcher:
    """Fetches over one client until a deadline; its methods may be called from several threads."""

    def __init__(
        self,
        client: httpx.Client,
        deadline: Deadline,
        clock: Callable[[], datetime],
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """``clock`` gives the local time with its zone; ``jitter`` numbers from 0 to 1."""
        self.requests = 0
        self.wire_bytes = 0
        self.skews: list[timedelta] = []
        """Server's clock minus the local one, one per answer that states a date."""
        self._client = client
        self._deadline = deadline
        self._clock = clock
        self._jitter = jitter
        self._lock = threading.Lock()

    def read(
        self, url: str, stored: Stored | None, parse: Callable[[bytes], T]
    ) -> tuple[T, Stored]:
        """Return what ``parse`` makes of the plain body, and the body to store.

        A stored body that the server confirms and ``parse`` refuses is fetched anew. Raises
        WebError, and UnreadableError as ``parse`` does.
        """
        fetched = self.get(url, stored)
        try:
            return parse(plain(fetched.stored.body, MOST_BYTES)), fetched.stored
        except UnreadableError:
            if not fetched.is_unchanged:
                raise
        fetched = self.get(url, None)
        return parse(plain(fetched.stored.body, MOST_BYTES)), fetched.stored

    def get(self, url: str, stored: Stored | None) -> Fetched:
        """Return the body at ``url``, after up to MOST_TRIES requests; raises WebError."""
        tried = 0
        while True:
            tried += 1
            try:
                return self._once(url, stored)
            except WebError as error:
                is_last = tried == MOST_TRIES or not error.is_passing
                if is_last or not self._waited(error.after_s, tried):
                    raise

    def _once(self, url: str, stored: Stored | None) -> Fetched:
        if self._deadline.is_over:
            raise WebError("the time was up")
        with self._lock:
            self.requests += 1
        timeout, conditions = waits(self._deadline), _conditions(stored)
        with (
            in_words(self._deadline),
            self._client.stream("GET", url, headers=conditions, timeout=timeout) as response,
        ):
            self._note_date(response)
            if response.status_code == _NOT_MODIFIED and stored is not None:
                return Fetched(stored=stored, is_unchanged=True)
            if response.status_code != _OK:
                raise refusal(response)
            body = self._body(response)
        fresh = Stored(
            etag=response.headers.get("ETag"),
            last_modified=response.headers.get("Last-Modified"),
            body=body,
        )
        return Fetched(stored=fresh, is_unchanged=False)

    def _body(self, response: httpx.Response) -> bytes:
        chunks: list[bytes] = []
        size = 0
        for chunk in response.iter_raw():
            chunks.append(chunk)
            size += len(chunk)
            with self._lock:
                self.wire_bytes += len(chunk)
            if size > MOST_BYTES:
                raise WebError(f"more than {MOST_BYTES >> 20} MiB")
            if self._deadline.is_over:
                raise WebError("the answer came too slowly")
        return b"".join(chunks)

    def _note_date(self, response: httpx.Response) -> None:
        """Take the server's clock: Date is when the answer was made, Age how long ago."""
        stated = date_of(response.headers)
        if stated is None:
            return
        try:
            age = timedelta(seconds=int(response.headers.get("Age", 0)))
            skew = stated + age - self._clock()
        except (ValueError, OverflowError):
            return
        with self._lock:
            self.skews.append(skew)

    def _waited(self, after_s: float | None, tried: int) -> bool:
        """Wait before the next try; False where the deadline does not allow it."""
        wait_s = FIRST_WAIT_S * 2.0 ** (tried - 1) * (0.5 + self._jitter())
        wait_s = max(wait_s, after_s or 0.0)
        if wait_s >= self._deadline.left_s:
            return False
        time.sleep(wait_s)
        return True


def _conditions(stored: Stored | None) -> dict[str, str]:
    if stored is None:
        return {}
    named = (("If-None-Match", stored.etag), ("If-Modified-Since", stored.last_modified))
    return {name: held for name, held in named if held}
