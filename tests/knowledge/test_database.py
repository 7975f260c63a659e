from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.errors import ExitCode, KnowledgeError
from advisor.knowledge.database import bundled_path, open_database
from advisor.knowledge.schema import SCHEMA_VERSION
from advisor.knowledge.verify import verify

if TYPE_CHECKING:
    from pathlib import Path


def refusal(path: Path) -> KnowledgeError:
    with pytest.raises(KnowledgeError) as caught:
        open_database(path)
    assert caught.value.exit_code is ExitCode.KNOWLEDGE
    assert caught.value.hint
    assert "\n" not in caught.value.message
    return caught.value


def write_database(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


META = (
    "CREATE TABLE meta (format VARCHAR, schema_version INTEGER, content_hash VARCHAR, "
    "model_hash VARCHAR)"
)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert "there is no knowledge base" in refusal(tmp_path / "none.duckdb").message


def test_a_directory_is_said(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path).message


@pytest.mark.parametrize(
    "content",
    [b"", b"short", b"SQLite format 3\0" + bytes(5000), os.urandom(9000), b"x" * 5000],
    ids=["empty", "short", "sqlite", "random", "text"],
)
def test_a_file_of_another_kind_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.duckdb"
    path.write_bytes(content)
    assert "is not a DuckDB database" in refusal(path).message


@pytest.mark.parametrize(
    "statements",
    [
        (),
        ("CREATE TABLE meta (a INTEGER)",),
        (META,),
        (META, "INSERT INTO meta VALUES ('other', 1, '', '')"),
    ],
    ids=["no-meta", "other-meta", "empty-meta", "other-format"],
)
def test_a_foreign_database_is_said(tmp_path: Path, statements: tuple[str, ...]) -> None:
    path = write_database(tmp_path / "foreign.duckdb", *statements)
    assert "is not a knowledge base of advisor" in refusal(path).message


def test_another_schema_version_is_said_with_both_numbers(tmp_path: Path) -> None:
    row = "INSERT INTO meta VALUES ('advisor-knowledge', 999, '', '')"
    message = refusal(write_database(tmp_path / "new.duckdb", META, row)).message
    assert "schema version 999" in message
    assert f"reads {SCHEMA_VERSION}" in message


def test_a_truncated_file_is_damaged(database: Path, tmp_path: Path) -> None:
    content = database.read_bytes()
    path = tmp_path / "cut.duckdb"
    path.write_bytes(content[: len(content) // 3])
    assert "damaged" in refusal(path).message


def test_flipped_bytes_are_found_by_opening_or_by_verify(database: Path, tmp_path: Path) -> None:
    content = bytearray(database.read_bytes())
    path = tmp_path / "flipped.duckdb"
    for start in range(8192, len(content), 4096):
        content[start] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(KnowledgeError, match="damaged"):
        verify(open_database(path))


def test_the_connection_refuses_to_write(database: Path) -> None:
    with open_database(database) as connection, pytest.raises(duckdb.Error, match="read-only"):
        connection.execute("INSERT INTO meta VALUES ('', 0, '', '')")


def test_a_read_only_file_in_a_read_only_directory_opens(database: Path, tmp_path: Path) -> None:
    directory = tmp_path / "sealed"
    directory.mkdir()
    path = directory / "advisor.duckdb"
    path.write_bytes(database.read_bytes())
    path.chmod(0o444)
    directory.chmod(0o555)
    try:
        with open_database(path) as connection:
            assert connection.execute("SELECT count(*) FROM meta").fetchall() == [(1,)]
    finally:
        directory.chmod(0o755)
    assert [item.name for item in directory.iterdir()] == ["advisor.duckdb"]


def test_several_processes_read_at_once(database: Path) -> None:
    """Six processes hold the database open until all of them have read from it."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from advisor.knowledge.database import open_database\n"
        "with open_database(Path(sys.argv[1])) as connection:\n"
        "    rows = connection.execute('SELECT count(*) FROM ec2_prices').fetchone()[0]\n"
        "    print(rows, flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    try:
        counts = {reader.stdout.readline() for reader in readers if reader.stdout}
    finally:
        for reader in readers:
            reader.communicate("\n", timeout=60)
    assert [reader.returncode for reader in readers] == [0] * 6
    assert len(counts) == 1
    assert int(counts.pop()) > 80_000


def test_the_bundled_path_is_inside_the_package() -> None:
    assert bundled_path().parts[-3:] == ("advisor", "knowledge", "advisor.duckdb")
