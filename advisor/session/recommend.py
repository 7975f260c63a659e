"""One recommendation: opens the knowledge base, gathers the ground and asks ``recommend``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Availability, Platform
from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.domain.recommendation import Recommendation, Request
    from advisor.knowledge.database import Connection
    from advisor.recommend.ground import Ground, Market

#: How bundled prices are named in an answer.
SNAPSHOT = "bundled snapshot"


def recommend(request: Request, database: Path | None) -> Recommendation:
    """Return the answer to ``request`` from the knowledge base in use.

    Raises KnowledgeError when it cannot be opened, and what ``advisor.recommend`` raises.
    """
    from advisor.recommend.recommend import recommend as answer

    found = answer(request, gather(request, database))
    if request.current is None:
        return found
    from advisor.recommend.counsel import moved_from
    from advisor.session.current import reviewed

    review = reviewed(request.current, found, database)
    return replace(moved_from(review.assessment.candidate, found), current=review)


def gather(request: Request, database: Path | None) -> Ground:
    """Return all that the answer to ``request`` stands on; raises KnowledgeError."""
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.space import Documents
    from advisor.recommend.engines import platforms_of
    from advisor.recommend.ground import Ground

    with open_database(knowledge_path(database)) as connection:
        known = Documents(connection, request.constraints.families)
        sources = known.sources()
        return Ground(
            entries=known.entries(platforms_of(request.workload, request.constraints)),
            excluded=known.excluded(),
            market=_market(request, connection),
            volume_limits=known.volume_limits(),
            parameters=known.parameters(),
            sources=sources,
            advice=known.advice(sources),
            data_version=data_version(connection),
        )


def prices(request: Request, database: Path | None) -> Market:
    """Return the prices for ``request`` alone; raises KnowledgeError."""
    from advisor.knowledge.database import open_database

    with open_database(knowledge_path(database)) as connection:
        return _market(request, connection)


def _market(request: Request, connection: Connection) -> Market:
    """Return the prices of the region under the asked term, payment and deployment."""
    from advisor.pricing.managed import (
        aurora_prices,
        deployment_of,
        managed_storage,
        rds_prices,
    )
    from advisor.pricing.snapshot import HourlyPrices, ec2_prices, volume_prices
    from advisor.recommend.engines import platforms_of
    from advisor.recommend.ground import Market

    platforms = platforms_of(request.workload, request.constraints)
    is_multi_az = request.workload.availability is Availability.MULTI_AZ
    deployment = deployment_of(is_multi_az=is_multi_az)
    bought = (request.term, request.payment)
    none = HourlyPrices({})
    tariffs = volume_prices(connection, request.region)
    if set(platforms) - {Platform.EC2}:
        tariffs |= managed_storage(connection, request.region, deployment)
    return Market(
        ec2=ec2_prices(connection, request.region, *bought),
        rds=rds_prices(connection, request.region, deployment, bought)
        if Platform.RDS in platforms
        else none,
        aurora=aurora_prices(connection, request.region, bought)
        if Platform.AURORA in platforms
        else none,
        tariffs=tariffs,
        source=SNAPSHOT,
    )
