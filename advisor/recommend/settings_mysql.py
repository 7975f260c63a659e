"""Settings of the servers that speak MySQL's protocol: the InnoDB family, MyRocks and PXC.

Names are those of MySQL 8.4 (Percona Server and PXC 8.4), and of MariaDB 11.4 where they differ.
"As in the benchmarks" refers to the 2021 CPU runs (``data/conditions.csv``, readonly-*-2021).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import Layout
from advisor.domain.vocabulary import Engine, Platform, StorageType
from advisor.recommend.settings import MIB_PER_GIB, MYSQL_CONNECTION_MIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.recommend.settings import Row, Server

#: Redo log where nothing is written, and the most that is worth its recovery time, GiB.
LEAST_REDO_GIB, MOST_REDO_GIB = 2, 16
#: The redo log as a share of the buffer pool where the workload writes.
REDO_RATIO = 1 / 8
#: Instances of the buffer pool in the benchmarks, and the pool from which several pay, GiB.
POOL_INSTANCES = 8
#: Handlers that a connection keeps open: joins of a few tables.
TABLES_PER_CONNECTION = 4
LEAST_TABLE_CACHE, MOST_TABLE_CACHE = 4_000, 200_000
#: Processors from which the table cache is split further.
MANY_VCPU = 16
#: Background work of MyRocks: a fraction of the processors.
MOST_BACKGROUND_JOBS = 16
#: The write-set cache of PXC that spares a node the copy of all data after a short absence, GiB.
LEAST_GCACHE_GIB, MOST_GCACHE_GIB = 1, 16


def mysql_rows(server: Server) -> Iterator[Row]:
    """Yield (name, value, reason) for a server that speaks MySQL's protocol."""
    if server.engine is Engine.MYROCKS:
        yield from _rocksdb(server)
    else:
        yield from _pool(server)
    yield from _durability(server)
    if server.engine is not Engine.MYROCKS:
        yield from _writes(server)
    yield from _connections(server)
    yield from _binary_log(server)
    if server.engine is Engine.PXC and server.layout is Layout.CLUSTER:
        yield from _cluster(server)
    elif server.layout is Layout.REPLICAS:
        yield from _replicas(server)


def _pool(server: Server) -> Iterator[Row]:
    mib, is_reduced = server.pool_mib(MYSQL_CONNECTION_MIB)
    share = mib / MIB_PER_GIB / server.memory_gib
    if is_reduced:
        why = (
            f"{share:.0%} of memory: less than the {server.pool_gib:.3g} GiB that the prediction "
            f"supposes, to leave room for {server.max_connections:,} connections"
        )
    else:
        why = f"{share:.0%} of memory; the miss ratio supposes it"
    yield "innodb_buffer_pool_size", f"{mib}M", why
    if server.engine is not Engine.MARIADB and mib >= POOL_INSTANCES * MIB_PER_GIB:
        yield (
            "innodb_buffer_pool_instances",
            str(POOL_INSTANCES),
            "less contention on the pool's latches; as in the benchmarks",
        )


def _rocksdb(server: Server) -> Iterator[Row]:
    mib, is_reduced = server.pool_mib(MYSQL_CONNECTION_MIB)
    supposed = "what connections leave" if is_reduced else "the miss ratio supposes it"
    yield (
        "rocksdb_block_cache_size",
        f"{mib}M",
        f"{mib / MIB_PER_GIB / server.memory_gib:.0%} of memory; {supposed}",
    )
    yield "default_storage_engine", "ROCKSDB", "new tables go to MyRocks"
    yield "innodb_buffer_pool_size", "128M", "InnoDB keeps only system tables here"
    yield (
        "rocksdb_default_cf_options",
        "compression=kLZ4Compression;bottommost_compression=kZSTD",
        "fast codec above, dense one where most data lie: fewer bytes per read and on the volume",
    )
    yield (
        "rocksdb_use_direct_reads",
        "ON",
        "blocks are cached once, in the block cache",
    )
    yield (
        "rocksdb_use_direct_io_for_flush_and_compaction",
        "ON",
        "compaction does not push hot pages out of the operating system's cache",
    )
    yield (
        "rocksdb_max_background_jobs",
        str(max(2, min(MOST_BACKGROUND_JOBS, server.vcpu // 2))),
        "half of the processors for flushes and compaction",
    )
    yield (
        "transaction_isolation",
        "READ-COMMITTED",
        "MyRocks has no gap locks: statements that need them fail under REPEATABLE READ",
    )


def _durability(server: Server) -> Iterator[Row]:
    why = f"{server.workload.durability} durability"
    lost = "" if server.is_full else ": a crash of the system loses about the last second"
    name = (
        "rocksdb_flush_log_at_trx_commit"
        if server.engine is Engine.MYROCKS
        else "innodb_flush_log_at_trx_commit"
    )
    yield name, "1" if server.is_full else "2", why + lost
    apart = "" if server.is_full else ": tables and binary log may disagree after such a crash"
    yield "sync_binlog", "1" if server.is_full else "0", why + apart


def _writes(server: Server) -> Iterator[Row]:
    pool = server.pool_gib
    redo_gib = (
        max(LEAST_REDO_GIB, min(MOST_REDO_GIB, round(pool * REDO_RATIO)))
        if server.writes
        else LEAST_REDO_GIB
    )
    redo = "innodb_log_file_size" if server.engine is Engine.MARIADB else "innodb_redo_log_capacity"
    yield (
        redo,
        f"{redo_gib}G",
        "room for checkpoints to spread page writes"
        + ("; recovery reads it all" if redo_gib > LEAST_REDO_GIB else ""),
    )
    yield "innodb_log_buffer_size", "64M", "large transactions stay in memory; as in the benchmarks"
    capacity = server.io_capacity
    if capacity is not None and server.iops is not None:
        yield (
            "innodb_io_capacity",
            str(capacity),
            f"at most half of the {server.iops:,.0f} write IOPS that the storage sustains",
        )
        yield (
            "innodb_io_capacity_max",
            str(2 * capacity),
            "the rest of them, when checkpoints fall behind",
        )
    yield (
        "innodb_flush_method",
        "O_DIRECT",
        "pages are cached once, in the buffer pool; as in the benchmarks",
    )
    yield (
        "innodb_flush_neighbors",
        "0",
        "flash has no neighbours to gain from; as in the benchmarks",
    )
    yield "innodb_doublewrite", "ON", _doublewrite(server)


def _doublewrite(server: Server) -> str:
    if server.candidate.storage.type is StorageType.NVME:
        return "only with torn-write prevention and a matching file system may it be off"
    return "no EBS volume writes 16 KiB pages atomically for you by default"


def _connections(server: Server) -> Iterator[Row]:
    asked = server.workload.connections or server.workload.threads
    yield (
        "max_connections",
        str(server.max_connections),
        f"{asked:,} expected, a quarter or more to spare; about {MYSQL_CONNECTION_MIB:g} MiB each",
    )
    tables = min(
        MOST_TABLE_CACHE,
        max(LEAST_TABLE_CACHE, TABLES_PER_CONNECTION * server.max_connections),
    )
    yield (
        "table_open_cache",
        str(tables),
        "every connection opens its own handler of each table; the benchmarks had 200000",
    )
    if server.vcpu >= MANY_VCPU and server.engine is not Engine.MARIADB:
        yield "table_open_cache_instances", "64", "less contention; as in the benchmarks"
    yield (
        "max_prepared_stmt_count",
        "1000000",
        "one set of statements per connection; as in the benchmarks",
    )


def _binary_log(server: Server) -> Iterator[Row]:
    if server.candidate.platform is not Platform.EC2:
        return
    streamed = (
        "; stream it off the host, local disks are volatile"
        if server.candidate.storage.type is StorageType.NVME
        else ""
    )
    yield (
        "log_bin",
        "ON",
        "restores to a point in time and replicas need it; the read benchmarks ran without"
        + streamed,
    )
    yield (
        "binlog_expire_logs_seconds",
        "259200",
        "three days: longer than a backup or a replica may be behind; counts in the volume's size",
    )


def _replicas(server: Server) -> Iterator[Row]:
    maria = server.engine is Engine.MARIADB
    prefix = "rpl_semi_sync_master" if maria else "rpl_semi_sync_source"
    if not maria:
        yield "gtid_mode", "ON", "fail-over finds the position by itself"
        yield "enforce_gtid_consistency", "ON", "gtid_mode needs it"
    yield f"{prefix}_enabled", "ON", "a commit waits until one replica has it"
    yield (
        f"{prefix}_wait_point",
        "AFTER_SYNC",
        "nobody sees a commit that a fail-over could lose",
    )
    yield (
        f"{prefix}_timeout",
        "10000",
        "after 10 s without an answer commits go on unprotected: raise it to prefer waiting",
    )
    yield (
        "slave_parallel_threads" if maria else "replica_parallel_workers",
        str(max(4, min(16, server.vcpu))),
        "a replica applies as fast as the primary commits",
    )


def _cluster(server: Server) -> Iterator[Row]:
    gcache = max(LEAST_GCACHE_GIB, min(MOST_GCACHE_GIB, round(server.workload.data_gib / 50)))
    yield "wsrep_provider", "libgalera_smm.so", "the replication library, with its full path"
    yield (
        "wsrep_cluster_address",
        "gcomm://NODE1,NODE2,NODE3",
        "all nodes, each in a zone of its own",
    )
    yield (
        "wsrep_provider_options",
        f"gcache.size={gcache}G",
        "a node that was away shortly catches up instead of being copied whole (SST)",
    )
    yield (
        "wsrep_applier_threads",
        str(max(2, min(32, 2 * server.vcpu))),
        "two per processor; too few, and flow control stops the whole cluster",
    )
    yield "pxc_strict_mode", "ENFORCING", "refuses what certification cannot replicate"
    yield "innodb_autoinc_lock_mode", "2", "rows are replicated, and nodes interleave their keys"
    yield "binlog_format", "ROW", "certification works on rows"
