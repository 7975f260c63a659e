"""Questions about the knowledge base: sources, the evidence for a name, the reader's own SQL.

Every answer is a Rows value. Must never write, attach or read another file: the connection is
read-only, external access is switched off and the configuration locked before foreign SQL runs.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import duckdb

from advisor.domain.record import record
from advisor.errors import KnowledgeError, UsageError
from advisor.knowledge.database import REINSTALL
from advisor.knowledge.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The only statements a reader may run.
_READING = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN})
_LOCK = (
    "SET enable_external_access = false",
    "SET python_enable_replacements = false",
    "SET lock_configuration = true",
)


@record
class Rows:
    """A table of results."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Cells as DuckDB gives them; None is unknown."""


def sources(connection: duckdb.DuckDBPyConnection, today: date) -> Rows:
    """Return every source with its age in days on ``today`` and the rows that cite it.

    A date known to the month or year counts from its first day.
    """
    citing = " UNION ALL ".join(
        f"SELECT {name} AS source_id FROM {table.name}"  # noqa: S608 (names of our own schema)
        for table in TABLES
        for name in table.names
        if table.name != "sources" and name.endswith("source_id")
    )
    statement = _SOURCES.replace("{citing}", citing)
    found = _run(connection, "sources", statement)
    columns = (*found.columns[:3], "age_days", *found.columns[3:])
    rows = tuple((*row[:3], _age(row[2], today), *row[3:]) for row in found.rows)
    return Rows(title="sources", columns=columns, rows=rows)


def evidence(connection: duckdb.DuckDBPyConnection, name: str) -> tuple[Rows, ...]:
    """Return the non-empty tables about an instance type, family, storage type, engine or class.

    Raises UsageError when nothing is known under ``name``.
    """
    subject = name.strip().lower()
    tables = (_run(connection, title, statement, [subject]) for title, statement in _EVIDENCE)
    found = tuple(table for table in tables if table.rows)
    if not found:
        raise UsageError(
            f"nothing is known about {name!r}",
            hint="name an instance type, family, storage type, engine or RDS class",
        )
    return found


def subjects(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return every name that ``evidence`` answers for, sorted."""
    found = _run(connection, "subjects", _SUBJECTS)
    return tuple(name for (name,) in found.rows)


def query(connection: duckdb.DuckDBPyConnection, sql: str) -> Rows:
    """Return the result of one reading statement; locks the connection for good.

    Raises UsageError for anything that writes, attaches, copies, reads a file or is not valid SQL.
    """
    try:
        statements = connection.extract_statements(sql)
    except duckdb.Error as error:
        raise UsageError(f"SQL: {_first_line(error)}") from error
    if len(statements) != 1:
        raise UsageError(
            "exactly one SQL statement is needed", hint="advisor data query 'SELECT …'"
        )
    kind = statements[0].type
    if kind not in _READING:
        raise UsageError(
            f"the knowledge base is read-only: {kind.name} is refused",
            hint="only SELECT, WITH, VALUES, DESCRIBE, SHOW and EXPLAIN are run",
        )
    for setting in _LOCK:
        connection.execute(setting)
    try:
        connection.execute(statements[0])
        columns = tuple(column[0] for column in connection.description or ())
        rows = tuple(connection.fetchall())
    except duckdb.PermissionException as error:
        raise UsageError("files and addresses are out of reach of a query") from error
    except duckdb.Error as error:
        raise UsageError(f"SQL: {_first_line(error)}") from error
    return Rows(title="query", columns=columns, rows=rows)


def table(connection: duckdb.DuckDBPyConnection, name: str) -> Rows:
    """Return a whole table of the knowledge base, sorted; UsageError for an unknown name."""
    known = table_names(connection)
    if name not in known:
        from advisor.domain.spelling import did_you_mean

        raise UsageError(
            f"there is no table {name}{did_you_mean(name, known)}",
            hint=f"tables: {', '.join(known)}",
        )
    return _run(connection, name, f'SELECT * FROM "{name}" ORDER BY ALL')  # noqa: S608 (checked above)


def table_names(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the names of all tables, sorted."""
    statement = "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY table_name"
    return tuple(row[0] for row in _run(connection, "tables", statement).rows)


def _run(
    connection: duckdb.DuckDBPyConnection,
    title: str,
    statement: str,
    parameters: Sequence[str] = (),
) -> Rows:
    try:
        connection.execute(statement, list(parameters))
        columns = tuple(column[0] for column in connection.description or ())
        rows = tuple(connection.fetchall())
    except duckdb.Error as error:
        line = _first_line(error)
        raise KnowledgeError(f"the knowledge base is damaged: {line}", hint=REINSTALL) from error
    return Rows(title=title, columns=columns, rows=rows)


def _age(text: str | None, today: date) -> int | None:
    if text is None:
        return None
    year, month, day = (*map(int, text.split("-")), 1, 1)[:3]
    return (today - date(year, month, day)).days


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


_SOURCES = (
    "SELECT source_id, title, date, licence, quality, count(c.source_id) AS rows, url, caveats "
    "FROM sources s LEFT JOIN ({citing}) c USING (source_id) GROUP BY ALL ORDER BY source_id"
)
#: Title and statement of each table about a subject ($1, lower case).
_EVIDENCE = (
    (
        "instance type",
        (
            "SELECT instance_type, vcpu, memory_gib, arch, silicon, threads_per_core, "
            "ebs_baseline_iops, ebs_max_iops, ebs_baseline_mib_per_s, ebs_max_mib_per_s, "
            "network_baseline_gbps, disk_count, disk_total_gb, disk_read_iops, disk_write_iops, "
            "exclusion, as_of, source_id FROM instance_types "
            "WHERE instance_type = $1 OR family = $1 ORDER BY vcpu, instance_type"
        ),
    ),
    (
        "RDS class",
        "SELECT * FROM rds_classes WHERE db_class = $1 OR instance_type = $1 ORDER BY db_class",
    ),
    (
        "volume limits",
        (
            "SELECT platform, from_gib, min_gib, max_gib, min_iops, max_iops, iops_per_gib, "
            "min_throughput_mib_per_s, max_throughput_mib_per_s, burst_iops, durability, as_of, "
            "source_id, note FROM volume_limits WHERE volume_type = $1 ORDER BY ALL"
        ),
    ),
    (
        "prices in us-east-1, USD per hour",
        (
            "SELECT instance_type, term, usd_per_hour, as_of, source_id, flag FROM ec2_prices "
            "WHERE region = 'us-east-1' AND (instance_type = $1 OR "
            "split_part(instance_type, '.', 1) = $1) "
            "AND term NOT LIKE 'spot-%' ORDER BY ALL"
        ),
    ),
    (
        "prices in us-east-1, USD",
        (
            "SELECT item, tier_from, usd, unit, as_of, source_id FROM volume_prices "
            "WHERE region = 'us-east-1' AND volume_type = $1 ORDER BY ALL"
        ),
    ),
    (
        "RDS prices in us-east-1, USD per hour",
        (
            "SELECT engine, deployment, term, payment, usd_per_hour, upfront_usd, as_of, source_id "
            "FROM rds_prices WHERE region = 'us-east-1' AND db_class = $1 ORDER BY ALL"
        ),
    ),
    (
        "Aurora prices in us-east-1, USD per hour",
        (
            "SELECT engine, storage_mode, usd_per_hour, as_of, source_id, flag "
            "FROM aurora_prices WHERE region = 'us-east-1' AND db_class = $1 ORDER BY ALL"
        ),
    ),
    (
        "measurements",
        (
            "SELECT source_id, s.date, engine, instance_type, storage_type, workload, "
            "min(threads) AS least_threads, max(threads) AS most_threads, count(*) AS rows, "
            "string_agg(DISTINCT metric, ' ' ORDER BY metric) AS metrics "
            "FROM observations o JOIN sources s USING (source_id) "
            "WHERE instance_type = $1 OR split_part(instance_type, '.', 1) = $1 OR engine "
            "= $1 OR storage_type = $1 "
            "GROUP BY source_id, s.date, engine, instance_type, storage_type, workload ORDER BY ALL"
        ),
    ),
    (
        "CPU scores",
        (
            "SELECT instance_type, metric, value, unit, date, source_id FROM cpu_scores "
            "WHERE instance_type = $1 ORDER BY ALL"
        ),
    ),
    (
        "CoreMark",
        (
            "SELECT instance_type, threads, iterations_per_s, date, source_id FROM coremark "
            "WHERE instance_type = $1 OR split_part(instance_type, '.', 1) = $1 ORDER BY ALL"
        ),
    ),
    (
        "known gaps",
        (
            'SELECT "table", key, reason FROM known_gaps '
            "WHERE key = $1 OR key LIKE '%/' || $1 || '/%' OR key LIKE '%/' || $1 ORDER BY ALL"
        ),
    ),
)
_SUBJECTS = (
    "SELECT instance_type FROM instance_types UNION SELECT family FROM instance_types "
    "UNION SELECT db_class FROM rds_classes UNION SELECT volume_type FROM volume_limits "
    "UNION SELECT engine FROM observations WHERE engine IS NOT NULL "
    "UNION SELECT storage_type FROM observations WHERE storage_type IS NOT NULL ORDER BY ALL"
)
