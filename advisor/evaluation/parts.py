"""The parts of the model beside the compute curves, each with groups of its own data held out.

Hardly one has ten independent groups: they show the size of the error, not its law.
"""

from __future__ import annotations

from math import exp, log
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Engine
from advisor.domain.workload import WRITES_PER_TRANSACTION
from advisor.evaluation.beyond import beyond_parts
from advisor.evaluation.coverage import Cell
from advisor.evaluation.part import PartName, part
from advisor.prediction.answer import TAIL_SIGMA
from advisor.prediction.calibration import Hold, groups_of
from advisor.prediction.curve import THREADS
from advisor.prediction.fit_demands import (
    beyond_memory,
    commit_parameter,
    io_limited_rate,
    memory_parameters,
)
from advisor.prediction.fit_mix import (
    BUSY_THREADS,
    ENGINE_SIGMA,
    IN_MEMORY_POOL_GIB,
    LADDER_TOP,
    ON_BARE_METAL,
    REFERENCE_STATEMENTS,
    TPCC_OTHERS,
    TPCC_WRITES,
    VERSIONS,
    client_gain,
    write_cost_sigma,
    write_costs,
)
from advisor.prediction.fit_numbers import geometric_mean
from advisor.prediction.fit_scores import LEVEL
from advisor.prediction.fit_volumes import LOCAL_SIGMA, VOLUME_SIGMA
from advisor.prediction.uncertainty import Z_80

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.domain.scorecard import PartScore
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
_BOUGHT = "the IOPS bought"
_BELOW_LIMIT = "cells below 98 % of the limit"
_EQUAL_STATEMENTS = "all statements cost the same"
Cells = dict[str, dict[tuple[str, int], float]]


def parts_of(data: FitInput, compute: Compute) -> tuple[PartScore, ...]:
    """Return the score of each part."""
    return (
        *beyond_parts(compute),
        _tails(compute),
        _volume_threads(data.volume_points),
        _volume_types(data.volume_points),
        _engine_threads(data.server_points),
        _engines(data.server_points),
        _mix(data.server_points),
        _hosts(data, compute),
        _data_sizes(data.data_size_points),
        _commits(data),
    )


def _tails(compute: Compute) -> PartScore:
    """p95 ÷ mean of a type from the other types."""
    cells, plain = [], []
    for group in groups_of(compute, Hold.SIZE):
        others = [
            log(point.p95_ratio)
            for index, point in enumerate(compute.points)
            if index not in group.indices
        ]
        cells += [
            Cell(group.name, error, Z_80 * TAIL_SIGMA)
            for error in compute.tail_errors_without(group.indices)
        ]
        plain += [median(others) - log(compute.points[index].p95_ratio) for index in group.indices]
    return part(
        PartName(
            key="tail",
            title="p95 ÷ mean of a type: from the other types",
            baseline="the median of the other types",
            note="cached reads, client on the host",
        ),
        cells,
        plain,
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
        PartName(
            key="volume-threads",
            title="threads on a volume: all but one thread",
            baseline=_BOUGHT,
            note=_BELOW_LIMIT,
        ),
        VOLUME_SIGMA,
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
    return _volumes(
        PartName(
            key="storage-type",
            title="storage type: from the other types",
            baseline=_BOUGHT,
            note=_BELOW_LIMIT,
        ),
        LOCAL_SIGMA,
        cells,
        expected,
    )


def _volumes(
    name: PartName,
    sigma: float,
    measured: Mapping[tuple[str, str], Mapping[int, float]],
    expected: Mapping[tuple[str, str, int], float],
) -> PartScore:
    """Return the score of ``expected`` IOPS before the limit, by (type, mode, threads)."""
    cells, plain = [], []
    for (storage, mode, threads), iops in expected.items():
        found = measured[storage, mode][threads]
        if found < NEAR_LIMIT * BOUGHT_IOPS:
            cells.append(Cell(storage, log(min(BOUGHT_IOPS, iops) / found), Z_80 * sigma))
            plain.append(log(BOUGHT_IOPS / found))
    return part(name, cells, plain)


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


def _engine_threads(points: Sequence[ServerPoint]) -> PartScore:
    """Throughput of an engine version at a thread count from MySQL and its other thread counts."""
    servers = _servers(points)
    reference = servers[_REFERENCE]
    cells, plain = [], []
    for version, found in servers.items():
        if version == _REFERENCE:
            continue
        for workload, threads in found:
            ratios = {
                other: log(found[workload, other] / reference[workload, other])
                for same, other in found
                if same == workload
            }
            others = [ratio for other, ratio in ratios.items() if other != threads]
            sigma = max(ENGINE_SIGMA, stdev(others))
            cells.append(Cell(version, fmean(others) - ratios[threads], Z_80 * sigma))
            plain.append(-ratios[threads])
    return part(
        PartName(
            key="engine-threads",
            title="engine at a thread count: from its other thread counts",
            baseline=f"as {_REFERENCE}",
            note="in memory on one host, 1 to 128 threads",
        ),
        cells,
        plain,
    )


def _engines(points: Sequence[ServerPoint]) -> PartScore:
    """Throughput of an engine version from MySQL on the same host and what other engines differ.

    The reference is left out of the score; no answer is given for an engine without a run.
    """
    servers = _servers(points)
    reference = servers[_REFERENCE]
    ratios = {
        version: {cell: log(rate / reference[cell]) for cell, rate in found.items()}
        for version, found in servers.items()
    }
    groups = [version for version in servers if version != _REFERENCE]
    cells, plain = [], []
    for version in groups:
        engine = version.split()[0]
        others = [
            value
            for other in groups
            if other.split()[0] != engine
            for value in ratios[other].values()
        ]
        for ratio in ratios[version].values():
            cells.append(Cell(version, fmean(others) - ratio, 0.0))
            plain.append(-ratio)
    return part(
        PartName(
            key="engine",
            title="engine version: from MySQL and the other engines",
            baseline=f"as {_REFERENCE}",
            note="in memory on one host, 1 to 128 threads; answers take no engine from another",
        ),
        cells,
        plain,
        has_interval=False,
    )


def _mix(points: Sequence[ServerPoint]) -> PartScore:
    """Read-write throughput of a version from its read-only one, write cost from other versions."""
    servers = _servers(points)
    cells, plain = [], []
    costs = {
        version: [
            (found[_READ_ONLY, threads] / found[_READ_WRITE, threads] - 1.0)
            / WRITES_PER_TRANSACTION
            for threads in BUSY_THREADS
        ]
        for version, found in servers.items()
    }
    for version, found in servers.items():
        others = [
            max(0.01, each)
            for other, values in costs.items()
            if other != version
            for each in values
        ]
        writes = WRITES_PER_TRANSACTION * geometric_mean(others)
        width = Z_80 * write_cost_sigma(others) * writes / (1.0 + writes)
        for threads in BUSY_THREADS:
            read_only, rate = found[_READ_ONLY, threads], found[_READ_WRITE, threads]
            cells.append(Cell(version, log(read_only / (1.0 + writes) / rate), width))
            plain.append(log(read_only * _STATEMENTS[0] / _STATEMENTS[1] / rate))
    return part(
        PartName(
            key="mix",
            title="cost of writes: from the other versions",
            baseline=_EQUAL_STATEMENTS,
            note="oltp_read_write from oltp_read_only, 64 and 128 threads, one host",
        ),
        cells,
        plain,
    )


def _hosts(data: FitInput, compute: Compute) -> PartScore:
    """Peak of a benchmark with writes on a host, cost of a write from the other hosts."""
    types = {item.name: item for item in data.types}

    def peak_of(name: str) -> float:
        item = types[name]
        speed = compute.speed(item) or LEVEL
        return exp(max(compute.log_tps(item, threads, speed) for threads in THREADS))

    costs = write_costs(
        data.server_points, data.tpcc_peaks, lambda name: peak_of(name) * client_gain(data)
    )
    cells, plain = [], []
    for host, cost in costs.items():
        is_oltp = host == ON_BARE_METAL
        writes = WRITES_PER_TRANSACTION if is_oltp else TPCC_WRITES
        rest = 1.0 if is_oltp else TPCC_OTHERS / REFERENCE_STATEMENTS
        others = [value for other, value in costs.items() if other != host]
        expected = geometric_mean(others)
        whole = rest + writes * expected
        sigma = write_cost_sigma(others) * writes * expected / whole
        cells.append(Cell(host, log((rest + writes * cost) / whole), Z_80 * sigma))
        plain.append(log((rest + writes * cost) / (rest + writes / REFERENCE_STATEMENTS)))
    return part(
        PartName(
            key="benchmark",
            title="OLTP and TPC-C: cost of writes from the other hosts",
            baseline=_EQUAL_STATEMENTS,
            note="one host of oltp_read_write, two classes of RDS with TPC-C",
        ),
        cells,
        plain,
    )


def _data_sizes(points: Sequence[DataSizePoint]) -> PartScore:
    """Transactions/s at an IOPS limit for a data size, pages fitted on the other sizes."""
    beyond = beyond_memory(points)
    cells, plain = [], []
    for size in sorted({point.data_gib for point in beyond}):
        known = memory_parameters([point for point in points if point.data_gib != size])
        value = {parameter.name: parameter.value for parameter in known}
        for point in beyond:
            if point.data_gib != size:
                continue
            rate = io_limited_rate(point, value)
            error = log(rate / point.transactions_per_s)
            cells.append(Cell(f"{size:g} GB", error, Z_80 * known[0].sigma))
            near = [
                other
                for other in beyond
                if other.data_gib != size
                and other.read_ratio == point.read_ratio
                and other.storage_iops == point.storage_iops
            ]
            nearest = min(near, key=lambda other: abs(log(other.data_gib / size)))
            plain.append(log(nearest.transactions_per_s / point.transactions_per_s))
    return part(
        PartName(
            key="data-to-memory",
            title="data ÷ memory: from the other data sizes",
            baseline="the nearest data size",
            note="one host of 2015 whose volume was the limit",
        ),
        cells,
        plain,
    )


def _commits(data: FitInput) -> PartScore:
    """Durable inserts/s of one host from the relaxed ones, synced writes from the other host."""
    pairs = data.durability_pairs
    cells, plain = [], []
    for pair in pairs:
        count = commit_parameter([other for other in pairs if other != pair])
        wait_s = count.value * pair.sync_ms / 1000.0
        whole_s = 1.0 / pair.relaxed_per_s + wait_s
        width = Z_80 * count.sigma * wait_s / whole_s
        cells.append(
            Cell(f"{pair.sync_ms:g} ms a synced write", -log(whole_s * pair.full_per_s), width)
        )
        plain.append(
            log(1.0 / (1.0 / pair.relaxed_per_s + pair.sync_ms / 1000.0) / pair.full_per_s)
        )
    return part(
        PartName(
            key="commit",
            title="durable commits: from the other host",
            baseline="one synced write a commit",
            note="two hosts on two clouds: an order of magnitude",
        ),
        cells,
        plain,
    )
