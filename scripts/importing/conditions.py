"""The conditions under which the observations were made: tool, client, server settings."""

from __future__ import annotations

from typing import NamedTuple


class Condition(NamedTuple):
    """One row of ``data/conditions.csv``."""

    condition_id: str
    source_id: str
    tool: str
    client: str
    server_settings: str
    """``key=value`` pairs separated by ``; ``; empty where not known."""
    description: str


COLUMNS = Condition._fields

CPU_RUN_SETTINGS = "; ".join(
    (
        "ssl=0",
        "performance_schema=OFF",
        "skip_log_bin=1",
        "table_open_cache=200000",
        "table_open_cache_instances=64",
        "back_log=3500",
        "max_connections=4000",
        "join_buffer_size=256K",
        "sort_buffer_size=256K",
        "innodb_file_per_table=1",
        "innodb_log_file_size=2G",
        "innodb_log_files_in_group=2",
        "innodb_buffer_pool_size=80% of memory",
        "innodb_buffer_pool_instances=8",
        "innodb_page_cleaners=8",
        "innodb_log_buffer_size=64M",
        "innodb_flush_log_at_trx_commit=1",
        "innodb_doublewrite=1",
        "innodb_flush_method=O_DIRECT",
        "innodb_io_capacity=2000",
        "innodb_io_capacity_max=4000",
        "innodb_flush_neighbors=0",
        "max_prepared_stmt_count=1000000",
    )
)
BASE_2020_SETTINGS = (
    "ssl=0; performance_schema=OFF; skip_log_bin=1; innodb_flush_log_at_trx_commit=1; "
    "innodb_doublewrite=1; innodb_flush_method=O_DIRECT; innodb_flush_neighbors=0"
)

_READ_ONLY = (
    "oltp_read_only in memory: 14 reads between BEGIN and COMMIT, 16 queries per transaction, on "
    "one table of 100,000 rows (25 MB); client and server share the instance; the gp2 root volume "
    "is not used by the load. Median over repeats of 300 s"
)
_SIDE = (
    "Short runs beside the database tests: primes, mutex threads, memory writes, buffered mixed "
    "file I/O with an fsync per 100 requests on the gp2 root volume"
)
_TPCC_RELAXED = "sync_binlog between 1000 and 10000: a crash may lose transactions"
_ENGINES_2026 = (
    "oltp_read_only and oltp_read_write, 900 s, buffer pool 2 or 32 GiB; one bare-metal host "
)
_PGBENCH_100 = (
    "pgbench tpcb, scale 6849 (100 GiB), 256 clients on 16 client threads, 600 s, three repeats"
)

CONDITIONS = (
    *(
        Condition(condition_id, source_id, "sysbench 1.0.18", "local", CPU_RUN_SETTINGS, _READ_ONLY)
        for condition_id, source_id in (
            ("readonly-m5-2021", "percona_arm_m5_2021"),
            ("readonly-c5-2021", "percona_arm_c5_2021"),
            ("readonly-m6-2021", "percona_arm_m6_2022"),
        )
    ),
    Condition("sidetests-m5-2021", "percona_arm_m5_2021", "sysbench 1.0.18", "local", "", _SIDE),
    Condition("sidetests-c5-2021", "percona_arm_c5_2021", "sysbench 1.0.18", "local", "", _SIDE),
    Condition(
        "fileio-odirect-16k-2021",
        "pboros_ebs_2021",
        "sysbench 1.0.20 fileio",
        "local",
        "",
        "Random 16 KiB requests with O_DIRECT and no fsync over files of 700 GiB on volumes of "
        "1,024 GiB and 3,000 IOPS, r5.xlarge in eu-west-1a, 1,800 s. variation_cv and *_second_* "
        "are over the per-second reports: latency_p95_second_p99_ms is the 99th percentile over "
        "seconds of their p95, not a p99 of requests",
    ),
    Condition(
        "fdatasync-one-disk-2021",
        "mtulio_ocp_fio_sync_2021",
        "fio",
        "local",
        "",
        "fdatasync after every write, as etcd does, on the only disk of a control-plane node",
    ),
    Condition(
        "fdatasync-two-disks-2021",
        "mtulio_ocp_fio_sync_2021",
        "fio",
        "local",
        "",
        "fdatasync after every write, as etcd does, on a disk apart from the system's",
    ),
    Condition(
        "fio-liangruibupt",
        "liangruibupt_ebs_2020",
        "fio",
        "local",
        "",
        "16 jobs, libaio and queue depth 32 where the note says so: throughput of a saturated "
        "device, latency of its queue",
    ),
    Condition(
        "fio-jzampieron",
        "pgconf2019_jzampieron",
        "fio",
        "local",
        "",
        "Random writes with and without frequent syncs on software RAID0 of four io1 volumes",
    ),
    Condition(
        "fio-aws-samples",
        "aws_samples_amd_ebs_2023",
        "fio",
        "local",
        "",
        "16 jobs of 16 KiB on io2 with 50,000 IOPS: the limit is the instance's",
    ),
    Condition(
        "iotune-local-nvme",
        "scylla_aws_io_params",
        "iotune (seastar)",
        "local",
        "",
        "Saturating random reads and writes for IOPS, sequential for bandwidth, of one local disk",
    ),
    Condition(
        "ioping-sync-2019",
        "jfg_sync_latency_2019",
        "ioping",
        "local",
        "",
        "Sequential synchronous 4 KiB writes one at a time, 200 requests",
    ),
    Condition(
        "oltp-insert-2019",
        "jfg_sync_latency_2019",
        "sysbench oltp_insert",
        "local",
        "full: sync_binlog=1, innodb_flush_log_at_trx_commit=1; relaxed: sync_binlog=0, "
        "innodb_flush_log_at_trx_commit=2",
        "One insert per transaction, data in memory, client on the instance; threads not stated",
    ),
    Condition(
        "percona-server-2015",
        "percona_aurora_vs_ps_201511",
        "sysbench 0.5",
        "",
        "",
        "32 tables of 1 to 50 million rows, 16 threads, 2 h; oltp_read_write has 14 reads and 4 "
        "writes, the update tests one write per transaction",
    ),
    Condition(
        "aurora-2015",
        "percona_aurora_vs_ps_201511",
        "sysbench 0.5",
        "",
        "",
        "As percona-server-2015, on db.r3.xlarge",
    ),
    Condition(
        "aurora-r5-r6g-2021",
        "gnosia93_graviton2_2021",
        "sysbench 1.0.20",
        "same-az or cross-az, per row",
        "innodb_buffer_pool_size or shared_buffers=40G on every size",
        "oltp_read_write, 32 tables of 5 million rows, 60 s per thread count, ap-northeast-2",
    ),
    Condition(
        "postgresql-r5-r6g-2021",
        "gnosia93_graviton2_2021",
        "sysbench 1.0.20",
        "same-az or cross-az, per row",
        "",
        "As aurora-r5-r6g-2021, PostgreSQL 11 on EC2 with io1; size of the instance in doubt",
    ),
    Condition(
        "aurora-r6g-claims-readonly",
        "aws_cn_aurora_r6g_2021",
        "sysbench 1.0.18",
        "",
        "",
        "oltp_read_only with range_selects=0 and skip-trx=1: a transaction is 10 point reads, 10 "
        "queries, not the default 16. 250 tables of 25,000 rows, 20 min per thread count",
    ),
    Condition(
        "aurora-r6g-claims-default",
        "aws_cn_aurora_r6g_2021",
        "sysbench 1.0.18",
        "",
        "",
        "oltp_write_only and oltp_read_write with default options on 250 tables of 25,000 rows, 20 "
        "min per thread count",
    ),
    Condition(
        "tpcc-innodb-2018",
        "percona_iops_sweep_201808",
        "sysbench-tpcc (sysbench 1.0.15)",
        "",
        "sync_binlog=1000 to 10000",
        f"50 x 100 warehouses, 500 GB, 3,600 s. {_TPCC_RELAXED}",
    ),
    Condition(
        "tpcc-myrocks-2018",
        "percona_iops_sweep_201808",
        "sysbench-tpcc (sysbench 1.0.15)",
        "",
        "sync_binlog=1000 to 10000",
        f"50 x 100 warehouses, 100 GB compressed, 3,600 s. {_TPCC_RELAXED}",
    ),
    Condition(
        "tpcc-aurora-2020",
        "percona_aurora_pxc_rds_202005",
        "sysbench-tpcc (sysbench 1.0.20)",
        "",
        "",
        "5 x 100 warehouses, 50 GB, 1,800 s; writer and two readers, load on the writer",
    ),
    Condition(
        "tpcc-pxc-2020",
        "percona_aurora_pxc_rds_202005",
        "sysbench-tpcc (sysbench 1.0.20)",
        "",
        "sync_binlog=1000 to 10000",
        f"5 x 100 warehouses, 50 GB, 1,800 s; three nodes under the operator. {_TPCC_RELAXED}",
    ),
    Condition(
        "tpcc-rds-2020",
        "percona_aurora_pxc_rds_202005",
        "sysbench-tpcc (sysbench 1.0.20)",
        "",
        "",
        "5 x 100 warehouses, 50 GB, 1,800 s; one writer whatever the node count says",
    ),
    Condition(
        "tpcc-serverless-2018",
        "percona_aurora_serverless_201808",
        "sysbench-tpcc (sysbench 1.0.15)",
        "",
        "",
        "10 x 100 warehouses, 100 GB, 900 s; rate-N series offer N transactions/s to 250 threads, "
        "the threads series is closed loop",
    ),
    Condition(
        "pxc-oltp-2017",
        "percona_pxc_aws_201711",
        "sysbench 1.0.8",
        "",
        "",
        "oltp on 10 tables of 40 million rows (95 GB), 64 threads, three nodes in three zones",
    ),
    *(
        Condition(
            f"benchbase-{workload}-2023",
            "benchant_dbaas_2023",
            "BenchBase",
            "",
            "isolation=SERIALIZABLE",
            f"{name} for 1,800 s on RDS, {terminals} terminals, three repeats",
        )
        for workload, name, terminals in (
            ("tpcc", "TPC-C of 150 warehouses", 120),
            ("tpch", "TPC-H at scale 5", 10),
            ("tatp", "TATP at scale 50", 140),
        )
    ),
    *(
        Condition(
            condition_id,
            "clickhouse_postgresbench_2026",
            "pgbench",
            "",
            "",
            f"{_PGBENCH_100}; {system}",
        )
        for condition_id, system in (
            ("pgbench-100gb-aurora", "Aurora PostgreSQL"),
            ("pgbench-100gb-rds", "RDS on gp3 of 1,000 GiB and 16,000 IOPS"),
            ("pgbench-100gb-nvme", "PostgreSQL on local NVMe, managed by ClickHouse"),
        )
    ),
    Condition(
        "pgbench-metal-normal",
        "vonng_pgtpc",
        "pgbench 14.5",
        "",
        "shared_buffers=16GB; full_page_writes=off; max_wal_size=200GB; commit_delay=20",
        "tpcb and select-only with prepared statements, scale 1000",
    ),
    Condition(
        "pgbench-metal-extreme",
        "vonng_pgtpc",
        "pgbench 14.5",
        "",
        "shared_buffers=128GB; fsync=off; synchronous_commit=off; full_page_writes=off; "
        "autovacuum=off; wal_level=minimal",
        "tpcb and select-only with prepared statements, scale 4000, tables prewarmed; not for "
        "production",
    ),
    Condition(
        "engines-2026-local",
        "percona_engines_2026",
        "sysbench 1.0.20",
        "local",
        "",
        _ENGINES_2026 + "with the client on it",
    ),
    Condition(
        "engines-2026-remote",
        "percona_engines_2026",
        "sysbench 1.0.20",
        "remote",
        "",
        _ENGINES_2026 + "with the client across the network",
    ),
    Condition(
        "tpcc-baremetal-2020",
        "percona_mysql_mariadb_tpcc_2020",
        "sysbench-tpcc",
        "",
        BASE_2020_SETTINGS,
        "TPC-C on NVMe or SATA SSD with caches of 25 and 140 GiB; the series names the tuning "
        "(io15000: innodb_io_capacity). No binary log, so full durability was not tested",
    ),
    Condition(
        "oltp-baremetal-2021",
        "percona_myrocks_2021",
        "sysbench",
        "",
        "",
        "sysbench oltp by cache size (BP10: 10 GiB)",
    ),
    Condition(
        "tpcc-postgresql-baremetal-2020",
        "percona_pg_checkpoint_2020",
        "sysbench-tpcc",
        "",
        "",
        "TPC-C, 56 threads; the series names max_wal_size and checkpoint_timeout",
    ),
)
