"""Opens the knowledge base read-only; several processes may do so at once.

Opening is on the start-up path of every answer: it reads the file's magic bytes and one row of
meta, nothing else.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from advisor.errors import KnowledgeError
from advisor.knowledge.schema import FORMAT, SCHEMA_VERSION

#: An open knowledge base; callers outside ``knowledge`` and ``pricing`` only pass it on.
Connection = duckdb.DuckDBPyConnection

REINSTALL = "install advisor again: its knowledge base comes with the package"
_MAGIC = b"DUCK"
_MAGIC_OFFSET = 8
#: No extension may be fetched or loaded because of what a file looks like.
_CONFIGURATION = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


def bundled_path() -> Path:
    """Return where the package keeps its database, whether or not it is there."""
    return Path(__file__).with_name("advisor.duckdb")


def open_database(path: Path) -> Connection:
    """Return a read-only connection; raises KnowledgeError where the file is not usable."""
    _check_file(path)
    try:
        connection = duckdb.connect(str(path), read_only=True, config=dict(_CONFIGURATION))
    except duckdb.Error as error:
        raise KnowledgeError(f"the knowledge base {path} is damaged", hint=REINSTALL) from error
    try:
        _check_meta(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as stream:
            head = stream.read(_MAGIC_OFFSET + len(_MAGIC))
    except FileNotFoundError as error:
        raise KnowledgeError(f"there is no knowledge base at {path}", hint=REINSTALL) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise KnowledgeError(
            f"the knowledge base {path} cannot be read: {reason}", hint=REINSTALL
        ) from error
    if head[_MAGIC_OFFSET:] != _MAGIC:
        raise KnowledgeError(f"{path} is not a DuckDB database", hint=REINSTALL)


def _check_meta(connection: Connection, path: Path) -> None:
    try:
        row = connection.execute("SELECT format, schema_version FROM meta").fetchone()
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise KnowledgeError(
            f"{path} is not a knowledge base of advisor", hint=REINSTALL
        ) from error
    except duckdb.Error as error:
        raise KnowledgeError(f"the knowledge base {path} is damaged", hint=REINSTALL) from error
    if row is None or row[0] != FORMAT:
        raise KnowledgeError(f"{path} is not a knowledge base of advisor", hint=REINSTALL)
    if row[1] != SCHEMA_VERSION:
        raise KnowledgeError(
            f"the knowledge base {path} has schema version {row[1]}, this advisor reads "
            f"{SCHEMA_VERSION}",
            hint=REINSTALL,
        )


def data_version(connection: Connection) -> str:
    """Return the version of data and fitted model: the start of both hashes."""
    row = connection.execute("SELECT content_hash, model_hash FROM meta").fetchone()
    if row is None:
        raise KnowledgeError("the knowledge base has no version", hint=REINSTALL)
    return f"{row[0][:12]}-{row[1][:8]}"
