"""A folder in which one download of one process works.

The lock is on the folder itself: no lock file is left, and the kernel gives it back when the
process dies.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from advisor.errors import PricingError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: What an interrupted download leaves: its beginning, and what that belongs to.
PART, MARK = "body.part", "body.json"
#: A part nobody went on with for so long is given up, s.
KEPT_S = 7 * 86_400


@contextmanager
def work_folder(root: Path, name: str) -> Iterator[Path]:
    """Make the folder ``name`` below ``root`` ours until the block ends; then only a part stays.

    Raises PricingError when another process has it, or when it cannot be made.
    """
    folder = root / name
    try:
        _give_up_old_parts(root)
        lock = _locked(folder)
    except OSError as error:
        raise PricingError(f"cannot write to {root}: {error.strerror}") from error
    try:
        _clear(folder)
        yield folder
    except OSError as error:
        raise PricingError(f"cannot work in {root}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            _clear(folder)
            folder.rmdir()
        os.close(lock)


def _locked(folder: Path) -> int:
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise PricingError("another refresh is downloading it") from None
        # Its last owner may have removed it in between.
        with suppress(FileNotFoundError):
            if folder.stat().st_ino == os.fstat(lock).st_ino:
                return lock
        os.close(lock)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name not in (PART, MARK):
            path.unlink()


def _give_up_old_parts(root: Path) -> None:
    for part in root.glob(f"*/{PART}"):
        with suppress(FileNotFoundError):
            if time.time() - part.stat().st_mtime > KEPT_S:
                shutil.rmtree(part.parent)
