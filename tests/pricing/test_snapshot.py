from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.domain.vocabulary import EBS_TYPES, Payment, Platform, StorageType, Term
from advisor.errors import ExitCode, PricingError
from advisor.pricing.book import Book
from advisor.pricing.snapshot import priced_regions, volume_regions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from advisor.domain.cost import VolumeTariff
    from advisor.pricing.hourly import HourlyPrices


def _ec2(connection: DuckDBPyConnection, region: str, term: Term) -> HourlyPrices:
    return Book(connection).ec2(region, term, Payment.NONE)


def _volumes(
    connection: DuckDBPyConnection, region: str
) -> dict[tuple[Platform, StorageType], VolumeTariff]:
    return Book(connection).volumes(region)


@pytest.fixture
def connection(database: Path) -> Iterator[DuckDBPyConnection]:
    with duckdb.connect(str(database), read_only=True) as opened:
        yield opened


def test_an_hourly_price_carries_source_and_date(connection: DuckDBPyConnection) -> None:
    price = _ec2(connection, "us-east-1", Term.ON_DEMAND)["m6g.2xlarge"]
    assert (price.usd, price.unit) == (Decimal("0.308"), "hour")
    assert (price.source, price.as_of) == ("karpenter-2026", "2026-07-20")
    assert str(price.usd) == "0.308"


def test_terms_are_never_mixed(connection: DuckDBPyConnection) -> None:
    """Trap 6 and 7: spot and convertible prices answer for no term."""
    prices = {term: _ec2(connection, "us-east-1", term) for term in Term}
    amounts = [
        prices[term]["m6g.2xlarge"].usd
        for term in (Term.ON_DEMAND, Term.RESERVED_1Y, Term.RESERVED_3Y)
    ]
    assert amounts == [Decimal("0.308"), Decimal("0.1932"), Decimal("0.1339")]
    assert not prices[Term.SAVINGS_1Y]
    assert not prices[Term.SAVINGS_3Y]


def test_a_type_without_a_price_is_absent_not_free(connection: DuckDBPyConnection) -> None:
    prices = _ec2(connection, "us-east-1", Term.RESERVED_1Y)
    assert "i7ie.2xlarge" not in prices
    assert prices.get("i7ie.2xlarge") is None
    with pytest.raises(KeyError):
        prices["i7ie.2xlarge"]
    assert all(price.usd > 0 for price in prices.values())
    assert len(prices) == len(list(prices)) > 500


def test_an_unknown_region_has_no_prices(connection: DuckDBPyConnection) -> None:
    assert len(_ec2(connection, "moon-east-1", Term.ON_DEMAND)) == 0
    assert _volumes(connection, "moon-east-1") == {}


def test_gp3_charges_capacity_iops_and_throughput(connection: DuckDBPyConnection) -> None:
    tariff = _volumes(connection, "us-east-1")[Platform.EC2, StorageType.GP3]
    assert tariff.throughput is not None
    prices = (tariff.capacity, tariff.iops[0].price, tariff.throughput)
    assert [(price.usd, price.unit) for price in prices] == [
        (Decimal("0.08"), "GiB-month"),
        (Decimal("0.005"), "IOPS-month"),
        (Decimal("0.04"), "MiB/s-month"),
    ]


def test_io2_has_three_marginal_tiers_in_order(connection: DuckDBPyConnection) -> None:
    tariff = _volumes(connection, "us-east-1")[Platform.EC2, StorageType.IO2]
    assert [(tier.above, str(tier.price.usd)) for tier in tariff.iops] == [
        (0, "0.065"),
        (32000, "0.0455"),
        (64000, "0.03185"),
    ]


def test_gp2_sells_nothing_but_capacity(connection: DuckDBPyConnection) -> None:
    tariff = _volumes(connection, "us-east-1")[Platform.EC2, StorageType.GP2]
    assert (tariff.iops, tariff.throughput) == ((), None)


def test_a_region_without_ebs_prices_is_unpriced(connection: DuckDBPyConnection) -> None:
    """Trap 10: five regions have EC2 prices and no EBS prices, fifteen more lack io2."""
    unpriced = set(priced_regions(connection)) - set(volume_regions(connection))
    assert unpriced == {
        *("ap-east-2", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7", "mx-central-1")
    }
    every = {(Platform.EC2, kind) for kind in EBS_TYPES}
    assert set(_volumes(connection, "mx-central-1")) == set()
    assert set(_volumes(connection, "eu-west-3")) == every - {(Platform.EC2, StorageType.IO2)}
    assert set(_volumes(connection, "us-east-1")) == every


def test_local_disks_have_no_tariff(connection: DuckDBPyConnection) -> None:
    kinds = {kind for _, kind in _volumes(connection, "us-east-1")}
    assert StorageType.NVME not in kinds


def test_unreadable_prices_are_a_pricing_error() -> None:
    with duckdb.connect() as empty, pytest.raises(PricingError) as caught:
        _ec2(empty, "us-east-1", Term.ON_DEMAND)
    assert caught.value.exit_code is ExitCode.PRICING
