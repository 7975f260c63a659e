"""Points in time as the cache writes them: UTC to the second, so that text order is time order."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_text(moment: datetime) -> str:
    """Return ``2026-11-21T09:30:00Z`` of an aware time; raises ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_between(earlier: str, later: str) -> float:
    """Return the seconds from one such text to another."""
    first, second = datetime.fromisoformat(earlier), datetime.fromisoformat(later)
    return (second - first).total_seconds()
