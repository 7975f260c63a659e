"""Figures of a stated volume: the missing ones are decided and said, impossible ones refused."""

from __future__ import annotations

import pytest

from advisor.domain.config import parse_config
from advisor.domain.description import Description, workload_of
from advisor.domain.stated_storage import completed
from advisor.domain.storage import VolumeLimits
from advisor.domain.vocabulary import StorageType
from advisor.domain.workload import PROFILES
from advisor.errors import UsageError

WORKLOAD = workload_of(Description(threads=16, profile=PROFILES["mixed"]))


def limits(kind: StorageType, **figures: float | None) -> VolumeLimits:
    usual: dict[str, float | None] = {
        "min_gib": 1,
        "max_gib": 65536,
        "min_iops": 3000,
        "max_iops": 80000,
        "iops_per_gib": 500.0,
        "min_throughput_mib_per_s": 125,
        "max_throughput_mib_per_s": 2000,
        "throughput_per_iops": 0.25,
    }
    return VolumeLimits(type=kind, durability="", **{**usual, **figures})  # type: ignore[arg-type]


GP3 = limits(StorageType.GP3)
IO1 = limits(
    StorageType.IO1, min_gib=4, max_gib=16384, min_iops=100, iops_per_gib=50.0, max_iops=64000
)
GP2 = limits(StorageType.GP2, iops_per_gib=3.0, throughput_per_iops=None, max_gib=16384)


@pytest.mark.parametrize(
    ("text", "bounds", "expected", "decided"),
    [
        ("gp3", GP3, "gp3:150GiB:3000:125", ["volume-size", "iops", "throughput"]),
        ("gp3:200GiB", GP3, "gp3:200GiB:3000:125", ["iops", "throughput"]),
        ("gp3:200GiB:6000", GP3, "gp3:200GiB:6000:125", ["throughput"]),
        ("gp3:200GiB:6000:250", GP3, "gp3:200GiB:6000:250", []),
        ("2xgp3", GP3, "2xgp3:75GiB:3000:125", ["volume-size", "iops", "throughput"]),
        ("gp3:1GiB:3000", GP3, "gp3:1GiB:3000:125", ["throughput"]),
        ("gp2", GP2, "gp2:150GiB", ["volume-size"]),
        ("io1:200GiB:6000", IO1, "io1:200GiB:6000", []),
    ],
)
def test_missing_figures_are_decided_and_said(
    text: str, bounds: VolumeLimits, expected: str, decided: list[str]
) -> None:
    config, assumed = completed(parse_config(f"mysql/m6g.large/{text}"), WORKLOAD, bounds)
    assert config.storage == expected
    assert [each.name for each in assumed] == decided
    assert all(each.value and each.reason for each in assumed)


@pytest.mark.parametrize(
    ("text", "bounds", "words"),
    [
        ("gp3:70000GiB", GP3, "1 to 65,536 GiB"),
        ("gp3:200GiB:2000", GP3, "3,000 to 80,000 IOPS"),
        ("gp3:100GiB:60000", GP3, "3,000 to 50,000 IOPS"),
        ("gp3:100GiB:3000:1000", GP3, "125 to 750 MiB/s"),
        ("gp3:100GiB:3000:50", GP3, "125 to 750 MiB/s"),
        ("gp3:100GiB:40000:3000", GP3, "125 to 2,000 MiB/s"),
        ("io1:100GiB:9000", IO1, "100 to 5,000 IOPS"),
        ("gp2:20TiB", GP2, "1 to 16,384 GiB"),
    ],
)
def test_impossible_figures_are_refused_with_the_limits(
    text: str, bounds: VolumeLimits, words: str
) -> None:
    with pytest.raises(UsageError) as raised:
        completed(parse_config(f"mysql/m6g.large/{text}"), WORKLOAD, bounds)
    assert words in raised.value.message
