"""The observations that the model is fitted on, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.instance import InstanceType


@record
class CurvePoint:
    """One measured point of the read-only in-memory runs (client on the host)."""

    source: str
    """Source of the point, as ``dates`` knows it."""
    instance_type: str
    threads: int
    transactions_per_s: float
    p95_ratio: float
    """p95 ÷ mean response time."""
    spread_cv: float | None
    """CV over repeats; None: one run."""


@record
class VolumePoint:
    """One cell of the EBS fileio runs, 16 KiB O_DIRECT."""

    storage_type: str
    mode: str
    """``fileio_rndrd``, ``fileio_rndwr``, ``fileio_rndrw``."""
    threads: int
    iops: float
    latency_avg_ms: float
    latency_p95_ms: float
    variation_cv: float


@record
class ServerPoint:
    """One cell of the bare-metal engine runs."""

    engine: str
    engine_version: str
    client: str
    workload: str
    buffer_pool_gib: float
    threads: int
    transactions_per_s: float


@record
class DataSizePoint:
    """One cell of the 2015 runs of Percona Server on EBS by data size."""

    read_ratio: float
    storage_iops: float
    memory_gib: float
    data_gib: float
    transactions_per_s: float


@record
class DurabilityPair:
    """Single-row inserts at both durability settings on one host."""

    sync_ms: float
    full_per_s: float
    relaxed_per_s: float


@record
class LocalDiskPoint:
    """iotune's figures of one local disk."""

    read_iops: float
    read_mib_per_s: float
    write_iops: float
    write_mib_per_s: float


@record
class RoundTripPoint:
    """Least latency of the 20-statement transaction seen from one client placement."""

    engine: str
    is_cross_az: bool
    latency_min_ms: float


@record
class EnginePeak:
    """Peak throughput of an engine on an instance, oltp_read_write with enough threads."""

    engine: str
    instance_type: str
    """The EC2 type behind a database class."""
    vcpu: int
    transactions_per_s: float


@record
class TpccPeak:
    """Peak of TPC-C on RDS MySQL that threads, not storage, limit."""

    source: str
    instance_type: str
    """The EC2 type behind the database class."""
    transactions_per_s: float


@record
class SweepPoint:
    """One cell of the TPC-C runs on one host over bought IOPS."""

    engine: str
    iops: float
    memory_gib: float
    data_gib: float
    transactions_per_s: float


@record
class FitInput:
    """Everything that one fit reads."""

    types: tuple[InstanceType, ...]
    curve_points: tuple[CurvePoint, ...]
    scores: dict[str, dict[str, float]]
    """instance type → metric → score."""
    volume_points: tuple[VolumePoint, ...]
    server_points: tuple[ServerPoint, ...]
    data_size_points: tuple[DataSizePoint, ...]
    durability_pairs: tuple[DurabilityPair, ...]
    local_disk_points: tuple[LocalDiskPoint, ...]
    round_trip_points: tuple[RoundTripPoint, ...]
    local_sync_ms: float
    """Mean latency of a synced 4 KiB write on local NVMe (ioping on m5d), ms."""
    engine_peaks: tuple[EnginePeak, ...]
    cluster_peaks: dict[str, float]
    """engine → peak of TPC-C on three nodes of the same class; ``mysql`` ran under RDS."""
    tpcc_peaks: tuple[TpccPeak, ...]
    aurora_points: tuple[DataSizePoint, ...]
    """The 2015 runs of Aurora by data size; ``storage_iops`` is 0."""
    sweep_points: tuple[SweepPoint, ...]
    proxysql_ratios: tuple[float, ...]
    """Throughput through ProxySQL ÷ direct."""
    dates: dict[str, str]
    """source_id → when it was measured or published, ISO date or as much of it as is known."""
