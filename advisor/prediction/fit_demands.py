"""Fits what a transaction asks beside CPU: pages, commits, round trips."""

from __future__ import annotations

from math import log, log2
from statistics import mean, median
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Basis, Client
from advisor.domain.workload import READS_PER_TRANSACTION, WRITES_PER_TRANSACTION
from advisor.prediction.fit_numbers import geometric_mean, log_spread, rounded
from advisor.prediction.parameters import Parameter
from advisor.prediction.uncertainty import covering, excess_per_octave

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.prediction.fit_input import (
        DataSizePoint,
        DurabilityPair,
        FitInput,
        RoundTripPoint,
    )

AURORA_2015 = ("percona_aurora_vs_ps_201511",)
DURABILITY_2019 = ("jfg_sync_latency_2019",)
ROUND_TRIPS_2021 = ("gnosia93_graviton2_2021",)

#: Share of memory given to the InnoDB buffer pool (the compute runs used 80 %).
POOL_RATIO = 0.8


def fit_demands(data: FitInput) -> tuple[Parameter, ...]:
    """Return the demand parameters in a fixed order."""
    return (
        *_round_trips(data.round_trip_points),
        *memory_parameters(data.data_size_points),
        _beyond_parameter(data.data_size_points),
        commit_parameter(data.durability_pairs),
    )


#: Round trip in one availability zone, ms: below the 0.12 ms per statement that the fastest near
#: client saw.
SAME_AZ_MS = 0.1
#: Statements of the transaction behind the round-trip points.
STATEMENTS = 20.0


def _round_trips(points: Sequence[RoundTripPoint]) -> list[Parameter]:
    """Return the round trip per statement within and across availability zones."""
    near = {
        engine: min(
            point.latency_min_ms
            for point in points
            if point.engine == engine and not point.is_cross_az
        )
        for engine in sorted({point.engine for point in points if not point.is_cross_az})
    }
    extra = [
        (point.latency_min_ms - near[point.engine]) / STATEMENTS
        for point in points
        if point.is_cross_az and point.engine in near
    ]
    return [
        Parameter(
            name=f"network.{Client.SAME_AZ}.round_trip_ms",
            value=SAME_AZ_MS,
            unit="ms",
            sigma=0.35,
            basis=Basis.TRANSFERRED,
            rows=len(near),
            sources=ROUND_TRIPS_2021,
            note="upper bound by the least latency of a 20-statement transaction from a near "
            "client",
        ),
        Parameter(
            name=f"network.{Client.CROSS_AZ}.round_trip_ms",
            value=rounded(SAME_AZ_MS + median(extra)),
            unit="ms",
            sigma=rounded(max(0.2, log_spread(extra))),
            basis=Basis.TRANSFERRED,
            rows=len(extra) + len(near),
            sources=ROUND_TRIPS_2021,
            note="least latency of far clients less that of near ones, per statement, plus the "
            "near round trip",
        ),
    ]


#: Pages that a written row reads when it is not cached: its own.
PAGES_PER_WRITE = 1.0


def memory_parameters(points: Sequence[DataSizePoint]) -> list[Parameter]:
    """Return page touches from the runs whose data exceed memory more than twice.

    There IOPS are the limit.
    """
    beyond = beyond_memory(points)
    flushes = [
        max(0.05, point.storage_iops / point.transactions_per_s - miss_of(point) * PAGES_PER_WRITE)
        for point in beyond
        if point.read_ratio == 0.0
    ]
    flush = mean(flushes)
    reads = [
        (
            point.storage_iops / point.transactions_per_s
            - WRITES_PER_TRANSACTION * (miss_of(point) * PAGES_PER_WRITE + flush)
        )
        / (READS_PER_TRANSACTION * miss_of(point))
        for point in beyond
        if point.read_ratio > 0.0
    ]
    note = (
        "Percona Server 5.6 on r3.xlarge, io1 and gp2, data 80 to 400 GB: IOPS bought ÷ "
        "transactions/s"
    )
    return [
        Parameter(
            name="memory.pages_per_read",
            value=rounded(mean(reads)),
            unit="pages per read statement",
            sigma=rounded(max(0.2, log_spread(reads))),
            basis=Basis.SCALED,
            rows=len(reads),
            sources=AURORA_2015,
            note=note,
        ),
        Parameter(
            name="memory.pages_per_write",
            value=PAGES_PER_WRITE,
            unit="pages per write statement",
            sigma=0.2,
            basis=Basis.ASSUMED,
            rows=0,
            sources=(),
            note="the page of the row",
        ),
        Parameter(
            name="memory.flush_per_write",
            value=rounded(flush),
            unit="page writes per write statement",
            sigma=rounded(max(0.2, log_spread(flushes))),
            basis=Basis.SCALED,
            rows=len(flushes),
            sources=AURORA_2015,
            note=note,
        ),
    ]


def io_limited_rate(point: DataSizePoint, pages: Mapping[str, float]) -> float:
    """Return the transactions/s at which a point's bought IOPS are used up.

    ``pages``: the parameters ``memory.*`` by name. An update-only transaction is one write.
    """
    writes = WRITES_PER_TRANSACTION if point.read_ratio > 0.0 else 1.0
    reads = READS_PER_TRANSACTION if point.read_ratio > 0.0 else 0.0
    read = miss_of(point) * (
        reads * pages["memory.pages_per_read"] + writes * pages["memory.pages_per_write"]
    )
    return point.storage_iops / (read + writes * pages["memory.flush_per_write"])


def beyond_memory(points: Sequence[DataSizePoint]) -> tuple[DataSizePoint, ...]:
    """Return the points whose data exceed memory more than twice: there IOPS are the limit."""
    return tuple(point for point in points if point.data_gib > 2.0 * point.memory_gib)


def _beyond_parameter(points: Sequence[DataSizePoint]) -> Parameter:
    """Return the log error per octave of data ÷ memory beyond the largest known.

    Larger sizes are predicted from the smaller ones; four fifths of what exceeds the error of the
    pages themselves is covered.
    """
    found = beyond_memory(points)
    sizes = sorted({point.data_gib for point in found})
    slopes: list[float] = []
    for largest in sizes[:-1]:
        known = memory_parameters([point for point in points if point.data_gib <= largest])
        pages = {parameter.name: parameter.value for parameter in known}
        sigma = known[0].sigma
        for point in found:
            if point.data_gib > largest:
                error = log(io_limited_rate(point, pages) / point.transactions_per_s)
                octaves = log2(point.data_gib / largest)
                slopes.append(excess_per_octave(error, sigma, octaves))
    return Parameter(
        name="memory.beyond_sigma",
        value=rounded(covering(slopes)),
        unit="log standard deviation",
        sigma=0.0,
        basis=Basis.SCALED,
        rows=len(slopes),
        sources=AURORA_2015,
        note="per octave of hot data ÷ page cache beyond the largest measured, larger sizes left "
        "out",
    )


def miss_of(point: DataSizePoint) -> float:
    """Return the miss ratio of uniform access with a pool of 80 % of memory."""
    return 1.0 - POOL_RATIO * point.memory_gib / point.data_gib


#: The least doubt about the synced writes of a commit: the two hosts differ by a factor of two.
COMMIT_SIGMA = 0.6


def commit_parameter(pairs: Sequence[DurabilityPair]) -> Parameter:
    """Return the waits for stable storage of a durable commit, in synced writes."""
    counts = [
        (1.0 / pair.full_per_s - 1.0 / pair.relaxed_per_s) * 1000.0 / pair.sync_ms for pair in pairs
    ]
    return Parameter(
        name="commit.sync_count",
        value=rounded(geometric_mean(counts)),
        unit="synced writes per commit",
        sigma=rounded(max(COMMIT_SIGMA, log_spread(counts))),
        basis=Basis.TRANSFERRED,
        rows=2 * len(pairs),
        sources=DURABILITY_2019,
        note="single-row inserts, full against relaxed durability, on two clouds: an order of "
        "magnitude",
    )
