"""The feeds provider end to end: its real client against a local server."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from advisor.domain.quote import Origin, Subject
from advisor.pricing.feeds import Feeds
from advisor.pricing.gathering import gather
from advisor.pricing.provider import Deadline, Wanted
from tests.pricing import feed_world as world
from tests.pricing.feed_world import now
from tests.pricing.stubs import silent
from tests.servers.web import Reply, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from advisor.domain.quote import Quote
    from advisor.pricing.provider import Delivery, Provider
    from tests.servers.web import Server

REGION = "eu-west-1"
PLACE = quote(world.LOCATION, safe="()")


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        world.serve_all(started)
        yield started


def deliver(server: Server, *subjects: Subject, **others: object) -> Delivery:
    store = others.get("store") or world.Memory()
    assert isinstance(store, world.Memory)
    feeds = Feeds(store, now, server.url, server.url + world.SPOT)
    return feeds.fetch(Wanted(region=REGION, subjects=subjects), Deadline(5.0), silent)


def by_item(delivery: Delivery) -> dict[tuple[str, str], Quote]:
    return {(quote.market, quote.name): quote for quote in delivery.quotes}


def test_on_demand_prices_of_linux_instances(server: Server) -> None:
    delivery = deliver(server, Subject.EC2)
    quotes = by_item(delivery)
    market = f"ec2/{REGION}/on-demand/none"
    assert {item: quote.usd for item, quote in quotes.items()} == {
        (market, "m7g.large"): Decimal("0.0912"),
        (market, "m6id.12xlarge"): Decimal("3.1752"),
        (market, "m4.large"): Decimal("0.111"),
    }
    one = quotes[market, "m7g.large"]
    assert (one.unit, one.origin, one.as_of) == ("hour", Origin.FEEDS, now().date().isoformat())
    assert (delivery.delivered, delivery.failures, delivery.troubles) == ((Subject.EC2,), (), ())
    assert delivery.published == world.PUBLISHED
    assert delivery.requests == 2
    assert delivery.wire_bytes == server.sent_bytes


def test_types_are_described_as_far_as_the_feed_says(server: Server) -> None:
    facts = {each.name: each for each in deliver(server, Subject.EC2).types}
    large = facts["m6id.12xlarge"]
    assert (large.vcpu, large.memory_gib, large.disk_count, large.disk_total_gb) == (
        48,
        192.0,
        2,
        2850.0,
    )
    assert large.network_baseline_gbps == 18.75
    small = facts["m7g.large"]
    assert (small.disk_count, small.disk_total_gb) == (0, 0.0)
    assert (small.network_baseline_gbps, small.architecture) == (None, None)


def test_volumes_under_the_names_and_units_of_the_snapshot(server: Server) -> None:
    quotes = by_item(deliver(server, Subject.EBS))
    found = {name: (f"{quote.usd:f}", quote.unit) for (_, name), quote in quotes.items()}
    assert found == {
        "gp2/capacity/0": ("0.11", "GiB-month"),
        "gp3/capacity/0": ("0.088", "GiB-month"),
        "gp3/iops/0": ("0.0055", "IOPS-month"),
        "gp3/throughput/0": ("0.044", "MiB/s-month"),
        "io1/capacity/0": ("0.138", "GiB-month"),
        "io1/iops/0": ("0.072", "IOPS-month"),
        "io2/capacity/0": ("0.138", "GiB-month"),
        "io2/iops/0": ("0.072", "IOPS-month"),
        "io2/iops/32000": ("0.0504", "IOPS-month"),
        "io2/iops/64000": ("0.03528", "IOPS-month"),
        "st1/capacity/0": ("0.05", "GiB-month"),
        "sc1/capacity/0": ("0.0168", "GiB-month"),
        "standard/capacity/0": ("0.055", "GiB-month"),
        "standard/requests/0": ("0.000000055", "request"),
        "snapshot/capacity/0": ("0.05", "GiB-month"),
    }


def test_rds_single_and_multi_az_without_clusters(server: Server) -> None:
    quotes = by_item(deliver(server, Subject.RDS))
    for engine in ("mysql", "postgresql", "mariadb"):
        name = f"{engine}/db.m7g.large"
        assert quotes[f"rds/{REGION}/single-az/on-demand/none", name].usd == Decimal("0.185")
        assert quotes[f"rds/{REGION}/multi-az/on-demand/none", name].usd == Decimal("0.37")
        market = f"storage/{REGION}/{engine}/multi-az"
        assert quotes[market, "gp3/throughput/0"].usd == Decimal("0.176")
        assert quotes[market, "backup/capacity/0"].usd == Decimal("0.095")
    assert not [name for market, name in quotes if "io2" in name]
    assert len({market for market, _ in quotes}) == 2 + 3 * 2


def test_aurora_keeps_its_two_modes_apart(server: Server) -> None:
    quotes = by_item(deliver(server, Subject.AURORA))
    for engine in ("aurora-mysql", "aurora-postgresql"):
        market = f"aurora/{REGION}/on-demand/none"
        assert quotes[market, f"{engine}/db.r6g.large/standard"].usd == Decimal("0.287")
        assert quotes[market, f"{engine}/db.r6g.large/io-optimized"].usd == Decimal("0.3731")
    storage = f"storage/{REGION}/aurora/regional"
    found = {name: quote for (market, name), quote in quotes.items() if market == storage}
    assert {name: (str(quote.usd), quote.unit) for name, quote in found.items()} == {
        "aurora-standard/capacity/0": ("0.11", "GiB-month"),
        "aurora-standard/requests/0": ("0.22", "million-requests"),
        "aurora-io-optimized/capacity/0": ("0.248", "GiB-month"),
        "backup/capacity/0": ("0.021", "GiB-month"),
    }


def test_reserved_prices_with_what_is_paid_at_once(server: Server) -> None:
    delivery = deliver(server, Subject.RESERVED)
    quotes = by_item(delivery)
    found = {
        market: (str(quote.usd), str(quote.upfront_usd))
        for (market, name), quote in quotes.items()
        if name == "m7g.large"
    }
    assert found == {
        f"ec2/{REGION}/{term}/{payment}": paid
        for term in ("reserved-1y", "reserved-3y")
        for payment, paid in {
            "none": ("0.03", "0"),
            "partial": ("0.03", "300"),
            "all": ("0", "300"),
        }.items()
    }
    markets = {market for market, _ in quotes if market.startswith("rds/")}
    assert f"rds/{REGION}/multi-az/reserved-3y/all" in markets
    assert f"rds/{REGION}/single-az/reserved-3y/none" not in markets
    assert len(markets) == 2 * 5
    assert delivery.requests == 6 + 2 * 2 * 5


def test_compute_savings_plans_state_one_rate(server: Server) -> None:
    delivery = deliver(server, Subject.SAVINGS)
    assert len(delivery.quotes) == 6
    assert {(str(quote.usd), str(quote.upfront_usd)) for quote in delivery.quotes} == {
        ("0.066", "0")
    }
    assert "no Database Savings Plans" in delivery.notes[0]


def test_spot_is_the_saving_on_todays_on_demand_price(server: Server) -> None:
    delivery = deliver(server, Subject.SPOT)
    quotes = by_item(delivery)
    assert set(quotes) == {(f"spot/{REGION}", "m7g.large"), (f"spot/{REGION}", "m4.large")}
    one = quotes[f"spot/{REGION}", "m7g.large"]
    assert (one.usd, one.unit, one.interruptions) == (Decimal("0.034656"), "hour", "<5%")
    assert one.origin is Origin.SPOT_ADVISOR
    assert delivery.delivered == (Subject.SPOT,)
    assert delivery.requests == 3


def test_spot_needs_the_on_demand_prices(server: Server) -> None:
    server.serve(world.ON_DEMAND.format(PLACE), Reply(404))
    delivery = deliver(server, Subject.SPOT, Subject.EBS)
    assert delivery.delivered == (Subject.EBS,)
    assert delivery.failures[0].reason.startswith("on-demand prices: ec2-ondemand")


@pytest.mark.parametrize(
    ("advice", "reason"),
    [
        (b"{}", "spot advisor: a changed shape: no savings by region"),
        (
            b'{"ranges": [], "spot_advisor": {"eu-west-1": {"Linux": {"new": {}}}}}',
            "spot advisor: a changed shape: no row could be understood",
        ),
    ],
)
def test_a_changed_spot_advisor_is_a_failure(server: Server, advice: bytes, reason: str) -> None:
    server.serve(world.SPOT, advice)
    assert [each.reason for each in deliver(server, Subject.SPOT).failures] == [reason]


def test_a_refresh_takes_seven_requests(server: Server) -> None:
    delivery = deliver(server, Subject.EC2, Subject.EBS, Subject.RDS)
    assert delivery.delivered == (Subject.EC2, Subject.EBS, Subject.RDS)
    assert delivery.requests == len(server.asked) == 7


def test_an_unchanged_feed_costs_no_body(server: Server) -> None:
    store = world.Memory()
    first = deliver(server, Subject.EC2, Subject.EBS, store=store)
    second = deliver(server, Subject.EC2, Subject.EBS, store=store)
    assert second.wire_bytes == 0
    assert second.requests == first.requests == 3
    assert (second.quotes, second.published) == (first.quotes, first.published)


def test_a_stored_body_that_cannot_be_read_is_fetched_anew(server: Server) -> None:
    store = world.Memory()
    first = deliver(server, Subject.EBS, store=store)
    ((url, kept),) = store.held.items()
    spoilt = type(kept)(etag=kept.etag, last_modified=None, body=kept.body[:40])
    store.put(url, spoilt)
    again = deliver(server, Subject.EBS, store=store)
    assert again.quotes == first.quotes
    assert again.requests == 2
    assert store.held[url].body == kept.body


def test_what_cannot_be_read_is_not_stored(server: Server) -> None:
    server.serve(world.EBS, b"<html>sign in</html>")
    store = world.Memory()
    deliver(server, Subject.EBS, store=store)
    assert not store.held


def test_the_order_of_answers_does_not_matter(server: Server) -> None:
    first = deliver(server, Subject.EC2, Subject.EBS, Subject.AURORA)
    slow = server.routes[world.ON_DEMAND.format(PLACE)]
    server.routes[world.ON_DEMAND.format(PLACE)] = lambda asked: slow(asked)._replace(wait_s=0.2)
    second = deliver(server, Subject.EC2, Subject.EBS, Subject.AURORA)
    assert (second.quotes, second.types) == (first.quotes, first.types)


def test_an_unknown_region_is_a_failure_without_a_request(server: Server) -> None:
    feeds = Feeds(world.Memory(), now, server.url, server.url)
    wanted = Wanted(region="us-gov-west-1", subjects=(Subject.EC2, Subject.SPOT))
    delivery = feeds.fetch(wanted, Deadline(1.0), silent)
    assert [each.subject for each in delivery.failures] == [Subject.EC2, Subject.SPOT]
    assert "us-gov-west-1" in delivery.failures[0].reason
    assert not server.asked


@pytest.mark.parametrize(
    ("ahead", "age", "said"),
    [
        (timedelta(minutes=4), "0", ""),
        (timedelta(days=2, hours=1), "0", "49 h ahead of"),
        (timedelta(hours=-50), "0", "50 h behind"),
        (timedelta(minutes=-20), "0", "20 min behind"),
        (timedelta(days=1), "86400", ""),
    ],
)
def test_the_servers_clock_dates_the_prices_when_the_local_one_is_off(
    server: Server, ahead: timedelta, age: str, said: str
) -> None:
    """An answer that a cache has held for a day was made when its Date says."""
    feed = world.body(world.EBS_ROWS)
    server.serve(world.EBS, Reply(body=feed, headers=(("Age", age),)))

    def local() -> datetime:
        return now() + ahead

    feeds = Feeds(world.Memory(), local, server.url)
    delivery = feeds.fetch(Wanted(region=REGION, subjects=(Subject.EBS,)), Deadline(5.0), silent)
    believed = now() if said else local()
    assert {quote.as_of for quote in delivery.quotes} == {believed.date().isoformat()}
    assert len(delivery.notes) == bool(said)
    assert said in "".join(delivery.notes)


def test_the_feeds_are_a_provider(server: Server) -> None:
    provider: Provider = Feeds(world.Memory(), now, server.url)
    assert provider.origin is Origin.FEEDS


def test_progress_counts_the_feeds(server: Server) -> None:
    heard: list[tuple[str, int, int | None]] = []
    feeds = Feeds(world.Memory(), now, server.url, server.url)
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))

    def hear(what: str, done: int, total: int | None) -> None:
        heard.append((what, done, total))

    feeds.fetch(wanted, Deadline(5.0), hear)
    assert heard == [("price feeds", done, 2) for done in range(3)]


def test_addresses_with_secrets_stay_out_of_the_store(server: Server) -> None:
    store = world.Memory()
    url = server.url.replace("http://", "http://user:hunter2@")
    feeds = Feeds(store, now, url, url)
    delivery = feeds.fetch(Wanted(region=REGION, subjects=(Subject.EBS,)), Deadline(5.0), silent)
    assert delivery.delivered == (Subject.EBS,)
    assert "hunter2" not in repr(store.held) + repr(delivery)


@pytest.mark.parametrize(
    ("subject", "missing", "reason"),
    [
        (
            Subject.EBS,
            "Provisioned EBS IOPS Tier 3 io2 Volumes per IOPS Mo",
            "no price of io2/iops/64000",
        ),
        (
            Subject.EBS,
            "Provisioned Throughput gp3 per GiBps mo",
            "no price of gp3/throughput/0",
        ),
        (
            Subject.AURORA,
            "System Operation Aurora I O Operation",
            "no price of aurora-standard/requests/0",
        ),
    ],
)
def test_a_capacity_without_the_price_of_a_part_is_not_quoted(
    server: Server, subject: Subject, missing: str, reason: str
) -> None:
    for path, rows in (
        (world.EBS, world.EBS_ROWS),
        (world.AURORA_STORAGE, world.AURORA_STORAGE_ROWS),
    ):
        server.serve(path, world.body({key: row for key, row in rows.items() if key != missing}))
    feeds = Feeds(world.Memory(), now, server.url)
    wanted = Wanted(region=REGION, subjects=(subject,))
    gathered = gather(wanted, [feeds], Deadline(5.0), silent)
    (trouble,) = gathered.troubles
    assert trouble.reason == reason
    priced = {each.name for each in gathered.quotes}
    assert trouble.name not in priced
    assert priced & {"gp2/capacity/0", "aurora-io-optimized/capacity/0"}
