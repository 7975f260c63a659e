"""Volumes alone: opens the knowledge base, gathers what is known and asks ``recommend.volumes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Platform
from advisor.session.recommend import SNAPSHOT
from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.domain.volumes import VolumeAnswer, VolumeRequest
    from advisor.recommend.volumes import VolumeGround


def storage(request: VolumeRequest, database: Path | None) -> VolumeAnswer:
    """Return the volumes for ``request`` from the knowledge base in use.

    Raises KnowledgeError when it cannot be opened, and what ``advisor.recommend.volumes`` raises.
    """
    from advisor.recommend.volumes import answer_of

    return answer_of(request, gather(request, database))


def gather(request: VolumeRequest, database: Path | None) -> VolumeGround:
    """Return all that the answer to ``request`` stands on; raises KnowledgeError."""
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.space import Documents
    from advisor.knowledge.volume_cells import instance_link, volume_cells
    from advisor.pricing.snapshot import volume_prices
    from advisor.recommend.volumes import VolumeGround

    with open_database(knowledge_path(database)) as connection:
        known = Documents(connection, ())
        return VolumeGround(
            volume_limits={
                kind: steps[0]
                for (platform, kind), steps in known.volume_limits().items()
                if platform is Platform.EC2
            },
            tariffs={
                kind: tariff
                for (platform, kind), tariff in volume_prices(connection, request.region).items()
                if platform is Platform.EC2
            },
            parameters=known.parameters(),
            cells=volume_cells(connection),
            link=(
                instance_link(connection, request.instance_type) if request.instance_type else None
            ),
            sources=known.sources(),
            data_version=data_version(connection),
            price_source=SNAPSHOT,
        )
