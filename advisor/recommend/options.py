"""Every option of one instance type: engine × storage, each with throughput, cost and score."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.candidate import Candidate
from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import STORAGE_ON, Engine, Objective, Platform, StorageType
from advisor.prediction.answer import tail_ms, times_ms
from advisor.prediction.performance import (
    iops_at,
    mib_per_transaction,
    operating_point,
    part_of,
    settle,
)
from advisor.prediction.uncertainty import doubt, factors_of, interval
from advisor.prediction.volume import limits_of
from advisor.recommend.cost import volume_lines
from advisor.recommend.floors import NO_COST, floor_of
from advisor.recommend.storage_grid import local_disks, options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.domain.recommendation import Request
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.demand import Demand
    from advisor.prediction.performance import InstancePart, OperatingPoint, Settled
    from advisor.recommend.floors import StorageFloor
    from advisor.recommend.ground import Ground


#: How options are sorted; see ``Option.order``.
Order = tuple[float, Decimal, str, str, str, int, int]


class Option(NamedTuple):
    """One candidate as the ranking sees it."""

    entry: SpaceEntry
    engine: Engine
    settled: Settled
    point: OperatingPoint
    usd_per_month: Decimal
    score: float
    shortfall: float
    """0: meets what was asked; else how far it is off, as a ratio (0.2 = a fifth)."""

    @property
    def storage(self) -> StorageSpec:
        """The storage configuration."""
        return self.point.limits.storage

    @property
    def rate(self) -> float:
        """Predicted transactions/s."""
        return self.point.transactions_per_s

    @property
    def p95_ms(self) -> float:
        """Predicted p95 of a transaction, ms."""
        mean_ms = self.settled.part.threads / self.rate * 1000.0
        times = times_ms(self.settled, self.point, mean_ms)
        return mean_ms + tail_ms(self.settled, self.point, times)

    def candidate(self, nodes: int) -> Candidate:
        """Return the option as a candidate of ``nodes`` nodes."""
        return Candidate(
            platform=Platform.EC2,
            engine=self.engine,
            instance=self.entry.instance,
            storage=self.storage,
            nodes=nodes,
        )

    @property
    def order(self) -> Order:
        """Best first: score, then price, then name."""
        storage = self.point.limits.storage
        return (
            -self.score,
            self.usd_per_month,
            self.entry.instance.name,
            self.engine.value,
            storage.type.value,
            storage.iops or 0,
            storage.size_gib,
        )


#: Money is compared and printed to the cent.
CENT = Decimal("0.01")


def score_of(objective: Objective, rate: float, usd_per_month: float) -> float:
    """Return the value of an objective, larger is better (DESIGN.md section 5)."""
    if objective is Objective.THROUGHPUT:
        return rate
    if objective is Objective.VALUE:
        return rate / usd_per_month
    if objective is Objective.COST:
        return 1.0 / usd_per_month
    return rate * rate / usd_per_month


class Evaluator:
    """Works out the options of instance types for one request; each type only once."""

    def __init__(self, request: Request, ground: Ground, demands: dict[Engine, Demand]) -> None:
        """Keep what every type shares."""
        self.request = request
        self.ground = ground
        self.demands = demands
        self.kinds = storage_types(request, ground)
        self.volumes = {kind: ground.parameters.volume(kind) for kind in self.kinds}
        self._options: dict[tuple[str, StorageType], tuple[Option, ...]] = {}
        self._parts: dict[tuple[str, Engine], InstancePart] = {}
        self._volume_usd: dict[StorageSpec, Decimal] = {}

    @property
    def evaluated(self) -> int:
        """Pairs of instance and storage type whose options were worked out."""
        return len(self._options)

    def part(self, entry: SpaceEntry, engine: Engine) -> InstancePart:
        """Return what an instance brings to the workload on an engine."""
        key = (entry.instance.name, engine)
        if key not in self._parts:
            self._parts[key] = part_of(
                entry, self.request.workload, self.demands[engine], self.ground.parameters
            )
        return self._parts[key]

    def floor(self, kind: StorageType) -> StorageFloor:
        """Return the least that storage of a type costs for this workload."""
        if kind is StorageType.NVME:
            return NO_COST
        workload = self.request.workload
        tariff = self.ground.market.volume_tariffs[kind]
        return floor_of(
            tariff, self.ground.volume_limits[kind], workload.volume_gib, workload.nodes
        )

    def volume_usd(self, storage: StorageSpec) -> Decimal:
        """Return what one node's volume costs a month; 0 for local disks."""
        if storage.type is StorageType.NVME:
            return Decimal(0)
        known = self._volume_usd.get(storage)
        if known is None:
            tariff = self.ground.market.volume_tariffs[storage.type]
            lines = volume_lines(storage, tariff, self.ground.volume_limits[storage.type], 1)
            known = sum((line.usd_per_month for line in lines), Decimal(0))
            self._volume_usd[storage] = known
        return known

    def options_of(self, entry: SpaceEntry, kind: StorageType) -> tuple[Option, ...]:
        """Return the options of an instance type with one storage type, within the budget."""
        key = (entry.instance.name, kind)
        if key not in self._options:
            self._options[key] = tuple(self._evaluate(entry, kind))
        return self._options[key]

    def _evaluate(self, entry: SpaceEntry, kind: StorageType) -> Iterator[Option]:
        budget = self.request.constraints.budget_usd_per_month
        nodes = self.request.workload.nodes
        hours = self.ground.market.instance_prices[entry.instance.name].usd * HOURS_PER_MONTH
        for engine in self.demands:
            settled = settle(self.part(entry, engine), self.volumes[kind])
            for storage in self._storage_options(entry, settled, kind):
                usd = (hours + self.volume_usd(storage)) * nodes
                if budget is None or usd <= budget:
                    yield self._option(entry, engine, storage, settled, usd)

    def _storage_options(
        self, entry: SpaceEntry, settled: Settled, kind: StorageType
    ) -> Iterable[StorageSpec]:
        workload = self.request.workload
        if kind is StorageType.NVME:
            disks = local_disks(entry.instance)
            return () if disks is None or disks.size_gib < workload.volume_gib else (disks,)
        rate = settled.balance.transactions_per_s
        spare = 1.0 - workload.headroom_ratio
        need = iops_at(settled, rate) / spare
        needs = [need]
        if workload.target_tps is not None and workload.target_tps < rate:
            asked = iops_at(settled, workload.target_tps)
            needs += [asked / spare, asked * doubt(settled)]
        mib = mib_per_transaction(settled.part) * rate / spare
        return options(
            self.ground.volume_limits[kind],
            workload.volume_gib,
            needs,
            entry.instance.ebs_baseline_iops,
            mib / need if need > 0.0 else 0.0,
        )

    def _option(
        self,
        entry: SpaceEntry,
        engine: Engine,
        storage: StorageSpec,
        settled: Settled,
        usd: Decimal,
    ) -> Option:
        limits = limits_of(storage, entry.instance, self.ground.parameters)
        point = operating_point(settled, limits)
        return Option(
            entry=entry,
            engine=engine,
            settled=settled,
            point=point,
            usd_per_month=usd.quantize(CENT),
            score=score_of(self.request.objective, point.transactions_per_s, float(usd)),
            shortfall=shortfall(self.request.workload, settled, point),
        )


def storage_types(request: Request, ground: Ground) -> tuple[StorageType, ...]:
    """Return the storage types that may hold the data.

    Asked for, large enough, priced, durable enough.
    """
    asked = request.constraints.storage_types or STORAGE_ON[Platform.EC2]
    kinds: list[StorageType] = []
    for kind in STORAGE_ON[Platform.EC2]:
        if kind not in asked:
            continue
        if kind is StorageType.NVME:
            if accepts_volatile(request):
                kinds.append(kind)
        elif (
            kind in ground.market.volume_tariffs
            and request.workload.volume_gib <= ground.volume_limits[kind].max_gib
        ):
            kinds.append(kind)
    return tuple(kinds)


def accepts_volatile(request: Request) -> bool:
    """Whether local disks may hold the data: the user said so, or replicas hold copies."""
    return request.constraints.allow_ephemeral or request.workload.nodes > 1


def shortfall(workload: Workload, settled: Settled, point: OperatingPoint) -> float:
    """Return how far a candidate is from target and latency limit as a ratio; 0 when it meets both.

    The target is met when no station is above 1 − headroom at the target rate and the lower bound
    reaches it.
    """
    missing = 0.0
    target = workload.target_tps
    if target is not None:
        allowed = 1.0 - workload.headroom_ratio
        bounds = (
            settled.part.capacity_per_s,
            point.volume_limit_per_s,
            point.throughput_limit_per_s,
            point.ebs_iops_limit_per_s,
            point.ebs_throughput_limit_per_s,
            settled.part.network_limit_per_s,
        )
        usable = min(bounds) * allowed
        if usable < target:
            missing = target / usable - 1.0
        low, _ = interval(factors_of(settled, point))
        if low < target:
            missing = max(missing, target / low - 1.0)
    if workload.max_p95_ms is not None:
        mean_ms = settled.part.threads / point.transactions_per_s * 1000.0
        p95_ms = mean_ms + tail_ms(settled, point, times_ms(settled, point, mean_ms))
        missing = max(missing, p95_ms / workload.max_p95_ms - 1.0)
    return missing
