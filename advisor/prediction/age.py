"""Age: what was measured long ago says less about today.

Ages count from the newest bundled measurement, not from today's date, so that the same knowledge
base gives the same answer on every day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Years after which intervals begin to widen, and by how much with each year more.
FRESH_YEARS, WIDER_PER_YEAR = 3.0, 0.02


def years_of(date: str) -> float:
    """Return an ISO date, or as much of it as is known, as years; unknown parts are the middle."""
    parts = [int(part) for part in date.split("-")]
    month = parts[1] if len(parts) > 1 else 7
    day = parts[2] if len(parts) > 2 else 15  # noqa: PLR2004 (a date has three parts)
    return parts[0] + (month - 1) / 12.0 + (day - 1) / 365.0


def widening(sources: Iterable[str], dates: Mapping[str, str]) -> float:
    """Return the factor on a log error that rests on ``sources``: the newest of them counts."""
    known = [years_of(dates[source]) for source in sources if source in dates]
    if not known:
        return 1.0
    age = max(years_of(date) for date in dates.values()) - max(known)
    return 1.0 + WIDER_PER_YEAR * max(0.0, age - FRESH_YEARS)
