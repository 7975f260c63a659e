"""The review of what somebody runs now, beside an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.errors import AdvisorError

if TYPE_CHECKING:
    from advisor.domain.assessment import Assessment
    from advisor.domain.config import Config
    from advisor.domain.current import CurrentReview
    from advisor.domain.recommendation import Recommendation
    from advisor.session.sources import Sources


def reviewed(config: Config, answer: Recommendation, sources: Sources) -> CurrentReview:
    """Return what is wrong with ``config``, the moves from it and what the pick would bring.

    It is judged with the nodes that it has, whatever availability the answer asks for. Raises as
    ``predict`` does.
    """
    from advisor.recommend.current import Scene, review
    from advisor.recommend.options import limits_at
    from advisor.session.candidate import assess, ground_of, instances

    request = answer.request
    workload = replace(request.workload, availability=config.availability)
    request = replace(request, workload=workload)
    ground = ground_of(config, request, sources)

    def tried(changed: Config) -> Assessment | None:
        try:
            return assess(changed, request, ground)
        except AdvisorError:
            return None

    limits = {
        kind: limits_at(steps, config.size_gib or workload.volume_gib)
        for (platform, kind), steps in ground.volume_limits.items()
        if platform is config.platform
    }
    scene = Scene(instances=instances(ground), limits=limits, assess=tried)
    return review(assess(config, request, ground), answer.pick, scene)
