"""Whatever the network or AWS does, a subject fails in words, in time, and nothing is stored."""

from __future__ import annotations

import gzip
import json
import threading
import time
from typing import TYPE_CHECKING

import pytest

from advisor.domain.quote import Subject
from advisor.pricing import fetcher as fetching
from advisor.pricing.feeds import Feeds
from advisor.pricing.parallel import THREAD_NAME
from advisor.pricing.price_list import PriceList
from advisor.pricing.provider import Deadline, Wanted
from tests.pricing import feed_world as world
from tests.pricing.feed_world import now
from tests.pricing.stubs import silent
from tests.servers.web import Reply, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from advisor.pricing.provider import Delivery
    from tests.servers.web import Server

FEED = world.body(world.EBS_ROWS)
PACKED = gzip.compress(FEED)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(fetching, "FIRST_WAIT_S", 0.01)
    with running() as started:
        world.serve_all(started)
        yield started


def deliver(url: str, seconds: float = 5.0, store: world.Memory | None = None) -> Delivery:
    feeds = Feeds(store or world.Memory(), now, url, url + world.SPOT)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS,))
    return feeds.fetch(wanted, Deadline(seconds), silent)


FAULTS = {
    "5xx": (Reply(503), "ebs: HTTP 503 Service Unavailable"),
    "403": (Reply(403), "ebs: HTTP 403 Forbidden"),
    "404": (Reply(404), "ebs: HTTP 404 Not Found"),
    "throttled": (Reply(429), "ebs: HTTP 429 Too Many Requests"),
    "throttled for long": (
        Reply(429, headers=(("Retry-After", "60"),)),
        "ebs: HTTP 429 Too Many Requests, to be asked again after 60 s",
    ),
    "cut": (Reply(body=FEED, cut_after=100), "ebs: the connection was cut"),
    "cut and compressed": (Reply(body=PACKED, cut_after=100), "ebs: the connection was cut"),
    "truncated by a proxy": (Reply(body=FEED[:500]), "ebs: a body that is cut short"),
    "truncated compressed": (
        Reply(body=PACKED[:200]),
        "ebs: a compressed body that is damaged or cut short",
    ),
    "damaged compressed": (
        Reply(body=PACKED[:60] + b"\x00" * 60 + PACKED[120:]),
        "ebs: a compressed body that is damaged or cut short",
    ),
    "a login page": (
        Reply(body=b"<!DOCTYPE html><title>Sign in</title>", headers=(("Content-Type", "t/h"),)),
        "ebs: a web page instead of prices: does a proxy ask for a login?",
    ),
    "garbage": (Reply(body=b"\xff\x00\x12"), "ebs: a body that is not JSON"),
    "empty": (Reply(body=b""), "ebs: an empty body"),
    "a list": (Reply(body=b"[]"), "ebs: a changed shape: not a JSON object"),
    "no regions": (
        Reply(body=b'{"manifest": null, "prices": {}}'),
        "ebs: a changed shape: no list of regions",
    ),
    "another name": (
        Reply(body=world.body(world.EBS_ROWS, "Europe (Ireland)")),
        "ebs: it does not list EU (Ireland)",
    ),
    "another currency": (
        Reply(body=world.body(world.EBS_ROWS, currency="CNY")),
        "ebs: prices in CNY, not in USD",
    ),
    "other keys": (
        Reply(body=world.body({"gp3": {"price": "0.08"}})),
        "ebs: a changed shape: no row could be understood",
    ),
    "a redirect without end": (
        Reply(302, headers=(("Location", world.EBS),)),
        "ebs: redirected without end",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_reason(server: Server, fault: str) -> None:
    reply, reason = FAULTS[fault]
    server.serve(world.EBS, reply)
    store = world.Memory()
    delivery = deliver(server.url, store=store)
    assert [each.reason for each in delivery.failures] == [reason]
    assert (delivery.delivered, delivery.quotes, delivery.troubles) == ((), (), ())
    assert not store.held or fault in {"other keys"}


@pytest.mark.parametrize(
    "reply",
    [
        Reply(503),
        Reply(429, headers=(("Retry-After", "0"),)),
        Reply(body=FEED, cut_after=40),
    ],
)
def test_what_passes_is_asked_again(server: Server, reply: Reply) -> None:
    server.serve(world.EBS, reply, reply, Reply(body=FEED))
    delivery = deliver(server.url)
    assert delivery.delivered == (Subject.EBS,)
    assert delivery.requests == 3


def test_a_short_retry_after_is_kept(server: Server) -> None:
    server.serve(world.EBS, Reply(429, headers=(("Retry-After", "1"),)), Reply(body=FEED))
    start = time.monotonic()
    assert deliver(server.url).delivered == (Subject.EBS,)
    assert time.monotonic() - start >= 1.0


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(body=FEED, wait_s=1.5), "ebs: no answer in time"),
        (Reply(body=FEED, drip_s=0.1), "ebs: no answer in time"),
        (Reply(503, wait_s=0.15), "ebs: "),
    ],
)
def test_the_deadline_holds(server: Server, reply: Reply, reason: str) -> None:
    server.serve(world.EBS, reply)
    start = time.monotonic()
    delivery = deliver(server.url, seconds=0.4)
    assert time.monotonic() - start < 0.7
    assert delivery.failures[0].reason.startswith(reason)


def test_one_slow_feed_does_not_take_the_others_along(server: Server) -> None:
    server.serve(world.EBS, Reply(body=FEED, wait_s=1.0))
    feeds = Feeds(world.Memory(), now, server.url)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS, Subject.EC2))
    delivery = feeds.fetch(wanted, Deadline(0.5), silent)
    assert delivery.delivered == (Subject.EC2,)
    assert [each.subject for each in delivery.failures] == [Subject.EBS]


def test_no_network() -> None:
    with running() as server:
        url = server.url
    start = time.monotonic()
    delivery = deliver(url)
    assert delivery.failures[0].reason == "ebs: no connection"
    assert time.monotonic() - start < 3.0


def test_an_address_that_is_none() -> None:
    delivery = deliver("ftp://user:hunter2@example.org")
    assert delivery.failures[0].reason == "ebs: not a web address"
    assert delivery.requests == 1


def test_a_feed_that_does_not_say_when_it_was_published_is_read(server: Server) -> None:
    document = json.loads(FEED)
    document["manifest"]["hawkFilePublicationDate"] = 5
    server.serve(world.EBS, json.dumps(document).encode())
    feeds = Feeds(world.Memory(), now, server.url)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS, Subject.EC2))
    delivery = feeds.fetch(wanted, Deadline(5.0), silent)
    assert (set(delivery.delivered), delivery.published) == ({*wanted.subjects}, world.PUBLISHED)


def test_a_name_that_is_none_is_not_a_web_address(tmp_path: Path) -> None:
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EC2,))
    for url in ("http://xn--", "http://user:hunter2@h:badport"):
        delivery = PriceList(tmp_path, url).fetch(wanted, Deadline(2.0), silent)
        assert delivery.failures[0].reason == "AmazonEC2: not a web address"


UNUSABLE = ["https://user:hunter2@h:badport/x", "https://user:hun[ter2@h/x", "http://h:99999/x"]


@pytest.mark.parametrize("url", UNUSABLE)
def test_an_address_that_cannot_be_used_is_not_shown(url: str) -> None:
    (failure,) = deliver(url).failures
    assert failure.reason == "the address of the price feeds cannot be used"


@pytest.mark.parametrize("url", UNUSABLE)
def test_spot_alone_fails_where_its_address_cannot_be_used(server: Server, url: str) -> None:
    feeds = Feeds(world.Memory(), now, server.url, url)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS, Subject.SPOT))
    delivery = feeds.fetch(wanted, Deadline(5.0), silent)
    assert delivery.delivered == (Subject.EBS,)
    assert delivery.failures[0].reason == "spot advisor: the address cannot be used"


@pytest.mark.parametrize(
    ("name", "stated"),
    [("HTTPS_PROXY", "nonsense://proxy:1"), ("SSL_CERT_FILE", "/nowhere/ca.pem")],
)
def test_settings_that_cannot_be_used(
    server: Server, monkeypatch: pytest.MonkeyPatch, name: str, stated: str
) -> None:
    monkeypatch.setenv(name, stated)
    (failure,) = deliver(server.url).failures
    assert failure.reason == "the settings of the proxy or of certificates cannot be used"


def test_a_body_beyond_the_limit_is_not_read_to_its_end(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 1 << 20)
    server.serve(world.EBS, b"{" + b" " * (2 << 20))
    assert deliver(server.url).failures[0].reason == "ebs: more than 1 MiB"


def test_a_body_that_swells_is_not_unpacked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 1 << 20)
    server.serve(world.EBS, gzip.compress(b" " * (5 << 20)))
    assert "when decompressed" in deliver(server.url).failures[0].reason


def test_a_body_that_swells_in_its_second_part_is_not_unpacked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "MOST_BYTES", 1 << 20)
    server.serve(world.EBS, gzip.compress(b" ") + gzip.compress(b" " * (5 << 20)))
    assert "when decompressed" in deliver(server.url).failures[0].reason


def test_a_body_in_many_compressed_parts_is_refused(server: Server) -> None:
    server.serve(world.EBS, gzip.compress(b" ") * 65)
    assert "more than 64 compressed parts" in deliver(server.url).failures[0].reason


def test_a_body_in_two_compressed_parts_is_read(server: Server) -> None:
    server.serve(world.EBS, gzip.compress(FEED[:99]) + gzip.compress(FEED[99:]) + b"\0" * 8)
    assert deliver(server.url).delivered == (Subject.EBS,)


def test_a_long_retry_after_ends_the_attempt(server: Server) -> None:
    server.serve(world.EBS, Reply(429, headers=(("Retry-After", "11"),)), Reply(body=FEED))
    delivery = deliver(server.url, seconds=60.0)
    assert (delivery.requests, delivery.delivered) == (1, ())


@pytest.mark.parametrize("is_twice", [False, True])
def test_gzip_is_noticed_declared_or_not(server: Server, is_twice: bool) -> None:
    body = gzip.compress(PACKED) if is_twice else PACKED
    server.serve(world.EBS, Reply(body=body, headers=(("Content-Encoding", "gzip"),)))
    delivery = deliver(server.url)
    assert delivery.delivered == (Subject.EBS,)
    assert delivery.wire_bytes == len(body)


def test_feeds_that_a_region_lacks_are_no_failure(server: Server) -> None:
    """A region of 2026 has no previous generation, and sells some reserved terms only."""
    for path in list(server.routes):
        if "previousgen" in path or "3%20year" in path:
            del server.routes[path]
    feeds = Feeds(world.Memory(), now, server.url)
    subjects = (Subject.EC2, Subject.RESERVED)
    delivery = feeds.fetch(Wanted(region="eu-west-1", subjects=subjects), Deadline(5.0), silent)
    assert delivery.delivered == subjects


def test_a_product_without_any_feed_is_a_failure(server: Server) -> None:
    for path in list(server.routes):
        if "rds-mysql-reserved" in path:
            del server.routes[path]
    feeds = Feeds(world.Memory(), now, server.url)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.RESERVED,))
    delivery = feeds.fetch(wanted, Deadline(5.0), silent)
    assert [each.reason for each in delivery.failures] == [
        "rds-mysql-reservedinstance: there is no such feed"
    ]


def test_an_interrupt_passes_and_leaves_no_thread_at_work(server: Server) -> None:
    store = world.Memory()

    def interrupt(what: str, done: int, total: int | None) -> None:
        if done:
            raise KeyboardInterrupt(what, total)

    feeds = Feeds(store, now, server.url)
    with pytest.raises(KeyboardInterrupt):
        feeds.fetch(
            Wanted(region="eu-west-1", subjects=(Subject.RESERVED,)), Deadline(5.0), interrupt
        )
    assert not store.held
    for thread in threading.enumerate():
        if thread.name == THREAD_NAME:
            thread.join(2.0)
    assert len(server.asked) < 26
