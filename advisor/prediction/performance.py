"""The performance of one candidate: demands, limits and delays put together.

``part_of`` prepares an instance for a workload, ``settle`` balances its threads over a storage
type's delays, and
``operating_point`` applies the limits of one storage configuration. Ranking uses these three alone,
so it and the printed prediction can never disagree; ``advisor.prediction.answer`` turns an
operating point into a ``Prediction``.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import Station
from advisor.prediction.queueing import Balance, balance
from advisor.prediction.volume import KIB_PER_MIB, StorageLimits

if TYPE_CHECKING:
    from advisor.domain.instance import InstanceType
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import ComputeCurve, SpaceEntry
    from advisor.prediction.demand import Demand
    from advisor.prediction.parameters import VolumeParameters

#: Log writes per durable commit group: redo and binary log.
LOG_WRITES = 2.0
#: KiB written to the logs per commit (sysbench's rows of about 200 bytes, twice, rounded up to
#: blocks).
LOG_KIB = 8.0
#: Inner index pages ÷ data: a few hundred leaf pages hang on each.
INNER_PAGES_RATIO = 0.002
#: GiB of memory kept for the operating system and the server beside the buffer pool.
RESERVED_GIB = 0.5


class InstancePart(NamedTuple):
    """What an instance brings to a workload, whatever its storage."""

    instance: InstanceType
    curve: ComputeCurve
    demand: Demand
    threads: float
    log_tps: tuple[float, ...]
    """The compute curve without the client, and at the sustained share of burstable types."""
    capacity_per_s: float
    """Most transactions/s of this workload that the CPU completes at any thread count."""
    hot_gib: float
    """Data that the workload touches, GiB."""
    pool_gib: float
    """Buffer pool, GiB."""
    miss_ratio: float
    """Share of page touches that go to storage, 0..1."""
    page_reads: float
    """Pages read from storage per transaction."""
    era_wait_s: float
    """Waiting of writes per transaction that only this family's own runs show, s."""
    network_limit_per_s: float
    """Transactions/s that the instance's sustained network bandwidth carries."""


def pool_gib(instance: InstanceType, demand: Demand) -> float:
    """Return the page cache that fits an instance, GiB."""
    return max(0.1, instance.memory_gib * demand.pool_ratio - RESERVED_GIB)


def miss_ratio(pool: float, hot_gib: float) -> float:
    """Return the share of page touches that miss a pool when ``hot_gib`` are hot, evenly."""
    return 1.0 - pool / hot_gib if hot_gib > pool else 0.0


def reads_missed(instance: InstanceType, hot_gib: float, demand: Demand) -> tuple[float, float]:
    """Return (share of leaf pages missed, pages read from storage per transaction).

    Where the pool does not even hold the inner pages of the indexes, each read misses one of them
    too.
    """
    pool, hot = pool_gib(instance, demand), hot_gib * demand.size_ratio
    missed = miss_ratio(pool, hot)
    inner = miss_ratio(pool, hot * INNER_PAGES_RATIO)
    return missed, demand.page_reads * (missed + inner)


def part_of(
    entry: SpaceEntry, workload: Workload, demand: Demand, era_wait_ms: float = 0.0
) -> InstancePart:
    """Return what an instance brings to ``workload``.

    ``era_wait_ms`` is what each write waited besides on hardware that was measured in its day only.
    """
    instance, curve = entry.instance, entry.curve
    shift = log(demand.client_gain * instance.cpu_baseline_ratio)
    log_tps = tuple(point + shift for point in curve.log_tps) if shift else curve.log_tps
    missed, page_reads = reads_missed(instance, workload.hot_gib, demand)
    network_limit = inf
    if demand.network_mbit > 0.0 and instance.network_baseline_gbps:
        network_limit = instance.network_baseline_gbps * 1000.0 / demand.network_mbit
    return InstancePart(
        instance=instance,
        curve=curve,
        demand=demand,
        threads=float(workload.threads),
        log_tps=log_tps,
        capacity_per_s=exp(max(log_tps)) / demand.cpu_cost,
        hot_gib=workload.hot_gib * demand.size_ratio,
        pool_gib=pool_gib(instance, demand),
        miss_ratio=missed,
        page_reads=page_reads,
        era_wait_s=workload.profile.writes * era_wait_ms / 1000.0,
        network_limit_per_s=network_limit,
    )


class Settled(NamedTuple):
    """An instance balanced over the delays of one storage type, before any limit."""

    part: InstancePart
    volume: VolumeParameters
    balance: Balance
    read_s: float
    """Waiting for pages per transaction, s."""
    commit_s: float
    """Waiting for the log and for replicas per transaction, s."""


def delay_s(
    demand: Demand, volume: VolumeParameters, page_reads: float
) -> tuple[float, float, float]:
    """Return what a transaction waits for network, reads and commit, s."""
    commit_s = demand.commits * demand.replica_wait_s
    if demand.is_durable:
        synced_ms = volume.write_ms if demand.synced_ms is None else demand.synced_ms
        commit_s += demand.commits * demand.sync_count * synced_ms / 1000.0
    return demand.network_s, page_reads * volume.read_ms / 1000.0, commit_s


def settle(part: InstancePart, volume: VolumeParameters) -> Settled:
    """Return ``part`` balanced over the delays of a storage type."""
    demand = part.demand
    network_s, read_s, commit_s = delay_s(demand, volume, part.page_reads)
    commit_s += part.era_wait_s
    return Settled(
        part=part,
        volume=volume,
        balance=balance(part.log_tps, demand.cpu_cost, network_s + read_s + commit_s, part.threads),
        read_s=read_s,
        commit_s=commit_s,
    )


class OperatingPoint(NamedTuple):
    """The throughput of one candidate and what sets it."""

    limits: StorageLimits
    transactions_per_s: float
    limit: Station | None
    """The station whose limit binds; None: the threads wait on each other and on delays."""
    volume_limit_per_s: float
    """Transactions/s at the IOPS limit of the storage."""
    throughput_limit_per_s: float
    """Transactions/s at the MiB/s limit of the storage."""
    ebs_iops_limit_per_s: float
    ebs_throughput_limit_per_s: float


def io_limit_per_s(part: InstancePart, read_iops: float, write_iops: float) -> float:
    """Return the transactions/s at which pages and log writes use up a device.

    Commits that wait for a busy device join one group, at most one per thread, so the log takes at
    least ``LOG_WRITES`` per round of all threads.
    """
    demand = part.demand
    has_log = demand.is_durable and demand.synced_ms is None
    logs = LOG_WRITES * demand.commits / part.threads if has_log else 0.0
    busy_s = part.page_reads / read_iops + (demand.page_writes + logs) / write_iops
    return 1.0 / busy_s if busy_s > 0.0 else inf


def operating_point(settled: Settled, limits: StorageLimits) -> OperatingPoint:
    """Return the throughput of ``settled`` under its storage, instance and network limits."""
    part = settled.part
    volume = io_limit_per_s(part, limits.read_iops, limits.write_iops)
    mib = mib_per_transaction(part)
    throughput = limits.mib_per_s / mib if mib > 0.0 else inf
    ebs_iops = ebs_throughput = inf
    if limits.instance_iops is not None and limits.instance_mib_per_s is not None:
        ebs_iops = io_limit_per_s(part, limits.instance_iops, limits.instance_iops)
        ebs_throughput = limits.instance_mib_per_s / mib if mib > 0.0 else inf
    rate = settled.balance.transactions_per_s
    limit: Station | None = None
    for station, bound in (
        (Station.INSTANCE_EBS, min(ebs_iops, ebs_throughput)),
        (Station.VOLUME_IOPS, volume),
        (Station.VOLUME_THROUGHPUT, throughput),
        (Station.NETWORK, part.network_limit_per_s),
    ):
        if bound < rate:
            rate, limit = bound, station
    return OperatingPoint(
        limits=limits,
        transactions_per_s=rate,
        limit=limit,
        volume_limit_per_s=volume,
        throughput_limit_per_s=throughput,
        ebs_iops_limit_per_s=ebs_iops,
        ebs_throughput_limit_per_s=ebs_throughput,
    )


def mib_per_transaction(part: InstancePart) -> float:
    """Return MiB read and written per transaction.

    Every written page goes to the doublewrite buffer too.
    """
    demand = part.demand
    pages = part.page_reads + 2.0 * demand.page_writes
    return (pages * demand.page_kib + demand.commits * LOG_KIB) / KIB_PER_MIB


def iops_at(settled: Settled, transactions_per_s: float) -> float:
    """Return the IOPS that ``transactions_per_s`` ask of the storage."""
    part = settled.part
    demand = part.demand
    pages = (part.page_reads + demand.page_writes) * transactions_per_s
    if not demand.is_durable or demand.synced_ms is not None:
        return pages
    return pages + min(
        LOG_WRITES * demand.commits * transactions_per_s, 1000.0 / settled.volume.write_ms
    )


def page_iops_at(settled: Settled, transactions_per_s: float) -> float:
    """Return the IOPS of pages alone, without the log, at ``transactions_per_s``."""
    part = settled.part
    return (part.page_reads + part.demand.page_writes) * transactions_per_s


def storage_requests_at(settled: Settled, transactions_per_s: float) -> float:
    """Return the requests/s that storage with a price per request bills."""
    part = settled.part
    return (part.page_reads + part.demand.storage_requests) * transactions_per_s
