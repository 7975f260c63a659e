"""Fits the compute curve of every instance type from the measured ones and CPU scores.

- a measured type keeps its means; beyond the last measured thread count it follows the typical
  step of measured types at the same threads per vCPU;
- another size of measured silicon is scaled by vCPU at equal threads per vCPU (basis ``scaled``);
- other silicon is transferred: the measured families at the same vCPU, each multiplied by the ratio
  of CPU scores, averaged in the logarithm with more weight on the same maker and the same threads
  per core (basis ``transferred``).

Errors come from holding out: a thread count, a size of its family, a silicon generation.
"""

from __future__ import annotations

from collections import defaultdict
from math import exp, hypot, log, log2
from statistics import median
from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.vocabulary import Basis
from advisor.prediction.curve import THREADS, ComputeCurve, interpolate
from advisor.prediction.fit_scores import Scores
from advisor.prediction.uncertainty import Z_80

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.instance import InstanceType
    from advisor.prediction.fit_input import CurvePoint, FitInput

#: Weights of a relative by another maker, and with other threads per core.
OTHER_MAKER = 0.2
OTHER_THREADS_PER_CORE = 0.5
#: Log error per octave of vCPU beyond the largest measured size.
BEYOND_SIGMA = 0.10
_DIGITS = 4
#: Share of |errors| that one sigma-interval of 80 % must cover.
_COVER = 0.8


@record
class Shape:
    """A curve without its type: ln(transactions/s) and p95 ratios at ``THREADS``."""

    log_tps: tuple[float, ...]
    p95_ratio: tuple[float, ...]


@record
class CurveErrors:
    """Hold-out errors as log standard deviations, and how many residuals gave them."""

    repeat: float
    threads: float
    size: float
    silicon: float
    counts: tuple[int, int, int, int]


@record
class CurveFit:
    """All curves and the errors behind their intervals."""

    curves: tuple[ComputeCurve, ...]
    errors: CurveErrors


class Measured:
    """The measured curves, by family and vCPU."""

    def __init__(self, types: Iterable[InstanceType], points: Iterable[CurvePoint]) -> None:
        by_type: dict[str, dict[int, CurvePoint]] = defaultdict(dict)
        for point in points:
            by_type[point.instance_type][point.threads] = point
        self.types = {
            item.name: item for item in types if item.name in by_type and not item.is_burstable
        }
        self.points = {name: by_type[name] for name in sorted(self.types)}
        self.measured_to = {name: max(cells) for name, cells in self.points.items()}
        steps = self._steps()
        self.shapes = {name: self._extended(name, steps) for name in self.points}
        self.sizes: dict[str, dict[int, str]] = defaultdict(dict)
        for name, item in sorted(self.types.items()):
            self.sizes[item.family][item.vcpu] = name
        self.silicon = {item.family: item.silicon for item in self.types.values()}
        self.large_size_exponent = self._large_size_exponent()

    def _steps(self) -> dict[int, float]:
        """Return the median change of ln X per doubling of threads.

        The key is log2(threads ÷ vCPU) after the doubling, rounded.
        """
        changes: dict[int, list[float]] = defaultdict(list)
        for name, cells in self.points.items():
            for threads, point in cells.items():
                if threads // 2 in cells:
                    octave = round(log2(threads / self.types[name].vcpu))
                    before = cells[threads // 2].transactions_per_s
                    changes[octave].append(log(point.transactions_per_s / before))
        return {octave: median(values) for octave, values in changes.items()}

    def _extended(self, name: str, steps: dict[int, float]) -> Shape:
        cells = self.points[name]
        vcpu = self.types[name].vcpu
        log_tps: list[float] = []
        ratios: list[float] = []
        for threads in THREADS:
            if threads in cells:
                log_tps.append(log(cells[threads].transactions_per_s))
                ratios.append(cells[threads].p95_ratio)
            else:
                octave = min(max(steps), round(log2(threads / vcpu)))
                log_tps.append(log_tps[-1] + steps[octave])
                ratios.append(ratios[-1])
        return Shape(log_tps=tuple(log_tps), p95_ratio=tuple(ratios))

    def _large_size_exponent(self) -> float:
        """Return d ln(peak) ÷ d ln(vCPU) between the two largest measured sizes of a family.

        The median of families.
        """
        exponents = []
        for family in sorted(self.sizes):
            sizes = sorted(self.sizes[family])
            if len(sizes) == 1:
                continue
            small, large = sizes[-2], sizes[-1]
            peaks = [max(self.shapes[self.sizes[family][size]].log_tps) for size in (small, large)]
            exponents.append((peaks[1] - peaks[0]) / log(large / small))
        return median(exponents)

    def at_vcpu(self, family: str, vcpu: int, without: str | None = None) -> Shape:
        """Return the curve of a measured family at a size.

        Measured, or scaled at equal threads per vCPU.
        """
        sizes = {size: name for size, name in self.sizes[family].items() if name != without}
        if vcpu in sizes:
            return self.shapes[sizes[vcpu]]
        below = max((size for size in sizes if size < vcpu), default=None)
        above = min((size for size in sizes if size > vcpu), default=None)
        if below is None and above is not None:
            return _scaled(self.shapes[sizes[above]], above, vcpu, 1.0)
        if above is None and below is not None:
            return _scaled(self.shapes[sizes[below]], below, vcpu, self.large_size_exponent)
        if below is None or above is None:
            raise ValueError(f"{family} has no measured size")
        weight = log(vcpu / below) / log(above / below)
        return _mixed(
            [
                (1.0 - weight, _scaled(self.shapes[sizes[below]], below, vcpu, 1.0)),
                (weight, _scaled(self.shapes[sizes[above]], above, vcpu, 1.0)),
            ]
        )


def _scaled(shape: Shape, from_vcpu: int, to_vcpu: int, exponent: float) -> Shape:
    """Return ``shape`` at another size.

    Equal threads per vCPU, throughput × size ratio (^exponent once loaded).
    """
    ratio = to_vcpu / from_vcpu
    log_tps, p95 = [], []
    for threads in THREADS:
        at = threads / ratio
        here = interpolate(shape.log_tps, at) if at >= 1.0 else shape.log_tps[0] + log(at)
        loaded = min(1.0, max(0.0, (log2(threads / to_vcpu) + 2.0) / 2.0))
        log_tps.append(here + log(ratio) * (1.0 + (exponent - 1.0) * loaded))
        p95.append(interpolate(shape.p95_ratio, at))
    return Shape(log_tps=tuple(log_tps), p95_ratio=tuple(p95))


def _mixed(parts: Sequence[tuple[float, Shape]]) -> Shape:
    """Return the weighted mean of shapes, in the logarithm."""
    total = sum(weight for weight, _ in parts)
    return Shape(
        log_tps=tuple(
            sum(weight * shape.log_tps[index] for weight, shape in parts) / total
            for index in range(len(THREADS))
        ),
        p95_ratio=tuple(
            exp(sum(weight * log(shape.p95_ratio[index]) for weight, shape in parts) / total)
            for index in range(len(THREADS))
        ),
    )


def _transferred(
    item: InstanceType, measured: Measured, scores: Scores, without: str | None
) -> Shape | None:
    """Return the curve of ``item`` from measured families, leaving out the silicon ``without``.

    None: no score.
    """
    mine = scores.of(item)
    if mine is None:
        return None
    families = [family for family in sorted(measured.sizes) if measured.silicon[family] != without]
    per_silicon: dict[str, int] = defaultdict(int)
    for family in families:
        per_silicon[measured.silicon[family]] += 1
    parts: list[tuple[float, Shape]] = []
    for family in families:
        relative = measured.types[next(iter(measured.sizes[family].values()))]
        twin = measured.types[_nearest_size(measured.sizes[family], item.vcpu)]
        theirs = scores.of(twin)
        if theirs is None:
            continue
        weight = 1.0 / per_silicon[measured.silicon[family]]
        if relative.cpu_maker != item.cpu_maker:
            weight *= OTHER_MAKER
        if relative.threads_per_core != item.threads_per_core:
            weight *= OTHER_THREADS_PER_CORE
        few, many = _per_vcpu(mine, item, theirs, twin)
        shape = measured.at_vcpu(family, item.vcpu)
        parts.append((weight, _shifted(shape, item.vcpu, few, many)))
    return _mixed(parts) if parts else None


def _nearest_size(sizes: dict[int, str], vcpu: int) -> str:
    """Return the measured type of a family whose size is nearest in octaves."""
    return sizes[min(sizes, key=lambda size: (abs(log(size / vcpu)), size))]


def _per_vcpu(
    mine: tuple[float, float], item: InstanceType, theirs: tuple[float, float], twin: InstanceType
) -> tuple[float, float]:
    """Return the score ratios.

    Where sizes differ, multi-core scores are not comparable and the single one serves.
    """
    few = mine[0] - theirs[0]
    return (few, mine[1] - theirs[1]) if item.vcpu == twin.vcpu else (few, few)


def _shifted(shape: Shape, vcpu: int, few: float, many: float) -> Shape:
    """Return ``shape`` moved by ``few`` at few threads per vCPU and by ``many`` at many.

    Few is up to 0.25, many is from 2 on; blended between.
    """
    log_tps = []
    for threads, value in zip(THREADS, shape.log_tps, strict=True):
        loaded = min(1.0, max(0.0, (log2(threads / vcpu) + 2.0) / 3.0))
        log_tps.append(value + (1.0 - loaded) * few + loaded * many)
    return Shape(log_tps=tuple(log_tps), p95_ratio=shape.p95_ratio)


def fit_curves(data: FitInput) -> CurveFit:
    """Return the curve of every type that has evidence.

    Measured, of measured silicon, or with CPU scores.
    """
    measured = Measured(data.types, data.curve_points)
    scores = Scores(data.types, data.scores)
    errors = _hold_out(measured, scores)
    curves = [
        curve
        for item in data.types
        if (curve := _curve_of(item, measured, scores, errors)) is not None
    ]
    return CurveFit(
        curves=_monotone(curves, {item.name: item for item in data.types}), errors=errors
    )


def _curve_of(
    item: InstanceType, measured: Measured, scores: Scores, errors: CurveErrors
) -> ComputeCurve | None:
    if item.name in measured.shapes:
        return _curve(
            item,
            measured.shapes[item.name],
            (Basis.MEASURED, item.name, measured.measured_to[item.name]),
            (0.0, hypot(errors.repeat, errors.threads)),
        )
    if item.family in measured.sizes:
        shape = measured.at_vcpu(item.family, item.vcpu)
        names = [measured.sizes[item.family][size] for size in sorted(measured.sizes[item.family])]
        beyond = max(0.0, log2(item.vcpu / max(measured.sizes[item.family])))
        sigmas = (0.0, hypot(errors.size, BEYOND_SIGMA * beyond))
        return _curve(item, shape, (Basis.SCALED, f"{names[0]} … {names[-1]}", 0), sigmas)
    kin = [family for family in sorted(measured.sizes) if measured.silicon[family] == item.silicon]
    beyond = max(
        0.0, log2(item.vcpu / max(max(measured.sizes[family]) for family in kin or measured.sizes))
    )
    if kin:
        mine = scores.of(item)
        parts = []
        for family in kin:
            twin = measured.types[_nearest_size(measured.sizes[family], item.vcpu)]
            theirs = scores.of(twin)
            few, many = _per_vcpu(mine, item, theirs, twin) if mine and theirs else (0.0, 0.0)
            parts.append((1.0, _shifted(measured.at_vcpu(family, item.vcpu), item.vcpu, few, many)))
        sigmas = (errors.size / 2.0, hypot(errors.size, BEYOND_SIGMA * beyond))
        relatives = f"{', '.join(kin)} (same silicon)"
        return _curve(item, _mixed(parts), (Basis.SCALED, relatives, 0), sigmas)
    shape_or_none = _transferred(item, measured, scores, None)
    if shape_or_none is None:
        return None
    sigmas = (errors.silicon, hypot(errors.size, BEYOND_SIGMA * beyond))
    origin = (Basis.TRANSFERRED, "all measured families by Geekbench 6", 0)
    return _curve(item, shape_or_none, origin, sigmas)


def _curve(
    item: InstanceType, shape: Shape, origin: tuple[Basis, str, int], sigmas: tuple[float, float]
) -> ComputeCurve:
    """Return a rounded curve; ``origin`` is its basis, relatives and most threads measured."""
    basis, relatives, measured_to = origin
    return ComputeCurve(
        instance_type=item.name,
        log_tps=tuple(round(value, _DIGITS) for value in shape.log_tps),
        p95_ratio=tuple(round(value, _DIGITS) for value in shape.p95_ratio),
        measured_to=measured_to,
        basis=basis,
        silicon_sigma=round(sigmas[0], _DIGITS),
        type_sigma=round(sigmas[1], _DIGITS),
        relatives=relatives,
    )


def _monotone(
    curves: Sequence[ComputeCurve], types: dict[str, InstanceType]
) -> tuple[ComputeCurve, ...]:
    """Return the curves with capacity that never falls with vCPU within a family.

    The larger size is lifted.
    """
    best: dict[str, float] = {}
    lifted: list[ComputeCurve] = []
    for fitted in sorted(
        curves,
        key=lambda curve: (types[curve.instance_type].vcpu, curve.basis.rank, curve.instance_type),
    ):
        curve = fitted
        family = types[curve.instance_type].family
        peak = max(curve.log_tps)
        gap = best.get(family, peak) - peak
        if gap > 0.0 and curve.basis is not Basis.MEASURED:
            vcpu = types[curve.instance_type].vcpu
            lifts = [min(1.0, max(0.0, log2(threads / vcpu) + 2.0)) * gap for threads in THREADS]
            points = tuple(
                round(value + lift, _DIGITS)
                for value, lift in zip(curve.log_tps, lifts, strict=True)
            )
            curve = curve._replace(log_tps=points)
            peak = max(points)
        best[family] = max(best.get(family, peak), peak)
        lifted.append(curve)
    return tuple(sorted(lifted, key=lambda curve: curve.instance_type))


def _sigma(errors: Sequence[float]) -> float:
    """Return the log standard deviation whose 80 % interval covers 80 % of ``errors``."""
    ordered = sorted(abs(error) for error in errors)
    return ordered[min(len(ordered) - 1, int(_COVER * len(ordered)))] / Z_80


def _hold_out(measured: Measured, scores: Scores) -> CurveErrors:
    """Return the errors met when a thread count, a size or a silicon generation is left out."""
    repeat = [
        point.spread_cv
        for cells in measured.points.values()
        for point in cells.values()
        if point.spread_cv is not None
    ]
    threads = _thread_errors(measured)
    sizes: list[float] = []
    silicon: list[float] = []
    for name, item in measured.types.items():
        if len(measured.sizes[item.family]) > 1:
            sizes += _residuals(
                measured, name, measured.at_vcpu(item.family, item.vcpu, without=name)
            )
        moved = _transferred(item, measured, scores, without=item.silicon)
        if moved is not None:
            silicon += _residuals(measured, name, moved)
    return CurveErrors(
        repeat=median(repeat),
        threads=_sigma(threads),
        size=_sigma(sizes),
        silicon=_sigma(silicon),
        counts=(len(repeat), len(threads), len(sizes), len(silicon)),
    )


def _thread_errors(measured: Measured) -> list[float]:
    """Return ln(interpolated ÷ measured) at each inner thread count left out.

    An octave on either side.
    """
    errors = []
    for cells in measured.points.values():
        for count in cells:
            if count // 2 in cells and count * 2 in cells:
                neighbours = (
                    cells[count // 2].transactions_per_s * cells[count * 2].transactions_per_s
                )
                errors.append(0.5 * log(neighbours) - log(cells[count].transactions_per_s))
    # Points stand an octave apart; asked thread counts lie at most half an octave from one: a
    # quarter of the bend.
    return [error / 4.0 for error in errors]


def _residuals(measured: Measured, name: str, shape: Shape) -> list[float]:
    """Return ln(predicted ÷ measured) at the measured thread counts."""
    return [
        interpolate(shape.log_tps, threads) - log(point.transactions_per_s)
        for threads, point in measured.points[name].items()
    ]
