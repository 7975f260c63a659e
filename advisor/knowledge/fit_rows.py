"""Reads the observations that the model is fitted on into plain values.

Each query names the rows that count.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from advisor.knowledge.space import INSTANCE_COLUMNS, instance_of
from advisor.prediction.fit_input import (
    CurvePoint,
    DataSizePoint,
    DurabilityPair,
    EnginePeak,
    FitInput,
    LocalDiskPoint,
    RoundTripPoint,
    ServerPoint,
    SweepPoint,
    TpccPeak,
    VolumePoint,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from advisor.domain.instance import InstanceType

_PIVOT = "max(value) FILTER (metric = '{}')"


def _metric(name: str) -> str:
    return _PIVOT.format(name)


def fit_input(connection: DuckDBPyConnection) -> FitInput:
    """Return everything that one fit reads, in a fixed order."""
    return FitInput(
        types=_types(connection),
        curve_points=_curve_points(connection),
        scores=_scores(connection),
        volume_points=_volume_points(connection),
        server_points=_server_points(connection),
        data_size_points=_data_size_points(connection, "percona-server", "io1"),
        durability_pairs=_durability_pairs(connection),
        local_disk_points=_local_disk_points(connection),
        round_trip_points=_round_trip_points(connection),
        local_sync_ms=_local_sync_ms(connection),
        engine_peaks=_engine_peaks(connection),
        cluster_peaks=_cluster_peaks(connection),
        tpcc_peaks=_tpcc_peaks(connection),
        aurora_points=_data_size_points(connection, "aurora-mysql", "aurora"),
        sweep_points=_sweep_points(connection),
        proxysql_ratios=_proxysql_ratios(connection),
        dates=_dates(connection),
    )


def _types(connection: DuckDBPyConnection) -> tuple[InstanceType, ...]:
    rows = connection.execute(
        f"SELECT {INSTANCE_COLUMNS} FROM instance_types "  # noqa: S608 (column names of our own schema)
        "WHERE NOT is_bare_metal AND ebs_baseline_iops IS NOT NULL AND threads_per_core IS NOT "
        "NULL "
        "ORDER BY instance_type"
    ).fetchall()
    return tuple(instance_of(row) for row in rows)


def _curve_points(connection: DuckDBPyConnection) -> tuple[CurvePoint, ...]:
    rows = connection.execute(
        f"SELECT source_id, instance_type, threads, {_metric('transactions_per_s')}, "  # noqa: S608 (column names of our own schema)
        f"{_metric('latency_p95_ms')} / {_metric('latency_avg_ms')}, "
        "max(spread_cv) FILTER (metric = 'transactions_per_s') "
        "FROM observations WHERE workload = 'oltp_read_only' AND series LIKE 'readonly-%' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        CurvePoint(
            source=source,
            instance_type=name,
            threads=threads,
            transactions_per_s=rate,
            p95_ratio=max(1.0, ratio),
            spread_cv=spread,
        )
        for source, name, threads, rate, ratio, spread in rows
    )


def _scores(connection: DuckDBPyConnection) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    rows = connection.execute(
        "SELECT instance_type, metric, value FROM cpu_scores "
        "UNION ALL SELECT instance_type, 'coremark', iterations_per_s FROM coremark ORDER BY ALL"
    ).fetchall()
    for name, metric, value in rows:
        scores[name][metric] = value
    return dict(scores)


def _volume_points(connection: DuckDBPyConnection) -> tuple[VolumePoint, ...]:
    rows = connection.execute(
        f"SELECT storage_type, workload, threads, {_metric('iops')}, {_metric('latency_avg_ms')}, "  # noqa: S608 (column names of our own schema)
        f"{_metric('latency_p95_ms')}, {_metric('variation_cv')} "
        "FROM observations WHERE source_id = 'pboros_ebs_2021' GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        VolumePoint(
            storage_type=storage,
            mode=mode,
            threads=threads,
            iops=iops,
            latency_avg_ms=mean,
            latency_p95_ms=p95,
            variation_cv=cv,
        )
        for storage, mode, threads, iops, mean, p95, cv in rows
    )


def _server_points(connection: DuckDBPyConnection) -> tuple[ServerPoint, ...]:
    rows = connection.execute(
        "SELECT engine, engine_version, client, workload, buffer_pool_gib, threads, value FROM "
        "observations "
        "WHERE source_id = 'percona_engines_2026' AND metric = 'transactions_per_s' ORDER BY ALL"
    ).fetchall()
    return tuple(
        ServerPoint(
            engine=engine,
            engine_version=version,
            client=client,
            workload=workload,
            buffer_pool_gib=pool,
            threads=threads,
            transactions_per_s=rate,
        )
        for engine, version, client, workload, pool, threads, rate in rows
    )


def _data_size_points(
    connection: DuckDBPyConnection, engine: str, storage: str
) -> tuple[DataSizePoint, ...]:
    rows = connection.execute(
        "SELECT read_ratio, coalesce(storage_iops, 0), memory_gib, data_gib, value "
        "FROM observations WHERE source_id = 'percona_aurora_vs_ps_201511' "
        "AND metric = 'transactions_per_s' AND engine = ? AND storage_type = ? ORDER BY ALL",
        [engine, storage],
    ).fetchall()
    return tuple(
        DataSizePoint(
            read_ratio=ratio,
            storage_iops=iops,
            memory_gib=memory,
            data_gib=data,
            transactions_per_s=rate,
        )
        for ratio, iops, memory, data, rate in rows
    )


def _engine_peaks(connection: DuckDBPyConnection) -> tuple[EnginePeak, ...]:
    rows = connection.execute(
        "SELECT engine, replace(instance_type, 'db.', '') AS name, max(vcpu), max(value) "
        "FROM observations WHERE source_id = 'gnosia93_graviton2_2021' "
        "AND metric = 'transactions_per_s' AND series NOT LIKE '%suspect-duplicate' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        EnginePeak(engine=engine, instance_type=name, vcpu=vcpu, transactions_per_s=rate)
        for engine, name, vcpu, rate in rows
    )


def _cluster_peaks(connection: DuckDBPyConnection) -> dict[str, float]:
    rows = connection.execute(
        "SELECT engine, max(value) FROM observations "
        "WHERE source_id = 'percona_aurora_pxc_rds_202005' AND metric = 'transactions_per_s' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return dict(rows)


def _tpcc_peaks(connection: DuckDBPyConnection) -> tuple[TpccPeak, ...]:
    rows = connection.execute(
        "SELECT source_id, replace(instance_type, 'db.', '') AS name, max(value) FROM observations "
        "WHERE source_id IN ('percona_aurora_pxc_rds_202005', 'benchant_dbaas_2023') "
        "AND workload = 'tpcc' AND engine = 'mysql' AND metric = 'transactions_per_s' "
        "GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        TpccPeak(source=source, instance_type=name, transactions_per_s=rate)
        for source, name, rate in rows
    )


def _sweep_points(connection: DuckDBPyConnection) -> tuple[SweepPoint, ...]:
    rows = connection.execute(
        "SELECT engine, storage_iops, memory_gib, data_gib, value FROM observations "
        "WHERE source_id = 'percona_iops_sweep_201808' AND metric = 'transactions_per_s' "
        "AND series = 'io1' ORDER BY ALL"
    ).fetchall()
    return tuple(
        SweepPoint(
            engine=engine, iops=iops, memory_gib=memory, data_gib=data, transactions_per_s=rate
        )
        for engine, iops, memory, data, rate in rows
    )


def _proxysql_ratios(connection: DuckDBPyConnection) -> tuple[float, ...]:
    rows = connection.execute(
        "SELECT value FROM observations WHERE metric = 'proxysql_ratio' ORDER BY ALL"
    ).fetchall()
    return tuple(ratio for (ratio,) in rows)


def _dates(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the dates of the sources that measured something."""
    rows = connection.execute(
        "SELECT source_id, date FROM sources WHERE source_id IN (SELECT source_id FROM "
        "observations UNION SELECT source_id FROM cpu_scores) AND date IS NOT NULL ORDER BY ALL"
    ).fetchall()
    return {source: str(date) for source, date in rows}


def _durability_pairs(connection: DuckDBPyConnection) -> tuple[DurabilityPair, ...]:
    rows = connection.execute(
        "SELECT platform, instance_type, storage_type, max(value) FILTER (metric = 'sync_avg_ms'), "
        "max(value) FILTER (durability = 'full' AND metric = 'transactions_per_s') AS full_rate, "
        "max(value) FILTER (durability = 'relaxed' AND metric = 'transactions_per_s') "
        "FROM observations WHERE source_id = 'jfg_sync_latency_2019' GROUP BY ALL "
        "HAVING full_rate IS NOT NULL ORDER BY ALL"
    ).fetchall()
    return tuple(
        DurabilityPair(sync_ms=sync, full_per_s=full, relaxed_per_s=relaxed)
        for *_, sync, full, relaxed in rows
    )


def _local_disk_points(connection: DuckDBPyConnection) -> tuple[LocalDiskPoint, ...]:
    rows = connection.execute(
        f"SELECT instance_type, {_metric('read_iops')}, {_metric('read_throughput_mib_per_s')}, "  # noqa: S608 (column names of our own schema)
        f"{_metric('write_iops')}, {_metric('write_throughput_mib_per_s')} "
        "FROM observations WHERE source_id = 'scylla_aws_io_params' GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        LocalDiskPoint(
            read_iops=read, read_mib_per_s=read_mib, write_iops=write, write_mib_per_s=write_mib
        )
        for _, read, read_mib, write, write_mib in rows
    )


def _round_trip_points(connection: DuckDBPyConnection) -> tuple[RoundTripPoint, ...]:
    rows = connection.execute(
        "SELECT engine, instance_type, client = 'cross-az', min(value) FROM observations "
        "WHERE source_id = 'gnosia93_graviton2_2021' AND metric = 'latency_min_ms' "
        "AND coalesce(note, '') NOT LIKE '%suspect duplicate%' GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return tuple(
        RoundTripPoint(engine=engine, is_cross_az=far, latency_min_ms=least)
        for engine, _, far, least in rows
    )


def _local_sync_ms(connection: DuckDBPyConnection) -> float:
    row = connection.execute(
        "SELECT value FROM observations WHERE source_id = 'jfg_sync_latency_2019' "
        "AND platform = 'ec2' AND metric = 'sync_avg_ms'"
    ).fetchone()
    if row is None:
        raise ValueError("no synced write on local NVMe among the observations")
    return float(row[0])
