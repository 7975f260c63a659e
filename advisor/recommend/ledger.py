"""The durability and availability ledger of a candidate: what each failure loses, and for how long.

Only looks facts up: every line is a row of ``data/advice/durability.csv`` with its source. Rows are
disjoint (tests/data/test_advice.py), so that one row answers each question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import BenchmarkSettings, Failure, Layout, Loss, Rpo, Rto
from advisor.domain.vocabulary import Engine, Platform, StorageType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.advice import Advice, DurabilityFact
    from advisor.domain.candidate import Candidate
    from advisor.domain.evidence import Source
    from advisor.domain.workload import Workload

#: Stands for every word of a column.
ANY = "any"


def layout_of(candidate: Candidate) -> Layout:
    """Return how many copies of the database a candidate keeps, and how."""
    if candidate.platform is Platform.RDS:
        return Layout.MULTI_AZ if candidate.is_multi_az else Layout.SINGLE
    if candidate.nodes == 1:
        return Layout.SINGLE
    if candidate.platform is Platform.AURORA:
        return Layout.READERS
    return Layout.CLUSTER if candidate.engine is Engine.PXC else Layout.REPLICAS


def ledger_of(candidate: Candidate, workload: Workload, advice: Advice) -> tuple[Loss, ...]:
    """Return one line per failure, the smallest failure first.

    A failure without a fact is left out: unknown is not nothing.
    """
    layout = layout_of(candidate).value
    storage = (ANY, _storage_class(candidate.storage.type))
    dialect = (ANY, candidate.engine.dialect.value)
    durability = (ANY, workload.durability.value)
    platform = candidate.platform.value
    found = {
        fact.failure: fact
        for fact in advice.durability
        if fact.layout == layout
        and fact.platform == platform
        and fact.storage in storage
        and fact.dialect in dialect
        and fact.durability in durability
    }
    return tuple(
        _loss(found[failure], advice.sources[found[failure].source_id])
        for failure in Failure
        if failure in found
    )


def _storage_class(kind: StorageType) -> str:
    if kind.is_aurora:
        return "aurora"
    return "nvme" if kind.is_volatile else "ebs"


def _loss(fact: DurabilityFact, source: Source) -> Loss:
    return Loss(
        failure=Failure(fact.failure),
        lost=fact.lost,
        rpo=Rpo(fact.rpo),
        rto=Rto(fact.rto),
        recovery=fact.recovery,
        as_of=fact.as_of,
        source=source,
    )


def worst_of(losses: Iterable[Loss]) -> Loss | None:
    """Return the line that loses most, the longest away among equals; None without lines."""
    return max(losses, key=lambda each: (each.rpo.rank, each.rto.rank), default=None)


def benchmark_settings(source_ids: Iterable[str], advice: Advice) -> tuple[BenchmarkSettings, ...]:
    """Return the server settings that the measurements of these sources ran with.

    Sources with equal settings share one list; the order is that of ``source_ids``.
    """
    by_text: dict[str, tuple[list[str], list[Source]]] = {}
    for source_id in dict.fromkeys(source_ids):
        for condition in advice.conditions:
            if condition.source_id == source_id:
                ids, sources = by_text.setdefault(condition.server_settings, ([], []))
                ids.append(condition.condition_id)
                if advice.sources[source_id] not in sources:
                    sources.append(advice.sources[source_id])
    return tuple(
        BenchmarkSettings(settings=_pairs(text), conditions=tuple(ids), sources=tuple(sources))
        for text, (ids, sources) in by_text.items()
    )


def _pairs(server_settings: str) -> tuple[tuple[str, str], ...]:
    """Return ``name=value; name=value`` as pairs; a value may hold ``=``."""
    parts = (part.strip().partition("=") for part in server_settings.split(";"))
    return tuple((name.strip(), value.strip()) for name, _, value in parts)
