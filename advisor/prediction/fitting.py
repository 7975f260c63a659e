"""The whole fit: observations in, curves and parameters out. The build, and later ``evaluate``.

Run this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.vocabulary import Basis
from advisor.prediction.fit_curves import fit_curves
from advisor.prediction.fit_demands import fit_demands, rounded
from advisor.prediction.fit_engines import fit_engines
from advisor.prediction.fit_volumes import fit_volumes
from advisor.prediction.parameters import Parameter

if TYPE_CHECKING:
    from advisor.prediction.curve import ComputeCurve
    from advisor.prediction.fit_input import FitInput

CPU_2021 = ("percona_arm_m5_2021", "percona_arm_c5_2021", "percona_arm_m6_2022")


@record
class FittedModel:
    """What one fit gives."""

    curves: tuple[ComputeCurve, ...]
    parameters: tuple[Parameter, ...]


def fit(data: FitInput) -> FittedModel:
    """Return the model fitted on ``data``; the same data give the same digits."""
    curves = fit_curves(data)
    errors = curves.errors
    names = ("repeat", "threads", "size", "silicon")
    notes = (
        "median CV over repeats",
        "a thread count left out, at the distance that a request can have from a measured one",
        "a size left out of its family",
        "a silicon generation left out, predicted from CPU scores",
    )
    values = (errors.repeat, errors.threads, errors.size, errors.silicon)
    held_out = tuple(
        Parameter(
            name=f"curve.{name}_sigma",
            value=rounded(value),
            unit="log standard deviation",
            sigma=0.0,
            basis=Basis.MEASURED,
            rows=rows,
            sources=CPU_2021,
            note=note,
        )
        for name, value, rows, note in zip(names, values, errors.counts, notes, strict=True)
    )
    demands, volumes = fit_demands(data), fit_volumes(data)
    return FittedModel(
        curves=curves.curves,
        parameters=(
            *held_out,
            *demands,
            *fit_engines(data, curves.curves, (*demands, *volumes)),
            *volumes,
        ),
    )
