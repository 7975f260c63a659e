"""What is known of live prices beside their values: refreshes, age, gaps, moves, history."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from decimal import Decimal

    from advisor.domain.quote import Origin, Quote, Subject, Trouble
    from advisor.domain.vocabulary import Term


class Route(StrEnum):
    """Which sources of live prices are asked."""

    AUTO = "auto"
    """Feeds, the API where credentials resolve, then the files; each for what is left."""
    FEEDS = "feeds"
    BULK = "bulk"
    API = "api"


class Outcome(StrEnum):
    """What became of a refresh."""

    CURRENT = "current"
    """Its prices are in use."""
    HELD = "held"
    """Its prices are kept apart until they are accepted."""
    NOTHING = "nothing"
    """No source delivered a price; those of before stay in use."""
    NOT_STORED = "not-stored"
    """The cache could not be written; the prices of before stay in use."""


@record
class Miss:
    """A subject that a source could not deliver."""

    subject: Subject
    origin: Origin
    reason: str
    next: Origin | None
    """The source that was asked for it then; None: there was none left, or no time."""


@record
class Move:
    """A price that changed; upfront payments are spread over the term."""

    market: str
    name: str
    before_usd: Decimal
    after_usd: Decimal
    change_ratio: float
    """0.25: a quarter dearer; -0.25: a quarter cheaper."""


@record
class PriceMoves:
    """New prices beside those of before."""

    reasons: tuple[str, ...]
    """Why they are held, a line each; empty: they are not."""
    common: int
    """Prices that both have."""
    moved_far: int
    """Of these, by more than 20 %."""
    before: int
    """Prices before, within what was refreshed."""
    vanished: tuple[tuple[str, str], ...]
    """(market, name) of those that have no price now, sorted."""
    up: int
    up_median_ratio: float | None
    """None: no price rose."""
    down: int
    down_median_ratio: float | None
    """Negative; None: no price fell."""
    biggest: tuple[Move, ...]
    """The ten biggest moves, the biggest first."""

    @property
    def is_held(self) -> bool:
        """Whether the new prices wait until they are accepted."""
        return bool(self.reasons)


@record
class RefreshReport:
    """What a refresh did."""

    region: str
    outcome: Outcome
    origins: tuple[Origin, ...]
    """Sources that delivered, in the order in which they were asked."""
    prices: int
    misses: tuple[Miss, ...]
    """What each source could not deliver, why, and who was asked then."""
    unsettled: tuple[Subject, ...]
    """Subjects that no source delivered whole."""
    troubles: tuple[Trouble, ...]
    """Items without exactly one price in any source."""
    new_types: tuple[str, ...]
    """Instance types with a price that the catalogue does not know, sorted."""
    comparison: PriceMoves
    """With the prices of before, within what was refreshed; those of spot count too."""
    requests: int
    wire_bytes: int
    seconds: float
    warning: str | None
    """A line about the cache file; None: it was sound."""
    problem: str | None
    """Why nothing became current, a line; None: it did, or it is held."""
    notes: tuple[str, ...] = ()
    """Sentences about the sources as a whole, such as a clock that is off."""


@record
class Coverage:
    """The markets of one platform under one term in one region."""

    region: str
    platform: str
    """First word of the markets: ``ec2``, ``volumes``, ``storage``, …"""
    subject: Subject
    term: Term | None
    """None: bought without a term."""
    origins: tuple[str, ...]
    fetched_at: str
    """UTC; of the oldest market."""
    published: str | None
    """When AWS published the oldest of it; None: not stated."""
    markets: int
    prices: int
    troubles: int


@record
class LastFailure:
    """A subject that the last refresh asked for and no source delivered."""

    region: str
    subject: Subject
    origin: Origin
    """The last source that was asked."""
    reason: str
    failed_at: str


@record
class Held:
    """A refresh that waits until it is accepted."""

    region: str
    started: str
    origins: tuple[str, ...]
    subjects: tuple[str, ...]
    reasons: tuple[str, ...]


@record
class CacheStatus:
    """All that the cache of live prices holds."""

    coverage: tuple[Coverage, ...]
    """Sorted by region, platform and term."""
    troubles: tuple[Trouble, ...]
    failures: tuple[LastFailure, ...]
    held: tuple[Held, ...]
    file_bytes: int
    warning: str | None
    """Why the file cannot be used, a line; None: it can, or there is none."""


@record
class Stated:
    """One current live price."""

    quote: Quote
    effective_usd: Decimal
    """Per hour with the upfront payment spread over the term."""
    fetched_at: str


@record
class Change:
    """A price as it was from a time on."""

    market: str
    name: str
    seen_at: str
    usd: Decimal | None
    """None: it had no price any more."""
    upfront_usd: Decimal | None
    origin: Origin


@record
class Found:
    """Everything live about one instance type, class or volume type."""

    prices: tuple[Stated, ...]
    history: tuple[Change, ...]
    """Of prices that ever changed, the oldest first."""
    warning: str | None


@record
class BundledPrice:
    """One price of the bundled snapshot."""

    market: str
    name: str
    usd: Decimal
    """Per unit, an upfront payment spread over the term."""
    unit: str
    source: str
    as_of: str


@record
class BundledCoverage:
    """What the bundled snapshot has for one region, platform and term."""

    region: str
    platform: str
    term: Term | None
    prices: int
    oldest: str
    newest: str
    """ISO dates, or as much of them as is known."""


@record
class PriceStatus:
    """Live and bundled prices side by side."""

    cache: str
    """Path of the cache file, whether or not it is there."""
    live: CacheStatus
    bundled: tuple[BundledCoverage, ...]
    """Sorted by region, platform and term."""


@record
class PriceListing:
    """Every price of one name in one region."""

    subject: str
    region: str
    live: Found
    bundled: tuple[BundledPrice, ...]
    own: tuple[tuple[str, Decimal], ...]
    """(market/name, USD): negotiated prices."""
