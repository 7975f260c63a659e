"""The plain baseline: Gunther's Universal Scalability Law, one curve per instance type.

N ÷ X(N) = a + b (N − 1) + c N (N − 1) is linear in its coefficients and fitted by least squares of
relative errors, no coefficient below nought (Gunther 2007, chapter 4). Another size is the nearest
size of the family at equal threads per vCPU; a family that is not known is the mean of those that
are, at the nearest size.
"""

from __future__ import annotations

from math import inf, log
from statistics import fmean
from typing import TYPE_CHECKING

from advisor.prediction.linear import cholesky, dot, solved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from advisor.domain.instance import InstanceType
    from advisor.prediction.fit_input import CurvePoint

_COEFFICIENTS = 3
_LEAST = 1e-12


class Usl:
    """USL curves of the types that some points know."""

    def __init__(self, types: Mapping[str, InstanceType], points: Iterable[CurvePoint]) -> None:
        cells: dict[str, list[tuple[float, float]]] = {}
        for point in points:
            cells.setdefault(point.instance_type, []).append(
                (float(point.threads), point.transactions_per_s)
            )
        self._types = types
        self._curves = {name: _fitted(found) for name, found in sorted(cells.items())}

    def log_tps(self, item: InstanceType, threads: float) -> float:
        """Return ln of the transactions/s of ``item``; raises ValueError when nothing is known."""
        if item.name in self._curves:
            return self._at(item.name, threads, 1.0)
        family = [name for name in self._curves if self._types[name].family == item.family]
        if family:
            return self._from_nearest(family, item, threads)
        families: dict[str, list[str]] = {}
        for name in self._curves:
            families.setdefault(self._types[name].family, []).append(name)
        if not families:
            raise ValueError("no curve is known")
        return fmean(self._from_nearest(names, item, threads) for names in families.values())

    def _from_nearest(self, names: Sequence[str], item: InstanceType, threads: float) -> float:
        near = min(names, key=lambda name: (abs(log(self._types[name].vcpu / item.vcpu)), name))
        return self._at(near, threads, item.vcpu / self._types[near].vcpu)

    def _at(self, name: str, threads: float, ratio: float) -> float:
        """Return ln X of a curve whose size is multiplied by ``ratio``."""
        first, second, third = self._curves[name]
        at = threads / ratio
        per_thread = first + second * (at - 1.0) + third * at * (at - 1.0)
        return log(ratio * at / max(_LEAST, per_thread))


def _fitted(cells: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return a, b, c ≥ 0 of N ÷ X = a + b (N − 1) + c N (N − 1) with the least relative error."""
    rows = [
        (rate / threads, rate / threads * (threads - 1.0), rate * (threads - 1.0))
        for threads, rate in cells
    ]
    best, least = (fmean(threads / rate for threads, rate in cells), 0.0, 0.0), inf
    for used in ((0,), (0, 1), (0, 2), (0, 1, 2)):
        if len(used) > len(cells):
            continue
        found = _solved([tuple(row[place] for place in used) for row in rows])
        full = [0.0] * _COEFFICIENTS
        for place, value in zip(used, found, strict=True):
            full[place] = value
        error = sum((dot(row, full) - 1.0) ** 2 for row in rows)
        if min(full) >= 0.0 and error < least:
            best, least = (full[0], full[1], full[2]), error
    return best


def _solved(rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return the least-squares solution of rows × x = 1."""
    size = range(len(rows[0]))
    normal = [[sum(row[one] * row[other] for row in rows) for other in size] for one in size]
    try:
        return solved(cholesky(normal), [sum(row[one] for row in rows) for one in size])
    except ValueError:
        return [-1.0] * len(size)
