"""The HTTP client of the providers, and its failures in words.

Every wait is bounded: connecting, each read and the whole. Addresses are shown without query, user
or password.
"""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from advisor import __version__
from advisor.errors import PricingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.pricing.provider import Deadline

#: Longest wait for a connection, and for the next bytes, s.
CONNECT_S, READ_S = 5.0, 10.0
MOST_REDIRECTS = 5
#: Longest wait that a server may ask for before the next try, s.
MOST_AFTER_S = 10.0
_ABSENT = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)
_TRY_AGAIN = (429, 500, 502, 503, 504)
_PASSING = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)


class WebError(PricingError):
    """A body that could not be had; ``message`` says why in a few words."""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        *,
        is_passing: bool = False,
        after_s: float | None = None,
    ) -> None:
        """``status``: of the last answer, None where there was none.

        ``is_passing``: it may do better when asked again, after ``after_s`` if the server says so.
        """
        super().__init__(message)
        self.status = status
        self.is_passing = is_passing
        self.after_s = after_s

    @property
    def is_absent(self) -> bool:
        """Whether there is nothing at the address, or nothing for us."""
        return self.status in _ABSENT


def web_client(deadline: Deadline) -> httpx.Client:
    """Return a client whose waits end at ``deadline``; proxies and certificates as curl has them.

    HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR are honoured by httpx. Raises PricingError
    where they cannot be used, without their values: the address of a proxy may hold a password.
    """
    try:
        return httpx.Client(
            timeout=waits(deadline),
            follow_redirects=True,
            max_redirects=MOST_REDIRECTS,
            headers={"User-Agent": f"advisor/{__version__}", "Accept-Encoding": "gzip"},
        )
    except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
        reason = "the settings of the proxy or of certificates cannot be used"
        raise PricingError(reason) from error


def waits(deadline: Deadline) -> httpx.Timeout:
    """Return the longest waits of a request that starts now."""
    left = max(0.001, deadline.left_s)
    return httpx.Timeout(min(READ_S, left), connect=min(CONNECT_S, left))


@contextmanager
def in_words(deadline: Deadline) -> Iterator[None]:
    """Raise what httpx raises as a WebError that a user understands."""
    try:
        yield
    except httpx.HTTPStatusError as error:
        raise refusal(error.response) from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        if deadline.is_over:
            raise WebError("no answer in time") from error
        is_passing = isinstance(error, _PASSING) and not _is_untrusted(error)
        raise WebError(_reason(error), is_passing=is_passing) from error


def refusal(response: httpx.Response) -> WebError:
    """Return an answer without what was asked for as an error."""
    status = response.status_code
    reason = f"HTTP {status} {response.reason_phrase}".rstrip()
    after_s = _seconds(response.headers.get("Retry-After", ""))
    if after_s:
        reason += f", to be asked again after {after_s:.0f} s"
    is_passing = status in _TRY_AGAIN and (after_s or 0.0) <= MOST_AFTER_S
    return WebError(reason, status, is_passing=is_passing, after_s=after_s)


def _seconds(retry_after: str) -> float | None:
    """Return the seconds of a Retry-After header; None for a date, which is not worth a clock."""
    return float(retry_after) if retry_after.isascii() and retry_after.isdigit() else None


def _reason(error: Exception) -> str:
    """Return what went wrong in a few words, without addresses that may hold secrets."""
    if _is_untrusted(error):
        return "the certificate of the server is not trusted"
    for kind, words in _REASONS:
        if isinstance(error, kind):
            return words
    return type(error).__name__


def _is_untrusted(error: BaseException | None) -> bool:
    """Whether TLS refused a certificate, which httpx reports as a failed connection."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error is not None


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
    (UnicodeError, "not a web address"),  # idna's, of a name such as ``xn--``
)


def shown(url: str) -> str:
    """Return an address as it may be shown: without user, password and query.

    Raises WebError, which does not show it, where it cannot be taken apart.
    """
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        # Without its cause: urllib quotes the address, and with it the password.
        raise WebError("the address cannot be used") from None
    host = parts.hostname or ""
    return f"{parts.scheme}://{host}{port}{parts.path}"
