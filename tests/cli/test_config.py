from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor.settings import KEYS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.conftest import RunCommand


def test_show_names_every_key_with_its_origin(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_REGION", "eu-west-3")
    outcome = run_command("config", "show")
    assert outcome.code == 0
    rows = {line.split()[0]: line.split()[1:] for line in outcome.stdout.splitlines()}
    assert rows.pop("key") == ["value", "origin"]
    assert set(rows) == {key.name for key in KEYS}
    assert rows["region"] == ["eu-west-3", "AWS_REGION"]
    assert rows["term"] == ["on-demand", "default"]


def test_show_json_is_a_contract(run_command: RunCommand) -> None:
    document = json.loads(run_command("config", "show", "--json").stdout)
    assert document["schema"] == "advisor.config/1"
    assert document["settings"]["headroom"] == {"value": 0.3, "origin": "default"}
    assert document["settings"]["objective"] == {"value": None, "origin": "default"}
    assert set(document["settings"]) == {key.name for key in KEYS}


def test_show_writes_a_file(run_command: RunCommand, tmp_path: Path) -> None:
    target = tmp_path / "settings.json"
    outcome = run_command("config", "show", "--json", "-o", str(target))
    assert (outcome.code, outcome.stdout) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["schema"] == "advisor.config/1"


def test_path_works_with_a_broken_config(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "config.toml"
    monkeypatch.setenv("ADVISOR_CONFIG", str(broken))
    missing = run_command("config", "path")
    assert missing.stdout == f"{broken}\n"
    assert "does not exist" in missing.stderr
    broken.write_text("regoin = 1", encoding="utf-8")
    outcome = run_command("config", "path")
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, f"{broken}\n", "")


def test_validate(run_command: RunCommand, tmp_path: Path) -> None:
    assert run_command("config", "validate").stdout == "valid: there is no config file\n"
    path = tmp_path / "config.toml"
    path.write_text('region = "eu-west-1"\n', encoding="utf-8")
    assert run_command("config", "validate", str(path)).stdout == f"{path} is valid\n"
    path.write_text('regoin = "eu-west-1"\n', encoding="utf-8")
    outcome = run_command("config", "validate", str(path))
    assert outcome.code == 2
    assert "did you mean region?" in outcome.stderr
    absent = run_command("config", "validate", str(tmp_path / "absent"))
    assert absent.code == 2
    assert "does not exist" in absent.stderr
