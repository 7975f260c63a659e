"""A large file from the web to a folder: resumable, checked, in bounded memory.

The bytes on disk are those of the wire. Compressed ones are asked for, because a price list shrinks
to about a tenth, and a cut download goes on with a range of the compressed bytes. That is sound
only while the server vouches for the same bytes: a strong ETag or a date goes along (``If-Range``),
length and coding must be those of before, otherwise it starts anew.
"""

from __future__ import annotations

import errno
import gzip
import json
import re
import shutil
import zlib
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx

from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.bodies import DAMAGED, GZIP
from advisor.pricing.web import in_words, shown
from advisor.pricing.work_folder import MARK, PART

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from advisor.pricing.transfer import Wire

    Heard = Callable[[int, int | None], None]
    """Told the bytes on disk and the total; None where the server does not state it."""

#: Bytes unpacked at once.
PIECE = 1 << 18
#: Requests for one file: only a cut that came after new bytes is followed by another.
MOST_REQUESTS = 4


def download(wire: Wire, url: str, folder: Path, heard: Heard) -> Path:
    """Return the path of the complete, unpacked file in ``folder``, which must be ours alone.

    Raises PricingError with a reason for the user. What came stays in ``folder`` for the next time,
    except when the disk is full.
    """
    part, complete = _Part(folder), folder / "body.csv"
    try:
        with in_words(wire.deadline):
            _gather(wire, url, part, heard)
        part.becomes(complete)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        part.drop()
        raise PricingError(DAMAGED) from error
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise PricingError(f"cannot write to {folder}: {error.strerror}") from error
        part.drop()
        raise PricingError(f"the disk is full: {folder}") from error
    return complete


@record
class _Mark:
    """What a part belongs to."""

    url: str
    validator: str | None
    """A strong ETag or a date of change; None: nothing to go on with."""
    coding: str
    total: int | None
    """Length of the whole on the wire; None: not stated."""

    def fields(self) -> dict[str, str | int | None]:
        """Return it as JSON keeps it."""
        return {
            "url": self.url,
            "validator": self.validator,
            "coding": self.coding,
            "total": self.total,
        }


class _Part:
    """The beginning of a file, and what it belongs to."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / PART
        self._mark = folder / MARK

    def mark(self, url: str) -> _Mark | None:
        """Return what the part belongs to; None: there is nothing of ``url`` to go on with."""
        try:
            known = _Mark(**json.loads(self._mark.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        return known if known.url == url and known.validator and self.length else None

    @property
    def length(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size if self.path.exists() else 0

    def begin(self, mark: _Mark) -> None:
        """Start anew."""
        self.drop()
        self._mark.write_text(json.dumps(mark.fields()), encoding="utf-8")

    def drop(self) -> None:
        """Remove the part and what it belongs to."""
        self.path.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)

    def becomes(self, path: Path) -> None:
        """Turn the complete part into the file; gzip's own check of sum and length applies."""
        with self.path.open("rb") as opened:
            is_packed = opened.read(len(GZIP)) == GZIP
        if is_packed:
            with gzip.open(self.path, "rb") as packed, path.open("wb") as plain:
                shutil.copyfileobj(packed, plain, PIECE)
        else:
            self.path.replace(path)
        self.drop()


def _gather(wire: Wire, url: str, part: _Part, heard: Heard) -> None:
    for last in (*[False] * (MOST_REQUESTS - 1), True):
        before = wire.wire_bytes
        try:
            if _went_on(wire, url, part, heard):
                return
        except httpx.TransportError:
            if last or wire.deadline.is_over or wire.wire_bytes == before:
                raise
    raise PricingError("the server sends parts that do not fit")


def _went_on(wire: Wire, url: str, part: _Part, heard: Heard) -> bool:
    """Fetch what is missing; False: the part is not the file's beginning any more."""
    known = part.mark(shown(url))
    # A complete part asks for its last byte once more, so that the server still vouches for it.
    start = min(part.length, (known.total or part.length + 1) - 1) if known else 0
    headers = {}
    if known and known.validator:
        headers = {"Range": f"bytes={start}-", "If-Range": known.validator}
    try:
        with wire.answer(url, headers) as response:
            if response.status_code == HTTPStatus.PARTIAL_CONTENT:
                if known is None or not _continues(response, known, start):
                    part.drop()
                    return False
            else:
                start, known = 0, _mark_of(response, shown(url))
                part.begin(known)
            with part.path.open("r+b" if start else "wb") as written:
                written.seek(start)
                written.truncate()
                for piece in wire.pieces(response):
                    written.write(piece)
                    start += len(piece)
                    heard(start, known.total)
    except httpx.HTTPStatusError as error:
        is_past_the_end = error.response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        if known is None or not is_past_the_end:
            raise
        part.drop()
        return False
    if known.total is not None and part.length != known.total:
        raise PricingError(f"{part.length} bytes came of {known.total}")
    return True


def _mark_of(response: httpx.Response, url: str) -> _Mark:
    headers = response.headers
    etag = headers.get("ETag", "")
    length = headers.get("Content-Length", "")
    return _Mark(
        url=url,
        validator=etag if etag.startswith('"') else headers.get("Last-Modified"),
        coding=headers.get("Content-Encoding", ""),
        total=int(length) if length.isdecimal() else None,
    )


def _continues(response: httpx.Response, known: _Mark, start: int) -> bool:
    span = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
    if span is None or int(span[1]) != start:
        return False
    same_length = span[2] == "*" or known.total is None or int(span[2]) == known.total
    return same_length and response.headers.get("Content-Encoding", "") == known.coding
