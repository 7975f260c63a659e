"""Instance types as the products of the AmazonEC2 Price List describe them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from advisor.domain.quote import TypeFacts
from advisor.pricing.price_list_sql import TYPES
from advisor.pricing.type_words import disks_of, megabits_of, size_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: AWS states megabits per second, decimal.
MIB_PER_MEGABIT = 1_000_000 / 8 / 2**20
_MAKERS = {"Graviton": "AWS", "AWS": "AWS", "Intel": "Intel", "AMD": "AMD", "Apple": "Apple"}


def types_of(connection: DuckDBPyConnection) -> tuple[TypeFacts, ...]:
    """Return the types of a table ``listed``, by name; one without a sound size is left out.

    What two rows of a type state differently is not known of it.
    """
    facts = (_facts(*row) for row in connection.execute(TYPES).fetchall())
    return tuple(each for each in facts if each is not None)


def _facts(  # noqa: PLR0913, PLR0917 (a row)
    name: str,
    vcpu: str | None,
    memory: str | None,
    processor: str | None,
    disks: str | None,
    network: str | None,
    ebs: str | None,
) -> TypeFacts | None:
    size = size_of(vcpu or "", memory or "")
    if size is None:
        return None
    maker = next((ours for word, ours in _MAKERS.items() if word in (processor or "")), None)
    count, total = disks_of(disks or "")
    most, always = megabits_of(ebs or "")
    _, gbps = megabits_of(network or "")
    return TypeFacts(
        name=name,
        vcpu=size[0],
        memory_gib=size[1],
        architecture=_architecture(maker),
        cpu_maker=maker,
        ebs_baseline_mib_per_s=None if always is None else always * MIB_PER_MEGABIT,
        ebs_max_mib_per_s=None if most is None else most * MIB_PER_MEGABIT,
        network_baseline_gbps=None if gbps is None else gbps / 1000,
        disk_count=count,
        disk_total_gb=total,
        is_burstable=re.match(r"t\d", name) is not None,
        is_bare_metal=".metal" in name,
    )


def _architecture(maker: str | None) -> str | None:
    # The column of that name says "64-bit" of both.
    return {"AWS": "arm64", "Intel": "x86_64", "AMD": "x86_64"}.get(maker or "")
