"""What was not said is decided and noted; what cannot be meant is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.domain.description import (
    Description,
    objective_of,
    profile_named,
    workload_of,
)
from advisor.domain.vocabulary import Availability, Client, Durability, Objective
from advisor.domain.workload import PROFILES
from advisor.errors import UsageError

SAID = Description(threads=16, profile=PROFILES["mixed"])


def assumed(description: Description) -> dict[str, tuple[str, str]]:
    return {each.name: (each.value, each.reason) for each in workload_of(description).assumed}


def test_everything_unsaid_is_noted() -> None:
    workload = workload_of(SAID)
    assert (workload.data_gib, workload.hot_gib) == (100.0, 20.0)
    assert (workload.durability, workload.availability, workload.client) == (
        Durability.FULL, Availability.SINGLE, Client.SAME_AZ,
    )  # fmt: skip
    assert (workload.target_tps, workload.max_p95_ms, workload.connections) == (None, None, None)
    names = ["data-size", "hot-size", "headroom", "durability", "availability", "client"]
    assert list(assumed(SAID)) == [*names, "transaction", "volume-size"]
    assert assumed(SAID)["volume-size"][0] == "150GiB"


def test_what_is_said_is_not_assumed() -> None:
    said = replace(
        SAID,
        data_gib=500.0,
        hot_ratio=0.5,
        target_tps=100.0,
        headroom_ratio=0.0,
        durability=Durability.RELAXED,
        availability=Availability.MULTI_AZ,
        client=Client.LOCAL,
    )
    assert list(assumed(said)) == ["transaction", "volume-size"]
    assert (workload_of(said).hot_gib, workload_of(said).headroom_ratio) == (250.0, 0.0)


def test_settled_values_carry_their_origin() -> None:
    said = replace(
        SAID,
        target_tps=5.0,
        settled_client=(Client.CROSS_AZ, "config.toml"),
        settled_headroom=(0.4, "HEADROOM"),
    )
    assert assumed(said)["client"] == ("cross-az", "config.toml")
    assert assumed(said)["headroom"][0] == "40%"
    assert workload_of(said).headroom_ratio == 0.4


def test_headroom_is_kept_with_and_without_a_target() -> None:
    assert "bought" in assumed(SAID)["headroom"][1]
    assert "target rate" in assumed(replace(SAID, target_tps=5.0))["headroom"][1]


def test_statements_are_converted_to_transactions() -> None:
    workload = workload_of(replace(SAID, target_qps=20_000.0))
    assert workload.target_tps == pytest.approx(1000.0)
    assert "20 statements" in assumed(replace(SAID, target_qps=20_000.0))["target-tps"][1]
    point = replace(SAID, profile=PROFILES["point"], target_qps=7.0)
    assert workload_of(point).target_tps == 7.0
    assert assumed(point)["transaction"] == ("1 read", "of point: autocommit")


def test_objective_follows_the_target() -> None:
    assert (objective_of(None), objective_of(5.0)) == (Objective.BALANCED, Objective.COST)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (replace(SAID, threads=0), "--threads 0 must be from 1 to 100,000"),
        (replace(SAID, threads=100_001), "--threads 100,001 must be"),
        (replace(SAID, data_gib=0.0), "--data-size 0GiB must be from 1MiB"),
        (replace(SAID, data_gib=2.0**31), "--data-size"),
        (replace(SAID, hot_gib=101.0), "larger than --data-size 100GiB (the default)"),
        (replace(SAID, data_gib=5.0, hot_gib=6.0), "larger than --data-size 5GiB"),
        (replace(SAID, hot_gib=0.0), "--hot-size 0 must be above 0"),
        (replace(SAID, hot_ratio=1.1), "--hot-size 110% must be"),
        (replace(SAID, hot_ratio=0.0), "--hot-size 0% must be"),
        (replace(SAID, target_tps=-1.0), "--target-tps -1 must be above 0"),
        (replace(SAID, target_qps=1e13), "--target-qps"),
        (replace(SAID, target_tps=1.0, target_qps=1.0), "exclude each other"),
        (replace(SAID, headroom_ratio=1.0), "--headroom 100% leaves nothing"),
        (replace(SAID, max_p95_ms=0.0), "--max-p95-ms 0 must be above 0"),
        (replace(SAID, connections=0), "--connections 0 must be at least 1"),
        (replace(SAID, connections=8), "--connections 8 cannot keep --threads 16 busy"),
    ],
)
def test_impossible_values_are_refused(said: Description, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        workload_of(said)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("text", "ratio"), [("mixed", 14 / 18), (" READ ", 1.0), ("0.5", 0.5), ("80%", 0.8), ("0", 0.0)]
)
def test_profiles_are_named_or_shares(text: str, ratio: float) -> None:
    assert profile_named(text).read_ratio == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1.5", "not a read share between 0 and 1$"),
        ("80", "did you mean 80%"),
        ("mxed", "did you mean mixed"),
        ("nan", "such as 0.8"),
        ("-0.1", "negative"),
        ("", "such as 0.8"),
    ],
)
def test_wrong_profiles_name_the_right_one(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        profile_named(text)
