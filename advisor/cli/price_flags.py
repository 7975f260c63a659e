"""Flags that decide which prices an answer stands on: bundled ones alone, or fresh ones first."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from advisor.cli.output import has_terminal, note
from advisor.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from advisor.domain.quote import Subject
    from advisor.session.sources import Sources
    from advisor.settings import Settings

Offline = Annotated[
    bool,
    typer.Option("--offline", help="Bundled prices only; the cache of live prices is left alone."),
]
Refresh = Annotated[
    bool,
    typer.Option("--refresh", help="Fetch live prices first, for at most 5 s (refresh-timeout)."),
]


class Need(NamedTuple):
    """What one answer may ask of live prices."""

    subjects: tuple[Subject, ...]
    types: Callable[[Sources], tuple[str, ...]]
    """The short-list of instance types and classes, from what is known without a fetch."""


#: Age of a price from which an answer says that it is stale, days.
STALE_DAYS = 30
#: What a date known to the year or the month is taken to end with.
_END_OF_DATE = "2000-12-28"


def refuse_both(*, offline: bool, refresh: bool) -> None:
    """Raise UsageError when both flags are given."""
    if refresh and offline:
        raise UsageError("--offline and --refresh exclude each other")


def sources_for(
    settings: Settings, region: str, need: Need, *, offline: bool, refresh: bool
) -> Sources:
    """Return what the answer stands on, fresh prices of what it needs first where asked for.

    What cannot be fetched in time is said on stderr, and the answer has what there is.
    """
    from advisor.session.sources import sources_of
    from advisor.settings import user_directories

    sources = sources_of(settings, user_directories(), is_offline=offline)
    if refresh:
        from advisor.cli.progress import Progress
        from advisor.render.price_refresh import refresh_notes
        from advisor.session.prices import LivePrices

        prices = LivePrices(settings, sources)
        with Progress() as progress:
            reports = prices.refresh_quickly(
                region, need.subjects, lambda: need.types(sources), progress
            )
        for line in refresh_notes(reports):
            note(line)
    return sources


def say(notes: Iterable[str], price_as_of: str | None) -> None:
    """Say on stderr what concerns the day of the question and not the answer."""
    for line in dict.fromkeys(notes):
        note(f"note: {line}")
    if price_as_of is not None and has_terminal():
        _say_stale(price_as_of, datetime.now(UTC).date())


def _say_stale(as_of: str, today: date) -> None:
    try:
        days = (today - date.fromisoformat(f"{as_of}{_END_OF_DATE[len(as_of) :]}")).days
    except ValueError:
        return
    if days > STALE_DAYS:
        note(
            f"note: stale prices: the oldest in this answer is {days:,} days old ({as_of}); "
            "advisor prices refresh"
        )
