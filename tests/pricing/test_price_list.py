"""The Price List end to end: indexes, files, what fails and what is delivered in spite of it."""

from __future__ import annotations

import gzip
import json
import time
from typing import TYPE_CHECKING

import pytest

from advisor.domain.quote import Subject
from advisor.pricing.gathering import gather
from advisor.pricing.price_list import BASE_URL, PriceList
from advisor.pricing.provider import Deadline, Delivery, Wanted
from advisor.pricing.work_folder import work_folder
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
from tests.pricing.stubs import silent
from tests.servers.web import Reply, Server, running, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = "20261119170746"
INDEX = {
    "AmazonEC2": "/offers/v1.0/aws/AmazonEC2/current/region_index.json",
    "AmazonRDS": "/offers/v1.0/aws/AmazonRDS/current/region_index.json",
    "AWSComputeSavingsPlan": (
        "/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json"
    ),
    "AWSDatabaseSavingsPlans": (
        "/savingsPlan/v1.0/aws/AWSDatabaseSavingsPlans/current/region_index.json"
    ),
}
BODIES = {
    "AmazonEC2": ec2_file(
        instance("m7g.large", "0.09"),
        instance("m7i.large", "0.11"),
        instance("m7i.large", "0.12", SKU="other"),
        *reserved(instance("m7g.large", "0.09"), "1yr No Upfront", "0.06", None),
        volume("EU-EBS:VolumeUsage.gp3", "0.088", "GB-Mo"),
    ),
    "AmazonRDS": rds_file(
        db_class("MySQL", "db.r6g.large", "0.24"),
        *reserved(db_class("MySQL", "db.r6g.large", "0.24"), "1yr No Upfront", "0.16", None),
        db_class("Aurora MySQL", "db.r6g.large", "0.29"),
    ),
    "AWSComputeSavingsPlan": savings_file(saving("EU-BoxUsage:m7g.large", "0.025")),
    "AWSDatabaseSavingsPlans": savings_file(
        saving(
            "EU-InstanceUsage:db.r7g.2xl",
            "0.7",
            operation="CreateDBInstance:0002",
            DiscountedServiceCode="AmazonRDS",
            DiscountedInstanceType="R7G",
            Product_Family="DatabaseSavingsPlans",
        )
    ),
}
ALL = tuple(Subject)


def version_path(offer: str) -> str:
    folder = INDEX[offer].split("/")[1]
    return f"/{folder}/v1.0/aws/{offer}/{VERSION}/{REGION}/index.csv"


def index(offer: str) -> bytes:
    path = version_path(offer).replace(".csv", ".json")
    if "Savings" in offer:
        other = {"regionCode": "eu-west-2", "versionUrl": "/elsewhere.json"}
        regions: object = [other, {"regionCode": REGION, "versionUrl": path}]
    else:
        regions = {REGION: {"regionCode": REGION, "currentVersionUrl": path}}
    return json.dumps({"formatVersion": "v1.0", "regions": regions}).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        for offer, body in BODIES.items():
            started.serve(INDEX[offer], squeezed(index(offer), is_declared=False))
            started.serve(version_path(offer), squeezed(body))
        yield started


def fetch(
    server: Server,
    folder: Path,
    *subjects: Subject,
    region: str = REGION,
    seconds: float = 10.0,
) -> Delivery:
    wanted = Wanted(region=region, subjects=subjects)
    provider = PriceList(folder, server.url)
    return provider.fetch(wanted, Deadline(seconds), silent)


def reasons(delivery: Delivery) -> dict[str, str]:
    return {each.subject: each.reason for each in delivery.failures}


def test_all_that_the_list_states(server: Server, tmp_path: Path) -> None:
    delivery = fetch(server, tmp_path, *ALL)
    assert delivery.origin == PriceList(tmp_path).origin == "aws-price-list"
    assert set(delivery.delivered) == set(ALL) - {Subject.SPOT}
    assert reasons(delivery) == {"spot": "the Price List has no spot prices"}
    assert {f"{each.market} {each.name}": f"{each.usd}" for each in delivery.quotes} == {
        "ec2/eu-west-1/on-demand/none m7g.large": "0.09",
        "ec2/eu-west-1/reserved-1y/none m7g.large": "0.06",
        "volumes/eu-west-1 gp3/capacity/0": "0.088",
        "rds/eu-west-1/single-az/on-demand/none mysql/db.r6g.large": "0.24",
        "rds/eu-west-1/single-az/reserved-1y/none mysql/db.r6g.large": "0.16",
        "aurora/eu-west-1/on-demand/none aurora-mysql/db.r6g.large/standard": "0.29",
        "ec2/eu-west-1/savings-3y/all m7g.large": "0.025",
        "rds/eu-west-1/single-az/savings-3y/all mysql/db.r7g.2xlarge": "0.7",
    }
    (trouble,) = delivery.troubles
    assert (trouble.name, trouble.reason) == ("m7i.large", "two prices: 0.11 and 0.12")
    assert [each.name for each in delivery.types] == ["m7g.large", "m7i.large"]
    assert delivery.published == "2026-11-19T17:07:46Z"
    assert delivery.requests == 8
    assert delivery.wire_bytes == server.sent_bytes
    assert {each.as_of for each in delivery.quotes} == {
        time.strftime("%Y-%m-%d", time.gmtime()),
    }
    assert list(tmp_path.iterdir()) == []


def test_a_capacity_without_the_price_of_its_iops_is_no_price(
    server: Server, tmp_path: Path
) -> None:
    wanted = Wanted(region=REGION, subjects=(Subject.EBS,))
    providers = [PriceList(tmp_path, server.url)]
    gathered = gather(wanted, providers, Deadline(10), silent)
    assert gathered.quotes == ()
    assert [each.reason for each in gathered.troubles] == [
        "no price of gp3/iops/0, gp3/throughput/0"
    ]


def test_only_the_files_that_are_needed_are_fetched(server: Server, tmp_path: Path) -> None:
    delivery = fetch(server, tmp_path, Subject.EBS)
    assert delivery.delivered == (Subject.EBS,)
    assert [each.name for each in delivery.quotes] == ["gp3/capacity/0"]
    assert server.paths() == [INDEX["AmazonEC2"], version_path("AmazonEC2")]


def test_progress_is_told_in_bytes(server: Server, tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    provider = PriceList(tmp_path, server.url + "/")
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    provider.fetch(wanted, Deadline(10), lambda *each: told.append(each))
    what, done, total = told[-1]
    assert what == "AmazonEC2 eu-west-1"
    assert done == total
    assert done > 0


def test_a_mirror_without_an_index_is_asked_for_the_current_file(
    server: Server, tmp_path: Path
) -> None:
    del server.routes[INDEX["AmazonEC2"]]
    server.serve(f"/offers/v1.0/aws/AmazonEC2/current/{REGION}/index.csv", BODIES["AmazonEC2"])
    assert fetch(server, tmp_path, Subject.EC2).delivered == (Subject.EC2,)


def test_one_file_that_fails_fails_its_subjects_only(server: Server, tmp_path: Path) -> None:
    server.serve(version_path("AmazonRDS"), Reply(status=503))
    delivery = fetch(server, tmp_path, Subject.EC2, Subject.RDS, Subject.RESERVED)
    assert delivery.delivered == (Subject.EC2,)
    reason = "AmazonRDS: HTTP 503 Service Unavailable"
    assert reasons(delivery) == {"rds": reason, "reserved": reason}
    assert "ec2/eu-west-1/reserved-1y/none" in {each.market for each in delivery.quotes}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=500), "HTTP 500 Internal Server Error"),
        (Reply(status=429), "HTTP 429 Too Many Requests"),
        (Reply(body=b"<html>Sign in</html>"), "the index has changed its shape"),
        (Reply(body=b"[]"), "the index has changed its shape"),
        (Reply(body=b'{"regions": "all"}'), "the index has changed its shape"),
        (Reply(body=b'{"regions": [{}]}'), "the index has changed its shape"),
        (
            Reply(body=b'{"regions": {"eu-west-1": {"currentVersionUrl": "http://x/"}}}'),
            "the index has changed its shape",
        ),
        (Reply(body=b'{"regions": {}}'), "the index does not list eu-west-1"),
        (Reply(body=b"\x1f\x8bgarbage"), "a compressed body that is damaged or cut short"),
        (Reply(body=gzip.compress(b"{}")[:-9]), "a compressed body that is damaged or cut short"),
        (Reply(body=index("AmazonEC2"), cut_after=20), "the connection was cut"),
        (Reply(body=b" " * ((4 << 20) + 1)), "an index of more than 4 MiB"),
        (Reply(status=302, headers=(("Location", INDEX["AmazonEC2"]),)), "redirected without end"),
    ],
)
def test_an_index_that_cannot_be_read(
    server: Server, tmp_path: Path, reply: Reply, reason: str
) -> None:
    server.serve(INDEX["AmazonEC2"], reply)
    delivery = fetch(server, tmp_path, Subject.EC2)
    assert reasons(delivery) == {"ec2": f"AmazonEC2: {reason}"}
    assert delivery.delivered == ()
    assert delivery.quotes == ()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=403), "HTTP 403 Forbidden"),
        (Reply(status=404), "HTTP 404 Not Found"),
        (Reply(body=b"<html>Sign in</html>"), "not a price list"),
        (Reply(body=BODIES["AmazonEC2"][:-10]), "cannot be read as CSV at line 11"),
        (Reply(body=ec2_file()), "eu-west-1 states none"),
    ],
)
def test_a_file_that_is_none(server: Server, tmp_path: Path, reply: Reply, reason: str) -> None:
    server.serve(version_path("AmazonEC2"), reply)
    (said,) = reasons(fetch(server, tmp_path, Subject.EC2)).values()
    assert said.startswith("AmazonEC2")
    assert said.endswith(reason)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [INDEX["AmazonEC2"], version_path("AmazonEC2")])
def test_it_ends_with_the_deadline(server: Server, tmp_path: Path, path: str) -> None:
    server.serve(path, Reply(body=b"x" * 1000, drip_s=0.05))
    started = time.monotonic()
    delivery = fetch(server, tmp_path, Subject.EC2, Subject.RDS, Subject.SAVINGS, seconds=0.3)
    assert time.monotonic() - started < 0.9
    assert set(reasons(delivery)) == {"ec2", "rds", "savings"}
    assert reasons(delivery)["ec2"] == "AmazonEC2: no answer in time"


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1/", "nothing", "http://["])
def test_an_address_where_nothing_is(tmp_path: Path, url: str) -> None:
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    delivery = PriceList(tmp_path, url).fetch(wanted, Deadline(2), silent)
    assert reasons(delivery)["ec2"] in (
        "AmazonEC2: no connection",
        "AmazonEC2: not a web address",
    )


def test_a_password_in_a_proxy_or_an_address_is_not_shown(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = server.url.replace("http://", "http://user:hunter2@")
    server.serve(version_path("AmazonEC2"), Reply(body=b"x" * 50, cut_after=10))
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    delivery = PriceList(tmp_path, secret).fetch(wanted, Deadline(2), silent)
    assert delivery.failures
    assert "hunter2" not in repr(delivery)
    for path in tmp_path.rglob("*.json"):
        assert "hunter2" not in path.read_text()
    monkeypatch.setenv("HTTP_PROXY", "gopher://user:hunter2@proxy")
    delivery = fetch(server, tmp_path, Subject.EC2)
    assert reasons(delivery) == {
        "ec2": "the settings of the proxy or of certificates cannot be used"
    }


def test_another_refresh_of_the_same_file_is_named(server: Server, tmp_path: Path) -> None:
    with work_folder(tmp_path, f"AmazonEC2-{REGION}"):
        delivery = fetch(server, tmp_path, Subject.EC2)
    assert reasons(delivery) == {"ec2": "AmazonEC2: another refresh is downloading it"}


def test_by_default_aws_itself_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    assert BASE_URL == "https://pricing.us-east-1.amazonaws.com"
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    delivery = PriceList(tmp_path).fetch(wanted, Deadline(2), silent)
    assert reasons(delivery) == {"ec2": "AmazonEC2: no connection"}


def test_a_region_that_is_none_is_not_asked_for(server: Server, tmp_path: Path) -> None:
    delivery = fetch(server, tmp_path, Subject.EC2, region="../../eu-west-1")
    assert reasons(delivery) == {"ec2": "not the name of a region"}
    assert server.asked == []


@needs_samples
def test_the_indexes_as_aws_publishes_them(server: Server, tmp_path: Path) -> None:
    services = (SAMPLES / "bulk_offers/comprehend_region_index.json").read_bytes()
    plans = (SAMPLES / "savings_plans/AWSDatabaseSavingsPlans_region_index.json").read_bytes()
    server.serve(INDEX["AmazonEC2"], services)
    server.serve(INDEX["AWSDatabaseSavingsPlans"], plans)
    fetch(server, tmp_path, Subject.EC2, Subject.SAVINGS, region="ap-south-1")
    assert "/offers/v1.0/aws/comprehend/20260116160258/ap-south-1/index.csv" in server.paths()
    plan = "/savingsPlan/v1.0/aws/AWSDatabaseSavingsPlans/20260422194203/ap-south-1/index.csv"
    assert plan in server.paths()
