from __future__ import annotations

from pathlib import Path

from advisor.domain import names
from scripts.generate_names import names_module

ROOT = Path(__file__).resolve().parents[2]


def test_the_module_equals_the_data() -> None:
    """Run ``python -m scripts.generate_names`` after an import."""
    committed = (ROOT / "advisor" / "domain" / "names.py").read_text(encoding="utf-8")
    assert committed == names_module(ROOT / "data")


def test_names_are_unique_and_belong_together() -> None:
    for table in (names.INSTANCE_TYPES, names.FAMILIES, names.DB_CLASSES, names.REGIONS):
        assert len(set(table)) == len(table)
    assert {name.split(".")[0] for name in names.INSTANCE_TYPES} == set(names.FAMILIES)
    assert "us-east-1" in names.REGIONS
