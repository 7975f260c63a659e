"""One GET of a small body: bounded in time and size, retried, and free when nothing changed.

Bodies are kept and counted as they came over the network. Must never outlast the deadline by more
than one read, and never put an address into a reason.
"""

from __future__ import annotations

import gzip
import random
import threading
import time
import zlib
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Protocol, TypeVar

import httpx

from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.stored import Stored
from advisor.pricing.web import CONNECT_S, READ_S, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from advisor.pricing.provider import Deadline

T = TypeVar("T")

#: Largest body, compressed and plain, bytes. The largest feed of 2026 has 9 MB.
MOST_BYTES = 32 * 1024 * 1024
MOST_TRIES = 3
#: Wait before the second try, doubled for each further one, s; each is spread by ±50 %.
FIRST_WAIT_S = 0.2
_TRY_AGAIN = (429, 500, 502, 503, 504)
_NOT_MODIFIED, _OK = 304, 200
_GZIP = b"\x1f\x8b"


class FetchError(PricingError):
    """A body that could not be had; ``message`` says why in a few words.

    ``status`` is that of the last answer, None where there was none.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class UnreadableError(PricingError):
    """A body that came whole and is not what was asked for."""


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
        FetchError, and UnreadableError as ``parse`` does.
        """
        fetched = self.get(url, stored)
        try:
            return parse(plain(fetched.stored.body)), fetched.stored
        except UnreadableError:
            if not fetched.is_unchanged:
                raise
        fetched = self.get(url, None)
        return parse(plain(fetched.stored.body)), fetched.stored

    def get(self, url: str, stored: Stored | None) -> Fetched:
        """Return the body at ``url``, after up to MOST_TRIES requests; raises FetchError."""
        tried = 0
        while True:
            tried += 1
            try:
                return self._once(url, stored)
            except _RetryableError as error:
                if tried == MOST_TRIES or not self._waited(error.after_s, tried):
                    raise FetchError(error.message, error.status) from error

    def _once(self, url: str, stored: Stored | None) -> Fetched:
        left = self._deadline.left_s
        if left <= 0.0:
            raise FetchError("the time was up")
        timeout = httpx.Timeout(min(READ_S, left), connect=min(CONNECT_S, left))
        with self._lock:
            self.requests += 1
        try:
            with self._client.stream(
                "GET", url, headers=_conditions(stored), timeout=timeout
            ) as response:
                self._note_date(response)
                if response.status_code == _NOT_MODIFIED and stored is not None:
                    return Fetched(stored=stored, is_unchanged=True)
                if response.status_code != _OK:
                    raise _refused(response)
                body = self._body(response)
        except (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise _RetryableError(reason_of(error)) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise FetchError(reason_of(error)) from error
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
                raise FetchError(f"more than {MOST_BYTES >> 20} MiB")
            if self._deadline.is_over:
                raise FetchError("the answer came too slowly")
        return b"".join(chunks)

    def _note_date(self, response: httpx.Response) -> None:
        """Take the server's clock: Date is when the answer was made, Age how long ago."""
        try:
            stated = parsedate_to_datetime(response.headers["Date"])
            age = timedelta(seconds=int(response.headers.get("Age", 0)))
            skew = stated + age - self._clock()
        except (KeyError, ValueError, TypeError, OverflowError):
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


def plain(body: bytes) -> bytes:
    """Return a body without its compression, declared or not; raises UnreadableError.

    The price feeds come as gzip that no header declares; a proxy may compress them once more.
    """
    for _ in range(2):
        if not body.startswith(_GZIP):
            break
        try:
            body = _inflated(body)
        except (EOFError, OSError, zlib.error) as error:
            raise UnreadableError("a compressed body that is damaged or cut short") from error
    return body


def _inflated(body: bytes) -> bytes:
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    inflated = reader.decompress(body, MOST_BYTES + 1)
    if len(inflated) > MOST_BYTES:
        raise UnreadableError(f"more than {MOST_BYTES >> 20} MiB when decompressed")
    if not reader.eof:
        raise EOFError
    return inflated + (gzip.decompress(reader.unused_data) if reader.unused_data else b"")


class _RetryableError(PricingError):
    """A request that may do better when asked again."""

    def __init__(
        self, message: str, status: int | None = None, after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.after_s = after_s


def _refused(response: httpx.Response) -> FetchError | _RetryableError:
    status = response.status_code
    reason = f"HTTP {status} {response.reason_phrase}".rstrip()
    if status not in _TRY_AGAIN:
        return FetchError(reason, status)
    after_s = _seconds(response.headers.get("Retry-After", ""))
    if after_s:
        reason += f", to be asked again after {after_s:.0f} s"
    return _RetryableError(reason, status, after_s)


def _seconds(retry_after: str) -> float | None:
    """Return the seconds of a Retry-After header; None for a date, which is not worth a clock."""
    return float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None


def _conditions(stored: Stored | None) -> dict[str, str]:
    if stored is None:
        return {}
    named = (("If-None-Match", stored.etag), ("If-Modified-Since", stored.last_modified))
    return {name: held for name, held in named if held}
