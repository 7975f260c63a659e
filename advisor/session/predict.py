"""One prediction: opens the knowledge base and asks what a stated configuration will do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.domain.assessment import Assessment
    from advisor.domain.config import Config
    from advisor.domain.recommendation import Request
    from advisor.session.sources import Sources


def predict(config: Config, request: Request, sources: Sources) -> Assessment:
    """Return what ``config`` does under the workload of ``request``, and what it costs.

    Raises KnowledgeError when the knowledge base cannot be opened, UsageError for a configuration
    that cannot be bought, NoCandidateError for an instance that nothing is known about.
    """
    from advisor.session.candidate import assess, ground_of

    return assess(config, request, ground_of(config, request, sources))
