"""Plain tables as text, CSV and JSON.

Owns alignment and the spelling of cells. Must never drop a value: a table that is too wide for the
page is wrapped, then written record by record.
"""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE_WIDTH = 80
UNKNOWN = "-"
_GAP = "  "
_LEAST_WRAPPED = 10
#: Below this every whole float is an exact integer and reads better as one.
_EXACT_WHOLE = 2**53


def cell_text(value: object) -> str:
    """Return a cell for people and CSV; an unknown value is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_WHOLE:
        return str(int(value))
    return str(value)


def text_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], width: int = PAGE_WIDTH
) -> str:
    """Return an aligned table of at most ``width`` columns, or records where it cannot fit."""
    cells = [[_printable(value) for value in row] for row in rows]
    widths = [
        max([len(name), *(len(row[index]) for row in cells)]) for index, name in enumerate(columns)
    ]
    fitted = _fit(columns, cells, widths, width)
    if fitted is None:
        return _records(columns, cells, width)
    numeric = [
        all(_is_number(row[index]) for row in rows) and bool(rows) for index in range(len(columns))
    ]
    lines = [_line(columns, fitted, numeric)]
    for row in cells:
        wrapped = [
            textwrap.wrap(text, size, break_on_hyphens=False) or [""]
            for text, size in zip(row, fitted, strict=True)
        ]
        for index in range(max(map(len, wrapped))):
            part = [lines_[index] if index < len(lines_) else "" for lines_ in wrapped]
            lines.append(_line(part, fitted, numeric))
    return "\n".join(lines)


def csv_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return CSV with a header row and LF; an unknown value is an empty field."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cell_text(value) for value in row] for row in rows)
    return stream.getvalue()


def json_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return one table as JSON: ``{schema, table, columns, rows: [{column: value}]}``."""
    return _dump({"schema": "advisor.table/1", **_table(title, columns, rows)})


def json_tables(
    subject: str, tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[object]]]]
) -> str:
    """Return several tables about a subject as one JSON document."""
    return _dump(
        {
            "schema": "advisor.tables/1",
            "subject": subject,
            "tables": [_table(*table) for table in tables],
        }
    )


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> dict[str, object]:
    names = _unique(columns)
    objects = [
        {name: _json_value(value) for name, value in zip(names, row, strict=True)} for row in rows
    ]
    return {"table": title, "columns": list(names), "rows": objects}


def _dump(document: Mapping[str, object]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _json_value(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    return str(value)


def _unique(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names with ``_2``, ``_3`` … appended where one repeats."""
    taken: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in taken:
            number += 1
            name = f"{column}_{number}"
        taken.append(name)
    return tuple(taken)


def _printable(value: object) -> str:
    """Return a cell on one line, control characters shown as spaces, unknown as ``-``."""
    if value is None:
        return UNKNOWN
    return "".join(letter if letter.isprintable() else " " for letter in cell_text(value))


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float | Decimal) and value is not True)


def _fit(
    columns: Sequence[str], cells: Sequence[Sequence[str]], widths: Sequence[int], width: int
) -> list[int] | None:
    """Return column widths within the page; None where words would have to be broken."""
    least = [
        max(
            [
                len(name),
                *(_longest_word(row[index]) for row in cells),
                min(_LEAST_WRAPPED, widths[index]),
            ]
        )
        for index, name in enumerate(columns)
    ]
    fitted = list(widths)
    excess = sum(fitted) + len(_GAP) * (len(columns) - 1) - width
    while excess > 0:
        index = max(range(len(fitted)), key=lambda i: fitted[i] - least[i], default=None)
        if index is None or fitted[index] <= least[index]:
            return None
        fitted[index] -= 1
        excess -= 1
    return fitted


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    parts = [
        f"{text:>{size}}" if is_number else f"{text:<{size}}"
        for text, size, is_number in zip(cells, widths, numeric, strict=True)
    ]
    return _GAP.join(parts).rstrip()


def _records(columns: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> str:
    """Return one block per row, ``column  value`` per line, known values only."""
    size = max(map(len, columns))
    blocks = []
    for row in cells:
        lines = []
        for name, text in zip(columns, row, strict=True):
            if text == UNKNOWN:
                continue
            wrapped = textwrap.wrap(
                text,
                max(width - size - len(_GAP), _LEAST_WRAPPED),
                break_long_words=False,
                break_on_hyphens=False,
            )
            for index, part in enumerate(wrapped or [""]):
                lines.append(f"{name if index == 0 else '':<{size}}{_GAP}{part}".rstrip())
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)
