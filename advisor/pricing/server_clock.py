"""The time by a server's clock, as its answers state it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def date_of(headers: Mapping[str, str]) -> datetime | None:
    """Return the time an answer states, in UTC; None: it states none, or not its zone.

    Headers of a plain mapping are in lower case.
    """
    try:
        stated = parsedate_to_datetime(headers["date"])
        return stated.astimezone(UTC) if stated.tzinfo else None
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
