"""Builds the DuckDB from the text under ``data/``; run by the package build.

The same text gives the same rows and the same content hash. The file is written beside its place
and renamed, so that a reader sees the old database or the new one. Must never repair data: a header
that differs, a cell of the wrong type or a file that no table reads stops the build.
"""

from __future__ import annotations

import contextlib
import csv
import os
from typing import TYPE_CHECKING

import duckdb

from advisor.errors import KnowledgeError
from advisor.knowledge.content import content_hash, model_hash
from advisor.knowledge.schema import FORMAT, META_DDL, SCHEMA_VERSION, Column, Table, Type
from advisor.knowledge.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

#: Oldest storage format of DuckDB 1.x, so that older tools can open the file too.
STORAGE_VERSION = "v1.0.0"
#: Holds every digit that a price may have.
_EXACT = "DECIMAL(38, 20)"


def build_database(data_directory: Path, database: Path) -> str:
    """Write ``database`` from the CSV files of ``data_directory``; return its content hash.

    Raises KnowledgeError naming the file and the cell that cannot be loaded.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    temporary = database.with_name(f".{database.name}.{os.getpid()}.tmp")
    try:
        digest = _write(temporary, data_directory)
        temporary.replace(database)
    except duckdb.Error as error:
        raise KnowledgeError(f"the knowledge base cannot be built: {_first_line(error)}") from error
    finally:
        for leftover in (temporary, temporary.with_name(temporary.name + ".wal")):
            with contextlib.suppress(FileNotFoundError):
                leftover.unlink()
    return digest


def load_tables(connection: duckdb.DuckDBPyConnection, data_directory: Path) -> None:
    """Create and fill every data table; raises KnowledgeError where a file does not fit."""
    files = {table.name: sorted(data_directory.glob(table.files)) for table in TABLES}
    _refuse_strangers(data_directory, {path for paths in files.values() for path in paths})
    for table in TABLES:
        connection.execute(_create(table))
        for path in files[table.name]:
            _check_header(table, path)
        if files[table.name]:
            _load(connection, table, files[table.name])


def _write(target: Path, data_directory: Path) -> str:
    from advisor.knowledge.model import fit_and_store

    with duckdb.connect(":memory:", config={"threads": "1"}) as connection:
        quoted = str(target).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS knowledge (STORAGE_VERSION '{STORAGE_VERSION}')")
        connection.execute("USE knowledge")
        load_tables(connection, data_directory)
        fit_and_store(connection)
        digest = content_hash(connection)
        connection.execute(META_DDL)
        connection.execute(
            "INSERT INTO meta VALUES (?, ?, ?, ?)",
            [FORMAT, SCHEMA_VERSION, digest, model_hash(connection)],
        )
        connection.execute("CHECKPOINT knowledge")
        connection.execute("USE memory")
        connection.execute("DETACH knowledge")
    return digest


def _refuse_strangers(data: Path, expected: set[Path]) -> None:
    if not data.is_dir():
        raise KnowledgeError(f"there is no data directory {data}")
    strangers = sorted(set(data.rglob("*.csv")) - expected)
    if strangers:
        name = strangers[0].relative_to(data)
        raise KnowledgeError(f"no table of the schema reads {name}")


def _create(table: Table) -> str:
    columns = ", ".join(f'"{column.name}" {column.type}' for column in table.columns)
    return f"CREATE TABLE {table.name} ({columns})"


def _check_header(table: Table, path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as stream:
        header = tuple(next(csv.reader(stream), ()))
    if header != table.names:
        wrong = sorted(set(header) ^ set(table.names)) or ["their order"]
        raise KnowledgeError(f"{path.name}: columns of {table.name} differ: {', '.join(wrong)}")


def _load(connection: duckdb.DuckDBPyConnection, table: Table, paths: list[Path]) -> None:
    columns = ", ".join(f"'{column.name}': 'VARCHAR'" for column in table.columns)
    cells = ", ".join(_cast(column) for column in table.columns)
    try:
        connection.execute(
            f"INSERT INTO {table.name} SELECT {cells} FROM read_csv(?, columns={{{columns}}}, "  # noqa: S608 (names of our own schema)
            "auto_detect=false, header=true, delim=',', quote='\"', escape='\"', nullstr='') "
            "ORDER BY ALL",
            [[str(path) for path in paths]],
        )
    except duckdb.Error as error:
        names = ", ".join(path.name for path in paths)
        raise KnowledgeError(f"{names}: {_cell(error)}") from error


def _cast(column: Column) -> str:
    """Return the SQL that types a cell; an amount that would lose digits stops the load."""
    if column.type is Type.TEXT:
        return f'"{column.name}"'
    if column.type is Type.MONEY:
        exact, kept = (f'CAST("{column.name}" AS {kind})' for kind in (_EXACT, column.type))
        lost = f"error('{column.name} has more digits than are kept: ' || \"{column.name}\")"
        return f"CASE WHEN {exact} IS DISTINCT FROM {kept} THEN {lost} ELSE {kept} END"
    return f'CAST("{column.name}" AS {column.type})'


def _cell(error: Exception) -> str:
    """Return line and column of a CSV error, which DuckDB spreads over several lines."""
    lines = str(error).splitlines()
    named = [line for line in lines[1:] if line.startswith(("Error when", "Could not"))]
    return " ".join((lines[0], *named))


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
