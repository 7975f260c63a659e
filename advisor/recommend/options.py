"""Every option of one instance type: engine × storage, each with throughput, cost and score."""

from __future__ import annotations

from decimal import Decimal
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.candidate import Candidate
from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import Availability, Engine, Objective, Platform, StorageType
from advisor.prediction.answer import p95_ms
from advisor.prediction.performance import (
    iops_at,
    mib_per_transaction,
    operating_point,
    page_iops_at,
    part_of,
    settle,
    storage_requests_at,
)
from advisor.prediction.uncertainty import doubt, factors_of, interval
from advisor.prediction.volume import limits_of
from advisor.recommend.candidates import stored_kinds
from advisor.recommend.cost import aurora_lines, volume_lines
from advisor.recommend.engines import era_wait_ms
from advisor.recommend.floors import NO_COST, aurora_floor, floor_of
from advisor.recommend.storage_grid import (
    RAID_COPIES,
    Need,
    aurora_storage,
    local_disks,
    options,
    raid_copies,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.recommendation import Request
    from advisor.domain.storage import StorageSpec, VolumeLimits
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.performance import InstancePart, OperatingPoint, Settled
    from advisor.recommend.engines import Competition
    from advisor.recommend.floors import StorageFloor
    from advisor.recommend.ground import Ground

#: How options are sorted; see ``Option.order``.
Order = tuple[float, Decimal, str, str, str, int, str, int, int]


class Option(NamedTuple):
    """One candidate as the ranking sees it."""

    entry: SpaceEntry
    engine: Engine
    nodes: int
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
        return p95_ms(self.settled, self.point)

    def candidate(self, availability: Availability) -> Candidate:
        """Return the option as a candidate."""
        platform = self.entry.platform
        return Candidate(
            platform=platform,
            engine=self.engine,
            instance=self.entry.instance,
            storage=self.storage,
            nodes=self.nodes,
            is_multi_az=platform is Platform.RDS and availability is Availability.MULTI_AZ,
        )

    @property
    def order(self) -> Order:
        """Best first: score, then price, then IOPS that come with it, then name."""
        storage = self.point.limits.storage
        return (
            -self.score,
            self.usd_per_month,
            self.entry.platform.value,
            self.entry.instance.name,
            self.engine.value,
            -(storage.iops or 0) * storage.count,
            storage.type.value,
            storage.count,
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

    def __init__(self, request: Request, ground: Ground, rivals: Competition) -> None:
        """Keep what every type shares."""
        self.request = request
        self.ground = ground
        self.rivals = rivals
        self.kinds = {
            platform: stored_kinds(platform, request, ground) for platform in rivals.demands
        }
        self.volumes = {
            kind: ground.parameters.volume(kind) for kinds in self.kinds.values() for kind in kinds
        }
        self._options: dict[tuple[Platform, str, StorageType], tuple[Option, ...]] = {}
        self._parts: dict[tuple[Platform, str, Engine], InstancePart] = {}
        self._settled: dict[tuple[Platform, str, Engine, StorageType], Settled] = {}
        self._volume_usd: dict[tuple[Platform, StorageSpec], Decimal] = {}

    @property
    def evaluated(self) -> int:
        """Pairs of instance and storage type whose options were worked out."""
        return len(self._options)

    def nodes(self, platform: Platform, engine: Engine) -> int:
        """Return the nodes that are paid for: PXC has three whatever is asked."""
        return 3 if engine is Engine.PXC else self.request.workload.nodes_on(platform)

    def part(self, entry: SpaceEntry, engine: Engine) -> InstancePart:
        """Return what an instance brings to the workload on an engine."""
        key = (entry.platform, entry.instance.name, engine)
        if key not in self._parts:
            self._parts[key] = part_of(
                entry,
                self.request.workload,
                self.rivals.demands[entry.platform][engine],
                era_wait_ms(self.ground.parameters, entry.instance.family, engine),
            )
        return self._parts[key]

    def settled(self, entry: SpaceEntry, engine: Engine, kind: StorageType) -> Settled:
        """Return an instance with an engine balanced over a storage type, before any limit."""
        key = (entry.platform, entry.instance.name, engine, kind)
        if key not in self._settled:
            self._settled[key] = settle(self.part(entry, engine), self.volumes[kind])
        return self._settled[key]

    def kinds_on(self, entry: SpaceEntry) -> tuple[StorageType, ...]:
        """Return the storage types of an instance: local disks only where they hold the data."""
        kinds = self.kinds[entry.platform]
        if StorageType.NVME in kinds and self._disks(entry) is None:
            return tuple(kind for kind in kinds if kind is not StorageType.NVME)
        return kinds

    def floor(self, platform: Platform, kind: StorageType) -> StorageFloor:
        """Return the least that storage of a type costs for this workload."""
        if kind is StorageType.NVME:
            return NO_COST
        workload, tariff = self.request.workload, self.ground.market.tariffs[platform, kind]
        if kind.is_aurora:
            return aurora_floor(tariff, aurora_gib(workload))
        nodes = min(self.nodes(platform, engine) for engine in self.rivals.demands[platform])
        steps = self.ground.volume_limits[platform, kind]
        copies = max(RAID_COPIES) if platform is Platform.EC2 else 1
        return floor_of(tariff, steps, workload.volume_gib, nodes, copies)

    def volume_usd(self, platform: Platform, storage: StorageSpec) -> Decimal:
        """Return what one node's volume costs a month; 0 for local disks."""
        if storage.type is StorageType.NVME:
            return Decimal(0)
        known = self._volume_usd.get((platform, storage))
        if known is None:
            tariff = self.ground.market.tariffs[platform, storage.type]
            limits = limits_at(self.ground.volume_limits[platform, storage.type], storage.size_gib)
            lines = volume_lines(storage, tariff, limits, 1)
            known = sum((line.usd_per_month for line in lines), Decimal(0))
            self._volume_usd[platform, storage] = known
        return known

    def options_of(self, entry: SpaceEntry, kind: StorageType) -> tuple[Option, ...]:
        """Return the options of an instance type with one storage type, within the budget."""
        key = (entry.platform, entry.instance.name, kind)
        if key not in self._options:
            self._options[key] = tuple(self._evaluate(entry, kind))
        return self._options[key]

    def _evaluate(self, entry: SpaceEntry, kind: StorageType) -> Iterator[Option]:
        budget = self.request.constraints.budget_usd_per_month
        platform, market = entry.platform, self.ground.market
        for engine in self.rivals.demands[platform]:
            hourly = market.hourly(platform, engine, entry.instance.name, kind)
            if hourly is None:
                continue
            nodes = self.nodes(platform, engine)
            month = hourly.usd * HOURS_PER_MONTH * nodes
            settled = self.settled(entry, engine, kind)
            for storage in self._storage_options(entry, settled, kind):
                limits = limits_of(storage, entry.instance, self.ground.parameters)
                point = operating_point(settled, limits)
                if kind.is_aurora:
                    usd = month + self._aurora_usd(storage, settled, point)
                else:
                    usd = month + self.volume_usd(platform, storage) * nodes
                if budget is None or usd <= budget:
                    yield Option(
                        entry=entry,
                        engine=engine,
                        nodes=nodes,
                        settled=settled,
                        point=point,
                        usd_per_month=usd.quantize(CENT),
                        score=score_of(
                            self.request.objective, point.transactions_per_s, float(usd)
                        ),
                        shortfall=shortfall(self.request.workload, settled, point),
                    )

    def _aurora_usd(self, storage: StorageSpec, settled: Settled, point: OperatingPoint) -> Decimal:
        tariff = self.ground.market.tariffs[Platform.AURORA, storage.type]
        requests = billed_requests_per_s(self.request.workload, settled, point)
        lines = aurora_lines(storage, tariff, requests)
        return sum((line.usd_per_month for line in lines), Decimal(0))

    def _storage_options(
        self, entry: SpaceEntry, settled: Settled, kind: StorageType
    ) -> Iterable[StorageSpec]:
        workload = self.request.workload
        if kind.is_aurora:
            return (aurora_storage(kind, aurora_gib(workload)),)
        if kind is StorageType.NVME:
            disks = self._disks(entry)
            return () if disks is None else (disks,)
        steps = self.ground.volume_limits[entry.platform, kind]
        need = self._need(entry, settled)
        single = tuple(options(steps, workload.volume_gib, need))
        if entry.platform is not Platform.EC2:
            return single
        copies = raid_copies(steps[0], need, single)
        striped = (options(steps, workload.volume_gib, need, count) for count in copies)
        return (*single, *(spec for found in striped for spec in found))

    def _disks(self, entry: SpaceEntry) -> StorageSpec | None:
        """Return the local disks of an instance; None: they cannot hold the data."""
        disks = local_disks(entry.instance)
        return None if disks is None or disks.size_gib < self.request.workload.volume_gib else disks

    def _need(self, entry: SpaceEntry, settled: Settled) -> Need:
        """Return what the workload asks of a volume, headroom and doubt about a target included."""
        workload = self.request.workload
        rate = settled.balance.transactions_per_s
        spare = 1.0 - workload.headroom_ratio
        iops = [iops_at(settled, rate) / spare]
        if workload.target_tps is not None and workload.target_tps < rate:
            asked = iops_at(settled, workload.target_tps)
            iops += [asked / spare, asked * doubt(settled)]
        pages = page_iops_at(settled, rate)
        mib = mib_per_transaction(settled.part) * rate
        return Need(
            iops=tuple(iops),
            most_iops=entry.instance.ebs_baseline_iops,
            mib_per_io=mib / pages if pages > 0.0 else 0.0,
            mib_per_s=mib / spare,
        )


def aurora_gib(workload: Workload) -> int:
    """Return what Aurora bills as storage: the data, which grow and shrink without a volume."""
    return max(10, ceil(workload.data_gib))


def limits_at(steps: Sequence[VolumeLimits], size_gib: int) -> VolumeLimits:
    """Return the step of a volume type that a size falls into."""
    return max(
        (limits for limits in steps if limits.min_gib <= size_gib),
        key=lambda limits: limits.min_gib,
        default=steps[0],
    )


def billed_requests_per_s(workload: Workload, settled: Settled, point: OperatingPoint) -> float:
    """Return the requests/s that a month is billed for: at the target, else at full speed."""
    rate = point.transactions_per_s
    if workload.target_tps is not None:
        rate = min(rate, workload.target_tps)
    return storage_requests_at(settled, rate)


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
        missing = max(missing, p95_ms(settled, point) / workload.max_p95_ms - 1.0)
    return missing
