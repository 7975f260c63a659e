"""Fits the compute curve of every instance type from the measured ones and CPU scores.

- a measured type keeps its means; between and beyond its thread counts ``Compute`` fills in;
- a type of a measured family, or of measured silicon, is expected from its relatives (basis
  ``scaled``);
- any other type that scores can place is expected from all measured types (basis ``transferred``).

The errors are those met when a thread count, a type, a family or a silicon generation is held out.
"""

from __future__ import annotations

from math import hypot, log, log2
from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.vocabulary import Basis
from advisor.prediction.calibration import (
    CurveErrors,
    Hold,
    calibrate,
    within,
)
from advisor.prediction.compute import Compute
from advisor.prediction.curve import THREADS, Band, ComputeCurve, CurveSigma
from advisor.prediction.fit_scores import LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.instance import InstanceType
    from advisor.prediction.fit_input import CurvePoint, FitInput
    from advisor.prediction.fit_scores import Speed

_DIGITS = 4


@record
class CurveFit:
    """All curves and the errors behind their intervals."""

    curves: tuple[ComputeCurve, ...]
    errors: CurveErrors


def fit_curves(data: FitInput, widening: float = 1.0) -> CurveFit:
    """Return the curve of every type that has evidence.

    Measured, of measured silicon, or with CPU scores. ``widening`` multiplies every error, for the
    age of the runs.
    """
    compute = Compute(data.types, data.curve_points, data.scores)
    errors = calibrate(compute)
    cells: dict[str, dict[int, CurvePoint]] = {name: {} for name in compute.types}
    for point in compute.points:
        cells[point.instance_type][point.threads] = point
    curves = []
    for item in data.types:
        speed = compute.speed(item)
        if speed is None and item.silicon in compute.silicon:
            speed = LEVEL
        if speed is not None:
            shape = _shape(compute, item, speed, cells.get(item.name, {}))
            curves.append(_curve(compute, item, shape, _sigmas(compute, item, errors, widening)))
    return CurveFit(
        curves=_monotone(curves, {item.name: item for item in data.types}), errors=errors
    )


def _shape(
    compute: Compute, item: InstanceType, speed: Speed, cells: dict[int, CurvePoint]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return ln(transactions/s) and p95 ratios at ``THREADS``: measured, else expected."""
    rates, tails = [], []
    for threads in THREADS:
        if threads in cells:
            rates.append(log(cells[threads].transactions_per_s))
            tails.append(cells[threads].p95_ratio)
        else:
            rates.append(compute.log_tps(item, threads, speed))
            tails.append(compute.p95_ratio(item, threads, speed))
    return tuple(rates), tuple(tails)


def _sigmas(
    compute: Compute, item: InstanceType, errors: CurveErrors, widening: float
) -> tuple[CurveSigma, CurveSigma]:
    """Return the log errors that ``item`` shares with its silicon, and those of its own."""
    scaled = errors.by_hold[Hold.SIZE]
    reach = max((known.vcpu for known in compute.families.get(item.family, ())), default=0) or max(
        (known.vcpu for known in compute.types.values()), default=item.vcpu
    )
    beyond = errors.beyond_vcpu * max(0.0, log2(item.vcpu / reach))
    if item.name in compute.types:
        own, whole = errors.by_hold[Hold.THREADS], None
    elif item.family in compute.families:
        own, whole = scaled, None
    elif item.silicon in compute.silicon:
        own, whole = scaled, errors.by_hold[Hold.FAMILY]
    else:
        own, whole = scaled, errors.by_hold[Hold.SILICON]

    def rounded(values: dict[Band, float], per_octave: float) -> CurveSigma:
        return CurveSigma(
            idle=round(widening * values[Band.IDLE], _DIGITS),
            bend=round(widening * values[Band.BEND], _DIGITS),
            loaded=round(widening * values[Band.LOADED], _DIGITS),
            per_octave=round(widening * per_octave, _DIGITS),
        )

    shared = {band: 0.0 if whole is None else within(whole[band], own[band]) for band in Band}
    mine = {band: hypot(own[band], errors.grid[band], beyond) for band in Band}
    return rounded(shared, 0.0), rounded(mine, errors.beyond_threads)


def _curve(
    compute: Compute,
    item: InstanceType,
    shape: tuple[tuple[float, ...], tuple[float, ...]],
    sigmas: tuple[CurveSigma, CurveSigma],
) -> ComputeCurve:
    measured = [point.threads for point in compute.points if point.instance_type == item.name]
    basis = Basis.TRANSFERRED
    if measured:
        basis = Basis.MEASURED
    elif item.silicon in compute.silicon:
        basis = Basis.SCALED
    return ComputeCurve(
        instance_type=item.name,
        log_tps=tuple(round(value, _DIGITS) for value in shape[0]),
        p95_ratio=tuple(round(value, _DIGITS) for value in shape[1]),
        measured_to=max(measured, default=0),
        basis=basis,
        silicon_sigma=sigmas[0],
        type_sigma=sigmas[1],
        relatives=_relatives(compute, item),
        is_validated=item.family in compute.families
        and item.vcpu <= max(known.vcpu for known in compute.families[item.family])
        and not item.is_burstable,
    )


def _relatives(compute: Compute, item: InstanceType) -> str:
    """Return the measured types or families that the curve of ``item`` rests on."""
    if item.name in compute.types:
        return item.name
    if item.family in compute.families:
        sizes = compute.families[item.family]
        return f"{sizes[0].name} … {sizes[-1].name}"
    if item.silicon in compute.silicon:
        kin = [
            family
            for family, members in sorted(compute.families.items())
            if members[0].silicon == item.silicon
        ]
        return f"{', '.join(kin)} (same silicon)"
    return "all measured families by CPU scores"


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
