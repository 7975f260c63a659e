from __future__ import annotations

import csv
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.render.table import PAGE_WIDTH, cell_text, csv_table, json_table, text_table


def test_numbers_align_right_and_words_left() -> None:
    text = text_table(("name", "usd"), [("a", Decimal("10.500000000")), ("bcd", Decimal("1.000"))])
    assert text == "name   usd\na     10.5\nbcd      1"


def test_unknown_is_a_dash_in_text_empty_in_csv_and_null_in_json() -> None:
    assert text_table(("a", "b"), [(None, "x")]) == "a  b\n-  x"
    assert csv_table(("a", "b"), [(None, "x")]) == "a,b\n,x\n"
    assert json.loads(json_table("t", ("a",), [(None,)]))["rows"] == [{"a": None}]


def test_no_rows_leave_the_header() -> None:
    assert text_table(("a", "b"), []) == "a  b"
    assert csv_table(("a", "b"), []) == "a,b\n"


def test_long_words_are_wrapped_within_the_page() -> None:
    text = text_table(("id", "note"), [("x", "word " * 40)])
    lines = text.splitlines()
    assert max(map(len, lines)) <= PAGE_WIDTH
    assert sum(line.count("word") for line in lines) == 40


def test_a_table_that_cannot_fit_becomes_records() -> None:
    row = tuple("x" * 30 for _ in range(4))
    text = text_table(("first", "second", "third", "unknown"), [(*row[:3], None), (*row[:3], None)])
    assert text.startswith("first    " + "x" * 30)
    assert text.count("\n\n") == 1
    assert "unknown" not in text


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in text_table(("a",), [("\x1b[31mred\n",)])


def test_json_is_a_contract() -> None:
    document = json.loads(
        json_table("t", ("n", "n", "f"), [(1, Decimal("0.308000000"), float("inf"))])
    )
    assert document == {
        "schema": "advisor.table/1",
        "table": "t",
        "columns": ["n", "n_2", "f"],
        "rows": [{"n": 1, "n_2": 0.308, "f": "inf"}],
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (3.0, "3"), (0.1, "0.1"), (Decimal("0.000000050"), "0.00000005"), (7, "7")],
)
def test_cells(value: object, text: str) -> None:
    assert cell_text(value) == text


CELLS = st.one_of(st.none(), st.integers(), st.text(max_size=60), st.floats(allow_nan=False))


@given(
    st.integers(1, 6).flatmap(
        lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5).map(
            lambda rows: (width, rows)
        )
    )
)
def test_any_rows_can_be_rendered(table: tuple[int, list[list[object]]]) -> None:
    width, rows = table
    columns = [f"column_{index}" for index in range(width)]
    text_table(columns, rows)
    assert len(json.loads(json_table("t", columns, rows))["rows"]) == len(rows)
    parsed = list(csv.reader(csv_table(columns, rows).splitlines(keepends=True)))
    assert parsed[0] == columns
