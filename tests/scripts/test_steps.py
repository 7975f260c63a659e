"""The benchmark of an answer's steps: every step is found, nothing is lost, the table is whole."""

from __future__ import annotations

import sys
from pkgutil import resolve_name
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from scripts import steps

if TYPE_CHECKING:
    from advisor.domain.recommendation import Request


@pytest.mark.parametrize(("name", "request_"), steps.cases().items())
def test_every_step_takes_time_and_all_of_them_the_whole(name: str, request_: Request) -> None:
    """A renamed function would leave its step empty or unknown."""
    start = perf_counter()
    spent = steps.steps_of(request_)
    whole_ms = (perf_counter() - start) * 1000.0
    assert set(spent) == {steps.OPENED, *steps.SHOWN}, name
    assert all(each > 0.0 for each in spent.values())
    assert sum(spent.values()) <= whole_ms


def test_functions_are_left_as_they_were() -> None:
    targets = [target for named in steps.STEPS.values() for target in named]
    before = [resolve_name(target) for target in targets]
    steps.steps_of(steps.cases()["default"])
    assert [resolve_name(target) for target in targets] == before


def test_a_step_inside_another_counts_for_itself_alone() -> None:
    clock = steps.Clock()
    inner = clock.counted("inner", lambda: sum(range(200_000)))
    with clock.counting("outer"):
        inner()
    assert clock.spent_ms["inner"] > clock.spent_ms["outer"] > 0.0


def test_the_table_has_a_line_for_every_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["steps", "-n", "1"])
    assert steps.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 rounds, Python ")
    assert all(len(line) <= 100 for line in lines)
    for step in (steps.OPENED, *steps.SHOWN, "once opened"):
        (line,) = [line for line in lines if line.startswith(f"{step} ")]
        assert line.count("(") == len(steps.cases())
    assert lines[-1].startswith("goal ")
