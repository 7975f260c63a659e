"""What each command loads, in a fresh interpreter. Times are reported by scripts/cold-start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli.registry import ENTRIES

HEAVY = frozenset(
    {
        "asyncio", "boto3", "botocore", "duckdb", "httpx", "numpy", "pandas", "plotext", "pydantic",
        "rich", "scipy", "textual",
    }
)  # fmt: skip
NOTHING: frozenset[str] = frozenset()
#: Top-level command → (arguments, heavy modules it may load). A new command gets a line here.
COMMANDS = {
    "recommend": (("--threads", "16", "--rw", "mixed"), {"duckdb"}),
    "storage": (("--size", "500GiB", "--iops", "3000"), {"duckdb"}),
    "predict": (("mysql/m7g.large/gp3", "--threads", "16", "--rw", "mixed"), {"duckdb"}),
    "compare": (
        ("mysql/m7g.large/gp3", "mysql/m7i.large/gp3", "--threads", "16", "--rw", "mixed"),
        {"duckdb"},
    ),
    "prices": (("status",), {"duckdb"}),
    "evaluate": ((), {"duckdb"}),
    "data": (("sources",), {"duckdb"}),
    "config": (("show",), NOTHING),
    "info": ((), {"duckdb"}),
}
PROBE = """
import contextlib, io, json, sys
before = set(sys.modules)
from advisor.cli.main import main
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
    code = main(json.loads(sys.argv[1]))
print(json.dumps({"code": code, "modules": sorted({m.split(".")[0] for m in sys.modules}),
    "advisor": sorted(m for m in sys.modules if m.startswith("advisor."))}))
"""


def probe(*arguments: str, **environment: str) -> tuple[int, set[str], set[str]]:
    """Return (exit code, top-level modules, modules of advisor) of a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(arguments)],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    answer = json.loads(done.stdout)
    return answer["code"], set(answer["modules"]), set(answer["advisor"])


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    script = "import sys, advisor.cli.main; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert HEAVY.isdisjoint(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("--version",), 0), (("--help",), 0), ((), 2), (("nonsense",), 2), (("config", "--help"), 0)],
)
def test_light_command_lines_load_nothing_heavy(arguments: tuple[str, ...], code: int) -> None:
    actual, modules, own = probe(*arguments)
    assert actual == code
    assert HEAVY.isdisjoint(modules)
    assert not {name for name in own if name.startswith(("advisor.knowledge", "advisor.pricing"))}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_loads_nothing_heavy(shell: str) -> None:
    _, modules, _ = probe(
        _ADVISOR_COMPLETE=f"complete_{shell}",
        COMP_WORDS="advisor config s",
        COMP_CWORD="2",
        _TYPER_COMPLETE_ARGS="advisor config s",
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert HEAVY.isdisjoint(modules)


def test_every_command_is_pinned() -> None:
    assert {entry.name for entry in ENTRIES} <= COMMANDS.keys()


@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES])
def test_help_of_a_command_loads_only_that_command(name: str) -> None:
    code, modules, own = probe(name, "--help")
    assert code == 0
    assert HEAVY.isdisjoint(modules)
    others = {entry.module for entry in ENTRIES if entry.name != name}
    assert others.isdisjoint(own)


@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES])
def test_command_loads_what_is_pinned(name: str, database: Path) -> None:
    arguments, allowed = COMMANDS[name]
    code, modules, _ = probe(name, *arguments, ADVISOR_DATABASE=str(database))
    assert code == 0
    assert modules & HEAVY == allowed


def test_recommend_loads_no_part_of_the_fit(database: Path) -> None:
    code, _, own = probe("recommend", *COMMANDS["recommend"][0], ADVISOR_DATABASE=str(database))
    assert code == 0
    assert not {name for name in own if name.startswith("advisor.prediction.fit")}
    assert own.isdisjoint({"advisor.knowledge.build", "advisor.knowledge.fit_rows"})
    assert not {name for name in own if name.startswith("advisor.evaluation")}
    # the other renderings wait until they are asked for
    assert own.isdisjoint(
        f"advisor.render.{name}"
        for name in (
            "explain",
            "recommendation_json",
            "recommendation_csv",
            "recommendation_markdown",
        )
    )


@pytest.mark.slow
def test_charts_alone_load_plotext(database: Path) -> None:
    code, modules, own = probe("evaluate", "--plots", ADVISOR_DATABASE=str(database))
    assert code == 0
    assert modules & HEAVY == {"duckdb", "plotext"}
    assert "advisor.render.fit_chart" in own


@pytest.mark.parametrize(
    "package",
    [
        "domain.workload",
        "domain.recommendation",
        "errors",
        "prediction",
        "recommend",
        "evaluation.scorecard",
    ],
)
def test_pure_packages_load_the_standard_library_only(package: str) -> None:
    script = (
        f"import sys, advisor.{package}\n"
        "print(*{m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    assert set(done.stdout.split()) <= {"advisor", "__main__"}
