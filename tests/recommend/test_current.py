"""The review of what somebody runs: what is wrong, one change at a time, and nothing made worse."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.domain.config import config_of, parse_config
from advisor.domain.current import MoveKind, Problem
from advisor.domain.recommendation import Constraints
from advisor.domain.vocabulary import Availability, Client, StorageType, Term
from advisor.recommend.recommend import recommend
from advisor.session.current import reviewed
from advisor.session.predict import predict
from advisor.session.recommend import gather
from tests.ground import catalogue, changed, request, sources, workload

if TYPE_CHECKING:
    from advisor.domain.config import Config
    from advisor.domain.current import CurrentReview, Move
    from advisor.domain.recommendation import Recommendation, Request

PROPERTY = settings(
    derandomize=True,
    max_examples=40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
MIXED = request(workload(16))


@cache
def answered(asked: Request) -> Recommendation:
    return recommend(asked, gather(asked, sources()))


def review_of(text: str, asked: Request = MIXED) -> CurrentReview:
    return reviewed(parse_config(text), answered(asked), sources())


def problems(found: CurrentReview) -> set[Problem]:
    return {each.problem for each in found.findings}


def move(found: CurrentReview, kind: MoveKind) -> Move:
    return next(each for each in found.moves if each.kind is kind)


def test_gp2_moves_to_gp3_of_the_same_size_on_the_same_instance() -> None:
    found = review_of("mysql/m5.2xlarge/gp2:500GiB")
    assert {Problem.GP2, Problem.OLD_GENERATION, Problem.SATURATED} <= problems(found)
    smallest = found.smallest_safe_move
    assert smallest is not None
    assert smallest.kind is MoveKind.GP2_TO_GP3
    assert str(smallest.to.config) == "ec2/mysql/m5.2xlarge/gp3:500GiB:3000:250"
    assert float(smallest.saving_usd_per_month or 0) == pytest.approx(5.0, abs=0.01)
    assert smallest.throughput_ratio > 1.5


def test_iops_above_what_the_instance_sustains_are_given_back() -> None:
    """c5.large sustains 4,000 IOPS: 6,000 of 10,000 io1 IOPS at $0.065 do nothing."""
    found = review_of("mysql/c5.large/io1:500GiB:10000")
    assert Problem.WASTED_IOPS in problems(found)
    message = next(each.message for each in found.findings if each.problem is Problem.WASTED_IOPS)
    assert "c5.large sustains 4,000" in message
    lesser = move(found, MoveKind.LESS_IOPS)
    assert lesser.to.config.iops == 4000
    assert float(lesser.saving_usd_per_month or 0) == pytest.approx(6000 * 0.065, abs=0.01)
    assert lesser.throughput_ratio == pytest.approx(1.0)
    assert found.smallest_safe_move == lesser


def test_iops_that_nothing_asks_for_are_given_back() -> None:
    found = review_of("mysql/m6g.16xlarge/gp3:1000GiB:16000:1000")
    message = next(each.message for each in found.findings if each.problem is Problem.WASTED_IOPS)
    assert "the workload asks for" in message
    assert Problem.OVERSIZED in problems(found)
    smaller = move(found, MoveKind.SMALLER_SIZE)
    assert smaller.to.config.instance_type == "m6g.12xlarge"
    assert smaller.to.config.storage == found.assessment.config.storage


def test_paid_throughput_that_nothing_asks_for_is_given_back() -> None:
    found = review_of("mysql/m6g.large/gp3:150GiB:3000:750")
    message = next(each.message for each in found.findings if each.problem is Problem.WASTED_IOPS)
    assert "750 MiB/s are paid" in message
    assert move(found, MoveKind.LESS_IOPS).to.config.iops == 3000


def test_the_only_copy_on_volatile_disks_moves_to_ebs() -> None:
    found = review_of("mysql/i3.xlarge/nvme")
    assert found.findings[0].problem is Problem.VOLATILE
    durable = move(found, MoveKind.DURABLE_STORAGE)
    assert durable.to.candidate.storage.type is StorageType.GP3
    assert durable.to.config.instance_type == "i3.xlarge"
    replicated = review_of("mysql/i3.xlarge/nvme/x3")
    assert Problem.VOLATILE not in problems(replicated)


@pytest.mark.parametrize(
    ("text", "said", "larger"),
    [
        ("mysql/m6g.large/gp2:50GiB", "50 GiB of storage cannot hold 100 GiB", "gp2:150GiB"),
        ("mysql/m6g.large/2xgp3:60GiB", "120 GiB of storage leave little", "2xgp3:75GiB:3000:125"),
        ("mysql/i3.large/io1:99GiB:900", "99 GiB of storage cannot hold", "io1:150GiB:900"),
    ],
)
def test_a_volume_too_small_for_the_data_is_said_first_and_grown(
    text: str, said: str, larger: str
) -> None:
    found = review_of(text)
    assert found.findings[0].problem is Problem.TOO_SMALL
    assert said in found.findings[0].message
    smallest = found.smallest_safe_move
    assert smallest is not None
    assert smallest.kind is MoveKind.LARGER_VOLUME
    assert smallest.to.config.storage == larger
    if "cannot" in said:
        assert not any(
            each.is_safe for each in found.moves if each.kind is not MoveKind.LARGER_VOLUME
        )


def test_a_volume_of_rds_grows_over_the_step_in_what_is_included() -> None:
    """gp3 under RDS comes with 12,000 IOPS from 400 GiB on, and cannot have fewer."""
    asked = request(workload(16, data_gib=500.0))
    found = review_of("rds/mysql/db.m6g.large/gp3:300GiB:3000:125", asked)
    larger = move(found, MoveKind.LARGER_VOLUME).to.config
    assert larger.storage == "gp3:670GiB:12000:500"


def test_disks_of_the_instance_cannot_grow() -> None:
    found = review_of("mysql/i3.large/nvme", request(workload(16, data_gib=2000.0)))
    assert found.findings[0].problem is Problem.TOO_SMALL
    assert MoveKind.LARGER_VOLUME not in {each.kind for each in found.moves}


def test_types_that_cannot_take_the_storage_are_no_moves() -> None:
    """m6i and later plain types have no local disks."""
    found = review_of("mysql/m5d.2xlarge/nvme")
    newer = [each for each in found.moves if each.kind is MoveKind.NEWER_GENERATION]
    assert all(each.to.candidate.instance.local_disks is not None for each in newer)


def test_a_full_volume_gets_more_iops_and_a_full_cpu_a_larger_size() -> None:
    full = review_of("mysql/m6g.2xlarge/gp3:150GiB:3000:125", request(workload(64)))
    assert move(full, MoveKind.MORE_IOPS).to.config.iops == 6000
    cached = request(workload(64, "read", data_gib=1.0, hot_gib=0.1, client=Client.LOCAL))
    busy = review_of("mysql/r8g.large/gp3", cached)
    assert busy.assessment.prediction.bottleneck.station.value == "cpu"
    assert move(busy, MoveKind.LARGER_SIZE).to.config.instance_type == "r8g.xlarge"


def test_full_throughput_gets_more_of_it() -> None:
    load = workload(64, "write", data_gib=20.0, hot_gib=1.0)
    found = review_of("mysql/m6g.4xlarge/gp3:150GiB:16000:125", request(load))
    assert found.assessment.prediction.bottleneck.station.value == "volume-throughput"
    assert move(found, MoveKind.MORE_IOPS).to.config.throughput_mib_per_s == 250


def test_what_reaches_the_target_comes_first() -> None:
    asked = request(workload(64, target_tps=1500.0))
    found = review_of("mysql/m6g.large/gp3:150GiB:3000:125", asked)
    assert Problem.MISSES_TARGET in problems(found)
    misses = [each.to.meets_target is False for each in found.moves]
    assert misses == sorted(misses)


def test_the_pick_itself_needs_no_move_to_itself() -> None:
    answer = answered(MIXED)
    found = reviewed(config_of(answer.pick.candidate), answer, sources())
    assert found.is_pick
    assert found.pick_throughput_ratio == 1.0
    assert found.pick_saving_usd_per_month == 0


def test_unpriced_saves_an_unknown_amount() -> None:
    asked = request(workload(16), region="eu-west-1", term=Term.RESERVED_1Y)
    found = review_of("mysql/r3.xlarge/gp2", asked)
    assert found.assessment.cost is None
    assert found.pick_saving_usd_per_month is None
    assert all(each.saving_usd_per_month is None for each in found.moves)


def test_it_is_judged_with_the_nodes_that_it_has() -> None:
    asked = request(workload(16, availability=Availability.MULTI_AZ))
    found = review_of("mysql/m6g.large/gp3", asked)
    assert found.assessment.request.workload.availability is Availability.SINGLE


def test_naming_it_changes_no_ranking_but_the_identity() -> None:
    asked = changed(MIXED, current=parse_config("mysql/m6g.large/gp3"))
    assert recommend(asked, gather(asked, sources())).ranking == answered(MIXED).ranking
    assert asked.identity != MIXED.identity
    assert asked.identity[: len(MIXED.identity)] == MIXED.identity


@st.composite
def running(draw: st.DrawFn) -> Config:
    name = draw(st.sampled_from(sorted(catalogue())))
    storage = draw(
        st.sampled_from(
            [
                "gp2:500GiB",
                "gp3:300GiB:9000:500",
                "io1:400GiB:12000",
                "2xgp3:200GiB",
                "io2:300GiB:3000",
            ]
        )
    )
    return parse_config(f"mysql/{name}/{storage}{draw(st.sampled_from(['', '/x3']))}")


@given(running(), st.sampled_from([16, 256]), st.sampled_from([None, 800.0]))
@PROPERTY
def test_moves_change_one_thing_and_safe_ones_lose_nothing(
    config: Config, threads: int, target: float | None
) -> None:
    asked = request(workload(threads, target_tps=target), constraints=Constraints())
    found = reviewed(config, answered(asked), sources())
    before = found.assessment
    for each in found.moves:
        after = each.to.config
        assert after != before.config
        is_storage = after.storage != before.config.storage
        assert is_storage != (after.instance_type != before.config.instance_type)
        assert (after.engine, after.nodes) == (before.config.engine, before.config.nodes)
        alone = predict(after, before.request, sources())
        assert alone.prediction == each.to.prediction
        assert alone.cost == each.to.cost
        if each.is_safe and target is None:
            assert each.throughput_ratio >= 0.95
            assert each.p95_ratio <= 1.06
        if each.is_safe and before.meets_target:
            assert each.to.meets_target
    assert len({each.kind for each in found.moves}) == len(found.moves)
    assert len(problems(found)) == len(found.findings)
