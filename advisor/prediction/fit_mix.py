"""Fits the CPU cost of statements: reads, writes, engines of the InnoDB family, the client.

Costs are in reference transactions, the oltp_read_only of the compute curves: a host that peaks at
P of them does P ÷ cost of any other transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import INNODB_FAMILY, Basis, Engine
from advisor.domain.workload import WRITES_PER_TRANSACTION
from advisor.prediction.fit_numbers import geometric_mean, log_spread, rounded
from advisor.prediction.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from advisor.prediction.fit_input import FitInput, ServerPoint, TpccPeak

BARE_METAL = ("percona_engines_2026",)
#: The version of each engine that stands for it; MySQL 8.0 is the version line of the compute
#: curves.
VERSIONS = {Engine.MYSQL: "8.0.45", Engine.PERCONA_SERVER: "8.0.45-36", Engine.MARIADB: "11.4.10"}
#: Buffer pool of the in-memory bare-metal runs, GiB.
IN_MEMORY_POOL_GIB = 32.0
#: Thread counts at which the 32-vCPU-class host is busy but not yet thrashing.
BUSY_THREADS = (64, 128)
#: Engines are compared up to this many threads; beyond it some collapse for want of a thread pool.
LADDER_TOP = 128
#: Thread counts of the bare-metal runs.
THREAD_LADDER = (1, 4, 16, 32, 64, 128, 256, 512)
#: The least doubt about carrying a cost to another host and CPU.
HOST_SIGMA = 0.2
#: The least doubt about what an engine costs beside MySQL.
ENGINE_SIGMA = 0.05
#: Statements of the reference transaction, taken as equal.
REFERENCE_STATEMENTS = 16.0
#: sysbench's TPC-C runs 28.4 statements a transaction in every bundled run: BEGIN and COMMIT, the
#: rest in equal parts reads and writes by the mix of TPC-C (clause 5.2.3) with ten lines an order.
TPCC_WRITES = 13.2
TPCC_OTHERS = 15.2
ON_BARE_METAL = "bare metal"


def fit_mix(data: FitInput, peak_of: Callable[[str], float]) -> tuple[Parameter, ...]:
    """Return the CPU cost of statements; ``peak_of``: reference transactions/s of a type."""
    client = _client(data)
    gain = client_gain(data)
    by_host = write_costs(data.server_points, data.tpcc_peaks, lambda name: peak_of(name) * gain)
    on_bare_metal = by_host[ON_BARE_METAL]
    return (
        _read_cost(),
        Parameter(
            name="mix.write_cost",
            value=rounded(geometric_mean(tuple(by_host.values()))),
            unit="reference transactions per write statement",
            sigma=rounded(write_cost_sigma(tuple(by_host.values()))),
            basis=Basis.TRANSFERRED,
            rows=2 * len(BUSY_THREADS) + len(data.tpcc_peaks),
            sources=(*BARE_METAL, *(peak.source for peak in data.tpcc_peaks)),
            note="oltp_read_write against oltp_read_only on one host, TPC-C on RDS MySQL against "
            "the read-only curve of its type",
        ),
        *(
            parameter
            for engine in INNODB_FAMILY
            for parameter in _engine(data.server_points, engine, on_bare_metal)
        ),
        *client,
    )


def write_costs(
    points: Sequence[ServerPoint], peaks: Iterable[TpccPeak], peak_of: Callable[[str], float]
) -> dict[str, float]:
    """Return host → CPU cost of a write there, in reference transactions.

    ``peak_of``: reference transactions/s of a type with the client on another host.
    """
    read_only = cells(points, Engine.MYSQL, "oltp_read_only", "local")
    read_write = cells(points, Engine.MYSQL, "oltp_read_write", "local")
    found = {
        ON_BARE_METAL: geometric_mean(
            [(read_only[n] / read_write[n] - 1.0) / WRITES_PER_TRANSACTION for n in BUSY_THREADS]
        )
    }
    for peak in peaks:
        cost = peak_of(peak.instance_type) / peak.transactions_per_s
        found[f"db.{peak.instance_type}"] = (
            cost - TPCC_OTHERS / REFERENCE_STATEMENTS
        ) / TPCC_WRITES
    return found


def write_cost_sigma(by_host: Sequence[float]) -> float:
    """Return the log standard deviation of the cost of a write on a host that was not measured."""
    return max(HOST_SIGMA, log_spread(by_host))


def _read_cost() -> Parameter:
    return Parameter(
        name="mix.read_cost",
        value=1.0 / REFERENCE_STATEMENTS,
        unit="reference transactions per statement",
        sigma=0.3,
        basis=Basis.ASSUMED,
        rows=0,
        sources=(),
        note="the reference transaction has 16 statements, taken as equal; a point read alone "
        "is not measured",
    )


def cells(
    points: Iterable[ServerPoint], engine: Engine, workload: str, client: str
) -> Mapping[int, float]:
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


def _engine(points: Sequence[ServerPoint], engine: Engine, write_cost: float) -> list[Parameter]:
    """Return CPU cost of an engine's reads and writes ÷ MySQL's.

    From 1 to 128 threads on one host; ``write_cost``: of MySQL on that host.
    """
    ratios: dict[str, list[float]] = {}
    for workload in ("oltp_read_only", "oltp_read_write"):
        base = cells(points, Engine.MYSQL, workload, "local")
        mine = cells(points, engine, workload, "local")
        ratios[workload] = [
            base[n] / mine[n] for n in sorted(base) if n <= LADDER_TOP and n in mine
        ]
    read = geometric_mean(ratios["oltp_read_only"])
    both = geometric_mean(ratios["oltp_read_write"])
    writes = WRITES_PER_TRANSACTION * write_cost
    write = (both * (1.0 + writes) - read) / writes
    share = writes / (1.0 + writes)
    spread = {
        "read": log_spread(ratios["oltp_read_only"]),
        "write": log_spread(ratios["oltp_read_write"]) / share,
    }
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
            sigma=0.0 if is_reference else rounded(max(ENGINE_SIGMA, spread[kind])),
            basis=basis,
            rows=2 * len(ratios["oltp_read_only"]),
            sources=BARE_METAL,
            note=note,
        )
        for kind, value in (("read", read), ("write", write))
    ]


def client_gain(data: FitInput) -> float:
    """Return what the host gains when the client leaves it: peak with a remote ÷ a local one."""
    gains = []
    for engine in (Engine.MYSQL, Engine.PERCONA_SERVER):
        local = cells(data.server_points, engine, "oltp_read_only", "local")
        remote = cells(data.server_points, engine, "oltp_read_only", "remote")
        gains.append(max(remote.values()) / max(local.values()))
    return rounded(geometric_mean(gains))


def _client(data: FitInput) -> tuple[Parameter, ...]:
    """Return what a client on another host changes."""
    return (
        Parameter(
            name="client.gain",
            value=client_gain(data),
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
    )
