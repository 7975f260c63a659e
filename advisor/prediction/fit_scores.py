"""Composite CPU scores: how fast a type is without a database run."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.instance import InstanceType

#: Scores that follow MySQL at few threads per vCPU, and at many; chosen by hold-out over silicon
#: (docs/model.md).
SINGLE_SCORES = ("gb6_single_clang", "gb6_single_text_processing", "gb6_multi_text_processing")
LOADED_SCORES = ("gb6_single_clang", "gb6_multi_text_processing", "gb6_multi_clang")
#: Scores that lead from a type without Geekbench to the nearest one that has it.
BRIDGE_SCORES = ("coremark", "pm_cpu_singlethread", "redis_set_rps_pipeline1")


class Scores:
    """Composite CPU scores, with a bridge for types that lack them."""

    def __init__(self, types: Iterable[InstanceType], scores: dict[str, dict[str, float]]) -> None:
        self._scores = scores
        self._types = sorted(types, key=lambda item: item.name)
        self._cache: dict[str, tuple[float, float] | None] = {}

    def of(self, item: InstanceType) -> tuple[float, float] | None:
        """Return ln of the composite score at few and at many threads per vCPU.

        None: nothing comparable.
        """
        if item.name not in self._cache:
            self._cache[item.name] = self._own(item.name) or self._bridged(item)
        return self._cache[item.name]

    def _own(self, name: str) -> tuple[float, float] | None:
        single = self._composite(name, SINGLE_SCORES)
        loaded = self._composite(name, LOADED_SCORES)
        return None if single is None or loaded is None else (single, loaded)

    def _composite(self, name: str, metrics: Sequence[str]) -> float | None:
        mine = self._scores.get(name, {})
        if any(metric not in mine for metric in metrics):
            return None
        return sum(log(mine[metric]) for metric in metrics) / len(metrics)

    def _bridged(self, item: InstanceType) -> tuple[float, float] | None:
        """Return the score of the nearest scored type at the same vCPU.

        Same silicon, or same maker by bridge scores.
        """
        scored = [
            other
            for other in self._types
            if other.vcpu == item.vcpu
            and other.name != item.name
            and self._own(other.name) is not None
        ]
        same = [other for other in scored if other.silicon == item.silicon]
        if same:
            return self._own(
                min(same, key=lambda other: abs(log(other.memory_gib / item.memory_gib))).name
            )
        makers = [
            other
            for other in scored
            if other.cpu_maker == item.cpu_maker
            and other.threads_per_core == item.threads_per_core
            and not other.is_burstable
        ]
        if not makers:
            return None
        newest = max(other.generation for other in makers)
        nearest = min(
            (other for other in makers if other.generation == newest),
            key=lambda other: (abs(log(other.memory_gib / item.memory_gib)), other.name),
        )
        own = self._own(nearest.name)
        mine, theirs = self._scores.get(item.name, {}), self._scores.get(nearest.name, {})
        shared = [metric for metric in BRIDGE_SCORES if metric in mine and metric in theirs]
        if own is None or not shared:
            return None
        step = sum(log(mine[metric] / theirs[metric]) for metric in shared) / len(shared)
        return own[0] + step, own[1] + step
