"""``advisor data``: what the knowledge base holds, from which sources, and whether it is sound."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.environment import current_settings
from advisor.cli.output import write_result
from advisor.cli.output_flags import AsCsv, AsJson, OutputFile, one_form
from advisor.cli.registry import new_app
from advisor.errors import KnowledgeError

if TYPE_CHECKING:
    from advisor.session.data import Rows

app = new_app("What the knowledge base holds, from which sources, and whether it is sound.")


#: Columns of the sources that fit a page; CSV and JSON carry all.
_SOURCE_COLUMNS = ("source_id", "title", "date", "age_days", "licence", "quality", "rows")


@app.command()
def sources(*, as_csv: AsCsv = False, as_json: AsJson = False, output: OutputFile = None) -> None:
    """List the sources with date, age in days, licence, quality and rows that cite them."""
    from advisor.session.data import list_sources

    one_form(csv=as_csv, json=as_json)
    found = list_sources(current_settings().database, datetime.now(UTC).date())
    if as_csv or as_json:
        write_result(_formatted(found, as_json=as_json), output)
        return
    kept = [found.columns.index(name) for name in _SOURCE_COLUMNS]
    rows = [[row[index] for index in kept] for row in found.rows]
    write_result(_text(_SOURCE_COLUMNS, rows), output)


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(help="Instance type, family, storage type, engine or RDS class.")
    ],
    *,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Show facts, prices and measurements about a name."""
    from advisor.render.table import json_tables
    from advisor.session.data import show_subject

    tables = show_subject(current_settings().database, name)
    if as_json:
        document = json_tables(name, [(each.title, each.columns, each.rows) for each in tables])
        write_result(document, output)
        return
    blocks = [f"{each.title}\n{_text(*_known(each))}" for each in tables]
    write_result("\n\n".join(blocks), output)


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="One SELECT statement.")],
    *,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Run one read-only SQL statement on the knowledge base."""
    from advisor.session.data import run_query

    one_form(csv=as_csv, json=as_json)
    found = run_query(current_settings().database, sql)
    if as_csv or as_json:
        write_result(_formatted(found, as_json=as_json), output)
    else:
        write_result(_text(found.columns, found.rows), output)


@app.command()
def export(
    table: Annotated[str, typer.Argument(help="Name of a table.")],
    *,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Write a whole table as CSV (the default) or JSON."""
    from advisor.session.data import export_table

    one_form(csv=as_csv, json=as_json)
    found = export_table(current_settings().database, table)
    write_result(_formatted(found, as_json=as_json), output)


@app.command()
def verify(*, as_json: AsJson = False, output: OutputFile = None) -> None:
    """Check types, units, ranges, keys, sources, prices, joins and the content hash."""
    from advisor.render.table import json_table
    from advisor.session.data import verify_data

    faults = verify_data(current_settings().database)
    columns = ("check", "table", "column", "rows", "example")
    rows = [[getattr(fault, name) for name in columns] for fault in faults]
    if as_json:
        write_result(json_table("faults", columns, rows), output)
    else:
        write_result(_text(columns, rows) if rows else "the knowledge base is sound", output)
    if faults:
        raise KnowledgeError(f"the knowledge base has {len(faults)} faults")


def _known(found: Rows) -> tuple[list[str], list[list[object]]]:
    """Return the columns in which anything is known, with their cells."""
    kept = [
        index
        for index in range(len(found.columns))
        if any(row[index] is not None for row in found.rows)
    ]
    rows = [[row[index] for index in kept] for row in found.rows]
    return [found.columns[index] for index in kept], rows


def _formatted(found: Rows, *, as_json: bool) -> str:
    from advisor.render.table import csv_table, json_table

    if as_json:
        return json_table(found.title, found.columns, found.rows)
    return csv_table(found.columns, found.rows)


def _text(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table as wide as the terminal, at least a page of 80 columns."""
    from advisor.render.table import PAGE_WIDTH, text_table

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    width = max(PAGE_WIDTH, shutil.get_terminal_size().columns) if is_terminal else PAGE_WIDTH
    return text_table(columns, rows, width)
