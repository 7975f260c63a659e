"""``docs/accuracy.md`` and the README show what ``advisor evaluate`` finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from advisor.render.scorecard_markdown import scorecard_markdown
from advisor.session.evaluate import evaluate
from scripts.accuracy import DOCUMENTS, parts, regenerated, shown
from tests.render.scorecards import usual

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_documents_show_what_the_command_finds(root: Path, database: Path) -> None:
    """Run scripts/accuracy when a score has changed, and read what changed."""
    texts = regenerated(root, evaluate(database, lambda *_: None))
    for path in DOCUMENTS:
        assert texts[path] == (root / path).read_text(encoding="utf-8"), path


def test_parts_are_cut_from_the_document_of_the_command() -> None:
    document = scorecard_markdown(usual())
    for name, text in parts(usual()).items():
        assert name == "summary" or text in document, name


def test_every_part_is_shown(root: Path) -> None:
    found = shown(root)
    readme, accuracy = (found[path] for path in DOCUMENTS)
    assert readme == {"summary"}
    assert accuracy == parts(usual()).keys()


def test_reasons_stand_beside_the_goals_that_are_missed(root: Path) -> None:
    text = (root / "docs" / "accuracy.md").read_text(encoding="utf-8")
    goals = text.partition("\n## Goals\n")[2].partition("\n## ")[0]
    reasons = text.partition("\n## Goals that this data cannot reach\n")[2].partition("\n## ")[0]
    missed = {
        line.split("|")[1].strip().partition(",")[0]
        for line in goals.splitlines()
        if line.endswith("|") and "| NO |" in line
    }
    for subject in missed:
        assert f"| {subject}, " in reasons, subject
