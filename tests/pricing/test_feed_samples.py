"""The parsers on the large samples, against the bundled snapshot; and what a refresh weighs."""

from __future__ import annotations

import gzip
import json
import random
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.names import REGIONS
from advisor.domain.quote import Subject
from advisor.pricing.feeds import Feeds
from advisor.pricing.locations import REGION_LOCATIONS
from advisor.pricing.provider import Deadline, Wanted
from scripts.compare_samples import Outcome, compare
from scripts.generate_locations import MODULE, locations_module
from tests.conftest import ROOT
from tests.pricing import feed_world as world
from tests.pricing.feed_world import now
from tests.pricing.samples import SAMPLES, needs_samples
from tests.pricing.stubs import silent
from tests.servers.web import running

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.web import Server

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


@pytest.fixture(scope="module")
def outcomes(database: Path) -> tuple[Outcome, ...]:
    return compare(SAMPLES / "web_feeds", database)


@needs_samples
def test_reserved_prices_equal_the_snapshot(outcomes: tuple[Outcome, ...]) -> None:
    """All of the same date: of EC2 in three regions, of RDS with its on-demand prices."""
    reserved = [outcome for outcome in outcomes if "reserved" in outcome.sample]
    assert len(reserved) == 11
    assert sum(outcome.equal for outcome in reserved) >= 6_000
    for outcome in reserved:
        assert (outcome.differences, outcome.only_sample, outcome.troubles) == ((), (), ())


@needs_samples
def test_volume_prices_equal_the_snapshot(outcomes: tuple[Outcome, ...]) -> None:
    """One is rounded there: Zurich's throughput, USD 58.4909 per GiB/s."""
    (volumes,) = [outcome for outcome in outcomes if outcome.sample == "ebs"]
    assert volumes.equal == 382
    assert [(each.market, each.name) for each in volumes.differences] == [
        ("volumes/eu-central-2", "gp3/throughput/0")
    ]
    assert (volumes.only_sample, volumes.troubles) == ((), ())


@needs_samples
def test_on_demand_differs_only_where_aws_changed_prices_since(
    outcomes: tuple[Outcome, ...],
) -> None:
    on_demand = [outcome for outcome in outcomes if "ondemand" in outcome.sample]
    differences = [each for outcome in on_demand for each in outcome.differences]
    assert sum(outcome.equal for outcome in on_demand) == 2_334
    assert {each.name.split(".")[0] for each in differences} == {
        "p4d",
        "p4de",
        "p5",
        "p5en",
        "u7i-12tb",
    }
    assert all(each.sample_date < each.bundled_date for each in differences)


@needs_samples
def test_the_locations_are_those_of_aws() -> None:
    listed = SAMPLES / "web_feeds/locations.json"
    made = locations_module(json.loads(listed.read_text(encoding="utf-8")))
    assert (ROOT / MODULE).read_text(encoding="utf-8") == made


def test_every_priced_region_has_a_location() -> None:
    commercial = {region for region in REGIONS if not region.startswith("us-gov-")}
    assert commercial <= set(REGION_LOCATIONS)
    assert REGION_LOCATIONS["eu-west-1"] == "EU (Ireland)"
    assert not [code for code in REGION_LOCATIONS if code.startswith(("us-gov", "cn-"))]


def test_a_refresh_of_one_region_stays_below_eight_requests_and_five_megabytes() -> None:
    """As large as in 2026: 1,300 types; classes of 30 regions twice, once under a hash."""
    chance = random.Random(1)  # noqa: S311 (a fixture)
    region = "us-east-1"
    location = REGION_LOCATIONS[region]
    elsewhere = [name for name in REGION_LOCATIONS.values() if name != location][:29]
    with running() as server:
        world.serve_all(server, location)
        types = {f"m{n}g large": _instance(chance, n) for n in range(1_300)}
        _serve(server, world.ON_DEMAND.format("US%20East%20(N.%20Virginia)"), {location: types})
        for engine in ("MySQL", "PostgreSQL", "MariaDB"):
            path = f"/rds/USD/current/rds-{engine.lower()}-ondemand.json"
            regions = {name: _classes(chance, engine) for name in (location, *elsewhere)}
            _serve(server, path, regions)
        for path, rows, count in (
            (world.RDS_STORAGE, world.RDS_STORAGE_ROWS, 140),
            (world.EBS, world.EBS_ROWS, 20),
        ):
            regions = {
                name: rows | {_hash(chance): {"rateCode": _code(chance)} for _ in range(count)}
                for name in (location, *elsewhere)
            }
            _serve(server, path, regions)
        feeds = Feeds(world.Memory(), now, server.url)
        subjects = (Subject.EC2, Subject.EBS, Subject.RDS)
        delivery = feeds.fetch(Wanted(region=region, subjects=subjects), Deadline(20.0), silent)
    assert delivery.delivered == subjects
    assert delivery.requests == 7
    assert 3_000_000 < delivery.wire_bytes < 5_000_000
    assert len(delivery.quotes) > 2_000


def _serve(server: Server, path: str, regions: dict[str, Any]) -> None:
    body = json.dumps({"manifest": {"currencyCode": "USD"}, "regions": regions}).encode()
    server.serve(path, gzip.compress(body, 6))


def _instance(chance: random.Random, number: int) -> dict[str, object]:
    price = f"{chance.randint(100, 90_000) / 1000:.10f}"
    return world.instance(f"m{number}g.large", price) | {"rateCode": _code(chance)}


def _classes(chance: random.Random, engine: str) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for number in range(180):
        for kind in ("Single-AZ", "Multi-AZ", "Multi-AZ readable standbys"):
            pair = world.db_class(engine, f"db.m{number}g.large", "0.5", kind)
            _, (key, row) = pair.items()
            row |= {
                "rateCode": _code(chance),
                "price": f"{chance.randint(100, 90_000) / 1000:.10f}",
                "RegionlessRateCode": _hash(chance),
            }
            rows |= {row["RegionlessRateCode"]: row, key: row}
    return rows


def _code(chance: random.Random) -> str:
    return "".join(chance.choices(_LETTERS, k=16)) + ".JRTCKXETXF.6YS6EN2CT7"


def _hash(chance: random.Random) -> str:
    return urlsafe_b64encode(chance.randbytes(32)).decode().rstrip("=")
