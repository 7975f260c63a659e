"""Server settings that go with a pick: what the prediction supposes, and what a careful DBA adds.

``settings_of`` chooses by platform and engine; the InnoDB family stands in ``settings_innodb``,
PostgreSQL in ``settings_postgresql``. Sizes that the prediction supposes come in as arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.recommendation import Setting
from advisor.domain.vocabulary import Dialect, Durability, Platform
from advisor.recommend.ledger import layout_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.domain.advice import Layout
    from advisor.domain.candidate import Candidate
    from advisor.domain.vocabulary import Engine
    from advisor.domain.workload import Workload

#: Name, value, reason.
Row = tuple[str, str, str]

MIB_PER_GIB = 1024
#: Memory of one idle connection with small session buffers (256 KiB sort and join buffers, as the
#: benchmarks had them): thread stack of 1 MiB, network and session buffers.
MYSQL_CONNECTION_MIB = 2.0
#: A PostgreSQL backend with its catalogue caches and page tables.
POSTGRESQL_CONNECTION_MIB = 5.0
#: Memory of the operating system, the server beyond its pool and a monitoring agent.
SYSTEM_GIB = 0.75
#: The default of MySQL; PostgreSQL's is 100.
LEAST_CONNECTIONS = 151
#: Connections kept free above those expected: deploys, replicas, monitoring, an administrator.
SPARE_CONNECTIONS_RATIO = 0.25
#: MySQL's bounds for innodb_io_capacity that make sense on flash.
LEAST_IO_CAPACITY, MOST_IO_CAPACITY = 200, 20_000


class Server(NamedTuple):
    """What settings are made from: the candidate, the workload and what the storage sustains."""

    candidate: Candidate
    workload: Workload
    pool_gib: float
    """Cache that the prediction supposes."""
    iops: float | None
    """Writes per second that the storage sustains; None: not a property of it (Aurora)."""

    @property
    def engine(self) -> Engine:
        """The engine."""
        return self.candidate.engine

    @property
    def layout(self) -> Layout:
        """How copies are kept."""
        return layout_of(self.candidate)

    @property
    def is_full(self) -> bool:
        """Whether every commit must be on disk."""
        return self.workload.durability is Durability.FULL

    @property
    def writes(self) -> bool:
        """Whether the workload writes."""
        return self.workload.profile.writes > 0.0

    @property
    def vcpu(self) -> int:
        """Processors of one node."""
        return self.candidate.instance.vcpu

    @property
    def memory_gib(self) -> float:
        """Memory of one node."""
        return self.candidate.instance.memory_gib

    @property
    def max_connections(self) -> int:
        """Connections expected, with some to spare, rounded up to tens."""
        expected = max(self.workload.threads, self.workload.connections or 0)
        wanted = expected * (1.0 + SPARE_CONNECTIONS_RATIO) + 10
        return max(LEAST_CONNECTIONS, -int(-wanted // 10) * 10)

    def pool_mib(self, connection_mib: float) -> tuple[int, bool]:
        """Return the pool in MiB, and whether connections left less than the prediction supposes.

        At least a quarter of the memory, however many connections are asked for.
        """
        room = self.memory_gib - SYSTEM_GIB - self.max_connections * connection_mib / MIB_PER_GIB
        pool = min(self.pool_gib, max(room, self.memory_gib / 4.0))
        return max(128, int(pool * MIB_PER_GIB)), pool < self.pool_gib

    @property
    def io_capacity(self) -> int | None:
        """Half of the write IOPS of the storage, in hundreds; None where they are unknown."""
        if self.iops is None:
            return None
        half = int(self.iops) // 2 // 100 * 100
        return max(LEAST_IO_CAPACITY, min(MOST_IO_CAPACITY, half))


def settings_of(
    candidate: Candidate, workload: Workload, pool_gib: float, iops: float | None
) -> tuple[Setting, ...]:
    """Return the settings of one node, the most important first.

    ``pool_gib`` is the cache that the prediction supposes: the buffer pool of InnoDB, the block
    cache of MyRocks, memory for pages of PostgreSQL and its operating system. ``iops`` are the
    writes per second that the storage and the instance sustain; None for Aurora.
    """
    server = Server(candidate, workload, pool_gib, iops)
    return tuple(
        Setting(name=name, value=value, reason=reason) for name, value, reason in _rows(server)
    )


def _rows(server: Server) -> Iterator[Row]:
    is_postgresql = server.engine.dialect is Dialect.POSTGRESQL
    if is_postgresql:
        from advisor.recommend.settings_postgresql import postgresql_rows

        rows: Iterable[Row] = postgresql_rows(server)
    else:
        from advisor.recommend.settings_mysql import mysql_rows

        rows = mysql_rows(server)
    if server.candidate.platform is not Platform.EC2:
        from advisor.recommend.settings_managed import managed_rows

        rows = managed_rows(server, rows)
    yield from rows
