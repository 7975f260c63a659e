from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.render.figures import change, dollars, exact, figure, known, percent
from advisor.render.json_document import json_text
from advisor.render.page import paragraph, plain


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1834.4, "1,830"), (8.722, "8.72"), (0.5678, "0.568"), (9.996, "10.0"), (99.96, "100"),
        (0.0, "0"), (None, "-"), (float("inf"), "-"), (123456.0, "123,000"), (9999999.0, "10M"),
        (0.00123, "0.00123"), (1000.0, "1,000"), (0.9996, "1.00"), (2.0, "2.00"),
        (1e-4, "1.00e-04"), (1e12, "1.00e+12"),
    ],
)  # fmt: skip
def test_figures_have_three_digits(value: float | None, text: str) -> None:
    assert figure(value) == text


@given(st.floats(min_value=1e-3, max_value=9e5))
def test_figures_stay_within_half_a_percent(value: float) -> None:
    assert float(figure(value).replace(",", "")) == pytest.approx(value, rel=0.0051)


def test_words_of_numbers() -> None:
    assert (percent(0.3), percent(0.004), percent(0.0)) == ("30%", "0.4%", "0%")
    assert (change(1.25), change(0.9), change(1.001)) == ("+25%", "-10%", "no change")
    assert (dollars(Decimal("1234.56")), dollars(Decimal("9.5"))) == ("$1,235", "$9.50")
    assert (exact(Decimal("0.0800")), exact(Decimal(31500))) == ("0.08", "31,500")
    assert (known(32.0), known(25.1)) == ("32", "25.1")


@given(st.text(max_size=300))
def test_paragraphs_fit_the_page(text: str) -> None:
    assert all(len(line) <= 80 for line in paragraph(text, "  - ", "    "))


def test_plain_keeps_the_width() -> None:
    text = "± 15 % × 2 – é ÷ …"
    assert plain(text).isascii()
    assert len(plain(text)) == len(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
)
def test_json_text_is_json(document: object) -> None:
    assert json.loads(json_text(document)) == document  # type: ignore[arg-type]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_json_floats_keep_six_digits(value: float) -> None:
    found = json.loads(json_text(value))
    assert found == pytest.approx(value, rel=1e-5) or value == 0.0 or abs(value) < 1e-300
