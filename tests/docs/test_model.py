"""``docs/model.md`` holds every fitted parameter, with the numbers of the knowledge base."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.prediction.curve import Band
from scripts.model_tables import model_tables

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def document(root: Path) -> str:
    return (root / "docs" / "model.md").read_text(encoding="utf-8")


def test_tables_hold_the_fitted_numbers(document: str, database: Path) -> None:
    """Run scripts/examples when a fit has changed, and read what changed."""
    found = dict(re.findall(r"<!-- table: ([a-z-]+) -->\n(.*?)<!-- end -->", document, re.DOTALL))
    assert found == model_tables(database)


def test_every_parameter_is_documented(document: str, database: Path) -> None:
    with duckdb.connect(str(database), read_only=True) as connection:
        names = [
            row[0] for row in connection.execute("SELECT name FROM model_parameters").fetchall()
        ]
    assert names
    for known in names:
        name = known
        for band in Band:
            name = name.replace(f".{band}_sigma", ".BAND_sigma")
        kind, *_, last = name.split(".")
        assert f"`{last if kind == 'volume' else name}`" in document


def test_every_source_of_the_fit_is_named(document: str, database: Path) -> None:
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute("SELECT DISTINCT sources FROM model_parameters").fetchall()
    for source in {source for (sources,) in rows for source in sources.split()}:
        assert f"`{source}`" in document
