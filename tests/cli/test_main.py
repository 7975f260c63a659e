from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

import advisor
from advisor.cli import registry
from advisor.errors import (
    ExitCode,
    KnowledgeError,
    NoCandidateError,
    PricingError,
    UsageError,
)

if TYPE_CHECKING:
    from tests.conftest import RunCommand

RUN = "from advisor.cli.main import run; run()"


def start(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run advisor in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=env,
    )


@pytest.fixture
def failing_command(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """Register a command ``fail`` that raises the exception put into its module."""
    module = types.ModuleType("failing_command")
    app = registry.new_app()

    @app.command()
    def fail() -> None:
        raise module.error

    vars(module)["app"] = app
    monkeypatch.setitem(sys.modules, module.__name__, module)
    entry = registry.Entry(name="fail", module=module.__name__, summary="Fail")
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, entry))
    return module


def test_version(run_command: RunCommand) -> None:
    outcome = run_command("--version")
    assert (outcome.code, outcome.stdout) == (0, f"advisor {advisor.__version__}\n")
    assert outcome.stderr == ""


def test_help_lists_every_command(run_command: RunCommand) -> None:
    outcome = run_command("--help")
    assert outcome.code == 0
    for entry in registry.ENTRIES:
        assert f"  {entry.name}  " in outcome.stdout
        assert entry.summary in outcome.stdout


def test_no_terminal_names_the_headless_command() -> None:
    done = start()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "advisor recommend --threads 16 --rw mixed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("confg",), "did you mean 'config'?"),
        (("config", "shw"), "did you mean 'show'?"),
        (("config",), "missing command: show, path, validate"),
        (("--verson",), "did you mean --version?"),
        (("config", "show", "--jsn"), "did you mean --json?"),
        (("config", "show", "-o"), "requires an argument"),
        (("config", "show", "surplus"), "unexpected extra argument"),
    ],
)
def test_wrong_command_lines_name_the_nearest_right_one(
    run_command: RunCommand, arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_command(*arguments)
    assert outcome.code == ExitCode.USAGE
    assert outcome.stdout == ""
    error, hint = outcome.stderr.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert hint.startswith("hint: advisor")
    assert hint.endswith("--help")


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (UsageError("no\nsuch thing", hint="try this"), 2, ["no such thing", "try this"]),
        (KnowledgeError("damaged"), 3, ["damaged"]),
        (PricingError("no price"), 4, ["no price"]),
        (
            NoCandidateError(
                "nothing fits", nearest="m7g.large", relax=("raise --budget", "try --term")
            ),
            6,
            ["nothing fits", "nearest miss: m7g.large; to relax: raise --budget, or try --term"],
        ),
    ],
)
def test_errors_of_ours_are_a_line_and_a_code(
    run_command: RunCommand,
    failing_command: types.ModuleType,
    error: Exception,
    code: int,
    lines: list[str],
) -> None:
    vars(failing_command)["error"] = error
    outcome = run_command("fail")
    assert outcome.code == code
    expected = [f"{label}: {line}" for label, line in zip(("error", "hint"), lines, strict=False)]
    assert outcome.stderr.splitlines() == expected


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()])
def test_interruption_is_130(
    run_command: RunCommand, failing_command: types.ModuleType, error: BaseException
) -> None:
    vars(failing_command)["error"] = error
    outcome = run_command("fail")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (130, "", "")


def test_wrong_choice_names_the_nearest(
    run_command: RunCommand, failing_command: types.ModuleType
) -> None:
    vars(failing_command)["error"] = typer.BadParameter("'mysq' is not one of 'mysql', 'mariadb'.")
    outcome = run_command("fail")
    assert outcome.code == 2
    assert "did you mean mysql?" in outcome.stderr


def test_unexpected_error_keeps_its_traceback(
    run_command: RunCommand,
    failing_command: types.ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    vars(failing_command)["error"] = ValueError("seven\nis odd")
    outcome = run_command("fail")
    assert outcome.code == 1
    error, hint = outcome.stderr.splitlines()
    assert error.startswith("error: unexpected ValueError: seven is odd")
    log = Path(hint.removeprefix("hint: the traceback is in "))
    assert tmp_path in log.parents
    assert "Traceback (most recent call last)" in log.read_text(encoding="utf-8")


def test_unexpected_error_shows_its_traceback_on_request(
    run_command: RunCommand, failing_command: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_DEBUG", "1")
    vars(failing_command)["error"] = ValueError("seven")
    outcome = run_command("fail")
    assert outcome.code == 1
    assert "Traceback (most recent call last)" in outcome.stderr


def test_unexpected_error_with_a_read_only_home(
    run_command: RunCommand,
    failing_command: types.ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("a file where a directory is needed", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(occupied))
    monkeypatch.setenv("HOME", str(occupied))
    vars(failing_command)["error"] = ValueError("seven")
    outcome = run_command("fail")
    assert outcome.code == 1
    assert outcome.stderr.splitlines()[1] == "hint: run again with ADVISOR_DEBUG=1"


def test_ascii_terminals_get_question_marks_not_tracebacks() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "ADVISOR_REGION": "×"}
    done = start("config", "show", env=environment)
    assert done.returncode == 2
    assert "'?'" in done.stderr


@pytest.mark.parametrize("arguments", [("--help",), ("config", "show"), ("--version",)])
def test_closed_pipe_ends_quietly(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_stdout_is_said() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec '{sys.executable}' -c '{RUN}' config show >&-"],
        check=False,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output is closed\n")


def test_closed_stderr_does_not_move_errors_to_stdout() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec '{sys.executable}' -c '{RUN}' nonsense 2>&-"],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this platform")
def test_full_stdout_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", RUN, "config", "show"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to standard output: No space left on device\n"
