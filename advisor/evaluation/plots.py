"""Fit against data, for ``evaluate --plots``: each type as the others predict it."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from advisor.domain.scorecard import FitPlot
from advisor.prediction.compute import Compute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.prediction.fit_input import FitInput


def fit_plots(data: FitInput, names: Sequence[str]) -> tuple[FitPlot, ...]:
    """Return measured and held-out throughput of instance types; none named: one of each family.

    The one of a family is the middle of its sizes.
    """
    compute = Compute(data.types, data.curve_points, data.scores)
    wanted = names or [sizes[len(sizes) // 2].name for _, sizes in sorted(compute.families.items())]
    groups = dict(compute.grouped(lambda point: point.instance_type))
    found = []
    for name in wanted:
        indices = groups[name]
        errors = compute.errors_without(indices)
        found.append(
            FitPlot(
                instance_type=name,
                threads=tuple(float(compute.points[index].threads) for index in indices),
                measured=tuple(exp(compute.measured(index)) for index in indices),
                held_out=tuple(
                    exp(compute.measured(index) + error)
                    for index, error in zip(indices, errors, strict=True)
                ),
            )
        )
    return tuple(found)
