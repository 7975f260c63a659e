"""The HTTP client of the providers, and its failures in words.

Every wait is bounded: connecting, each read and the whole. Addresses are shown without query, user
or password.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from advisor import __version__

if TYPE_CHECKING:
    from advisor.pricing.provider import Deadline

#: Longest wait for a connection, and for the next bytes, s.
CONNECT_S, READ_S = 5.0, 10.0
MOST_REDIRECTS = 5


def web_client(deadline: Deadline) -> httpx.Client:
    """Return a client whose waits end at ``deadline``; proxies and certificates as curl has them.

    HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR are honoured by httpx.
    """
    most = max(0.001, deadline.left_s)
    return httpx.Client(
        timeout=httpx.Timeout(min(READ_S, most), connect=min(CONNECT_S, most)),
        follow_redirects=True,
        max_redirects=MOST_REDIRECTS,
        headers={"User-Agent": f"advisor/{__version__}", "Accept-Encoding": "gzip"},
    )


def reason_of(error: httpx.HTTPError | httpx.InvalidURL) -> str:
    """Return what went wrong in a few words, without addresses that may hold secrets."""
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code} {error.response.reason_phrase}".rstrip()
    for kind, words in _REASONS:
        if isinstance(error, kind):
            return words
    return type(error).__name__


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (httpx.ConnectTimeout, "no connection in time"),
    (httpx.TimeoutException, "no answer in time"),
    (httpx.ConnectError, "no connection"),
    (httpx.ProxyError, "the proxy refused the connection"),
    (httpx.TooManyRedirects, "redirected without end"),
    (httpx.RemoteProtocolError, "the connection was cut"),
    (httpx.ReadError, "the connection was cut"),
    (httpx.DecodingError, "a body that cannot be decoded"),
    (httpx.UnsupportedProtocol, "not a web address"),
    (httpx.InvalidURL, "not a web address"),
)


def shown(url: str) -> str:
    """Return an address as it may be shown: without user, password and query."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"
