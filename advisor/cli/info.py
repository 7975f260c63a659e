"""``advisor info``: versions, paths and the knowledge base, for people and bug reports."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from advisor import __version__
from advisor.cli.environment import current_settings
from advisor.cli.output import write_result
from advisor.cli.output_flags import AsJson, OutputFile
from advisor.cli.registry import new_app
from advisor.errors import KnowledgeError
from advisor.settings import config_path, user_directories

if TYPE_CHECKING:
    from advisor.session.status import KnowledgeStatus

app = new_app()


@app.command()
def info(
    *,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Print versions, paths and what the knowledge base holds.

    Without a usable knowledge base it prints the rest and ends with exit code 3.
    """
    from advisor.session.sources import CACHE_NAME
    from advisor.session.status import knowledge_path, knowledge_status

    database = current_settings().database
    status: KnowledgeStatus | None = None
    problem: KnowledgeError | None = None
    try:
        status = knowledge_status(database)
    except KnowledgeError as error:
        problem = error
    document: dict[str, object] = {
        "schema": "advisor.info/1",
        "advisor_version": __version__,
        "python_version": sys.version.split()[0],
        "python": sys.executable,
        "platform": _platform(),
        "config_file": str(config_path(os.environ, user_directories())),
        "database": str(knowledge_path(database)),
        "price_cache": str(user_directories().cache / CACHE_NAME),
        "knowledge": None if status is None else _knowledge(status),
    }
    write_result(json.dumps(document, indent=2) if as_json else _text(document, status), output)
    if problem is not None:
        raise problem


def _platform() -> str:
    system = os.uname()
    return f"{system.sysname} {system.release} {system.machine}"


def _knowledge(status: KnowledgeStatus) -> dict[str, object]:
    return {
        "schema_version": status.schema_version,
        "data_version": status.content_hash,
        "model_version": status.model_hash,
        "duckdb_version": status.duckdb_version,
        "rows": dict(status.rows),
    }


def _text(document: dict[str, object], status: KnowledgeStatus | None) -> str:
    config = Path(str(document["config_file"]))
    prices = Path(str(document["price_cache"]))
    lines = [
        ("advisor", document["advisor_version"]),
        ("python", f"{document['python_version']} ({document['python']})"),
        ("platform", document["platform"]),
        ("config", config if config.exists() else f"{config} (does not exist)"),
        ("database", document["database"]),
        ("prices", prices if prices.exists() else f"{prices} (does not exist)"),
    ]
    if status is None:
        lines.append(("knowledge", "not usable"))
    else:
        lines += [
            ("duckdb", status.duckdb_version),
            ("schema", status.schema_version),
            ("data", status.content_hash[:16]),
            ("model", status.model_hash[:16]),
            *((f"  {table}", f"{rows:,} rows") for table, rows in status.rows),
        ]
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)
