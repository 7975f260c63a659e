"""The published sources of the measurements: who, where, when, under which licence, how good."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """One row of ``data/sources/measurements.csv``."""

    source_id: str
    title: str
    url: str
    date: str
    """ISO date, or the part of it that is known, of the last measurement."""
    licence: str
    quality: str
    """A raw logs equal to published tables; B machine-readable, set-up partly stated; C text."""
    caveats: str


COLUMNS = Source._fields

NONE_STATED = "none stated"
BLOG = "none stated (blog)"

_LAB = "https://github.com/Percona-Lab-results/"
_IN_MEMORY = (
    "CPU evidence only: one table of 25 MB, client on the database instance, no binary log; "
    "the posts call queries transactions. "
)

SOURCES = (
    Source(
        "percona_arm_m5_2021",
        "Percona Lab: MySQL 8.0.26 read-only on m5, m5a and m6g",
        _LAB + "2021_10_arm_cpu_comparison",
        "2021-09-21",
        NONE_STATED,
        "A",
        _IN_MEMORY
        + "m5 hosts mix two Xeon generations between repeats; differences under 5 % are ties.",
    ),
    Source(
        "percona_arm_c5_2021",
        "Percona Lab: MySQL 8.0.26 read-only on c5, c5a and c6g",
        _LAB + "2021_10_arm_cpu_comparison_c5",
        "2021-10-18",
        NONE_STATED,
        "A",
        _IN_MEMORY
        + "A pilot repeat of three .large types is left out; c5.xlarge has two repeats; the spread "
        "reaches 20 % on c6g.16xlarge at 64-128 threads and c5a.large at 8.",
    ),
    Source(
        "percona_arm_m6_2022",
        "Percona Lab: MySQL 8.0.26 read-only on m6i, t3, t3a and t4g",
        _LAB + "2021_10_arm_cpu_comparison_m6",
        "2021-12-28",
        NONE_STATED,
        "B",
        _IN_MEMORY + "T types ran on CPU credits, so they say nothing about sustained load.",
    ),
    Source(
        "pboros_ebs_2021",
        "P. Boros: sysbench fileio on gp2, gp3, io1 and io2",
        "https://github.com/pboros/aws_storage_blog",
        "2021-08-18",
        NONE_STATED,
        "A",
        "One zone, one day, one volume per type: no spread between volumes. gp3 writes burst in "
        "their first second. The gp2 volume is too large to have burst credits.",
    ),
    Source(
        "mtulio_ocp_fio_sync_2021",
        "M. Tulio: fdatasync tail of etcd disks on gp2 and gp3",
        "https://github.com/mtulio/openshift-cluster-benchmark-lab",
        "2021-09",
        NONE_STATED,
        "B",
        "Half of the 50 jobs are known, 99.9 % only for some; instance type not stated. gp2 is "
        "slow once its credits are spent.",
    ),
    Source(
        "liangruibupt_ebs_2020",
        "R. Liang: fio on gp2, io1, RAID0 and local NVMe",
        "https://github.com/liangruibupt/ebs-benchmark-testing",
        "2020-04",
        NONE_STATED,
        "B",
        "Deep queues; provisioned IOPS mostly not stated. Reads of small gp2 volumes above 3,000 "
        "IOPS were not served by the volume.",
    ),
    Source(
        "pgconf2019_jzampieron",
        "J. Zampieron: fio with frequent syncs on io1 RAID0 (PGConf 2019)",
        "https://github.com/jzampieron/pgconf2019",
        "2019-03",
        "MIT",
        "B",
        "Five runs, hundreds of writes in flight: latency is queueing.",
    ),
    Source(
        "aws_samples_amd_ebs_2023",
        "AWS samples: fio on io2 with AMD instances",
        "https://github.com/aws-samples/ebs-benchmarking-results-for-improved-performance-on-ebs-optimized-amd-instances",
        "2023-07-17",
        "MIT-0",
        "B",
        "Four runs by the vendor, short bursts at the instance's maximum.",
    ),
    Source(
        "scylla_aws_io_params",
        "ScyllaDB machine image: measured I/O of local NVMe disks",
        "https://github.com/scylladb/scylla-machine-image/blob/next/common/aws_io_params.yaml",
        "2025-09-15",
        "Apache-2.0",
        "A",
        "Per disk. A family entry stands for the sizes without an entry of their own.",
    ),
    Source(
        "jfg_sync_latency_2019",
        "J.-F. Gagné: write latency and cost of durability, AWS and GCP",
        "https://jfg-mysql.blogspot.com/2019/07/master-replication-crash-safety-part-5a-faster-wo-reducing-durability-hardware.html",
        "2019-07-16",
        BLOG,
        "B",
        "The throughput pairs are rounded and mix clouds and CPUs: they show the size "
        "of the effect.",
    ),
    Source(
        "percona_aurora_vs_ps_201511",
        "Percona: Aurora against Percona Server 5.6 on gp2 and io1",
        "http://benchmark-docs.readthedocs.org/en/latest/benchmarks/aurora-sysbench-201511.html",
        "2015-11",
        NONE_STATED,
        "A",
        "Hardware of 2015 and 16 threads only, which the vendor contested. The published rate of "
        "oltp counts write queries, a quarter of it are transactions; its cost column rests on a "
        "wrong addition and is not imported.",
    ),
    Source(
        "percona_pxc_aws_201711",
        "Percona: XtraDB Cluster on r4 io1 and i3 NVMe",
        "https://www.percona.com/blog/2017/11/28/best-practices-percona-xtradb-cluster-aws/",
        "2017-11-28",
        BLOG,
        "C",
        "Only ratios are printed. io1 ends at its 10,000 IOPS on the 4xlarge.",
    ),
    Source(
        "aws_cn_aurora_r6g_2021",
        "AWS China: Aurora MySQL on R6g against R5, first version",
        "https://aws.amazon.com/cn/blogs/china/re-engendered-graviton2-enhances-aurora-price-performance",
        "2021-04",
        BLOG,
        "C",
        "Vendor's claim on about 1.5 GB of data, withdrawn in a later version of the same post.",
    ),
    Source(
        "aws_cn_aurora_r6g_2021_revised",
        "AWS China: Aurora MySQL on R6g against R5, corrected version",
        "https://aws.amazon.com/cn/blogs/china/re-engendered-graviton2-enhances-aurora-price-performance",
        "2021",
        BLOG,
        "C",
        "No numbers: reads better, writes a little better at low and worse at high concurrency, on "
        "the whole equal. Undated, the year is a guess. Contradicts the first version.",
    ),
    Source(
        "sean_consulting_aurora_r6g_2021",
        "S. Consulting: independent repeat of the Aurora R6g tests",
        "https://blog.sean.consulting/aurora-mysql-graviton-2-benchmark",
        "2021",
        BLOG,
        "C",
        "No numbers at hand. Started because production became a little slower on r6g. Undated, "
        "the year follows from the version tested.",
    ),
    Source(
        "gnosia93_graviton2_2021",
        "gnosia93: Aurora and PostgreSQL on r5 and r6g, oltp_read_write",
        "https://github.com/gnosia93/postgres-terraform",
        "2021-04",
        NONE_STATED,
        "B",
        "All Aurora MySQL runs and most others had the client in another zone, about 24 ms per "
        "transaction; near and far are inferred from the least latency. PostgreSQL rows are text "
        "only (C), their 4xlarge and 8xlarge pairs do not compare. Seven rows look like copies.",
    ),
    Source(
        "percona_iops_sweep_201808",
        "Percona Lab: TPC-C of InnoDB and MyRocks against volume IOPS",
        _LAB + "201808-rocksdb-cloudio",
        "2018-08",
        NONE_STATED,
        "A",
        "Volume limits of 2018. Not full durability. The 100 GB of compressed MyRocks data fit the "
        "memory in part, the 500 GB of InnoDB did not. RAID0 runs had 32 threads, the others 72.",
    ),
    Source(
        "percona_aurora_pxc_rds_202005",
        "Percona Lab: TPC-C on Aurora, XtraDB Cluster and RDS",
        _LAB + "Aurora-May2020",
        "2020-05",
        "Apache-2.0",
        "B",
        "Storage of PXC and RDS not stated; RDS looks oddly placed below 8 threads and has one "
        "writer whatever the node count.",
    ),
    Source(
        "percona_aurora_serverless_201808",
        "Percona Lab: TPC-C on Aurora Serverless v1",
        _LAB + "201808-rds-serverless",
        "2018-08",
        NONE_STATED,
        "B",
        "Capacity moved during the runs; the service is retired.",
    ),
    Source(
        "benchant_dbaas_2023",
        "benchANT: RDS MySQL and PostgreSQL in a market comparison",
        "https://github.com/benchANT/otc-mysql-dbaas-market-comparison",
        "2023",
        "Apache-2.0",
        "A",
        "One instance class. PostgreSQL results come from the sister repository "
        "otc-postgresql-dbaas-market-comparison.",
    ),
    Source(
        "clickhouse_postgresbench_2026",
        "ClickHouse: PostgresBench, pgbench on 100 GB",
        "https://github.com/ClickHouse/PostgresBench",
        "2026-03-18",
        "Apache-2.0",
        "A",
        "Run by a vendor of one of the systems. Plans of other vendors hide their instance type "
        "and are left out.",
    ),
    Source(
        "vonng_pgtpc",
        "Vonng: pgbench on c5d.metal",
        "https://github.com/Vonng/pgtpc",
        "2022",
        NONE_STATED,
        "B",
        "The extreme series has fsync off and is no guide for production; its summary says scale "
        "5000, its logs 4000. Year from the version used (14.5).",
    ),
    Source(
        "percona_engines_2026",
        "Percona Lab: MySQL, Percona Server and MariaDB by version",
        _LAB + "2026-interactive-metrics",
        "2026-03",
        NONE_STATED,
        "A",
        "Not AWS: one bare-metal host. Good for ratios between engines, clients and buffer pools.",
    ),
    Source(
        "percona_mysql_mariadb_tpcc_2020",
        "Percona Lab: TPC-C of MySQL, Percona Server and MariaDB",
        _LAB + "2020-07-MySQL-MariaDB-tpcc",
        "2020-08-13",
        "Apache-2.0 or none stated",
        "B",
        "Not AWS. Many tuning variants; short runs have no final summary; one directory is named "
        "after both servers.",
    ),
    Source(
        "percona_myrocks_2021",
        "Percona Lab: sysbench with MyRocks and InnoDB by cache size",
        _LAB + "MyRocks-March-2021",
        "2021-02-24",
        "Apache-2.0 or none stated",
        "B",
        "Not AWS. Engine not stated per run, and some directories name another thread count than "
        "their logs: usable for shape only.",
    ),
    Source(
        "percona_pg_checkpoint_2020",
        "Percona Lab: PostgreSQL 12 TPC-C by WAL size and checkpoint interval",
        _LAB + "PostgreSQL-Checkpoint-Jul2020",
        "2020-07",
        "Apache-2.0 or none stated",
        "B",
        "Not AWS. Undated rows carry the month of the repository.",
    ),
    Source(
        "vantage_ec2instances_coremark",
        "Vantage: CoreMark of EC2 instance types",
        "https://github.com/vantage-sh/ec2instances.info/blob/main/scraper/aws/ec2/extras/manually_fetched_data.json",
        "2026-07-01",
        "MIT",
        "A",
        "All threads at once. Some large types show the effect of several NUMA nodes.",
    ),
    Source(
        "sparecores_inspector",
        "Spare Cores: PassMark, Geekbench 6, stress-ng and redis on AWS types",
        "https://github.com/SpareCores/sc-inspector-data",
        "2026-06-11",
        "CC BY-SA 4.0",
        "A",
        "One run per type. Attribution and share-alike apply: kept in tables of their own.",
    ),
)
