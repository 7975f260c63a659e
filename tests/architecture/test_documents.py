"""What the documents promise is what the repository holds."""

from __future__ import annotations

import re
import shlex
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from advisor.cli.registry import ENTRIES
from advisor.settings import KEYS
from scripts.reference import commands, reference

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import RunCommand


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted(line for line in lines if line and not line.startswith(("#", "-r")))


def quick_start(root: Path, name: str) -> list[str]:
    """Return the commands of a quick start block, as .ci/run cuts them out."""
    text = (root / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```\n<!-- end -->", text, re.DOTALL)
    assert block is not None
    return block[1].splitlines()


def test_command_reference_is_up_to_date(root: Path) -> None:
    written = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == reference(), "run scripts/docs"


def test_every_command_is_in_the_reference(root: Path) -> None:
    written = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    names = [name for name, _ in commands()]
    assert len(names) > len(ENTRIES)
    for name in names:
        assert f"\n## {name}\n" in written


def test_every_setting_is_documented(root: Path) -> None:
    written = (root / "docs" / "config.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip(" `"): line for line in written.splitlines() if "|" in line}
    for key in KEYS:
        row = rows[key.name]
        assert not key.variable or f"`{key.variable}`" in row
        for word in () if key.name == "region" else key.words:
            assert f"`{word}`" in row
    for variable in ("ADVISOR_CONFIG", "ADVISOR_DEBUG", "NO_COLOR"):
        assert variable in rows


def test_example_config_is_valid(root: Path, run_command: RunCommand, tmp_path: Path) -> None:
    written = (root / "docs" / "config.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", written, re.DOTALL)
    assert example is not None
    path = tmp_path / "config.toml"
    path.write_text(example[1], encoding="utf-8")
    outcome = run_command("config", "validate", str(path))
    assert (outcome.code, outcome.stderr) == (0, "")


def test_quick_start_is_two_commands(root: Path) -> None:
    (install,) = quick_start(root, "install")
    assert quick_start(root, "test") == ["scripts/test"]
    last = install.split("&&")[-1].strip()
    assert last.startswith(".venv/bin/advisor recommend ")


def test_quick_start_answers(root: Path, run_command: RunCommand) -> None:
    if "recommend" not in {entry.name for entry in ENTRIES}:
        pytest.skip("there is no recommend command yet")
    (install,) = quick_start(root, "install")
    outcome = run_command(*shlex.split(install.split("&&")[-1])[1:])
    assert outcome.code == 0
    assert outcome.stdout


def test_scripts_of_the_documents_exist(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"`((?:scripts|\.ci)/[a-z-]+)", text)):
        assert (root / name).stat().st_mode & 0o111, name


@pytest.mark.parametrize("name", ["runtime", "build"])
def test_requirement_files_follow_the_project(
    root: Path, project: dict[str, Any], name: str
) -> None:
    declared = {
        "runtime": project["project"]["dependencies"],
        "build": [*project["build-system"]["requires"], "editables"],
    }[name]
    assert requirements(root / "requirements" / f"{name}.in") == sorted(declared)


@pytest.mark.parametrize("name", ["runtime", "build", "dev"])
def test_pins_are_hashed_and_name_no_address(root: Path, name: str) -> None:
    text = (root / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"https?:|--(index|extra|find|trusted)|(^|\s)/\w", text)
    pins = re.findall(r"^[a-z0-9-]+==\S+ \\$", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[a-z]", text, re.MULTILINE))
