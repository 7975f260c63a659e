"""Prices from several sources in order: each is asked for what those before it did not settle.

Never lets a later source override an earlier one: it fills what failed and what was in trouble. A
capacity without the price of its IOPS, throughput or requests is in trouble.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from advisor.domain.price_report import Miss
from advisor.domain.quote import Origin, Trouble, region_of
from advisor.domain.record import record
from advisor.pricing.documents import effective_usd, is_by_item, subject_of, type_of
from advisor.pricing.provider import Failure, Wanted
from advisor.pricing.stated import paid, several
from advisor.pricing.whole_tariffs import missing_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from decimal import Decimal

    from advisor.domain.quote import Quote, Subject, TypeFacts
    from advisor.pricing.provider import Deadline, Delivery, Progress, Provider

#: Hundreds of MB at a time: asked for subjects that failed, not for a few items in trouble.
_LARGE = (Origin.BULK,)
_NO_TIME = "no time was left to ask for it"
_EMPTY = "the answer holds no price"


@record
class Gathered:
    """What the sources brought together."""

    quotes: tuple[Quote, ...]
    """Sound, one for each (market, name), sorted."""
    troubles: tuple[Trouble, ...]
    """Items that no source settled, sorted."""
    settled: tuple[Subject, ...]
    """Delivered whole."""
    misses: tuple[Miss, ...]
    """Every failure of every source, in the order in which they happened."""
    facts: tuple[TypeFacts, ...]
    published: tuple[tuple[Origin, str], ...]
    origins: tuple[Origin, ...]
    """Sources of which something is kept."""
    requests: int
    wire_bytes: int
    notes: tuple[str, ...]
    skew: timedelta
    """What is to be added to the local clock: by the first source that found it wrong."""


def gather(
    wanted: Wanted, providers: Sequence[Provider], deadline: Deadline, progress: Progress
) -> Gathered:
    """Return what the providers deliver until the deadline, each asked for what is still open."""
    state = _State(wanted)
    for provider in providers:
        question = state.question(with_items=provider.origin not in _LARGE)
        if question is None:
            continue
        if deadline.is_over:
            state.give_up(provider.origin, question)
            break
        state.asks(provider.origin, question)
        state.take(provider.fetch(question, deadline, progress))
    return state.gathered()


class _State:
    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._open = list(wanted.subjects)
        self._quotes: dict[tuple[str, str], Quote] = {}
        self._troubles: dict[tuple[str, str], Trouble] = {}
        self._settled: set[Subject] = set()
        self._misses: list[tuple[Failure, Origin, Origin | None]] = []
        self._facts: dict[str, TypeFacts] = {}
        self._published: dict[Origin, str] = {}
        self._origins: list[Origin] = []
        self._requests = self._wire_bytes = 0
        self._notes: list[str] = []
        self._skew = timedelta()

    def question(self, *, with_items: bool) -> Wanted | None:
        """Return what is open, items in trouble included ``with_items``; None: nothing is."""
        troubles = self._all_troubles() if with_items else ()
        in_trouble = {subject_of(market): None for market, _ in troubles}
        subjects = (*self._open, *(each for each in in_trouble if each not in self._open))
        asked = tuple(each for each in subjects if each is not None)
        if not asked:
            return None
        return Wanted(region=self._wanted.region, subjects=asked, types=self._types())

    def _types(self) -> tuple[str, ...]:
        """Narrow to the types in trouble where nothing else is open."""
        if self._open and not self._wanted.types:
            return ()
        found = {type_of(market, name) for market, name in self._all_troubles()}
        if not self._open and None not in found:
            return tuple(sorted(filter(None, found)))
        return tuple(sorted({*self._wanted.types, *filter(None, found)})) if self._open else ()

    def asks(self, origin: Origin, question: Wanted) -> None:
        """Note who is asked next for what failed before."""
        self._misses = [
            (failure, by, after or (origin if failure.subject in question.subjects else None))
            for failure, by, after in self._misses
        ]

    def give_up(self, origin: Origin, question: Wanted) -> None:
        """Note that a source was not asked for want of time."""
        known = {failure.subject for failure, _, _ in self._misses}
        self._misses += [
            (Failure(subject=subject, reason=_NO_TIME), origin, None)
            for subject in question.subjects
            if subject in self._open and subject not in known
        ]

    def take(self, delivery: Delivery) -> None:
        """Add what is new in a delivery."""
        origin = delivery.origin
        quotes, troubles = sound(delivery, self._wanted.region)
        opened = {*self._open}
        delivered = {*delivery.delivered} & opened
        found = {subject_of(market) for market, _ in (*quotes, *troubles)}
        empty = () if self._wanted.types else sorted(delivered - found - {*_of(delivery.failures)})
        failures = (*delivery.failures, *(Failure(subject=each, reason=_EMPTY) for each in empty))
        self._misses += [(each, origin, None) for each in failures if each.subject in opened]
        before = len(self._quotes)
        lacking = self._lacking()
        for key, quote in quotes.items():
            is_new = subject_of(quote.market) in delivered and key not in self._quotes
            if is_new or key in self._troubles or key in lacking:
                self._quotes[key] = quote
                self._troubles.pop(key, None)
        for key, trouble in troubles.items():
            if subject_of(trouble.market) in delivered and key not in self._quotes:
                self._troubles.setdefault(key, trouble)
        self._settled |= delivered - {*_of(failures)}
        self._open = [each for each in self._open if each not in self._settled]
        self._requests += delivery.requests
        self._wire_bytes += delivery.wire_bytes
        self._notes += delivery.notes
        self._skew = self._skew or delivery.skew
        self._facts = {each.name: each for each in delivery.types} | self._facts
        if len(self._quotes) > before:
            self._origins.append(origin)
            if delivery.published:
                self._published[origin] = delivery.published

    def _lacking(self) -> set[tuple[str, str]]:
        """Return the capacities that are no whole tariff, and the parts that are missing."""
        found = missing_parts(self._quotes)
        return {*found} | {(market, part) for (market, _), parts in found.items() for part in parts}

    def _all_troubles(self) -> dict[tuple[str, str], Trouble]:
        """Return the items in trouble, with each capacity that lacks the price of a part."""
        return self._troubles | {
            key: Trouble(market=key[0], name=key[1], reason=f"no price of {', '.join(parts)}")
            for key, parts in missing_parts(self._quotes).items()
        }

    def gathered(self) -> Gathered:
        """Return what came together."""
        troubles = self._all_troubles()
        quotes = {key: quote for key, quote in self._quotes.items() if key not in troubles}
        origins = {quote.origin: None for quote in quotes.values()}
        return Gathered(
            quotes=tuple(quotes[key] for key in sorted(quotes)),
            troubles=tuple(troubles[key] for key in sorted(troubles)),
            settled=tuple(each for each in self._wanted.subjects if each in self._settled),
            misses=tuple(
                Miss(subject=failure.subject, origin=by, reason=failure.reason, next=after)
                for failure, by, after in self._misses
            ),
            facts=tuple(self._facts[name] for name in sorted(self._facts)),
            published=tuple(self._published.items()),
            origins=tuple(dict.fromkeys((*self._origins, *origins))),
            requests=self._requests,
            wire_bytes=self._wire_bytes,
            notes=tuple(dict.fromkeys(self._notes)),
            skew=self._skew,
        )


def sound(
    delivery: Delivery, region: str
) -> tuple[dict[tuple[str, str], Quote], dict[tuple[str, str], Trouble]]:
    """Return the quotes that can be taken at their word, and the troubles with the others.

    A price has one value, is above 0 and belongs to the region that was asked for.
    """
    quotes: dict[tuple[str, str], Quote] = {}
    troubles = {(each.market, each.name): each for each in delivery.troubles}
    for quote in delivery.quotes:
        key = quote.market, quote.name
        reason = _fault(quote, region)
        earlier = quotes.get(key)
        if earlier is not None and _value(earlier) != _value(quote):
            reason = several((_value(earlier), _value(quote)))
        if reason:
            troubles.setdefault(key, Trouble(market=key[0], name=key[1], reason=reason))
        else:
            quotes.setdefault(key, quote)
    return {key: quotes[key] for key in quotes.keys() - troubles.keys()}, troubles


def _of(failures: Iterable[Failure]) -> Iterator[Subject]:
    return (failure.subject for failure in failures)


def _value(quote: Quote) -> tuple[Decimal, Decimal]:
    return quote.usd, quote.upfront_usd


def _fault(quote: Quote, region: str) -> str | None:
    if subject_of(quote.market) is None or region_of(quote.market) != region:
        return f"no market of {region}"
    if not (quote.usd.is_finite() and quote.upfront_usd.is_finite()):
        return f"not a price: {paid(*_value(quote))}"
    if is_by_item(quote.market) and not _is_item(quote.name):
        return "no item of storage"
    try:
        is_free = effective_usd(quote) <= 0 or min(quote.usd, quote.upfront_usd) < 0
    except ValueError as error:
        return str(error)
    return f"a price of {paid(*_value(quote))}" if is_free else None


def _is_item(name: str) -> bool:
    kind, _, tier = name.rpartition("/")
    return kind.count("/") == 1 and tier.isdecimal()


def last_misses(misses: Iterable[Miss], open_subjects: set[Subject]) -> tuple[Miss, ...]:
    """Return the last failure of each subject that no source settled."""
    last = {miss.subject: miss for miss in misses if miss.subject in open_subjects}
    return tuple(last[subject] for subject in sorted(last))
