"""A Price List file (CSV) as a small table: only the rows and columns that prices need.

Layout: five lines of metadata, the header on the sixth, one row per price. Columns come and go with
region and year: those that a filter cannot do without are required, others are NULL when absent.
"""

from __future__ import annotations

import csv
import re
from contextlib import contextmanager
from itertools import islice
from threading import TIMEOUT_MAX, Event, Thread
from typing import TYPE_CHECKING

import duckdb

from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.usage_types import REGION_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from advisor.pricing.provider import Deadline

#: Lines before the header, and the longest line that can be one, characters.
METADATA_LINES, LONGEST_LINE = 5, 100_000
#: For a file of any size: the scan holds two buffers a thread, the table a few thousand rows.
MEMORY_LIMIT, THREADS = "160MB", 2
_AGAIN_S = 0.02


@record
class Head:
    """What stands above the rows."""

    published: str
    """ISO time of publication as AWS wrote it."""
    columns: tuple[str, ...]
    """In file order, in lower case."""


@record
class Layout:
    """Which rows and columns of a kind of file are kept."""

    required: Mapping[str, str]
    """Our name → AWS's name in lower case."""
    optional: Mapping[str, str]
    keep: str
    """SQL condition over our names; ``$region`` is the region."""


def head_of(path: Path) -> Head:
    """Return what stands above the rows; raises PricingError when it is no Price List file."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = [file.readline(LONGEST_LINE) for _ in range(METADATA_LINES + 1)]
        rows = list(islice(csv.reader(lines, strict=True), METADATA_LINES + 1))
    except (UnicodeDecodeError, csv.Error) as error:
        raise PricingError("not a price list") from error
    metadata = {row[0]: row[1] for row in rows[:METADATA_LINES] if len(row) > 1}
    published = metadata.get("Publication Date", "")
    if len(rows) <= METADATA_LINES or not re.match(r"\d{4}-\d\d-\d\d", published):
        raise PricingError("not a price list")
    return Head(published=published, columns=tuple(name.lower() for name in rows[-1]))


@contextmanager
def opened(
    path: Path, head: Head, layout: Layout, region: str, deadline: Deadline
) -> Iterator[DuckDBPyConnection]:
    """Yield a database in memory whose table ``listed`` has the rows of ``layout``.

    Columns are text under our names. Raises PricingError when the file cannot be read in time.
    """
    missing = [name for name in layout.required.values() if name not in head.columns]
    if missing:
        raise PricingError(f"a price list without the column {missing[0]}")
    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY_LIMIT,
        "threads": THREADS,
        "temp_directory": str(path.parent / "duckdb"),
        "preserve_insertion_order": False,
    }
    with duckdb.connect(":memory:", config=settings) as connection, _ended(connection, deadline):
        try:
            connection.execute(_load(head, layout), {"path": str(path), "region": region})
            yield connection
        except duckdb.InterruptException as error:
            raise PricingError("out of time") from error
        except duckdb.Error as error:
            raise PricingError(_words(error)) from error
        except RuntimeError as error:
            # What DuckDB makes of Ctrl-C.
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from error


def _load(head: Head, layout: Layout) -> str:
    columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(head.columns)))
    names = {**layout.required, **layout.optional}
    places = {
        ours: f"c{head.columns.index(aws)}" for ours, aws in names.items() if aws in head.columns
    }
    picked = ", ".join(f"{places.get(ours, 'NULL::VARCHAR')} AS {ours}" for ours in names)
    # Our own names and conditions only: what the file says is a place or a parameter.
    return f"""
        CREATE TABLE listed AS
        SELECT *, regexp_replace(usage_type, '{REGION_PREFIX}', '') AS usage
        FROM (
            SELECT {picked}
            FROM read_csv(
                $path, auto_detect = false, skip = {METADATA_LINES + 1}, header = false,
                delim = ',', quote = '"', escape = '"', columns = {{{columns}}}
            )
        )
        WHERE {layout.keep}
    """  # noqa: S608 (see above)


def _words(error: duckdb.Error) -> str:
    if isinstance(error, duckdb.OutOfMemoryException):
        return "not enough memory, or no room for temporary files"
    line = re.search(r"Line: (\d+)", str(error))
    return f"cannot be read as CSV at line {line[1]}" if line else "cannot be read as CSV"


@contextmanager
def _ended(connection: DuckDBPyConnection, deadline: Deadline) -> Iterator[None]:
    over = Event()

    def watch() -> None:
        # Again and again: an interrupt between two statements is forgotten.
        if not over.wait(min(deadline.left_s, TIMEOUT_MAX)):
            while not over.wait(_AGAIN_S):
                connection.interrupt()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
