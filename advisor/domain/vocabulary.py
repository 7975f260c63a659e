"""The closed sets of words used in code, flags and output."""

from __future__ import annotations

from enum import StrEnum


class Platform(StrEnum):
    """Where a database runs."""

    EC2 = "ec2"


class Engine(StrEnum):
    """The database server."""

    MYSQL = "mysql"
    PERCONA_SERVER = "percona-server"
    MARIADB = "mariadb"


class Dialect(StrEnum):
    """One SQL dialect competes at a time."""

    MYSQL = "mysql"


class StorageType(StrEnum):
    """An EBS volume type, or the instance's own disks."""

    GP2 = "gp2"
    GP3 = "gp3"
    IO1 = "io1"
    IO2 = "io2"
    NVME = "nvme"

    @property
    def is_volatile(self) -> bool:
        """Whether the data are lost when the instance stops or its host fails."""
        return self is StorageType.NVME

    @property
    def is_provisioned(self) -> bool:
        """Whether IOPS are bought apart from capacity."""
        return self in (StorageType.GP3, StorageType.IO1, StorageType.IO2)


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
    """``single``: one node; ``multi-az``: a primary and two semi-synchronous replicas."""

    SINGLE = "single"
    MULTI_AZ = "multi-az"


class Term(StrEnum):
    """Purchase term. Reserved is standard, No Upfront."""

    ON_DEMAND = "on-demand"
    RESERVED_1Y = "reserved-1y"
    RESERVED_3Y = "reserved-3y"


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
        return list(Basis).index(self)


class Station(StrEnum):
    """A place where a transaction spends time and that can be the bottleneck."""

    CPU = "cpu"
    VOLUME_IOPS = "volume-iops"
    VOLUME_THROUGHPUT = "volume-throughput"
    INSTANCE_EBS = "instance-ebs"
    COMMIT = "commit"
    MEMORY = "memory"
    NETWORK = "network"
