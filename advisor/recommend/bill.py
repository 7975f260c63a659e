"""The bill of an option, and whether it meets what was asked: for ranked and stated ones alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import StorageType
from advisor.recommend.cost import cost_of
from advisor.recommend.options import billed_requests_per_s, limits_at

if TYPE_CHECKING:
    from advisor.domain.candidate import Candidate
    from advisor.domain.cost import Cost
    from advisor.domain.workload import Workload
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option


def bill_of(
    option: Option, candidate: Candidate, workload: Workload, ground: Ground
) -> tuple[Cost | None, str | None]:
    """Return (what ``candidate`` costs a month, None), or (None, what of it has no price)."""
    market, platform, kind = ground.market, candidate.platform, candidate.storage.type
    name = candidate.instance.name
    hourly = market.hourly(platform, candidate.engine, name, kind)
    if hourly is None:
        return None, name
    tariff = market.tariffs.get((platform, kind))
    if tariff is None and kind is not StorageType.NVME:
        return None, f"{kind} storage"
    steps = ground.volume_limits.get((platform, kind))
    cost = cost_of(
        candidate,
        hourly,
        tariff,
        limits_at(steps, candidate.storage.size_gib) if steps else None,
        billed_requests_per_s(workload, option.settled, option.point),
    )
    return cost, None


def meets(option: Option, workload: Workload) -> bool | None:
    """Return whether target and latency limit hold; None: none was asked."""
    if workload.target_tps is None and workload.max_p95_ms is None:
        return None
    return option.shortfall <= 0.0
