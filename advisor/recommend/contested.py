"""Which contested claims touch a candidate: both sides have a source and a weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import Dispute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.domain.advice import Advice, Contested
    from advisor.domain.candidate import Candidate
    from advisor.domain.workload import Workload

#: Stands for every word of a column.
ANY = "any"


def disputes(
    candidates: Iterable[Candidate], workload: Workload, advice: Advice
) -> tuple[Dispute, ...]:
    """Return the contested claims that touch any of ``candidates``, by claim."""
    shown = tuple(candidates)
    found = []
    for fact in advice.contested:
        configs = tuple(each.config for each in shown if _touches(fact, each, workload))
        if configs:
            sources = tuple(advice.sources[side.source_id] for side in fact.sides)
            found.append(Dispute(fact=fact, sources=sources, configs=configs))
    return tuple(found)


def contested_caveats(candidate: Candidate, workload: Workload, advice: Advice) -> Iterator[str]:
    """Yield one line for each contested claim that touches a candidate."""
    for fact in advice.contested:
        if _touches(fact, candidate, workload):
            yield f"contested, {fact.sides[0].weight:.0%} for it: {fact.statement}"


def _touches(fact: Contested, candidate: Candidate, workload: Workload) -> bool:
    """Whether a claim is about a candidate under a workload."""
    return (
        fact.platform in {ANY, candidate.platform}
        and (not fact.engines or candidate.engine in fact.engines)
        and (not fact.families or candidate.instance.family in fact.families)
        and (not fact.storage or candidate.storage.type in fact.storage)
        and (fact.load == ANY or workload.profile.writes > 0.0)
        and (fact.most_threads is None or workload.threads <= fact.most_threads)
    )
