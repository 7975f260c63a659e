"""One request at a time, counted, and over when its time is up.

A read that waits, or a body that drips, ends with the deadline: a timer shuts the connection down.
"""

from __future__ import annotations

import socket
from contextlib import contextmanager, suppress
from threading import TIMEOUT_MAX, Timer
from typing import TYPE_CHECKING

import httpx

from advisor.errors import PricingError
from advisor.pricing.bodies import plain
from advisor.pricing.server_clock import date_of
from advisor.pricing.web import in_words, waits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from advisor.pricing.provider import Deadline

#: Longest index that is read, bytes: the largest of AWS, that of all services, has 88 KB.
MOST_INDEX_BYTES = 4 << 20


class Wire:
    """A client, the time it has, and what it asked and got, also by requests that failed."""

    def __init__(self, client: httpx.Client, deadline: Deadline) -> None:
        self.deadline = deadline
        self.requests = 0
        self.wire_bytes = 0
        self.stated_on: str | None = None
        """ISO date of the newest answer by the server's clock; None: it never said."""
        self._client = client

    @contextmanager
    def answer(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Send a GET and hand over the answer, whose body is to be read with ``pieces``.

        Raises httpx.HTTPStatusError unless it succeeded, other httpx.HTTPError when none came.
        """
        self.requests += 1
        timeout = waits(self.deadline)
        with self._client.stream("GET", url, headers=headers, timeout=timeout) as response:
            response.raise_for_status()
            stated = date_of(response.headers)
            self.stated_on = stated.date().isoformat() if stated else self.stated_on
            with _ended(response, self.deadline):
                yield response

    def pieces(self, response: httpx.Response) -> Iterator[bytes]:
        """Yield the body as it comes over the wire, compressed or not; raises httpx.HTTPError."""
        for piece in response.iter_raw():
            self.wire_bytes += len(piece)
            yield piece
            if self.deadline.is_over:
                raise httpx.ReadTimeout("the deadline")

    def small_body(self, url: str) -> bytes:
        """Return a body of at most 4 MiB, unpacked; raises PricingError in words for the user."""
        body = bytearray()
        with in_words(self.deadline), self.answer(url, {}) as response:
            for piece in self.pieces(response):
                body += piece
                if len(body) > MOST_INDEX_BYTES:
                    raise PricingError("an index of more than 4 MiB")
        return plain(bytes(body), MOST_INDEX_BYTES)


@contextmanager
def _ended(response: httpx.Response, deadline: Deadline) -> Iterator[None]:
    opened: socket.socket = response.extensions["network_stream"].get_extra_info("socket")

    def end() -> None:
        with suppress(OSError):
            # Below TLS, which another thread must not touch: the reader meets the end of the wire.
            socket.socket.shutdown(opened, socket.SHUT_RDWR)

    timer = Timer(min(deadline.left_s, TIMEOUT_MAX), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
