"""Throughput against threads on one instance type, as a log-log interpolated curve.

A curve is the throughput of the reference transaction (sysbench oltp_read_only, 14 reads + BEGIN +
COMMIT, data in memory, client on the database host) at 1, 2, 4 … 1,024 concurrent threads. Between
the points it is linear in log-log; below one thread it is proportional to threads; above the last
point it is flat.
"""

from __future__ import annotations

from enum import StrEnum
from math import exp, hypot, log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.instance import InstanceType
    from advisor.domain.vocabulary import Basis, Platform

#: Thread counts of the points.
THREADS = tuple(2**octave for octave in range(11))
#: Most threads of the runs; what lies beyond is extrapolated.
MOST_THREADS = 128
_LOG2 = log(2.0)


class Band(StrEnum):
    """Threads at the CPU per vCPU."""

    IDLE = "idle"
    """Below one half."""
    BEND = "bend"
    """From one half to four thirds, where the curve bends."""
    LOADED = "loaded"


def band_of(threads: float, vcpu: int) -> Band:
    """Return the band of ``threads`` at the CPU."""
    if 2.0 * threads < vcpu:
        return Band.IDLE
    return Band.BEND if 3.0 * threads <= 4.0 * vcpu else Band.LOADED


class CurveSigma(NamedTuple):
    """Log standard deviations of a curve, one for each band."""

    idle: float
    bend: float
    loaded: float
    per_octave: float
    """Added in quadrature per octave of threads beyond ``MOST_THREADS``."""

    def at(self, threads: float, vcpu: int) -> float:
        """Return the log standard deviation with ``threads`` at the CPU."""
        band = band_of(threads, vcpu)
        sigma = self.idle if band is Band.IDLE else self.bend if band is Band.BEND else self.loaded
        if threads <= MOST_THREADS:
            return sigma
        return hypot(sigma, self.per_octave * log(threads / MOST_THREADS) / _LOG2)


class ComputeCurve(NamedTuple):
    """The fitted curve of one instance type."""

    instance_type: str
    log_tps: tuple[float, ...]
    """ln(transactions/s) at ``THREADS``."""
    p95_ratio: tuple[float, ...]
    """p95 ÷ mean response time at ``THREADS``."""
    measured_to: int
    """Largest thread count that was measured on this type; 0: none."""
    basis: Basis
    silicon_sigma: CurveSigma
    """Errors shared by all types of the same silicon."""
    type_sigma: CurveSigma
    """Errors of this type alone."""
    relatives: str
    """The measured types it rests on, for the evidence line."""
    is_validated: bool
    """Whether ten independent groups calibrate and test its errors: a measured type, or another
    size of a measured family, within the measured vCPU.
    """


class SpaceEntry(NamedTuple):
    """One instance type that may be a candidate, with its curve."""

    platform: Platform
    instance: InstanceType
    curve: ComputeCurve
    is_new: bool = False
    """Whether it came after the bundled evidence: its curve is that of ``curve.relatives``."""


def interpolate(points: Sequence[float], threads: float) -> float:
    """Return the value at ``threads`` of a curve given at ``THREADS``, linear in log2(threads).

    Flat outside.
    """
    if threads <= 1.0:
        return points[0]
    position = log(threads) / _LOG2
    index = int(position)
    if index >= len(points) - 1:
        return points[-1]
    fraction = position - index
    return points[index] + fraction * (points[index + 1] - points[index])


def throughput(log_tps: Sequence[float], threads: float) -> float:
    """Return transactions/s of the reference transaction with ``threads`` > 0 at the CPU."""
    if threads < 1.0:
        return threads * exp(log_tps[0])
    return exp(interpolate(log_tps, threads))


def peak(log_tps: Sequence[float], threads: float) -> float:
    """Return the largest throughput of the curve up to ``threads``, transactions/s."""
    best = log_tps[0]
    for count, value in zip(THREADS, log_tps, strict=True):
        if count > threads:
            break
        best = max(best, value)
    return max(exp(best), throughput(log_tps, threads))
