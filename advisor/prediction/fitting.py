"""The whole fit: observations in, curves and parameters out."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.vocabulary import Basis
from advisor.prediction.age import widening
from advisor.prediction.calibration import CurveErrors, Hold
from advisor.prediction.curve import Band
from advisor.prediction.fit_curves import fit_curves
from advisor.prediction.fit_demands import fit_demands
from advisor.prediction.fit_engines import fit_engines
from advisor.prediction.fit_mix import fit_mix
from advisor.prediction.fit_numbers import rounded
from advisor.prediction.fit_volumes import fit_volumes
from advisor.prediction.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.prediction.curve import ComputeCurve
    from advisor.prediction.fit_input import FitInput

CPU_2021 = ("percona_arm_m5_2021", "percona_arm_c5_2021", "percona_arm_m6_2022")
_HELD_OUT = {
    Hold.THREADS: "a thread count of a type left out",
    Hold.SIZE: "a type of a measured family left out",
    Hold.FAMILY: "a family left out whose silicon stays known",
    Hold.SILICON: "a silicon generation left out, predicted from CPU scores",
}


@record
class FittedModel:
    """What one fit gives."""

    curves: tuple[ComputeCurve, ...]
    parameters: tuple[Parameter, ...]


def fit(data: FitInput) -> FittedModel:
    """Return the model fitted on ``data``; the same data give the same digits."""
    curves = fit_curves(data, widening(CPU_2021, data.dates))
    peaks = {curve.instance_type: exp(max(curve.log_tps)) for curve in curves.curves}
    mix, demands, volumes = fit_mix(data, peaks.__getitem__), fit_demands(data), fit_volumes(data)
    parameters = (
        *_errors(curves.errors),
        *mix,
        *demands,
        *fit_engines(data, curves.curves, (*mix, *demands, *volumes)),
        *volumes,
    )
    return FittedModel(
        curves=curves.curves,
        parameters=tuple(_aged(parameter, data.dates) for parameter in parameters),
    )


def _aged(parameter: Parameter, dates: Mapping[str, str]) -> Parameter:
    """Return ``parameter`` with the log error that the age of its sources asks for."""
    factor = widening(parameter.sources, dates)
    return parameter._replace(sigma=rounded(parameter.sigma * factor))


def _errors(errors: CurveErrors) -> tuple[Parameter, ...]:
    """Return the errors of the curves as parameters, without the widening for age."""
    found = [_error("repeat", errors.repeat, errors.points, "median CV over repeats")]
    for hold, note in _HELD_OUT.items():
        residuals = errors.residuals[hold]
        groups = len({residual.group for residual in residuals})
        found += [
            _error(
                f"{hold}.{band}",
                errors.by_hold[hold][band],
                sum(residual.band is band for residual in residuals),
                f"{note}; {groups} independent groups",
            )
            for band in Band
        ]
    found += [
        _error(
            f"grid.{band}",
            errors.grid[band],
            errors.points,
            "the line between two thread counts against what the field expects half-way",
        )
        for band in Band
    ]
    return (
        *found,
        _error(
            "beyond_vcpu",
            errors.beyond_vcpu,
            errors.points,
            "per octave of vCPU beyond the largest measured size, larger sizes left out",
        ),
        _error(
            "beyond_threads",
            errors.beyond_threads,
            errors.points,
            "per octave of threads beyond the most that were measured, higher counts left out",
        ),
    )


def _error(name: str, value: float, rows: int, note: str) -> Parameter:
    return Parameter(
        name=f"curve.{name}_sigma",
        value=rounded(value),
        unit="log standard deviation",
        sigma=0.0,
        basis=Basis.MEASURED,
        rows=rows,
        sources=CPU_2021,
        note=note,
    )
