"""Which platforms and engines compete, and which engines are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import (
    ENGINES_ON,
    INNODB_FAMILY,
    STORAGE_ON,
    Availability,
    Dialect,
    Engine,
    Platform,
    StorageType,
)
from advisor.prediction.demand import Demand, demand_of

if TYPE_CHECKING:
    from advisor.domain.recommendation import Constraints, Request
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters

#: CPU costs nearer than this are one: the repeat noise of the runs (p90) and twice the error of the
#: ratio itself.
SAME_WITHIN = 0.10


class Competition(NamedTuple):
    """Who competes: engines by platform with their demands."""

    demands: dict[Platform, dict[Engine, Demand]]
    alike: tuple[Engine, ...]
    """Engines of EC2 that stand behind the shown one: their difference is noise."""


def competition(request: Request, parameters: ModelParameters) -> Competition:
    """Return who competes for a request.

    Engines whose CPU cost cannot be told from the first one's are no candidates of their own: an
    answer that chose between them would pretend to know more than it does.
    """
    workload, constraints = request.workload, request.constraints
    demands: dict[Platform, dict[Engine, Demand]] = {}
    alike: list[Engine] = []
    for platform in platforms_of(workload, constraints):
        mine: dict[Engine, Demand] = {}
        for engine in engines_of(platform, workload, constraints):
            demand = demand_of(workload, platform, engine, parameters)
            first = next(iter(mine.values()), None)
            is_family = engine in INNODB_FAMILY and next(iter(mine), None) in INNODB_FAMILY
            if (
                first is not None
                and is_family
                and abs(demand.cpu_cost / first.cpu_cost - 1.0) <= SAME_WITHIN
            ):
                alike.append(engine)
            else:
                mine[engine] = demand
        if mine:
            demands[platform] = mine
    return Competition(demands=demands, alike=tuple(alike))


def platforms_of(workload: Workload, constraints: Constraints) -> tuple[Platform, ...]:
    """Return the platforms that can serve the workload: RDS has no priced three-node cluster."""
    wanted = constraints.platforms or tuple(Platform)
    return tuple(
        platform
        for platform in Platform
        if platform in wanted and engines_of(platform, workload, constraints)
    )


def engines_of(
    platform: Platform, workload: Workload, constraints: Constraints
) -> tuple[Engine, ...]:
    """Return the engines that compete on a platform, the one to show first."""
    is_cluster = workload.availability is Availability.CLUSTER
    if platform is Platform.RDS and is_cluster:
        return ()
    if constraints.engines:
        return tuple(engine for engine in constraints.engines if engine in ENGINES_ON[platform])
    default: tuple[Engine, ...] = ENGINES_ON[platform]
    if platform is Platform.EC2:
        default = (Engine.PXC,) if is_cluster else (*INNODB_FAMILY, Engine.POSTGRESQL)
    return tuple(
        engine for engine in default if constraints.dialect in (Dialect.ANY, engine.dialect)
    )


def kinds_of(
    platform: Platform, workload: Workload, constraints: Constraints
) -> tuple[StorageType, ...]:
    """Return the storage types that may hold the data: asked for, and durable enough."""
    return tuple(
        kind
        for kind in STORAGE_ON[platform]
        if (not constraints.storage_types or kind in constraints.storage_types)
        and (not kind.is_volatile or accepts_volatile(workload, constraints))
    )


def accepts_volatile(workload: Workload, constraints: Constraints) -> bool:
    """Whether local disks may hold the data: the user said so, or replicas hold copies."""
    return constraints.allow_ephemeral or workload.nodes_on(Platform.EC2) > 1


def era_wait_ms(parameters: ModelParameters, family: str, engine: Engine) -> float:
    """Return what each write waited on a family's hardware beside what is modelled, ms."""
    known = parameters.by_name.get(f"era.{family}.{engine}.write_wait_ms")
    return 0.0 if known is None else known.value
