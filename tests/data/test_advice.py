"""The facts behind the advice: sourced, dated, disjoint, and as published."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path
from statistics import median

DATA = Path(__file__).resolve().parents[2] / "data"
Row = dict[str, str]


def read(path: str) -> list[Row]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_fact_has_a_source_that_is_listed_and_every_listed_source_is_used() -> None:
    listed = {row["source_id"]: row for row in read("sources/advice.csv")}
    used = {
        row["source_id"]
        for name in ("durability", "engine_versions", "extended_support")
        for row in read(f"advice/{name}.csv")
    }
    assert used == set(listed)
    for row in listed.values():
        assert row["url"].startswith("https://")
        assert all(row[column] for column in ("title", "date", "licence", "quality", "caveats"))


def test_rows_are_sorted_and_dated() -> None:
    for name, width in (("durability", 6), ("engine_versions", 3), ("extended_support", 2)):
        rows = read(f"advice/{name}.csv")
        keys = [tuple(row.values())[:width] for row in rows]
        assert keys == sorted(set(keys))
        assert all(row["as_of"] for row in rows)


def test_no_two_rows_answer_the_same_question() -> None:
    columns = ("platform", "layout", "storage", "dialect", "durability", "failure")
    for one, other in combinations(read("advice/durability.csv"), 2):
        assert any(
            one[column] != other[column] and "any" not in (one[column], other[column])
            for column in columns
        ), (one, other)


def test_support_ends_before_its_extension() -> None:
    for row in read("advice/engine_versions.csv"):
        dates = [
            row[column]
            for column in ("support_until", "charged_from", "dearer_from", "charged_until")
            if row[column]
        ]
        assert dates == sorted(dates), row
        assert row["platform"] != "ec2" or len(dates) == 1


def test_published_dates() -> None:
    found = {
        (row["platform"], row["engine"], row["version"]): row
        for row in read("advice/engine_versions.csv")
    }
    assert found["ec2", "mysql", "5.7"]["support_until"] == "2023-10-31"
    assert found["ec2", "mysql", "8.0"]["support_until"] == "2026-04-30"
    assert found["rds", "mysql", "5.7"]["charged_from"] == "2024-03-01"
    assert found["rds", "mysql", "8.0"]["support_until"] == "2026-07-31"
    assert found["aurora", "aurora-mysql", "3 (MySQL 8.0)"]["support_until"] == "2028-04-30"
    assert found["ec2", "postgresql", "14"]["support_until"] == "2026-11-12"
    assert found["ec2", "mariadb", "10.6"]["support_until"] == "2026-07-06"
    prices = {
        row["period"]: row["usd_per_vcpu_hour"] for row in read("advice/extended_support.csv")
    }
    assert prices == {"first-years": "0.100", "last-year": "0.200"}


#: What a side of a contested claim is worth (docs/model.md): quality of its source and standing.
QUALITY = {"A": 1.0, "B": 0.5, "C": 0.25}
STANDING = {"independent": 1.0, "vendor": 0.5, "withdrawn": 0.125}
NO_FIGURES = 0.5


def test_weights_of_contested_claims_follow_their_rule() -> None:
    """And no source of the two sides is unlisted."""
    quality = {
        row["source_id"]: row["quality"]
        for path in sorted((DATA / "sources").glob("*.csv"))
        for row in read(str(path.relative_to(DATA)))
    }
    rows = read("advice/contested.csv")
    assert [row["claim"] for row in rows] == sorted({row["claim"] for row in rows})
    for row in rows:
        worth = []
        for side in ("a", "b"):
            cells, of = row[f"{side}_cells"], row[f"{side}_of"]
            share = int(cells) / int(of) if of else NO_FIGURES
            worth.append(
                QUALITY[quality[row[f"{side}_source_id"]]]
                * STANDING[row[f"{side}_standing"]]
                * share
            )
        weights = [float(row[f"{side}_weight"]) for side in ("a", "b")]
        assert weights == [round(each / sum(worth), 2) for each in worth], row["claim"]
        assert round(sum(weights), 6) == 1.0
        assert row["as_of"]


def rates(source: str, metric: str, **fields: str) -> dict[tuple[str, ...], float]:
    """Return (instance type, workload, data, threads) → the largest value of a set."""
    found: dict[tuple[str, ...], float] = {}
    for path in sorted((DATA / "observations").glob("*.csv")):
        for row in read(str(path.relative_to(DATA))):
            wanted = {"source_id": source, "metric": metric, **fields}
            if all(row[name] == value for name, value in wanted.items()):
                key = tuple(
                    row[name] for name in ("instance_type", "workload", "data_gib", "threads")
                )
                found[key] = max(found.get(key, 0.0), float(row["value"]))
    return found


def counted(claim: str, side: str) -> tuple[int, int]:
    row = next(each for each in read("advice/contested.csv") if each["claim"] == claim)
    return int(row[f"{side}_cells"]), int(row[f"{side}_of"])


def test_provisioned_iops_were_ahead_of_aurora_in_17_of_18_cells() -> None:
    source = "percona_aurora_vs_ps_201511"
    own = rates(source, "queries_per_s", storage_type="io1", storage_iops="3000")
    aurora = rates(source, "queries_per_s", platform="aurora")
    mine = {key[1:]: value for key, value in own.items()}
    theirs = {key[1:]: value for key, value in aurora.items()}
    assert set(mine) == set(theirs)
    ahead = [key for key in mine if mine[key] > theirs[key]]
    assert (len(ahead), len(mine)) == counted("aurora-provisioned-iops", "a")
    (lost,) = set(mine) - set(ahead)
    assert lost[0] == "oltp_read_write"
    assert float(lost[1]) > 370.0
    assert round(theirs[lost] / mine[lost] - 1.0, 2) == 0.05


def test_aurora_led_rds_in_4_of_9_thread_counts_of_2020() -> None:
    source = "percona_aurora_pxc_rds_202005"
    aurora = rates(source, "transactions_per_s", platform="aurora")
    rds = rates(source, "transactions_per_s", platform="rds")
    threads = {key[-1]: aurora[key] > rds[key] for key in aurora if key in rds}
    assert (sum(threads.values()), len(threads)) == counted("aurora-provisioned-iops", "b")
    assert all(leads is (int(count) >= 64) for count, leads in threads.items())


def test_r6g_and_r5_were_level_in_28_of_30_cells() -> None:
    found = rates("gnosia93_graviton2_2021", "transactions_per_s", engine="aurora-mysql")
    gains = {
        (key[0], key[-1]): found[key[0].replace("r5", "r6g"), *key[1:]] / found[key] - 1.0
        for key in found
        if "r5." in key[0]
    }
    level = [cell for cell, gain in gains.items() if abs(gain) <= 0.13]
    assert (len(level), len(gains)) == counted("aurora-r6g-r5", "b")
    assert {threads for (_, threads), gain in gains.items() if gain > 0.05} == {"512", "1024"}


def test_gp2_and_gp3_each_led_at_two_thread_counts() -> None:
    for side, workload, leader in (("a", "fileio_rndrd", "gp2"), ("b", "fileio_rndwr", "gp3")):
        gp2, gp3 = (
            rates("pboros_ebs_2021", "iops", storage_type=kind, workload=workload)
            for kind in ("gp2", "gp3")
        )
        mine, other = (gp2, gp3) if leader == "gp2" else (gp3, gp2)
        leads = {key[-1] for key in mine if mine[key] > 1.02 * other[key]}
        assert leads == {"1", "2"}
        assert (len(leads), len(mine)) == counted("gp2-gp3", side)


def test_gp2_was_3_to_4_percent_behind_io1_at_equal_iops() -> None:
    source = "percona_iops_sweep_201808"
    behind = []
    for iops in ("3000", "6000"):
        gp2, io1 = (
            rates(
                source,
                "transactions_per_s",
                engine="percona-server",
                storage_type=kind,
                storage_iops=iops,
                storage_count="1",
            )
            for kind in ("gp2", "io1")
        )
        behind.append(round(1.0 - max(gp2.values()) / max(io1.values()), 2))
    assert behind == [0.03, 0.04]
    assert counted("gp2-avoid", "b") == (len(behind), len(behind))


def test_c5_led_c5a_in_39_of_40_cells() -> None:
    """Medians of the repeats; per dollar see tests/prediction/test_claims.py."""
    by_cell: dict[tuple[str, str], list[float]] = {}
    for row in read("observations/mysql_readonly_cpu_2021.csv"):
        if (row["source_id"], row["metric"]) == ("percona_arm_c5_2021", "queries_per_s"):
            by_cell.setdefault((row["instance_type"], row["threads"]), []).append(
                float(row["value"])
            )
    found = {cell: median(values) for cell, values in by_cell.items()}
    leads = [
        found[name, threads] > found[name.replace("c5.", "c5a."), threads]
        for name, threads in found
        if name.startswith("c5.")
    ]
    assert (sum(leads), len(leads)) == counted("c5-c5a", "a")
