"""Settings of PostgreSQL, for versions 14 to 17."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import Layout
from advisor.domain.vocabulary import StorageType
from advisor.recommend.settings import MIB_PER_GIB, POSTGRESQL_CONNECTION_MIB

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.recommend.settings import Row, Server

#: Share of memory that PostgreSQL's manual gives as a start for its own buffers.
SHARED_BUFFERS_RATIO = 0.25
#: Log between checkpoints: a read load's, and the bounds of a writing one's, GiB.
READ_WAL_GIB, LEAST_WAL_GIB, MOST_WAL_GIB = 4, 8, 64
#: The log must leave the volume to the data.
WAL_OF_VOLUME_RATIO = 0.1
#: Share of memory that sorts and hashes of all connections may take together.
WORK_RATIO = 0.1
LEAST_WORK_MIB, MOST_WORK_MIB = 4, 256
#: IOPS behind one outstanding prefetch, and the range that the server takes.
IOPS_PER_PREFETCH = 50
MOST_PREFETCHES = 1_000
LEAST_PREFETCHES = 16


def postgresql_rows(server: Server) -> Iterator[Row]:
    """Yield (name, value, reason) for PostgreSQL."""
    yield from _memory(server)
    yield from _durability(server)
    yield from _log(server)
    yield from _planner(server)
    if server.layout is Layout.REPLICAS:
        yield (
            "synchronous_standby_names",
            "ANY 1 (*)",
            "a commit waits until one standby has it"
            if server.is_full
            else "has no effect while synchronous_commit is off",
        )
        yield "wal_level", "replica", "standbys and restores to a point in time need it"


def _memory(server: Server) -> Iterator[Row]:
    shared = max(128, int(server.memory_gib * SHARED_BUFFERS_RATIO * MIB_PER_GIB))
    cached, is_reduced = server.pool_mib(POSTGRESQL_CONNECTION_MIB)
    asked = server.workload.connections or server.workload.threads
    work = server.memory_gib * WORK_RATIO * MIB_PER_GIB / server.max_connections
    yield (
        "shared_buffers",
        f"{shared}MB",
        f"{SHARED_BUFFERS_RATIO:.0%} of memory; the operating system caches the rest",
    )
    yield (
        "effective_cache_size",
        f"{max(cached, shared)}MB",
        "what both caches hold"
        + (
            f": connections leave less than the {server.pool_gib:.3g} GiB that the prediction "
            "supposes"
            if is_reduced
            else "; the miss ratio supposes it"
        ),
    )
    yield (
        "max_connections",
        str(server.max_connections),
        (
            f"{asked:,} expected, a quarter or more to spare; about "
            f"{POSTGRESQL_CONNECTION_MIB:g} MiB each"
        ),
    )
    yield (
        "work_mem",
        f"{max(LEAST_WORK_MIB, min(MOST_WORK_MIB, int(work)))}MB",
        f"{WORK_RATIO:.0%} of memory if every connection sorts at once",
    )
    yield (
        "maintenance_work_mem",
        f"{max(64, min(2048, int(server.memory_gib * MIB_PER_GIB / 20)))}MB",
        "vacuum and index builds pass over their tables once",
    )
    yield "huge_pages", "try", "smaller page tables for large shared buffers"


def _durability(server: Server) -> Iterator[Row]:
    yield (
        "synchronous_commit",
        "on" if server.is_full else "off",
        f"{server.workload.durability} durability"
        + ("" if server.is_full else ": a crash loses up to three times wal_writer_delay"),
    )
    yield "fsync", "on", "off risks the whole cluster, not the last second"
    yield "full_page_writes", "on", "no EBS volume writes 8 KiB pages atomically for you by default"


def _log(server: Server) -> Iterator[Row]:
    yield "wal_buffers", "64MB", "bursts of commits do not wait for the log buffer"
    size = READ_WAL_GIB
    if server.writes:
        size = int(max(LEAST_WAL_GIB, min(MOST_WAL_GIB, server.memory_gib / 2)))
    limit = max(1, int(server.candidate.storage.size_gib * WAL_OF_VOLUME_RATIO))
    yield (
        "max_wal_size",
        f"{min(size, limit) if not server.candidate.storage.type.is_aurora else size}GB",
        "checkpoints come by time, not by volume: fewer full pages in the log",
    )
    yield "checkpoint_timeout", "15min", "fewer full pages in the log; recovery takes longer"
    yield (
        "checkpoint_completion_target",
        "0.9",
        "page writes are spread over the time between checkpoints",
    )
    if server.writes:
        yield "wal_compression", "lz4", "smaller full pages for little CPU"


def _planner(server: Server) -> Iterator[Row]:
    yield "random_page_cost", "1.1", "flash reads at random almost as fast as in order"
    local = server.candidate.storage.type is StorageType.NVME
    ahead = LEAST_PREFETCHES if server.iops is None else int(server.iops) // IOPS_PER_PREFETCH
    yield (
        "effective_io_concurrency",
        str(max(LEAST_PREFETCHES, min(MOST_PREFETCHES if local else 256, ahead))),
        "outstanding reads that the storage takes"
        + ("" if server.iops is None else f": {server.iops:,.0f} IOPS"),
    )
