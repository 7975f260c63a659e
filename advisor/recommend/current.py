"""The review of a current configuration: what is wrong, and what one change would bring.

Pure: it works on values and asks ``assess`` what a changed configuration would do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.current import CurrentReview, Finding, Move, MoveKind, Problem
from advisor.domain.vocabulary import Station, StorageType
from advisor.recommend.advice import room_short
from advisor.recommend.storage_grid import IOPS_STEP, THROUGHPUT_STEP, stepped

if TYPE_CHECKING:
    from decimal import Decimal

    from advisor.domain.assessment import Assessment
    from advisor.domain.config import Config
    from advisor.domain.instance import InstanceType
    from advisor.domain.recommendation import Ranked
    from advisor.domain.storage import VolumeLimits

#: A station this busy sets the throughput; below it threads wait for latency.
SATURATED_RATIO = 0.9
#: A move that keeps this share of the throughput loses nothing that could be told (as in advice).
KEPT_RATIO = 0.95
#: A move may lengthen the p95 by as much as the throughput may fall.
LONGER_RATIO = 1.0 / KEPT_RATIO
#: A gain below this is within repeat noise.
GAIN_RATIO = 1.05
#: A saving below this share of the bill is not worth a change.
SAVING_RATIO = 0.02
#: Memory this near counts as the same size: 30.5 and 32 GiB.
LIKE_MEMORY_RATIO = 0.1
#: Kinds that only ever serve to save money.
_TO_SAVE = frozenset(
    {MoveKind.GP2_TO_GP3, MoveKind.AURORA_MODE, MoveKind.LESS_IOPS, MoveKind.SMALLER_SIZE}
)
#: Kinds that are worth it whatever they cost.
_TO_KEEP_DATA = frozenset({MoveKind.LARGER_VOLUME, MoveKind.DURABLE_STORAGE})

Assess = Callable[["Config"], "Assessment | None"]


class Scene(NamedTuple):
    """What a review may choose from."""

    instances: tuple[InstanceType, ...]
    """Types whose performance is known: the default candidates and the current family."""
    limits: Mapping[StorageType, VolumeLimits]
    assess: Assess
    """What a configuration would do; None: it cannot be bought."""


def review(current: Assessment, pick: Ranked, scene: Scene) -> CurrentReview:
    """Return what is wrong with ``current``, the moves worth making and what the pick would bring.

    Every move changes one thing; those worth making save money, bring throughput beyond repeat
    noise, reach what was asked, give the data room, or stop them from being volatile.
    """
    moves = tuple(
        sorted(
            _moves(current, scene),
            key=lambda move: (move.to.meets_target is False, move.kind.rank),
        )
    )
    rate = current.prediction.transactions_per_s.value
    return CurrentReview(
        assessment=current,
        findings=tuple(_findings(current, moves, scene)),
        moves=moves,
        pick_throughput_ratio=pick.prediction.transactions_per_s.value / rate,
        pick_p95_ratio=pick.prediction.latency_p95_ms.value
        / current.prediction.latency_p95_ms.value,
        pick_saving_usd_per_month=None
        if current.cost is None
        else current.cost.usd_per_month - pick.cost.usd_per_month,
        is_pick=pick.candidate == current.candidate,
    )


def _moves(current: Assessment, scene: Scene) -> Iterator[Move]:
    """Yield the best move of each kind that is worth making."""
    for kind, configs in _changes(current, scene):
        tried = (scene.assess(config) for config in configs)
        moves = [_move(kind, current, to) for to in tried if to is not None]
        worth = [move for move in moves if _is_worth(move, current)]
        if worth:
            yield min(worth, key=_preference)


def _preference(move: Move) -> tuple[bool, float, str]:
    """Return the sort key among moves of one kind: safe, then money, then name."""
    cost = move.to.cost
    usd = float(cost.usd_per_month) if cost is not None else float("inf")
    return not move.is_safe, usd / move.throughput_ratio, str(move.to.config)


def _move(kind: MoveKind, current: Assessment, to: Assessment) -> Move:
    before, after = current.prediction, to.prediction
    rate = after.transactions_per_s.value / before.transactions_per_s.value
    p95 = after.latency_p95_ms.value / before.latency_p95_ms.value
    saving = None
    if current.cost is not None and to.cost is not None:
        saving = current.cost.usd_per_month - to.cost.usd_per_month
    if to.meets_target is None:
        is_enough = rate >= KEPT_RATIO and p95 <= LONGER_RATIO
    else:
        is_enough = to.meets_target or (current.meets_target is False and rate >= KEPT_RATIO)
    return Move(
        kind=kind,
        to=to,
        throughput_ratio=rate,
        p95_ratio=p95,
        saving_usd_per_month=saving,
        is_safe=is_enough
        and _holds_data(to)
        and not (_is_volatile(to) and not _is_volatile(current)),
    )


def _is_worth(move: Move, current: Assessment) -> bool:
    if move.kind in _TO_KEEP_DATA:
        return True
    saving = move.saving_usd_per_month
    saves = saving is not None and current.cost is not None and _is_visible(saving, current)
    if move.kind in _TO_SAVE:
        gains = move.kind is MoveKind.GP2_TO_GP3 and move.throughput_ratio >= GAIN_RATIO
        return gains or (saves and move.is_safe)
    if current.meets_target:
        return saves and move.is_safe
    reaches = current.meets_target is False and bool(move.to.meets_target)
    return reaches or move.throughput_ratio >= GAIN_RATIO or (saves and move.is_safe)


def _is_visible(saving: Decimal, current: Assessment) -> bool:
    cost = current.cost
    return cost is not None and float(saving) >= SAVING_RATIO * float(cost.usd_per_month)


def _is_volatile(found: Assessment) -> bool:
    return found.candidate.storage.type.is_volatile and found.config.nodes == 1


def _holds_data(found: Assessment) -> bool:
    return found.candidate.storage.total_gib >= found.request.workload.data_gib


def _changes(current: Assessment, scene: Scene) -> Iterator[tuple[MoveKind, Iterable[Config]]]:
    """Yield each kind of move with the configurations to try."""
    config, storage = current.config, current.candidate.storage
    if config.size_gib is not None and _room_short(current) is not None:
        yield MoveKind.LARGER_VOLUME, [_larger(current, scene)]
    if storage.type is StorageType.GP2:
        yield MoveKind.GP2_TO_GP3, [_as_gp3(current, scene)]
    if storage.type.is_aurora:
        modes = (StorageType.AURORA_STANDARD, StorageType.AURORA_IO_OPTIMIZED)
        other = modes[storage.type is modes[0]]
        yield MoveKind.AURORA_MODE, [replace(config, storage_type=other)]
    if storage.type.is_provisioned:
        yield MoveKind.LESS_IOPS, _less(current, scene)
        yield MoveKind.MORE_IOPS, _more(current, scene)
    if _is_volatile(current):
        yield MoveKind.DURABLE_STORAGE, [_durable(current, scene)]
    smaller, larger = _sizes_beside(current.candidate.instance, scene.instances)
    if smaller is not None:
        yield MoveKind.SMALLER_SIZE, [replace(config, instance_type=smaller.name)]
    if larger is not None and _is_saturated(current):
        yield MoveKind.LARGER_SIZE, [replace(config, instance_type=larger.name)]
    for kind, is_same in (
        (MoveKind.NEWER_GENERATION, True),
        (MoveKind.OTHER_ARCHITECTURE, False),
    ):
        yield (
            kind,
            [
                replace(config, instance_type=other.name)
                for other in _newer(current, scene)
                if (other.architecture is current.candidate.instance.architecture) is is_same
            ],
        )


def _room_short(current: Assessment) -> str | None:
    return room_short(current.candidate.storage, current.request.workload)


def _larger(current: Assessment, scene: Scene) -> Config:
    """Return the volumes in the advised size; gp3 with what is included where more must be."""
    config = current.config
    size = -(-current.request.workload.volume_gib // config.count)
    larger = replace(config, size_gib=size)
    if config.storage_type is StorageType.GP3 and scene.assess(larger) is None:
        return replace(larger, iops=None, throughput_mib_per_s=None)
    return larger


def _as_gp3(current: Assessment, scene: Scene) -> Config:
    """Return gp3 of the same size with at least the IOPS and MiB/s of the gp2 volume."""
    storage, limits = current.candidate.storage, scene.limits[StorageType.GP3]
    iops = max(limits.min_iops, storage.iops or 0)
    throughput = max(limits.min_throughput_mib_per_s, storage.throughput_mib_per_s or 0)
    return replace(
        current.config,
        storage_type=StorageType.GP3,
        iops=iops,
        throughput_mib_per_s=min(throughput, limits.most_throughput(iops)),
    )


def _load(current: Assessment, station: Station) -> float:
    """Return what the predicted rate asks of a station, 0 where there is none."""
    return sum(load.load for load in current.prediction.stations if load.station is station)


def _less(current: Assessment, scene: Scene) -> list[Config]:
    """Return the volume with what the workload uses, headroom kept, and the instance sustains."""
    config, storage = current.config, current.candidate.storage
    limits, machine = scene.limits[storage.type], current.candidate.instance
    spare = 1.0 - current.request.workload.headroom_ratio
    used = min(_load(current, Station.VOLUME_IOPS) / spare, machine.ebs_baseline_iops)
    used /= storage.count
    iops = min(storage.iops or 0, max(limits.min_iops, stepped(used, IOPS_STEP)))
    throughput = config.throughput_mib_per_s
    if throughput is not None:
        asked = _load(current, Station.VOLUME_THROUGHPUT) / spare
        used = min(asked, machine.ebs_baseline_mib_per_s) / storage.count
        throughput = min(
            throughput,
            limits.most_throughput(iops),
            max(limits.min_throughput_mib_per_s, stepped(used, THROUGHPUT_STEP)),
        )
    lesser = replace(config, iops=iops, throughput_mib_per_s=throughput)
    return [] if lesser == config else [lesser]


def _more(current: Assessment, scene: Scene) -> list[Config]:
    """Return the volume with twice its IOPS, or MiB/s, where that limits."""
    config, storage = current.config, current.candidate.storage
    limits, machine = scene.limits[storage.type], current.candidate.instance
    station = current.prediction.bottleneck.station
    if not _is_saturated(current) or config.iops is None or config.size_gib is None:
        return []
    if station is Station.VOLUME_IOPS:
        share = stepped(machine.ebs_baseline_iops / storage.count, IOPS_STEP)
        iops = min(2 * config.iops, limits.most_iops(config.size_gib), share)
        return [replace(config, iops=iops)] if iops > config.iops else []
    if station is Station.VOLUME_THROUGHPUT and config.throughput_mib_per_s is not None:
        share = stepped(machine.ebs_baseline_mib_per_s / storage.count, THROUGHPUT_STEP)
        throughput = min(
            2 * config.throughput_mib_per_s, limits.most_throughput(config.iops), share
        )
        more = replace(config, throughput_mib_per_s=throughput)
        return [more] if throughput > config.throughput_mib_per_s else []
    return []


def _durable(current: Assessment, scene: Scene) -> Config:
    """Return gp3 on the same instance, with the IOPS that the current load asks for."""
    limits, workload = scene.limits[StorageType.GP3], current.request.workload
    size = max(limits.min_gib, min(limits.max_gib, workload.volume_gib))
    asked = _load(current, Station.VOLUME_IOPS) / (1.0 - workload.headroom_ratio)
    wanted = min(asked, current.candidate.instance.ebs_baseline_iops)
    return replace(
        current.config,
        storage_type=StorageType.GP3,
        size_gib=size,
        iops=min(limits.most_iops(size), max(limits.min_iops, stepped(wanted, IOPS_STEP))),
        throughput_mib_per_s=None,
    )


def _sizes_beside(
    mine: InstanceType, instances: Iterable[InstanceType]
) -> tuple[InstanceType | None, InstanceType | None]:
    """Return the next smaller and the next larger size of the family."""
    family = sorted(
        (other for other in instances if other.family == mine.family),
        key=lambda other: (other.vcpu, other.memory_gib, other.name),
    )
    smaller = [other for other in family if _size(other) < _size(mine)]
    larger = [other for other in family if _size(other) > _size(mine)]
    return (smaller[-1] if smaller else None), (larger[0] if larger else None)


def _size(instance: InstanceType) -> tuple[int, float]:
    return instance.vcpu, instance.memory_gib


def _series(instance: InstanceType) -> str:
    """Return the letters before the generation: ``m`` of m6gd."""
    return instance.family[: next((i for i, c in enumerate(instance.family) if c.isdigit()), None)]


def _newer(current: Assessment, scene: Scene) -> list[InstanceType]:
    """Return the types of later generations of the series with as many vCPU and as much memory."""
    mine = current.candidate.instance
    return [
        other
        for other in scene.instances
        if _series(other) == _series(mine)
        and other.generation > mine.generation
        and other.vcpu == mine.vcpu
        and abs(other.memory_gib / mine.memory_gib - 1.0) <= LIKE_MEMORY_RATIO
        and not other.is_burstable
    ]


def _recency(instance: InstanceType) -> tuple[int, int, str]:
    """Return the sort key of types by generation; of equals the plainest name is the last."""
    return instance.generation, -len(instance.family), instance.name


def _is_saturated(current: Assessment) -> bool:
    used = current.prediction.bottleneck.utilisation_ratio
    return used is not None and used >= SATURATED_RATIO


def _findings(current: Assessment, moves: Iterable[Move], scene: Scene) -> Iterator[Finding]:
    """Yield what is wrong, the worst first."""
    by_kind = {move.kind: move for move in moves}
    storage, machine = current.candidate.storage, current.candidate.instance
    short = _room_short(current)
    if short is not None:
        yield Finding(problem=Problem.TOO_SMALL, message=short)
    if _is_volatile(current):
        yield Finding(
            problem=Problem.VOLATILE,
            message="the only copy of the data is on local NVMe: a stop or a host failure loses it",
        )
    if current.meets_target is False:
        yield Finding(problem=Problem.MISSES_TARGET, message="it misses what was asked")
    if _is_saturated(current):
        limit = current.prediction.bottleneck
        yield Finding(
            problem=Problem.SATURATED,
            message=f"{limit.station} is full at the predicted rate; more threads only queue there",
        )
    yield from _wasted(current, by_kind)
    if MoveKind.GP2_TO_GP3 in by_kind:
        move = by_kind[MoveKind.GP2_TO_GP3]
        cheaper = move.saving_usd_per_month is not None and move.saving_usd_per_month > 0
        yield Finding(
            problem=Problem.GP2,
            message=f"gp2 of {storage.size_gib:,} GiB has {storage.iops:,} IOPS; gp3 of that size "
            f"has {move.to.candidate.storage.iops:,}"
            + (" and costs less" if cheaper else "")
            + _burst(current.prediction.burst_minutes),
        )
    newest = max(_newer(current, scene), key=_recency, default=None)
    if newest is not None:
        yield Finding(
            problem=Problem.OLD_GENERATION,
            message=f"{machine.family} is generation {machine.generation} of its series; "
            f"generation {newest.generation} ({newest.name}) has the same size",
        )
    if MoveKind.SMALLER_SIZE in by_kind:
        move = by_kind[MoveKind.SMALLER_SIZE]
        kept = "meets what was asked" if move.to.meets_target else "does as much"
        yield Finding(
            problem=Problem.OVERSIZED,
            message=f"{move.to.candidate.instance.name}, the next smaller size, {kept}",
        )


def _burst(minutes: float | None) -> str:
    return "" if minutes is None else f"; the gp2 burst ends after {minutes:,.0f} minutes"


def _wasted(current: Assessment, by_kind: Mapping[MoveKind, Move]) -> Iterator[Finding]:
    """Yield paid IOPS and MiB/s that the instance cannot sustain, or that nothing uses."""
    storage, machine = current.candidate.storage, current.candidate.instance
    if MoveKind.LESS_IOPS not in by_kind or storage.iops is None:
        return
    lesser = by_kind[MoveKind.LESS_IOPS].to.candidate.storage
    if lesser.iops == storage.iops:
        yield Finding(
            problem=Problem.WASTED_IOPS,
            message=f"{storage.throughput_mib_per_s} MiB/s are paid on the volume; "
            f"{lesser.throughput_mib_per_s} would do on {machine.name}",
        )
        return
    iops = storage.iops * storage.count
    if iops > machine.ebs_baseline_iops:
        reason = f"{machine.name} sustains {machine.ebs_baseline_iops:,.0f} to EBS"
    else:
        reason = f"the workload asks for {_load(current, Station.VOLUME_IOPS):,.0f}"
    yield Finding(
        problem=Problem.WASTED_IOPS, message=f"{iops:,} IOPS are paid on the volume, {reason}"
    )
