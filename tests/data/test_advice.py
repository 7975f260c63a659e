"""The facts behind the advice: sourced, dated, disjoint, and as published."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

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
