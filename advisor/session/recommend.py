"""One recommendation: opens the knowledge base, gathers the ground and asks ``recommend``."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from advisor.domain.quote import Subject
from advisor.domain.vocabulary import Availability, Dialect, Platform, Term
from advisor.errors import AdvisorError
from advisor.session.sources import open_prices

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from advisor.domain.quote import TypeFacts
    from advisor.domain.recommendation import Recommendation, Request
    from advisor.prediction.curve import SpaceEntry
    from advisor.recommend.ground import Ground, Market
    from advisor.session.sources import Prices, Sources


def recommend(request: Request, sources: Sources) -> Recommendation:
    """Return the answer to ``request`` from the knowledge base in use.

    Raises KnowledgeError when it cannot be opened, and what ``advisor.recommend`` raises.
    """
    from advisor.recommend.recommend import recommend as answer

    found = answer(request, gather(request, sources))
    if request.current is None:
        return found
    from advisor.recommend.counsel import moved_from
    from advisor.session.current import reviewed

    review = reviewed(request.current, found, sources)
    return replace(moved_from(review.assessment.candidate, found), current=review)


def needed(request: Request) -> tuple[Subject, ...]:
    """Return the prices that the answer to ``request`` may use."""
    from advisor.recommend.engines import platforms_of

    return subjects_of(platforms_of(request.workload, request.constraints), request.term)


def short_list(request: Request, sources: Sources) -> tuple[str, ...]:
    """Return the instance types and classes of the answer by the prices that are there already.

    Empty where there is no answer without fresh ones.
    """
    try:
        found = recommend(request, sources)
    except AdvisorError:
        return ()
    return tuple(sorted({row.candidate.instance.name for row in found.rows}))


def subjects_of(platforms: Collection[Platform], term: Term) -> tuple[Subject, ...]:
    """Return the prices of ``platforms`` bought under ``term``, their storage included."""
    found = [Subject.EC2, Subject.EBS] if Platform.EC2 in platforms else []
    found += [Subject.RDS] if Platform.RDS in platforms else []
    found += [Subject.AURORA] if Platform.AURORA in platforms else []
    if term.is_reserved:
        found.append(Subject.RESERVED)
    if term.is_savings:
        found.append(Subject.SAVINGS)
    return tuple(found)


def gather(request: Request, sources: Sources) -> Ground:
    """Return all that the answer to ``request`` stands on; raises KnowledgeError."""
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.space import Documents
    from advisor.recommend.engines import platforms_of
    from advisor.recommend.ground import Ground

    with open_database(sources.database) as connection:
        found = open_prices(connection, request.region, sources)
        market = _market(request, found, sources)
        has_live = bool(found.cached)
        known = Documents(connection, request.constraints.families, has_live=has_live)
        cited = known.sources()
        platforms = platforms_of(request.workload, request.constraints)
        entries = known.entries(platforms, _sold(market) if has_live else None)
        return Ground(
            entries=_with_newcomers(entries, platforms, found.types),
            excluded=known.excluded(),
            market=market,
            volume_limits=known.volume_limits(),
            parameters=known.parameters(),
            sources=cited,
            advice=known.advice(cited),
            data_version=data_version(connection),
        )


def prices(request: Request, sources: Sources) -> Market:
    """Return the prices for ``request`` alone; raises KnowledgeError."""
    from advisor.knowledge.database import open_database

    with open_database(sources.database) as connection:
        return _market(request, open_prices(connection, request.region, sources), sources)


def _sold(market: Market) -> dict[Platform, frozenset[str]]:
    """Return the database classes that have a price, by platform."""
    found = ((Platform.RDS, market.rds), (Platform.AURORA, market.aurora))
    return {
        platform: frozenset(name.split("/")[1] for name in prices) for platform, prices in found
    }


def _with_newcomers(
    entries: tuple[SpaceEntry, ...], platforms: Collection[Platform], facts: Sequence[TypeFacts]
) -> tuple[SpaceEntry, ...]:
    """Return the entries with those instance types that came after the bundled evidence."""
    if not facts or Platform.EC2 not in platforms:
        return entries
    from advisor.prediction.newcomer import newcomers

    mine = [entry for entry in entries if entry.platform is Platform.EC2]
    rest = [entry for entry in entries if entry.platform is not Platform.EC2]
    mine = sorted((*mine, *newcomers(facts, mine)), key=lambda entry: entry.instance.name)
    return (*mine, *rest)


def _market(request: Request, found: Prices, sources: Sources) -> Market:
    """Return the prices of the region under the asked term, payment and deployment."""
    from advisor.pricing.book import deployment_of
    from advisor.pricing.hourly import HourlyPrices
    from advisor.recommend.engines import platforms_of
    from advisor.recommend.ground import Market

    platforms = platforms_of(request.workload, request.constraints)
    is_multi_az = request.workload.availability is Availability.MULTI_AZ
    deployment = deployment_of(is_multi_az=is_multi_az)
    region, bought = request.region, (request.term, request.payment)
    book, none = found.book, HourlyPrices({})
    tariffs = book.volumes(region)
    if set(platforms) - {Platform.EC2}:
        engine = "postgresql" if request.constraints.dialect is Dialect.POSTGRESQL else "mysql"
        tariffs |= book.managed_storage(region, engine, deployment)
    return Market(
        ec2=book.ec2(region, *bought),
        rds=book.rds(region, deployment, *bought) if Platform.RDS in platforms else none,
        aurora=book.aurora(region, *bought) if Platform.AURORA in platforms else none,
        tariffs=tariffs,
        source=book.phrase,
        notes=tuple(found.notes(sources, datetime.now(UTC))),
    )
