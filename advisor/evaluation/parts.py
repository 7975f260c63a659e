"""The parts of the model beside the compute curves, each with groups of its own data held out.

Hardly one has ten independent groups: they show the size of the error, not its law.
"""

from __future__ import annotations

from math import exp, log
from statistics import fmean, median
from typing import TYPE_CHECKING

from advisor.domain.scorecard import PartScore, error_score
from advisor.domain.vocabulary import Engine
from advisor.domain.workload import WRITES_PER_TRANSACTION
from advisor.prediction.calibration import Hold, groups_of
from advisor.prediction.fit_demands import (
    BUSY_THREADS,
    IN_MEMORY_POOL_GIB,
    LADDER_TOP,
    VERSIONS,
    beyond_memory,
    commit_parameter,
    io_limited_rate,
    memory_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.prediction.compute import Compute
    from advisor.prediction.fit_input import DataSizePoint, FitInput, ServerPoint, VolumePoint

#: IOPS of every volume of the EBS runs.
BOUGHT_IOPS = 3_000.0
#: Cells above this share of the limit test nothing: any prediction meets them.
NEAR_LIMIT = 0.98
_READS, _WRITES = "fileio_rndrd", "fileio_rndwr"
_REFERENCE = f"mysql {VERSIONS[Engine.MYSQL]}"
_READ_ONLY, _READ_WRITE = "oltp_read_only", "oltp_read_write"
#: Statements of oltp_read_only and oltp_read_write.
_STATEMENTS = (16.0, 20.0)
Cells = dict[str, dict[tuple[str, int], float]]


def parts_of(data: FitInput, compute: Compute) -> tuple[PartScore, ...]:
    """Return the score of each part."""
    return (
        _tails(compute),
        _volume_threads(data.volume_points),
        _volume_types(data.volume_points),
        _engines(data.server_points),
        _mix(data.server_points),
        _data_sizes(data.data_size_points),
        _commits(data),
    )


def _tails(compute: Compute) -> PartScore:
    """p95 ÷ mean of a type from the other types."""
    errors, plain = [], []
    groups = groups_of(compute, Hold.SIZE)
    for group in groups:
        others = [
            log(point.p95_ratio)
            for index, point in enumerate(compute.points)
            if index not in group.indices
        ]
        errors += compute.tail_errors_without(group.indices)
        plain += [median(others) - log(compute.points[index].p95_ratio) for index in group.indices]
    return PartScore(
        key="tail",
        title="p95 ÷ mean of a type: from the other types",
        groups=tuple(group.name for group in groups),
        error=error_score(errors),
        baseline="the median of the other types",
        baseline_error=error_score(plain),
        note="cached reads, client on the host",
    )


def _by_type(points: Sequence[VolumePoint]) -> dict[tuple[str, str], dict[int, float]]:
    """Return (storage type, mode) → threads → IOPS."""
    cells: dict[tuple[str, str], dict[int, float]] = {}
    for point in points:
        if point.mode in (_READS, _WRITES):
            cells.setdefault((point.storage_type, point.mode), {})[point.threads] = point.iops
    return cells


def _volume_threads(points: Sequence[VolumePoint]) -> PartScore:
    """IOPS at 2 and more threads from those of one thread and the limit."""
    cells = _by_type(points)
    return _volumes(
        "volume-threads",
        "threads on a volume: all but one thread",
        cells,
        {
            (storage, mode, threads): threads * found[1]
            for (storage, mode), found in cells.items()
            for threads in found
            if threads > 1
        },
    )


def _volume_types(points: Sequence[VolumePoint]) -> PartScore:
    """IOPS of a storage type from the latency of the other types."""
    cells = _by_type(points)
    expected = {}
    for (storage, mode), found in cells.items():
        others = [
            log(theirs[1])
            for (other, same), theirs in cells.items()
            if other != storage and same == mode
        ]
        for threads in found:
            expected[storage, mode, threads] = threads * exp(fmean(others))
    return _volumes("storage-type", "storage type: from the other types", cells, expected)


def _volumes(
    key: str,
    title: str,
    cells: Mapping[tuple[str, str], Mapping[int, float]],
    expected: Mapping[tuple[str, str, int], float],
) -> PartScore:
    """Return the score of ``expected`` IOPS before the limit, by (type, mode, threads)."""
    errors, plain = [], []
    for (storage, mode, threads), iops in expected.items():
        measured = cells[storage, mode][threads]
        if measured < NEAR_LIMIT * BOUGHT_IOPS:
            errors.append(log(min(BOUGHT_IOPS, iops) / measured))
            plain.append(log(BOUGHT_IOPS / measured))
    return PartScore(
        key=key,
        title=title,
        groups=tuple(sorted({storage for storage, _ in cells})),
        error=error_score(errors),
        baseline="the IOPS bought",
        baseline_error=error_score(plain),
        note="cells below 98 % of the limit",
    )


def _servers(points: Sequence[ServerPoint]) -> Cells:
    """Return engine and version → (workload, threads) → transactions/s, in memory and local."""
    cells: Cells = {}
    for point in points:
        if (
            point.buffer_pool_gib == IN_MEMORY_POOL_GIB
            and point.client == "local"
            and point.threads <= LADDER_TOP
        ):
            version = f"{point.engine} {point.engine_version}"
            cells.setdefault(version, {})[point.workload, point.threads] = point.transactions_per_s
    whole = max((len(found) for found in cells.values()), default=0)
    return {version: found for version, found in sorted(cells.items()) if len(found) == whole}


def _engines(points: Sequence[ServerPoint]) -> PartScore:
    """Throughput of an engine version from MySQL on the same host and what other engines differ.

    The reference is left out of the score.
    """
    cells = _servers(points)
    reference = cells[_REFERENCE]
    ratios = {
        version: {cell: log(rate / reference[cell]) for cell, rate in found.items()}
        for version, found in cells.items()
    }
    groups = [version for version in cells if version != _REFERENCE]
    errors, plain = [], []
    for version in groups:
        engine = version.split()[0]
        others = [
            value
            for other in groups
            if other.split()[0] != engine
            for value in ratios[other].values()
        ]
        for ratio in ratios[version].values():
            errors.append(fmean(others) - ratio)
            plain.append(-ratio)
    return PartScore(
        key="engine",
        title="engine version: from MySQL and the other engines",
        groups=tuple(groups),
        error=error_score(errors),
        baseline=f"as {_REFERENCE}",
        baseline_error=error_score(plain),
        note="in memory on one host, 1 to 128 threads",
    )


def _mix(points: Sequence[ServerPoint]) -> PartScore:
    """Read-write throughput of a version from its read-only one, write cost from other versions."""
    cells = _servers(points)
    errors, plain = [], []
    costs = {
        version: [
            (found[_READ_ONLY, threads] / found[_READ_WRITE, threads] - 1.0)
            / WRITES_PER_TRANSACTION
            for threads in BUSY_THREADS
        ]
        for version, found in cells.items()
    }
    for version, found in cells.items():
        cost = exp(
            fmean(
                log(max(0.01, each))
                for other, values in costs.items()
                if other != version
                for each in values
            )
        )
        for threads in BUSY_THREADS:
            read_only, rate = found[_READ_ONLY, threads], found[_READ_WRITE, threads]
            errors.append(log(read_only / (1.0 + WRITES_PER_TRANSACTION * cost) / rate))
            plain.append(log(read_only * _STATEMENTS[0] / _STATEMENTS[1] / rate))
    return PartScore(
        key="mix",
        title="cost of writes: from the other versions",
        groups=tuple(cells),
        error=error_score(errors),
        baseline="all statements cost the same",
        baseline_error=error_score(plain),
        note="oltp_read_write from oltp_read_only, 64 and 128 threads, one host",
    )


def _data_sizes(points: Sequence[DataSizePoint]) -> PartScore:
    """Transactions/s at an IOPS limit for a data size, pages fitted on the other sizes."""
    beyond = beyond_memory(points)
    sizes = sorted({point.data_gib for point in beyond})
    errors, plain = [], []
    for size in sizes:
        known = [point for point in points if point.data_gib != size]
        value = {parameter.name: parameter.value for parameter in memory_parameters(known)}
        for point in beyond:
            if point.data_gib != size:
                continue
            rate = io_limited_rate(point, value)
            errors.append(log(rate / point.transactions_per_s))
            near = [
                other
                for other in beyond
                if other.data_gib != size
                and other.read_ratio == point.read_ratio
                and other.storage_iops == point.storage_iops
            ]
            nearest = min(near, key=lambda other: abs(log(other.data_gib / size)))
            plain.append(log(nearest.transactions_per_s / point.transactions_per_s))
    return PartScore(
        key="data-to-memory",
        title="data ÷ memory: from the other data sizes",
        groups=tuple(f"{size:g} GB" for size in sizes),
        error=error_score(errors),
        baseline="the nearest data size",
        baseline_error=error_score(plain),
        note="one host of 2015 whose volume was the limit",
    )


def _commits(data: FitInput) -> PartScore:
    """Durable inserts/s of one host from the relaxed ones, synced writes from the other host."""
    pairs = data.durability_pairs
    errors, plain = [], []
    for pair in pairs:
        count = commit_parameter([other for other in pairs if other != pair]).value
        wait_s = count * pair.sync_ms / 1000.0
        errors.append(log(1.0 / (1.0 / pair.relaxed_per_s + wait_s) / pair.full_per_s))
        plain.append(
            log(1.0 / (1.0 / pair.relaxed_per_s + pair.sync_ms / 1000.0) / pair.full_per_s)
        )
    return PartScore(
        key="commit",
        title="durable commits: from the other host",
        groups=tuple(f"{pair.sync_ms:g} ms a synced write" for pair in pairs),
        error=error_score(errors),
        baseline="one synced write a commit",
        baseline_error=error_score(plain),
        note="two hosts on two clouds: an order of magnitude",
    )
