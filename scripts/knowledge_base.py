"""Rebuilds the knowledge base from ``data/`` and shows the row diff of each table.

Run through ``scripts/data``; ``scripts/test`` uses ``--if-stale`` to build only what changed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.hatch_build import DATABASE, build_knowledge_base  # noqa: E402 (needs the path above)

#: What the database is made of.
INPUTS = ("data", "advisor/knowledge", "advisor/prediction", "advisor/domain")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDiff:
    """How one table changed between two builds."""

    table: str
    rows: int
    """Rows in the new build; 0 when the table is gone."""
    added: int | None
    """Rows that the old build lacks; None: the columns changed, rows cannot be compared."""
    removed: int | None


def is_stale(root: Path, database: Path) -> bool:
    """Return whether an input is newer than the database, or there is none."""
    if not database.exists():
        return True
    built = database.stat().st_mtime
    inputs = (path for name in INPUTS for path in (root / name).rglob("*"))
    return any(
        path.stat().st_mtime > built
        for path in inputs
        if path.is_file() and path.suffix in {".csv", ".toml", ".py", ".sql"}
    )


def diff_tables(old: Path, new: Path) -> list[TableDiff]:
    """Return the diff of every table of either database, by name."""
    with duckdb.connect() as connection:
        for name, path in (("old", old), ("new", new)):
            quoted = str(path).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
        columns = {name: _columns(connection, name) for name in ("old", "new")}
        tables = sorted(columns["old"].keys() | columns["new"].keys())
        return [
            _diff(connection, table, columns["old"].get(table), columns["new"].get(table))
            for table in tables
        ]


def _columns(connection: duckdb.DuckDBPyConnection, database: str) -> dict[str, tuple[str, ...]]:
    rows = connection.execute(
        "SELECT table_name, list(column_name || ' ' || data_type ORDER BY column_index) "
        "FROM duckdb_columns() WHERE database_name = ? AND schema_name = 'main' AND NOT internal "
        "GROUP BY ALL",
        [database],
    ).fetchall()
    return {table: tuple(columns) for table, columns in rows}


def _diff(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    old: tuple[str, ...] | None,
    new: tuple[str, ...] | None,
) -> TableDiff:
    def count(source: str) -> int:
        row = connection.execute(f"SELECT count(*) FROM {source}").fetchone()  # noqa: S608 (own names)
        return int(row[0]) if row else 0

    if old is None:
        rows = count(f'new."{table}"')
        return TableDiff(table=table, rows=rows, added=rows, removed=0)
    if new is None:
        return TableDiff(table=table, rows=0, added=0, removed=count(f'old."{table}"'))
    rows = count(f'new."{table}"')
    if old != new:
        return TableDiff(table=table, rows=rows, added=None, removed=None)
    return TableDiff(
        table=table,
        rows=rows,
        added=count(f'(FROM new."{table}" EXCEPT ALL FROM old."{table}")'),
        removed=count(f'(FROM old."{table}" EXCEPT ALL FROM new."{table}")'),
    )


def _show(diffs: list[TableDiff]) -> None:
    print(f"{'table':<28} {'rows':>9} {'added':>9} {'removed':>9}")
    for diff in diffs:
        if diff.added is None or diff.removed is None:
            print(f"{diff.table:<28} {diff.rows:>9}   columns changed")
        else:
            print(f"{diff.table:<28} {diff.rows:>9} {diff.added:>+9} {-diff.removed:>+9}")


def main() -> int:
    """Rebuild, compare, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--if-stale", action="store_true", help="build only when an input is newer; no diff"
    )
    arguments = parser.parse_args()
    database = ROOT / DATABASE
    if arguments.if_stale:
        if is_stale(ROOT, database):
            print(f"knowledge base {build_knowledge_base(ROOT)}", file=sys.stderr)
            database.touch()
        return 0
    previous = database.with_suffix(".previous.duckdb")
    previous.unlink(missing_ok=True)
    if database.exists():
        database.rename(previous)
    try:
        content_hash = build_knowledge_base(ROOT)
    except BaseException:
        if previous.exists():
            previous.replace(database)
        raise
    if previous.exists():
        try:
            _show(diff_tables(previous, database))
        except duckdb.Error as error:
            print(f"the previous build cannot be compared: {error}", file=sys.stderr)
        previous.unlink()
    else:
        print("there was no previous build to compare with", file=sys.stderr)
    print(f"knowledge base {content_hash}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
