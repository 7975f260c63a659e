"""Types and spot prices through the real boto3 client, against moto's server."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from moto.server import ThreadedMotoServer

from advisor.domain.quote import Origin, Subject, TypeFacts
from advisor.errors import PricingError
from advisor.pricing.aws import Aws
from advisor.pricing.ec2_types import described, facts_of
from advisor.pricing.provider import Deadline, Wanted
from advisor.pricing.query_api import QueryApi
from advisor.pricing.spot_history import lowest, spot_prices
from tests.conftest import ROOT
from tests.pricing.aws_world import empty_machine, identity, with_keys
from tests.pricing.products import machine
from tests.pricing.samples import SAMPLES, needs_samples
from tests.pricing.stubs import silent
from tests.servers.pricing import pricing_server, refusal
from tests.servers.web import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REGION = "eu-west-1"
NAMES = ("m7g.large", "i4i.large", "t3.micro", "m5.metal")


@pytest.fixture(scope="module")
def moto() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def aws(moto: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Aws:
    empty_machine(monkeypatch, tmp_path)
    with_keys(monkeypatch)
    monkeypatch.setenv("AWS_ENDPOINT_URL_EC2", moto)
    return Aws(identity(), Deadline(20))


def test_named_types_in_one_call(aws: Aws) -> None:
    found = {each.name: each for each in described(aws, REGION, (*NAMES, "m99x.large"))}
    assert tuple(sorted(found)) == tuple(sorted(NAMES)), "a name not known is left out"
    assert aws.requests == 1
    assert found["m7g.large"] == TypeFacts(
        name="m7g.large",
        vcpu=2,
        memory_gib=8.0,
        architecture="arm64",
        threads_per_core=1,
        cpu_maker="AWS",
        ebs_baseline_iops=3600,
        ebs_max_iops=40000,
        ebs_baseline_mib_per_s=75.1019,
        ebs_max_mib_per_s=1192.0929,
        network_baseline_gbps=0.937,
        disk_count=0,
        disk_total_gb=0.0,
        is_burstable=False,
        is_bare_metal=False,
    )
    assert (found["i4i.large"].disk_count, found["i4i.large"].disk_total_gb) == (1, 468.0)
    assert (found["i4i.large"].threads_per_core, found["i4i.large"].cpu_maker) == (2, "Intel")
    assert found["t3.micro"].is_burstable
    assert found["m5.metal"].is_bare_metal


def test_spot_prices_of_the_short_list(aws: Aws) -> None:
    rows = spot_prices(aws, REGION, ("m5.large", "c5.large"), datetime.now(UTC), silent)
    assert [(row.market, row.name, row.charge.price) for row in rows] == [
        (f"spot/{REGION}", name, Decimal("0.00001")) for name in ("c5.large", "m5.large")
    ]


def test_prices_spot_and_types_in_one_errand(aws: Aws, monkeypatch: pytest.MonkeyPatch) -> None:
    assert aws.requests == 0
    with pricing_server() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", server.url)
        server.products = [machine("m7g.large", "0.08")]
        wanted = Wanted(
            region=REGION, subjects=(Subject.EC2, Subject.SPOT), types=("m7g.large", "db.r7g.large")
        )
        delivery = QueryApi(identity()).fetch(wanted, Deadline(20), silent)
    assert {(each.market, each.origin) for each in delivery.quotes} == {
        (f"ec2/{REGION}/on-demand/none", Origin.API),
        (f"spot/{REGION}", Origin.SPOT_HISTORY),
    }
    assert [each.name for each in delivery.types] == ["m7g.large"]
    assert (delivery.requests, delivery.failures) == (3, ())


def test_spot_prices_that_are_not_permitted(aws: Aws, monkeypatch: pytest.MonkeyPatch) -> None:
    assert aws.requests == 0
    body = (
        b"<Response><Errors><Error><Code>UnauthorizedOperation</Code>"
        b"<Message>arn:aws:iam::123456789012:user/x</Message></Error></Errors></Response>"
    )
    with pricing_server() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_EC2", server.url)
        server.faults = [Reply(403, body), refusal("x"), Reply(200, b"<html>log in<br></html>")]
        wanted = Wanted(region=REGION, subjects=(Subject.SPOT,))
        api = QueryApi(identity())
        reasons = [api.fetch(wanted, Deadline(3), silent).failures[0].reason for _ in range(3)]
    action = "ec2:DescribeSpotPriceHistory"
    assert reasons == [
        f"these AWS credentials may not use {action}; allow that action in IAM",
        "an answer that is not from AWS: a proxy may be in between",
        "an answer that is not from AWS: a proxy may be in between",
    ]


def entry(zone: str, usd: str, hour: int, product: str = "Linux/UNIX") -> dict[str, Any]:
    return {
        "InstanceType": "m7g.large",
        "AvailabilityZone": zone,
        "SpotPrice": usd,
        "Timestamp": datetime(2026, 11, 21, hour, tzinfo=UTC),
        "ProductDescription": product,
    }


def test_the_lowest_zone_by_its_newest_price() -> None:
    """A zone's older price is not offered any more, however low it was."""
    entries = [
        entry("a", "0.010", 1),
        entry("a", "0.040", 9),
        entry("b", "0.035", 2),
        entry("c", "0.001", 9, "Windows"),
    ]
    (row,) = lowest(entries, REGION)
    assert row.charge.price == Decimal("0.035")


def test_other_shapes_are_refused() -> None:
    with pytest.raises(PricingError, match="spot prices of another shape"):
        lowest([{"InstanceType": "m7g.large"}], REGION)
    with pytest.raises(PricingError, match="instance types of another shape"):
        facts_of({"InstanceTypes": [{"InstanceType": "m7g.large"}]})
    with pytest.raises(PricingError, match="instance types of another shape"):
        facts_of({})


@needs_samples
def test_old_and_new_answers_of_aws() -> None:
    """Every recorded answer is read; today's equal the catalogue, which has the same source."""
    today = "DescribeInstanceTypes_db_candidates__moto_5.2.5.json"
    with (ROOT / "data/catalogue/instance_types.csv").open(encoding="utf-8") as file:
        catalogue = {row["instance_type"]: row for row in csv.DictReader(file)}
    for path in sorted((SAMPLES / "ec2_api").glob("DescribeInstanceTypes_*.json")):
        for facts in facts_of(json.loads(path.read_text())):
            assert facts.memory_gib > 0
            if path.name == today:
                row = catalogue[facts.name]
                assert (str(facts.vcpu), facts.architecture, facts.cpu_maker) == (
                    row["vcpu"],
                    row["arch"],
                    row["cpu_maker"],
                )
                stated = (
                    facts.memory_gib,
                    facts.ebs_baseline_mib_per_s,
                    facts.ebs_max_mib_per_s,
                    facts.ebs_baseline_iops,
                    facts.network_baseline_gbps,
                    facts.disk_total_gb,
                )
                columns = (
                    "memory_gib",
                    "ebs_baseline_mib_per_s",
                    "ebs_max_mib_per_s",
                    "ebs_baseline_iops",
                    "network_baseline_gbps",
                    "disk_total_gb",
                )
                assert stated == tuple(float(row[name] or 0) for name in columns), facts.name


@needs_samples
def test_a_recorded_spot_history() -> None:
    (path,) = (SAMPLES / "ec2_api").glob("DescribeSpotPriceHistory_*.json")
    entries = json.loads(path.read_text())["SpotPriceHistory"]
    for each in entries:
        each["Timestamp"] = datetime.fromisoformat(each["Timestamp"])
    (row,) = lowest(entries, "us-east-2")
    assert row.name == "m5.large"
    assert row.charge.price in {Decimal(each["SpotPrice"]) for each in entries}


@pytest.mark.parametrize(("vcpu", "mib"), [(0, 8192), (-4, 8192), (4096, 8192), (2, 0), (2, -1)])
def test_a_size_that_no_machine_has_is_left_out(vcpu: int, mib: int) -> None:
    odd = {
        "InstanceType": "m9z.large",
        "VCpuInfo": {"DefaultVCpus": vcpu},
        "MemoryInfo": {"SizeInMiB": mib},
    }
    sound = odd | {"VCpuInfo": {"DefaultVCpus": 2}, "MemoryInfo": {"SizeInMiB": 8192}}
    found = facts_of({"InstanceTypes": [odd, sound | {"InstanceType": "m9z.xlarge"}]})
    assert [each.name for each in found] == ["m9z.xlarge"]
