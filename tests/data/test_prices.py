"""The prices against the traps of their sources."""

from __future__ import annotations

import csv
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"

Row = dict[str, str]


def read(path: str) -> list[Row]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def ec2() -> dict[tuple[str, str, str], Row]:
    return {(r["region"], r["instance_type"], r["term"]): r for r in read("prices/ec2.csv")}


@pytest.fixture(scope="module")
def volumes() -> list[Row]:
    return read("prices/volumes.csv")


@pytest.fixture(scope="module")
def gaps() -> set[tuple[str, str]]:
    return {(row["table"], row["key"]) for row in read("known_gaps.csv")}


PRICE_FILES = ("ec2", "volumes", "rds", "rds_storage", "aurora")


@pytest.mark.parametrize("file", PRICE_FILES)
def test_prices_are_positive_dated_and_sourced(file: str) -> None:
    sources = {row["source_id"] for row in read("sources/prices.csv")}
    for row in read(f"prices/{file}.csv"):
        amount = row.get("usd") or row.get("usd_per_hour")
        assert amount
        assert Decimal(amount) > 0
        assert "e" not in amount.lower()
        assert row["as_of"][:2] == "20"
        assert row["source_id"] in sources


def test_amounts_keep_every_digit_of_their_source(
    ec2: dict[tuple[str, str, str], Row], volumes: list[Row]
) -> None:
    assert ec2["us-east-1", "m8g.xlarge", "on-demand"]["usd_per_hour"] == "0.17952"
    requests = {row["usd"] for row in volumes if row["item"] == "requests"}
    assert "0.00000005" in requests


def test_bare_metal_that_may_be_dedicated_keeps_its_flag(
    ec2: dict[tuple[str, str, str], Row],
) -> None:
    """Trap 1: 90 bare-metal rows carry, or correct, the dedicated rate."""
    flags = Counter(row["flag"] for key, row in ec2.items() if key[2] == "on-demand")
    assert flags["may be the dedicated rate"] == 71
    assert flags["newer source gave the dedicated rate"] == 19
    assert all(
        ".metal" in key[1]
        for key, row in ec2.items()
        if key[2] == "on-demand" and "dedicated" in row["flag"]
    )


def test_aurora_modes_are_two_rows_and_never_mixed() -> None:
    """Trap 3: Standard and I/O-Optimized differ by 1.3; what cannot be decided is left out."""
    prices: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in read("prices/aurora.csv"):
        prices.setdefault((row["region"], row["engine"], row["db_class"]), {})[
            row["storage_mode"]
        ] = row
    both = [modes for modes in prices.values() if len(modes) == 2]
    assert len(both) > 1400
    for modes in both:
        standard, optimized = (
            Decimal(modes[m]["usd_per_hour"]) for m in ("standard", "io-optimized")
        )
        assert Decimal("1.28") < optimized / standard < Decimal("1.32")
    derived = [r for modes in prices.values() for r in modes.values() if "derived" in r["flag"]]
    assert len(derived) == 382 + 302


def test_undecided_aurora_prices_are_gaps(gaps: set[tuple[str, str]]) -> None:
    known = {(r["region"], r["engine"], r["db_class"]) for r in read("prices/aurora.csv")}
    undecided = {key for table, key in gaps if table == "aurora_prices" and key.count("/") == 2}
    assert len(undecided) == 550
    assert not {tuple(key.split("/")) for key in undecided} & known


def test_aurora_storage_is_dearer_but_has_no_request_charge_when_io_optimized() -> None:
    """Trap 3: $0.10 + $0.20 per million against $0.225 and no request price (us-east-1)."""
    rows = {
        (r["storage_type"], r["item"]): r["usd"]
        for r in read("prices/rds_storage.csv")
        if r["region"] == "us-east-1" and r["engine"] == "aurora"
    }
    assert rows["aurora-standard", "capacity"] == "0.10"
    assert rows["aurora-standard", "requests"] == "0.20"
    assert rows["aurora-io-optimized", "capacity"] == "0.225"
    assert ("aurora-io-optimized", "requests") not in rows


def test_spot_is_named_as_old_and_keeps_its_date(ec2: dict[tuple[str, str, str], Row]) -> None:
    """Trap 6: there is no term called spot that a default could pick up."""
    terms = {key[2] for key in ec2}
    assert "spot" not in terms
    dates = {(key[2], row["as_of"]) for key, row in ec2.items() if key[2].startswith("spot")}
    assert dates == {("spot-observed", "2024-08"), ("spot-estimate", "2025-06")}


def test_convertible_is_kept_apart_and_no_savings_plan_is_invented(
    ec2: dict[tuple[str, str, str], Row],
) -> None:
    """Trap 7: convertible reserved prices stand under a name of their own."""
    terms = {key[2] for key in ec2}
    assert not any("savings" in term for term in terms)
    standard = Decimal(ec2["us-east-1", "m6g.2xlarge", "reserved-1y"]["usd_per_hour"])
    convertible = ec2["us-east-1", "m6g.2xlarge", "reserved-1y-convertible"]["usd_per_hour"]
    assert standard == Decimal("0.1932") < Decimal(convertible)


def test_unknown_prices_are_absent_and_listed(
    ec2: dict[tuple[str, str, str], Row], gaps: set[tuple[str, str]]
) -> None:
    """Trap 8: no reserved row for i7ie and m8a, no RDS row for m7i r7i m8g r8g."""
    for name in ("i7ie.2xlarge", "m8a.large", "r8i.xlarge"):
        assert ("us-east-1", name, "on-demand") in ec2
        for term in ("reserved-1y", "reserved-3y"):
            assert ("us-east-1", name, term) not in ec2
            assert ("ec2_prices", f"us-east-1/{name}/{term}") in gaps
    classes = {row["db_class"] for row in (*read("prices/rds.csv"), *read("prices/aurora.csv"))}
    for name in ("db.m7i.large", "db.r7i.large", "db.m8g.large", "db.r8g.large"):
        assert name not in classes
        assert ("rds_classes", name) in gaps


@pytest.mark.parametrize(
    ("family", "one_year", "three_years"),
    [
        ("m5", 37, 57),
        ("m6i", 34, 55),
        ("m7g", 34, 55),
        ("r6g", 37, 57),
        ("c7g", 34, 56),
        ("i4i", 35, 54),
    ],
)
def test_reserved_discounts_are_those_seen(
    ec2: dict[tuple[str, str, str], Row], family: str, one_year: int, three_years: int
) -> None:
    """Trap 9: standard, No Upfront, us-east-1."""
    for term, percent in (("reserved-1y", one_year), ("reserved-3y", three_years)):
        price = Decimal(ec2["us-east-1", f"{family}.xlarge", term]["usd_per_hour"])
        on_demand = Decimal(ec2["us-east-1", f"{family}.xlarge", "on-demand"]["usd_per_hour"])
        assert 100 * (1 - price / on_demand) == pytest.approx(percent, abs=1.0)


def test_regions_without_ebs_or_io2_prices_are_gaps(
    volumes: list[Row], ec2: dict[tuple[str, str, str], Row], gaps: set[tuple[str, str]]
) -> None:
    """Trap 10: EBS prices miss 5 of 36 regions, io2 15 of 31."""
    regions = {key[0] for key in ec2}
    priced = {row["region"] for row in volumes}
    io2 = {row["region"] for row in volumes if row["volume_type"] == "io2"}
    assert (len(regions), len(priced), len(io2)) == (36, 31, 16)
    assert {("volume_prices", region) for region in regions - priced} <= gaps
    assert {("volume_prices", f"{region}/io2") for region in priced - io2} <= gaps


def test_rds_storage_gaps_are_listed(gaps: set[tuple[str, str]]) -> None:
    """Trap 10: RDS storage only in us-east-1 and eu-west-1, Aurora complete only in us-east-1."""
    regions = {row["region"] for row in read("prices/rds.csv")}
    missing = {key for table, key in gaps if table == "rds_storage_prices"}
    assert {f"{region}/rds" for region in regions - {"us-east-1", "eu-west-1"}} <= missing
    assert not {"us-east-1/rds", "us-east-1/aurora"} & missing
    assert "eu-west-1/aurora" in missing


def test_incomplete_joins_are_gaps(gaps: set[tuple[str, str]]) -> None:
    """Trap 11: 17 priced types without specifications, 54 specifications without a price."""
    reasons = Counter(row["reason"] for row in read("known_gaps.csv"))
    assert reasons["priced type without specifications"] == 17
    assert reasons["no price in any region"] == 54
    assert reasons["priced class without a catalogue row"] == 29
    assert ("ec2_prices", "c6gn.metal") in gaps


def test_io2_has_three_marginal_tiers_and_gp3_sells_throughput(volumes: list[Row]) -> None:
    local = [row for row in volumes if row["region"] == "us-east-1"]
    tiers = {
        row["tier_from"]: row["usd"]
        for row in local
        if (row["volume_type"], row["item"]) == ("io2", "iops")
    }
    assert tiers == {"0": "0.065", "32000": "0.0455", "64000": "0.03185"}
    units = {row["item"]: (row["usd"], row["unit"]) for row in local if row["volume_type"] == "gp3"}
    assert units == {
        "capacity": ("0.08", "GiB-month"),
        "iops": ("0.005", "IOPS-month"),
        "throughput": ("0.04", "MiB/s-month"),
    }


def test_reserved_prices_say_when_on_demand_has_moved_since(
    ec2: dict[tuple[str, str, str], Row],
) -> None:
    flagged = {key[2] for key, row in ec2.items() if "when quoted" in row["flag"]}
    assert flagged
    assert all(term.startswith("reserved-") for term in flagged)
