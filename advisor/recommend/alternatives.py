"""What differs from the pick in kind, and what other money would bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.recommendation import Knee
from advisor.domain.vocabulary import StorageType

if TYPE_CHECKING:
    from advisor.recommend.options import Option
    from advisor.recommend.space import Space

#: A cheaper alternative saves at least a fifth; a faster one brings at least a quarter more.
CHEAPER_RATIO, FASTER_RATIO = 0.8, 1.25


def kinds_beside(space: Space, pick: Option) -> tuple[tuple[str, Option], ...]:
    """Return the best option of each kind that differs from the pick: (role, option)."""
    usd = float(pick.usd_per_month)
    architecture = pick.entry.instance.architecture
    kind = pick.storage.type
    scans = (
        (
            "cheaper",
            space.scan(
                lambda option: float(option.usd_per_month) <= CHEAPER_RATIO * usd,
                lambda _, least_usd: least_usd <= CHEAPER_RATIO * usd,
            ),
        ),
        (
            "faster",
            space.scan(
                lambda option: option.rate >= FASTER_RATIO * pick.rate,
                lambda bound, _: bound.rate >= FASTER_RATIO * pick.rate,
            ),
        ),
        (
            "other-architecture",
            space.scan(
                lambda option: option.entry.instance.architecture is not architecture,
                lambda bound, _: bound.entry.instance.architecture is not architecture,
            ),
        ),
        (
            "other-storage",
            space.scan(
                lambda option: option.storage.type is not kind,
                kinds=[other for other in StorageType if other is not kind],
            ),
        ),
    )
    best = ((role, next(found, None)) for role, found in scans)
    return tuple((role, option) for role, option in best if option is not None)


def knee_of(space: Space, pick: Option) -> Knee:
    """Return the best throughput for half and for twice the money of the pick."""
    half = space.fastest(float(pick.usd_per_month) / 2.0)
    twice = space.fastest(float(pick.usd_per_month) * 2.0)
    return Knee(
        half_config=_config(half),
        half_usd_per_month=None if half is None else half.usd_per_month,
        half_throughput_ratio=None if half is None else half.rate / pick.rate,
        twice_config=_config(twice),
        twice_usd_per_month=None if twice is None else twice.usd_per_month,
        twice_throughput_ratio=None if twice is None else twice.rate / pick.rate,
    )


def _config(option: Option | None) -> str | None:
    if option is None:
        return None
    return "/".join(("ec2", option.engine, option.entry.instance.name, str(option.storage)))
