"""What a provider of live prices is asked and what it delivers.

A provider fetches, reads and checks; it neither stores nor compares. It may deliver some subjects
and fail others: the caller asks the next provider for what failed and for items in trouble.
"""

from __future__ import annotations

from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.quote import Origin, Quote, Subject, Trouble, TypeFacts


@record
class Wanted:
    """What is asked of a provider."""

    region: str
    subjects: tuple[Subject, ...]
    types: tuple[str, ...] = ()
    """Instance types and classes that matter; empty: all. Providers of whole lists ignore it."""


@record
class Failure:
    """A subject that a provider could not deliver."""

    subject: Subject
    reason: str
    """One line for the user; never a secret, a token or a signed address."""


@record
class Delivery:
    """What came of it."""

    origin: Origin
    delivered: tuple[Subject, ...]
    failures: tuple[Failure, ...]
    quotes: tuple[Quote, ...]
    troubles: tuple[Trouble, ...]
    types: tuple[TypeFacts, ...]
    """Instance types that the provider describes on the way; may be empty."""
    published: str | None
    """ISO date or time at which AWS published the newest of what was read; None: not stated."""
    requests: int
    wire_bytes: int
    """Bytes of bodies as they came over the network, compressed ones as such."""
    notes: tuple[str, ...] = ()
    """Sentences for the user about the delivery as a whole, such as a clock that is off."""
    skew: timedelta = timedelta()
    """Server's clock minus the local one where that is known to be wrong, otherwise 0."""


class Progress(Protocol):
    """Hears how far a fetch is; called often, must be cheap and must not raise."""

    def __call__(self, what: str, done: int, total: int | None, /) -> None:
        """``what``: a few words; ``done`` of ``total`` bytes or items; total None: unknown."""


class Provider(Protocol):
    """A source of live prices."""

    @property
    def origin(self) -> Origin:
        """Who it is."""

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        """Return what could be had until ``deadline``; a failure is a value, not an exception.

        Interrupts (KeyboardInterrupt) pass through and leave nothing behind.
        """


class Deadline:
    """A point in time after which nothing is started or waited for."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    @property
    def left_s(self) -> float:
        """Seconds left; 0 when over."""
        return max(0.0, self._end - monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.left_s <= 0.0
