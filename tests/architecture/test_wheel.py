"""The wheel: built from the files of the repository, installed alone, used from elsewhere."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]

DATABASE = "advisor/knowledge/advisor.duckdb"
#: What a build of the package takes from the tree; never a database that lies there.
TAKEN = ("advisor", "data", "scripts", "docs", "requirements", "tests")
TAKEN_FILES = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile")


def build(source: Path, target: str, out: Path) -> Path:
    """Return the one file that hatchling builds; its requirements are in requirements/build.txt."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (built,) = out.iterdir()
    return built


def needed(name: str) -> set[str]:
    """Return the names of a package's requirements and of theirs, itself included."""
    found: set[str] = set()
    queue = [name]
    while queue:
        current = re.sub(r"[-_.]+", "-", queue.pop()).lower()
        if current in found:
            continue
        found.add(current)
        for line in importlib.metadata.requires(current) or ():
            requirement, _, marker = line.partition(";")
            match = re.match(r"[A-Za-z0-9._-]+", requirement)
            if match and _applies(marker):
                queue.append(match[0])
    return found


def _applies(marker: str) -> bool:
    return not re.search(r"extra\s*==|platform_system|sys_platform|python_version", marker)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Return a copy of the tree without anything that was built in it."""
    copy = tmp_path_factory.mktemp("source") / "advisor"
    copy.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.duckdb", "*.wal", "*.tmp", ".*")
    for name in TAKEN:
        shutil.copytree(root / name, copy / name, ignore=ignored)
    for name in TAKEN_FILES:
        shutil.copyfile(root / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel."""
    return build(source, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return ``advisor`` in an empty environment that holds the wheel and its requirements.

    The requirements are copied from this environment, so that the test needs no network; that they
    are declared is what the copy of only the declared ones shows.
    """
    environment = tmp_path_factory.mktemp("installed") / "venv"
    venv.EnvBuilder(with_pip=False, symlinks=True).create(environment)
    (site,) = environment.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(metadata).decode("utf-8")
    declared = re.findall(r"^Requires-Dist: ([A-Za-z0-9._-]+)", text, re.MULTILINE)
    for name in sorted(set().union(*(needed(name) for name in declared))):
        copy_distribution(name, site)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(environment), "install", "--quiet",
         "--no-deps", "--no-index", str(wheel)],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return environment / "bin" / "advisor"


def copy_distribution(name: str, site: Path) -> None:
    """Copy the importable files of an installed distribution."""
    for file in importlib.metadata.files(name) or ():
        if ".." in file.parts or file.suffix == ".pyc":
            continue
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), target)


def test_wheel_carries_the_database_and_the_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if name.endswith("/METADATA")]
        text = archive.read(metadata).decode("utf-8")
    assert DATABASE in names
    licences = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    assert "LICENSE" in licences
    assert "data/LICENSES.md" in licences
    assert any("CC-BY-SA" in name for name in licences)
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"advisor"}
    assert "License-Expression: Apache-2.0" in text
    assert re.findall(r"^Requires-Dist: ([a-z0-9]+)", text, re.MULTILINE) == [
        "boto3",
        "duckdb",
        "httpx",
        "platformdirs",
        "plotext",
        "typer",
    ]


def test_installed_program_works_from_another_directory(program: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [program, "info", "--json"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    document = json.loads(done.stdout)
    assert Path(document["database"]).is_relative_to(program.parent.parent)
    assert document["knowledge"]["rows"]["instance_types"] > 0


def test_installed_program_recommends(program: Path, tmp_path: Path) -> None:
    from advisor.cli.registry import ENTRIES

    if "recommend" not in {entry.name for entry in ENTRIES}:
        pytest.skip("there is no recommend command yet")
    done = subprocess.run(
        [program, "recommend", "--threads", "16", "--rw", "mixed"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "$" in done.stdout


def test_installed_package_is_never_written(program: Path, tmp_path: Path) -> None:
    """A read-only installation and a home that cannot be written are enough."""
    database = next(program.parent.parent.glob(f"lib/python*/site-packages/{DATABASE}"))
    before = database.stat()
    subprocess.run(
        [program, "info"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        env={**os.environ, "HOME": "/dev/null"},
    )
    after = database.stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)
    assert [path.name for path in database.parent.glob("*.wal")] == []


def test_sdist_builds_the_same_wheel(
    source: Path, wheel: Path, tmp_path: Path, program: Path
) -> None:
    sdist = build(source, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert not [name for name in names if name.endswith(".duckdb")]
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = build(unpacked, "wheel", tmp_path / "again")
    with zipfile.ZipFile(again) as second, zipfile.ZipFile(wheel) as first:
        assert sorted(second.namelist()) == sorted(first.namelist())
        second.extract(DATABASE, tmp_path)
    versions = []
    for environment in ({}, {"ADVISOR_DATABASE": str(tmp_path / DATABASE)}):
        done = subprocess.run(
            [program, "info", "--json"],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        knowledge = json.loads(done.stdout)["knowledge"]
        versions.append((knowledge["data_version"], knowledge["model_version"]))
    assert versions[0] == versions[1]
