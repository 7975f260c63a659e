"""Prices without a network: quotes in a line, and providers that say what they are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Quote, Subject, Trouble, ec2_market
from advisor.domain.vocabulary import Term
from advisor.pricing.documents import subject_of
from advisor.pricing.provider import Deadline, Delivery, Failure, Wanted
from advisor.pricing.refresh import Job, refresh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.price_report import RefreshReport
    from advisor.domain.quote import TypeFacts
    from advisor.pricing.cache import Cache
    from advisor.pricing.provider import Progress

REGION = "eu-test-1"
EC2 = ec2_market(REGION, Term.ON_DEMAND)
NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


def quote(
    name: str,
    usd: str,
    market: str = EC2,
    *,
    upfront: str = "0",
    origin: Origin = Origin.FEEDS,
) -> Quote:
    return Quote(
        market=market,
        name=name,
        usd=Decimal(usd),
        unit="GiB-month" if market.startswith(("volumes", "storage")) else "hour",
        origin=origin,
        as_of="2026-11-21",
        upfront_usd=Decimal(upfront),
    )


def quotes(count: int, usd: str, market: str = EC2) -> tuple[Quote, ...]:
    return tuple(quote(f"m{number}.large", usd, market) for number in range(count))


class Stub:
    """A provider that delivers what it was given and remembers what it was asked."""

    def __init__(
        self,
        *given: Quote,
        origin: Origin = Origin.FEEDS,
        failures: dict[Subject, str] | None = None,
        troubles: Iterable[Trouble] = (),
        types: Iterable[TypeFacts] = (),
        skew: timedelta = timedelta(),
    ) -> None:
        self.origin = origin
        self.asked: list[Wanted] = []
        self._given = given
        self._failures = failures or {}
        self._troubles = tuple(troubles)
        self._types = tuple(types)
        self._skew = skew

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        assert not deadline.is_over
        progress("prices", 1, 1)
        self.asked.append(wanted)
        return Delivery(
            origin=self.origin,
            delivered=tuple(each for each in wanted.subjects if each not in self._failures),
            failures=tuple(
                Failure(subject=subject, reason=reason)
                for subject, reason in self._failures.items()
                if subject in wanted.subjects
            ),
            quotes=tuple(
                each for each in self._given if subject_of(each.market) in wanted.subjects
            ),
            troubles=self._troubles,
            types=self._types,
            published="2026-11-20",
            requests=2,
            wire_bytes=1000,
            skew=self._skew,
        )


def silent(what: str, done: int, total: int | None) -> None:
    assert what
    assert total is None or done <= total


def wanted(*subjects: Subject, types: tuple[str, ...] = ()) -> Wanted:
    return Wanted(region=REGION, subjects=subjects or (Subject.EC2,), types=types)


def refreshed(  # noqa: PLR0913 (all have defaults)
    cache: Cache,
    *providers: Stub,
    asked: Wanted | None = None,
    previous: tuple[Quote, ...] = (),
    known_types: frozenset[str] = frozenset(),
    accepts: bool = False,
    now: datetime = NOON,
    seconds: float = 60.0,
) -> RefreshReport:
    job = Job(
        wanted=asked or wanted(),
        providers=providers,
        previous=previous,
        known_types=known_types,
        accepts=accepts,
    )
    return refresh(job, cache, Deadline(seconds), silent, lambda: now)
