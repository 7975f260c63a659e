"""What one volume does at a number of threads and a read share, as measured.

Data: sysbench fileio, 16 KiB O_DIRECT, random reads, writes and 3:2 mixed, 1 to 128 threads on one
volume each of gp2, gp3, io1 and io2 with 1 TiB and 3,000 IOPS (P. Boros, 2021-08-18, r5.xlarge).
IOPS(n) = min(limit, n × IOPS(1)) fits its 96 cells with 0.0 % median and 7.7 % maximum error, but
only two threads test that it is linear, and nothing above 3,000 IOPS does. Tail and steadiness are
carried to other limits at equal threads per IOPS, which no cell tests.
"""

from __future__ import annotations

from bisect import bisect_right
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.vocabulary import StorageType
    from advisor.prediction.parameters import VolumeParameters

#: IOPS limit of every measured volume.
MEASURED_IOPS = 3_000.0
#: Share of the limit from which more threads are said to bring no more.
FULL_RATIO = 0.95
#: Threads that the ladder of ``full_at`` goes up to, at most.
_MOST_THREADS = 1 << 20


class VolumeCell(NamedTuple):
    """One run: a storage type under a read share at a number of threads."""

    storage_type: StorageType
    read_ratio: float
    threads: int
    iops: float
    latency_p95_ms: float
    variation_cv: float


class TailPoint(NamedTuple):
    """Tail and steadiness at a number of threads."""

    threads: int
    p95_ratio: float
    """p95 ÷ mean of the response time."""
    variation_cv: float


class VolumeCurve(NamedTuple):
    """A storage type at every measured read share, rising."""

    read_ratios: tuple[float, ...]
    one_thread_ms: tuple[float, ...]
    """Mean latency of one I/O with one thread, by read share."""
    tails: tuple[tuple[TailPoint, ...], ...]
    """By read share, each by rising threads."""
    sigma: float
    """Log standard deviation of the latency between volumes."""

    def one_thread_iops(self, read_ratio: float) -> float:
        """Return the IOPS of one thread; latency is linear in the read share between cells."""
        return 1000.0 / _between(self.read_ratios, self.one_thread_ms, read_ratio)

    def tail(self, read_ratio: float, threads: float, limit_iops: float) -> TailPoint:
        """Return tail and steadiness of ``threads`` on a volume limited to ``limit_iops``.

        Read off the cells at as many threads per IOPS; outside of 1 to 128 the last one holds.
        """
        equal = threads * MEASURED_IOPS / limit_iops
        found = [_at(points, equal) for points in self.tails]
        return TailPoint(
            threads=round(equal),
            p95_ratio=_between(self.read_ratios, [each[0] for each in found], read_ratio),
            variation_cv=_between(self.read_ratios, [each[1] for each in found], read_ratio),
        )

    def full_at(self, read_ratio: float, limit_iops: float) -> int:
        """Return the threads, 1, 2, 4, 8 …, at which 95 % of the limit is reached."""
        one = self.one_thread_iops(read_ratio)
        threads = 1
        while threads * one < FULL_RATIO * limit_iops and threads < _MOST_THREADS:
            threads *= 2
        return threads

    def is_measured_at(self, read_ratio: float, threads: int) -> bool:
        """Whether a run had this read share and these threads."""
        return any(
            abs(ratio - read_ratio) < 1e-9 and any(point.threads == threads for point in points)  # noqa: PLR2004 (rounding)
            for ratio, points in zip(self.read_ratios, self.tails, strict=True)
        )


def curve_of(
    storage: StorageType, cells: Iterable[VolumeCell], parameters: VolumeParameters
) -> VolumeCurve:
    """Return the curve of an EBS type: fitted latencies at both ends, its cells in between.

    Raises ValueError when the type has no cells.
    """
    by_ratio: dict[float, list[VolumeCell]] = {}
    for cell in cells:
        if cell.storage_type is storage:
            by_ratio.setdefault(cell.read_ratio, []).append(cell)
    if not by_ratio:
        raise ValueError(f"{storage} was not measured")
    ratios = sorted(by_ratio)
    fitted = {0.0: parameters.write_ms, 1.0: parameters.read_ms}
    ladders = [sorted(by_ratio[ratio], key=lambda cell: cell.threads) for ratio in ratios]
    return VolumeCurve(
        read_ratios=tuple(ratios),
        one_thread_ms=tuple(
            fitted.get(ratio, ladder[0].threads * 1000.0 / ladder[0].iops)
            for ratio, ladder in zip(ratios, ladders, strict=True)
        ),
        tails=tuple(tuple(map(_tail_point, ladder)) for ladder in ladders),
        sigma=parameters.sigma,
    )


def local_curve(parameters: VolumeParameters) -> VolumeCurve:
    """Return the curve of local disks from the model's parameters; most of it is assumed."""
    points = (
        TailPoint(1, parameters.write_p95_ratio, parameters.variation_cv),
        TailPoint(1, parameters.read_p95_ratio, parameters.variation_cv),
    )
    return VolumeCurve(
        read_ratios=(0.0, 1.0),
        one_thread_ms=(parameters.write_ms, parameters.read_ms),
        tails=tuple((point,) for point in points),
        sigma=parameters.sigma,
    )


def _tail_point(cell: VolumeCell) -> TailPoint:
    """Return p95 over the mean by Little's law, which printed means round away."""
    mean_ms = cell.threads * 1000.0 / cell.iops
    return TailPoint(cell.threads, cell.latency_p95_ms / mean_ms, cell.variation_cv)


def _at(points: Sequence[TailPoint], threads: float) -> tuple[float, float]:
    """Return (p95 ÷ mean, CV) at ``threads``, straight lines between cells in log-log."""
    steps = [log(point.threads) for point in points]
    place = log(threads)
    return (
        exp(_between(steps, [log(point.p95_ratio) for point in points], place)),
        exp(_between(steps, [log(point.variation_cv) for point in points], place)),
    )


def _between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """Return y at ``x`` on straight lines through (xs, ys), level outside; xs rise."""
    right = bisect_right(xs, x)
    if right == 0:
        return ys[0]
    if right == len(xs):
        return ys[-1]
    share = (x - xs[right - 1]) / (xs[right] - xs[right - 1])
    return ys[right - 1] + share * (ys[right] - ys[right - 1])
