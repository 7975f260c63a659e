"""Every command line that a document shows runs, and ends as the document says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scripts.examples import CommandLine, command_lines

if TYPE_CHECKING:
    from tests.conftest import RunCommand

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = list(command_lines(ROOT))


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda each: f"{each.document.stem}: {' '.join(each.arguments)[:60]}"
)
def test_command_runs_as_stated(
    command: CommandLine,
    run_command: RunCommand,
    database: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(database))
    monkeypatch.chdir(tmp_path)
    outcome = run_command(*command.arguments)
    assert outcome.code == command.code, outcome.stderr
    assert bool(outcome.stderr) == bool(command.code)


def test_documents_show_commands() -> None:
    """An edited fence or marker must not empty the test above."""
    shown = {command.document.name for command in COMMANDS}
    assert {"README.md", "examples.md"} <= shown
