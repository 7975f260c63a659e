"""Fits what a transaction costs: CPU of writes, engines, client, pages, commits, round trips."""

from __future__ import annotations

from math import exp, hypot, log, log2
from statistics import mean, median, stdev
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import INNODB_FAMILY, Basis, Client, Engine
from advisor.domain.workload import READS_PER_TRANSACTION, WRITES_PER_TRANSACTION
from advisor.prediction.parameters import Parameter
from advisor.prediction.uncertainty import covering, excess_per_octave

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from advisor.prediction.fit_input import (
        DataSizePoint,
        DurabilityPair,
        FitInput,
        RoundTripPoint,
        ServerPoint,
    )

BARE_METAL = ("percona_engines_2026",)
AURORA_2015 = ("percona_aurora_vs_ps_201511",)
DURABILITY_2019 = ("jfg_sync_latency_2019",)
ROUND_TRIPS_2021 = ("gnosia93_graviton2_2021",)

#: The version of each engine that stands for it; MySQL 8.0 is the version line of the compute
#: curves.
VERSIONS = {Engine.MYSQL: "8.0.45", Engine.PERCONA_SERVER: "8.0.45-36", Engine.MARIADB: "11.4.10"}
#: Buffer pool of the in-memory bare-metal runs, GiB.
IN_MEMORY_POOL_GIB = 32.0
#: Thread counts at which the 32-vCPU-class host is busy but not yet thrashing.
BUSY_THREADS = (64, 128)
#: Engines are compared up to this many threads; beyond it some collapse for want of a thread pool.
LADDER_TOP = 128
#: Share of memory given to the InnoDB buffer pool (the compute runs used 80 %).
POOL_RATIO = 0.8
#: Another host, another CPU: added to the spread seen on the bare-metal host.
HOST_SIGMA = 0.2
ENGINE_SIGMA = 0.05
_SIGNIFICANT = 4


def rounded(value: float) -> float:
    """Return ``value`` with the digits that are stored and hashed."""
    return float(f"{value:.{_SIGNIFICANT}g}")


def _geometric_mean(values: Sequence[float]) -> float:
    return exp(mean(log(value) for value in values))


def _spread(values: Sequence[float]) -> float:
    """Return the log standard deviation that ``values`` are a sample of; 0: a single one."""
    logs = [log(value) for value in values]
    return stdev(logs) if len(logs) > 1 else 0.0


def fit_demands(data: FitInput) -> tuple[Parameter, ...]:
    """Return the demand parameters in a fixed order."""
    return (
        *_mix(data.server_points),
        *_client(data.server_points),
        *_round_trips(data.round_trip_points),
        *memory_parameters(data.data_size_points),
        _beyond_parameter(data.data_size_points),
        commit_parameter(data.durability_pairs),
    )


def _cells(
    points: Iterable[ServerPoint], engine: Engine, workload: str, client: str
) -> dict[int, float]:
    """Return threads → transactions/s of an engine's in-memory runs, in its chosen version."""
    return {
        point.threads: point.transactions_per_s
        for point in points
        if point.engine == engine
        and point.engine_version == VERSIONS[engine]
        and point.workload == workload
        and point.client == client
        and point.buffer_pool_gib == IN_MEMORY_POOL_GIB
    }


def _mix(points: Sequence[ServerPoint]) -> list[Parameter]:
    """Return the CPU cost of reads and writes, and of engines against MySQL."""
    read_only = _cells(points, Engine.MYSQL, "oltp_read_only", "local")
    read_write = _cells(points, Engine.MYSQL, "oltp_read_write", "local")
    busy = [threads for threads in sorted(read_write) if threads in BUSY_THREADS]
    write_costs = [(read_only[n] / read_write[n] - 1.0) / WRITES_PER_TRANSACTION for n in busy]
    write_cost = _geometric_mean(write_costs)
    parameters = [
        Parameter(
            name="mix.read_cost",
            value=1.0 / 16.0,
            unit="reference transactions per statement",
            sigma=0.3,
            basis=Basis.ASSUMED,
            rows=0,
            sources=(),
            note="the reference transaction has 16 statements, taken as equal; a point read alone "
            "is not measured",
        ),
        Parameter(
            name="mix.write_cost",
            value=rounded(write_cost),
            unit="reference transactions per write statement",
            sigma=rounded(hypot(_spread(write_costs), HOST_SIGMA)),
            basis=Basis.TRANSFERRED,
            rows=2 * len(busy),
            sources=BARE_METAL,
            note="oltp_read_write against oltp_read_only in memory at 64 and 128 threads, MySQL "
            "8.0.45",
        ),
    ]
    for engine in INNODB_FAMILY:
        parameters += _engine(points, engine, write_cost)
    return parameters


def _engine(points: Sequence[ServerPoint], engine: Engine, write_cost: float) -> list[Parameter]:
    """Return CPU cost of an engine's reads and writes ÷ MySQL's.

    From 1 to 128 threads on one host.
    """
    ratios: dict[str, list[float]] = {}
    for workload in ("oltp_read_only", "oltp_read_write"):
        base = _cells(points, Engine.MYSQL, workload, "local")
        mine = _cells(points, engine, workload, "local")
        ratios[workload] = [
            base[n] / mine[n] for n in sorted(base) if n <= LADDER_TOP and n in mine
        ]
    read = _geometric_mean(ratios["oltp_read_only"])
    both = _geometric_mean(ratios["oltp_read_write"])
    writes = WRITES_PER_TRANSACTION * write_cost
    write = (both * (1.0 + writes) - read) / writes
    is_reference = engine is Engine.MYSQL
    basis = Basis.MEASURED if is_reference else Basis.TRANSFERRED
    note = (
        f"{engine} {VERSIONS[engine]} against MySQL {VERSIONS[Engine.MYSQL]}, in memory, 1 to "
        "128 threads"
    )
    return [
        Parameter(
            name=f"engine.{engine}.{kind}_cost",
            value=rounded(value),
            unit="ratio",
            sigma=0.0 if is_reference else ENGINE_SIGMA,
            basis=basis,
            rows=2 * len(ratios["oltp_read_only"]),
            sources=BARE_METAL,
            note=note,
        )
        for kind, value in (("read", read), ("write", write))
    ]


def _client(points: Sequence[ServerPoint]) -> list[Parameter]:
    """Return what the host gains when the client leaves it.

    Peak with a remote client ÷ with a local one.
    """
    gains = []
    for engine in (Engine.MYSQL, Engine.PERCONA_SERVER):
        local = _cells(points, engine, "oltp_read_only", "local")
        remote = _cells(points, engine, "oltp_read_only", "remote")
        gains.append(max(remote.values()) / max(local.values()))
    gain = _geometric_mean(gains)
    return [
        Parameter(
            name="client.gain",
            value=rounded(gain),
            unit="ratio",
            sigma=0.05,
            basis=Basis.TRANSFERRED,
            rows=4 * len(THREAD_LADDER),
            sources=BARE_METAL,
            note="peak of oltp_read_only with the client on another host ÷ on the same host",
        ),
        Parameter(
            name="network.kib_per_read",
            value=2.7,
            unit="KiB",
            sigma=0.5,
            basis=Basis.ASSUMED,
            rows=0,
            sources=(),
            note="sysbench's schema: 3 of 14 reads return 100 rows of 120 bytes; real rows differ",
        ),
    ]


#: Thread counts of the bare-metal runs.
THREAD_LADDER = (1, 4, 16, 32, 64, 128, 256, 512)
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
            sigma=rounded(max(0.2, _spread(extra))),
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
            sigma=rounded(max(0.2, _spread(reads))),
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
            sigma=rounded(max(0.2, _spread(flushes))),
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


def commit_parameter(pairs: Sequence[DurabilityPair]) -> Parameter:
    """Return the waits for stable storage of a durable commit, in synced writes."""
    counts = [
        (1.0 / pair.full_per_s - 1.0 / pair.relaxed_per_s) * 1000.0 / pair.sync_ms for pair in pairs
    ]
    return Parameter(
        name="commit.sync_count",
        value=rounded(_geometric_mean(counts)),
        unit="synced writes per commit",
        sigma=rounded(max(0.3, _spread(counts))),
        basis=Basis.TRANSFERRED,
        rows=2 * len(pairs),
        sources=DURABILITY_2019,
        note="single-row inserts, full against relaxed durability, on two clouds: an order of "
        "magnitude",
    )
