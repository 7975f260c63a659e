"""Reads what advice is made from; on the start-up path, as documents of one query each."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from advisor.domain.advice import (
    Advice,
    BenchmarkCondition,
    DurabilityFact,
    EngineVersion,
    ExtendedSupportCharge,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.domain.evidence import Source

#: Document → query, in the order of the fields of the values; amounts leave as text.
ADVICE_QUERIES = {
    "durability": "SELECT platform, layout, storage, dialect, durability, failure, lost, rpo, rto, "
    "recovery, as_of, source_id FROM durability_facts ORDER BY ALL",
    "versions": "SELECT platform, engine, version, support_until, charged_from, dearer_from, "
    "charged_until, as_of, source_id FROM engine_versions ORDER BY ALL",
    "charges": "SELECT region, period, CAST(usd_per_vcpu_hour AS VARCHAR), as_of, source_id "
    "FROM extended_support ORDER BY ALL",
    "conditions": "SELECT source_id, condition_id, server_settings FROM conditions "
    "WHERE server_settings IS NOT NULL ORDER BY ALL",
}


def advice_of(rows: Mapping[str, Sequence[Sequence[Any]]], sources: Mapping[str, Source]) -> Advice:
    """Return the facts from the rows of ``ADVICE_QUERIES``, by document name."""
    return Advice(
        durability=tuple(map(DurabilityFact._make, rows["durability"])),
        versions=tuple(map(EngineVersion._make, rows["versions"])),
        charges=tuple(
            ExtendedSupportCharge(
                region=region,
                period=period,
                usd_per_vcpu_hour=Decimal(usd),
                as_of=as_of,
                source_id=source,
            )
            for region, period, usd, as_of, source in rows["charges"]
        ),
        conditions=tuple(map(BenchmarkCondition._make, rows["conditions"])),
        sources=sources,
    )
