"""The only place that prints: results to stdout or a file, everything said about them to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import typer

from advisor.errors import UsageError

#: Columns of a status: a longer line would wrap, and its first part could not be taken back.
_STATUS_WIDTH = 79


def write_result(text: str, path: Path | None = None) -> None:
    """Write a result to ``path``, or to stdout when it is None or ``-``; ends it with a newline.

    A file is replaced whole or not at all. Raises UsageError when the text cannot be written; a
    reader that has closed the pipe ends the command quietly.
    """
    text = text if text.endswith("\n") else text + "\n"
    if path is None or str(path) == "-":
        _write_stdout(text)
    else:
        _write_file(text, path)


def write_text(text: str, path: Path | None) -> None:
    """Write a text for people; on the terminal with stand-ins for what its encoding lacks."""
    write_result(text if path is not None else _printable(text), path)


def _printable(text: str) -> str:
    """Return ``text`` with stand-ins for what the encoding of stdout lacks."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        from advisor.render.page import plain

        return plain(text)
    return text


def note(line: str) -> None:
    """Say something about the result on stderr; silently dropped when stderr is gone."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(line, file=sys.stderr, flush=True)


def has_terminal() -> bool:
    """Return whether stderr is read by a person."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_status(line: str, width: int) -> int:
    """Put a status over the last one on stderr, which took ``width`` columns; return its own."""
    line = _one_line(line)[:_STATUS_WIDTH]
    _overwrite(line.ljust(width))
    return len(line)


def erase_status(width: int) -> None:
    """Leave stderr as if no status had been there."""
    _overwrite(f"{' ' * width}\r")


def _overwrite(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(f"\r{text}", end="", file=sys.stderr, flush=True)


def report_error(message: str, hint: str | None = None) -> None:
    """Print ``error: …`` and, with a next step, ``hint: …``; each on one line."""
    note(f"error: {_one_line(message)}")
    if hint:
        note(f"hint: {_one_line(hint)}")


def prepare_streams() -> None:
    """Make characters that the terminal's encoding lacks print as ``?`` and not fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _write_stdout(text: str) -> None:
    if sys.stdout is None:
        raise UsageError("standard output is closed", hint="name a file with -o FILE")
    try:
        print(text, end="", flush=True)
    except BrokenPipeError as error:
        _discard_stdout()
        raise typer.Exit(0) from error
    except OSError as error:
        _discard_stdout()
        raise UsageError(f"cannot write to standard output: {error.strerror}") from error


def _discard_stdout() -> None:
    """Point stdout at nothing, so that the flush at exit does not fail a second time."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def _write_file(text: str, path: Path) -> None:
    try:
        target = path.expanduser().resolve()
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_text(text, encoding="utf-8")  # a device or a pipe is written through
        else:
            _replace(target, text)
    except (OSError, ValueError, RuntimeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UsageError(
            f"cannot write {path}: {reason}",
            hint="nothing was left behind; name another file with -o",
        ) from error


def _replace(target: Path, text: str) -> None:
    if target.is_dir():
        raise IsADirectoryError(21, "is a directory")
    temporary = target.with_name(f".{target.name[:200]}.{os.getpid()}.tmp")
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "the file is write-protected")
    try:
        with temporary.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode & 0o7777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
