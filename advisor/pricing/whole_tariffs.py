"""A volume type is sold as capacity, IOPS and throughput; one without the other is no tariff.

A capacity whose IOPS have no price would read as IOPS for nothing. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    Item = tuple[str, str]
    """Market and name."""

#: Market → capacity → what must have a price beside it. RDS has no tiers of io2.
_PARTS = {
    "volumes": {
        "gp3/capacity/0": ("gp3/iops/0", "gp3/throughput/0"),
        "io1/capacity/0": ("io1/iops/0",),
        "io2/capacity/0": ("io2/iops/0", "io2/iops/32000", "io2/iops/64000"),
    },
    "storage": {
        "gp3/capacity/0": ("gp3/iops/0", "gp3/throughput/0"),
        "io1/capacity/0": ("io1/iops/0",),
        "io2/capacity/0": ("io2/iops/0",),
        "aurora-standard/capacity/0": ("aurora-standard/requests/0",),
    },
}


def missing_parts(priced: Collection[Item]) -> dict[Item, tuple[str, ...]]:
    """Return the names that a market lacks beside each capacity it has, by capacity."""
    found: dict[Item, tuple[str, ...]] = {}
    for market, name in priced:
        parts = _PARTS.get(market.partition("/")[0], {}).get(name, ())
        missing = tuple(part for part in parts if (market, part) not in priced)
        if missing:
            found[market, name] = missing
    return found
