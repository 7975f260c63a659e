"""The public price feeds as a provider: no credentials, a few small files of one region.

A subject is delivered whole or fails: no half list is passed on, which would favour what it holds.
Must never raise for what the network or AWS does, and never outlast its deadline.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import Origin, Subject
from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.feed_documents import FEEDS_URL, SPOT_URL, documents_of
from advisor.pricing.feed_rows import facts_of, feed_of, read_spot, spot_of
from advisor.pricing.fetcher import Fetcher
from advisor.pricing.locations import REGION_LOCATIONS
from advisor.pricing.parallel import run_until
from advisor.pricing.provider import Delivery, Failure
from advisor.pricing.stated import Stated
from advisor.pricing.web import WebError, shown, web_client

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from advisor.domain.quote import TypeFacts
    from advisor.pricing.feed_documents import FeedDocument
    from advisor.pricing.feed_rows import Feed
    from advisor.pricing.fetcher import ResponseStore
    from advisor.pricing.provider import Deadline, Progress, Wanted
    from advisor.pricing.stored import Stored

    Parser = Callable[[bytes], Any]

#: Offset from which on the server's clock is believed instead of the local one.
MOST_SKEW = timedelta(minutes=5)
_PARALLEL = 4
_LATE = PricingError("no answer in time")
_COMPUTE_PLANS_ONLY = "the price feeds state Compute Savings Plans only, no Database Savings Plans"


class Feeds:
    """Prices of whole regions from the feeds of AWS's price pages and from the spot advisor."""

    def __init__(
        self,
        store: ResponseStore,
        clock: Callable[[], datetime],
        base_url: str = FEEDS_URL,
        spot_url: str = SPOT_URL,
    ) -> None:
        """``clock`` gives the time with its zone; ``base_url`` stands before ``/ec2/USD/…``."""
        self._store = store
        self._clock = clock
        self._base_url = base_url.rstrip("/")
        self._spot_url = spot_url

    @property
    def origin(self) -> Origin:
        """Who it is."""
        return Origin.FEEDS

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        """Return the prices of the subjects of a region; see ``Provider``.

        Spot brings the on-demand feeds of EC2 along, which its prices need. Up to four requests run
        at once; the result does not depend on the order of their answers.
        """
        subjects = tuple(dict.fromkeys(wanted.subjects))
        location = REGION_LOCATIONS.get(wanted.region)
        if location is None:
            return _failed(subjects, f"the price feeds have no name for region {wanted.region}")
        try:
            shown(self._base_url)
        except WebError:
            return _failed(subjects, "the address of the price feeds cannot be used")
        try:
            client = web_client(deadline)
        except PricingError as error:
            return _failed(subjects, error.message)
        documents = {
            subject: documents_of(
                Subject.EC2 if subject is Subject.SPOT else subject, wanted.region, location
            )
            for subject in subjects
        }
        parsers: dict[str, Parser] = {
            self._url(document.path): partial(feed_of, location=location)
            for listed in documents.values()
            for document in listed
        }
        if Subject.SPOT in subjects:
            parsers[self._spot_url] = partial(spot_of, region=wanted.region)
        fetcher = Fetcher(client, deadline, self._clock)
        read = self._read(fetcher, parsers, deadline, progress, client.close)
        skew = _skew(fetcher.skews)
        as_of = (self._clock() + skew).astimezone(UTC).date().isoformat()
        reading = _Reading(wanted.region, as_of)
        for subject in subjects:
            listed = [(each, read[self._url(each.path)]) for each in documents[subject]]
            if subject is Subject.SPOT:
                reading.read_spot(listed, read[self._spot_url])
            else:
                reading.read(subject, listed)
        return reading.delivery(fetcher, skew)

    def _held(self, url: str) -> Stored | None:
        try:
            return self._store.get(shown(url))
        except WebError:
            return None

    def _url(self, path: str) -> str:
        return f"{self._base_url}/{path}"

    def _read(
        self,
        fetcher: Fetcher,
        parsers: Mapping[str, Parser],
        deadline: Deadline,
        progress: Progress,
        close: Callable[[], None],
    ) -> dict[str, Any]:
        """Return what each address holds, or the PricingError that says why it could not be read.

        The store is used by this thread alone, and keeps only what could be read.
        """
        held = {url: self._held(url) for url in parsers}

        def task(url: str) -> tuple[Any, Stored | None]:
            try:
                shown(url)
                return fetcher.read(url, held[url], parsers[url])
            except PricingError as error:
                return error, None

        total = len(parsers)
        progress("price feeds", 0, total)
        answers = run_until(
            deadline,
            [partial(task, url) for url in parsers],
            most=_PARALLEL,
            heard=lambda done: progress("price feeds", done, total),
            last=close,
        )
        read: dict[str, Any] = {}
        for url, answer in zip(parsers, answers, strict=True):
            read[url], stored = answer or (_LATE, None)
            if stored is not None and stored is not held[url]:
                self._store.put(shown(url), stored)
        return read


@record
class _Part:
    """A subject as far as it could be read."""

    stated: Stated
    reason: str | None
    """Why it could not be delivered; None: it can."""


class _Reading:
    """The subjects of one region, as they become a delivery."""

    def __init__(self, region: str, as_of: str) -> None:
        self._region = region
        self._as_of = as_of
        self._parts: dict[Subject, _Part] = {}
        self._types: dict[str, TypeFacts] = {}
        self._published: list[str] = []

    def read(
        self, subject: Subject, listed: Sequence[tuple[FeedDocument, Feed | PricingError]]
    ) -> None:
        """Read the documents of a subject, each with its feed or its error."""
        self._parts[subject] = self._part(listed)

    def read_spot(
        self,
        listed: Sequence[tuple[FeedDocument, Feed | PricingError]],
        advised: dict[str, Any] | PricingError,
    ) -> None:
        """Read the spot advisor against the on-demand prices of the same delivery."""
        on_demand = self._part(listed)
        reason = on_demand.reason and f"on-demand prices: {on_demand.reason}"
        stated = Stated(Origin.SPOT_ADVISOR, self._as_of)
        if isinstance(advised, PricingError):
            reason = f"spot advisor: {advised.message}"
        elif reason is None:
            prices = {quote.name: quote for quote in on_demand.stated.quotes()}
            read_spot(advised, self._region, prices, stated)
            if not stated.taken:
                reason = "spot advisor: a changed shape: no row could be understood"
        self._parts[Subject.SPOT] = _Part(stated=stated, reason=reason)

    def delivery(self, fetcher: Fetcher, skew: timedelta) -> Delivery:
        """Return what was read; of a subject that failed, nothing but the reason."""
        notes = _notes(skew, self._as_of)
        whole = {subject: part for subject, part in self._parts.items() if part.reason is None}
        return Delivery(
            origin=Origin.FEEDS,
            delivered=tuple(whole),
            failures=tuple(
                Failure(subject=subject, reason=part.reason)
                for subject, part in self._parts.items()
                if part.reason is not None
            ),
            quotes=tuple(quote for part in whole.values() for quote in part.stated.quotes()),
            troubles=tuple(each for part in whole.values() for each in part.stated.troubles()),
            types=tuple(facts for _, facts in sorted(self._types.items())),
            published=max(self._published, default=None),
            requests=fetcher.requests,
            wire_bytes=fetcher.wire_bytes,
            notes=notes + ((_COMPUTE_PLANS_ONLY,) if Subject.SAVINGS in whole else ()),
            skew=skew,
        )

    def _part(self, listed: Sequence[tuple[FeedDocument, Feed | PricingError]]) -> _Part:
        stated = Stated(Origin.FEEDS, self._as_of)
        present: set[str] = set()
        absent: dict[str, str] = {}
        for document, feed in listed:
            if document.may_be_absent and _is_absent(feed):
                absent.setdefault(document.group, document.name)
                continue
            if isinstance(feed, PricingError):
                return _Part(stated=stated, reason=f"{document.name}: {feed.message}")
            before = stated.taken
            document.read(feed, stated)
            if stated.taken == before:
                reason = f"{document.name}: a changed shape: no row could be understood"
                return _Part(stated=stated, reason=reason)
            present.add(document.group)
            if feed.published:
                self._published.append(feed.published)
            if document.describes_types:
                self._types |= {facts.name: facts for facts in facts_of(feed)}
        for group, name in absent.items():
            if group not in present:
                return _Part(stated=stated, reason=f"{name}: there is no such feed")
        return _Part(stated=stated, reason=None)


def _is_absent(feed: Feed | PricingError) -> bool:
    if isinstance(feed, PricingError):
        return isinstance(feed, WebError) and feed.is_absent
    return not feed.rows


def _failed(subjects: tuple[Subject, ...], reason: str) -> Delivery:
    return Delivery(
        origin=Origin.FEEDS,
        delivered=(),
        failures=tuple(Failure(subject=subject, reason=reason) for subject in subjects),
        quotes=(),
        troubles=(),
        types=(),
        published=None,
        requests=0,
        wire_bytes=0,
    )


def _skew(skews: Sequence[timedelta]) -> timedelta:
    """Return AWS's clock minus the local one; 0 where that is right to MOST_SKEW, or not known.

    The smallest offset counts: one server that is wrong does not move the date.
    """
    skew = min(skews, key=abs, default=timedelta())
    return skew if abs(skew) > MOST_SKEW else timedelta()


def _notes(skew: timedelta, as_of: str) -> tuple[str, ...]:
    if not skew:
        return ()
    minutes = round(abs(skew).total_seconds() / 60)
    offset = f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"  # noqa: PLR2004 (two hours)
    side = "behind" if skew > timedelta() else "ahead of"
    clock = f"the clock of this machine is {offset} {side} AWS's"
    return (f"{clock}; prices carry AWS's date, {as_of}",)
