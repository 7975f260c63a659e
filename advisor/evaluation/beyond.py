"""Beyond what was measured: larger sizes and more threads than any that are known.

Answers widen their intervals by so much per octave. Here a group's cells beyond are predicted from
what lies below, and the widening comes from the other groups alone.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from advisor.evaluation.coverage import Cell
from advisor.evaluation.part import LEVEL, PartName, part
from advisor.evaluation.usl import Usl
from advisor.prediction.calibration import (
    Hold,
    errors_beyond,
    groups_of,
    reaches_of,
    residuals_of,
    slope,
    widths,
)
from advisor.prediction.uncertainty import Z_80

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.domain.scorecard import PartScore
    from advisor.prediction.calibration import Reach
    from advisor.prediction.compute import Compute, Group
    from advisor.prediction.curve import Band

_NAMES = {
    Hold.SIZE: ("beyond-vcpu", "sizes beyond the largest known: from the smaller ones"),
    Hold.THREADS: ("beyond-threads", "threads beyond the most known: from fewer threads"),
}


def beyond_parts(compute: Compute) -> tuple[PartScore, ...]:
    """Return the score of larger sizes and of more threads; groups are families and types.

    What has a single group is left out: nothing is left to calibrate on.
    """
    found = {hold: (reach, _groups(compute, hold)) for hold, reach in reaches_of(compute).items()}
    return tuple(
        _part(compute, hold, reach, groups)
        for hold, (reach, groups) in found.items()
        if len(groups) > 1
    )


def _groups(compute: Compute, hold: Hold) -> tuple[Group, ...]:
    if hold is Hold.SIZE:
        return compute.grouped(lambda point: compute.types[point.instance_type].family)
    return compute.grouped(lambda point: point.instance_type)


def _part(compute: Compute, hold: Hold, reach: Reach, groups: Sequence[Group]) -> PartScore:
    types = compute.types
    found = errors_beyond(compute, reach)
    usl = {
        kept: Usl(types, [point for point in compute.points if reach.size(point) <= kept])
        for kept in sorted({each.kept for each in found})
    }
    cells, plain, within = [], [], 0
    for group in groups:
        hidden = frozenset(group.indices)
        mine = [each for each in found if each.at in hidden]
        sigma = _sigma(compute, hold, hidden)
        steeper = slope(compute, errors_beyond(compute, reach, hidden), sigma)
        for each in mine:
            own, point = sigma[compute.band_at(each.at)], compute.points[each.at]
            width = Z_80 * hypot(own, steeper * each.octaves)
            cells.append(Cell(group.name, each.error, width))
            within += abs(each.error) <= Z_80 * own
            item = types[point.instance_type]
            plain.append(usl[each.kept].log_tps(item, point.threads) - compute.measured(each.at))
    key, title = _NAMES[hold]
    return part(
        PartName(
            key=key,
            title=title,
            baseline="plain USL",
            note=f"up to {' and '.join(map(str, usl))} known; without the widening by distance "
            f"the interval would hold {within / len(cells):.1%}",
        ),
        cells,
        plain,
    )


def _sigma(compute: Compute, hold: Hold, hidden: frozenset[int]) -> Mapping[Band, float]:
    """Return the log error within what is known, by band, of all points but the ``hidden``."""
    found = residuals_of(compute, groups_of(compute, hold), hidden)
    return {band: value / Z_80 for band, value in widths(found, LEVEL).items()}
