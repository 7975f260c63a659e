from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import advisor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import RunCommand


@pytest.fixture(autouse=True)
def _in_use(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(database))


def test_text_names_versions_paths_and_tables(run_command: RunCommand, database: Path) -> None:
    outcome = run_command("info")
    assert (outcome.code, outcome.stderr) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in outcome.stdout.splitlines())
    assert rows["advisor"] == advisor.__version__
    assert rows["database"] == str(database)
    assert len(rows["data"]) == 16
    assert rows["instance_types"].endswith(" rows")


def test_json_is_a_contract(run_command: RunCommand) -> None:
    document = json.loads(run_command("info", "--json").stdout)
    assert document["schema"] == "advisor.info/1"
    knowledge = document["knowledge"]
    assert len(knowledge["data_version"]) == 64
    assert len(knowledge["model_version"]) == 64
    assert knowledge["rows"]["instance_types"] > 0
    assert "meta" not in knowledge["rows"]


@pytest.mark.parametrize("content", [None, b"not a database", b"", b"x" * 100_000])
def test_unusable_database_prints_the_rest_and_exits_3(
    run_command: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    content: bytes | None,
) -> None:
    path = tmp_path / "broken.duckdb"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("ADVISOR_DATABASE", str(path))
    outcome = run_command("info", "--json")
    assert outcome.code == 3
    assert json.loads(outcome.stdout)["knowledge"] is None
    assert outcome.stderr.startswith("error: ")
    assert str(path) in outcome.stderr
