"""Reads and writes the CSV tables of ``data/``: UTF-8, LF, sorted by key, empty field = unknown.

Must never guess: a missing value stays an empty field, a repeated key is an error.
"""

from __future__ import annotations

import csv
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a CSV file with a header."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_rows(path: Path, columns: Sequence[str], key: Sequence[str], rows: Iterable[Row]) -> int:
    """Write rows sorted by ``key``; return how many. Raises ValueError on a repeated key."""
    table = sorted(rows, key=lambda row: tuple(_sort_value(row[name]) for name in key))
    seen: set[tuple[str, ...]] = set()
    for row in table:
        identity = tuple(row[name] for name in key)
        if identity in seen:
            raise ValueError(f"{path.name}: {identity} appears twice")
        seen.add(identity)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    return len(table)


def plain(text: str) -> str:
    """Return a decimal number without an exponent, every digit kept: ``5e-08`` → ``0.00000005``."""
    return format(Decimal(text), "f") if text else ""


def measure(value: float) -> str:
    """Return a float in the shortest text that keeps four decimals: ``298.0232``, ``125``."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _sort_value(text: str) -> tuple[int, float, str]:
    """Order numbers by value and before words, so that tier 32000 follows tier 0."""
    return (0, float(text), "") if text.isdigit() else (1, 0.0, text)
