"""Every command line that a document shows runs, and ends as the document says."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from advisor.cli.main import main
from advisor.domain.quote import Subject
from scripts.examples import CommandLine, command_lines
from tests.pricing.feed_world import serve_all
from tests.servers.web import running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import RunCommand

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = list(command_lines(ROOT))


@pytest.fixture(scope="module", autouse=True)
def _live_prices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """AWS's feeds of eu-west-1 on this machine, and a cache that holds all they have."""
    with running() as server, pytest.MonkeyPatch.context() as patch:
        serve_all(server)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("ADVISOR_PRICE_FEED_URL", server.url)
        patch.setenv("ADVISOR_SPOT_ADVISOR_URL", f"{server.url}/spot-advisor-data.json")
        every = ("prices", "refresh", "--region", "eu-west-1", "--what", ",".join(Subject))
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*every, "--source", "feeds", "--accept"]) == 0
        yield


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
