"""Checks an opened knowledge base against its schema; an empty answer means that it holds.

Backs ``advisor data verify``; CI builds from the text of ``data/`` first, so that types are checked
by the load and everything else here. Must never repair or skip: a known incompleteness is a row in
``known_gaps``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from advisor.domain.record import record
from advisor.errors import KnowledgeError
from advisor.knowledge.content import content_hash, model_hash
from advisor.knowledge.database import REINSTALL
from advisor.knowledge.schema import Column, Table, Type
from advisor.knowledge.tables import OBSERVED, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator

_DATE = r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?"


@record
class Fault:
    """One broken promise of the data."""

    check: str
    """``hash empty required range word date key join rule``: which kind of promise."""
    table: str
    column: str
    """Column or columns concerned; the rule's name for a rule."""
    rows: int
    """How many rows break it."""
    example: str
    """One offending value."""


#: Rules between columns: name, table, condition that every row must meet.
_RULES = (
    ("ebs-baseline-iops-within-maximum", "instance_types", "ebs_baseline_iops <= ebs_max_iops"),
    (
        "ebs-baseline-throughput-within-maximum",
        "instance_types",
        "ebs_baseline_mib_per_s <= ebs_max_mib_per_s",
    ),
    (
        "default-candidates-are-complete",
        "instance_types",
        (
            "exclusion IS NOT NULL OR (threads_per_core IS NOT NULL AND ebs_baseline_iops "
            "IS NOT NULL "
            "AND ebs_max_mib_per_s IS NOT NULL AND network_baseline_gbps IS NOT NULL)"
        ),
    ),
    ("disk-columns-agree", "instance_types", "(disk_count IS NULL) = (disk_total_gb IS NULL)"),
    ("volume-sizes-ordered", "volume_limits", "min_gib <= max_gib"),
    ("volume-iops-ordered", "volume_limits", "min_iops IS NULL OR min_iops <= max_iops"),
    (
        "upfront-only-where-partial",
        "rds_prices",
        "(payment = 'partial') = (upfront_usd IS NOT NULL)",
    ),
    (
        "units-fit-items",
        "volume_prices",
        (
            "unit = CASE item WHEN 'capacity' THEN 'GiB-month' WHEN 'iops' THEN 'IOPS-month' "
            "WHEN 'throughput' THEN 'MiB/s-month' ELSE 'request' END"
        ),
    ),
    ("tiers-only-for-io2", "volume_prices", "tier_from = 0 OR volume_type = 'io2'"),
    (
        "cells-of-a-side-are-counted-together",
        "contested",
        (
            "(a_cells IS NULL) = (a_of IS NULL) AND (b_cells IS NULL) = (b_of IS NULL) "
            "AND coalesce(a_cells <= a_of, true) AND coalesce(b_cells <= b_of, true)"
        ),
    ),
    ("gaps-name-a-table", "known_gaps", '"table" IN ({tables})'),
)

#: What a side of a contested claim is worth: quality of its source × standing × share of the cells
#: that bear it out (docs/model.md, contested evidence).
_WORTH = (
    "CASE {0}.quality WHEN 'A' THEN 1.0 WHEN 'B' THEN 0.5 ELSE 0.25 END * CASE {0}_standing "
    "WHEN 'independent' THEN 1.0 WHEN 'vendor' THEN 0.5 ELSE 0.125 END * "
    "coalesce({0}_cells / {0}_of, 0.5)"
)
#: Weights carry two decimals.
_WEIGHTS = (
    f"WITH worth AS (SELECT claim, a_weight, b_weight, {_WORTH.format('a')} AS wa, "  # noqa: S608 (constant text)
    f"{_WORTH.format('b')} AS wb FROM contested JOIN sources a ON a.source_id = a_source_id "
    "JOIN sources b ON b.source_id = b_source_id) SELECT claim FROM worth "
    "WHERE abs(a_weight - wa / (wa + wb)) > 0.0051 OR abs(a_weight + b_weight - 1) > 0.0001"
)

#: Questions over several rows; each must return no row: name, table, statement.
_QUESTIONS = (
    (
        "reserved-below-on-demand",
        "ec2_prices",
        (
            "SELECT r.region || ' ' || r.instance_type || ' ' || r.term FROM ec2_prices r "
            "JOIN ec2_prices o USING (region, instance_type) "
            "WHERE o.term = 'on-demand' AND r.term LIKE 'reserved-%' AND r.flag IS NULL "
            "AND r.usd_per_hour >= o.usd_per_hour"
        ),
    ),
    (
        "io-optimized-above-standard",
        "aurora_prices",
        (
            "SELECT s.region || ' ' || s.engine || ' ' || s.db_class FROM aurora_prices s "
            "JOIN aurora_prices o USING (region, engine, db_class) WHERE s.storage_mode = "
            "'standard' "
            "AND o.storage_mode = 'io-optimized' "
            "AND o.usd_per_hour / s.usd_per_hour NOT BETWEEN 1.2 AND 1.4"
        ),
    ),
    (
        "io2-has-three-tiers",
        "volume_prices",
        (
            "SELECT region FROM volume_prices WHERE volume_type = 'io2' AND item = 'iops' "
            "GROUP BY region HAVING list_sort(list(tier_from)) <> [0, 32000, 64000]"
        ),
    ),
    (
        "volume-prices-in-every-region",
        "volume_prices",
        (
            "SELECT DISTINCT region FROM ec2_prices WHERE region NOT IN "
            "(SELECT region FROM volume_prices) AND region NOT IN "
            "(SELECT key FROM known_gaps WHERE \"table\" = 'volume_prices')"
        ),
    ),
    (
        "io2-priced-in-every-region",
        "volume_prices",
        (
            "SELECT DISTINCT region FROM volume_prices WHERE region NOT IN "
            "(SELECT region FROM volume_prices WHERE volume_type = 'io2') AND region || "
            "'/io2' NOT IN "
            "(SELECT key FROM known_gaps WHERE \"table\" = 'volume_prices')"
        ),
    ),
    (
        "every-type-priced",
        "instance_types",
        (
            "SELECT instance_type FROM instance_types WHERE instance_type NOT IN "
            "(SELECT instance_type FROM ec2_prices) AND instance_type NOT IN "
            "(SELECT key FROM known_gaps WHERE \"table\" = 'instance_types')"
        ),
    ),
    (
        "every-class-priced",
        "rds_classes",
        (
            "SELECT db_class FROM rds_classes WHERE db_class NOT IN (SELECT db_class FROM "
            "rds_prices) "
            "AND db_class NOT IN (SELECT db_class FROM aurora_prices) AND db_class NOT IN "
            "(SELECT key FROM known_gaps WHERE \"table\" = 'rds_classes')"
        ),
    ),
    (
        "measured-types-in-the-catalogue",
        "observations",
        (
            "SELECT DISTINCT instance_type FROM observations WHERE platform IN ('ec2', 'rds') "
            "AND instance_type NOT LIKE '%*' "
            "AND instance_type NOT IN (SELECT instance_type FROM instance_types) "
            "AND instance_type NOT IN (SELECT db_class FROM rds_classes) "
            "AND instance_type NOT IN (SELECT key FROM known_gaps WHERE \"table\" = 'observations')"
        ),
    ),
    ("weights-follow-their-rule", "contested", _WEIGHTS),
    (
        "one-unit-per-metric",
        "observations",
        "SELECT metric FROM observations GROUP BY metric HAVING count(DISTINCT unit) > 1",
    ),
    (
        "condition-of-the-same-source",
        "observations",
        (
            "SELECT DISTINCT condition_id FROM observations o JOIN conditions c USING "
            "(condition_id) "
            "WHERE o.source_id <> c.source_id"
        ),
    ),
)


def verify(connection: duckdb.DuckDBPyConnection) -> tuple[Fault, ...]:
    """Return every fault found, none for a sound knowledge base.

    Raises KnowledgeError where a table or column is missing or a block of the file is damaged.
    """
    try:
        return (*_hashes(connection), *verify_rows(connection))
    except duckdb.Error as error:
        line = str(error).splitlines()[0]
        raise KnowledgeError(f"the knowledge base is damaged: {line}", hint=REINSTALL) from error


def verify_rows(connection: duckdb.DuckDBPyConnection) -> tuple[Fault, ...]:
    """Return the faults of the data tables; needs no meta table."""
    return (
        *(fault for table in TABLES for fault in _table(connection, table)),
        *_rules(connection),
        *_questions(connection),
    )


def _hashes(connection: duckdb.DuckDBPyConnection) -> Iterator[Fault]:
    stored = connection.execute("SELECT content_hash, model_hash FROM meta").fetchone() or ("", "")
    found = (content_hash(connection), model_hash(connection))
    for name, then, now in zip(("content_hash", "model_hash"), stored, found, strict=True):
        if then != now:
            yield Fault(check="hash", table="meta", column=name, rows=1, example=f"now {now}")


def _table(connection: duckdb.DuckDBPyConnection, table: Table) -> Iterator[Fault]:
    statement = f"SELECT 'no rows' WHERE NOT EXISTS (SELECT 1 FROM {table.name})"  # noqa: S608 (names of our own schema)
    yield from _ask(connection, "empty", table.name, "", statement)
    for column in table.columns:
        for check, condition in _conditions(table.name, column):
            statement = f'SELECT "{column.name}" FROM {table.name} WHERE {condition}'  # noqa: S608 (names of our own schema)
            yield from _ask(connection, check, table.name, column.name, statement)
    keys = table.key or tuple(name for name in table.names if name not in OBSERVED)
    joined = ", ".join(f'"{name}"' for name in keys)
    shown = ", ".join(f'"{name}"' for name in keys[:4])
    statement = f"SELECT concat_ws(' ', {shown}) FROM {table.name} "  # noqa: S608 (names of our own schema)
    statement += f"GROUP BY {joined} HAVING count(*) > 1"
    yield from _ask(connection, "key", table.name, ", ".join(keys[:4]), statement)


def _conditions(table: str, column: Column) -> Iterator[tuple[str, str]]:
    """Yield what a bad cell of a column looks like."""
    name = f'"{column.name}"'
    if column.is_required:
        yield "required", f"{name} IS NULL"
    if column.type is Type.MEASURE:
        yield "range", f"NOT isfinite({name})"
    if column.low is not None:
        yield "range", f"{name} < {column.low!r}"
    if column.high is not None:
        yield "range", f"{name} > {column.high!r}"
    if column.words:
        words = ", ".join(f"'{word}'" for word in column.words)
        yield "word", f"{name} NOT IN ({words})"
    if column.is_date:
        yield "date", f"NOT regexp_full_match({name}, '{_DATE}')"
    if column.refers_to is not None:
        target, partner = column.refers_to.split(".")
        yield (
            "join",
            (
                f'{name} NOT IN (SELECT "{partner}" FROM {target}) AND {name} NOT IN '  # noqa: S608 (names of our own schema)
                f"(SELECT key FROM known_gaps WHERE \"table\" = '{table}')"
            ),
        )


def _rules(connection: duckdb.DuckDBPyConnection) -> Iterator[Fault]:
    names = ", ".join(f"'{table.name}'" for table in TABLES)
    for name, table, condition in _RULES:
        holds = condition.replace("{tables}", names)
        statement = f"SELECT * FROM {table} WHERE NOT ({holds})"  # noqa: S608 (constant text)
        yield from _ask(connection, "rule", table, name, statement)


def _questions(connection: duckdb.DuckDBPyConnection) -> Iterator[Fault]:
    for name, table, statement in _QUESTIONS:
        yield from _ask(connection, "rule", table, name, statement)


def _ask(
    connection: duckdb.DuckDBPyConnection, check: str, table: str, column: str, statement: str
) -> Iterator[Fault]:
    rows: list[tuple[Any, ...]] = connection.execute(statement).fetchall()
    if rows:
        example = "(empty)" if rows[0][0] is None else str(rows[0][0])
        yield Fault(check=check, table=table, column=column, rows=len(rows), example=example)
