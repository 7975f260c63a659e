"""Keeps the developer's machine out: an empty home, no AWS variables, a fixed locale and zone."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
FOREIGN = ("AWS_", "ADVISOR_", "XDG_", "PYTHON", "LC_", "_ADVISOR_", "COMP_", "_TYPER_")
NOBODY = "http://127.0.0.1:9"
#: Set by scripts/test and by coverage for their own purposes.
KEPT = ("ADVISOR_TEST_WORKERS",)


@pytest.fixture(scope="session", autouse=True)
def isolated_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the whole session, and every process it starts, a clean environment."""
    base = tmp_path_factory.mktemp("machine")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(FOREIGN) and name not in KEPT:
                patch.delenv(name)
        for name in ("home", "tmp"):
            (base / name).mkdir()
        patch.setenv("HOME", str(base / "home"))
        patch.setenv("TMPDIR", str(base / "tmp"))
        patch.setenv("LANG", "C.UTF-8")
        patch.setenv("TZ", "UTC")
        patch.setenv("COLUMNS", "80")
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        patch.delenv("NO_COLOR", raising=False)
        # No test reaches AWS: prices are asked of a port that nobody listens on.
        patch.setenv("ADVISOR_PRICE_FEED_URL", NOBODY)
        patch.setenv("ADVISOR_PRICE_LIST_URL", NOBODY)
        patch.setenv("ADVISOR_SPOT_ADVISOR_URL", f"{NOBODY}/spot.json")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one command line did."""

    code: int
    stdout: str
    stderr: str


class RunCommand(Protocol):
    """Runs a command line in this process, through the process boundary."""

    def __call__(self, *arguments: str) -> Outcome: ...


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]) -> RunCommand:
    """Return a function that runs ``advisor ARGUMENTS`` and returns code, stdout and stderr."""
    from advisor.cli.main import main

    def run(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = main(list(arguments))
        captured = capsys.readouterr()
        return Outcome(code=code, stdout=captured.out, stderr=captured.err)

    return run


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the knowledge base of this tree, which scripts/test keeps fresh."""
    built = ROOT / "advisor" / "knowledge" / "advisor.duckdb"
    if not built.exists():
        pytest.fail("there is no knowledge base: run scripts/test or scripts/data")
    copy = tmp_path_factory.mktemp("knowledge") / "advisor.duckdb"
    shutil.copyfile(built, copy)
    return copy
