"""What the user wants to run: the workload and its transaction profile."""

from __future__ import annotations

from advisor.domain.record import record
from advisor.domain.vocabulary import Availability, Client, Durability, Platform

#: Statements of one sysbench transaction: 10 point selects + 4 range reads, 4 writes (sysbench 1.0
#: oltp_*.lua).
READS_PER_TRANSACTION = 14.0
WRITES_PER_TRANSACTION = 4.0
#: Read share of the sysbench read-write transaction; above it 14 reads are kept, below it 4 writes.
MIXED_READ_RATIO = READS_PER_TRANSACTION / (READS_PER_TRANSACTION + WRITES_PER_TRANSACTION)
#: BEGIN and COMMIT.
TRANSACTION_STATEMENTS = 2.0


@record
class TransactionProfile:
    """The statements of one transaction."""

    name: str
    """``read``, ``mixed``, ``write``, ``point`` or the read share as a decimal."""
    reads: float
    """Read statements per transaction."""
    writes: float
    """Write statements per transaction."""
    statements: float
    """All statements per transaction, BEGIN and COMMIT included."""

    @property
    def read_ratio(self) -> float:
        """Reads ÷ (reads + writes), 0..1."""
        return self.reads / (self.reads + self.writes)

    @property
    def commits(self) -> float:
        """Commits per transaction that must reach the log: min(1, writes)."""
        return min(1.0, self.writes)


def profile_of_read_ratio(read_ratio: float, name: str | None = None) -> TransactionProfile:
    """Return the transaction of a read share in 0..1: 14 reads kept above 0.778, 4 writes below.

    Raises ValueError outside 0..1.
    """
    if not 0.0 <= read_ratio <= 1.0:
        raise ValueError(f"read share {read_ratio} is not between 0 and 1")
    if read_ratio >= MIXED_READ_RATIO:
        reads = READS_PER_TRANSACTION
        writes = reads * (1.0 - read_ratio) / read_ratio
    else:
        writes = WRITES_PER_TRANSACTION
        reads = writes * read_ratio / (1.0 - read_ratio)
    return TransactionProfile(
        name=name or f"{read_ratio:g}",
        reads=reads,
        writes=writes,
        statements=reads + writes + TRANSACTION_STATEMENTS,
    )


PROFILES = {
    "read": profile_of_read_ratio(1.0, "read"),
    "mixed": profile_of_read_ratio(MIXED_READ_RATIO, "mixed"),
    "write": profile_of_read_ratio(0.0, "write"),
    "point": TransactionProfile(name="point", reads=1.0, writes=0.0, statements=1.0),
}


@record
class Assumption:
    """A decision the user did not state: printed with every answer."""

    name: str
    """The field, as the flag without dashes spells it: ``data-size``."""
    value: str
    """The value used, formatted for people."""
    reason: str
    """Where it comes from."""


_NODES = {
    Availability.SINGLE: {},
    Availability.MULTI_AZ: {Platform.EC2: 3, Platform.AURORA: 2},
    Availability.CLUSTER: {Platform.EC2: 3, Platform.AURORA: 3},
}


@record
class Workload:
    """A described database workload."""

    threads: int
    """Concurrent client threads that always have a query to run (closed loop)."""
    profile: TransactionProfile
    data_gib: float
    """Data on disk, GiB."""
    hot_gib: float
    """The part touched, uniformly, GiB; at most ``data_gib``."""
    durability: Durability = Durability.FULL
    availability: Availability = Availability.SINGLE
    client: Client = Client.SAME_AZ
    target_tps: float | None = None
    """Transactions per second that must be reached with headroom; None: as fast as it goes."""
    headroom_ratio: float = 0.3
    """Share of every station kept free at the target rate, and of the IOPS and MiB/s bought."""
    max_p95_ms: float | None = None
    """Limit on the predicted p95 of a transaction at ``threads``; None: no limit."""
    connections: int | None = None
    """Open connections; only warns about pooling."""
    has_proxysql: bool = False
    """Whether ProxySQL stands between clients and server; adds its overhead."""
    assumed: tuple[Assumption, ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """Every field but the assumptions."""
        return (
            self.threads,
            self.profile,
            self.data_gib,
            self.hot_gib,
            self.durability,
            self.availability,
            self.client,
            self.target_tps,
            self.headroom_ratio,
            self.max_p95_ms,
            self.connections,
            self.has_proxysql,
        )

    @property
    def volume_gib(self) -> int:
        """Volume for the data: 1.3 × data + 20 GiB, rounded up (DESIGN.md section 5)."""
        return -int(-(1.3 * self.data_gib + 20.0) // 1)

    def nodes_on(self, platform: Platform) -> int:
        """Return the database nodes that are paid for on a platform.

        An RDS Multi-AZ deployment is one node with a price of its own.
        """
        return _NODES[self.availability].get(platform, 1)
