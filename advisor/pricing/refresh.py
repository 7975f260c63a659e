"""A refresh of one region: asked, compared, and made current or kept apart, in one transaction.

What goes wrong on the way is a value in the report; the prices of before stay in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.price_report import Outcome, RefreshReport
from advisor.domain.quote import Subject
from advisor.domain.record import record, replaced
from advisor.errors import PricingError
from advisor.pricing.batch import Batch, covered
from advisor.pricing.documents import subject_of
from advisor.pricing.gathering import gather, last_misses
from advisor.pricing.quarantine import compared
from advisor.pricing.times import seconds_between, utc_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from advisor.domain.price_report import PriceMoves
    from advisor.domain.quote import Quote
    from advisor.pricing.cache import Cache
    from advisor.pricing.gathering import Gathered
    from advisor.pricing.provider import Deadline, Progress, Provider, Wanted


@record
class Job:
    """What a refresh is to do."""

    wanted: Wanted
    providers: tuple[Provider, ...]
    """In the order in which they are asked."""
    previous: tuple[Quote, ...] = ()
    """Bundled prices of the region: the measure of new ones while the cache has none."""
    known_types: frozenset[str] = frozenset()
    """Instance types of the catalogue."""
    accepts: bool = False
    """Whether prices that would be held are made current all the same."""


def refresh(
    job: Job,
    cache: Cache,
    deadline: Deadline,
    progress: Progress,
    clock: Callable[[], datetime],
) -> RefreshReport:
    """Ask the providers for prices of one region and make them current, or hold them.

    Another process that writes the cache is waited for until the deadline at most. Interrupts pass
    through and leave the cache as it was.
    """
    cache = cache.until(deadline)
    started = clock()
    gathered = gather(job.wanted, job.providers, deadline, progress)
    times = started + gathered.skew, clock() + gathered.skew
    batch = _batch(job, gathered, *map(utc_text, times))
    warning: str | None = None
    problem: str | None = None
    cached: tuple[Quote, ...] = ()
    try:
        warning = cache.prepare()
        cached = cache.quotes(batch.region)
    except PricingError as error:
        problem = error.message
    comparison = _comparison(job, batch, cached)
    outcome = _outcome(job, batch, comparison)
    try:
        if problem is None:
            _store(cache, batch, outcome, comparison)
    except PricingError as error:
        problem = error.message
    if outcome is Outcome.NOTHING:
        problem = "; ".join(f"{miss.subject}: {miss.reason}" for miss in batch.misses)
        problem = f"no source delivered a price: {problem or 'nothing was asked for'}"
    elif problem is not None:
        outcome = Outcome.NOT_STORED
    return replaced(
        _report(batch, comparison),
        outcome=outcome,
        misses=gathered.misses,
        notes=gathered.notes,
        unsettled=tuple(each for each in job.wanted.subjects if each not in batch.settled),
        new_types=_new_types(batch.quotes, job.known_types),
        warning=warning,
        problem=problem,
    )


def accept(cache: Cache, region: str, known_types: frozenset[str]) -> RefreshReport | None:
    """Make the held refresh of a region current; None: nothing is held.

    Raises PricingError when the cache cannot be read or written.
    """
    before = cache.quotes(region)
    batch = cache.accept(region)
    if batch is None:
        return None
    comparison = compared(_scope(batch, before), _by_key(batch.quotes))
    return replaced(_report(batch, comparison), new_types=_new_types(batch.quotes, known_types))


def _batch(job: Job, gathered: Gathered, started: str, finished: str) -> Batch:
    open_subjects = {*job.wanted.subjects} - {*gathered.settled}
    return Batch(
        region=job.wanted.region,
        settled=gathered.settled,
        types=job.wanted.types,
        quotes=gathered.quotes,
        troubles=gathered.troubles,
        facts=tuple(each for each in gathered.facts if each.name not in job.known_types),
        misses=last_misses(gathered.misses, open_subjects),
        published=gathered.published,
        origins=gathered.origins,
        started=started,
        finished=finished,
        requests=gathered.requests,
        wire_bytes=gathered.wire_bytes,
    )


def _comparison(job: Job, batch: Batch, cached: tuple[Quote, ...]) -> PriceMoves:
    """Compare subject by subject with the cache, or with the bundled prices where it has none.

    Bundled prices come from many sources: what one of today's lacks of them has not vanished.
    """
    in_cache, new = {subject_of(quote.market) for quote in cached}, _by_key(batch.quotes)
    bundled = tuple(
        each
        for each in job.previous
        if subject_of(each.market) not in in_cache and (each.market, each.name) in new
    )
    return compared(_scope(batch, (*cached, *bundled)), new)


def _scope(batch: Batch, quotes: tuple[Quote, ...]) -> Mapping[tuple[str, str], Quote]:
    before = _by_key(quotes)
    return {key: before[key] for key in covered(batch, before)}


def _by_key(quotes: tuple[Quote, ...]) -> dict[tuple[str, str], Quote]:
    return {(quote.market, quote.name): quote for quote in quotes}


def _outcome(job: Job, batch: Batch, comparison: PriceMoves) -> Outcome:
    if not batch.quotes:
        return Outcome.NOTHING
    return Outcome.HELD if comparison.is_held and not job.accepts else Outcome.CURRENT


def _store(cache: Cache, batch: Batch, outcome: Outcome, comparison: PriceMoves) -> None:
    if outcome is Outcome.HELD:
        cache.keep_apart(batch, comparison.reasons)
    elif outcome is Outcome.CURRENT:
        cache.make_current(batch)
    else:
        cache.note_failure(batch)


def _new_types(quotes: tuple[Quote, ...], known_types: frozenset[str]) -> tuple[str, ...]:
    names = {each.name for each in quotes if subject_of(each.market) is Subject.EC2}
    return tuple(sorted(names - known_types))


def _report(batch: Batch, comparison: PriceMoves) -> RefreshReport:
    return RefreshReport(
        region=batch.region,
        outcome=Outcome.CURRENT,
        origins=batch.origins,
        prices=len(batch.quotes),
        misses=batch.misses,
        unsettled=(),
        troubles=batch.troubles,
        new_types=(),
        comparison=comparison,
        requests=batch.requests,
        wire_bytes=batch.wire_bytes,
        seconds=seconds_between(batch.started, batch.finished),
        warning=None,
        problem=None,
    )
