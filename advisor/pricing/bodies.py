"""Bodies as they came over the network, to what they hold."""

from __future__ import annotations

import zlib

from advisor.errors import PricingError

#: The first bytes of gzip; AWS compresses some bodies without saying so.
GZIP = b"\x1f\x8b"
DAMAGED = "a compressed body that is damaged or cut short"
#: Parts of one gzip body, each copied with what follows it; AWS sends one.
_MOST_MEMBERS = 64


class UnreadableError(PricingError):
    """A body that came whole and is not what was asked for."""


def plain(body: bytes, most_bytes: int) -> bytes:
    """Return a body of at most ``most_bytes`` without its compression, declared or not.

    A proxy may compress once more what is compressed. Raises UnreadableError.
    """
    for _ in range(2):
        if not body.startswith(GZIP):
            break
        try:
            body = _inflated(body, most_bytes)
        except (EOFError, zlib.error) as error:
            raise UnreadableError(DAMAGED) from error
    return body


def _inflated(body: bytes, most_bytes: int) -> bytes:
    inflated = b""
    for _ in range(_MOST_MEMBERS):
        reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        inflated += reader.decompress(body, most_bytes + 1 - len(inflated))
        if len(inflated) > most_bytes:
            raise UnreadableError(f"more than {most_bytes >> 20} MiB when decompressed")
        if not reader.eof:
            raise EOFError
        body = reader.unused_data.lstrip(b"\0")
        if not body:
            return inflated
    raise UnreadableError(f"more than {_MOST_MEMBERS} compressed parts")
