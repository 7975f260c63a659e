"""How wrong curves are when points are held out, as intervals.

Residuals are ln(expected ÷ measured) of points that were left out whole: one cell of a type, a
type, a family whose silicon stays, a silicon generation. The width that covers a share of them is
their quantile, as in conformal prediction (Vovk, Gammerman and Shafer 2005), each group counting
the same (Dunn, Wasserman and Ramdas 2022). Their correction for the number of groups is left out:
with five generations it would ask for the 96th percentile. What the plain quantile covers is
shown by ``advisor evaluate``. Where a band of threads per vCPU has fewer than ``FEWEST_GROUPS``
groups, all bands are pooled.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from math import log2, sqrt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from advisor.prediction.compute import Group
from advisor.prediction.curve import THREADS, Band, band_of
from advisor.prediction.fit_scores import LEVEL
from advisor.prediction.uncertainty import Z_80, covering, excess_per_octave

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from advisor.prediction.compute import Compute
    from advisor.prediction.fit_input import CurvePoint

#: Groups that a calibration needs to be called validated.
FEWEST_GROUPS = 10
LEVEL_80 = 0.8
#: Largest thread counts and sizes that are kept when what lies beyond them is predicted.
_KEPT_THREADS = (16, 32, 64)
_KEPT_VCPU = (8, 16, 32)


class Hold(StrEnum):
    """What is held out whole."""

    THREADS = "threads"
    """One thread count of one type (basis ``interpolated``)."""
    SIZE = "size"
    """One instance type of a measured family (basis ``scaled``)."""
    FAMILY = "family"
    """One family of a silicon generation that stays known by another (basis ``scaled``)."""
    SILICON = "silicon"
    """All families of one silicon generation (basis ``transferred``)."""


class Residual(NamedTuple):
    """One point predicted without its group."""

    at: int
    """Index of the point in ``Compute.points``."""
    error: float
    """ln(expected ÷ measured)."""
    group: str
    """Points of one group are not independent."""
    band: Band


class Reach(NamedTuple):
    """One way to go beyond what was measured."""

    kept: tuple[int, ...]
    """The most that is kept, one after the other."""
    size: Callable[[CurvePoint], float]
    """What of a point is compared with it."""


class Beyond(NamedTuple):
    """One point predicted from those that do not reach so far."""

    at: int
    error: float
    """ln(expected ÷ measured)."""
    octaves: float
    """Octaves beyond the most that was kept."""
    kept: int


class CurveErrors(NamedTuple):
    """Errors of curves when held out, as log standard deviations whose 80 % interval covers."""

    repeat: float
    """Median coefficient of variation over repeats."""
    points: int
    """Measured points behind the errors."""
    by_hold: dict[Hold, dict[Band, float]]
    residuals: dict[Hold, tuple[Residual, ...]]
    grid: dict[Band, float]
    """How far the straight line between two thread counts lies from what the field expects."""
    beyond_vcpu: float
    """Added in quadrature per octave of vCPU beyond the largest measured size."""
    beyond_threads: float
    """Added in quadrature per octave of threads beyond the most that were measured."""


def residuals_of(
    compute: Compute, groups: Iterable[Group], without: frozenset[int] = frozenset()
) -> tuple[Residual, ...]:
    """Return the residuals of each group; points ``without`` are unknown throughout.

    ``without`` nests hold-outs: what is tested must not calibrate.
    """
    found: list[Residual] = []
    for group in groups:
        mine = [index for index in group.indices if index not in without]
        if not mine:
            continue
        errors = compute.errors_without([*mine, *sorted(without)])
        found += [
            Residual(at=index, error=error, group=group.name, band=compute.band_at(index))
            for index, error in zip(mine, errors, strict=False)
        ]
    return tuple(found)


def groups_of(compute: Compute, hold: Hold) -> tuple[Group, ...]:
    """Return what ``hold`` leaves out, one group at a time."""
    types = compute.types
    if hold is Hold.THREADS:
        return _inner_counts(compute)
    if hold is Hold.SIZE:
        return compute.grouped(
            lambda point: (
                point.instance_type
                if len(compute.families[types[point.instance_type].family]) > 1
                else None
            )
        )
    if hold is Hold.FAMILY:
        return compute.grouped(
            lambda point: (
                types[point.instance_type].family
                if compute.has_kin(types[point.instance_type])
                else None
            )
        )
    return compute.grouped(lambda point: types[point.instance_type].silicon)


def _inner_counts(compute: Compute) -> tuple[Group, ...]:
    """Return each thread count of a type that lies between two others of the type."""
    cells: dict[str, dict[int, list[int]]] = {}
    for index, point in enumerate(compute.points):
        mine = cells.setdefault(point.instance_type, {})
        mine.setdefault(point.threads, []).append(index)
    return tuple(
        Group(name, tuple(indices))
        for name, counts in cells.items()
        for threads, indices in counts.items()
        if min(counts) < threads < max(counts)
    )


def width(residuals: Iterable[Residual], level: float) -> float:
    """Return the |log error| that covers ``level`` of residuals, each group counting the same.

    Raises ValueError where there are none.
    """
    found = list(residuals)
    counts: dict[str, int] = {}
    for residual in found:
        counts[residual.group] = counts.get(residual.group, 0) + 1
    if not found:
        raise ValueError("no residuals to calibrate on")
    wanted = min(1.0, level * (1.0 + 1.0 / len(found)))
    covered = 0.0
    ordered = sorted((abs(residual.error), residual.group) for residual in found)
    for error, group in ordered:
        covered += 1.0 / (counts[group] * len(counts))
        if covered >= wanted - 1e-12:
            return error
    return ordered[-1][0]


def widths(residuals: Sequence[Residual], level: float) -> dict[Band, float]:
    """Return the width of each band; bands with few groups take that of all bands."""
    whole = width(residuals, level)
    found: dict[Band, float] = {}
    for band in Band:
        mine = [residual for residual in residuals if residual.band is band]
        enough = len({residual.group for residual in mine}) >= FEWEST_GROUPS
        found[band] = width(mine, level) if enough else whole
    return found


def repeat_noise(compute: Compute) -> float:
    """Return the median coefficient of variation over the repeats of a point; 0: no repeats."""
    found = [point.spread_cv for point in compute.points if point.spread_cv is not None]
    return median(found) if found else 0.0


def calibrate(compute: Compute) -> CurveErrors:
    """Return the errors of curves, from every kind of hold-out."""
    residuals = {hold: residuals_of(compute, groups_of(compute, hold)) for hold in Hold}
    by_hold = {}
    for hold, found in residuals.items():
        by_band = widths(found, LEVEL_80) if found else dict.fromkeys(Band, 0.0)
        by_hold[hold] = {band: value / Z_80 for band, value in by_band.items()}
    beyond = {
        hold: slope(compute, errors_beyond(compute, reach), by_hold[hold])
        for hold, reach in reaches_of(compute).items()
    }
    return CurveErrors(
        repeat=repeat_noise(compute),
        points=len(compute.points),
        by_hold=by_hold,
        residuals=residuals,
        grid=_grid(compute),
        beyond_vcpu=beyond[Hold.SIZE],
        beyond_threads=beyond[Hold.THREADS],
    )


def _grid(compute: Compute) -> dict[Band, float]:
    """Return the log error of a straight line half-way between two thread counts of ``THREADS``.

    Answers interpolate that way; 80 % of the differences from the field are covered.
    """
    by_band: dict[Band, list[float]] = {band: [] for band in Band}
    for item in compute.types.values():
        speed = compute.speed(item) or LEVEL
        for before, after in pairwise(THREADS):
            middle = sqrt(before * after)
            ends = [compute.log_tps(item, threads, speed) for threads in (before, after)]
            off = 0.5 * sum(ends) - compute.log_tps(item, middle, speed)
            by_band[band_of(middle, item.vcpu)].append(abs(off))
    return {band: covering(found, LEVEL_80) / Z_80 for band, found in by_band.items()}


def reaches_of(compute: Compute) -> dict[Hold, Reach]:
    """Return the two ways to go beyond what was measured, by the hold-out whose errors they add to.

    Sizes beyond the largest known add to those of a size, threads to those of a thread count.
    """
    return {
        Hold.SIZE: Reach(_KEPT_VCPU, lambda point: float(compute.types[point.instance_type].vcpu)),
        Hold.THREADS: Reach(_KEPT_THREADS, lambda point: float(point.threads)),
    }


def errors_beyond(
    compute: Compute, reach: Reach, without: frozenset[int] = frozenset()
) -> tuple[Beyond, ...]:
    """Return the errors of points beyond each of ``reach.kept``, from the points up to it.

    Points ``without`` are unknown throughout.
    """
    found: list[Beyond] = []
    for most in reach.kept:
        beyond = [
            index
            for index, point in enumerate(compute.points)
            if reach.size(point) > most and index not in without
        ]
        if not beyond or len(beyond) + len(without) == len(compute.points):
            continue
        errors = compute.errors_without([*beyond, *sorted(without)])
        found += [
            Beyond(index, error, log2(reach.size(compute.points[index]) / most), most)
            for index, error in zip(beyond, errors, strict=False)
        ]
    return tuple(found)


def slope(compute: Compute, errors: Iterable[Beyond], sigma: Mapping[Band, float]) -> float:
    """Return the log error per octave beyond what is known that covers 80 % of ``errors``.

    It adds in quadrature to ``sigma``, the log error within what is known.
    """
    return covering(
        (
            excess_per_octave(each.error, sigma[compute.band_at(each.at)], each.octaves)
            for each in errors
        ),
        LEVEL_80,
    )


def within(whole: float, part: float) -> float:
    """Return what is left of a log standard deviation when an independent part is taken out."""
    return sqrt(max(0.0, whole * whole - part * part))
