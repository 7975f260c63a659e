"""How far a workload is from another answer: where the choice changes along one axis at a time.

Owns the search; instances, storage and engines stay as they are and only the workload moves. Takes
the path of the ranking (``part_of``, ``settle``, ``operating_point``, the objective) and makes no
prediction: this runs for every answer.
"""

from __future__ import annotations

from decimal import Decimal
from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.recommendation import Axis, AxisCrossover
from advisor.domain.record import replaced
from advisor.domain.vocabulary import Objective, StorageType
from advisor.domain.workload import profile_of_read_ratio
from advisor.prediction.demand import demand_of
from advisor.prediction.draws import DRAWS, drawn_rates
from advisor.prediction.performance import operating_point, part_of, settle
from advisor.prediction.uncertainty import factors_of
from advisor.recommend.cost import aurora_lines
from advisor.recommend.engines import era_wait_ms
from advisor.recommend.leaders import SAME_PRICE, TIE_FROM
from advisor.recommend.options import CENT, aurora_gib, billed_requests_per_s, score_of, shortfall
from advisor.recommend.storage_grid import aurora_storage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.recommendation import Request
    from advisor.domain.vocabulary import Engine, Platform
    from advisor.domain.workload import Workload
    from advisor.prediction.demand import Demand
    from advisor.prediction.parameters import VolumeParameters
    from advisor.prediction.performance import OperatingPoint, Settled
    from advisor.prediction.volume import StorageLimits
    from advisor.recommend.ground import Ground
    from advisor.recommend.leaders import Leader
    from advisor.recommend.options import Option

#: Octaves looked at on either side of the stated threads and data size.
OCTAVES = 3
#: Read shares looked at are multiples of this, 0 and 1 among them.
SHARE_STEP = 0.125
#: A change is found to within this ratio of threads (or one thread) and of data, or this share.
WITHIN_RATIO, WITHIN_SHARE = 1.02, 0.01
#: Draws that may be lost by one that is clearly ahead.
LOST_DRAWS = int(TIE_FROM * DRAWS)


class _Place(NamedTuple):
    """The workload at one value of an axis."""

    workload: Workload
    demands: dict[tuple[Platform, Engine], Demand]
    """What is known of them; places that differ in threads or data alone share theirs."""


class _Fixed(NamedTuple):
    """What of an option stays whatever the workload."""

    option: Option
    server: tuple[Platform, Engine]
    waited_ms: float
    volume: VolumeParameters
    limits: StorageLimits
    usd: float
    """A month, at the stated workload."""
    is_metered: bool
    """Whether its storage bills what is used (Aurora)."""
    most_gib: float
    """What local disks hold; EBS volumes hold any data."""


class _Rival(NamedTuple):
    """An option that could take the pick's place."""

    fixed: _Fixed
    margin: float
    """Its score ÷ the pick's from which on it does."""


def crossovers(
    leaders: Sequence[Leader],
    kinds: Iterable[tuple[str, Option]],
    request: Request,
    ground: Ground,
) -> tuple[AxisCrossover, ...]:
    """Return, by axis and direction, how far the pick (the first leader) holds.

    ``kinds`` are the options that differ from it in kind. Between two values looked at, an octave
    or ``SHARE_STEP`` apart, the lead may change there and back unseen.
    """
    rivals: list[Option] = []
    for _, option in kinds:
        if all(option is not other for other in rivals):
            rivals.append(option)
    if not rivals:
        return ()
    contest = _Contest(leaders[0], rivals, request, ground)
    return tuple(
        contest.along(axis, values) for axis, values in _looked_at(request.workload) if values
    )


def _looked_at(workload: Workload) -> Iterator[tuple[Axis, list[float]]]:
    """Yield the values of each axis and direction, the nearest to the stated one first."""
    octaves = [2.0**octave for octave in range(1, OCTAVES + 1)]
    threads, data, share = workload.threads, workload.data_gib, workload.profile.read_ratio
    fewer = dict.fromkeys(float(max(1, round(threads / factor))) for factor in octaves)
    yield Axis.THREADS, [count for count in fewer if count < threads]
    yield Axis.THREADS, [threads * factor for factor in octaves]
    yield Axis.DATA_SIZE, [data / factor for factor in octaves]
    yield Axis.DATA_SIZE, [data * factor for factor in octaves]
    if workload.profile.name != "point":
        shares = [step * SHARE_STEP for step in range(round(1.0 / SHARE_STEP) + 1)]
        yield Axis.READ_SHARE, [each for each in reversed(shares) if each < share]
        yield Axis.READ_SHARE, [each for each in shares if each > share]


def stated_value(axis: Axis, workload: Workload) -> float:
    """Return where a workload stands on an axis."""
    if axis is Axis.THREADS:
        return float(workload.threads)
    return workload.data_gib if axis is Axis.DATA_SIZE else workload.profile.read_ratio


def moved(workload: Workload, axis: Axis, value: float) -> Workload:
    """Return a workload at another value of an axis.

    Hot data that nobody stated keep their share of the data; stated ones are at most all of them.
    """
    if axis is Axis.THREADS:
        return replaced(workload, threads=int(value))
    if axis is Axis.READ_SHARE:
        return replaced(workload, profile=profile_of_read_ratio(value))
    hot = min(value, workload.hot_gib)
    if any(each.name == "hot-size" for each in workload.assumed):
        hot = value * workload.hot_gib / workload.data_gib
    return replaced(workload, data_gib=value, hot_gib=hot)


class _Contest:
    """The pick and its rivals, each as it is, under workloads that differ from the stated one."""

    def __init__(
        self, first: Leader, rivals: Sequence[Option], request: Request, ground: Ground
    ) -> None:
        """Keep what every workload shares, and by how much each rival must lead."""
        self._pick, *fixed = (self._fixed(option, ground) for option in (first.option, *rivals))
        self._tied_with = first.tied_with
        self._request = request
        self._ground = ground
        budget = request.constraints.budget_usd_per_month
        self._most_usd = inf if budget is None else float(budget + CENT)
        self._demands = {
            (option.entry.platform, option.engine): option.settled.part.demand
            for option in (first.option, *rivals)
        }
        stated = _Place(request.workload, self._demands)
        own = self._score(self._pick, stated)
        ratios = [self._score(rival, stated) / own for rival in fixed]
        least = margins(first.option, rivals, ratios, request.objective)
        self._rivals = tuple(map(_Rival, fixed, least))

    @staticmethod
    def _fixed(option: Option, ground: Ground) -> _Fixed:
        storage, entry = option.storage, option.entry
        return _Fixed(
            option=option,
            server=(entry.platform, option.engine),
            waited_ms=era_wait_ms(ground.parameters, entry.instance.family, option.engine),
            volume=option.settled.volume,
            limits=option.point.limits,
            usd=float(option.usd_per_month),
            is_metered=storage.type.is_aurora,
            most_gib=storage.size_gib if storage.type is StorageType.NVME else inf,
        )

    def along(self, axis: Axis, values: Sequence[float]) -> AxisCrossover:
        """Return how far the pick holds over ``values``, which go away from the stated one."""
        near = stated = stated_value(axis, self._request.workload)
        changes_at, rival = None, None
        for far in values:
            rival, holds = self._taken_by(self._place(axis, far))
            if not holds:
                near, changes_at, rival = self._narrowed(axis, near, far, rival)
                break
            near = far
        availability = self._request.workload.availability
        return AxisCrossover(
            axis=axis,
            stated=stated,
            looked_to=values[-1],
            value=None if changes_at is None else near,
            changes_at=changes_at,
            rival=None if rival is None else rival.candidate(availability).config,
            is_tie=None if rival is None else any(rival is other for other in self._tied_with),
        )

    def _narrowed(
        self, axis: Axis, near: float, far: float, rival: Option | None
    ) -> tuple[float, float, Option | None]:
        """Return (last value at which the pick holds, first at which not, who takes it there)."""
        while (middle := _between(axis, near, far)) is not None:
            found, holds = self._taken_by(self._place(axis, middle))
            if holds:
                near = middle
            else:
                far, rival = middle, found
        return near, far, rival

    def _place(self, axis: Axis, value: float) -> _Place:
        demands = {} if axis is Axis.READ_SHARE else self._demands
        return _Place(moved(self._request.workload, axis, value), demands)

    def _taken_by(self, place: _Place) -> tuple[Option | None, bool]:
        """Return (who takes the pick's place, whether nobody does).

        (None, False): it misses what was asked, as its rivals do.
        """
        own = self._score(self._pick, place)
        taker, most = None, own
        for rival, margin in self._rivals:
            score = self._score(rival, place) / margin
            if score > most:
                taker, most = rival.option, score
        return taker, taker is None and own > 0.0

    def _score(self, fixed: _Fixed, place: _Place) -> float:
        """Return the value of the objective; 0 for an option that misses what was asked."""
        workload, server = place.workload, fixed.server
        if workload.volume_gib > fixed.most_gib:
            return 0.0
        demand = place.demands.get(server)
        if demand is None:
            demand = demand_of(workload, *server, self._ground.parameters)
            place.demands[server] = demand
        settled = settle(
            part_of(fixed.option.entry, workload, demand, fixed.waited_ms), fixed.volume
        )
        point = operating_point(settled, fixed.limits)
        usd = fixed.usd
        if fixed.is_metered:
            usd += self._aurora_usd(fixed.option, workload, settled, point)
        if shortfall(workload, settled, point) > 0.0 or usd > self._most_usd:
            return 0.0
        return score_of(self._request.objective, point.transactions_per_s, usd)

    def _aurora_usd(
        self, option: Option, workload: Workload, settled: Settled, point: OperatingPoint
    ) -> float:
        """Return what Aurora's storage costs beyond the stated workload: it is billed by use."""
        kind = option.storage.type
        tariff = self._ground.market.tariffs[option.entry.platform, kind]

        def usage(load: Workload, done: Settled, at: OperatingPoint) -> Decimal:
            requests = billed_requests_per_s(load, done, at)
            lines = aurora_lines(aurora_storage(kind, aurora_gib(load)), tariff, requests)
            return sum((line.usd_per_month for line in lines), Decimal(0))

        before = usage(self._request.workload, option.settled, option.point)
        return float(usage(workload, settled, point) - before)


def margins(
    pick: Option, rivals: Sequence[Option], ratios: Sequence[float], objective: Objective
) -> list[float]:
    """Return the score ÷ the pick's from which on each rival would be chosen instead of the pick.

    The rule is that of the ranking: one that wins nine draws in ten is chosen, one that loses nine
    is not, and between the two the price decides, then the score. The errors are those of both at
    the stated workload. ``ratios`` are those of the scores there, where the pick was chosen.
    """
    own, *drawn = drawn_rates(
        [factors_of(option.settled, option.point) for option in (pick, *rivals)]
    )
    power = {Objective.BALANCED: 2.0, Objective.COST: 0.0}.get(objective, 1.0)
    found = []
    for rival, rates, ratio in zip(rivals, drawn, ratios, strict=True):
        shares = sorted(map(float.__truediv__, rates, own))
        stated = rival.rate / pick.rate
        ahead, behind = (
            (stated / share) ** power for share in (shares[LOST_DRAWS], shares[-1 - LOST_DRAWS])
        )
        steps = [ahead]
        if rival.usd_per_month <= pick.usd_per_month * SAME_PRICE:
            steps.insert(0, 1.0)
        if rival.usd_per_month * SAME_PRICE < pick.usd_per_month:
            steps.insert(0, behind)
        found.append(next((step for step in steps if step >= ratio), ratio))
    return found


def _between(axis: Axis, near: float, far: float) -> float | None:
    """Return a value between two; None when they are near enough."""
    if axis is Axis.READ_SHARE:
        return None if abs(far - near) <= WITHIN_SHARE else (near + far) / 2.0
    low, high = sorted((near, far))
    if high <= WITHIN_RATIO * low or (axis is Axis.THREADS and high - low <= 1.0):
        return None
    middle = sqrt(low * high)
    if axis is Axis.DATA_SIZE:
        return middle
    return min(high - 1.0, max(low + 1.0, float(round(middle))))
