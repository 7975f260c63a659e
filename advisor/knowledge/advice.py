"""Reads what advice is made from; on the start-up path, as documents of one query each."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from advisor.domain.advice import (
    Advice,
    BenchmarkCondition,
    Contested,
    ContestedSide,
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
    "contested": "SELECT claim, statement, platform, engines, families, storage, load, "
    "most_threads, a_text, a_source_id, a_standing, a_cells, a_of, a_weight, b_text, "
    "b_source_id, b_standing, b_cells, b_of, b_weight, belief, as_of FROM contested ORDER BY claim",
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
        contested=tuple(map(_contested, rows["contested"])),
        conditions=tuple(map(BenchmarkCondition._make, rows["conditions"])),
        sources=sources,
    )


def _contested(row: Sequence[Any]) -> Contested:
    """Return a contested claim; its lists are words apart by spaces, None any."""
    claim, statement, platform, engines, families, storage, load, most_threads, *rest = row
    sides, (belief, as_of) = (rest[:6], rest[6:12]), rest[12:]
    return Contested(
        claim=claim,
        statement=statement,
        platform=platform,
        engines=tuple((engines or "").split()),
        families=tuple((families or "").split()),
        storage=tuple((storage or "").split()),
        load=load,
        most_threads=most_threads,
        sides=tuple(map(ContestedSide._make, sides)),
        belief=belief,
        as_of=as_of,
    )
