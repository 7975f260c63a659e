"""Live prices: fetched, kept apart or accepted, their age and gaps, everything about one name."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.names import INSTANCE_TYPES
from advisor.domain.price_report import (
    BundledCoverage,
    PriceListing,
    PriceStatus,
    Route,
)
from advisor.domain.quote import Origin, Quote
from advisor.domain.vocabulary import Term
from advisor.pricing.cache import Cache
from advisor.pricing.provider import Deadline, Wanted
from advisor.pricing.refresh import Job
from advisor.pricing.refresh import accept as accepted
from advisor.pricing.refresh import refresh as refreshed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from advisor.domain.price_report import BundledPrice, RefreshReport
    from advisor.domain.quote import Subject
    from advisor.pricing.aws import Identity
    from advisor.pricing.provider import Progress, Provider
    from advisor.session.sources import Sources
    from advisor.settings import Settings

#: Longest wait of ``advisor prices refresh`` for one region, s: a Price List file takes minutes.
PATIENCE_S = 1_800.0
#: Longest look for credentials, s: away from AWS its metadata service does not answer.
_LOOK_S = 3.0
_TYPES = frozenset(INSTANCE_TYPES)


class LivePrices:
    """The live prices of this user: where they come from and where they are kept."""

    def __init__(self, settings: Settings, sources: Sources) -> None:
        """``sources.cache`` is the file that is read and written."""
        if sources.cache is None:
            raise ValueError("live prices need a place to be kept")
        self._settings = settings
        self._database = sources.database
        self._own = sources.own
        self._cache = Cache(sources.cache)

    def refresh(
        self,
        region: str,
        subjects: Sequence[Subject],
        route: Route,
        progress: Progress,
        *,
        accepts: bool = False,
    ) -> RefreshReport:
        """Fetch prices and put them in force, or keep them apart; what goes wrong is reported.

        ``accepts``: put in force also what would be kept apart.
        """
        wanted = Wanted(region=region, subjects=tuple(subjects))
        providers = tuple(self._providers(route))
        return self._run(wanted, providers, Deadline(PATIENCE_S), progress, accepts=accepts)

    def refresh_quickly(
        self,
        region: str,
        subjects: Sequence[Subject],
        types: Callable[[], Sequence[str]],
        progress: Progress,
    ) -> tuple[RefreshReport, ...]:
        """Fetch what one answer needs within ``refresh_timeout_s``: the feeds, then the API.

        ``types``: gives the short-list of instance types and classes that the API is asked for.
        """
        deadline = Deadline(self._settings.refresh_timeout_s)
        wanted = Wanted(region=region, subjects=tuple(subjects))
        feeds = tuple(self._providers(Route.FEEDS))
        first = self._run(wanted, feeds, deadline, progress)
        if not first.unsettled or deadline.is_over or not self._has_credentials(deadline):
            return (first,)
        wanted = Wanted(region=region, subjects=first.unsettled, types=tuple(types()))
        return (first, self._run(wanted, tuple(self._providers(Route.API)), deadline, progress))

    def accept(self, region: str) -> RefreshReport | None:
        """Put the prices that were kept apart for a region in force; None: none were.

        Raises PricingError when the cache cannot be read or written.
        """
        if not os.path.exists(self._cache.file.path):  # noqa: PTH110 (Path.exists raises)
            return None
        return accepted(self._cache, region, _TYPES)

    def status(self) -> PriceStatus:
        """Return what there is of live and of bundled prices, by region, platform and term."""
        from advisor.knowledge.database import open_database
        from advisor.pricing.cache_status import status

        with open_database(self._database) as connection:
            rows = connection.execute(_COVERAGE).fetchall()
        return PriceStatus(
            cache=str(self._cache.file.path),
            live=status(self._cache),
            bundled=tuple(
                BundledCoverage(
                    region=region,
                    platform=platform,
                    term=Term(term) if term else None,
                    prices=count,
                    oldest=oldest,
                    newest=newest,
                )
                for region, platform, term, count, oldest, newest in rows
            ),
        )

    def listing(self, name: str, region: str) -> PriceListing:
        """Return every price of an instance type, class or volume type in a region."""
        from advisor.pricing.cache_status import lookup
        from advisor.pricing.documents import article_of
        from advisor.pricing.own import split

        own = [
            (f"{market}/{item}", Decimal(usd))
            for market, prices in self._own.negotiated.items()
            for item, usd in prices.items()
            if market.split("/")[1] == region and article_of(*split(f"{market}/{item}")) == name
        ]
        return PriceListing(
            subject=name,
            region=region,
            live=lookup(self._cache, name, region),
            bundled=tuple(
                each for each in self._bundled(region) if article_of(each.market, each.name) == name
            ),
            own=tuple(sorted(own)),
        )

    def _run(
        self,
        wanted: Wanted,
        providers: tuple[Provider, ...],
        deadline: Deadline,
        progress: Progress,
        *,
        accepts: bool = False,
    ) -> RefreshReport:
        job = Job(
            wanted=wanted,
            providers=providers,
            previous=tuple(
                Quote(
                    market=each.market,
                    name=each.name,
                    usd=each.usd,
                    unit=each.unit,
                    origin=Origin.SNAPSHOT,
                    as_of=each.as_of,
                )
                for each in self._bundled(wanted.region)
            ),
            known_types=_TYPES,
            accepts=accepts,
        )
        return refreshed(job, self._cache, deadline, progress, _now)

    def _bundled(self, region: str) -> tuple[BundledPrice, ...]:
        from advisor.knowledge.database import open_database
        from advisor.pricing.bundled import bundled_prices

        with open_database(self._database) as connection:
            return bundled_prices(connection, region)

    def _providers(self, route: Route) -> Iterator[Provider]:
        """Yield the sources of a route in the order in which they are asked."""
        if route in (Route.AUTO, Route.FEEDS):
            from advisor.pricing.feeds import Feeds
            from advisor.pricing.responses import Responses

            yield Feeds(
                Responses(self._cache, _now),
                _now,
                base_url=self._settings.price_feed_url,
                spot_url=self._settings.spot_advisor_url,
            )
        if route is Route.API or (route is Route.AUTO and self._has_credentials(Deadline(_LOOK_S))):
            from advisor.pricing.query_api import QueryApi

            yield QueryApi(self._identity())
        if route in (Route.AUTO, Route.BULK):
            from advisor.pricing.price_list import PriceList

            work: Path = self._cache.file.path.with_name("downloads")
            yield PriceList(work, base_url=self._settings.price_list_url)

    def _has_credentials(self, deadline: Deadline) -> bool:
        from advisor.pricing.aws import has_credentials

        return has_credentials(self._identity(), deadline)

    def _identity(self) -> Identity:
        from advisor.pricing.aws import Identity

        home = os.environ.get("AWS_REGION") or self._settings.region
        return Identity(profile=None, home_region=home, clock=_now)


def regions_of_feeds() -> tuple[str, ...]:
    """Return the commercial regions that live prices are known for, sorted."""
    from advisor.pricing.locations import REGION_LOCATIONS

    return tuple(sorted(REGION_LOCATIONS))


def _now() -> datetime:
    return datetime.now(UTC)


_COVERAGE = (
    "SELECT region, 'ec2', term, count(*), min(as_of), max(as_of) FROM ec2_prices "
    "WHERE term IN ('on-demand', 'reserved-1y', 'reserved-3y') GROUP BY ALL "
    "UNION ALL SELECT region, 'rds', term, count(*), min(as_of), max(as_of) FROM rds_prices "
    "GROUP BY ALL "
    "UNION ALL SELECT region, 'aurora', 'on-demand', count(*), min(as_of), max(as_of) "
    "FROM aurora_prices GROUP BY ALL "
    "UNION ALL SELECT region, 'volumes', '', count(*), min(as_of), max(as_of) FROM volume_prices "
    "GROUP BY ALL "
    "UNION ALL SELECT region, 'storage', '', count(*), min(as_of), max(as_of) "
    "FROM rds_storage_prices GROUP BY ALL ORDER BY 1, 2, 3"
)
