"""What rows state, one rule at a time; faults of whole feeds are in ``test_feed_faults``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.quote import Origin, Quote
from advisor.domain.vocabulary import Payment
from advisor.pricing import feed_rows, feed_storage
from advisor.pricing.bodies import UnreadableError
from advisor.pricing.stated import Stated
from tests.pricing import feed_world as world

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.pricing.feed_rows import Feed

REGION = "eu-west-1"
MARKET = "ec2/eu-west-1/on-demand/none"


def feed(rows: Mapping[str, Any]) -> Feed:
    return feed_rows.feed_of(world.body(rows), world.LOCATION)


def fresh() -> Stated:
    return Stated(Origin.FEEDS, "2026-11-21")


def reasons(stated: Stated) -> dict[str, str]:
    return {trouble.name: trouble.reason for trouble in stated.troubles()}


def names(stated: Stated) -> set[str]:
    return {quote.name for quote in stated.quotes()}


def test_prices_may_be_numbers() -> None:
    stated = fresh()
    feed_rows.read_ec2(feed({"a": world.instance("m7g.large", 0.0912)}), stated, MARKET)
    assert f"{stated.quotes()[0].usd}" == "0.0912"


def test_a_price_that_is_none_spoils_its_item_alone() -> None:
    rows = {
        "a": world.instance("m7g.large", "call us"),
        "b": world.instance("m7g.xlarge", "0.2"),
        "c": world.instance("m7g.2xlarge", "0.4"),
        "d": world.instance("m7g.2xlarge", "0.5"),
    }
    stated = fresh()
    feed_rows.read_ec2(feed(rows), stated, MARKET)
    assert names(stated) == {"m7g.xlarge"}
    assert reasons(stated) == {
        "m7g.large": "not a price: 'call us'",
        "m7g.2xlarge": "two prices: 0.4 and 0.5",
    }


def test_a_reserved_row_without_its_upfront_amount_is_a_trouble() -> None:
    stated = fresh()
    rows = {"a": world.reserved("m7g.large", "0.0000000000")}
    feed_rows.read_ec2_reserved(feed(rows), stated, MARKET, Payment.ALL)
    assert reasons(stated) == {"m7g.large": "no upfront amount"}


def test_classes_of_another_engine_or_deployment_are_left_alone() -> None:
    rows = {
        "a": world.reserved("db.m7g.large", "0.1", **{"Database Engine": "MariaDB"}),
        "b": world.reserved("db.m7g.xlarge", "0.2", **{"Deployment Option": "Multi-AZ"}),
        "c": world.reserved("db.m7g.2xlarge", "0.4", **{"Database Engine": "MySQL"}),
        "d": world.reserved("m7g.large", "0.4"),
    }
    stated = fresh()
    sold = ("mysql", "single-az")
    feed_rows.read_rds_reserved(feed(rows), stated, MARKET, sold, Payment.NONE)
    assert names(stated) == {"mysql/db.m7g.2xlarge"}


def test_an_unknown_mode_of_aurora_is_not_taken_for_standard() -> None:
    known = world.db_class("Aurora MySQL", "db.r6g.large", "0.287")
    unknown = {
        key.replace("required db", "required Aurora Limitless Mode db"): {**row, "price": "9"}
        for key, row in known.items()
    }
    stated = fresh()
    feed_rows.read_aurora(feed(known | unknown), stated, REGION)
    assert [f"{quote.name} {quote.usd}" for quote in stated.quotes()] == [
        "aurora-mysql/db.r6g.large/standard 0.287"
    ]


def test_aurora_is_sold_by_the_node() -> None:
    stated = fresh()
    rows = world.db_class("Aurora MySQL", "db.r6g.large", "0.6", "Multi-AZ")
    feed_rows.read_aurora(feed(rows), stated, REGION)
    assert stated.taken == 0


def test_rds_storage_may_lack_backups_and_a_deployment() -> None:
    rows = {key: row for key, row in world.RDS_STORAGE_ROWS.items() if "Single AZ" in key}
    stated = fresh()
    feed_storage.read_rds_storage(feed(rows), stated, REGION)
    assert {quote.market for quote in stated.quotes()} == {
        f"storage/{REGION}/{engine}/single-az" for engine in ("mysql", "postgresql", "mariadb")
    }
    assert not stated.troubles()


def test_aurora_without_standard_storage_is_no_trouble() -> None:
    rows = {"Any IO Optimized Aurora": {"price": "0.2480000000"}}
    stated = fresh()
    feed_storage.read_aurora_storage(feed(rows), stated, REGION)
    assert names(stated) == {"aurora-io-optimized/capacity/0"}


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"ranges": []}, "a changed shape: no savings by region"),
        ({"ranges": [], "spot_advisor": {}}, f"it does not list {REGION}"),
        ({"ranges": [], "spot_advisor": {REGION: {"Windows": {}}}}, f"it does not list {REGION}"),
    ],
)
def test_a_changed_spot_advisor_is_noticed(document: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        feed_rows.spot_of(json.dumps(document).encode(), REGION)
    assert caught.value.message == reason


@pytest.mark.parametrize("saving", [100, -1, None, "62", True, 12.5])
def test_a_saving_that_is_no_percentage_is_a_trouble(saving: object) -> None:
    advice = {
        "ranges": [],
        "spot_advisor": {REGION: {"Linux": {"m7g.large": {"s": saving, "r": 0}}}},
    }
    on_demand = fresh()
    feed_rows.read_ec2(feed({"a": world.instance("m7g.large", "0.1")}), on_demand, MARKET)
    prices: dict[str, Quote] = {quote.name: quote for quote in on_demand.quotes()}
    stated = fresh()
    advised = feed_rows.spot_of(json.dumps(advice).encode(), REGION)
    feed_rows.read_spot(advised, REGION, prices, stated)
    assert "percent" in reasons(stated)["m7g.large"]


@pytest.mark.parametrize("band", [7, [1], {}, None, "0"])
def test_an_unknown_band_is_not_stated(band: object) -> None:
    advice = {
        "ranges": ["?", {"index": 0, "label": "<5%"}],
        "spot_advisor": {REGION: {"Linux": {"m7g.large": {"s": 50, "r": band}, "odd": 3}}},
    }
    on_demand = fresh()
    feed_rows.read_ec2(feed({"a": world.instance("m7g.large", "0.1")}), on_demand, MARKET)
    prices = {quote.name: quote for quote in on_demand.quotes()}
    stated = fresh()
    advised = feed_rows.spot_of(json.dumps(advice).encode(), REGION)
    feed_rows.read_spot(advised, REGION, prices, stated)
    assert [quote.interruptions for quote in stated.quotes()] == [None]


@pytest.mark.parametrize(
    ("storage", "disks"),
    [
        ("EBS only", (0, 0.0)),
        ("1 x 1900 NVMe SSD", (1, 1900.0)),
        ("4 X 940 GB NVMe SSD", (4, 3760.0)),
        ("900 GB NVMe SSD", (1, 900.0)),
        ("6 x 3750GB", (6, 22500.0)),
        ("2 x 80 SSD", (2, 160.0)),
        ("24 x 2000 HDD", (None, None)),
        ("a cloud", (None, None)),
    ],
)
def test_disks_are_read_as_they_are_spelt(
    storage: str, disks: tuple[int | None, float | None]
) -> None:
    (facts,) = feed_rows.facts_of(feed({"a": world.instance("m9z.large", "1", Storage=storage)}))
    assert (facts.disk_count, facts.disk_total_gb) == disks


def test_a_type_without_a_size_is_not_described() -> None:
    rows = {
        "a": world.instance("m9z.large", "1", Memory="NA"),
        "b": world.reserved("m9a.large", "1"),
    }
    assert feed_rows.facts_of(feed(rows)) == ()


@pytest.mark.parametrize(
    "stated",
    [
        *({"vCPU": each} for each in ("0", "-4", "4096", "9" * 5000, 0, True, None, [2])),
        *({"Memory": f"{each} GiB"} for each in ("0", "0.0", "-8", "nan", "inf", "1e999", "1.2.3")),
        *({"Memory": each} for each in ("9" * 400 + " GiB", "8", 8, None)),
    ],
)
def test_a_size_that_no_machine_has_is_not_described(stated: dict[str, object]) -> None:
    row = world.instance("m9z.large", "1", **stated)
    assert feed_rows.facts_of(feed({"a": row})) == ()
    taken = fresh()
    feed_rows.read_ec2(feed({"a": row}), taken, MARKET)
    assert names(taken) == {"m9z.large"}, "its price stays"


@pytest.mark.parametrize("words", ["1.2.3", ",", "9" * 400, "."])
def test_a_rate_or_disk_that_is_no_number_is_not_known(words: str) -> None:
    odd = {"Storage": f"{words} GB NVMe SSD", "Network Performance": f"{words} Gigabit"}
    (facts,) = feed_rows.facts_of(feed({"a": world.instance("m9z.large", "1", **odd)}))
    assert (facts.disk_count, facts.network_baseline_gbps) == (None, None)
