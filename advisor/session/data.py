"""What ``advisor data`` asks of the knowledge base in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.spelling import did_you_mean
from advisor.errors import UsageError
from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from advisor.knowledge.queries import Rows as Rows  # noqa: PLC0414 (front ends name it)
    from advisor.knowledge.verify import Fault


def list_sources(database: Path | None, today: date) -> Rows:
    """Return every source with its age on ``today``, licence, quality and citing rows."""
    from advisor.knowledge import queries
    from advisor.knowledge.database import open_database

    with open_database(knowledge_path(database)) as connection:
        return queries.sources(connection, today)


def show_subject(database: Path | None, name: str) -> tuple[Rows, ...]:
    """Return facts, prices and evidence about a name; UsageError names the nearest one."""
    from advisor.knowledge import queries
    from advisor.knowledge.database import open_database

    with open_database(knowledge_path(database)) as connection:
        try:
            return queries.evidence(connection, name)
        except UsageError as error:
            guess = did_you_mean(name, queries.subjects(connection))
            raise UsageError(f"{error.message}{guess}", hint=error.hint) from error


def run_query(database: Path | None, sql: str) -> Rows:
    """Return the result of one reading SQL statement; UsageError for any other."""
    from advisor.knowledge import queries
    from advisor.knowledge.database import open_database

    with open_database(knowledge_path(database)) as connection:
        return queries.query(connection, sql)


def export_table(database: Path | None, name: str) -> Rows:
    """Return a whole table, its rows sorted; UsageError for an unknown name."""
    from advisor.knowledge import queries
    from advisor.knowledge.database import open_database

    with open_database(knowledge_path(database)) as connection:
        return queries.table(connection, name)


def verify_data(database: Path | None) -> tuple[Fault, ...]:
    """Return every broken promise of the knowledge base, none when it is sound."""
    from advisor.knowledge.database import open_database
    from advisor.knowledge.verify import verify

    with open_database(knowledge_path(database)) as connection:
        return verify(connection)
