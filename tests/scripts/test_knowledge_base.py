from __future__ import annotations

import os
from typing import TYPE_CHECKING

import duckdb

from scripts.knowledge_base import TableDiff, diff_tables, is_stale

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def test_diff_counts_rows_of_each_table(tmp_path: Path) -> None:
    old = write(
        tmp_path / "old.duckdb",
        "CREATE TABLE same AS SELECT 1 AS a UNION ALL SELECT 1",
        "CREATE TABLE changed AS SELECT unnest([1, 2, 3]) AS a",
        "CREATE TABLE widened AS SELECT 1 AS a",
        "CREATE TABLE gone AS SELECT 1 AS a",
    )
    new = write(
        tmp_path / "new.duckdb",
        "CREATE TABLE same AS SELECT 1 AS a UNION ALL SELECT 1",
        "CREATE TABLE changed AS SELECT unnest([2, 3, 4, 4]) AS a",
        "CREATE TABLE widened AS SELECT 1 AS a, 2 AS b",
        "CREATE TABLE made AS SELECT 1 AS a",
    )
    assert diff_tables(old, new) == [
        TableDiff(table="changed", rows=4, added=2, removed=1),
        TableDiff(table="gone", rows=0, added=0, removed=1),
        TableDiff(table="made", rows=1, added=1, removed=0),
        TableDiff(table="same", rows=2, added=0, removed=0),
        TableDiff(table="widened", rows=1, added=None, removed=None),
    ]


def test_database_is_stale_when_an_input_is_newer(tmp_path: Path) -> None:
    database = tmp_path / "advisor" / "knowledge" / "advisor.duckdb"
    row = tmp_path / "data" / "prices" / "ec2.csv"
    row.parent.mkdir(parents=True)
    database.parent.mkdir(parents=True)
    row.write_text("a\n", encoding="utf-8")
    assert is_stale(tmp_path, database)
    database.write_bytes(b"")
    os.utime(row, (1_000, 1_000))
    assert not is_stale(tmp_path, database)
    os.utime(row, (database.stat().st_mtime + 5,) * 2)
    assert is_stale(tmp_path, database)
