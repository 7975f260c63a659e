"""A refresh asks on where a source fails, and never mixes what it was told."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from advisor.domain.price_report import Outcome
from advisor.domain.quote import (
    Origin,
    Quote,
    Subject,
    Trouble,
    TypeFacts,
    ec2_market,
    volume_market,
)
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.cache import Cache
from advisor.pricing.cache_status import lookup, status
from advisor.pricing.cached import cached_documents
from advisor.pricing.refresh import accept
from tests.pricing.stubs import EC2, NOON, REGION, Stub, quote, quotes, refreshed, wanted

if TYPE_CHECKING:
    from pathlib import Path

VOLUMES = volume_market(REGION)
GP2 = quote("gp2/capacity/0", "0.08", VOLUMES)
PLAN = ec2_market(REGION, Term.SAVINGS_1Y, Payment.NONE)
RESERVED = ec2_market(REGION, Term.RESERVED_1Y, Payment.PARTIAL)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "advisor" / "prices.sqlite3")


def prices(cache: Cache) -> dict[str, str]:
    return {each.name: str(each.usd) for each in cache.quotes(REGION)}


def test_what_was_fetched_answers(cache: Cache) -> None:
    asked = wanted(Subject.EC2, Subject.EBS)
    report = refreshed(cache, Stub(quote("m7g.large", "0.0816"), GP2), asked=asked)
    assert (report.outcome, report.prices, report.problem) == (Outcome.CURRENT, 2, None)
    assert (report.requests, report.wire_bytes) == (2, 1000)
    assert (report.origins, report.unsettled, report.misses) == ((Origin.FEEDS,), (), ())
    found = cached_documents(cache.file.path, REGION)
    market = found.get(EC2)
    assert market is not None
    assert market.body == [["aws-price-feeds", "2026-11-21", {"m7g.large": "0.0816"}]]
    assert (market.fetched_at, market.origin) == ("2026-11-21T12:00:00Z", "aws-price-feeds")
    assert market.is_whole
    volumes = found.get(VOLUMES)
    assert volumes is not None
    gp2 = ["gp2", "capacity", 0, "0.08", "GiB-month", "aws-price-feeds", "2026-11-21"]
    assert volumes.body == [gp2]
    assert found.markets() == (EC2, VOLUMES)


def test_the_next_source_is_asked_for_what_failed_alone(cache: Cache) -> None:
    feeds = Stub(quote("m7g.large", "0.0816"), failures={Subject.EBS: "HTTP 503"})
    bulk = Stub(GP2, quote("m7g.large", "9"), origin=Origin.BULK)
    report = refreshed(cache, feeds, bulk, asked=wanted(Subject.EC2, Subject.EBS))
    assert [each.subjects for each in bulk.asked] == [(Subject.EBS,)]
    (miss,) = report.misses
    assert (miss.subject, miss.origin, miss.reason, miss.next) == (
        *(Subject.EBS, Origin.FEEDS, "HTTP 503", Origin.BULK),
    )
    assert report.origins == (Origin.FEEDS, Origin.BULK)
    assert prices(cache) == {"m7g.large": "0.0816", "gp2/capacity/0": "0.08"}
    assert (report.unsettled, status(cache).failures) == ((), ())


def test_a_source_that_settles_all_is_the_last_asked(cache: Cache) -> None:
    bulk = Stub(origin=Origin.BULK)
    refreshed(cache, Stub(quote("m7g.large", "0.0816")), bulk)
    assert bulk.asked == []


def test_a_clean_price_of_a_later_source_settles_a_trouble(cache: Cache) -> None:
    trouble = Trouble(market=EC2, name="m7g.large", reason="two prices: 1 and 2")
    feeds = Stub(quote("r7g.large", "0.1"), troubles=[trouble])
    later = quote("m7g.large", "0.0816", origin=Origin.API)
    other = quote("r7g.large", "7", origin=Origin.API)
    unasked = quote("x1.large", "7", origin=Origin.API)
    api = Stub(later, other, unasked, origin=Origin.API)
    report = refreshed(cache, feeds, api)
    assert [(each.subjects, each.types) for each in api.asked] == [
        ((Subject.EC2,), ("m7g.large",)),
    ]
    assert report.troubles == ()
    assert prices(cache) == {"m7g.large": "0.0816", "r7g.large": "0.1"}
    found = cached_documents(cache.file.path, REGION).get(EC2)
    assert found is not None
    assert found.is_whole
    assert [group[0] for group in found.body] == ["aws-price-feeds", "aws-pricing-api"]


def test_a_trouble_that_no_source_settles_has_no_price(cache: Cache) -> None:
    pair = (quote("m7g.large", "0.0816"), quote("m7g.large", "0.09"), quote("r7g.large", "0.1"))
    report = refreshed(cache, Stub(*pair), Stub(*pair, origin=Origin.BULK))
    (trouble,) = report.troubles
    assert (trouble.name, trouble.reason) == ("m7g.large", "two prices: 0.0816 and 0.09")
    assert prices(cache) == {"r7g.large": "0.1"}
    assert status(cache).troubles == (trouble,)
    refreshed(cache, Stub(quote("m7g.large", "0.0816"), quote("r7g.large", "0.1")))
    assert status(cache).troubles == ()


def test_the_same_price_twice_is_one_price(cache: Cache) -> None:
    report = refreshed(cache, Stub(quote("m7g.large", "0.10"), quote("m7g.large", "0.100")))
    assert (report.troubles, prices(cache)) == ((), {"m7g.large": "0.1"})


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (quote("m7g.large", "0"), "a price of 0"),
        (quote("m7g.large", "-1"), "a price of -1"),
        (quote("m7g.large", "NaN"), "not a price: NaN"),
        (quote("m7g.large", "1", upfront="5"), f"an upfront payment in {EC2}"),
        (quote("m7g.large", "1", "ec2/mars-1/on-demand/none"), f"no market of {REGION}"),
        (quote("gp2/iops", "1", VOLUMES), "no item of storage"),
    ],
)
def test_a_price_that_cannot_be_one_is_a_trouble(cache: Cache, bad: Quote, reason: str) -> None:
    asked = wanted(Subject.EC2, Subject.EBS)
    report = refreshed(cache, Stub(bad, quote("r7g.large", "0.1"), GP2), asked=asked)
    assert [each.reason for each in report.troubles] == [reason]
    assert prices(cache) == {"r7g.large": "0.1", "gp2/capacity/0": "0.08"}


def test_nothing_by_the_hour_beside_an_upfront_payment_is_a_price(cache: Cache) -> None:
    paid = quote("m7g.large", "0", RESERVED, upfront="438")
    report = refreshed(cache, Stub(paid), asked=wanted(Subject.RESERVED))
    assert report.troubles == ()
    (stated,) = lookup(cache, "m7g.large", REGION).prices
    assert (stated.quote, stated.effective_usd) == (paid, Decimal("0.05"))


def test_no_source_at_all_leaves_what_there_was(cache: Cache) -> None:
    refreshed(cache, Stub(quote("m7g.large", "0.0816")))
    feeds = Stub(failures={Subject.EC2: "no connection"})
    api = Stub(origin=Origin.API, failures={Subject.EC2: "no credentials"})
    later = NOON + timedelta(hours=1)
    report = refreshed(cache, feeds, api, now=later)
    assert report.outcome is Outcome.NOTHING
    assert report.problem == "no source delivered a price: ec2: no credentials"
    assert [(miss.origin, miss.next) for miss in report.misses] == [
        (Origin.FEEDS, Origin.API),
        (Origin.API, None),
    ]
    assert prices(cache) == {"m7g.large": "0.0816"}
    (failure,) = status(cache).failures
    assert (failure.reason, failure.failed_at) == ("no credentials", "2026-11-21T13:00:00Z")
    refreshed(cache, Stub(quote("m7g.large", "0.0816")))
    assert status(cache).failures == ()


def test_an_empty_answer_is_a_failure(cache: Cache) -> None:
    bulk = Stub(quote("m7g.large", "0.0816"), origin=Origin.BULK)
    report = refreshed(cache, Stub(), bulk)
    assert [miss.reason for miss in report.misses] == ["the answer holds no price"]
    assert report.outcome is Outcome.CURRENT


def test_a_source_is_not_asked_when_the_time_is_up(cache: Cache) -> None:
    stub = Stub(quote("m7g.large", "0.0816"))
    report = refreshed(cache, stub, seconds=0.0)
    assert stub.asked == []
    assert report.outcome is Outcome.NOTHING
    assert "no time was left" in str(report.problem)


def test_an_interrupt_leaves_the_cache_as_it_was(cache: Cache) -> None:
    refreshed(cache, Stub(quote("m7g.large", "0.0816")))

    class Interrupted(Stub):
        def fetch(self, *_: object) -> None:  # type: ignore[override]
            raise KeyboardInterrupt

    before = cache.file.path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        refreshed(cache, Interrupted())
    assert cache.file.path.read_bytes() == before


def test_only_what_was_refreshed_is_replaced(cache: Cache) -> None:
    refreshed(cache, Stub(quote("m7g.large", "0.08"), GP2), asked=wanted(*(Subject)))
    later = NOON + timedelta(days=2)
    report = refreshed(cache, Stub(quote("m7g.large", "0.09")), now=later)
    assert prices(cache) == {"m7g.large": "0.09", "gp2/capacity/0": "0.08"}
    assert report.comparison.before == 1
    ages = {each.platform: each.fetched_at for each in status(cache).coverage}
    assert ages == {"ec2": "2026-11-23T12:00:00Z", "volumes": "2026-11-21T12:00:00Z"}
    found = cached_documents(cache.file.path, REGION, "2026-11-22T00:00:00Z")
    assert found.markets() == (EC2,)


def test_a_market_without_prices_any_more_is_gone_when_accepted(cache: Cache) -> None:
    both = (*quotes(3, "1"), quote("m7g.large", "0.05", RESERVED, upfront="1"))
    asked = wanted(Subject.EC2, Subject.RESERVED)
    refreshed(cache, Stub(*both), asked=asked)
    other = ec2_market(REGION, Term.RESERVED_3Y)
    report = refreshed(cache, Stub(*quotes(3, "1"), quote("m7g.large", "0.1", other)), asked=asked)
    assert report.comparison.vanished == ((RESERVED, "m7g.large"),)
    assert {each.market for each in cache.quotes(REGION)} == {EC2, other}


def test_a_short_list_adds_to_what_is_known(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(30, "1")))
    asked = wanted(types=("m1.large", "new.large"))
    given = (quote("m1.large", "1.1"), quote("new.large", "3"))
    later = NOON + timedelta(days=2)
    report = refreshed(cache, Stub(*given), asked=asked, now=later)
    assert (report.comparison.before, report.comparison.vanished) == (1, ())
    assert prices(cache) == {f"m{number}.large": "1" for number in range(30)} | {
        "m1.large": "1.1",
        "new.large": "3",
    }
    found = cached_documents(cache.file.path, REGION).get(EC2)
    assert found is not None
    assert found.is_whole
    assert found.fetched_at == "2026-11-21T12:00:00Z"
    assert [each.get("m1.large") for _, _, each in found.body] == ["1", "1.1"]
    fresh = cached_documents(cache.file.path, REGION, "2026-11-22T00:00:00Z").get(EC2)
    assert fresh is not None
    assert not fresh.is_whole
    assert fresh.body[0][2] == {"m1.large": "1.1", "new.large": "3"}
    refreshed(cache, Stub(*quotes(30, "1")), now=later + timedelta(hours=1))
    assert len(prices(cache)) == 30


def test_a_source_that_answers_a_short_list_with_all_replaces_all(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(30, "1")), asked=wanted(types=("m1.large",)))
    found = cached_documents(cache.file.path, REGION).get(EC2)
    assert found is not None
    assert found.is_whole


def test_a_held_refresh_waits_until_it_is_accepted(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    report = refreshed(cache, Stub(*quotes(40, "2")))
    assert report.outcome is Outcome.HELD
    assert report.comparison.reasons == (f"{EC2}: 40 of 40 prices moved by more than 20%",)
    assert set(prices(cache).values()) == {"1"}
    (held,) = status(cache).held
    assert (held.region, held.reasons, held.subjects) == (
        *(REGION, report.comparison.reasons, ("ec2",)),
    )
    accepted = accept(cache, REGION, frozenset())
    assert accepted is not None
    assert (accepted.outcome, accepted.comparison.up) == (Outcome.CURRENT, 40)
    assert set(prices(cache).values()) == {"2"}
    assert status(cache).held == ()
    assert accept(cache, REGION, frozenset()) is None


def test_a_newer_held_refresh_replaces_the_older(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    refreshed(cache, Stub(*quotes(40, "2")))
    refreshed(cache, Stub(*quotes(40, "3")))
    assert len(status(cache).held) == 1
    accept(cache, REGION, frozenset())
    assert set(prices(cache).values()) == {"3"}


def test_a_held_refresh_is_joined_with_a_smaller_newer_one(cache: Cache) -> None:
    both = wanted(Subject.EC2, Subject.SAVINGS)
    refreshed(cache, Stub(*quotes(40, "1"), *quotes(40, "1", PLAN)), asked=both)
    refreshed(cache, Stub(*quotes(40, "2"), *quotes(40, "2", PLAN)), asked=both)
    (earlier,) = status(cache).held
    assert len(earlier.reasons) == 2
    later = NOON + timedelta(hours=2)
    asked = wanted(Subject.SAVINGS)
    report = refreshed(cache, Stub(*quotes(40, "3", PLAN)), asked=asked, now=later)
    assert report.outcome is Outcome.HELD
    (held,) = status(cache).held
    assert held.subjects == ("ec2", "savings")
    kept = [each for each in earlier.reasons if each.startswith(EC2)]
    assert held.reasons == (*kept, *report.comparison.reasons)
    accepted = accept(cache, REGION, frozenset())
    assert accepted is not None
    assert (accepted.prices, accepted.requests, accepted.misses) == (80, 4, ())
    found = {(each.market, str(each.usd)) for each in cache.quotes(REGION)}
    assert found == {(EC2, "2"), (PLAN, "3")}
    market = cached_documents(cache.file.path, REGION).get(PLAN)
    assert market is not None
    assert market.fetched_at == "2026-11-21T12:00:00Z", "as old as its oldest part"


FIRST, SECOND = quotes(30, "3")[:15], quotes(30, "2")[15:]


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_held_short_list_is_joined(cache: Cache, is_whole: bool) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    older = quotes(40, "2") if is_whole else SECOND
    types = () if is_whole else tuple(each.name for each in SECOND)
    reports = [refreshed(cache, Stub(*older), asked=wanted(types=types))]
    asked = wanted(types=tuple(each.name for each in FIRST))
    reports.append(refreshed(cache, Stub(*FIRST), asked=asked))
    assert [each.outcome for each in reports] == [Outcome.HELD, Outcome.HELD]
    accept(cache, REGION, frozenset())
    found = prices(cache)
    assert {found[each.name] for each in FIRST} == {"3"}
    assert {found[each.name] for each in SECOND} == {"2"}
    assert (len(found), found["m39.large"]) == (40, "2" if is_whole else "1")


def test_a_whole_held_refresh_takes_the_place_of_a_short_list(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    asked = wanted(types=tuple(each.name for each in FIRST))
    assert refreshed(cache, Stub(*FIRST), asked=asked).outcome is Outcome.HELD
    refreshed(cache, Stub(*quotes(40, "2")))
    accept(cache, REGION, frozenset())
    assert set(prices(cache).values()) == {"2"}


def test_a_newer_sound_refresh_overtakes_a_held_one(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    refreshed(cache, Stub(*quotes(40, "2")))
    refreshed(cache, Stub(*quotes(40, "1.01")))
    assert status(cache).held == ()


def test_a_held_refresh_keeps_its_troubles_failures_and_types(cache: Cache) -> None:
    asked = wanted(Subject.EC2, Subject.SAVINGS)
    refreshed(cache, Stub(*quotes(40, "1")))
    trouble = Trouble(market=EC2, name="m7g.large", reason="two prices: 1 and 2")
    facts = TypeFacts(name="m9g.large", vcpu=2, memory_gib=8.0)
    failures = {Subject.SAVINGS: "HTTP 404"}
    stub = Stub(*quotes(40, "2"), troubles=[trouble], types=[facts], failures=failures)
    report = refreshed(cache, stub, asked=asked)
    assert (report.outcome, report.unsettled) == (Outcome.HELD, (Subject.SAVINGS,))
    before = status(cache)
    assert (before.troubles, before.failures) == ((), ())
    accepted = accept(cache, REGION, frozenset())
    assert accepted is not None
    assert accepted.misses == report.misses
    after = status(cache)
    assert (after.troubles, after.failures[0].reason) == ((trouble,), "HTTP 404")
    assert cached_documents(cache.file.path, REGION).types() == (facts,)


@pytest.mark.parametrize("hours", [30, -30])
def test_what_is_fetched_by_a_wrong_clock_carries_the_time_of_aws(cache: Cache, hours: int) -> None:
    skew = timedelta(hours=hours)
    report = refreshed(cache, Stub(quote("m7g.large", "1"), skew=skew), now=NOON - skew)
    market = cached_documents(cache.file.path, REGION).get(EC2)
    assert market is not None
    assert (market.fetched_at, report.seconds) == ("2026-11-21T12:00:00Z", 0.0)


def test_a_time_needs_its_zone(cache: Cache) -> None:
    with pytest.raises(ValueError, match="zone"):
        refreshed(cache, Stub(*quotes(4, "1")), now=NOON.replace(tzinfo=None))


def test_accepting_keeps_what_was_refreshed_since(cache: Cache) -> None:
    asked = wanted(Subject.EC2, Subject.EBS)
    refreshed(cache, Stub(*quotes(40, "1"), GP2), asked=asked)
    refreshed(cache, Stub(*quotes(40, "2"), quote("gp2/capacity/0", "0.09", VOLUMES)), asked=asked)
    refreshed(cache, Stub(*quotes(40, "1.1")))
    accept(cache, REGION, frozenset())
    assert set(prices(cache).values()) == {"1.1", "0.09"}


def test_accepted_in_advance_nothing_is_held(cache: Cache) -> None:
    refreshed(cache, Stub(*quotes(40, "1")))
    report = refreshed(cache, Stub(*quotes(40, "2")), accepts=True)
    assert report.outcome is Outcome.CURRENT
    assert report.comparison.reasons


def test_bundled_prices_are_the_measure_of_the_first_refresh(cache: Cache) -> None:
    previous = quotes(40, "1")
    assert refreshed(cache, Stub(*quotes(40, "2")), previous=previous).outcome is Outcome.HELD
    assert prices(cache) == {}
    assert refreshed(cache, Stub(*quotes(40, "1.1")), previous=previous).outcome is Outcome.CURRENT
    report = refreshed(cache, Stub(*quotes(40, "1.3")), previous=previous)
    assert (report.outcome, report.comparison.moved_far) == (Outcome.CURRENT, 0)


def test_new_types_come_with_their_facts(cache: Cache) -> None:
    facts = TypeFacts(name="m9g.large", vcpu=2, memory_gib=8.0, is_burstable=False)
    known = TypeFacts(name="m7g.large", vcpu=2, memory_gib=8.0)
    stub = Stub(quote("m7g.large", "0.08"), quote("m9g.large", "0.09"), types=[facts, known])
    report = refreshed(cache, stub, known_types=frozenset({"m7g.large"}))
    assert report.new_types == ("m9g.large",)
    assert cached_documents(cache.file.path, REGION).types() == (facts,)


def test_history_holds_what_changed_and_when(cache: Cache) -> None:
    def at(day: int, *given: Quote) -> None:
        now = NOON + timedelta(days=day)
        refreshed(cache, Stub(*given, quote("r7g.large", "0.1")), now=now, accepts=True)

    at(0, quote("m7g.large", "0.080"))
    at(1, quote("m7g.large", "0.08"))
    assert lookup(cache, "m7g.large", REGION).history == ()
    at(2, quote("m7g.large", "0.09"))
    at(3)
    at(4, quote("m7g.large", "0.07"))
    found = lookup(cache, "m7g.large", REGION)
    seen = [(each.seen_at[:10], each.usd and str(each.usd)) for each in found.history]
    assert seen == [
        ("2026-11-22", "0.08"),
        ("2026-11-23", "0.09"),
        ("2026-11-24", None),
        ("2026-11-25", "0.07"),
    ]
    assert [str(each.quote.usd) for each in found.prices] == ["0.07"]
    assert lookup(cache, "r7g.large", REGION).history == ()
    assert lookup(cache, "7g.large", REGION).prices == ()


def test_status_of_no_cache_is_empty(cache: Cache) -> None:
    found = status(cache)
    assert (found.coverage, found.held, found.file_bytes, found.warning) == ((), (), 0, None)
    assert not cache.file.path.exists()
    assert lookup(cache, "m7g.large", REGION).prices == ()


def test_status_counts_by_platform_and_term(cache: Cache) -> None:
    trouble = Trouble(market=RESERVED, name="m8g.large", reason="two prices: 1 and 2")
    given = (quote("m7g.large", "0.05", RESERVED, upfront="1"), *quotes(3, "1"))
    asked = wanted(Subject.EC2, Subject.RESERVED)
    refreshed(cache, Stub(*given, troubles=[trouble]), asked=asked)
    found = status(cache)
    rows = [(each.subject, each.term, each.prices, each.troubles) for each in found.coverage]
    assert rows == [
        (Subject.EC2, Term.ON_DEMAND, 3, 0),
        (Subject.RESERVED, Term.RESERVED_1Y, 1, 1),
    ]
    assert found.coverage[0].published == "2026-11-20"
    assert found.file_bytes > 0
