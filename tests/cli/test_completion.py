"""Completion through the real shells: the script is evaluated and the answer read back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli.registry import ENTRIES

NAMES = {entry.name for entry in ENTRIES}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment with an ``advisor`` program on the path."""
    program = tmp_path / "bin" / "advisor"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nfrom advisor.cli.main import run\nrun()\n", encoding="utf-8"
    )
    program.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "HOME": str(tmp_path),
    }


def ask(environment: dict[str, str], shell: str, script: str) -> list[str]:
    """Return the words that a script printed; skips where the shell is not installed."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(
        [shell, "-c", script],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stderr == ""
    return done.stdout.split()


def complete_in_bash(words: str) -> str:
    """Return a script that asks bash's completion for the last of ``words``."""
    count = len(words.split(" ")) - 1
    return (
        'eval "$(advisor --show-completion)"\n'
        f"COMP_WORDS=({words}); COMP_CWORD={count}\n"
        '_advisor_completion advisor; printf "%s\\n" "${COMPREPLY[@]}"'
    )


@pytest.mark.slow
def test_bash_completes_commands_and_flags(environment: dict[str, str]) -> None:
    assert set(ask(environment, "bash", complete_in_bash('advisor ""'))) >= NAMES
    assert ask(environment, "bash", complete_in_bash("advisor config v")) == ["validate"]
    assert ask(environment, "bash", complete_in_bash("advisor config show --js")) == ["--json"]


@pytest.mark.slow
def test_zsh_completes_commands(environment: dict[str, str]) -> None:
    script = (
        "autoload -Uz compinit; compinit -u -d $HOME/dump\n"
        'eval "$(advisor --show-completion)"\n'
        "_arguments() { print -r -- $1 }\n"
        "words=(advisor co); CURRENT=2; _advisor_completion"
    )
    assert any('"config"' in word for word in ask(environment, "zsh", script))


@pytest.mark.slow
def test_fish_completes_commands(environment: dict[str, str]) -> None:
    script = 'advisor --show-completion | source; complete -C "advisor config s"'
    assert ask(environment, "fish", script)[0] == "show"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_of_a_named_shell(environment: dict[str, str], shell: str) -> None:
    """The way without detection of the shell, for packages and container images."""
    environment["_ADVISOR_COMPLETE"] = f"source_{shell}"
    done = subprocess.run(
        ["/bin/sh", "-c", "advisor"], env=environment, check=True, capture_output=True, text=True
    )
    assert "_ADVISOR_COMPLETE=complete_" in done.stdout


@pytest.mark.parametrize(
    ("shell", "question"),
    [
        ("bash", {"COMP_WORDS": "advisor conf", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "advisor conf"}),
        (
            "fish",
            {"_TYPER_COMPLETE_ARGS": "advisor conf", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
        ),
    ],
)
def test_answer_to_each_shell(
    environment: dict[str, str], shell: str, question: dict[str, str]
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", "advisor"],
        env={**environment, **question, "_ADVISOR_COMPLETE": f"complete_{shell}"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "config" in done.stdout


def test_completion_that_cannot_be_installed_is_one_line(environment: dict[str, str]) -> None:
    environment["HOME"] = "/dev/null"
    done = subprocess.run(
        ["/bin/bash", "-c", "advisor --install-completion; exit $?"],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot install completion: ")
