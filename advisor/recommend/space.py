"""The space of one request, searched best first.

A bound on what an instance type can score decides whether its options are worked out at all, so the
answer is that of the whole space. A cheap bound is known for every type; it is tightened when the
type comes up, and only types that then still lead are evaluated.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import exp, inf, log
from typing import TYPE_CHECKING

from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import EBS_TYPES, Objective, Platform, StorageType
from advisor.prediction.curve import THREADS, SpaceEntry, peak
from advisor.prediction.parameters import VolumeParameters
from advisor.prediction.performance import delay_s, reads_missed, settle
from advisor.recommend.floors import undominated
from advisor.recommend.options import Evaluator, Option, Order, score_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from advisor.domain.recommendation import Request
    from advisor.recommend.engines import Competition
    from advisor.recommend.floors import StorageFloor
    from advisor.recommend.ground import Ground

#: A bound and the value it bounds are rounded differently; this keeps the bound above.
GUARD = 1.0 + 1e-9
#: Costs are compared to the cent, which is rounded to.
CENT_USD = 0.01
#: Of other money's throughput, what differs by less is the same.
SAME_RATE_RATIO = 0.99
#: A type that waits for a look: −ceiling, index of its bound, and the storage type once split.
Waiting = tuple[float, int, StorageType | None]
_LOG_THREADS = tuple(log(threads) for threads in THREADS)


class Shelf:
    """The storage types that some instance types can have, and the best of each property."""

    __slots__ = ("fastest", "floors", "is_ebs", "least_usd", "undominated")

    def __init__(
        self, fastest: VolumeParameters, floors: Mapping[StorageType, StorageFloor]
    ) -> None:
        """Keep the floors by type, and storage that none of the types is quicker than."""
        self.fastest = fastest
        self.floors = floors
        self.is_ebs = all(kind in EBS_TYPES for kind in floors)
        self.undominated = undominated(floors.values())
        self.least_usd = min((floor.usd for floor in floors.values()), default=inf)


class Bound:
    """The best that any option of an instance type can be; tightened once, when first needed."""

    __slots__ = ("entry", "instance_usd", "is_tight", "pages", "rate", "shelf")

    def __init__(
        self, entry: SpaceEntry, shelf: Shelf, rate: float, pages: float, instance_usd: float
    ) -> None:
        """Keep a cheap bound.

        ``rate`` is at least the transactions/s of every option, ``pages`` at most the I/O of a
        transaction, ``instance_usd`` what all nodes cost a month without storage.
        """
        self.entry = entry
        self.shelf = shelf
        self.rate = rate
        self.pages = pages
        self.instance_usd = instance_usd
        self.is_tight = False


class Space:
    """The space of one request: bounds for all instance types, options for those looked at."""

    def __init__(
        self, request: Request, ground: Ground, rivals: Competition, *, is_pruned: bool = True
    ) -> None:
        """Bound every instance type; ``is_pruned`` False looks at all of them anyway."""
        self._objective = request.objective
        self._is_pruned = is_pruned
        self._evaluator = Evaluator(request, ground, rivals)
        self._target = request.workload.target_tps
        #: What stays below a target misses it, whatever else it does.
        self._least_rate = (self._target or 0.0) if is_pruned else 0.0
        self._shelves: dict[tuple[Platform, tuple[StorageType, ...]], Shelf] = {}
        self.bounds = tuple(self._bounds(request, ground))

    @property
    def evaluated(self) -> int:
        """Pairs of instance and storage type whose options were worked out."""
        return self._evaluator.evaluated

    def kinds(self, platform: Platform) -> tuple[StorageType, ...]:
        """Return the storage types that compete on a platform."""
        return self._evaluator.kinds[platform]

    @property
    def size(self) -> int:
        """Combinations of instance type, storage type and engine that the bounds cover."""
        demands = self._evaluator.rivals.demands
        return sum(
            len(self.kinds(bound.entry.platform)) * len(demands[bound.entry.platform])
            for bound in self.bounds
        )

    def options_of(self, entry: SpaceEntry, kind: StorageType) -> tuple[Option, ...]:
        """Return the options of an instance type with one storage type, within the budget."""
        return self._evaluator.options_of(entry, kind)

    def _bounds(self, request: Request, ground: Ground) -> Iterator[Bound]:
        """Yield the cheap bounds: the peak of the curve, and the least time of a transaction."""
        threads = float(request.workload.threads)
        points = max(2, (request.workload.threads - 1).bit_length() + 1)
        hot = request.workload.hot_gib
        for entry in ground.entries:
            platform, instance, log_tps = entry.platform, entry.instance, entry.curve.log_tps
            if not self.kinds(platform):
                continue
            shelf = self._shelf(entry)
            usd = self._instance_usd(entry, ground)
            if usd is None:
                continue
            highest = exp(max(log_tps[:points]))
            least_s = exp(-max(map(float.__sub__, log_tps, _LOG_THREADS)))
            rate, fewest = 0.0, inf
            for demand in self._evaluator.rivals.demands[platform].values():
                _, page_reads = reads_missed(instance, hot, demand)
                gain = demand.client_gain * instance.cpu_baseline_ratio / demand.cpu_cost
                waiting = sum(delay_s(demand, shelf.fastest, page_reads))
                fast = min(highest * gain, threads / (waiting + least_s / gain))
                pages = page_reads + demand.page_writes
                if shelf.is_ebs and pages > 0.0:
                    fast = min(fast, instance.ebs_baseline_iops / pages)
                rate, fewest = max(rate, fast), min(fewest, pages)
            yield Bound(entry, shelf, rate=GUARD * rate, pages=fewest, instance_usd=usd)

    def _shelf(self, entry: SpaceEntry) -> Shelf:
        """Return what storage an instance type can have; alike types share one."""
        platform, kinds = entry.platform, self._evaluator.kinds_on(entry)
        shelf = self._shelves.get((platform, kinds))
        if shelf is None:
            volumes = self._evaluator.volumes
            shelf = Shelf(
                _fastest(volumes[kind] for kind in kinds or self.kinds(platform)),
                {kind: self._evaluator.floor(platform, kind) for kind in kinds},
            )
            self._shelves[platform, kinds] = shelf
        return shelf

    def _instance_usd(self, entry: SpaceEntry, ground: Ground) -> float | None:
        """Return the least that all nodes of an entry cost a month; None: no price at all."""
        platform, name = entry.platform, entry.instance.name
        found = [
            float(price.usd) * self._evaluator.nodes(platform, engine)
            for engine in self._evaluator.rivals.demands[platform]
            for kind in self._priced_kinds(platform)
            if (price := ground.market.hourly(platform, engine, name, kind)) is not None
        ]
        return min(found) * float(HOURS_PER_MONTH) if found else None

    def _priced_kinds(self, platform: Platform) -> tuple[StorageType, ...]:
        """Return the storage types whose hourly prices differ: all of Aurora's, else any one."""
        kinds = self.kinds(platform)
        return kinds if platform is Platform.AURORA else kinds[:1]

    def _tighten(self, bound: Bound) -> None:
        """Replace the cheap bound by the balance with the fastest storage and no limit."""
        rate = 0.0
        platform = bound.entry.platform
        for engine in self._evaluator.rivals.demands[platform]:
            part = self._evaluator.part(bound.entry, engine)
            at_cpu = settle(part, bound.shelf.fastest).balance.threads_at_cpu
            rate = max(rate, peak(part.log_tps, at_cpu) / part.demand.cpu_cost)
        bound.rate = min(bound.rate, GUARD * rate)
        bound.is_tight = True

    def _rate_with(self, bound: Bound, kind: StorageType) -> float:
        """Return transactions/s that no option of a tight bound with one storage type exceeds."""
        rate, instance = 0.0, bound.entry.instance
        for engine in self._evaluator.rivals.demands[bound.entry.platform]:
            settled = self._evaluator.settled(bound.entry, engine, kind)
            fast = settled.balance.transactions_per_s
            pages = settled.part.page_reads + settled.part.demand.page_writes
            if kind in EBS_TYPES and pages > 0.0:
                fast = min(fast, instance.ebs_baseline_iops / pages)
            rate = max(rate, fast)
        return min(bound.rate, GUARD * rate)

    def scan(
        self,
        is_wanted: Callable[[Option], bool] | None = None,
        could_be: Callable[[SpaceEntry, float, float], bool] | None = None,
    ) -> Iterator[Option]:
        """Yield the options that meet the request, best score first.

        ``is_wanted`` keeps some; ``could_be`` (type, most transactions/s, least USD a month) says
        which types can have any of those, so that the others need no look.
        """

        def is_possible(bound: Bound, rate: float, storage_usd: float) -> bool:
            least = bound.instance_usd + storage_usd
            return (
                rate >= self._least_rate
                and least < inf
                and (could_be is None or could_be(bound.entry, rate, least))
            )

        waiting: list[Waiting] = [
            (-self._ceiling(bound, bound.rate, bound.shelf.undominated), index, None)
            for index, bound in enumerate(self.bounds)
            if is_possible(bound, bound.rate, bound.shelf.least_usd)
        ]
        heapify(waiting)
        ready: list[tuple[Order, Option]] = []
        while waiting or ready:
            while ready and (not waiting or self._is_settled(ready[0][1], -waiting[0][0])):
                yield heappop(ready)[1]
            if not waiting:
                continue
            _, index, kind = heappop(waiting)
            bound = self.bounds[index]
            if kind is not None:
                self._make_ready(ready, self.options_of(bound.entry, kind), is_wanted)
            elif bound.is_tight:
                for each, floor in bound.shelf.floors.items():
                    rate = self._rate_with(bound, each)
                    if is_possible(bound, rate, floor.usd):
                        heappush(waiting, (-self._ceiling(bound, rate, (floor,)), index, each))
            else:
                self._tighten(bound)
                if is_possible(bound, bound.rate, bound.shelf.least_usd):
                    ceiling = self._ceiling(bound, bound.rate, bound.shelf.undominated)
                    heappush(waiting, (-ceiling, index, None))

    @staticmethod
    def _make_ready(
        ready: list[tuple[Order, Option]],
        options: Iterable[Option],
        is_wanted: Callable[[Option], bool] | None,
    ) -> None:
        """Add the options that meet the request and are wanted."""
        for option in options:
            if option.shortfall <= 0.0 and (is_wanted is None or is_wanted(option)):
                heappush(ready, (option.order, option))

    def _is_settled(self, option: Option, ceiling: float) -> bool:
        """Whether nothing that waits below ``ceiling`` can come before ``option``."""
        return self._is_pruned and option.score > ceiling

    def _ceiling(self, bound: Bound, fastest: float, floors: Sequence[StorageFloor]) -> float:
        """Return a score that no option with at most ``fastest`` transactions/s exceeds.

        Every objective grows with the rate even when the IOPS for it are paid, so the bound on the
        rate with the least that its I/O costs bounds the score.
        """
        rate = fastest
        if self._objective is Objective.COST and self._target is not None:
            rate = min(rate, self._target)
        iops = bound.pages * rate
        usd = min((floor.at(iops) for floor in floors), default=inf)
        return GUARD * score_of(self._objective, fastest, bound.instance_usd + usd)

    def fastest(self, at_most_usd: float) -> Option | None:
        """Return the option with most transactions/s for at most ``at_most_usd`` a month.

        Of those within ``SAME_RATE_RATIO`` of the most it is the cheapest.
        """

        def place(index: int, kind: StorageType | None) -> Waiting:
            """Return what a type, or one storage type of it, can reach for the money."""
            bound = self.bounds[index]
            floors = bound.shelf.undominated if kind is None else (bound.shelf.floors[kind],)
            rate = bound.rate if kind is None else self._rate_with(bound, kind)
            left_usd = at_most_usd + CENT_USD - bound.instance_usd
            iops = max((floor.most_iops(left_usd) for floor in floors), default=0.0)
            carried = GUARD * iops / bound.pages if bound.pages > 0.0 else inf
            return -min(rate, carried), index, kind

        waiting = [
            place(index, None)
            for index, bound in enumerate(self.bounds)
            if bound.rate >= self._least_rate
            and bound.instance_usd + bound.shelf.least_usd <= at_most_usd
        ]
        heapify(waiting)
        most = 0.0
        near: list[Option] = []
        best: Option | None = None
        while waiting and not (self._is_pruned and -waiting[0][0] < SAME_RATE_RATIO * most):
            ceiling, index, kind = heappop(waiting)
            bound = self.bounds[index]
            usd = bound.instance_usd + bound.shelf.least_usd
            if (
                self._is_pruned
                and best
                and -ceiling < most
                and usd > GUARD * float(best.usd_per_month)
            ):
                continue  # neither faster than the fastest nor cheaper than what is near it
            if kind is None and not bound.is_tight:
                self._tighten(bound)
                heappush(waiting, place(index, None))
                continue
            if kind is None:
                for each in bound.shelf.floors:
                    heappush(waiting, place(index, each))
                continue
            near += (
                option
                for option in self.options_of(bound.entry, kind)
                if option.shortfall <= 0.0 and float(option.usd_per_month) <= at_most_usd
            )
            most = max((option.rate for option in near), default=0.0)
            near = [option for option in near if option.rate >= SAME_RATE_RATIO * most]
            best = min(near, key=lambda option: (option.usd_per_month, option.order), default=None)
        return best

    def all_options(self) -> Iterator[Option]:
        """Yield every option of every type, whether or not it meets the request."""
        for bound in self.bounds:
            yield from self._all_of(bound.entry)

    def _all_of(self, entry: SpaceEntry) -> Iterator[Option]:
        for kind in self.kinds(entry.platform):
            yield from self.options_of(entry, kind)


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
