"""``docs/architecture.md`` lists what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from advisor.knowledge.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.knowledge.schema import Table


@pytest.fixture(scope="module")
def document(root: Path) -> str:
    return (root / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_module_is_listed(document: str, root: Path) -> None:
    """Run scripts/examples when a module is new."""
    package = root / "advisor"
    modules = {
        str(path.relative_to(package).with_suffix(""))
        for path in package.rglob("*.py")
        if path.name != "__init__.py"
    }
    listed = {line.split("`")[1] for line in document.splitlines() if line.startswith("| `")}
    assert modules <= listed
    assert {
        name for name in listed if "/" in name and name.split("/")[0] in _packages(package)
    } <= (modules)


def _packages(package: Path) -> set[str]:
    return {path.name for path in package.iterdir() if (path / "__init__.py").exists()}


@pytest.mark.parametrize("table", TABLES, ids=lambda each: each.name)
def test_every_table_is_described_with_its_key(document: str, table: Table) -> None:
    row = next(line for line in document.splitlines() if f"| `{table.name}`: " in line)
    assert all(column in row for column in table.key)
