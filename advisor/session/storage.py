"""Volumes alone: opens the knowledge base, gathers what is known and asks ``recommend.volumes``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Platform
from advisor.session.sources import open_prices

if TYPE_CHECKING:
    from advisor.domain.volumes import VolumeAnswer, VolumeRequest
    from advisor.recommend.volumes import VolumeGround
    from advisor.session.sources import Sources


def storage(request: VolumeRequest, sources: Sources) -> VolumeAnswer:
    """Return the volumes for ``request`` from the knowledge base in use.

    Raises KnowledgeError when it cannot be opened, and what ``advisor.recommend.volumes`` raises.
    """
    from advisor.recommend.volumes import answer_of

    return answer_of(request, gather(request, sources))


def gather(request: VolumeRequest, sources: Sources) -> VolumeGround:
    """Return all that the answer to ``request`` stands on; raises KnowledgeError."""
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.space import Documents
    from advisor.knowledge.volume_cells import instance_link, volume_cells
    from advisor.recommend.volumes import VolumeGround

    with open_database(sources.database) as connection:
        known = Documents(connection, ())
        prices = open_prices(connection, request.region, sources)
        tariffs = prices.book.volumes(request.region)
        return VolumeGround(
            volume_limits={
                kind: steps[0]
                for (platform, kind), steps in known.volume_limits().items()
                if platform is Platform.EC2
            },
            tariffs={
                kind: tariff
                for (platform, kind), tariff in tariffs.items()
                if platform is Platform.EC2
            },
            parameters=known.parameters(),
            cells=volume_cells(connection),
            link=(
                instance_link(connection, request.instance_type) if request.instance_type else None
            ),
            sources=known.sources(),
            data_version=data_version(connection),
            price_source=prices.book.phrase,
            price_notes=tuple(prices.notes(sources, datetime.now(UTC))),
        )
