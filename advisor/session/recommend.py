"""One recommendation: opens the knowledge base, gathers the ground and asks ``recommend``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.domain.recommendation import Recommendation, Request
    from advisor.recommend.ground import Ground

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
    from advisor.session.current import reviewed

    return replace(found, current=reviewed(request.current, found, database))


def gather(request: Request, database: Path | None) -> Ground:
    """Return all that the answer to ``request`` stands on; raises KnowledgeError."""
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.space import Documents
    from advisor.pricing.snapshot import ec2_prices, volume_prices
    from advisor.recommend.ground import Ground, Market

    with open_database(knowledge_path(database)) as connection:
        known = Documents(connection, request.constraints.families)
        return Ground(
            entries=known.entries(),
            excluded=known.excluded(),
            market=Market(
                instance_prices=ec2_prices(connection, request.region, request.term),
                volume_tariffs=volume_prices(connection, request.region),
                source=SNAPSHOT,
            ),
            volume_limits=known.volume_limits(),
            parameters=known.parameters(),
            sources=known.sources(),
            data_version=data_version(connection),
        )
