"""The tables of the knowledge base: columns, units, ranges, keys and joins.

Owns what ``data/`` must look like; ``build`` and ``verify`` read it. Must never hold a value of the
data itself.
"""

from __future__ import annotations

from enum import StrEnum

from advisor.domain.record import record

#: Raised when a table or column changes; a database of another version is refused.
SCHEMA_VERSION = 4
FORMAT = "advisor-knowledge"
META_DDL = (
    "CREATE TABLE meta (format VARCHAR, schema_version INTEGER, content_hash VARCHAR, "
    "model_hash VARCHAR)"
)


class Type(StrEnum):
    """SQL type of a column."""

    TEXT = "VARCHAR"
    COUNT = "BIGINT"
    MEASURE = "DOUBLE"
    MONEY = "DECIMAL(18, 10)"
    FLAG = "BOOLEAN"


@record
class Column:
    """One column and what may stand in it."""

    name: str
    type: Type = Type.TEXT
    is_required: bool = False
    low: float | None = None
    """Least value; None: unbounded."""
    high: float | None = None
    words: tuple[str, ...] = ()
    """The closed set of a text column; empty: any text."""
    refers_to: str | None = None
    """``table.column`` it joins with; a value without a partner must be listed in known_gaps."""
    is_date: bool = False
    """ISO date or a known prefix of one."""


@record
class Table:
    """One table and the CSV files it is loaded from."""

    name: str
    files: str
    """Glob below ``data/``; all files have the same header."""
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in file order."""
        return tuple(column.name for column in self.columns)


SOURCE = Column(name="source_id", is_required=True, refers_to="sources.source_id")
AS_OF = Column(name="as_of", is_required=True, is_date=True)
REGION = Column(name="region", is_required=True)
MAX_VCPU = 4096


def text(name: str, *words: str, is_required: bool = False) -> Column:
    """Return a text column, with ``words`` a closed set."""
    return Column(name=name, words=words, is_required=is_required)


def key(name: str, *words: str) -> Column:
    """Return a text column that is never empty."""
    return text(name, *words, is_required=True)


def measure(name: str, high: float | None = None, *, is_required: bool = False) -> Column:
    """Return a column of numbers from 0 to ``high``; the unit is in the name."""
    return Column(name=name, type=Type.MEASURE, low=0.0, high=high, is_required=is_required)


def count(name: str, high: float | None = None, *, is_required: bool = False) -> Column:
    """Return a column of whole numbers of at least 1: unknown is empty, never 0."""
    return Column(name=name, type=Type.COUNT, low=1.0, high=high, is_required=is_required)


def money(name: str, *, is_required: bool = True) -> Column:
    """Return a column of positive amounts in USD."""
    return Column(name=name, type=Type.MONEY, low=1e-9, high=1e7, is_required=is_required)


def flag(name: str) -> Column:
    """Return a boolean column that is never empty."""
    return Column(name=name, type=Type.FLAG, is_required=True)
