"""The order of volumes: who reaches what is wanted, then price; latency where threads are few."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import hypot, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.prediction import Estimate
    from advisor.domain.storage import StorageSpec
    from advisor.domain.volumes import VolumeOption

#: Standard normal deviate of an 80 % interval.
Z = 1.2816


def ranking(options: Sequence[VolumeOption]) -> tuple[VolumeOption, ...]:
    """Return the options ranked.

    First those that reach what is wanted, by price, as their throughput is equal; of equal price
    the lower p95 wins. Then the others by IOPS, which with few threads is latency; where the
    intervals cannot tell IOPS apart, by price.
    """
    meeting = sorted((each for each in options if each.meets), key=_by_price)
    ordered = list(meeting)
    rest = sorted((each for each in options if not each.meets), key=lambda each: -each.iops.value)
    while rest:
        alike = [each for each in rest if not _is_above(rest[0].iops, each.iops)]
        ordered += sorted(alike, key=_by_price)
        rest = [each for each in rest if each not in alike]
    return tuple(replace(each, rank=place) for place, each in enumerate(ordered, 1))


def firsts(options: Sequence[VolumeOption]) -> tuple[StorageSpec | None, StorageSpec | None]:
    """Return (cheapest, lowest p95) of those that meet the request, or of all when none does."""
    pool = [each for each in options if each.meets] or list(options)
    priced = [each for each in pool if each.cost is not None]
    cheapest = min(priced, key=_by_price).storage if priced else None
    fastest = min(pool, key=lambda each: (each.latency_p95_ms.value, *_by_price(each)))
    return cheapest, fastest.storage


def _by_price(option: VolumeOption) -> tuple[Decimal, float, str]:
    usd = option.usd_per_month
    return (
        Decimal("Infinity") if usd is None else usd,
        option.latency_p95_ms.value,
        str(option.storage),
    )


def _is_above(a: Estimate, b: Estimate) -> bool:
    """Whether ``a`` beats ``b`` in more than 90 % of draws of their errors."""
    spread = hypot(log(a.high / a.low), log(b.high / b.low)) / (2.0 * Z)
    return log(a.value / b.value) > Z * spread
