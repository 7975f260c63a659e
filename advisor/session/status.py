"""What the knowledge base in use holds: for ``advisor info``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from pathlib import Path


@record
class KnowledgeStatus:
    """A knowledge base that could be opened."""

    path: Path
    schema_version: int
    content_hash: str
    """SHA-256 of the data rows, hexadecimal."""
    model_hash: str
    """SHA-256 of the fitted tables, hexadecimal."""
    duckdb_version: str
    rows: tuple[tuple[str, int], ...]
    """(table, rows), by table name; ``meta`` left out."""


def knowledge_path(database: Path | None) -> Path:
    """Return the knowledge base in use: ``database``, or the bundled one; it need not exist."""
    from advisor.knowledge.database import bundled_path

    return database or bundled_path()


def knowledge_status(database: Path | None) -> KnowledgeStatus:
    """Return what the knowledge base holds; KnowledgeError when it cannot be opened."""
    from advisor.knowledge.database import open_database

    path = knowledge_path(database)
    with open_database(path) as connection:
        schema_version, content_hash, model_hash, version = connection.execute(
            "SELECT schema_version, content_hash, model_hash, version() FROM meta"
        ).fetchall()[0]
        rows = connection.execute(
            "SELECT table_name, estimated_size FROM duckdb_tables() "
            "WHERE NOT internal AND table_name <> 'meta' ORDER BY table_name"
        ).fetchall()
    return KnowledgeStatus(
        path=path,
        schema_version=int(schema_version),
        content_hash=str(content_hash),
        model_hash=str(model_hash),
        duckdb_version=str(version).removeprefix("v"),
        rows=tuple((str(table), int(count)) for table, count in rows),
    )
