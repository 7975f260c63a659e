"""What one transaction asks of a database host.

CPU, statements, page touches, page writes, commits, bytes.

Everything here depends on the workload and the engine alone; what depends on the instance is in
``performance``.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import (
    INNODB_FAMILY,
    Availability,
    Basis,
    Client,
    Dialect,
    Durability,
    Engine,
    Platform,
)

if TYPE_CHECKING:
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters

#: KiB of an InnoDB page and of a PostgreSQL page.
PAGE_KIB = 16.0
POSTGRESQL_PAGE_KIB = 8.0


class Demand(NamedTuple):
    """One transaction's demands."""

    cpu_cost: float
    """CPU relative to the reference transaction of the compute curves (14 reads + BEGIN +
    COMMIT).
    """
    cpu_cost_sigma: float
    """Log error that all engines share."""
    engine_sigma: float
    """Log error of the engine's own costs."""
    kind: str
    """Engines of one kind err together: ``innodb``, or the engine."""
    platform: Platform
    client_gain: float
    """Throughput of the host without the client on it ÷ with it; 1 for a local client."""
    network_s: float
    """Round trips of all statements, s."""
    network_sigma: float
    page_reads: float
    """Pages read from storage per transaction when nothing is cached."""
    page_reads_sigma: float
    pages_beyond_sigma: float
    """Log error added in quadrature per octave of hot data ÷ cache beyond what was measured."""
    page_writes: float
    """Pages written back per transaction, doublewrite not counted (it is merged into few large
    writes).
    """
    page_writes_sigma: float
    commits: float
    """Commits per transaction that must reach the log."""
    is_durable: bool
    """Whether a commit waits for the log to be on disk."""
    sync_count: float
    """Waits for stable storage per durable commit, in units of one synced write."""
    sync_sigma: float
    synced_ms: float | None
    """What one wait for stable storage takes where it is no volume's latency (Aurora), ms."""
    replica_wait_s: float
    """Wait for a replica in another availability zone per commit, s."""
    pool_ratio: float
    """Share of memory that caches pages."""
    size_ratio: float
    """Size of the data on this engine ÷ on InnoDB."""
    page_kib: float
    storage_requests: float
    """Write requests per transaction that storage bills beside page reads (Aurora); else 0."""
    platform_sigma: float
    """Log error of the platform where no run compares it with EC2."""
    network_mbit: float
    """Result bytes per transaction on the network, Mbit; 0 for a local client."""
    basis: Basis
    """Weakest basis among the demands that this workload uses."""


def demand_of(
    workload: Workload, platform: Platform, engine: Engine, parameters: ModelParameters
) -> Demand:
    """Return the demands of one transaction of ``workload`` on ``engine`` under ``platform``."""
    profile = workload.profile
    value, sigma = parameters.value, parameters.sigma
    name = f"engine.{engine}."
    control = profile.statements - profile.reads - profile.writes
    read_cost = (profile.reads + control) * value("mix.read_cost") * value(name + "read_cost")
    write_cost = profile.writes * value("mix.write_cost") * value(name + "write_cost")
    cpu_cost = (read_cost + write_cost) * _proxy_cost(workload, parameters)
    is_local = workload.client is Client.LOCAL
    round_trip_ms = 0.0 if is_local else value(f"network.{workload.client}.round_trip_ms")
    page_reads = profile.reads * value("memory.pages_per_read") + profile.writes * value(
        "memory.pages_per_write"
    )
    is_aurora = platform is Platform.AURORA
    result_mbit = profile.reads * value("network.kib_per_read") * 8.0 * 1.024 / 1000.0
    return Demand(
        cpu_cost=cpu_cost,
        cpu_cost_sigma=hypot(
            write_cost / cpu_cost * sigma("mix.write_cost"),
            0.0 if profile.name != "point" else sigma("mix.read_cost"),
        ),
        engine_sigma=hypot(
            write_cost / cpu_cost * sigma(name + "write_cost"),
            read_cost / cpu_cost * sigma(name + "read_cost"),
        ),
        kind="innodb" if engine in INNODB_FAMILY else engine.value,
        platform=platform,
        client_gain=1.0 if is_local else value("client.gain"),
        network_s=profile.statements * round_trip_ms / 1000.0,
        network_sigma=0.0 if is_local else sigma(f"network.{workload.client}.round_trip_ms"),
        page_reads=page_reads * value(name + "page_reads"),
        page_reads_sigma=hypot(sigma("memory.pages_per_read"), sigma(name + "page_reads")),
        pages_beyond_sigma=value("memory.beyond_sigma"),
        page_writes=profile.writes * value("memory.flush_per_write") * value(name + "page_writes"),
        page_writes_sigma=hypot(sigma("memory.flush_per_write"), sigma(name + "page_writes")),
        commits=profile.commits,
        is_durable=is_aurora or workload.durability is Durability.FULL,
        sync_count=1.0 if is_aurora else value(sync_count_name(engine)),
        sync_sigma=sigma("aurora.commit_ms" if is_aurora else sync_count_name(engine)),
        synced_ms=value("aurora.commit_ms") if is_aurora else None,
        replica_wait_s=_replica_wait_ms(workload, platform, engine, parameters) / 1000.0,
        pool_ratio=value(name + "pool_ratio"),
        size_ratio=value(name + "size_ratio"),
        page_kib=POSTGRESQL_PAGE_KIB if engine.dialect is Dialect.POSTGRESQL else PAGE_KIB,
        storage_requests=_write_requests(workload, parameters) if is_aurora else 0.0,
        platform_sigma=0.0 if platform is Platform.EC2 else sigma(f"platform.{platform}.cpu"),
        network_mbit=0.0 if is_local else result_mbit,
        basis=_basis(workload, platform, engine, parameters),
    )


def sync_count_name(engine: Engine) -> str:
    """Return the parameter that holds the synced writes of a durable commit."""
    is_postgresql = engine.dialect is Dialect.POSTGRESQL
    return "commit.postgresql_sync_count" if is_postgresql else "commit.sync_count"


def _proxy_cost(workload: Workload, parameters: ModelParameters) -> float:
    """Return by how much ProxySQL in front raises the cost of a transaction; 1 without it."""
    return 1.0 / parameters.value("proxysql.throughput") if workload.has_proxysql else 1.0


def _replica_wait_ms(
    workload: Workload, platform: Platform, engine: Engine, parameters: ModelParameters
) -> float:
    """Return what a commit waits for another availability zone, ms.

    Semi-synchronous replicas, certification of PXC and the standby of RDS Multi-AZ each cost a
    round trip; Aurora's quorum spans the zones whatever the instances.
    """
    is_alone = workload.availability is Availability.SINGLE and engine is not Engine.PXC
    if platform is Platform.AURORA or is_alone:
        return 0.0
    return parameters.value("network.cross-az.round_trip_ms")


def _write_requests(workload: Workload, parameters: ModelParameters) -> float:
    """Return the write requests of a transaction that Aurora Standard bills."""
    profile = workload.profile
    per_write = parameters.value("aurora.requests_per_write")
    return profile.commits + profile.writes * per_write


def _basis(
    workload: Workload, platform: Platform, engine: Engine, parameters: ModelParameters
) -> Basis:
    """Return the weakest basis among the parameters that the workload uses."""
    name = f"engine.{engine}."
    names = [name + "read_cost"]
    if platform is not Platform.EC2:
        names.append(f"platform.{platform}.cpu")
    if workload.client is not Client.LOCAL:
        names += [f"network.{workload.client}.round_trip_ms", "client.gain"]
    if workload.profile.writes > 0.0:
        names += ["mix.write_cost", name + "write_cost", "memory.flush_per_write"]
        if platform is Platform.AURORA:
            names.append("aurora.commit_ms")
        elif workload.durability is Durability.FULL:
            names.append(sync_count_name(engine))
    if workload.profile.name == "point":
        names.append("mix.read_cost")
    return max((parameters.by_name[each].basis for each in names), key=lambda basis: basis.rank)
