"""What goes with a configuration beside its numbers: settings, losses, and how to get there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.domain.advice import Counsel
from advisor.recommend.ledger import benchmark_settings, ledger_of
from advisor.recommend.migration import how_to_get_there
from advisor.recommend.notes import notes_of
from advisor.recommend.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.candidate import Candidate
    from advisor.domain.evidence import Evidence
    from advisor.domain.recommendation import Ranked, Recommendation
    from advisor.domain.workload import Workload
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option


def moved_from(current: Candidate, answer: Recommendation) -> Recommendation:
    """Return ``answer`` with the way to each row from what runs now."""

    def moved(row: Ranked) -> Ranked:
        way = how_to_get_there(row.candidate, current)
        return replace(row, counsel=replace(row.counsel, migration=way))

    return replace(
        answer,
        ranking=tuple(map(moved, answer.ranking)),
        alternatives=tuple(map(moved, answer.alternatives)),
    )


def counsel_of(
    option: Option,
    candidate: Candidate,
    workload: Workload,
    evidence: Sequence[Evidence],
    ground: Ground,
) -> Counsel:
    """Return the advice that goes with ``candidate``; ``option`` is it as the model sees it."""
    limits = option.point.limits
    sustained = min(limits.write_iops, limits.instance_iops or limits.write_iops)
    iops = None if candidate.storage.type.is_aurora else sustained
    pool_gib = option.settled.part.pool_gib
    return Counsel(
        settings=settings_of(candidate, workload, pool_gib, iops),
        durability=ledger_of(candidate, workload, ground.advice),
        notes=notes_of(candidate, workload),
        migration=how_to_get_there(candidate),
        benchmark_settings=benchmark_settings((each.source.id for each in evidence), ground.advice),
    )
