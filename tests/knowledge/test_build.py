from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.errors import KnowledgeError
from advisor.knowledge.build import build_database, load_tables
from advisor.knowledge.content import content_hash
from advisor.knowledge.database import open_database
from advisor.knowledge.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(root: Path, tmp_path: Path) -> Path:
    """Return a copy of the data that a test may spoil."""
    copy = tmp_path / "data"
    shutil.copytree(root / "data", copy)
    return copy


def test_two_builds_of_the_same_text_give_the_same_hash(root: Path, tmp_path: Path) -> None:
    first = build_database(root / "data", tmp_path / "one.duckdb")
    second = build_database(root / "data", tmp_path / "two.duckdb")
    assert first == second
    assert len(first) == hashlib.sha256().digest_size * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.duckdb", "two.duckdb"]
    with (
        open_database(tmp_path / "one.duckdb") as one,
        open_database(tmp_path / "two.duckdb") as two,
    ):
        statement = "SELECT * FROM meta"
        assert one.execute(statement).fetchall() == two.execute(statement).fetchall()


def test_the_order_of_rows_does_not_change_the_hash(data: Path) -> None:
    with duckdb.connect() as connection:
        load_tables(connection, data)
        before = content_hash(connection)
    path = data / "prices" / "volumes.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join((header, *reversed(rows))), encoding="utf-8")
    with duckdb.connect() as connection:
        load_tables(connection, data)
        assert content_hash(connection) == before


def test_a_changed_price_changes_the_hash(data: Path) -> None:
    with duckdb.connect() as connection:
        load_tables(connection, data)
        before = content_hash(connection)
    path = data / "prices" / "volumes.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("0.08,", "0.09,", 1), encoding="utf-8")
    with duckdb.connect() as connection:
        load_tables(connection, data)
        assert content_hash(connection) != before


def test_every_table_is_filled_and_money_is_decimal(database: Path) -> None:
    with open_database(database) as connection:
        for table in TABLES:
            rows = connection.execute("SELECT 1 FROM query_table(?) LIMIT 1", [table.name])
            assert rows.fetchall() == [(1,)], table.name
        types = connection.execute(
            "SELECT DISTINCT data_type FROM duckdb_columns() WHERE column_name LIKE 'usd%'"
        ).fetchall()
    assert types == [("DECIMAL(18,10)",)]


def test_the_file_can_be_read_by_duckdb_1(database: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{database}' AS k (READ_ONLY)")
        row = connection.execute(
            "SELECT tags['storage_version'] FROM duckdb_databases() WHERE database_name = 'k'"
        ).fetchone()
    assert row is not None
    assert row[0].startswith("v1.0.0")


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("prices/volumes.csv", ("tier_from", "tier"), "columns of volume_prices differ"),
        ("prices/volumes.csv", (",0.1309,", ",cheap,"), "volumes.csv"),
        ("prices/volumes.csv", (",0.1309,", ",0.13090000001,"), "more digits"),
        ("catalogue/instance_types.csv", ("large,a1,1,8,", "large,a1,1,many,"), "vcpu"),
        ("catalogue/instance_types.csv", (",nitro,false,", ",nitro,perhaps,"), "is_bare_metal"),
    ],
)
def test_a_file_that_does_not_fit_stops_the_build(
    data: Path, tmp_path: Path, file: str, change: tuple[str, str], message: str
) -> None:
    path = data / file
    old, new = change
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(KnowledgeError, match=message):
        build_database(data, tmp_path / "out.duckdb")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_file_that_no_table_reads_stops_the_build(data: Path, tmp_path: Path) -> None:
    (data / "prices" / "azure.csv").write_text("region\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"no table of the schema reads prices/azure\.csv"):
        build_database(data, tmp_path / "out.duckdb")


def test_a_failed_build_leaves_the_database_before_it(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "advisor.duckdb"
    target.write_bytes(b"the one before")
    (data / "prices" / "volumes.csv").unlink()
    (data / "prices" / "other.csv").write_text("a\n", encoding="utf-8")
    with pytest.raises(KnowledgeError):
        build_database(data, target)
    assert target.read_bytes() == b"the one before"


def test_a_missing_data_directory_is_said(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no data directory"):
        build_database(tmp_path / "nowhere", tmp_path / "out.duckdb")
