"""The closed sets of words used in code, flags and output."""

from __future__ import annotations

from enum import StrEnum


class Platform(StrEnum):
    """Where a database runs, and who runs it."""

    EC2 = "ec2"
    RDS = "rds"
    AURORA = "aurora"

    @property
    def is_managed(self) -> bool:
        """Whether AWS patches, backs up and fails over."""
        return self is not Platform.EC2


class Dialect(StrEnum):
    """The SQL that an application speaks; one competes at a time, ``any`` mixes them."""

    MYSQL = "mysql"
    POSTGRESQL = "postgresql"
    ANY = "any"


class Engine(StrEnum):
    """The database server."""

    MYSQL = "mysql"
    PERCONA_SERVER = "percona-server"
    MARIADB = "mariadb"
    MYROCKS = "myrocks"
    PXC = "pxc"
    POSTGRESQL = "postgresql"
    AURORA_MYSQL = "aurora-mysql"
    AURORA_POSTGRESQL = "aurora-postgresql"

    @property
    def dialect(self) -> Dialect:
        """The SQL dialect of the engine."""
        if self in (Engine.POSTGRESQL, Engine.AURORA_POSTGRESQL):
            return Dialect.POSTGRESQL
        return Dialect.MYSQL


#: Engines that a platform runs, the default one first.
ENGINES_ON = {
    Platform.EC2: (
        Engine.MYSQL,
        Engine.PERCONA_SERVER,
        Engine.MARIADB,
        Engine.MYROCKS,
        Engine.PXC,
        Engine.POSTGRESQL,
    ),
    Platform.RDS: (Engine.MYSQL, Engine.POSTGRESQL),
    Platform.AURORA: (Engine.AURORA_MYSQL, Engine.AURORA_POSTGRESQL),
}
#: MySQL servers whose default storage engine is InnoDB; they compete without a word.
INNODB_FAMILY = (Engine.MYSQL, Engine.PERCONA_SERVER, Engine.MARIADB)


class StorageType(StrEnum):
    """An EBS volume type, the instance's own disks, or Aurora storage under one of its tariffs."""

    GP2 = "gp2"
    GP3 = "gp3"
    IO1 = "io1"
    IO2 = "io2"
    NVME = "nvme"
    AURORA_STANDARD = "standard"
    AURORA_IO_OPTIMIZED = "io-optimized"

    @property
    def is_volatile(self) -> bool:
        """Whether the data are lost when the instance stops or its host fails."""
        return self is StorageType.NVME

    @property
    def is_provisioned(self) -> bool:
        """Whether IOPS are bought apart from capacity."""
        return self in (StorageType.GP3, StorageType.IO1, StorageType.IO2)

    @property
    def is_aurora(self) -> bool:
        """Whether it is Aurora's shared storage, which has no volume of its own."""
        return self in (StorageType.AURORA_STANDARD, StorageType.AURORA_IO_OPTIMIZED)


#: Volume types of EBS, on EC2 and under RDS.
EBS_TYPES = (StorageType.GP2, StorageType.GP3, StorageType.IO1, StorageType.IO2)
#: Storage types that a platform offers.
STORAGE_ON = {
    Platform.EC2: (*EBS_TYPES, StorageType.NVME),
    Platform.RDS: EBS_TYPES,
    Platform.AURORA: (StorageType.AURORA_STANDARD, StorageType.AURORA_IO_OPTIMIZED),
}


class Architecture(StrEnum):
    """Instruction set, as AWS spells it."""

    ARM64 = "arm64"
    X86_64 = "x86_64"


class Client(StrEnum):
    """Where the client runs, which sets the round trip of every statement."""

    LOCAL = "local"
    SAME_AZ = "same-az"
    CROSS_AZ = "cross-az"


class Durability(StrEnum):
    """``full``: every commit is on disk (flush_log_at_trx_commit=1, sync_binlog=1).

    ``relaxed``: 2 and 0.
    """

    FULL = "full"
    RELAXED = "relaxed"


class Availability(StrEnum):
    """How many copies serve.

    ``single``: one node; ``multi-az``: a primary and two semi-synchronous replicas on EC2, the
    Multi-AZ deployment of RDS, a writer and a reader of Aurora; ``cluster``: three nodes of PXC, a
    writer and two readers of Aurora.
    """

    SINGLE = "single"
    MULTI_AZ = "multi-az"
    CLUSTER = "cluster"


class Payment(StrEnum):
    """How much of a reserved term is paid at once; upfront is spread evenly over the term."""

    NONE = "none"
    PARTIAL = "partial"
    ALL = "all"


class Term(StrEnum):
    """Purchase term; reserved is the standard class, savings are Savings Plans.

    Compute Savings Plans on EC2, Database Savings Plans on RDS and Aurora.
    """

    ON_DEMAND = "on-demand"
    RESERVED_1Y = "reserved-1y"
    RESERVED_3Y = "reserved-3y"
    SAVINGS_1Y = "savings-1y"
    SAVINGS_3Y = "savings-3y"

    @property
    def is_reserved(self) -> bool:
        """Whether capacity of one type is reserved."""
        return self in (Term.RESERVED_1Y, Term.RESERVED_3Y)

    @property
    def is_savings(self) -> bool:
        """Whether an amount per hour is committed to."""
        return self in (Term.SAVINGS_1Y, Term.SAVINGS_3Y)


class Objective(StrEnum):
    """What the ranking maximises; DESIGN.md section 5."""

    BALANCED = "balanced"
    COST = "cost"
    THROUGHPUT = "throughput"
    VALUE = "value"


class Basis(StrEnum):
    """Where a predicted number comes from, strongest first.

    A prediction has that of its weakest part.
    """

    MEASURED = "measured"
    INTERPOLATED = "interpolated"
    SCALED = "scaled"
    TRANSFERRED = "transferred"
    ASSUMED = "assumed"

    @property
    def rank(self) -> int:
        """0 for the strongest basis."""
        return _RANKS[self]


_RANKS = {basis: rank for rank, basis in enumerate(Basis)}


class Station(StrEnum):
    """A place where a transaction spends time and that can be the bottleneck."""

    CPU = "cpu"
    VOLUME_IOPS = "volume-iops"
    VOLUME_THROUGHPUT = "volume-throughput"
    INSTANCE_EBS = "instance-ebs"
    COMMIT = "commit"
    MEMORY = "memory"
    NETWORK = "network"
