"""Configurations side by side: the published figures of m6g and m5, ties, terms."""

from __future__ import annotations

from functools import cache
from math import isfinite

import pytest

from advisor.domain.config import parse_config
from advisor.domain.units import parse_size_gib
from advisor.domain.vocabulary import Client, Term
from advisor.recommend.comparison import ladder_threads
from advisor.session.compare import compare
from advisor.session.predict import predict
from tests.ground import numbers, request, sources, workload

VOLUME = "gp3:100GiB:3000:125"
M6G, M5 = 0, 1


@cache
def cached_reads(threads: int = 64):  # type: ignore[no-untyped-def]
    load = workload(
        threads, "read", data_gib=1.0, hot_gib=parse_size_gib("25MB"), client=Client.LOCAL
    )
    configs = [parse_config(f"ec2/mysql/{name}.2xlarge/{VOLUME}") for name in ("m6g", "m5")]
    return compare(configs, request(load), sources())


def test_published_figures_lie_within_the_intervals() -> None:
    """Percona Lab 2021: 5,602 against 4,874 transactions/s and p95 12.6 against 15.1 ms."""
    rung = cached_reads().stated
    assert (rung.threads, rung.leader, rung.is_tie) == (64, M6G, False)
    assert rung.lead_ratio == pytest.approx(1.149, abs=0.001)
    for done, rate, p95_ms in zip(rung.predictions, (5602, 4874), (12.6, 15.1), strict=True):
        assert done.transactions_per_s.value == pytest.approx(rate, abs=2)
        assert done.transactions_per_s.low <= rate <= done.transactions_per_s.high
        assert done.latency_p95_ms.value == pytest.approx(p95_ms, abs=0.1)
        assert done.latency_p95_ms.low <= p95_ms <= done.latency_p95_ms.high


def test_published_lead_turns_between_8_and_16_threads() -> None:
    answer = cached_reads()
    by_threads = {rung.threads: rung for rung in answer.ladder}
    assert by_threads[1].leader == M5
    assert by_threads[1].lead_ratio == pytest.approx(1.22, abs=0.01)
    assert not by_threads[1].is_tie
    assert by_threads[4].is_tie
    (crossover,) = answer.crossovers
    assert (crossover.before, crossover.after) == (M5, M6G)
    assert (crossover.from_threads, crossover.to_threads) == (8, 16)
    assert crossover.leads_until < 8
    assert crossover.leads_from >= 16


def test_ladder_holds_the_stated_threads() -> None:
    assert ladder_threads(64) == (1, 2, 4, 8, 16, 32, 64, 128)
    assert ladder_threads(20) == (1, 2, 4, 8, 16, 20, 32, 64, 128)
    assert ladder_threads(1)[-1] == 128
    assert ladder_threads(200)[-2:] == (200, 256)
    assert ladder_threads(256)[-1] == 256
    assert ladder_threads(257)[-2:] == (257, 512)


def test_every_rung_is_what_predict_says() -> None:
    answer = cached_reads()
    for rung in answer.ladder:
        load = workload(
            rung.threads, "read", data_gib=1.0, hot_gib=parse_size_gib("25MB"), client=Client.LOCAL
        )
        for found, done in zip(answer.assessments, rung.predictions, strict=True):
            assert predict(found.config, request(load), sources()).prediction == done
    for found, done in zip(answer.assessments, answer.stated.predictions, strict=True):
        assert found.prediction == done


@pytest.mark.parametrize("threads", [1, 1024])
def test_every_number_of_a_comparison_is_finite(threads: int) -> None:
    """Also where the ladder goes far past what a small server can do."""
    texts = ("rds/postgresql/db.t3.medium/gp2", "aurora/aurora-mysql/db.r6g.large/standard")
    configs = [parse_config(text) for text in (*texts, "mysql/t3.medium/gp3")]
    load = workload(threads, "write", data_gib=16_384.0, hot_gib=16_384.0)
    answer = compare(configs, request(load), sources())
    assert all(isfinite(number) for number in numbers(answer))


def test_terms_are_priced_apart_and_a_missing_one_is_unknown() -> None:
    asked = request(workload(8), region="eu-west-1")
    configs = [parse_config("mysql/r3.xlarge/gp2"), parse_config("mysql/m7g.large/gp3")]
    answer = compare(configs, asked, sources())
    costs = {each.term: each.costs for each in answer.terms}
    assert list(costs) == [Term.ON_DEMAND, Term.RESERVED_1Y, Term.RESERVED_3Y]
    assert costs[Term.ON_DEMAND] == tuple(found.cost for found in answer.assessments)
    assert costs[Term.RESERVED_1Y][0] is None
    new = [each[1] for each in costs.values()]
    amounts = [each.usd_per_month for each in new if each is not None]
    assert amounts == sorted(amounts, reverse=True)
    assert len(amounts) == 3


def test_a_configuration_ties_with_itself() -> None:
    config = parse_config("mysql/m7g.large/gp3")
    answer = compare([config, config], request(workload(8)), sources())
    assert all(rung.is_tie and rung.probability == 0.5 for rung in answer.ladder)
    assert answer.crossovers == ()
