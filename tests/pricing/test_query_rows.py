"""Odd rows of AWS's APIs, one by one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.quote import Subject
from advisor.errors import PricingError
from advisor.pricing.aws_reasons import Asking, heard
from advisor.pricing.ec2_types import facts_of
from advisor.pricing.query_rows import read_product
from advisor.pricing.savings_rates import rows_of
from advisor.pricing.server_clock import date_of
from tests.pricing.products import REGION, db_class, lease, machine, rate

if TYPE_CHECKING:
    from advisor.pricing.query_rows import Read

ALL = tuple(Subject)


def read(item: dict[str, Any]) -> Read:
    return read_product(json.dumps(item), REGION, ALL)


@pytest.mark.parametrize(
    ("engine", "usage"),
    [
        ("MySQL", "InstanceUsageIOOptimized"),
        ("Aurora MySQL", "Multi-AZUsage"),
        ("SQL Server", "InstanceUsage"),
        ("MySQL", "ExtendedSupport:Yr1-Yr2:InstanceUsage"),
    ],
)
def test_classes_that_are_not_sold_so(engine: str, usage: str) -> None:
    assert read(db_class(engine, "db.r7g.large", "0.3", usage)).rows == ()


def test_a_deployment_that_contradicts_the_usage_type() -> None:
    item = db_class("MySQL", "db.r7g.large", "0.3", attributes={"deploymentOption": "Multi-AZ"})
    assert read(item).rows == ()


def test_an_upfront_payment_alone_is_a_price() -> None:
    (_, row) = read(machine("m7g.large", "0.1", lease(3, "All Upfront", None, "985"))).rows
    assert (row.charge.price, row.charge.upfront, row.unit) == (0, "985", "hour")


def test_two_rates_in_one_term_are_trouble() -> None:
    terms = lease(1, "No Upfront", "0.06")
    (term,) = terms.values()
    term["priceDimensions"]["again"] = {"unit": "Hrs", "pricePerUnit": {"USD": "0.07"}}
    (trouble,) = read(machine("m7g.large", "0.1", terms)).troubles
    assert trouble.reason == "more than one rate in one term"


@pytest.mark.parametrize(
    ("usd", "unit", "reason"),
    [
        ("0.1", "GB-Mo", "a price per 'GB-Mo' where hour was expected"),
    ],
)
def test_what_is_no_price_per_hour(usd: str, unit: str, reason: str) -> None:
    item = machine("m7g.large", usd)
    (term,) = item["terms"]["OnDemand"].values()
    (dimension,) = term["priceDimensions"].values()
    dimension["unit"] = unit
    (trouble,) = read(item).troubles
    assert trouble.reason == reason


def test_rates_that_belong_elsewhere() -> None:
    elsewhere = rate("m7g.large", "0.06")
    elsewhere["properties"][0]["value"] = "us-east-1"
    five_years = rate("m7g.large", "0.06", years=5)
    family = rate("m7g.large", "0.06", plan="EC2Instance")
    aurora = rate(
        "R7G",
        "0.1",
        plan="Database",
        usage="EU-Multi-AZUsage:db.r7g.xl",
        operation="CreateDBInstance:0016",
    )
    assert rows_of({"searchResults": [elsewhere, five_years, family, aurora]}, REGION) == []


@pytest.mark.parametrize("page", [{}, {"searchResults": [{}]}, {"searchResults": [None]}])
def test_rates_of_another_shape(page: dict[str, Any]) -> None:
    with pytest.raises(PricingError, match="another shape"):
        rows_of(page, REGION)


def test_a_type_that_says_little() -> None:
    """What AWS does not say is unknown; SATA disks are not NVMe."""
    bare = {
        "InstanceType": "x.large",
        "VCpuInfo": {"DefaultVCpus": 2},
        "MemoryInfo": {"SizeInMiB": 512},
    }
    sata = {
        **bare,
        "ProcessorInfo": {"SupportedArchitectures": ["i386", "x86_64"]},
        "InstanceStorageSupported": True,
        "InstanceStorageInfo": {
            "Disks": [{"Count": 2, "SizeInGB": 80, "Type": "ssd"}],
            "NvmeSupport": "unsupported",
        },
    }
    silent, old = facts_of({"InstanceTypes": [bare, sata]})
    assert (silent.architecture, silent.disk_count, silent.ebs_max_mib_per_s) == (None, None, None)
    assert (silent.memory_gib, silent.network_baseline_gbps) == (0.5, None)
    assert (old.architecture, old.disk_count, old.disk_total_gb) == ("x86_64", 0, 0.0)


def test_words_for_codes() -> None:
    asking = Asking(
        action="ec2:DescribeInstanceTypes",
        profile="work",
        sso_profile=None,
        now=datetime(2026, 11, 21, tzinfo=UTC),
    )
    assert heard("OptInRequired", asking) == "this region is not enabled in the AWS account"
    assert heard("RequestLimitExceeded", asking) == (
        "AWS throttles ec2:DescribeInstanceTypes; ask again in a minute"
    )
    assert heard("Whatever", asking) is None
    assert date_of({"date": "yesterday"}) is None
    assert date_of({}) is None
