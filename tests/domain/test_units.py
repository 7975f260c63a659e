from __future__ import annotations

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.units import (
    format_ratio,
    format_size,
    format_usd,
    parse_count,
    parse_number,
    parse_ratio,
    parse_size_gib,
    parse_usd,
    parse_volume_gib,
)


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("100", 100.0), ("100GiB", 100.0), ("100 gib", 100.0), ("100G", 100.0), ("1.5TiB", 1536.0),
        ("512MiB", 0.5), ("1e3GiB", 1000.0), ("1,024GiB", 1024.0), ("1GB", 1e9 / 2**30),
        ("2TB", 2e12 / 2**30), ("1PiB", 2.0**20), (" 5 ", 5.0), ("0", 0.0),
    ],
)  # fmt: skip
def test_sizes_are_read(text: str, gib: float) -> None:
    assert parse_size_gib(text) == gib


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a size"), ("GiB", "not a size"), ("nanGiB", "not a size"), ("inf", "not a size"),
        ("-1GiB", "negative"), ("5XB", "unknown unit"), ("1,0GiB", "not a size"),
        ("1_000", "not a size"), ("1e308PiB", "too large"),
    ],
)  # fmt: skip
def test_wrong_sizes_are_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_size_gib(text)


@given(st.floats(min_value=0.0, max_value=1e300))
def test_sizes_round_trip_exactly(gib: float) -> None:
    assert parse_size_gib(format_size(gib)) == gib


@given(st.floats(min_value=0.0, max_value=10.0))
def test_shares_round_trip(ratio: float) -> None:
    assert parse_ratio(format_ratio(ratio)) == pytest.approx(ratio, rel=1e-11, abs=1e-300)


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_amounts_round_trip_exactly(usd: Decimal) -> None:
    assert parse_usd(format_usd(usd)) == usd


def test_forms_of_a_number() -> None:
    assert (parse_number("1,234.5"), parse_count("1,000"), parse_count("16.0")) == (
        1234.5,
        1000,
        16,
    )
    assert (parse_ratio("30%"), parse_ratio("0.3"), parse_ratio(" 5 % ")) == (0.3, 0.3, 0.05)
    assert parse_usd("$ 1,200.50") == Decimal("1200.50")
    assert (format_size(2048.0), format_size(0.5), format_size(100.0)) == (
        "2TiB", "512MiB", "100GiB",
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "x", "nan", "inf", "-inf", "1_0", "1,00", ",1", "1e999", "0x10"]
)
def test_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|comma"):
        parse_number(text)


@pytest.mark.parametrize(
    ("text", "gib"),
    [("500GB", 500), ("500GiB", 500), ("500", 500), ("1TB", 1000), ("1TiB", 1024), ("0.5g", 1)],
)
def test_gb_of_a_volume_is_what_aws_bills_as_gb(text: str, gib: int) -> None:
    assert parse_volume_gib(text) == gib


@pytest.mark.parametrize("text", ["1.5", "nan", "1e-3"])
def test_no_count(text: str) -> None:
    with pytest.raises(ValueError, match="number"):
        parse_count(text)


@pytest.mark.parametrize("text", ["-1%", "x%", "", "inf"])
def test_no_share(text: str) -> None:
    with pytest.raises(ValueError, match=r"share|negative"):
        parse_ratio(text)


@pytest.mark.parametrize("text", ["", "$", "nan", "Infinity", "1,2", "1_0", "sNaN"])
def test_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        parse_usd(text)


@given(st.text(max_size=20))
def test_parsers_raise_value_errors_only(text: str) -> None:
    for parse in (
        parse_number,
        parse_count,
        parse_ratio,
        parse_size_gib,
        parse_volume_gib,
        parse_usd,
    ):
        with contextlib.suppress(ValueError):
            parse(text)
