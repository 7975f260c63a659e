"""Reading the shared tables and writing the project's: CSV, UTF-8, LF, sorted rows."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Row = dict[str, str]


def read_table(folder: Path, table: str) -> list[Row]:
    """The rows of ``<folder>/<table>.csv`` as text."""
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def natural_key(row: Sequence[str]) -> tuple[tuple[tuple[int, float, str], ...], ...]:
    """Sort key that orders 2 before 16, inside names too."""
    return tuple(_parts(cell) for cell in row)


def _parts(cell: str) -> tuple[tuple[int, float, str], ...]:
    parts = re.split(r"(\d+(?:\.\d+)?)", cell)
    return tuple((0, float(part), "") if n % 2 else (1, 0.0, part) for n, part in enumerate(parts))


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """Write sorted ``rows`` under ``columns`` and return how many there are."""
    ordered = sorted(rows, key=natural_key)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(ordered)
    return len(ordered)
