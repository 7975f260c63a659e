"""The single-value rule."""

from __future__ import annotations

from decimal import Decimal

import pytest

from advisor.domain.quote import Origin
from advisor.pricing.stated import Charge, Stated

ITEM = ("ec2/eu-west-1/on-demand/none", "m7g.large")


def stated(*charges: Charge) -> Stated:
    found = Stated(Origin.FEEDS, "2026-11-21")
    for charge in charges:
        found.add(*ITEM, "hour", charge)
    return found


def test_one_price_stated_twice_is_one() -> None:
    found = stated(Charge(price="0.0960000000"), Charge(price="0.096"))
    assert [quote.usd for quote in found.quotes()] == [Decimal("0.096")]
    assert not found.troubles()


def test_two_prices_are_a_trouble_that_names_both() -> None:
    found = stated(Charge(price="0.115"), Charge(price="0.096"))
    assert not found.quotes()
    assert [trouble.reason for trouble in found.troubles()] == ["two prices: 0.096 and 0.115"]


def test_an_upfront_amount_is_part_of_the_price() -> None:
    found = stated(Charge(price="0", upfront="300"), Charge(price="0", upfront="310"))
    assert found.troubles()[0].reason == "two prices: 0 + 300 upfront and 0 + 310 upfront"


def test_three_prices_in_words() -> None:
    charges = (Charge(price="0.10"), Charge(price="0.2", upfront="10"), Charge(price="0.0000001"))
    (trouble,) = stated(*charges).troubles()
    assert trouble.reason == "three prices: 0.0000001, 0.1 and 0.2 + 10 upfront"


@pytest.mark.parametrize(
    ("charge", "reason"),
    [
        (Charge(price="0.0000000000"), "a price of 0"),
        (Charge(price="N/A"), "not a price: 'N/A'"),
        (Charge(price="NaN"), "not a price: 'NaN'"),
        (Charge(price="-1"), "not a price: '-1'"),
        (Charge(price=True), "not a price: True"),
        (Charge(price=["0.1"]), "not a price: ['0.1']"),
        (Charge(price=None), "no price"),
        (Charge(price="0.1", upfront="much"), "not a price: 'much'"),
        (Charge(price="0.1", is_upfront=True), "no upfront amount"),
        (Charge(price="0.1", upfront="0.00", is_upfront=True), "no upfront amount"),
        (Charge(price="Infinity"), "not a price: 'Infinity'"),
        (Charge(price="x" * 99), "not a price: 'xxxxxxxxxxxxxxxxxxxxxxx…"),
    ],
)
def test_what_is_no_price_is_a_trouble(charge: Charge, reason: str) -> None:
    for found in (stated(charge), stated(Charge(price="0.1"), charge)):
        assert not found.quotes()
        assert [trouble.reason for trouble in found.troubles()] == [reason]


def test_an_hourly_rate_of_0_beside_an_upfront_amount_is_a_price() -> None:
    (quote,) = stated(Charge(price="0.0000000000", upfront="500")).quotes()
    assert (quote.usd, quote.upfront_usd) == (Decimal(0), Decimal(500))


def test_units_are_converted_exactly() -> None:
    (quote,) = stated(Charge(price="40.96", per=Decimal(1) / 1024)).quotes()
    assert f"{quote.usd}" == "0.04"
