"""A local web server that behaves, or misbehaves as told: what httpx meets in tests of prices.

Routes are functions of the request; faults are replies of their own: slow drip, cut connection,
gzip that is not declared, redirects, ranges, validators.
"""

from __future__ import annotations

import gzip
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from ssl import SSLContext


class Asked(NamedTuple):
    """One request as the server saw it."""

    method: str
    path: str
    """With its query, still quoted."""
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class Reply(NamedTuple):
    """What the server answers."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    declared_length: int | None = None
    """Content-Length to state in place of the true one."""
    wait_s: float = 0.0
    """Before the first byte."""
    drip_s: float = 0.0
    """Between pieces of the body."""
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""


Route = "Callable[[Asked], Reply]"


class Server:
    """The server; ``routes`` by path without query may be changed at any time."""

    def __init__(self) -> None:
        self.routes: dict[str, Callable[[Asked], Reply]] = {}
        self.asked: list[Asked] = []
        self.sent_bytes = 0
        self.url = ""
        self._counting = threading.Lock()

    def serve(self, path: str, *replies: Reply | bytes) -> None:
        """Answer ``path`` with each reply in turn, then with the last of them for ever."""
        queue = [Reply(body=reply) if isinstance(reply, bytes) else reply for reply in replies]

        def answer(_: Asked) -> Reply:
            return queue.pop(0) if len(queue) > 1 else queue[0]

        self.routes[path] = answer

    def count(self, size: int) -> None:
        """Count bytes of a body before they are sent, so that who has them finds them counted."""
        with self._counting:
            self.sent_bytes += size

    def paths(self) -> list[str]:
        """Return the paths asked for, in order."""
        return [each.path for each in self.asked]


def squeezed(body: bytes, *, is_declared: bool = True) -> Reply:
    """Return a gzip body, with or without the header that says so."""
    headers = (("Content-Encoding", "gzip"),) if is_declared else ()
    return Reply(body=gzip.compress(body), headers=headers)


def with_validators(body: bytes, etag: str) -> Callable[[Asked], Reply]:
    """Return a route that answers 304 to a request that holds the ``etag`` already."""

    def answer(asked: Asked) -> Reply:
        if asked.headers.get("if-none-match") == etag:
            return Reply(status=304, headers=(("ETag", etag),))
        return Reply(body=body, headers=(("ETag", etag),))

    return answer


def with_ranges(body: bytes, etag: str) -> Callable[[Asked], Reply]:
    """Return a route that serves the rest of ``body`` to ``Range: bytes=N-`` under If-Range."""

    def answer(asked: Asked) -> Reply:
        wanted = asked.headers.get("range", "")
        condition = asked.headers.get("if-range", etag)
        if wanted.startswith("bytes=") and condition == etag:
            start = int(wanted[6:].rstrip("-"))
            span = f"bytes {start}-{len(body) - 1}/{len(body)}"
            return Reply(206, body[start:], (("ETag", etag), ("Content-Range", span)))
        return Reply(200, body, (("ETag", etag), ("Accept-Ranges", "bytes")))

    return answer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Threaded

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base names it so)
        pass

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        asked = Asked(
            method=self.command,
            path=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
        )
        state = self.server.state
        state.asked.append(asked)
        route = state.routes.get(self.path.partition("?")[0])
        reply = route(asked) if route else Reply(404, b"not found")
        time.sleep(reply.wait_s)
        try:
            self._send(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        length = len(reply.body) if reply.declared_length is None else reply.declared_length
        self.send_header("Content-Length", str(length))
        self.end_headers()
        body = reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
        step = max(1, len(body) // 20) if reply.drip_s else max(1, len(body))
        for start in range(0, len(body), step):
            self.server.state.count(len(body[start : start + step]))
            self.wfile.write(body[start : start + step])
            self.wfile.flush()
            time.sleep(reply.drip_s)
        if reply.cut_after is not None or length != len(reply.body):
            self.close_connection = True


class _Threaded(ThreadingHTTPServer):
    daemon_threads = True
    state: Server


@contextmanager
def running(tls: SSLContext | None = None) -> Iterator[Server]:
    """Run a server on a free port of 127.0.0.1 until the block ends; ``tls``: under HTTPS."""
    state = Server()
    server = _Threaded(("127.0.0.1", 0), _Handler)
    server.state = state
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    state.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
