"""What rows of a Price List file are the price of what."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.domain.quote import Quote, Subject
from advisor.errors import PricingError
from advisor.pricing.price_list_rows import Offer, Reading, read
from advisor.pricing.price_list_sql import EC2
from advisor.pricing.price_list_table import head_of, opened
from advisor.pricing.provider import Deadline
from scripts.measure_price_list import COLUMNS
from tests.pricing import price_files
from tests.pricing.price_files import (
    REGION,
    db_class,
    ec2_file,
    instance,
    rds_file,
    reserved,
    saving,
    savings_file,
    volume,
)
from tests.pricing.samples import SAMPLES, needs_samples

if TYPE_CHECKING:
    from pathlib import Path


def reading(folder: Path, body: bytes, offer: Offer = Offer.EC2, region: str = REGION) -> Reading:
    path = folder / "body.csv"
    path.write_bytes(body)
    head = head_of(path)
    return read(path, head, offer=offer, region=region, as_of="2026-11-21", deadline=Deadline(20))


def prices(found: Reading, subject: Subject) -> dict[str, str]:
    return {f"{each.market} {each.name}": f"{each.usd:f}" for each in found.quotes[subject]}


def reasons(found: Reading, subject: Subject) -> dict[str, str]:
    return {each.name: each.reason for each in found.troubles[subject]}


# EC2


def test_an_instance_price_is_that_of_shared_linux(tmp_path: Path) -> None:
    """Each other row of the type would be another price, that is: trouble."""
    body = ec2_file(
        instance("m7g.large", "0.0911000000"),
        instance("m7g.large", "0.2", Operating_System="Windows"),
        instance("m7g.large", "0.3", Tenancy="Dedicated", usageType="EU-DedicatedUsage:m7g.large"),
        instance("m7g.large", "0.4", **{"Pre Installed S/W": "SQL Web"}),
        instance("m7g.large", "0.5", License_Model="Bring your own license"),
        instance("m7g.large", "0.6", CapacityStatus="UnusedCapacityReservation"),
        instance("m7g.large", "0.0", MarketOption="CapacityBlock", operation="RunInstances:CB"),
        instance("m7g.large", "0.7", usageType="EU-HostBoxUsage:m7g.large"),
        instance("m7g.large", "0.8", usageType="EU-UnusedBox:m7g.large"),
        instance("m7g.large", "0.9", Location_Type="AWS Local Zone"),
        instance("m7g.large", "1.0", Location_Type="AWS Outposts"),
        instance("m7g.large", "1.1", Region_Code="eu-west-1-lon-1"),
        instance("m7g.large", "1.2", Currency="CNY"),
    )
    found = reading(tmp_path, body)
    (quote,) = found.quotes[Subject.EC2]
    assert quote == Quote(
        market="ec2/eu-west-1/on-demand/none",
        name="m7g.large",
        usd=Decimal("0.0911"),
        unit="hour",
        origin=quote.origin,
        as_of="2026-11-21",
    )
    assert str(quote.usd) == "0.0911"
    assert quote.origin == "aws-price-list"
    assert not found.troubles
    assert found.published == "2026-11-19T17:07:46Z"


def test_two_prices_of_a_type_are_trouble_with_both(tmp_path: Path) -> None:
    body = ec2_file(
        instance("m7g.large", "0.0960000000"),
        instance("m7g.large", "0.115", SKU="other"),
        instance("m7g.xlarge", "0.2"),
        instance("m7g.xlarge", "0.2000", SKU="other"),
    )
    found = reading(tmp_path, body)
    assert prices(found, Subject.EC2) == {"ec2/eu-west-1/on-demand/none m7g.xlarge": "0.2"}
    assert reasons(found, Subject.EC2) == {"m7g.large": "two prices: 0.096 and 0.115"}


@pytest.mark.parametrize(
    ("usd", "reason"),
    [
        ("0.0000000000", "a price of 0"),
        ("n/a", "not a price: 'n/a'"),
        ("NaN", "not a price: 'NaN'"),
        ("-0.1", "not a price: '-0.1'"),
        ("", "no price"),
    ],
)
def test_what_is_no_price_is_trouble(tmp_path: Path, usd: str, reason: str) -> None:
    found = reading(tmp_path, ec2_file(instance("m7g.large", usd)))
    assert not found.quotes
    assert reasons(found, Subject.EC2) == {"m7g.large": reason}


def test_reserved_prices_of_each_term_and_payment(tmp_path: Path) -> None:
    product = instance("m7g.large", "0.09")
    body = ec2_file(
        *reserved(product, "1yr No Upfront", "0.06", None),
        *reserved(product, "1yr Partial Upfront", "0.03", "250"),
        *reserved(product, "1yr All Upfront", "0.0000000000", "490"),
        *reserved(product, "3yr All Upfront", "0.0000000000", "950"),
        *reserved(product, "3yr No Upfront", "0.05", None, kind="convertible"),
    )
    quotes = reading(tmp_path, body).quotes[Subject.RESERVED]
    assert {each.market: (str(each.usd), str(each.upfront_usd)) for each in quotes} == {
        "ec2/eu-west-1/reserved-1y/none": ("0.06", "0"),
        "ec2/eu-west-1/reserved-1y/partial": ("0.03", "250"),
        "ec2/eu-west-1/reserved-1y/all": ("0", "490"),
        "ec2/eu-west-1/reserved-3y/all": ("0", "950"),
    }


@pytest.mark.parametrize(
    ("payment", "usd", "upfront", "reason"),
    [
        ("Partial Upfront", "0.03", None, "no upfront amount"),
        ("All Upfront", "0.0000000000", None, "no upfront amount"),
        ("Partial Upfront", None, "250", "no price"),
        ("No Upfront", "0", None, "a price of 0"),
    ],
)
def test_half_a_reserved_offer_is_no_price(
    tmp_path: Path, payment: str, usd: str | None, upfront: str | None, reason: str
) -> None:
    body = ec2_file(*reserved(instance("m7g.large", "0.09"), f"1yr {payment}", usd, upfront))
    assert reasons(reading(tmp_path, body), Subject.RESERVED) == {"m7g.large": reason}


def test_volumes_by_usage_type_with_or_without_a_region_prefix(tmp_path: Path) -> None:
    body = ec2_file(
        volume("EU-EBS:VolumeUsage.gp3", "0.0880000000", "GB-Mo"),
        volume("EU-EBS:VolumeP-IOPS.gp3", "0.0055", "IOPS-Mo"),
        volume("EU-EBS:VolumeP-Throughput.gp3", "45.0560000000", "GiBps-mo"),
        volume("EBS:VolumeUsage.piops", "0.138", "GB-Mo"),
        volume("EBS:VolumeP-IOPS.piops", "0.072", "IOPS-Mo"),
        volume("EUC1-EBS:VolumeUsage.io2", "0.138", "GB-month"),
        volume("EUC1-EBS:VolumeP-IOPS.io2", "0.072", "IOPS-Mo"),
        volume("EUC1-EBS:VolumeP-IOPS.io2.tier2", "0.05", "IOPS-Mo"),
        volume("EUC1-EBS:VolumeP-IOPS.io2.tier3", "0.035", "IOPS-Mo"),
        volume("EU-EBS:VolumeUsage", "0.055", "GB-Mo"),
        volume("EU-EBS:VolumeIOUsage", "0.0000000550", "IOs"),
        volume("EU-EBS:SnapshotUsage", "0.05", "GB-Mo"),
        volume("EU-EBS:SnapshotUsageUnderBilling", "0.01", "GB-Mo"),
        volume("EU-EBSOptimized:m4.large", "0.01", "Hrs"),
    )
    found = reading(tmp_path, body)
    assert prices(found, Subject.EBS) == {
        "volumes/eu-west-1 gp3/capacity/0": "0.088",
        "volumes/eu-west-1 gp3/iops/0": "0.0055",
        "volumes/eu-west-1 gp3/throughput/0": "0.044",
        "volumes/eu-west-1 io1/capacity/0": "0.138",
        "volumes/eu-west-1 io1/iops/0": "0.072",
        "volumes/eu-west-1 io2/capacity/0": "0.138",
        "volumes/eu-west-1 io2/iops/0": "0.072",
        "volumes/eu-west-1 io2/iops/32000": "0.05",
        "volumes/eu-west-1 io2/iops/64000": "0.035",
        "volumes/eu-west-1 standard/capacity/0": "0.055",
        "volumes/eu-west-1 standard/requests/0": "0.000000055",
        "volumes/eu-west-1 snapshot/capacity/0": "0.05",
    }
    units = {each.name: each.unit for each in found.quotes[Subject.EBS]}
    assert units["gp3/throughput/0"] == "MiB/s-month"
    assert units["io2/iops/32000"] == "IOPS-month"


def test_a_unit_nobody_knows_is_trouble(tmp_path: Path) -> None:
    body = ec2_file(
        volume("EU-EBS:VolumeUsage.gp3", "88", "TB-Mo"),
        volume("EU-EBS:VolumeUsage.gp2", "0.11", "GB-Mo"),
        volume("EU-EBS:VolumeUsage.gp2", "0.12", "GB-month"),
        volume("EU-EBS:VolumeUsage.st1", "free", "GB-Mo"),
        volume("EU-EBS:VolumeUsage.sc1", "0.0000000000", "GB-Mo"),
    )
    assert reasons(reading(tmp_path, body), Subject.EBS) == {
        "gp2/capacity/0": "two prices: 0.11 and 0.12",
        "gp3/capacity/0": "a price per 'TB-Mo' where GiB-month was expected",
        "sc1/capacity/0": "a price of 0",
        "st1/capacity/0": "not a price: 'free'",
    }


def test_types_are_described_as_far_as_the_products_do(tmp_path: Path) -> None:
    body = ec2_file(
        instance("m7g.large", "0.09"),
        instance(
            "i4i.metal",
            "10",
            vCPU="128",
            Memory="1,024 GiB",
            Storage="8 x 3750 NVMe SSD",
            Network_Performance="75 Gigabit",
            Physical_Processor="Intel Xeon 8375C (Ice Lake)",
            Dedicated_EBS_Throughput="40000 Mbps",
        ),
        instance(
            "t3.micro", "0.01", Physical_Processor="", Dedicated_EBS_Throughput="", Storage=""
        ),
        instance("d2.8xlarge", "5", Storage="24 x 2000 HDD"),
        instance("x9.large", "0.01", vCPU="NA"),
        instance("x9.xlarge", "0.01", vCPU="0"),
        instance("x9.2xlarge", "0.01", Memory="0 GiB"),
        instance("x9.4xlarge", "0.01", Memory="1.2.3 GiB"),
    )
    types = {each.name: each for each in reading(tmp_path, body).types}
    assert list(types) == ["d2.8xlarge", "i4i.metal", "m7g.large", "t3.micro"]
    assert types["d2.8xlarge"].disk_count is None, "hard disks are not told"
    small, metal, burst = types["m7g.large"], types["i4i.metal"], types["t3.micro"]
    assert (small.vcpu, small.memory_gib, small.architecture) == (2, 8.0, "arm64")
    assert (small.cpu_maker, small.disk_count, small.is_burstable) == ("AWS", 0, False)
    assert (small.ebs_baseline_mib_per_s, small.network_baseline_gbps) == (None, None)
    assert small.ebs_max_mib_per_s == pytest.approx(1192.0929)
    assert (metal.architecture, metal.memory_gib, metal.is_bare_metal) == ("x86_64", 1024.0, True)
    assert (metal.disk_count, metal.disk_total_gb) == (8, 30_000.0)
    assert metal.ebs_baseline_mib_per_s == pytest.approx(4768.3716)
    assert metal.network_baseline_gbps == 75.0
    assert (burst.is_burstable, burst.cpu_maker, burst.disk_count) == (True, None, None)


# RDS and Aurora


def test_rds_classes_in_one_zone_and_in_two(tmp_path: Path) -> None:
    two = {"Deployment_Option": "Multi-AZ", "usageType": "EU-Multi-AZUsage:db.r6g.large"}
    standbys = {
        "Deployment_Option": "Multi-AZ (readable standbys)",
        "usageType": "EU-Multi-AZClusterUsage:db.r6g.large",
    }
    body = rds_file(
        db_class("MySQL", "db.r6g.large", "0.24"),
        db_class("MySQL", "db.r6g.large", "0.48", **two),
        db_class("MySQL", "db.r6g.large", "0.9", **standbys),
        db_class("PostgreSQL", "db.r6g.large", "0.25"),
        db_class("MariaDB", "db.r6g.large", "0.24"),
        db_class("Oracle", "db.r6g.large", "0.5"),
        db_class("MySQL", "db.r6g.large", "0.7", License_Model="Bring your own license"),
        db_class("MySQL", "db.r6g.large", "0.8", Location_Type="AWS Outposts"),
        volume("EU-ExtendedSupport:Yr1-Yr2:MySQL8.0", "0.1", "vCPU-hour", Database_Engine="MySQL"),
    )
    found = reading(tmp_path, body, Offer.RDS)
    assert prices(found, Subject.RDS) == {
        "rds/eu-west-1/single-az/on-demand/none mysql/db.r6g.large": "0.24",
        "rds/eu-west-1/multi-az/on-demand/none mysql/db.r6g.large": "0.48",
        "rds/eu-west-1/single-az/on-demand/none postgresql/db.r6g.large": "0.25",
        "rds/eu-west-1/single-az/on-demand/none mariadb/db.r6g.large": "0.24",
    }
    assert not found.troubles


def test_aurora_classes_by_storage_mode(tmp_path: Path) -> None:
    optimized = {
        "usageType": "EU-InstanceUsageIOOptimized:db.r6g.large",
        "Storage": "Aurora IO Optimization Mode",
    }
    body = rds_file(
        db_class("Aurora MySQL", "db.r6g.large", "0.29"),
        db_class("Aurora MySQL", "db.r6g.large", "0.377", **optimized),
        db_class("Aurora PostgreSQL", "db.r6g.large", "0.29"),
        *reserved(db_class("Aurora MySQL", "db.r6g.large", "0.29"), "1yr All Upfront", "0", "1700"),
        *reserved(db_class("MySQL", "db.r6g.large", "0.24"), "3yr Partial Upfront", "0.06", "1500"),
    )
    found = reading(tmp_path, body, Offer.RDS)
    assert prices(found, Subject.AURORA) == {
        "aurora/eu-west-1/on-demand/none aurora-mysql/db.r6g.large/io-optimized": "0.377",
        "aurora/eu-west-1/on-demand/none aurora-mysql/db.r6g.large/standard": "0.29",
        "aurora/eu-west-1/on-demand/none aurora-postgresql/db.r6g.large/standard": "0.29",
    }
    assert {
        f"{each.market} {each.name}": str(each.upfront_usd)
        for each in found.quotes[Subject.RESERVED]
    } == {
        "aurora/eu-west-1/reserved-1y/all aurora-mysql/db.r6g.large/standard": "1700",
        "rds/eu-west-1/single-az/reserved-3y/partial mysql/db.r6g.large": "1500",
    }


def test_rds_storage_of_an_engine_or_of_any(tmp_path: Path) -> None:
    mysql, two = {"Database_Engine": "MySQL"}, {"Deployment_Option": "Multi-AZ"}
    body = rds_file(
        volume("EU-RDS:GP3-Storage", "0.127", "GB-Mo", Database_Engine="Any"),
        volume("EU-RDS:Multi-AZ-GP3-Storage", "0.254", "GB-Mo", **mysql, **two),
        volume("EU-RDS:Multi-AZCluster-GP3-Storage", "0.381", "GB-Mo", **mysql),
        volume("EU-RDS:GP3-PIOPS", "0.022", "IOPS-Mo", **mysql),
        volume("EU-RDS:GP3-Throughput", "0.088", "MBPS-Mo", **mysql),
        volume("EU-RDS:PIOPS-Storage", "0.138", "GB-Mo", **mysql),
        volume("EU-RDS:PIOPS", "0.11", "IOPS-Mo", **mysql),
        volume("EU-RDS:PIOPS-Storage-IO2", "0.139", "GB-Mo", **mysql),
        volume("EU-RDS:IO2-PIOPS", "0.12", "IOPS-Mo", **mysql),
        volume("EU-RDS:GP2-Storage", "0.127", "GB-Mo", Database_Engine="SQL Server"),
    )
    found = prices(reading(tmp_path, body, Offer.RDS), Subject.RDS)
    assert found == {
        "storage/eu-west-1/mysql/single-az gp3/capacity/0": "0.127",
        "storage/eu-west-1/mysql/single-az gp3/iops/0": "0.022",
        "storage/eu-west-1/mysql/single-az gp3/throughput/0": "0.088",
        "storage/eu-west-1/mysql/single-az io1/capacity/0": "0.138",
        "storage/eu-west-1/mysql/single-az io1/iops/0": "0.11",
        "storage/eu-west-1/mysql/single-az io2/capacity/0": "0.139",
        "storage/eu-west-1/mysql/single-az io2/iops/0": "0.12",
        "storage/eu-west-1/mysql/multi-az gp3/capacity/0": "0.254",
        "storage/eu-west-1/postgresql/single-az gp3/capacity/0": "0.127",
        "storage/eu-west-1/mariadb/single-az gp3/capacity/0": "0.127",
    }


def test_aurora_storage_and_requests(tmp_path: Path) -> None:
    aurora = {"Database_Engine": "Aurora PostgreSQL"}
    body = rds_file(
        volume("EU-Aurora:StorageUsage", "0.11", "GB-Mo", Database_Engine="Any"),
        volume("EU-Aurora:StorageUsage", "0.1100000000", "GB-Mo", **aurora),
        volume("EU-Aurora:StorageIOUsage", "0.0000002200", "IOs", **aurora),
        volume("EU-Aurora:IO-OptimizedStorageUsage", "0.248", "GB-Mo", **aurora),
        volume("EU-Aurora:IO-OptimizedStorageUsage-LimitlessPreview", "0", "GB-Mo", **aurora),
        volume("EU-Aurora:ServerlessV2Usage", "0.14", "ACU-Hr", **aurora),
    )
    found = reading(tmp_path, body, Offer.RDS)
    assert prices(found, Subject.AURORA) == {
        "storage/eu-west-1/aurora/regional aurora-standard/capacity/0": "0.11",
        "storage/eu-west-1/aurora/regional aurora-standard/requests/0": "0.22",
        "storage/eu-west-1/aurora/regional aurora-io-optimized/capacity/0": "0.248",
        "storage/eu-west-1/aurora/regional aurora-standard/serverless-v2/0": "0.14",
    }
    units = {each.name: each.unit for each in found.quotes[Subject.AURORA]}
    assert units["aurora-standard/requests/0"] == "million-requests"
    assert units["aurora-standard/serverless-v2/0"] == "ACU-hour"
    assert not found.troubles


# Savings Plans


def test_rates_of_a_compute_savings_plan(tmp_path: Path) -> None:
    body = savings_file(
        saving("EU-BoxUsage:m7g.xlarge", "0.05", DiscountedInstanceType="m7g.xlarge"),
        saving("EU-BoxUsage:m7g.large", "0.025"),
        saving("EU-BoxUsage:m7g.large", "0.02", Product_Family="EC2InstanceSavingsPlans"),
        saving("EU-BoxUsage:m7g.large", "0.2", operation="RunInstances:0002"),
        saving("EU-DedicatedUsage:m7g.large", "0.03"),
        saving("EU-UnusedBox:m7g.large", "0.03"),
        saving("EU-BoxUsage:m7g.large", "0.9", DiscountedRegionCode="eu-west-2"),
    )
    found = reading(tmp_path, body, Offer.COMPUTE_SAVINGS)
    assert prices(found, Subject.SAVINGS) == {
        "ec2/eu-west-1/savings-3y/all m7g.large": "0.025",
        "ec2/eu-west-1/savings-3y/all m7g.xlarge": "0.05",
    }
    assert {each.upfront_usd for each in found.quotes[Subject.SAVINGS]} == {Decimal(0)}


@needs_samples
def test_the_database_savings_plans_of_a_region(tmp_path: Path) -> None:
    body = (SAMPLES / "savings_plans/AWSDatabaseSavingsPlans_ap-south-2_index.csv").read_bytes()
    found = reading(tmp_path, body, Offer.DATABASE_SAVINGS, "ap-south-2")
    of = prices(found, Subject.SAVINGS)
    assert len(of) == 69 + 69 + 64
    assert not found.troubles
    assert of["rds/ap-south-2/multi-az/savings-1y/none mysql/db.m7g.4xlarge"] == "3.06688"
    standard = of["aurora/ap-south-2/savings-1y/none aurora-mysql/db.r7g.2xlarge/standard"]
    optimized = of["aurora/ap-south-2/savings-1y/none aurora-mysql/db.r7g.2xlarge/io-optimized"]
    assert Decimal(optimized) / Decimal(standard) == pytest.approx(Decimal("1.3"), abs=0.01)


@needs_samples
def test_a_file_of_2020_lacks_columns_and_is_still_read(tmp_path: Path) -> None:
    body = (SAMPLES / "bulk_offers/AmazonEC2_eu-west-3__terracost.csv").read_bytes()
    found = reading(tmp_path, body, region="eu-west-3")
    assert prices(found, Subject.EBS) == {
        "volumes/eu-west-3 gp2/capacity/0": "0.116",
        "volumes/eu-west-3 io1/capacity/0": "0.145",
        "volumes/eu-west-3 io1/iops/0": "0.076",
        "volumes/eu-west-3 st1/capacity/0": "0.053",
        "volumes/eu-west-3 standard/requests/0": "0.000000058",
    }


@needs_samples
def test_a_complete_file_of_another_offer_states_nothing(tmp_path: Path) -> None:
    body = (SAMPLES / "bulk_offers/comprehend_ap-south-1_index.csv").read_bytes()
    assert not reading(tmp_path, body, Offer.RDS, "ap-south-1").quotes


# Files that are none


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not a price list"),
        (b"<html><body>Sign in to the network</body></html>", "not a price list"),
        (bytes(range(256)) * 1000, "not a price list"),
        (b'"FormatVersion","v1.0"\n', "not a price list"),
        (
            price_files.csv_file("AmazonEC2", [n for n in COLUMNS if n != "PricePerUnit"], []),
            "a price list without the column priceperunit",
        ),
        (ec2_file(instance("m7g.large", "0.1"))[:-150], "cannot be read as CSV at line 7"),
        (
            ec2_file(instance("m7g.large", "0.1")) + b'"a row","of another","shape"\n',
            "cannot be read as CSV at line 8",
        ),
    ],
)
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, body: bytes, reason: str) -> None:
    with pytest.raises(PricingError) as raised:
        reading(tmp_path, body)
    assert raised.value.message == reason


def test_reading_ends_with_the_deadline(tmp_path: Path) -> None:
    path = tmp_path / "body.csv"
    path.write_bytes(ec2_file(*[instance("m7g.large", "0.1")] * 20_000))
    with pytest.raises(PricingError, match="out of time"):
        read(
            path,
            head_of(path),
            offer=Offer.EC2,
            region=REGION,
            as_of="2026-11-21",
            deadline=Deadline(0.005),
        )


def test_an_interrupt_while_reading_is_one(tmp_path: Path) -> None:
    """DuckDB 2.0 makes this RuntimeError of Ctrl-C."""
    path = tmp_path / "body.csv"
    path.write_bytes(ec2_file(instance("m7g.large", "0.1")))
    with (
        pytest.raises(KeyboardInterrupt),
        opened(path, head_of(path), EC2, REGION, Deadline(20)),
    ):
        raise RuntimeError("Query interrupted")


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (duckdb.OutOfMemoryException("x"), "not enough memory, or no room for temporary files"),
        (duckdb.IOException("x"), "cannot be read as CSV"),
    ],
)
def test_what_duckdb_cannot_do_is_said(tmp_path: Path, raised: duckdb.Error, words: str) -> None:
    path = tmp_path / "body.csv"
    path.write_bytes(ec2_file(instance("m7g.large", "0.1")))
    with (
        pytest.raises(PricingError, match=words),
        opened(path, head_of(path), EC2, REGION, Deadline(20)),
    ):
        raise raised


def test_a_fault_of_ours_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "body.csv"
    path.write_bytes(ec2_file(instance("m7g.large", "0.1")))
    with (
        pytest.raises(RuntimeError, match="ours"),
        opened(path, head_of(path), EC2, REGION, Deadline(20)),
    ):
        raise RuntimeError("ours")
