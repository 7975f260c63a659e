"""What CPU scores say about a family: how fast it is beside the measured ones, at equal vCPU.

Each score is split into an effect of the size and one of the family (a two-way fit of logarithms),
so that every size of a family counts, and families are compared at equal vCPU even where their
sizes differ. No score was chosen for how well it predicts: their mean is the expectation, and how
far each deviates from it goes into the covariance, which learns what a deviation is worth.
"""

from __future__ import annotations

from collections import defaultdict
from math import log, log2
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from advisor.domain.instance import InstanceType

#: Scores of one thread and of all threads of a server, of every tool whose versions are comparable.
SINGLE_SCORES = (
    "gb6_single",
    "gb6_single_clang",
    "gb6_single_text_processing",
    "pm_cpu_singlethread",
    "redis_set_rps_pipeline1",
)
LOADED_SCORES = (
    "coremark",
    "gb6_multi",
    "gb6_multi_clang",
    "gb6_multi_text_processing",
    "pm_summ_cpu",
    "redis_set_rps_max",
    "static_web_1k_rps_max",
)
#: log2(threads per vCPU) up to which the single scores count alone, and octaves to the loaded ones.
_SINGLE_TO, _BLEND = -2.0, 3.0
#: Rounds of the two-way fit; it converges within a few.
_ROUNDS = 30


class Speed(NamedTuple):
    """ln of a family's scores ÷ those of all families on average, at equal vCPU.

    The zero is that of the catalogue, so it does not depend on which families were measured.
    """

    single: tuple[float, ...]
    """By score of ``SINGLE_SCORES``: how fast it is at few threads per vCPU."""
    loaded: tuple[float, ...]
    """By score of ``LOADED_SCORES``: at many."""

    def at(self, vcpu: int, threads: float) -> float:
        """Return the mean speed at ``threads`` on ``vcpu``, blended between few and many."""
        many = loaded_share(vcpu, threads)
        return (1.0 - many) * fmean(self.single) + many * fmean(self.loaded)

    def deviations(self, vcpu: int, threads: float) -> tuple[float, ...]:
        """Return how far each score deviates from the mean, as much as it counts there."""
        many = loaded_share(vcpu, threads)
        single, loaded = fmean(self.single), fmean(self.loaded)
        return (
            *((1.0 - many) * (value - single) for value in self.single),
            *(many * (value - loaded) for value in self.loaded),
        )


#: A family that no score sets apart from the average.
LEVEL = Speed(single=(0.0,) * len(SINGLE_SCORES), loaded=(0.0,) * len(LOADED_SCORES))


def loaded_share(vcpu: int, threads: float) -> float:
    """Return what the scores of all threads count at ``threads`` on ``vcpu``, 0..1."""
    return min(1.0, max(0.0, (log2(threads / vcpu) - _SINGLE_TO) / _BLEND))


class _Kin(NamedTuple):
    cpu_maker: str
    threads_per_core: int
    silicon: str
    generation: int
    memory_per_vcpu: float


class Speeds:
    """The speed of every family that scores can place."""

    def __init__(
        self,
        types: Iterable[InstanceType],
        scores: Mapping[str, Mapping[str, float]],
    ) -> None:
        steady = sorted(
            (item for item in types if not item.is_burstable), key=lambda item: item.name
        )
        self._kin = {
            item.family: _Kin(
                cpu_maker=item.cpu_maker,
                threads_per_core=item.threads_per_core,
                silicon=item.silicon,
                generation=item.generation,
                memory_per_vcpu=item.memory_gib / item.vcpu,
            )
            for item in steady
        }
        self._effects = {
            metric: _family_effects(steady, scores, metric)
            for metric in (*SINGLE_SCORES, *LOADED_SCORES)
        }

    def of(self, family: str) -> Speed | None:
        """Return the speed of a family; None where neither it nor a relative has a score.

        A family that lacks some scores takes them from its nearest relative that has all, moved by
        what both have.
        """
        if self._is_whole(family):
            return Speed(
                single=tuple(self._effects[metric][family] for metric in SINGLE_SCORES),
                loaded=tuple(self._effects[metric][family] for metric in LOADED_SCORES),
            )
        relative = self._relative(family)
        near = None if relative is None else self.of(relative)
        if relative is None or near is None:
            return None
        single = self._steps(family, relative, SINGLE_SCORES)
        loaded = self._steps(family, relative, LOADED_SCORES)
        if not (single or loaded) and self._kin[family].silicon != self._kin[relative].silicon:
            return None
        step = fmean(single or loaded or (0.0,)), fmean(loaded or single or (0.0,))
        return Speed(
            single=tuple(value + step[0] for value in near.single),
            loaded=tuple(value + step[1] for value in near.loaded),
        )

    def _is_whole(self, family: str) -> bool:
        """Whether a family has every score."""
        return all(family in effects for effects in self._effects.values())

    def _relative(self, family: str) -> str | None:
        """Return the nearest family with every score: silicon, then generation, then memory."""
        mine = self._kin.get(family)
        if mine is None:
            return None
        others = [
            (
                kin.silicon != mine.silicon,
                abs(kin.generation - mine.generation),
                abs(log(kin.memory_per_vcpu / mine.memory_per_vcpu)),
                other,
            )
            for other, kin in self._kin.items()
            if other != family
            and kin.cpu_maker == mine.cpu_maker
            and kin.threads_per_core == mine.threads_per_core
            and self._is_whole(other)
        ]
        return min(others)[-1] if others else None

    def _steps(self, family: str, relative: str, metrics: Sequence[str]) -> list[float]:
        """Return ln(family ÷ relative) of each score that both have."""
        return [
            self._effects[metric][family] - self._effects[metric][relative]
            for metric in metrics
            if family in self._effects[metric] and relative in self._effects[metric]
        ]


def _family_effects(
    types: Sequence[InstanceType],
    scores: Mapping[str, Mapping[str, float]],
    metric: str,
) -> dict[str, float]:
    """Return ln of each family's score at equal vCPU, less the mean of all families."""
    cells = [
        (item.family, item.vcpu, log(scores[item.name][metric]))
        for item in types
        if metric in scores.get(item.name, {})
    ]
    families: dict[str, float] = dict.fromkeys((family for family, _, _ in cells), 0.0)
    for _ in range(_ROUNDS):
        by_size: dict[int, list[float]] = defaultdict(list)
        for family, vcpu, value in cells:
            by_size[vcpu].append(value - families[family])
        sizes = {vcpu: fmean(values) for vcpu, values in by_size.items()}
        by_family: dict[str, list[float]] = defaultdict(list)
        for family, vcpu, value in cells:
            by_family[family].append(value - sizes[vcpu])
        families = {family: fmean(values) for family, values in by_family.items()}
    zero = fmean(families.values()) if families else 0.0
    return {family: value - zero for family, value in families.items()}
