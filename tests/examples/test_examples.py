"""The worked examples are what the program answers, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scripts.examples import GOLDEN, Example, examples

if TYPE_CHECKING:
    from tests.conftest import RunCommand

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = examples(ROOT)
every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)


@every_example
def test_answer_is_the_golden_one(
    example: Example, run_command: RunCommand, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read the difference, then run scripts/examples."""
    monkeypatch.setenv("ADVISOR_DATABASE", str(database))
    outcome = run_command(*example.arguments)
    written = (ROOT / example.golden).read_bytes().decode()
    streams = (outcome.stdout, outcome.stderr)
    assert outcome.code == example.code
    assert streams == (("", written) if example.code else (written, ""))


@every_example
def test_document_shows_a_part_of_the_golden_answer(example: Example) -> None:
    golden = (ROOT / example.golden).read_text(encoding="utf-8")
    assert example.shown == example.excerpt(golden)
    assert all(f"\n{name}\n" in example.shown for name in example.sections if name)


def test_each_golden_answer_belongs_to_one_example() -> None:
    names = sorted(path.stem for path in (ROOT / GOLDEN).glob("*.txt"))
    assert names == sorted(example.name for example in EXAMPLES)


def test_excerpt_marks_what_it_leaves_out() -> None:
    answer = "headline\n\n #\n\nWhy\n  x\n\nWhat\n  y\n\nHow\n  z\n"
    (first, *_) = [each for each in EXAMPLES if each.sections == ("Why this one", "What limits it")]
    assert first.excerpt(answer) == "headline\n\n #\n\n[...]\n"
    assert first.excerpt(answer.replace("What", "What limits it")) == (
        "headline\n\n #\n\n[...]\n\nWhat limits it\n  y\n\n[...]\n"
    )
