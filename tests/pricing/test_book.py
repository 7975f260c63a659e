"""Which price counts: live or bundled by date, the user's own before both."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from advisor.domain.vocabulary import Payment, Platform, StorageType, Term
from advisor.pricing.book import SNAPSHOT, Book
from advisor.pricing.cached import CachedMarket
from advisor.pricing.own import OWN, OwnPrices, own_prices, split

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

ON_DEMAND = (Term.ON_DEMAND, Payment.NONE)
EC2 = "ec2/us-east-1/on-demand/none"
VOLUMES = "volumes/us-east-1"


class _Live:
    """The cache of a region with some markets."""

    is_whole = False

    def __init__(self, **markets: list[Any]) -> None:
        self._markets = markets

    def get(self, market: str) -> CachedMarket | None:
        body = self._markets.get(market)
        if body is None:
            return None
        return CachedMarket(
            body=body,
            fetched_at="2026-11-20T10:00:00Z",
            origin="aws-price-feeds",
            is_whole=self.is_whole,
        )


def _book(
    connection: DuckDBPyConnection,
    markets: dict[str, list[Any]] | None = None,
    own: OwnPrices | None = None,
) -> Book:
    live = None if markets is None else _Live(**markets)
    return Book(connection, live, own)  # type: ignore[arg-type]


@pytest.fixture
def connection(database: Path) -> Iterator[DuckDBPyConnection]:
    with duckdb.connect(str(database), read_only=True) as opened:
        yield opened


def test_a_live_price_counts_and_what_it_lacks_is_bundled(connection: DuckDBPyConnection) -> None:
    live = {EC2: [["aws-price-feeds", "2026-11-20", {"m7g.large": "0.07", "m12g.large": "0.09"}]]}
    prices = _book(connection, live).ec2("us-east-1", *ON_DEMAND)
    assert (prices["m7g.large"].usd, prices["m7g.large"].source) == (
        Decimal("0.07"),
        "aws-price-feeds",
    )
    assert prices["m7g.large"].as_of == "2026-11-20"
    assert prices["m12g.large"].usd == Decimal("0.09")
    bundled = _book(connection).ec2("us-east-1", *ON_DEMAND)
    assert prices["c5.large"] == bundled["c5.large"]
    assert "m12g.large" not in bundled


def test_the_later_day_counts(connection: DuckDBPyConnection) -> None:
    """A cache from before the bundled snapshot does not override it."""
    live = {EC2: [["aws-price-feeds", "2019-01-01", {"m7g.large": "9", "m12g.large": "0.09"}]]}
    prices = _book(connection, live).ec2("us-east-1", *ON_DEMAND)
    assert prices["m7g.large"].usd != Decimal(9)
    assert prices["m12g.large"].usd == Decimal("0.09")


def test_a_whole_list_says_what_is_not_sold_any_more(
    connection: DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Live, "is_whole", True)
    live = {EC2: [["aws-price-feeds", "2026-11-20", {"m7g.large": "0.07"}]]}
    prices = _book(connection, live).ec2("us-east-1", *ON_DEMAND)
    assert list(prices) == ["m7g.large"]
    older = {EC2: [["aws-price-feeds", "2026-07-01", {"m7g.large": "0.07"}]]}
    known = _book(connection, older).ec2("us-east-1", *ON_DEMAND)
    assert "r8g.xlarge" in known  # bundled on a later day than that list


def test_a_tariff_is_of_one_source_and_complete(connection: DuckDBPyConnection) -> None:
    """Items of two days never make one tariff, and one doubtful item takes no type away."""
    rows = [
        ["gp3", "capacity", 0, "0.09", "GiB-month", "aws-price-feeds", "2026-11-20"],
        ["gp3", "iops", 0, "0.006", "IOPS-month", "aws-price-feeds", "2026-11-20"],
        ["gp2", "capacity", 0, "0.11", "GiB-month", "aws-price-feeds", "2026-11-20"],
    ]
    tariffs = _book(connection, {VOLUMES: rows}).volumes("us-east-1")
    gp3 = tariffs[Platform.EC2, StorageType.GP3]
    assert (gp3.capacity.usd, gp3.capacity.source) == (Decimal("0.08"), "ec2-shop-ebs-2024")
    assert gp3.throughput is not None
    assert tariffs[Platform.EC2, StorageType.GP2].capacity.usd == Decimal("0.11")
    whole = [
        *rows,
        ["gp3", "throughput", 0, "0.05", "MiB/s-month", "aws-price-feeds", "2026-11-20"],
    ]
    gp3 = _book(connection, {VOLUMES: whole}).volumes("us-east-1")[Platform.EC2, StorageType.GP3]
    assert gp3.capacity.usd == Decimal("0.09")
    io2 = tariffs[Platform.EC2, StorageType.IO2]
    assert [tier.above for tier in io2.iops] == [0, 32_000, 64_000]
    assert io2.capacity.source != "aws-price-feeds"


def test_tiers_come_in_any_order(connection: DuckDBPyConnection) -> None:
    rows = [
        ["io2", "iops", above, usd, "IOPS-month", "aws-price-list", "2026-11-20"]
        for above, usd in ((64_000, "0.03"), (0, "0.06"), (32_000, "0.05"))
    ]
    rows.append(["io2", "capacity", 0, "0.1", "GiB-month", "aws-price-list", "2026-11-20"])
    io2 = _book(connection, {VOLUMES: rows}).volumes("us-east-1")[Platform.EC2, StorageType.IO2]
    assert [tier.price.usd for tier in io2.iops] == [
        Decimal("0.06"),
        Decimal("0.05"),
        Decimal("0.03"),
    ]


def test_a_discount_is_taken_off_the_list_price_of_its_service(
    connection: DuckDBPyConnection,
) -> None:
    own = own_prices((("ec2", Decimal("0.1")), ("ebs", Decimal("0.5"))), (), "2026-11-01")
    mine, listed = _book(connection, own=own), _book(connection)
    for name, price in listed.ec2("us-east-1", *ON_DEMAND).items():
        assert mine.ec2("us-east-1", *ON_DEMAND)[name].usd == price.usd * Decimal("0.9")
        break
    gp3 = (Platform.EC2, StorageType.GP3)
    half, whole = (each.volumes("us-east-1")[gp3] for each in (mine, listed))
    assert half.capacity.usd == whole.capacity.usd / 2
    rds = [
        each.rds("us-east-1", "single-az", *ON_DEMAND)["mysql/db.m6g.large"]
        for each in (mine, listed)
    ]
    assert rds[0] == rds[1]
    assert "less your discounts (ebs 0.5, ec2 0.1)" in mine.phrase


def test_a_negotiated_price_counts_before_all_and_has_no_discount(
    connection: DuckDBPyConnection,
) -> None:
    own = own_prices(
        (("ec2", Decimal("0.1")),),
        (
            (f"{EC2}/m7g.large", Decimal("0.05")),
            ("volumes/us-east-1/gp3/capacity/0", Decimal("0.01")),
        ),
        "2026-11-01",
    )
    live = {EC2: [["aws-price-feeds", "2026-11-20", {"m7g.large": "0.07"}]]}
    book = _book(connection, live, own)
    price = book.ec2("us-east-1", *ON_DEMAND)["m7g.large"]
    assert (price.usd, price.source, price.as_of) == (Decimal("0.05"), OWN, "2026-11-01")
    gp3 = book.volumes("us-east-1")[Platform.EC2, StorageType.GP3]
    assert (gp3.capacity.usd, gp3.capacity.source) == (Decimal("0.01"), OWN)
    assert gp3.iops[0].price.source != OWN
    assert book.phrase.endswith("your negotiated prices first")
    elsewhere = own_prices((), ((f"{EC2}/m7g.large", Decimal("0.05")),), "2026-11-01")
    other = _book(connection, own=elsewhere)
    other.ec2("eu-west-1", *ON_DEMAND)
    assert other.phrase == SNAPSHOT


def test_a_negotiated_volume_needs_no_list_price(connection: DuckDBPyConnection) -> None:
    """io2 has no bundled price in half of the regions."""
    names = ("capacity/0", "iops/0", "iops/32000", "iops/64000")
    own = own_prices(
        (),
        tuple((f"volumes/eu-west-3/io2/{name}", Decimal("0.06")) for name in names),
        "2026-11-01",
    )
    assert (Platform.EC2, StorageType.IO2) not in _book(connection).volumes("eu-west-3")
    io2 = _book(connection, own=own).volumes("eu-west-3")[Platform.EC2, StorageType.IO2]
    assert [tier.above for tier in io2.iops] == [0, 32_000, 64_000]
    assert (io2.capacity.unit, io2.capacity.source) == ("GiB-month", OWN)


def test_the_phrase_names_what_was_asked_for(connection: DuckDBPyConnection) -> None:
    live = {EC2: [["aws-price-feeds", "2026-11-20", {"m7g.large": "0.07"}]]}
    book = _book(connection, live)
    book.volumes("us-east-1")
    assert (book.phrase, book.fetched_at) == (SNAPSHOT, None)
    book.ec2("us-east-1", *ON_DEMAND)
    assert book.fetched_at == "2026-11-20T10:00:00Z"
    assert book.phrase.startswith("live prices (aws-price-feeds) of 2026-11-20T10:00:00Z")


@pytest.mark.parametrize(
    ("path", "market", "name"),
    [
        (f"{EC2}/m7g.large", EC2, "m7g.large"),
        (
            "rds/us-east-1/multi-az/on-demand/none/mysql/db.m6g.large",
            "rds/us-east-1/multi-az/on-demand/none",
            "mysql/db.m6g.large",
        ),
        ("volumes/us-east-1/gp3/iops/0", VOLUMES, "gp3/iops/0"),
        (
            "storage/us-east-1/aurora/regional/aurora-standard/capacity/0",
            "storage/us-east-1/aurora/regional",
            "aurora-standard/capacity/0",
        ),
    ],
)
def test_a_path_is_a_market_and_a_name(path: str, market: str, name: str) -> None:
    assert split(path) == (market, name)
