"""Writes ``docs/cli.md`` from the typer application. Run through ``scripts/docs``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup
from typer.main import get_command

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from advisor.cli.main import PROGRAM, app  # noqa: E402 (needs the path above)
from advisor.cli.registry import LazyGroup, load_command  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command  # typer 0.28 carries click under a private name

WIDTH = 92
HEADER = """\
# Command line

Generated from the program by `scripts/docs`; do not edit. Flags, JSON fields and exit codes change
only with a major version. Results go to stdout, everything said about them to stderr.

| exit code | meaning |
|---|---|
| 0 | done; also when the reader of a pipe has closed it |
| 1 | a fault of advisor; its traceback is kept on disk, or shown with `ADVISOR_DEBUG=1` |
| 2 | the command line, a file, a variable or the configuration is wrong |
| 3 | the knowledge base is missing, foreign or damaged |
| 4 | no usable price or credentials where the command cannot go on without |
| 6 | no candidate fits |
| 130 | interrupted |

Completion: `advisor --install-completion`, or for a given shell (bash, zsh, fish)
`_ADVISOR_COMPLETE=source_bash advisor > FILE`.
"""


def commands() -> Iterator[tuple[str, Command]]:
    """Yield (full name, command) of the program, its groups and their commands, in help order."""
    root = get_command(app)
    yield PROGRAM, root
    yield from _below(PROGRAM, root)


def _below(prefix: str, group: Command) -> Iterator[tuple[str, Command]]:
    if not isinstance(group, TyperGroup):
        return
    for name, listed in group.commands.items():
        command = load_command(name) if isinstance(group, LazyGroup) else listed
        yield f"{prefix} {name}", command
        yield from _below(f"{prefix} {name}", command)


def reference() -> str:
    """Return the whole of ``docs/cli.md``."""
    parts = [HEADER]
    for name, command in commands():
        context = typer.Context(
            command, info_name=name, terminal_width=WIDTH, help_option_names=["-h", "--help"]
        )
        parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Write the reference, or with ``--check`` return 1 when the file differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only")
    path = ROOT / "docs" / "cli.md"
    text = reference()
    if parser.parse_args().check:
        same = path.exists() and path.read_text(encoding="utf-8") == text
        print("docs/cli.md is up to date" if same else "docs/cli.md differs: run scripts/docs")
        return 0 if same else 1
    path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
