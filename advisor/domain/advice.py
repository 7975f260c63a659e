"""What an expert knows beside the numbers: what failures lose, which versions live, disputes.

Owns the values; the facts behind them are rows of ``data/advice/`` with a source and a date.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from advisor.domain.evidence import Source
    from advisor.domain.recommendation import Setting


class Failure(StrEnum):
    """What can fail, the smallest first."""

    PROCESS_CRASH = "process-crash"
    OS_CRASH = "os-crash"
    HOST_FAILURE = "host-failure"
    """The host fails, or the instance is stopped."""
    VOLUME_LOSS = "volume-loss"
    AZ_LOSS = "az-loss"


class Layout(StrEnum):
    """How many copies of the database there are, and how they are kept alike."""

    SINGLE = "single"
    REPLICAS = "replicas"
    """A primary and two semi-synchronous replicas on EC2, each in a zone of its own."""
    CLUSTER = "cluster"
    """Nodes that certify every transaction (PXC)."""
    MULTI_AZ = "multi-az"
    """RDS with a standby in another zone."""
    READERS = "readers"
    """An Aurora writer with readers in other zones."""


class Rpo(StrEnum):
    """Class of what may be lost (recovery point), the least first."""

    NONE = "none"
    LAST_SECOND = "last-second"
    LAST_LOG = "last-log"
    """Since the last log file was shipped: minutes."""
    LAST_BACKUP = "last-backup"

    @property
    def rank(self) -> int:
        """0 for the least loss."""
        return list(Rpo).index(self)


class Rto(StrEnum):
    """Class of how long the service is away (recovery time), the shortest first."""

    SECONDS = "seconds"
    MINUTES = "minutes"
    HOURS = "hours"

    @property
    def rank(self) -> int:
        """0 for the shortest."""
        return list(Rto).index(self)


class DurabilityFact(NamedTuple):
    """One row of ``data/advice/durability.csv``; ``any`` stands for every word of its column."""

    platform: str
    layout: str
    storage: str
    """``ebs``, ``nvme``, ``aurora`` or ``any``."""
    dialect: str
    durability: str
    failure: str
    lost: str
    rpo: str
    rto: str
    recovery: str
    as_of: str
    source_id: str


class EngineVersion(NamedTuple):
    """How long one version of an engine is supported on a platform."""

    platform: str
    engine: str
    version: str
    support_until: str
    """Last day of community or standard support; ISO date or its known prefix."""
    charged_from: str | None
    """First day that extended support is charged; None: there is none, or it is not dated."""
    dearer_from: str | None
    """First day of the last year's charge; None: the charge does not rise, or it is not dated."""
    charged_until: str | None
    """Last day of extended support; None as for ``charged_from``."""
    as_of: str
    source_id: str


class ExtendedSupportCharge(NamedTuple):
    """What extended support costs in a region."""

    region: str
    period: str
    """``first-years`` or ``last-year``."""
    usd_per_vcpu_hour: Decimal
    as_of: str
    source_id: str


class Standing(StrEnum):
    """Where a side of a contested claim stands."""

    INDEPENDENT = "independent"
    VENDOR = "vendor"
    """Its publisher makes or sells one of what it compares."""
    WITHDRAWN = "withdrawn"
    """Its publisher took it back."""


class ContestedSide(NamedTuple):
    """One side of a contested claim."""

    text: str
    source_id: str
    standing: str
    cells: int | None
    """Measured cells that bear it out; None: no figures were published."""
    of: int | None
    """Cells that were compared."""
    weight: float
    """0..1; the two sides add up to 1 (docs/model.md says how)."""


class Contested(NamedTuple):
    """One row of ``data/advice/contested.csv``; an empty tuple does not restrict."""

    claim: str
    statement: str
    """What the first side claims and the second disputes."""
    platform: str
    engines: tuple[str, ...]
    families: tuple[str, ...]
    storage: tuple[str, ...]
    load: str
    """``write``: only where the workload writes; else ``any``."""
    most_threads: int | None
    """Beyond these threads nobody disputes it."""
    sides: tuple[ContestedSide, ...]
    belief: str
    """What the tool does with it."""
    as_of: str


class BenchmarkCondition(NamedTuple):
    """The server settings that a set of measurements ran with."""

    source_id: str
    condition_id: str
    server_settings: str
    """``name=value; name=value``."""


class Advice(NamedTuple):
    """The facts that advice is made from."""

    durability: tuple[DurabilityFact, ...]
    versions: tuple[EngineVersion, ...]
    charges: tuple[ExtendedSupportCharge, ...]
    contested: tuple[Contested, ...]
    conditions: tuple[BenchmarkCondition, ...]
    sources: Mapping[str, Source]


@record
class Loss:
    """One line of the ledger: what one failure does to a candidate."""

    failure: Failure
    lost: str
    rpo: Rpo
    rto: Rto
    recovery: str
    """How the service comes back."""
    as_of: str
    """Date of the fact."""
    source: Source


@record
class Dispute:
    """A contested claim that touches what is shown."""

    fact: Contested
    sources: tuple[Source, ...]
    """Of the sides, in their order."""
    configs: tuple[str, ...]
    """CONFIGs of the rows that it touches."""


@record
class BenchmarkSettings:
    """Server settings of measurements, as their conditions."""

    settings: tuple[tuple[str, str], ...]
    """(name, value), in the order of the configuration."""
    conditions: tuple[str, ...]
    """Ids of the conditions that share these settings."""
    sources: tuple[Source, ...]


@record
class Counsel:
    """What goes with a configuration beside its numbers."""

    settings: tuple[Setting, ...]
    """Server settings that the prediction supposes."""
    durability: tuple[Loss, ...]
    """What each failure loses, the smallest failure first."""
    notes: tuple[str, ...]
    """For the client's side: retries, pooling, reads, zone."""
    migration: str
    """How to get there."""
    benchmark_settings: tuple[BenchmarkSettings, ...]
    """Settings that the evidence was measured with."""
