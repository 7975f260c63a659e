"""Read-only throughput of every instance type, learned from the measured ones.

ln X = what size and threads explain (``kernel.expected_rate``) + the mean CPU score of the family
+ what a field of the measured points adds. p95 ÷ mean comes from a field of its own values.
"""

from __future__ import annotations

from collections import defaultdict
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from advisor.prediction.curve import Band, band_of
from advisor.prediction.field import Field, expected
from advisor.prediction.fit_scores import LEVEL, Speeds
from advisor.prediction.kernel import Layers, Site, expected_rate, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from advisor.domain.instance import InstanceType
    from advisor.prediction.fit_input import CurvePoint
    from advisor.prediction.fit_scores import Speed


class Group(NamedTuple):
    """Points that are left out together."""

    name: str
    """Groups of one name are not independent of each other."""
    indices: tuple[int, ...]
    """Of the points in ``Compute.points``."""


class Compute:
    """The measured points, and what they say about any instance type with scores."""

    def __init__(
        self,
        types: Iterable[InstanceType],
        points: Iterable[CurvePoint],
        scores: Mapping[str, Mapping[str, float]],
        layers: Layers = Layers(),  # noqa: B008 (a tuple of constants)
    ) -> None:
        """``points`` of burstable types are no evidence: they ran on CPU credits."""
        steady = {item.name: item for item in types if not item.is_burstable}
        self.points: tuple[CurvePoint, ...] = tuple(
            sorted(
                (point for point in points if point.instance_type in steady),
                key=lambda point: (point.instance_type, point.threads),
            )
        )
        self.types = {point.instance_type: steady[point.instance_type] for point in self.points}
        self.families: dict[str, list[InstanceType]] = defaultdict(list)
        for item in sorted(self.types.values(), key=lambda item: (item.vcpu, item.name)):
            self.families[item.family].append(item)
        self.silicon = {item.silicon for item in self.types.values()}
        self._speeds = Speeds(steady.values(), scores)
        self._known = {family: self._speeds.of(family) or LEVEL for family in self.families}
        known = [(self.types[point.instance_type], point) for point in self.points]
        self._field = Field(
            [site_of(item, point.threads, is_known=True) for item, point in known],
            [
                self._known[item.family].deviations(item.vcpu, point.threads)
                for item, point in known
            ],
            layers,
        )
        self._unexplained = [
            log(point.transactions_per_s)
            - expected_rate(item.vcpu, point.threads)
            - self._known[item.family].at(item.vcpu, point.threads)
            for item, point in known
        ]
        self._rates = self._field.learned(self._unexplained)
        self._tails = self._field.learned([log(point.p95_ratio) for point in self.points])
        self._alike: dict[Site, list[float]] = {}

    def speed(self, item: InstanceType) -> Speed | None:
        """Return what CPU scores say about the family of ``item``; None: nothing."""
        return self._known.get(item.family) or self._speeds.of(item.family)

    def log_tps(self, item: InstanceType, threads: float, speed: Speed) -> float:
        """Return ln of the expected transactions/s of ``item`` at ``threads``."""
        return (
            expected_rate(item.vcpu, threads)
            + speed.at(item.vcpu, threads)
            + expected(
                self._alike_at(item, threads), speed.deviations(item.vcpu, threads), self._rates
            )
        )

    def p95_ratio(self, item: InstanceType, threads: float, speed: Speed) -> float:
        """Return the expected p95 ÷ mean response time of ``item`` at ``threads``, at least 1."""
        alike = self._alike_at(item, threads)
        return exp(max(0.0, expected(alike, speed.deviations(item.vcpu, threads), self._tails)))

    def _alike_at(self, item: InstanceType, threads: float) -> list[float]:
        """Return the covariances of a site; types of unmeasured silicon and one size share them."""
        site = site_of(item, threads, is_known=item.name in self.types)
        if item.silicon not in self.silicon:
            site = site._replace(silicon="")
        if site not in self._alike:
            self._alike[site] = self._field.alike(site)
        return self._alike[site]

    def errors_without(self, left_out: Sequence[int]) -> list[float]:
        """Return ln(expected ÷ measured) at the points ``left_out`` (indices), from the others."""
        return [-error for error in self._field.errors_without(left_out, self._rates)]

    def tail_errors_without(self, left_out: Sequence[int]) -> list[float]:
        """Return ln(expected ÷ measured) of p95 ÷ mean at the points ``left_out``."""
        return [-error for error in self._field.errors_without(left_out, self._tails)]

    def log_likelihood(self) -> float:
        """Return how likely the layers make the measured points, up to a constant."""
        return self._field.log_likelihood(self._unexplained, self._rates)

    def measured(self, index: int) -> float:
        """Return ln of the measured transactions/s of a point."""
        return log(self.points[index].transactions_per_s)

    def band_at(self, index: int) -> Band:
        """Return the band of threads per vCPU of a point."""
        point = self.points[index]
        return band_of(point.threads, self.types[point.instance_type].vcpu)

    def has_kin(self, item: InstanceType) -> bool:
        """Whether another measured family shares the silicon of ``item``."""
        return any(
            family != item.family and members[0].silicon == item.silicon
            for family, members in self.families.items()
        )

    def grouped(self, name: Callable[[CurvePoint], str | None]) -> tuple[Group, ...]:
        """Return the points by ``name``, in their order; those without a name are in no group."""
        groups: dict[str, list[int]] = defaultdict(list)
        for index, point in enumerate(self.points):
            mine = name(point)
            if mine is not None:
                groups[mine].append(index)
        return tuple(Group(mine, tuple(indices)) for mine, indices in groups.items())
