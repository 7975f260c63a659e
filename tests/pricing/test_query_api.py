"""The Query API through the real boto3 clients, against a local server."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.quote import Origin, Subject
from advisor.pricing.gathering import gather
from advisor.pricing.provider import Deadline, Wanted
from advisor.pricing.query_api import QueryApi
from tests.pricing.aws_world import empty_machine, identity, with_keys
from tests.pricing.products import (
    REGION,
    db_class,
    lease,
    machine,
    product,
    rate,
    storage,
    volume,
)
from tests.pricing.stubs import silent
from tests.servers.pricing import PricingServer, pricing_server
from tests.servers.web import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from advisor.pricing.provider import Delivery

LEASES = (
    lease(1, "No Upfront", "0.060")
    | lease(1, "Partial Upfront", "0.029", "250")
    | lease(3, "All Upfront", "0.0000000000", "985")
)
TYPES = ("m7g.large", "m7g.xlarge", "m7i.large", "r7g.large", "c7g.large")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PricingServer]:
    empty_machine(monkeypatch, tmp_path)
    with_keys(monkeypatch)
    with pricing_server() as running:
        monkeypatch.setenv("AWS_ENDPOINT_URL", running.url)
        monkeypatch.setenv("AWS_ENDPOINT_URL_EC2", f"{running.url}/not-here")
        yield running


def fetch(*subjects: Subject, types: tuple[str, ...] = (), seconds: float = 10) -> Delivery:
    wanted = Wanted(region=REGION, subjects=subjects, types=types)
    return QueryApi(identity()).fetch(wanted, Deadline(seconds), silent)


def prices(delivery: Delivery) -> dict[tuple[str, str], str]:
    return {(each.market, each.name): f"{each.usd.normalize():f}" for each in delivery.quotes}


def questions_to(server: PricingServer) -> list[str]:
    """Return the operations asked of the Price List; types are asked for elsewhere."""
    return [
        asked.headers.get("x-amz-target", "")
        for asked in server.web.asked
        if asked.headers.get("x-amz-target")
    ]


def test_a_short_list_of_five_types_costs_one_question(server: PricingServer) -> None:
    server.products = [machine(name, "0.1", LEASES) for name in (*TYPES, "m5.large", "x2idn.metal")]
    delivery = fetch(Subject.EC2, Subject.RESERVED, types=TYPES)
    assert questions_to(server) == ["AWSPriceListService.GetProducts"]
    assert {name for market, name in prices(delivery) if "on-demand" in market} == set(TYPES)
    assert delivery.delivered == (Subject.EC2, Subject.RESERVED)
    assert delivery.failures == ()
    assert delivery.origin is Origin.API
    assert delivery.published == "2026-11-20T08:00:00Z"
    assert delivery.wire_bytes > 1000


def test_an_endpoint_without_any_of_is_asked_type_by_type(server: PricingServer) -> None:
    server.knows_any_of = False
    server.products = [machine(name, "0.1") for name in (*TYPES, "m5.large")]
    delivery = fetch(Subject.EC2, types=TYPES)
    assert {name for _, name in prices(delivery)} == set(TYPES)
    assert len(questions_to(server)) == 6


def test_terms_and_payments_come_with_the_product(server: PricingServer) -> None:
    server.products = [machine("m7g.large", "0.0816", LEASES)]
    quotes = {each.market: each for each in fetch(Subject.EC2, Subject.RESERVED).quotes}
    assert set(quotes) == {
        f"ec2/{REGION}/on-demand/none",
        f"ec2/{REGION}/reserved-1y/none",
        f"ec2/{REGION}/reserved-1y/partial",
        f"ec2/{REGION}/reserved-3y/all",
    }
    partial = quotes[f"ec2/{REGION}/reserved-1y/partial"]
    assert (partial.usd, partial.upfront_usd, partial.unit) == (
        Decimal("0.029"),
        Decimal(250),
        "hour",
    )
    whole = quotes[f"ec2/{REGION}/reserved-3y/all"]
    assert (whole.usd, whole.upfront_usd) == (Decimal(0), Decimal(985))


def test_a_convertible_term_is_no_reserved_price(server: PricingServer) -> None:
    terms = lease(1, "No Upfront", "0.07")
    next(iter(terms.values()))["termAttributes"]["OfferingClass"] = "convertible"
    server.products = [machine("m7g.large", "0.0816", terms)]
    delivery = fetch(Subject.RESERVED)
    assert delivery.quotes == ()
    assert [each.reason for each in delivery.failures] == [
        f"AWS states no prices of reserved for {REGION}"
    ]


@pytest.mark.parametrize(
    "odd",
    [
        {"tenancy": "Dedicated"},
        {"tenancy": "Host"},
        {"capacitystatus": "UnusedCapacityReservation"},
        {"marketoption": "CapacityBlock"},
        {"operatingSystem": "RHEL"},
        {"preInstalledSw": "SQL Std"},
        {"licenseModel": "Bring your own license"},
        {"locationType": "AWS Local Zone"},
        {"regionCode": "eu-west-1-lz-1"},
    ],
)
def test_what_a_lax_server_adds_is_left_out(
    server: PricingServer, odd: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Filters are asked for and checked again: another kind of machine is never a price."""
    monkeypatch.setattr("tests.servers.pricing._matches", lambda *_: True)
    server.products = [machine("m7g.large", "0.08"), machine("m7g.large", "0.01", **odd)]
    assert prices(fetch(Subject.EC2)) == {(f"ec2/{REGION}/on-demand/none", "m7g.large"): "0.08"}


def test_all_pages_are_read(server: PricingServer) -> None:
    server.page = 40
    server.products = [machine(f"m{n}.large", "0.1") for n in range(130)]
    delivery = fetch(Subject.EC2)
    assert len(delivery.quotes) == 130
    assert len(questions_to(server)) == 4


def test_pages_without_end_are_a_failure(server: PricingServer) -> None:
    page = b'{"PriceList": [], "NextToken": "again"}'
    server.faults = [Reply(200, page) for _ in range(5)]
    (failure,) = fetch(Subject.EC2).failures
    assert failure.reason == "the pages of AWS's answer do not end"
    assert len(questions_to(server)) == 2


def test_two_prices_of_one_name_are_trouble_and_no_quote(server: PricingServer) -> None:
    server.products = [
        machine("m7g.large", "0.096"),
        machine("m7g.large", "0.115"),
        machine("m7g.xlarge", "0.2"),
        machine("m7g.xlarge", "0.2000000000"),
        machine("a1.large", "0.0000000000"),
    ]
    delivery = fetch(Subject.EC2)
    assert prices(delivery) == {(f"ec2/{REGION}/on-demand/none", "m7g.xlarge"): "0.2"}
    assert [(each.name, each.reason) for each in delivery.troubles] == [
        ("a1.large", "a price of 0"),
        ("m7g.large", "two prices: 0.096 and 0.115"),
    ]


def test_a_type_of_the_short_list_without_a_price_is_named(server: PricingServer) -> None:
    server.products = [machine("m7g.large", "0.08")]
    delivery = fetch(Subject.EC2, types=("m7g.large", "m9x.large"))
    assert [(each.name, each.reason) for each in delivery.troubles] == [("m9x.large", "no price")]


def test_volumes_with_tiers_and_units(server: PricingServer) -> None:
    server.products = [
        volume("VolumeUsage.gp3", "0.088", "GB-Mo"),
        volume("VolumeP-IOPS.gp3", "0.0055", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.piops", "0.072", "IOPS-Mo", "System Operation"),
        volume("VolumeP-Throughput.gp3", "45.056", "GiBps-mo", "Provisioned Throughput"),
        volume("VolumeUsage.piops", "0.138", "GB-Mo"),
        volume("VolumeUsage.io2", "0.138", "GB-month"),
        volume("VolumeP-IOPS.io2", "0.072", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.io2.tier2", "0.05", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.io2.tier3", "0.035", "IOPS-Mo", "System Operation"),
        volume("VolumeIOUsage", "0.000000055", "IOs", "System Operation"),
        volume("FastSnapshotRestore", "0.75", "DSU-Hrs", "System Operation"),
        machine("m7g.large", "0.08"),
    ]
    delivery = fetch(Subject.EBS)
    assert {(each.name, f"{each.usd.normalize():f}", each.unit) for each in delivery.quotes} == {
        ("gp3/capacity/0", "0.088", "GiB-month"),
        ("gp3/iops/0", "0.0055", "IOPS-month"),
        ("gp3/throughput/0", "0.044", "MiB/s-month"),
        ("io1/capacity/0", "0.138", "GiB-month"),
        ("io1/iops/0", "0.072", "IOPS-month"),
        ("io2/capacity/0", "0.138", "GiB-month"),
        ("io2/iops/0", "0.072", "IOPS-month"),
        ("io2/iops/32000", "0.05", "IOPS-month"),
        ("io2/iops/64000", "0.035", "IOPS-month"),
        ("standard/requests/0", "0.000000055", "request"),
    }
    assert {each.market for each in delivery.quotes} == {f"volumes/{REGION}"}
    assert len(server.web.asked) == 1


def test_a_unit_not_known_here_is_trouble(server: PricingServer) -> None:
    server.products = [
        volume("VolumeUsage.gp3", "0.088", "TB-Mo"),
        volume("VolumeUsage.gp2", "0.1", "GB-Mo"),
    ]
    (trouble,) = fetch(Subject.EBS).troubles
    assert (trouble.name, trouble.reason) == (
        "gp3/capacity/0",
        "a price per 'TB-Mo' where GiB-month was expected",
    )


def test_a_capacity_without_the_price_of_its_iops_is_trouble(server: PricingServer) -> None:
    """It would read as IOPS for nothing."""
    server.products = [
        volume("VolumeUsage.io2", "0.138", "GB-month"),
        volume("VolumeP-IOPS.io2", "0.072", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.io2.tier2", "0.05", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.io2.tier2", "0.06", "IOPS-Mo", "System Operation"),
        volume("VolumeP-IOPS.io2.tier3", "0.035", "IOPS-Mo", "System Operation"),
        storage("Aurora:StorageUsage", "0.11", "GB-Mo"),
    ]
    wanted = Wanted(region=REGION, subjects=(Subject.EBS, Subject.AURORA))
    gathered = gather(wanted, [QueryApi(identity())], Deadline(10), silent)
    assert [each.name for each in gathered.quotes] == ["io2/iops/0", "io2/iops/64000"]
    assert [(each.name, each.reason) for each in gathered.troubles] == [
        ("aurora-standard/capacity/0", "no price of aurora-standard/requests/0"),
        ("io2/capacity/0", "no price of io2/iops/32000"),
        ("io2/iops/32000", "two prices: 0.05 and 0.06"),
    ]


def test_rds_deployments_and_aurora_modes_are_kept_apart(server: PricingServer) -> None:
    server.products = [
        db_class("MySQL", "db.r7g.xlarge", "0.5"),
        db_class("MySQL", "db.r7g.xlarge", "1.0", "Multi-AZUsage"),
        db_class("MySQL", "db.r7g.xlarge", "1.5", "Multi-AZClusterUsage"),
        db_class("PostgreSQL", "db.r7g.xlarge", "0.52", reserved=lease(1, "No Upfront", "0.34")),
        db_class(
            "PostgreSQL", "db.r7g.xlarge", "0.9", attributes={"licenseModel": "Bring your own"}
        ),
        db_class("MySQL", "db.r7g.xlarge", "0.9", attributes={"deploymentModel": "Custom"}),
        db_class("Aurora MySQL", "db.r7g.xlarge", "0.6"),
        db_class("Aurora MySQL", "db.r7g.xlarge", "0.78", "InstanceUsageIOOptimized"),
        db_class("Oracle", "db.r7g.xlarge", "2.0"),
        storage("RDS:GP3-Storage", "0.127", "GB-Mo", "MySQL"),
        storage("RDS:GP3-Throughput", "0.088", "MiBps-Mo", "MySQL", "Provisioned Throughput"),
        storage("RDS:Multi-AZ-GP2-Storage", "0.253", "GB-Mo", "MySQL"),
        storage("RDS:GP3-PIOPS", "0.022", "IOPS-Mo", "MySQL", "Provisioned IOPS"),
        storage("RDS:PIOPS", "0.11", "IOPS-Mo", "Any", "Provisioned IOPS"),
        storage("Aurora:StorageUsage", "0.11", "GB-Mo"),
        storage("Aurora:IO-OptimizedStorageUsage", "0.248", "GB-Mo"),
        storage("Aurora:IO-OptimizedStorageUsage-LimitlessPreview", "0.0", "GB-Mo"),
        storage("Aurora:StorageIOUsage", "0.00000022", "IOs", family="System Operation"),
        storage("Aurora:ServerlessV2Usage", "0.14", "ACU-Hr", family="ServerlessV2"),
    ]
    delivery = fetch(Subject.RDS, Subject.AURORA, Subject.RESERVED, types=("db.r7g.xlarge",))
    assert prices(delivery) == {
        (f"rds/{REGION}/single-az/on-demand/none", "mysql/db.r7g.xlarge"): "0.5",
        (f"rds/{REGION}/multi-az/on-demand/none", "mysql/db.r7g.xlarge"): "1",
        (f"rds/{REGION}/single-az/on-demand/none", "postgresql/db.r7g.xlarge"): "0.52",
        (f"rds/{REGION}/single-az/reserved-1y/none", "postgresql/db.r7g.xlarge"): "0.34",
        (f"aurora/{REGION}/on-demand/none", "aurora-mysql/db.r7g.xlarge/standard"): "0.6",
        (f"aurora/{REGION}/on-demand/none", "aurora-mysql/db.r7g.xlarge/io-optimized"): "0.78",
        (f"storage/{REGION}/mysql/single-az", "gp3/capacity/0"): "0.127",
        (f"storage/{REGION}/mysql/multi-az", "gp2/capacity/0"): "0.253",
        (f"storage/{REGION}/mysql/single-az", "gp3/throughput/0"): "0.088",
        (f"storage/{REGION}/mysql/single-az", "gp3/iops/0"): "0.022",
        (f"storage/{REGION}/mysql/single-az", "io1/iops/0"): "0.11",
        (f"storage/{REGION}/postgresql/single-az", "io1/iops/0"): "0.11",
        (f"storage/{REGION}/mariadb/single-az", "io1/iops/0"): "0.11",
        (f"storage/{REGION}/aurora/regional", "aurora-standard/capacity/0"): "0.11",
        (f"storage/{REGION}/aurora/regional", "aurora-io-optimized/capacity/0"): "0.248",
        (f"storage/{REGION}/aurora/regional", "aurora-standard/requests/0"): "0.22",
        (f"storage/{REGION}/aurora/regional", "aurora-standard/serverless-v2/0"): "0.14",
    }
    assert delivery.troubles == ()
    assert len(server.web.asked) == 2, "classes in one question, storage in another"


def test_without_a_short_list_engines_are_asked_for(server: PricingServer) -> None:
    server.products = [
        db_class("MySQL", "db.r7g.large", "0.25"),
        db_class("Oracle", "db.r7g.large", "1.0"),
        storage("RDS:GP2-Storage", "0.127", "GB-Mo", "MySQL"),
    ]
    fetch(Subject.RDS)
    engines = [each["Value"] for each in server.calls[0]["Filters"] if each["Type"] == "ANY_OF"]
    assert engines == ["MySQL,PostgreSQL,MariaDB"]


def test_savings_plans_of_machines_and_classes(server: PricingServer) -> None:
    server.page = 3
    server.rates = [
        rate("m7g.large", "0.06"),
        rate("m7g.large", "0.04", years=3, option="All Upfront"),
        rate("m7g.large", "0.05", usage="EU-UnusedBox:m7g.large"),
        rate("m7g.large", "0.05", usage="EU-DedicatedUsage:m7g.large", tenancy="dedicated"),
        rate("m7g.large", "0.09", operation="RunInstances:0010", product="Red Hat"),
        rate(
            "R7G",
            "0.42",
            plan="Database",
            usage="EU-InstanceUsage:db.r7g.xl",
            operation="CreateDBInstance:0002",
        ),
        rate(
            "R7G",
            "0.7",
            plan="Database",
            usage="EU-InstanceUsageIOOptimized:db.r7g.12xl",
            operation="CreateDBInstance:0021",
        ),
        rate(
            "R7G",
            "0.7",
            plan="Database",
            usage="EU-InstanceUsage:db.r7g.xl",
            operation="CreateDBInstance:0005",
        ),
    ]
    assert prices(fetch(Subject.SAVINGS)) == {
        (f"ec2/{REGION}/savings-1y/none", "m7g.large"): "0.06",
        (f"ec2/{REGION}/savings-3y/all", "m7g.large"): "0.04",
        (f"rds/{REGION}/single-az/savings-1y/none", "mysql/db.r7g.xlarge"): "0.42",
        (
            f"aurora/{REGION}/savings-1y/none",
            "aurora-postgresql/db.r7g.12xlarge/io-optimized",
        ): "0.7",
    }
    assert len(server.web.asked) == 3


def test_the_savings_question_names_the_short_list(server: PricingServer) -> None:
    server.rates = [rate("m7g.large", "0.06")]
    fetch(Subject.SAVINGS, types=("m7g.large", "r7g.large"))
    (asked,) = server.calls
    assert {"name": "instanceType", "values": ["m7g.large", "r7g.large"]} in asked["filters"]


def test_a_currency_other_than_usd_is_trouble(server: PricingServer) -> None:
    item = machine("m7g.large", "0.5")
    (term,) = item["terms"]["OnDemand"].values()
    (dimension,) = term["priceDimensions"].values()
    dimension["pricePerUnit"] = {"CNY": "0.5"}
    server.products = [item, machine("m7g.xlarge", "nan"), machine("m7g.2xlarge", "0.3")]
    delivery = fetch(Subject.EC2)
    assert [each.reason for each in delivery.troubles] == [
        "no price in USD but in CNY",
        "not a price: 'nan'",
    ]
    assert [each.name for each in delivery.quotes] == ["m7g.2xlarge"]


def test_a_changed_shape_fails_the_subject(server: PricingServer) -> None:
    faulty = b'{"PriceList": ["{\\"product\\": {\\"sku\\": \\"X\\"}}"]}'
    server.faults = [Reply(200, faulty)]
    (failure,) = fetch(Subject.EC2).failures
    assert failure.reason == "a product of another shape than AWS documents"


def test_one_subject_fails_and_the_others_arrive(server: PricingServer) -> None:
    server.products = [volume("VolumeUsage.gp2", "0.1", "GB-Mo"), product("Other", {}, "1")]
    delivery = fetch(Subject.EBS, Subject.EC2)
    assert delivery.delivered == (Subject.EBS,)
    assert [each.subject for each in delivery.failures] == [Subject.EC2]


def test_the_date_is_that_of_the_server(server: PricingServer) -> None:
    server.products = [machine("m7g.large", "0.1")]
    api = QueryApi(identity(now=datetime(2020, 2, 2, tzinfo=UTC)))
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    (quote,) = api.fetch(wanted, Deadline(10), silent).quotes
    assert abs(date.fromisoformat(quote.as_of) - datetime.now(UTC).date()) <= timedelta(days=1)
