"""The content hash: a digest of the rows as text, independent of file layout, time and order."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from advisor.knowledge.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

#: Field and row separators of the canonical text; no CSV cell holds them.
_FIELD = "\x1f"
_ROW = "\x1e"


def content_hash(connection: DuckDBPyConnection) -> str:
    """Return the SHA-256 of all data tables: names, columns and rows in sorted order."""
    return _digest(connection, [(table.name, table.names) for table in TABLES])


def model_hash(connection: DuckDBPyConnection) -> str:
    """Return the SHA-256 of the fitted tables, which are all that are neither data nor meta."""
    known = {table.name for table in TABLES} | {"meta"}
    columns: dict[str, list[str]] = {}
    for name, column in connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_catalog = current_database() AND table_schema = 'main' "
        "ORDER BY table_name, ordinal_position"
    ).fetchall():
        if name not in known:
            columns.setdefault(name, []).append(column)
    return _digest(connection, sorted(columns.items()))


def _digest(connection: DuckDBPyConnection, tables: Iterable[tuple[str, Iterable[str]]]) -> str:
    digest = hashlib.sha256()
    for name, columns in tables:
        names = tuple(columns)
        cells = ", ".join(f"coalesce(\"{column}\"::VARCHAR, '')" for column in names)
        row = connection.execute(
            f"SELECT count(*), sha256(coalesce(string_agg(line, '{_ROW}' ORDER BY line), '')) "  # noqa: S608 (names of our own schema)
            f"FROM (SELECT concat_ws('{_FIELD}', {cells}) AS line FROM \"{name}\")"
        ).fetchone()
        digest.update(_ROW.join((name, *names, *map(str, row or ()))).encode())
    return digest.hexdigest()
