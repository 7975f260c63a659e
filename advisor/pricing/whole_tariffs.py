"""A volume type is sold as capacity, IOPS and throughput; one without the other is no tariff.

A capacity whose IOPS have no price would read as IOPS for nothing. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.quote import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.quote import Quote

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


def partial_tariffs(quotes: Iterable[Quote]) -> tuple[Trouble, ...]:
    """Return the trouble with each capacity that lacks the price of a part, sorted."""
    priced = {(each.market, each.name) for each in quotes}
    troubles: list[Trouble] = []
    for market, name in sorted(priced):
        parts = _PARTS.get(market.partition("/")[0], {}).get(name, ())
        missing = [part for part in parts if (market, part) not in priced]
        if missing:
            reason = f"no price of {', '.join(missing)}"
            troubles.append(Trouble(market=market, name=name, reason=reason))
    return tuple(troubles)
