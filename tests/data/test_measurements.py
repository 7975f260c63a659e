"""The measurements in ``data/`` as committed: every trap of their sources is handled.

They read only the repository; the import itself has ``test_measurement_import.py``.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"

Row = dict[str, str]

COLUMNS = [
    "source_id",
    "condition_id",
    "series",
    "date",
    "platform",
    "instance_type",
    "vcpu",
    "memory_gib",
    "engine",
    "engine_version",
    "storage_type",
    "storage_size_gib",
    "storage_iops",
    "storage_count",
    "nodes",
    "workload",
    "read_ratio",
    "threads",
    "data_gib",
    "buffer_pool_gib",
    "durability",
    "client",
    "duration_s",
    "repeats",
    "metric",
    "value",
    "unit",
    "spread_cv",
    "note",
]

ROWS_OUT = {
    "aurora_r5_r6g_oltp_rw_2021": 1390,
    "aurora_r6g_vs_r5_claims_2021": 6,
    "aurora_vs_percona_server_2015": 144,
    "dbaas_mysql_postgres_2023": 12,
    "ebs_fdatasync_p99_2021": 144,
    "ebs_fileio_2021": 1760,
    "engines_baremetal_2020_21": 755,
    "fio_ec2_misc": 556,
    "local_nvme_io_2025": 584,
    "mysql_engines_baremetal_2026": 3930,
    "mysql_hosts_side_tests_2021": 5309,
    "mysql_readonly_cpu_2021": 2340,
    "postgres_pgbench_100gb_2026": 30,
    "postgres_pgbench_c5d_metal": 64,
    "pxc_speedup_2017": 16,
    "sync_latency_durability_2019": 20,
    "tpcc_aurora_pxc_rds_2020": 297,
    "tpcc_aurora_serverless_2018": 1144,
    "tpcc_innodb_myrocks_iops_sweep_2018": 1430,
}


def read(path: str) -> list[Row]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def observations(table: str) -> list[Row]:
    return read(f"observations/{table}.csv")


def every_observation() -> list[Row]:
    return [row for table in ROWS_OUT for row in observations(table)]


def value(rows: list[Row], **wanted: str) -> float:
    found = [row for row in rows if all(row[name] == text for name, text in wanted.items())]
    assert len(found) == 1, (wanted, len(found))
    return float(found[0]["value"])


def keyed(rows: list[Row], metric: str, *names: str) -> dict[tuple[str, ...], float]:
    return {tuple(r[n] for n in names): float(r["value"]) for r in rows if r["metric"] == metric}


def conditions() -> dict[str, Row]:
    return {row["condition_id"]: row for row in read("conditions.csv")}


# The schema


@pytest.mark.parametrize("table", ROWS_OUT)
def test_observation_tables_have_the_documented_columns_and_size(table: str) -> None:
    rows = observations(table)
    assert list(rows[0]) == COLUMNS
    assert len(rows) == ROWS_OUT[table]


def test_no_observation_table_is_unknown_to_these_tests() -> None:
    assert {path.stem for path in (DATA / "observations").glob("*.csv")} == set(ROWS_OUT)


def test_keys_are_unique_over_all_tables() -> None:
    keys = [name for name in COLUMNS if name not in ("value", "spread_cv")]
    counts = Counter(tuple(row[name] for name in keys) for row in every_observation())
    assert [key for key, count in counts.items() if count > 1] == []


def test_references_are_complete_and_used() -> None:
    sources = {row["source_id"] for row in read("sources/measurements.csv")}
    known = conditions()
    assert {row["source_id"] for row in known.values()} <= sources
    seen = {(row["condition_id"], row["source_id"]) for row in every_observation()}
    assert seen == {(name, row["source_id"]) for name, row in known.items()}


def test_values_are_plain_numbers_with_a_unit() -> None:
    number = re.compile(r"-?\d+(\.\d*[1-9])?")
    numeric = [
        "vcpu",
        "memory_gib",
        "storage_size_gib",
        "storage_iops",
        "storage_count",
        "nodes",
        "read_ratio",
        "threads",
        "data_gib",
        "buffer_pool_gib",
        "duration_s",
        "repeats",
        "spread_cv",
    ]
    units: dict[str, set[str]] = defaultdict(set)
    for row in every_observation():
        assert number.fullmatch(row["value"]), row
        assert all(not row[name] or number.fullmatch(row[name]) for name in numeric), row
        assert len(row["value"].replace(".", "").strip("0")) <= 10, "float noise"
        units[row["metric"]].add(row["unit"])
    assert all(len(found) == 1 and "" not in found for found in units.values())
    for metric, found in units.items():
        suffixes = {
            "_ms": "ms",
            "mib_per_s": "MiB/s",
            "iops": "1/s",
            "_cv": "ratio",
            "_pct": "percent",
        }
        for suffix, unit in suffixes.items():
            if metric.endswith(suffix):
                assert found == {unit}, metric


def test_closed_sets() -> None:
    rows = every_observation()
    assert {row["platform"] for row in rows} == {"ec2", "rds", "aurora", "bare-metal", "gcp"}
    assert {row["durability"] for row in rows} == {"", "full", "relaxed"}
    assert {row["client"] for row in rows} == {"", "local", "same-az", "cross-az", "remote"}
    assert {row["engine"] for row in rows} == {
        "",
        "mysql",
        "percona-server",
        "mariadb",
        "myrocks",
        "pxc",
        "postgresql",
        "aurora-mysql",
        "aurora-postgresql",
    }


def test_files_are_lf_and_end_with_a_newline() -> None:
    paths = [*(DATA / "observations").glob("*.csv"), *(DATA / "share-alike").glob("*.csv")]
    for path in [*paths, DATA / "conditions.csv", DATA / "sources" / "measurements.csv"]:
        content = path.read_bytes()
        assert b"\r" not in content
        assert content.endswith(b"\n")


# Trap 1: queries, transactions, and what the CPU runs are evidence for

QUERIES_PER_TRANSACTION = {"oltp_read_only": 16, "oltp_read_write": 20}


@pytest.mark.parametrize(
    "table",
    ["mysql_readonly_cpu_2021", "mysql_engines_baremetal_2026", "aurora_r5_r6g_oltp_rw_2021"],
)
def test_queries_are_not_transactions(table: str) -> None:
    names = [name for name in COLUMNS if name not in ("metric", "value", "unit", "spread_cv")]
    rows = observations(table)
    transactions = keyed(rows, "transactions_per_s", *names)
    queries = keyed(rows, "queries_per_s", *names)
    assert transactions.keys() == queries.keys()
    for key, rate in transactions.items():
        expected = QUERIES_PER_TRANSACTION[key[names.index("workload")]]
        assert queries[key] / rate == pytest.approx(expected, rel=0.005)


def test_read_only_runs_are_cpu_evidence_only() -> None:
    rows = observations("mysql_readonly_cpu_2021")
    assert {row["client"] for row in rows} == {"local"}
    assert {
        row["storage_type"] + row["storage_size_gib"] + row["storage_iops"] for row in rows
    } == {""}
    assert {float(row["data_gib"]) for row in rows} == {0.02328}
    for name in {row["condition_id"] for row in rows}:
        condition = conditions()[name]
        assert condition["client"] == "local"
        assert "25 MB" in condition["description"]
        assert "16 queries" in condition["description"]
        assert "skip_log_bin=1" in condition["server_settings"]


# Trap 2 and 3: pilots, repeats and their spread


def test_pilot_runs_are_left_out() -> None:
    repeats: dict[str, set[str]] = defaultdict(set)
    for row in observations("mysql_readonly_cpu_2021"):
        repeats[row["instance_type"]].add(row["repeats"])
    assert {repeats[name].pop() for name in ("c5.large", "c5a.large", "c6g.large")} == {"3"}
    assert repeats["c5.xlarge"] == {"2"}
    assert repeats["m5.4xlarge"] == {"3"}
    assert repeats["m6i.8xlarge"] == {"4"}
    pilots = [row for row in read("catalogue/benchmark_hosts.csv") if row["note"]]
    assert [row["run_id"] for row in pilots] == [
        "c5.large_10182021_0722",
        "c5a.large_10182021_0723",
        "c6g.large_10182021_0726",
    ]


def test_spread_over_repeats_is_kept() -> None:
    rows = observations("mysql_readonly_cpu_2021")
    spreads = sorted(
        float(row["spread_cv"])
        for row in rows
        if row["metric"] == "queries_per_s"
        and row["spread_cv"]
        and not row["instance_type"].startswith("t")
    )
    assert 0.013 <= spreads[len(spreads) // 2] <= 0.018
    assert 0.04 <= spreads[int(len(spreads) * 0.9)] <= 0.06
    assert 0.15 <= spreads[-1] <= 0.20
    assert all(row["spread_cv"] for row in rows if int(row["repeats"]) > 1)


def test_hand_checked_mean() -> None:
    """1199.07, 1195.28 and 1187.03 transactions/s."""
    rows = observations("mysql_readonly_cpu_2021")
    cell = {"instance_type": "c5.12xlarge", "threads": "1", "metric": "transactions_per_s"}
    assert value(rows, **cell) == pytest.approx(1193.793, abs=0.001)
    queries = value(rows, **cell | {"metric": "queries_per_s"})
    assert queries == pytest.approx(16 * 1193.793, abs=0.2)


def test_burstable_types_are_marked() -> None:
    for row in observations("mysql_readonly_cpu_2021"):
        assert ("ran on CPU credits" in row["note"]) == row["instance_type"].startswith("t")


# Trap 4 and 11: the 2015 table


def test_transactions_of_2015_are_not_the_published_ops() -> None:
    rows = observations("aurora_vs_percona_server_2015")
    cell = {"series": "aurora", "workload": "oltp_read_write", "data_gib": "7.451"}
    assert value(rows, **cell, metric="transactions_per_s") == 387.16225
    assert value(rows, **cell, metric="queries_per_s") == 6968.9205
    assert {row["value"] for row in rows}.isdisjoint({"1548.649", "2894.619"})
    assert {row["metric"] for row in rows} == {"transactions_per_s", "queries_per_s"}


def test_no_cost_of_2015_is_imported() -> None:
    paths = [*(DATA / "observations").glob("*.csv"), DATA / "conditions.csv"]
    for path in [*paths, DATA / "sources" / "measurements.csv"]:
        assert "311.40" not in path.read_text(encoding="utf-8")
    assert not any("cost" in row["metric"] for row in every_observation())


# Trap 5: far clients and copies


def test_far_clients_and_suspect_copies_are_marked() -> None:
    rows = observations("aurora_r5_r6g_oltp_rw_2021")
    assert {r["client"] for r in rows if r["engine"] == "aurora-mysql"} == {"cross-az"}
    runs = [row for row in rows if row["metric"] == "transactions_per_s"]
    assert Counter(row["client"] for row in runs) == {"cross-az": 147, "same-az": 29}
    copies = [row for row in runs if row["series"].endswith("-suspect-duplicate")]
    assert len(copies) == 7
    for row in rows:
        assert ("suspect duplicate" in row["note"]) == row["series"].endswith("-suspect-duplicate")


def test_pairs_with_clients_at_different_distances_are_marked() -> None:
    for row in observations("aurora_r5_r6g_oltp_rw_2021"):
        is_postgresql = row["engine"].endswith("postgresql")
        is_pair = row["instance_type"].endswith((".4xlarge", ".8xlarge"))
        assert ("not comparable" in row["note"]) == (is_postgresql and is_pair)
        assert ("quality C" in row["note"]) == is_postgresql


# Trap 6 and 7: TPC-C


def test_unknown_storage_stays_empty() -> None:
    rows = observations("tpcc_aurora_pxc_rds_2020")
    assert {(row["platform"], row["storage_type"]) for row in rows} == {
        ("aurora", "aurora"),
        ("rds", ""),
        ("ec2", ""),
    }
    for row in rows:
        is_odd = row["platform"] == "rds" and int(row["threads"]) < 8
        assert ("placement anomaly" in row["note"]) == is_odd
        assert ("one writer" in row["note"]) == (row["platform"] == "rds")


def test_tpcc_runs_are_not_full_durability() -> None:
    for row in observations("tpcc_innodb_myrocks_iops_sweep_2018"):
        assert row["durability"] == "relaxed"
        assert "sync_binlog" in conditions()[row["condition_id"]]["server_settings"]
    others = [row for row in every_observation() if row["workload"] == "tpcc"]
    assert "full" not in {row["durability"] for row in others}


def test_sweep_keeps_its_thread_counts_and_splits_raid0_by_volume() -> None:
    rows = observations("tpcc_innodb_myrocks_iops_sweep_2018")
    runs = [row for row in rows if row["metric"] == "transactions_per_s"]
    assert Counter(row["threads"] for row in runs) == {"72": 114, "32": 16}
    raid = [row for row in runs if row["series"] == "gp2-raid0"]
    assert len(raid) == 15
    assert {row["storage_count"] for row in raid} == {"2"}
    assert {row["storage_type"] for row in raid} == {"gp2"}
    assert max(float(row["storage_iops"]) for row in raid) == 10_000
    assert all(float(r["storage_iops"]) <= 10_000 for r in runs if r["storage_type"] == "gp2")


# Trap 8: volumes


def test_volume_runs_carry_their_conditions() -> None:
    rows = observations("ebs_fileio_2021")
    assert {row["storage_size_gib"] for row in rows} == {"1024"}
    assert {row["storage_iops"] for row in rows} == {"3000"}
    condition = conditions()["fileio-odirect-16k-2021"]
    assert "O_DIRECT" in condition["description"]
    source = next(
        r for r in read("sources/measurements.csv") if r["source_id"] == "pboros_ebs_2021"
    )
    assert "one volume per type" in source["caveats"]
    for row in rows:
        is_gp3_write = row["storage_type"] == "gp3" and row["workload"] == "fileio_rndwr"
        assert ("first second" in row["note"]) == is_gp3_write


def test_published_volume_figures() -> None:
    rows = observations("ebs_fileio_2021")
    for volume, reads, writes in (("gp2", 1133, 1097), ("gp3", 1098, 1539), ("io1", 1989, 1363)):
        cell = {"storage_type": volume, "threads": "1", "metric": "iops"}
        assert value(rows, **cell, workload="fileio_rndrd") == pytest.approx(reads, abs=1)
        assert value(rows, **cell, workload="fileio_rndwr") == pytest.approx(writes, abs=1)
    cell = {"workload": "fileio_rndrd", "threads": "1", "metric": "variation_cv"}
    assert value(rows, **cell, storage_type="gp3") == pytest.approx(0.27, abs=0.001)


def test_small_gp2_is_told_apart_by_its_credits() -> None:
    rows = [r for r in observations("ebs_fdatasync_p99_2021") if r["storage_type"] == "gp2"]
    p99 = [(row["series"], float(row["value"])) for row in rows if row["metric"] == "sync_p99_ms"]
    with_credits = [ms for series, ms in p99 if "-credits-" in series]
    spent = [ms for series, ms in p99 if "-spent-" in series]
    assert max(with_credits) < 5
    assert min(spent) > 10
    assert {row["instance_type"] for row in rows} == {""}


# Trap 9 and 10: dates and percentiles


def test_every_row_has_a_date() -> None:
    date = re.compile(r"20\d\d(-[01]\d(-[0-3]\d)?)?")
    rows = [
        *every_observation(),
        *read("share-alike/cpu_scores.csv"),
        *read("catalogue/coremark.csv"),
    ]
    assert all(date.fullmatch(row["date"]) for row in rows)
    assert all(date.fullmatch(row["date"]) for row in read("sources/measurements.csv"))


def test_p99_exists_only_where_it_was_measured() -> None:
    tables = {t for t in ROWS_OUT for r in observations(t) if r["metric"] == "latency_p99_ms"}
    assert tables == {
        "dbaas_mysql_postgres_2023",
        "fio_ec2_misc",
        "postgres_pgbench_100gb_2026",
    }


# Trap 12: names


def test_instance_types_are_spelled_as_aws_does() -> None:
    spelling = re.compile(r"(db\.)?[a-z][a-z0-9-]*\.([a-z0-9-]+|\*)")
    for row in every_observation():
        if row["platform"] == "gcp":
            assert row["instance_type"] == "n1-standard-4"
        elif row["instance_type"]:
            assert spelling.fullmatch(row["instance_type"]), row["instance_type"]
        assert row["instance_type"].startswith("db.") <= (row["platform"] in ("rds", "aurora"))


def test_rest_of_a_family_is_a_pattern() -> None:
    rows = observations("local_nvme_io_2025")
    patterns = {row["instance_type"] for row in rows if row["instance_type"].endswith("*")}
    assert patterns == {"i2.*", "i3.*", "i3en.*"}
    assert all("rest of the family" in r["note"] for r in rows if r["instance_type"] in patterns)
    cell = {"instance_type": "i3.large"}
    assert value(rows, **cell, metric="read_iops") == 111_000
    mib_per_s = value(rows, **cell, metric="read_throughput_mib_per_s")
    assert mib_per_s == pytest.approx(653_925_080 / 1024**2)


def test_unclear_instance_types_carry_a_note() -> None:
    sweep = observations("tpcc_innodb_myrocks_iops_sweep_2018")
    assert {row["instance_type"] for row in sweep} == {"c5.9xlarge"}
    assert all("not restated" in row["note"] for row in sweep)
    metal = [row for row in every_observation() if row["platform"] == "bare-metal"]
    assert {row["instance_type"] for row in metal} == {""}


def test_a_fio_run_printed_for_two_volumes_counts_once() -> None:
    rows = [r for r in observations("fio_ec2_misc") if "printed for a 100 GB volume" in r["note"]]
    assert {row["storage_size_gib"] for row in rows} == {""}
    assert not [r for r in observations("fio_ec2_misc") if "snapshot" in r["series"]]


def test_small_gp2_reads_above_its_limit_are_no_volume_evidence() -> None:
    for row in observations("fio_ec2_misc"):
        is_small = row["storage_type"] == "gp2" and "volumes not stated" not in row["note"]
        if is_small and row["metric"] == "iops" and float(row["value"]) > 3100:
            assert "not volume evidence" in row["note"]


# Trap 13 and 14: settings


def test_server_settings_of_the_cpu_runs() -> None:
    for name in ("readonly-m5-2021", "readonly-c5-2021", "readonly-m6-2021"):
        settings = dict(
            pair.split("=", 1) for pair in conditions()[name]["server_settings"].split("; ")
        )
        assert settings["ssl"] == "0"
        assert settings["performance_schema"] == "OFF"
        assert settings["table_open_cache"] == "200000"
        assert settings["table_open_cache_instances"] == "64"
        assert settings["back_log"] == "3500"
        assert settings["max_connections"] == "4000"
        assert settings["innodb_log_file_size"] == "2G"
        assert settings["innodb_buffer_pool_instances"] == "8"
        assert settings["innodb_flush_log_at_trx_commit"] == "1"
        assert settings["innodb_io_capacity_max"] == "4000"
        assert settings["max_prepared_stmt_count"] == "1000000"
    for row in observations("mysql_readonly_cpu_2021"):
        assert float(row["buffer_pool_gib"]) == pytest.approx(0.8 * float(row["memory_gib"]))


def test_r6g_claims_say_that_their_transaction_is_smaller() -> None:
    rows = observations("aurora_r6g_vs_r5_claims_2021")
    read_only = [row for row in rows if row["workload"] == "oltp_read_only"]
    assert {row["condition_id"] for row in read_only} == {"aurora-r6g-claims-readonly"}
    description = conditions()["aurora-r6g-claims-readonly"]["description"]
    assert "range_selects=0" in description
    assert "skip-trx=1" in description
    assert "10 queries" in description
    assert [float(r["value"]) for r in read_only if r["metric"] == "gain_high_pct"] == [37]
    revised = {row["source_id"]: row for row in read("sources/measurements.csv")}
    assert "equal" in revised["aws_cn_aurora_r6g_2021_revised"]["caveats"]


# Units and ratios


def test_read_ratio_leaves_begin_and_commit_out() -> None:
    ratios: dict[str, set[str]] = defaultdict(set)
    for row in every_observation():
        ratios[row["workload"]].add(row["read_ratio"])
    assert ratios["oltp_read_only"] == {"1"}
    assert ratios["oltp_read_write"] == {"0.7778"}
    assert ratios["oltp_write_only"] == {"0"}
    assert ratios["tpcb"] == {"0.2"}
    assert ratios["tpcc"] == {""}


def test_decimal_labels_became_binary_sizes() -> None:
    sizes = {row["data_gib"] for row in observations("aurora_vs_percona_server_2015")}
    assert sizes == {"7.451", "18.63", "37.25", "74.51", "186.3", "372.5"}
    assert {r["data_gib"] for r in observations("postgres_pgbench_100gb_2026")} == {"100"}
    metal = observations("postgres_pgbench_c5d_metal")
    assert {row["storage_size_gib"] for row in metal} == {"838.2"}


def test_runs_without_fsync_are_relaxed() -> None:
    rows = observations("postgres_pgbench_c5d_metal")
    assert {(row["series"], row["durability"]) for row in rows} == {
        ("extreme", "relaxed"),
        ("normal", "full"),
    }
    pairs = [r for r in observations("sync_latency_durability_2019") if r["durability"]]
    assert {(row["platform"], row["durability"], row["value"]) for row in pairs} == {
        ("ec2", "full", "3790"),
        ("ec2", "relaxed", "11190"),
        ("gcp", "full", "220"),
        ("gcp", "relaxed", "6280"),
    }
