"""Every option of one instance type: engine × storage, each with throughput, cost and score.

``Space`` evaluates instance types lazily and only once; an upper bound on what an instance can
score decides whether it is evaluated at all, so the answer is that of the whole space.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from heapq import heappop, heappush
from math import exp, inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import Engine, Objective, StorageType
from advisor.prediction.answer import Z_80, tail_ms, times_ms
from advisor.prediction.curve import SpaceEntry, peak
from advisor.prediction.parameters import VolumeParameters
from advisor.prediction.performance import (
    InstancePart,
    OperatingPoint,
    Settled,
    error_components,
    iops_at,
    mib_per_transaction,
    operating_point,
    part_of,
    settle,
)
from advisor.prediction.volume import limits_of
from advisor.recommend.cost import volume_lines
from advisor.recommend.storage_grid import local_disks, options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from advisor.domain.recommendation import Request
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.demand import Demand
    from advisor.recommend.ground import Ground


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
    def order(self) -> tuple[float, Decimal, str, str, str]:
        """Best first: score, then price, then name."""
        return (
            -self.score,
            self.usd_per_month,
            self.entry.instance.name,
            self.engine.value,
            str(self.storage),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The best that any option of an instance type can be."""

    entry: SpaceEntry
    rate: float
    """Transactions/s with the fastest storage and no limit."""
    usd_per_month: float
    """With the cheapest storage that holds the data."""
    score: float


def score_of(objective: Objective, rate: float, usd_per_month: float) -> float:
    """Return the value of an objective, larger is better (DESIGN.md section 5)."""
    if objective is Objective.THROUGHPUT:
        return rate
    if objective is Objective.VALUE:
        return rate / usd_per_month
    if objective is Objective.COST:
        return 1.0 / usd_per_month
    return rate * rate / usd_per_month


class Space:
    """The space of one request.

    Bounds for all instance types, options for those that were looked at.
    """

    def __init__(
        self,
        request: Request,
        ground: Ground,
        demands: dict[Engine, Demand],
        *,
        is_pruned: bool = True,
    ) -> None:
        self._request = request
        self._ground = ground
        self._demands = demands
        self._is_pruned = is_pruned
        self._options: dict[str, tuple[Option, ...]] = {}
        self._volume_cost: dict[StorageSpec, Decimal] = {}
        self._parts: dict[tuple[str, Engine], InstancePart] = {}
        workload = request.workload
        self._types = storage_types(request, ground)
        self._volumes = {kind: ground.parameters.volume(kind) for kind in self._types}
        self._floor_usd = self._cheapest_volume(workload)
        self.bounds = self._bounds()

    @property
    def evaluated(self) -> int:
        """Instance types whose options were worked out."""
        return len(self._options)

    @property
    def size(self) -> int:
        """Combinations of instance type, storage type and engine that the bounds cover."""
        return len(self.bounds) * len(self._types) * len(self._demands)

    @property
    def storage_types(self) -> tuple[StorageType, ...]:
        """The storage types that compete."""
        return self._types

    def _part(self, entry: SpaceEntry, engine: Engine) -> InstancePart:
        key = (entry.instance.name, engine)
        if key not in self._parts:
            self._parts[key] = part_of(
                entry.instance,
                entry.curve,
                self._request.workload,
                self._demands[engine],
                self._ground.parameters,
            )
        return self._parts[key]

    def _cheapest_volume(self, workload: Workload) -> float:
        """Return the least that any volume of the needed size costs, USD a month.

        0 with local disks.
        """
        if StorageType.NVME in self._types:
            return 0.0
        least = inf
        for kind in self._types:
            limits = self._ground.volume_limits[kind]
            spec = next(options(limits, workload.volume_gib, 0.0, inf, 0.0))
            least = min(least, float(self._volume_usd(spec)))
        return least

    def _bounds(self) -> tuple[Bound, ...]:
        request = self._request
        fastest = _fastest(self._volumes.values())
        nodes = request.workload.nodes
        prices = self._ground.market.instance_prices
        bounds = []
        for entry in self._ground.entries:
            hourly = float(prices[entry.instance.name].usd)
            usd = hourly * float(HOURS_PER_MONTH) * nodes + self._floor_usd
            rate = 0.0
            for engine in self._demands:
                part = self._part(entry, engine)
                at_cpu = settle(part, fastest).balance.threads_at_cpu
                rate = max(rate, peak(part.log_tps, at_cpu) / part.demand.cpu_cost)
            bounds.append(
                Bound(
                    entry=entry,
                    rate=rate,
                    usd_per_month=usd,
                    score=score_of(request.objective, rate, usd),
                )
            )
        bounds.sort(key=lambda bound: (-bound.score, bound.entry.instance.name))
        return tuple(bounds)

    def _volume_usd(self, storage: StorageSpec) -> Decimal:
        """Return what one node's volume costs a month; 0 for local disks."""
        if storage.type is StorageType.NVME:
            return Decimal(0)
        if storage not in self._volume_cost:
            market = self._ground.market
            lines = volume_lines(
                storage,
                market.volume_tariffs[storage.type],
                self._ground.volume_limits[storage.type],
                1,
            )
            self._volume_cost[storage] = sum((line.usd_per_month for line in lines), Decimal(0))
        return self._volume_cost[storage]

    def options_of(self, entry: SpaceEntry) -> tuple[Option, ...]:
        """Return all options of an instance type within the budget, worked out once."""
        name = entry.instance.name
        if name not in self._options:
            self._options[name] = tuple(self._evaluate(entry))
        return self._options[name]

    def _evaluate(self, entry: SpaceEntry) -> Iterator[Option]:
        budget = self._request.constraints.budget_usd_per_month
        hourly = self._ground.market.instance_prices[entry.instance.name].usd
        nodes = self._request.workload.nodes
        for engine in self._demands:
            part = self._part(entry, engine)
            for kind in self._types:
                settled = settle(part, self._volumes[kind])
                for storage in self._storage_options(entry, settled, kind):
                    usd = (hourly * HOURS_PER_MONTH + self._volume_usd(storage)) * nodes
                    if budget is None or usd <= budget:
                        yield self._option(entry, engine, storage, settled, usd)

    def _storage_options(
        self, entry: SpaceEntry, settled: Settled, kind: StorageType
    ) -> Iterable[StorageSpec]:
        workload = self._request.workload
        if kind is StorageType.NVME:
            disks = local_disks(entry.instance)
            return () if disks is None or disks.size_gib < workload.volume_gib else (disks,)
        rate = settled.balance.transactions_per_s
        spare = 1.0
        if workload.target_tps is not None:
            rate = min(rate, workload.target_tps)
            spare = 1.0 - workload.headroom_ratio
        need = iops_at(settled, rate) / spare
        mib = mib_per_transaction(settled.part) * rate / spare
        return options(
            self._ground.volume_limits[kind],
            workload.volume_gib,
            need,
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
        point = operating_point(
            settled, limits_of(storage, entry.instance, self._ground.parameters)
        )
        rate = point.transactions_per_s
        return Option(
            entry=entry,
            engine=engine,
            settled=settled,
            point=point,
            usd_per_month=usd.quantize(Decimal("0.01")),
            score=score_of(self._request.objective, rate, float(usd)),
            shortfall=shortfall(self._request.workload, settled, point),
        )

    def scan(self, is_wanted: Callable[[Option], bool] | None = None) -> Iterator[Option]:
        """Yield the options that meet the request, best score first.

        Looking at no more types than needed.

        Options of types whose bound is below what was already found wait; with pruning off all
        types are looked at.
        """
        ready: list[tuple[tuple[float, Decimal, str, str, str], Option]] = []
        position = 0
        while position < len(self.bounds) or ready:
            bar = self._bar(position)
            while ready and ready[0][1].score > bar:
                yield heappop(ready)[1]
            if position < len(self.bounds):
                for option in self.options_of(self.bounds[position].entry):
                    if option.shortfall <= 0.0 and (is_wanted is None or is_wanted(option)):
                        heappush(ready, (option.order, option))
                position += 1

    def _bar(self, position: int) -> float:
        """Return the score below which an option must wait for the types from ``position`` on."""
        if position >= len(self.bounds):
            return -inf
        return self.bounds[position].score if self._is_pruned else inf

    def fastest(self, at_most_usd: float) -> Option | None:
        """Return the option with most transactions/s for at most ``at_most_usd`` a month."""
        best: Option | None = None
        for bound in self._by_rate:
            if best is not None and bound.rate < best.rate and self._is_pruned:
                break
            if bound.usd_per_month > at_most_usd:
                continue
            for option in self.options_of(bound.entry):
                if option.shortfall > 0.0 or float(option.usd_per_month) > at_most_usd:
                    continue
                if best is None or (-option.rate, option.order) < (-best.rate, best.order):
                    best = option
        return best

    @cached_property
    def _by_rate(self) -> tuple[Bound, ...]:
        return tuple(
            sorted(self.bounds, key=lambda bound: (-bound.rate, bound.entry.instance.name))
        )

    def all_options(self) -> Iterator[Option]:
        """Yield every option of every type, whether or not it meets the request."""
        for bound in self.bounds:
            yield from self.options_of(bound.entry)


def _fastest(volumes: Iterable[VolumeParameters]) -> VolumeParameters:
    """Return a storage type as fast as the fastest of each: a bound on all of them."""
    known = list(volumes)
    first = known[0]
    return VolumeParameters(
        read_ms=min(volume.read_ms for volume in known),
        write_ms=min(volume.write_ms for volume in known),
        read_p95_ratio=first.read_p95_ratio,
        limit_p95_ratio=first.limit_p95_ratio,
        write_p95_ratio=first.write_p95_ratio,
        variation_cv=first.variation_cv,
        sigma=first.sigma,
        basis=first.basis,
    )


def storage_types(request: Request, ground: Ground) -> tuple[StorageType, ...]:
    """Return the storage types that may hold the data.

    Asked for, large enough, priced, durable enough.
    """
    asked = request.constraints.storage_types or tuple(StorageType)
    kinds: list[StorageType] = []
    for kind in StorageType:
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
        sigma = sqrt(sum(error * error for _, error in error_components(settled, point)))
        low = point.transactions_per_s / exp(Z_80 * sigma)
        if low < target:
            missing = max(missing, target / low - 1.0)
    if workload.max_p95_ms is not None:
        mean_ms = settled.part.threads / point.transactions_per_s * 1000.0
        p95_ms = mean_ms + tail_ms(settled, point, times_ms(settled, point, mean_ms))
        missing = max(missing, p95_ms / workload.max_p95_ms - 1.0)
    return missing
