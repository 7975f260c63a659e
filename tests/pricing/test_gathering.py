"""A volume type is priced whole or not at all, whoever states its parts."""

from __future__ import annotations

import pytest

from advisor.domain.quote import Origin, Quote, Subject, storage_market, volume_market
from advisor.pricing.gathering import Gathered, gather
from advisor.pricing.provider import Deadline
from tests.pricing.stubs import REGION, Stub, quote, silent, wanted

VOLUMES = volume_market(REGION)
GP2 = quote("gp2/capacity/0", "0.1", VOLUMES)
GP3 = quote("gp3/capacity/0", "0.08", VOLUMES)
PARTS = (quote("gp3/iops/0", "0.005", VOLUMES), quote("gp3/throughput/0", "0.04", VOLUMES))


def gathered(*providers: Stub) -> Gathered:
    subjects = wanted(Subject.EC2, Subject.EBS, Subject.RDS, Subject.AURORA)
    return gather(subjects, providers, Deadline(5.0), silent)


def prices(found: Gathered) -> dict[str, str]:
    return {each.name: str(each.usd) for each in found.quotes if each.market == VOLUMES}


def troubles(found: Gathered) -> dict[str, str]:
    return {each.name: each.reason for each in found.troubles}


@pytest.mark.parametrize("origin", [Origin.FEEDS, Origin.BULK, Origin.API])
@pytest.mark.parametrize(
    ("market", "capacity", "missing"),
    [
        (VOLUMES, "gp3/capacity/0", "gp3/iops/0, gp3/throughput/0"),
        (VOLUMES, "io1/capacity/0", "io1/iops/0"),
        (VOLUMES, "io2/capacity/0", "io2/iops/0, io2/iops/32000, io2/iops/64000"),
        (storage_market(REGION, "mysql", "multi-az"), "io2/capacity/0", "io2/iops/0"),
        (
            storage_market(REGION, "aurora", "regional"),
            "aurora-standard/capacity/0",
            "aurora-standard/requests/0",
        ),
    ],
)
def test_a_capacity_alone_is_in_trouble(
    origin: Origin, market: str, capacity: str, missing: str
) -> None:
    found = gathered(Stub(GP2, quote(capacity, "0.2", market), origin=origin))
    assert [each.name for each in found.quotes] == ["gp2/capacity/0"]
    assert troubles(found) == {capacity: f"no price of {missing}"}


def test_the_next_source_is_asked_for_the_whole() -> None:
    """Bulk is not: hundreds of MB for a few items."""
    everything = (GP2, quote("gp3/capacity/0", "0.09", VOLUMES), *PARTS)
    bulk = Stub(*everything, origin=Origin.BULK)
    api = Stub(*everything, origin=Origin.API)
    feeds = Stub(quote("m7g.large", "0.08"), GP2, GP3, PARTS[0])
    others = {Subject.RDS: "HTTP 503", Subject.AURORA: "HTTP 503"}
    found = gathered(Stub(failures=others | {Subject.EC2: "x", Subject.EBS: "x"}), feeds, bulk, api)
    assert [each.subjects for each in api.asked] == [
        (Subject.RDS, Subject.AURORA, Subject.EBS),
    ]
    assert Subject.EBS not in bulk.asked[0].subjects
    assert troubles(found) == {}
    assert prices(found) == {
        "gp2/capacity/0": "0.1",
        "gp3/capacity/0": "0.09",
        "gp3/iops/0": "0.005",
        "gp3/throughput/0": "0.04",
    }


@pytest.mark.parametrize("later", [PARTS, (*PARTS, quote("gp2/capacity/0", "7", VOLUMES))])
def test_what_was_missing_makes_it_whole(later: tuple[Quote, ...]) -> None:
    found = gathered(Stub(GP2, GP3), Stub(*later, origin=Origin.API))
    assert troubles(found) == {}
    assert prices(found) == {
        "gp2/capacity/0": "0.1",
        "gp3/capacity/0": "0.08",
        "gp3/iops/0": "0.005",
        "gp3/throughput/0": "0.04",
    }


def test_a_part_with_two_prices_is_none() -> None:
    iops = quote("gp3/iops/0", "0.006", VOLUMES)
    found = gathered(Stub(GP2, GP3, *PARTS, iops))
    assert troubles(found) == {
        "gp3/capacity/0": "no price of gp3/iops/0",
        "gp3/iops/0": "two prices: 0.005 and 0.006",
    }
    assert set(prices(found)) == {"gp2/capacity/0", "gp3/throughput/0"}
