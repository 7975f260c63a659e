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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from advisor.domain.recommendation import Request
    from advisor.recommend.engines import Competition
    from advisor.recommend.floors import StorageFloor
    from advisor.recommend.ground import Ground

#: A bound and the value it bounds are rounded differently; this keeps the bound above.
GUARD = 1.0 + 1e-9
#: Of other money's throughput, what differs by less is the same.
SAME_RATE_RATIO = 0.99
#: Storage floors for a closer look, and the storage type where it is one only.
Finer = tuple[tuple["StorageFloor", ...], StorageType | None]
#: A type that waits for a look: −ceiling, index of its bound, and the storage type once split.
Waiting = tuple[float, int, StorageType | None]
_LOG_THREADS = tuple(log(threads) for threads in THREADS)


class Bound:
    """The best that any option of an instance type can be; tightened once, when first needed."""

    __slots__ = ("entry", "instance_usd", "is_tight", "pages", "rate")

    def __init__(self, entry: SpaceEntry, rate: float, pages: float, instance_usd: float) -> None:
        """Keep a cheap bound.

        ``rate`` is at least the transactions/s of every option, ``pages`` at most the I/O of a
        transaction, ``instance_usd`` what all nodes cost a month without storage.
        """
        self.entry = entry
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
        self._fastest = {
            platform: _fastest(self._evaluator.volumes[kind] for kind in kinds)
            for platform, kinds in self._evaluator.kinds.items()
            if kinds
        }
        self._target = request.workload.target_tps
        self._floors = {
            platform: {kind: self._evaluator.floor(platform, kind) for kind in kinds}
            for platform, kinds in self._evaluator.kinds.items()
        }
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
            if platform not in self._fastest:
                continue
            usd = self._instance_usd(entry, ground)
            if usd is None:
                continue
            highest = exp(max(log_tps[:points]))
            least_s = exp(-max(map(float.__sub__, log_tps, _LOG_THREADS)))
            on_ebs = all(kind in EBS_TYPES for kind in self.kinds(platform))
            rate, fewest = 0.0, inf
            for demand in self._evaluator.rivals.demands[platform].values():
                _, page_reads = reads_missed(instance, hot, demand)
                gain = demand.client_gain * instance.cpu_baseline_ratio / demand.cpu_cost
                waiting = sum(delay_s(demand, self._fastest[platform], page_reads))
                fast = min(highest * gain, threads / (waiting + least_s / gain))
                pages = page_reads + demand.page_writes
                if on_ebs and pages > 0.0:
                    fast = min(fast, instance.ebs_baseline_iops / pages)
                rate, fewest = max(rate, fast), min(fewest, pages)
            yield Bound(entry=entry, rate=GUARD * rate, pages=fewest, instance_usd=usd)

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
            at_cpu = settle(part, self._fastest[platform]).balance.threads_at_cpu
            rate = max(rate, peak(part.log_tps, at_cpu) / part.demand.cpu_cost)
        bound.rate = min(bound.rate, GUARD * rate)
        bound.is_tight = True

    def scan(
        self,
        is_wanted: Callable[[Option], bool] | None = None,
        could_be: Callable[[Bound, float], bool] | None = None,
        kinds: Iterable[StorageType] | None = None,
    ) -> Iterator[Option]:
        """Yield the options that meet the request, best score first.

        ``is_wanted`` keeps some; ``could_be`` (bound, least USD) and ``kinds`` say which types can
        have any of those, so that the others need no look.
        """
        wanted = {
            platform: {
                kind: floor for kind, floor in mine.items() if kinds is None or kind in kinds
            }
            for platform, mine in self._floors.items()
        }
        floors = {platform: undominated(mine.values()) for platform, mine in wanted.items()}
        least_usd = {
            platform: min((floor.usd for floor in mine), default=inf)
            for platform, mine in floors.items()
        }

        def is_possible(bound: Bound) -> bool:
            least = bound.instance_usd + least_usd[bound.entry.platform]
            return least < inf and (could_be is None or could_be(bound, least))

        waiting: list[Waiting] = [
            (-self._ceiling(bound, floors[bound.entry.platform]), index, None)
            for index, bound in enumerate(self.bounds)
            if is_possible(bound)
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
                continue
            if not bound.is_tight:
                self._tighten(bound)
                lines = floors[bound.entry.platform]
                finer: list[Finer] = [(lines, None)] if is_possible(bound) else []
            else:
                finer = [((floor,), kind) for kind, floor in wanted[bound.entry.platform].items()]
            for lines, only in finer:
                heappush(waiting, (-self._ceiling(bound, lines), index, only))

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

    def _ceiling(self, bound: Bound, floors: Sequence[StorageFloor]) -> float:
        """Return a score that no option of the type exceeds.

        Every objective grows with the rate even when the IOPS for it are paid, so the bound on the
        rate with the least that its I/O costs bounds the score.
        """
        rate = bound.rate
        if self._objective is Objective.COST and self._target is not None:
            rate = min(rate, self._target)
        iops = bound.pages * rate
        usd = min((floor.at(iops) for floor in floors), default=inf)
        return GUARD * score_of(self._objective, bound.rate, bound.instance_usd + usd)

    def fastest(self, at_most_usd: float) -> Option | None:
        """Return the option with most transactions/s for at most ``at_most_usd`` a month.

        Of those within ``SAME_RATE_RATIO`` of the most it is the cheapest.
        """
        least_usd = {
            platform: min((floor.usd for floor in mine.values()), default=inf)
            for platform, mine in self._floors.items()
        }
        waiting = [
            (-bound.rate, index)
            for index, bound in enumerate(self.bounds)
            if bound.instance_usd + least_usd[bound.entry.platform] <= at_most_usd
        ]
        heapify(waiting)
        most = 0.0
        near: list[Option] = []
        best: Option | None = None
        while waiting and not (self._is_pruned and -waiting[0][0] < SAME_RATE_RATIO * most):
            _, index = heappop(waiting)
            bound = self.bounds[index]
            usd = bound.instance_usd + least_usd[bound.entry.platform]
            if (
                self._is_pruned
                and best
                and bound.rate < most
                and usd > GUARD * float(best.usd_per_month)
            ):
                continue  # neither faster than the fastest nor cheaper than what is near it
            if not bound.is_tight:
                self._tighten(bound)
                heappush(waiting, (-bound.rate, index))
                continue
            near += self._affordable(bound.entry, at_most_usd)
            most = max((option.rate for option in near), default=0.0)
            near = [option for option in near if option.rate >= SAME_RATE_RATIO * most]
            best = min(near, key=lambda option: (option.usd_per_month, option.order), default=None)
        return best

    def _affordable(self, entry: SpaceEntry, at_most_usd: float) -> Iterator[Option]:
        """Yield the options of a type that meet the request for at most ``at_most_usd``."""
        for option in self._all_of(entry):
            if option.shortfall <= 0.0 and float(option.usd_per_month) <= at_most_usd:
                yield option

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
