from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from advisor.cli.progress import PATIENCE_S, Progress
from tests.render.answers import GOLDEN
from tests.render.scorecards import plots, usual

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from advisor.domain.scorecard import Evaluation
    from tests.conftest import RunCommand


class Terminal(io.StringIO):
    """A stream that a person reads."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _in_use(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(database))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Answer from values built by hand; returns the names that are drawn."""
    drawn: list[tuple[str, ...]] = []

    def fits(_: object, names: tuple[str, ...]) -> object:
        drawn.append(names)
        return plots()

    monkeypatch.setattr("advisor.session.evaluate.evaluate", lambda *_: usual())
    monkeypatch.setattr("advisor.session.evaluate.fits", fits)
    return drawn


@pytest.mark.slow
def test_the_bundled_data_are_scored(run_command: RunCommand) -> None:
    """The whole command: folds, choices, ties and parts of the real knowledge base."""
    outcome = run_command("evaluate", "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    document: dict[str, Any] = json.loads(outcome.stdout)
    folds = {fold["key"]: fold for fold in document["folds"]}
    assert {"threads", "size", "silicon"} <= folds.keys()
    assert folds["size"]["is_validated"]
    assert len(folds["size"]["groups"]) >= 10
    assert document["goals_met"] == sum(goal["is_met"] for goal in document["goals"])
    assert {choice["fold"] for choice in document["choices"]} <= folds.keys()
    assert document["parts"]
    assert document["ties"]
    assert "-" in document["data_version"]


@pytest.mark.parametrize(
    ("flag", "golden"), [(None, "scorecard.txt"), ("--markdown", "scorecard.md")]
)
@pytest.mark.usefixtures("quick")
def test_forms(run_command: RunCommand, flag: str | None, golden: str) -> None:
    outcome = run_command("evaluate", *([flag] if flag else []))
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout == (GOLDEN / golden).read_text(encoding="utf-8")


@pytest.mark.usefixtures("quick")
def test_a_file_holds_the_same(run_command: RunCommand, tmp_path: Path) -> None:
    target = tmp_path / "scorecard.json"
    outcome = run_command("evaluate", "--json", "-o", str(target))
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")
    assert target.read_bytes() == (GOLDEN / "scorecard.json").read_bytes()


def test_plots_follow_the_scorecard(run_command: RunCommand, quick: list[tuple[str, ...]]) -> None:
    outcome = run_command("evaluate", "--plots", "--type", "m5.large,C5.XLARGE")
    assert (outcome.code, outcome.stderr) == (0, "")
    expected = [
        (GOLDEN / name).read_text(encoding="utf-8") for name in ("scorecard.txt", "fits.txt")
    ]
    assert outcome.stdout == "\n".join(expected)
    assert quick == [("m5.large", "c5.xlarge")]


def test_plots_of_the_bundled_data(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.session.evaluate.evaluate", lambda *_: usual())
    outcome = run_command("evaluate", "--plots")
    assert (outcome.code, outcome.stderr) == (0, "")
    families = {
        line.partition(".")[0]
        for line in outcome.stdout.splitlines()
        if ": transactions/s by threads" in line
    }
    assert families == {"c5", "c5a", "c6g", "m5", "m5a", "m6g", "m6i"}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("variable", ["", "1"])
def test_colours_are_for_terminals_that_want_them(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("NO_COLOR", variable)
    monkeypatch.setattr("advisor.cli.evaluate._is_seen", lambda _: True)
    assert ("\x1b[" in run_command("evaluate", "--plots").stdout) == (not variable)


def test_a_file_has_no_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.cli.evaluate import _is_seen

    monkeypatch.setattr(sys, "stdout", Terminal())
    assert _is_seen(None)
    assert not _is_seen(tmp_path / "fits.txt")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--json", "--markdown"), "exclude each other"),
        (("--json", "--plots"), "exclude each other"),
        (("--type", "m5.large"), "--type names what --plots draws"),
        (("--plots", "--type", "m5.larg"), "did you mean m5.large?"),
        (("--plots", "--type", "m5.large,"), "empty name"),
    ],
)
def test_wrong_flags_are_named(
    run_command: RunCommand, arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_command("evaluate", *arguments)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert said in outcome.stderr


@pytest.mark.parametrize("name", ["r8g.large", "t3.large"])
def test_a_type_that_was_not_measured_is_not_drawn(run_command: RunCommand, name: str) -> None:
    """T types have runs, but on CPU credits: no fit uses them."""
    outcome = run_command("evaluate", "--plots", "--type", name)
    assert (outcome.code, outcome.stdout) == (2, "")
    error, hint = outcome.stderr.splitlines()
    assert f"no run of {name} is fitted" in error
    assert hint == "hint: measured families: c5, c5a, c6g, m5, m5a, m6g, m6i"


def test_a_damaged_database_ends_with_3(
    run_command: RunCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(tmp_path / "absent.duckdb"))
    outcome = run_command("evaluate")
    assert (outcome.code, outcome.stdout) == (3, "")


def slow(stderr: io.StringIO, *, is_interrupted: bool) -> Callable[..., Evaluation]:
    """Return an evaluation that waits a second at every step, on the clock of the test."""

    def evaluate(_: object, progress: Callable[[str, int, int], None]) -> Evaluation:
        progress("a thread count", 0, 2)
        assert stderr.getvalue() == ""
        seconds[0] += PATIENCE_S
        progress("a size of a family", 1, 2)
        assert stderr.getvalue().endswith("a size of a family: 1 of 2")
        if is_interrupted:
            raise KeyboardInterrupt
        return usual()

    seconds = [0.0]
    evaluate.clock = lambda: seconds[0]  # type: ignore[attr-defined]
    return evaluate


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_progress_is_one_line_that_is_erased_also_by_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, is_interrupted: bool
) -> None:
    from advisor.cli.main import main

    stderr = Terminal()
    work: Any = slow(stderr, is_interrupted=is_interrupted)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr("advisor.session.evaluate.evaluate", work)
    monkeypatch.setattr("advisor.cli.evaluate.Progress", lambda: Progress(work.clock))
    assert main(["evaluate"]) == (130 if is_interrupted else 0)
    shown = stderr.getvalue()
    assert "\n" not in shown
    line, erased = shown.split("\r")[1:3]
    assert erased == " " * len(line)
    assert shown.endswith("\r")


def test_progress_is_not_said_to_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seconds = iter((0.0, 5.0, 10.0))
    with Progress(lambda: next(seconds)) as progress:
        progress("a size", 1, 2)
        progress("a size", 2, 2)
    assert capsys.readouterr() == ("", "")


def test_progress_rests_between_lines_and_covers_a_longer_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    seconds = iter((0.0, 2.0, 2.01, 3.0))
    with Progress(lambda: next(seconds)) as progress:
        for step, done in (("long " * 40, 1), ("unseen", 2), ("short", 3)):
            progress(step, done, 3)
    parts = stderr.getvalue().split("\r")
    assert "unseen" not in stderr.getvalue()
    assert len(parts[1]) == len(parts[2]) == 79
    assert parts[2].rstrip() == "short: 3 of 3"
