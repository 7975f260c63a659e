"""Fits what sets engines and platforms apart: CPU, pages, cache, commits, billed requests."""

from __future__ import annotations

from math import exp, log
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Basis, Engine, Platform
from advisor.domain.workload import READS_PER_TRANSACTION, WRITES_PER_TRANSACTION
from advisor.prediction.fit_demands import (
    AURORA_2015,
    PAGES_PER_WRITE,
    POOL_RATIO,
    ROUND_TRIPS_2021,
    SAME_AZ_MS,
    STATEMENTS,
)
from advisor.prediction.fit_mix import REFERENCE_STATEMENTS, TPCC_OTHERS, TPCC_WRITES
from advisor.prediction.fit_numbers import rounded
from advisor.prediction.parameters import Parameter
from advisor.prediction.queueing import threads_at_rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.prediction.curve import ComputeCurve
    from advisor.prediction.fit_input import DataSizePoint, EnginePeak, FitInput, SweepPoint

TPCC_2020 = ("percona_aurora_pxc_rds_202005",)
SWEEP_2018 = ("percona_iops_sweep_201808",)
PROXYSQL_2017 = ("percona_pxc_aws_201711",)
#: Larger classes were not saturated by the threads of the runs.
MOST_VCPU = 32
#: Threads of the 2015 runs, and the EC2 type behind their class.
THREADS_2015, TYPE_2015 = 16.0, "r3.xlarge"
#: The host of the sweep over IOPS.
TYPE_2018 = "c5.9xlarge"
#: IOPS between which the sweep is neither starved nor at a throughput cap.
SWEEP_IOPS = (3_000.0, 24_000.0)
#: Cache of PostgreSQL: 25 % shared buffers and what the OS keeps of the rest.
POSTGRESQL_POOL_RATIO = 0.75
#: A commit of PostgreSQL is one fdatasync of a WAL file that exists already: one or two writes.
POSTGRESQL_SYNCS = 1.5
#: Aurora gives three quarters of memory to its buffer pool.
AURORA_POOL_RATIO = 0.75


def fit_engines(
    data: FitInput, curves: Sequence[ComputeCurve], fitted: Sequence[Parameter]
) -> tuple[Parameter, ...]:
    """Return the parameters of engines and platforms; ``fitted``: those of demands and volumes."""
    known = {parameter.name: parameter.value for parameter in fitted}
    by_type = {curve.instance_type: curve for curve in curves}
    return (
        *_costs(data, by_type, known),
        *_pages(data.sweep_points),
        *_platforms(),
        *_aurora(data, by_type, known),
        Parameter(
            name="proxysql.throughput",
            value=rounded(median(data.proxysql_ratios)),
            unit="ratio",
            sigma=rounded(_spread(data.proxysql_ratios)),
            basis=Basis.TRANSFERRED,
            rows=len(data.proxysql_ratios),
            sources=PROXYSQL_2017,
            note="throughput through ProxySQL ÷ direct, PXC on r4 and i3 at 64 threads; untuned",
        ),
    )


def _spread(values: Sequence[float]) -> float:
    """Return the log standard deviation of ``values``, at least that of repeats."""
    logs = [log(value) for value in values]
    return max(0.02, stdev(logs) if len(logs) > 1 else 0.0)


def _costs(
    data: FitInput, by_type: dict[str, ComputeCurve], known: dict[str, float]
) -> list[Parameter]:
    """Return CPU cost of reads and writes ÷ MySQL's for the engines beside the InnoDB family."""
    found: list[Parameter] = []
    for engine in (Engine.POSTGRESQL, Engine.AURORA_POSTGRESQL, Engine.AURORA_MYSQL):
        peaks = [
            peak
            for peak in data.engine_peaks
            if peak.engine == engine and peak.vcpu <= MOST_VCPU and peak.instance_type in by_type
        ]
        costs = [_cost(peak, by_type[peak.instance_type], known["client.gain"]) for peak in peaks]
        write = (median(costs) - 1.0) / (WRITES_PER_TRANSACTION * known["mix.write_cost"])
        note = "oltp_read_write at peak on db classes up to 32 vCPU ÷ the read-only curve"
        found += [
            _engine(engine, "read_cost", (1.0, 0.2, Basis.ASSUMED, 0), (), ALIKE),
            _engine(
                engine,
                "write_cost",
                (write, max(0.15, _spread(costs)), Basis.TRANSFERRED, len(peaks)),
                ROUND_TRIPS_2021,
                note,
            ),
        ]
    ratio = data.cluster_peaks[Engine.MYSQL] / data.cluster_peaks[Engine.PXC]
    note = "TPC-C on r5.xlarge, three nodes, one writer, against RDS MySQL"
    found += [
        _engine(Engine.PXC, kind, (ratio, 0.15, Basis.TRANSFERRED, 2), TPCC_2020, note)
        for kind in ("read_cost", "write_cost")
    ]
    most = _myrocks_at_most(data.sweep_points, by_type, known)
    bound = "TPC-C at 30,000 IOPS in 2018: at most this, for the volume may have been the limit"
    found += [
        _engine(Engine.MYROCKS, kind, (most, 0.3, Basis.TRANSFERRED, 1), SWEEP_2018, bound)
        for kind in ("read_cost", "write_cost")
    ]
    return found


def _myrocks_at_most(
    points: Sequence[SweepPoint], by_type: dict[str, ComputeCurve], known: dict[str, float]
) -> float:
    """Return MyRocks' CPU cost ÷ InnoDB's if the CPU limited its fastest TPC-C run."""
    fastest = max(point.transactions_per_s for point in points if point.engine == Engine.MYROCKS)
    cost = TPCC_OTHERS / REFERENCE_STATEMENTS + TPCC_WRITES * known["mix.write_cost"]
    peak = exp(max(by_type[TYPE_2018].log_tps)) * known["client.gain"]
    return peak / fastest / cost


ALIKE = "CPU of its reads, taken as MySQL's"


def _cost(peak: EnginePeak, curve: ComputeCurve, gain: float) -> float:
    """Return the CPU cost of a read-write transaction in reference transactions."""
    return exp(max(curve.log_tps)) * gain / peak.transactions_per_s


def _engine(
    engine: Engine,
    kind: str,
    fitted: tuple[float, float, Basis, int],
    sources: tuple[str, ...],
    note: str,
) -> Parameter:
    """Return one engine parameter; ``fitted`` is value, sigma, basis and rows."""
    amount, sigma, basis, rows = fitted
    return Parameter(
        name=f"engine.{engine}.{kind}",
        value=rounded(amount),
        unit="ratio",
        sigma=rounded(sigma),
        basis=basis,
        rows=rows,
        sources=sources,
        note=note,
    )


def _pages(points: Sequence[SweepPoint]) -> list[Parameter]:
    """Return cache share, data size and page I/O of each engine ÷ InnoDB's."""
    innodb, myrocks = (
        [
            point
            for point in points
            if point.engine == engine and SWEEP_IOPS[0] <= point.iops <= SWEEP_IOPS[1]
        ]
        for engine in (Engine.PERCONA_SERVER, Engine.MYROCKS)
    )
    size_ratio = myrocks[0].data_gib / innodb[0].data_gib
    per_miss = [
        median(point.iops / point.transactions_per_s / _miss(point) for point in side)
        for side in (myrocks, innodb)
    ]
    page_ratio = per_miss[0] / per_miss[1]
    rows = len(innodb) + len(myrocks)
    found: list[Parameter] = []
    for engine in Engine:
        pool, size, reads, writes = POOL_RATIO, 1.0, 1.0, 1.0
        if engine is Engine.POSTGRESQL:
            pool = POSTGRESQL_POOL_RATIO
        if engine in (Engine.AURORA_MYSQL, Engine.AURORA_POSTGRESQL):
            pool, writes = AURORA_POOL_RATIO, 0.0
        is_lsm = engine is Engine.MYROCKS
        if is_lsm:
            size, reads, writes = size_ratio, page_ratio, page_ratio
        basis, sigma = (Basis.TRANSFERRED, 0.4) if is_lsm else (Basis.ASSUMED, 0.05)
        sources = SWEEP_2018 if is_lsm else ()
        note = (
            "TPC-C on one host in 2018: I/O per transaction and miss ÷ InnoDB's; compression "
            "differs by data"
            if is_lsm
            else "its page cache and page I/O, taken as InnoDB's"
        )
        for kind, amount in (
            ("pool_ratio", pool),
            ("size_ratio", size),
            ("page_reads", reads),
            ("page_writes", writes),
        ):
            found.append(
                _engine(engine, kind, (amount, sigma, basis, rows if is_lsm else 0), sources, note)
            )
    return found


def _miss(point: SweepPoint) -> float:
    return 1.0 - POOL_RATIO * point.memory_gib / point.data_gib


def _platforms() -> list[Parameter]:
    """Return the doubt about managed platforms: no run compares them with EC2 like for like."""
    return [
        Parameter(
            name=f"platform.{platform}.cpu",
            value=1.0,
            unit="ratio",
            sigma=0.1,
            basis=Basis.ASSUMED,
            rows=0,
            sources=(),
            note="CPU on the managed platform, taken as on EC2",
        )
        for platform in (Platform.RDS, Platform.AURORA)
    ]


def _aurora(
    data: FitInput, by_type: dict[str, ComputeCurve], known: dict[str, float]
) -> list[Parameter]:
    """Return commit and read latency of Aurora storage, and what its writes waited in 2015."""
    near = {
        engine: [
            point.latency_min_ms
            for point in data.round_trip_points
            if point.engine == engine and not point.is_cross_az
        ]
        for engine in (Engine.AURORA_POSTGRESQL, Engine.POSTGRESQL)
    }
    slower_ms = fmean(near[Engine.AURORA_POSTGRESQL]) - fmean(near[Engine.POSTGRESQL])
    commit_ms = slower_ms + POSTGRESQL_SYNCS * known["volume.io1.write_ms"]
    mixed = sorted(
        (point for point in data.aurora_points if 0.0 < point.read_ratio < 1.0),
        key=lambda point: point.data_gib,
    )
    cached, *larger = mixed
    read_ms = _read_ms(cached, larger, known["memory.pages_per_read"])
    cost = 1.0 + WRITES_PER_TRANSACTION * known["mix.write_cost"]
    threads = threads_at_rate(
        by_type[TYPE_2015].log_tps, cost, cached.transactions_per_s, THREADS_2015
    )
    waited_ms = (
        (THREADS_2015 - threads) / cached.transactions_per_s * 1000.0
        - commit_ms
        - STATEMENTS * SAME_AZ_MS
    )
    note = "Aurora on db.r3.xlarge, 16 threads, by data size"
    return [
        _number("aurora.commit_ms", (commit_ms, 0.4, Basis.TRANSFERRED, 3), ROUND_TRIPS_2021,
                "least latency of Aurora PostgreSQL less that of PostgreSQL on io1, near clients, "
                "plus the commit of the latter"),
        Parameter(
            name="commit.postgresql_sync_count",
            value=POSTGRESQL_SYNCS,
            unit="synced writes per commit",
            sigma=0.4,
            basis=Basis.ASSUMED,
            rows=0,
            sources=(),
            note="synced writes of a PostgreSQL commit, taken as one to two",
        ),
        _number("aurora.requests_per_write", (0.25, 0.5, Basis.ASSUMED, 0), (),
                "write requests that Aurora bills, taken as one to four writes"),
        _number("volume.aurora.read_ms", (fmean(read_ms), 0.4, Basis.SCALED, len(read_ms)),
                AURORA_2015, note),
        _number("volume.aurora.write_ms", (commit_ms, 0.4, Basis.TRANSFERRED, 3), ROUND_TRIPS_2021,
                "as aurora.commit_ms"),
        *(
            _number(f"volume.aurora.{kind}", (amount, 0.4, Basis.ASSUMED, 0), (), "not measured")
            for kind, amount in (
                ("read_p95_ratio", 2.0),
                ("limit_p95_ratio", 1.5),
                ("write_p95_ratio", 1.5),
                ("variation_cv", 0.05),
                ("limit_cv", 0.05),
            )
        ),
        _number("era.r3.aurora-mysql.write_wait_ms",
                (waited_ms / WRITES_PER_TRANSACTION, 0.2, Basis.MEASURED, 1), AURORA_2015,
                f"{note}: what the cached runs waited per write beside CPU, network and commit"),
    ]  # fmt: skip


def _read_ms(
    cached: DataSizePoint, larger: Sequence[DataSizePoint], pages_per_read: float
) -> list[float]:
    """Return what a page from Aurora storage took, by what larger data added to a transaction."""
    base_ms = THREADS_2015 / cached.transactions_per_s * 1000.0
    touches = READS_PER_TRANSACTION * pages_per_read + WRITES_PER_TRANSACTION * PAGES_PER_WRITE
    return [
        (THREADS_2015 / point.transactions_per_s * 1000.0 - base_ms)
        / (touches * (1.0 - AURORA_POOL_RATIO * point.memory_gib / point.data_gib))
        for point in larger
        if point.data_gib > 2.0 * point.memory_gib
    ]


def _number(
    name: str, fitted: tuple[float, float, Basis, int], sources: tuple[str, ...], note: str
) -> Parameter:
    """Return one parameter; ``fitted`` is value, sigma, basis and rows."""
    amount, sigma, basis, rows = fitted
    unit = "ms" if name.endswith("_ms") else "ratio"
    return Parameter(
        name=name,
        value=rounded(amount),
        unit=unit,
        sigma=sigma,
        basis=basis,
        rows=rows,
        sources=sources,
        note=note,
    )
