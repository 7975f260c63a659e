"""The SQLite file under the price cache: made, opened, set aside, and its failures in words.

Journal: DELETE, SQLite's default. WAL shares memory between processes and so fails on network home
directories; one writer a day gains nothing from it. A refresh is one transaction: whoever is killed
in it leaves a journal, and the next to open the file undoes what was half done.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from advisor.errors import PricingError
from advisor.pricing.cache_schema import APPLICATION_ID, DDL, SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from sqlite3 import Connection

    from advisor.pricing.provider import Deadline

#: Longest wait for another process that writes, s.
BUSY_S = 10.0
#: Wait that is left for it when the time of a refresh is up, s.
GRACE_S = 0.1
#: KiB of pages that a transaction may hold in memory. They must not reach the file before it ends:
#: from the first of them on, nobody could read.
_MEMORY_KIB = 262_144
#: What values that nobody wrote raise when they are read.
_NONSENSE = (ValueError, TypeError, LookupError, ArithmeticError)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class CacheFile:
    """One file; every use opens a connection of its own, so threads and processes may share it."""

    def __init__(
        self, path: Path, *, busy_s: float = BUSY_S, deadline: Deadline | None = None
    ) -> None:
        """``busy_s``: longest wait for another process, within ``deadline`` where there is one."""
        self.path = path
        self._busy_s = busy_s
        self._deadline = deadline

    def until(self, deadline: Deadline) -> CacheFile:
        """Return the same file, of which the waits end with ``deadline``, give or take GRACE_S."""
        return CacheFile(self.path, busy_s=self._busy_s, deadline=deadline)

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """Open one consistent view of the file; None where there is none.

        Raises PricingError when it is not ours or cannot be read.
        """
        with _in_words("read", self.path):
            if not self.path.exists():
                yield None
                return
            with closing(self._connected()) as connection:
                connection.execute("BEGIN")
                stranger = strangeness(connection)
                if stranger:
                    raise PricingError(f"the price cache {stranger}", hint=_HINT)
                try:
                    yield connection
                except _NONSENSE as error:
                    raise _damaged("read") from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is kept when the block ends well and undone otherwise.

        Raises PricingError when the file cannot be written; what it held stays.
        """
        with _in_words("written", self.path), closing(self._connected()) as connection:
            connection.execute(f"PRAGMA cache_size = -{_MEMORY_KIB}")
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def prepare(self) -> str | None:
        """Make the file where it is missing; return a line when another was set aside.

        A file of another version or a damaged one is kept beside it as ``NAME.old``, anything that
        is not ours as ``NAME.foreign``. Raises PricingError when that cannot be done.
        """
        with _in_words("written", self.path):
            for directory in reversed(self.path.parents):
                directory.mkdir(mode=0o700, exist_ok=True)
            warning = self._set_aside()
            if not self.path.exists() or not self.path.stat().st_size:
                self._make()
        return warning

    def _set_aside(self) -> str | None:
        try:
            judged = self.path.lstat()
        except FileNotFoundError:
            return None
        fault = self._fault()
        if fault is None:
            return None
        words, is_ours = fault
        aside = self._aside(is_ours=is_ours)
        with suppress(FileNotFoundError):
            now = self.path.lstat()
            # Another process may have set it aside meanwhile and made a sound one in its place.
            if (now.st_ino, now.st_dev) == (judged.st_ino, judged.st_dev):
                with suppress(FileNotFoundError):  # first: it would be undone on the new file
                    _journal(self.path).replace(_journal(aside))
                self.path.replace(aside)
        return f"the price cache {words}; it was kept as {aside.name} and a new one begun"

    def _fault(self) -> tuple[str, bool] | None:
        """Return what is wrong with the file and whether it is ours; None: it is sound."""
        if not self.path.is_file():
            return "is not a file", False
        if not self.path.stat().st_size:
            return None
        try:
            with closing(self._connected()) as connection:
                return _fault_in(connection)
        except sqlite3.DatabaseError as error:
            if code_of(error) not in _DAMAGE:
                raise
            is_ours = code_of(error) == sqlite3.SQLITE_CORRUPT
            return ("was damaged" if is_ours else "is not readable as one"), is_ours
        except UnicodeDecodeError:
            return "was damaged", True

    def _aside(self, *, is_ours: bool) -> Path:
        if is_ours:
            return self.path.with_name(f"{self.path.name}.old")
        name, number = f"{self.path.name}.foreign", 1
        while (aside := self.path.with_name(name)).exists():
            number += 1
            name = f"{self.path.name}.foreign-{number}"
        return aside

    def _make(self) -> None:
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(self._connected()) as connection:
            # Freed pages leave the file with the transaction that freed them.
            connection.execute("PRAGMA auto_vacuum = FULL")
            connection.execute("BEGIN IMMEDIATE")
            if application_of(connection) != APPLICATION_ID:
                for statement in DDL.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute("COMMIT")

    def _connected(self) -> Connection:
        left_s = self._busy_s if self._deadline is None else max(GRACE_S, self._deadline.left_s)
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=min(self._busy_s, left_s),
            isolation_level=None,
        )


_HINT = "`advisor prices refresh` sets it aside and makes a new one"


def application_of(connection: Connection) -> int:
    """Return the mark of the application that wrote a file; 0: none."""
    ((application,),) = connection.execute("PRAGMA application_id")
    return int(application)


def strangeness(connection: Connection) -> str | None:
    """Return why a file is not a cache of this version; None: it is one."""
    if application_of(connection) != APPLICATION_ID:
        return "is a file of another application"
    ((version,),) = connection.execute("PRAGMA user_version")
    return None if version == SCHEMA_VERSION else "is of another version of advisor"


def _fault_in(connection: Connection) -> tuple[str, bool] | None:
    connection.execute("BEGIN")
    stranger = strangeness(connection)
    if stranger:
        return stranger, application_of(connection) == APPLICATION_ID
    ((verdict,),) = connection.execute("PRAGMA quick_check(1)")
    return None if verdict == "ok" else ("was damaged", True)


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0: the error came from elsewhere."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _damaged(done: str) -> PricingError:
    return PricingError(f"the price cache cannot be {done}: it is damaged", hint=_HINT)


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


@contextmanager
def _in_words(done: str, path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:  # sqlite3 quotes a damaged schema in its message
        raise _damaged(done) from error
    except sqlite3.Error as error:
        code = code_of(error)
        words = _REASONS.get(
            code, "SQLite reports " + getattr(error, "sqlite_errorname", "a fault")
        )
        hint = _HINT if code in _DAMAGE else None
        raise PricingError(f"the price cache cannot be {done}: {words}", hint=hint) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PricingError(f"the price cache cannot be {done}: {path.parent}: {reason}") from error


_REASONS = {
    sqlite3.SQLITE_BUSY: "another refresh is writing it",
    sqlite3.SQLITE_LOCKED: "another refresh is writing it",
    sqlite3.SQLITE_FULL: "the disk is full; the prices it held stay",
    sqlite3.SQLITE_READONLY: "the file or its directory is write-protected",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened or its directory is write-protected",
    sqlite3.SQLITE_PERM: "no permission",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is damaged",
}
