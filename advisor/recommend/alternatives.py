"""What differs from the pick in kind, and what other money would bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.recommendation import Knee
from advisor.domain.vocabulary import StorageType

if TYPE_CHECKING:
    from advisor.domain.vocabulary import Availability
    from advisor.recommend.options import Option
    from advisor.recommend.space import Space

#: A cheaper alternative saves at least a fifth; a faster one brings at least a quarter more.
CHEAPER_RATIO, FASTER_RATIO = 0.8, 1.25
#: Other storage is worth a row when throughput or p95 differ from the pick's by as much.
OTHER_STORAGE_RATIO = 0.05


def kinds_beside(space: Space, pick: Option) -> tuple[tuple[str, Option], ...]:
    """Return the best option of each kind that differs from the pick: (role, option).

    Another architecture has the pick's vCPU and memory where there is one, and other storage sits
    on the pick's own instance, so that one thing changes at a time.
    """
    usd = float(pick.usd_per_month)
    cheaper = next(
        space.scan(
            lambda option: float(option.usd_per_month) <= CHEAPER_RATIO * usd,
            lambda _entry, _rate, least_usd: least_usd <= CHEAPER_RATIO * usd,
        ),
        None,
    )
    faster = next(
        space.scan(
            lambda option: option.rate >= FASTER_RATIO * pick.rate,
            lambda _entry, rate, _usd: rate >= FASTER_RATIO * pick.rate,
        ),
        None,
    )
    found = (
        ("cheaper", cheaper),
        ("faster", faster),
        _other_side(space, pick),
        ("other-architecture", _other_architecture(space, pick)),
        ("other-storage", _other_storage(space, pick)),
    )
    return tuple((role, option) for role, option in found if option is not None)


def _other_side(space: Space, pick: Option) -> tuple[str, Option | None]:
    """Return the best managed option beside a self-managed pick, or the other way round."""
    is_managed = pick.entry.platform.is_managed
    found = next(
        space.scan(
            lambda option: option.entry.platform.is_managed is not is_managed,
            lambda entry, _rate, _usd: entry.platform.is_managed is not is_managed,
        ),
        None,
    )
    return ("self-managed" if is_managed else "managed"), found


def _other_architecture(space: Space, pick: Option) -> Option | None:
    mine = pick.entry.instance

    def differs(option: Option) -> bool:
        return option.entry.instance.architecture is not mine.architecture

    def is_like(option: Option) -> bool:
        other = option.entry.instance
        return (
            other.architecture is not mine.architecture
            and option.entry.platform is pick.entry.platform
            and other.vcpu == mine.vcpu
            and round(other.memory_gib) == round(mine.memory_gib)
        )

    like = next(
        space.scan(
            is_like,
            lambda entry, _rate, _usd: (
                entry.instance.architecture is not mine.architecture
                and entry.instance.vcpu == mine.vcpu
            ),
        ),
        None,
    )
    if like is not None:
        return like
    return next(
        space.scan(
            differs,
            lambda entry, _rate, _usd: entry.instance.architecture is not mine.architecture,
        ),
        None,
    )


def _other_storage(space: Space, pick: Option) -> Option | None:
    """Return other storage on the pick's instance, even where it misses the request.

    Beside anything but gp3 it is gp3, what most would take; beside gp3 it is the best of the rest,
    gp2 left out because gp3 supersedes it. Storage that changes nothing is no alternative.
    """
    others = [
        kind
        for kind in space.kinds(pick.entry.platform)
        if kind not in (pick.storage.type, StorageType.GP2)
    ]
    if StorageType.GP3 in others:
        others = [StorageType.GP3]
    options = [
        option
        for kind in others
        for option in space.options_of(pick.entry, kind)
        if option.engine is pick.engine
    ]
    if not options:
        return None
    best = min(options, key=lambda option: (option.shortfall, option.order))
    return best if _is_different(best, pick) else None


def _is_different(option: Option, pick: Option) -> bool:
    """Whether throughput or tail differ visibly, or the option misses what the pick meets."""
    return (
        option.shortfall > 0.0
        or abs(option.rate / pick.rate - 1.0) > OTHER_STORAGE_RATIO
        or abs(option.p95_ms / pick.p95_ms - 1.0) > OTHER_STORAGE_RATIO
    )


def knee_of(space: Space, pick: Option, availability: Availability) -> Knee:
    """Return the best throughput for half and for twice the money of the pick."""
    half = space.fastest(float(pick.usd_per_month) / 2.0)
    twice = space.fastest(float(pick.usd_per_month) * 2.0)
    return Knee(
        half_config=half and half.candidate(availability).config,
        half_usd_per_month=half and half.usd_per_month,
        half_throughput_ratio=half and half.rate / pick.rate,
        twice_config=twice and twice.candidate(availability).config,
        twice_usd_per_month=twice and twice.usd_per_month,
        twice_throughput_ratio=twice and twice.rate / pick.rate,
    )
