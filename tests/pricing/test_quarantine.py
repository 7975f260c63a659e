from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from advisor.domain.quote import rds_market, spot_market
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.quarantine import compared
from tests.pricing.stubs import REGION, quote, quotes

if TYPE_CHECKING:
    from advisor.domain.quote import Quote


def by_key(*given: Quote) -> dict[tuple[str, str], Quote]:
    return {(each.market, each.name): each for each in given}


def changed(count: int, moved: int, usd: str) -> dict[tuple[str, str], Quote]:
    return by_key(*quotes(count, "1.00")) | by_key(*quotes(moved, usd))


@pytest.mark.parametrize(
    ("count", "moved", "usd", "is_held"),
    [
        (100, 2, "1.50", False),
        (100, 3, "1.50", True),
        (100, 3, "0.70", True),
        (100, 100, "1.20", False),
        (100, 100, "0.80", False),
        (100, 100, "1.21", True),
        (19, 1, "9.00", False),
        (19, 2, "9.00", True),
        (20, 1, "9.00", True),
        (1, 1, "9.00", False),
    ],
)
def test_held_when_more_than_two_in_a_hundred_move_by_more_than_a_fifth(
    count: int, moved: int, usd: str, *, is_held: bool
) -> None:
    found = compared(by_key(*quotes(count, "1.00")), changed(count, moved, usd))
    assert found.is_held is is_held
    assert found.common == count


@pytest.mark.parametrize(
    ("count", "gone", "is_held"),
    [(100, 5, False), (100, 6, True), (19, 1, False), (19, 2, True), (4, 4, True), (1, 1, False)],
)
def test_held_when_more_than_five_in_a_hundred_vanish(
    count: int, gone: int, *, is_held: bool
) -> None:
    found = compared(by_key(*quotes(count, "1.00")), by_key(*quotes(count - gone, "1.00")))
    assert found.is_held is is_held
    assert (found.before, found.common, len(found.vanished)) == (count, count - gone, gone)


def test_one_market_cannot_hide_in_a_large_one() -> None:
    """Thirty wrong prices in three thousand are 1 %, and still all that a market has."""
    small = rds_market(REGION, "single-az", Term.ON_DEMAND)
    before = by_key(*quotes(3000, "1"), *quotes(30, "1", small))
    after = by_key(*quotes(3000, "1"), *quotes(30, "1000", small))
    assert compared(before, after).reasons == (f"{small}: 30 of 30 prices moved by more than 20%",)


def test_single_offenders_of_many_small_markets_add_up() -> None:
    markets = [rds_market(REGION, f"d{number}", Term.ON_DEMAND) for number in range(10)]
    before = by_key(*(each for market in markets for each in quotes(3, "1", market)))
    after = before | by_key(*(quote("m0.large", "2", market) for market in markets))
    assert compared(before, after).reasons == (
        "all markets: 10 of 30 prices moved by more than 20%",
    )


def test_new_items_are_no_reason() -> None:
    found = compared(by_key(*quotes(20, "1")), by_key(*quotes(400, "1")))
    assert (found.is_held, found.common, found.vanished) == (False, 20, ())


def test_nothing_before_holds_nothing() -> None:
    assert not compared({}, by_key(*quotes(20, "1"))).is_held


def test_spot_moves_by_the_hour_and_is_not_held() -> None:
    spot = spot_market(REGION)
    found = compared(by_key(*quotes(50, "1", spot)), by_key(*quotes(20, "3", spot)))
    assert (found.is_held, found.up, len(found.vanished)) == (False, 20, 30)


def test_an_upfront_payment_is_compared_by_the_hour() -> None:
    market = rds_market(REGION, "single-az", Term.RESERVED_1Y, Payment.PARTIAL)
    old = quote("mysql/db.m7g.large", "0.05", market, upfront="438")
    new = quote("mysql/db.m7g.large", "0", market, upfront="876")
    found = compared(by_key(old), by_key(new))
    assert (found.up, found.down, found.common) == (0, 0, 1)


def test_moves_are_counted_with_their_median_and_the_biggest_first() -> None:
    before = by_key(*quotes(30, "1.00"))
    after = before | by_key(
        quote("m1.large", "1.1"), quote("m2.large", "1.3"), quote("m3.large", "0.5")
    )
    found = compared(before, after)
    assert (found.up, found.down) == (2, 1)
    assert found.up_median_ratio == pytest.approx(0.2)
    assert found.down_median_ratio == -0.5
    assert [move.name for move in found.biggest] == ["m3.large", "m2.large", "m1.large"]
    assert found.biggest[0].after_usd == Decimal("0.5")
    assert found.moved_far == 2
