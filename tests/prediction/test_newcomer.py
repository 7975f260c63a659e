"""Types that came after the bundled evidence: candidates at once, as their nearest relatives."""

from __future__ import annotations

from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.domain.quote import TypeFacts
from advisor.domain.vocabulary import Architecture, Basis, Platform
from advisor.prediction.curve import SpaceEntry, throughput
from advisor.prediction.newcomer import newcomers
from tests.ground import ground


def _entries() -> tuple[SpaceEntry, ...]:
    return tuple(entry for entry in ground().entries if entry.platform is Platform.EC2)


def _known(name: str) -> SpaceEntry:
    return next(entry for entry in _entries() if entry.instance.name == name)


def _new(name: str, vcpu: int, memory_gib: float) -> SpaceEntry | None:
    found = newcomers([TypeFacts(name=name, vcpu=vcpu, memory_gib=memory_gib)], _entries())
    return found[0] if found else None


def test_a_new_generation_is_taken_as_the_last_one_and_is_less_sure() -> None:
    entry = _new("m12g.2xlarge", 8, 32.0)
    assert entry is not None
    like = _known("m9g.2xlarge")
    assert entry.curve.log_tps == like.curve.log_tps
    assert (entry.is_new, entry.curve.basis, entry.curve.is_validated) == (
        True,
        Basis.ASSUMED,
        False,
    )
    assert entry.curve.relatives == "m9g.2xlarge"
    assert entry.curve.silicon_sigma.loaded > like.curve.silicon_sigma.loaded + 0.1
    assert entry.instance.silicon != like.instance.silicon
    assert entry.instance.generation == 12
    assert entry.instance.architecture is Architecture.ARM64
    assert entry.instance.ebs_baseline_iops == like.instance.ebs_baseline_iops


def test_a_new_size_of_a_known_family_is_that_family_scaled() -> None:
    """96 vCPU from 64: at equal threads per vCPU half as much again, one thread as fast."""
    entry, like = _new("m7g.24xlarge", 96, 384.0), _known("m7g.16xlarge")
    assert entry is not None
    assert entry.curve.basis is like.curve.basis
    assert entry.instance.silicon == like.instance.silicon
    many, one = (throughput(entry.curve.log_tps, threads) for threads in (128.0, 1.0))
    assert many == pytest.approx(1.5 * throughput(like.curve.log_tps, 128.0 / 1.5))
    assert one == pytest.approx(throughput(like.curve.log_tps, 1.0), rel=1e-6)
    assert entry.curve.silicon_sigma == like.curve.silicon_sigma


def test_what_aws_says_of_it_wins() -> None:
    facts = TypeFacts(
        name="r12i.xlarge",
        vcpu=4,
        memory_gib=32.0,
        architecture="x86_64",
        threads_per_core=2,
        ebs_baseline_iops=9_000,
        ebs_max_iops=20_000,
        network_baseline_gbps=3.1,
        disk_count=1,
        disk_total_gb=118.0,
    )
    (entry,) = newcomers([facts], _entries())
    item = entry.instance
    assert (item.ebs_baseline_iops, item.ebs_max_iops) == (9_000, 20_000)
    assert item.network_baseline_gbps == 3.1
    assert item.local_disks is not None
    assert item.local_disks.read_iops is None


@pytest.mark.parametrize(
    "name",
    [
        "t9g.large",
        "m12g.metal",
        "m12g.metal-48xl",
        "zz9.large",
        "nonsense",
        "g9.xlarge",
        "d1.large",
    ],
)
def test_what_has_no_relative_is_no_candidate(name: str) -> None:
    assert _new(name, 8, 32.0) is None


def test_known_and_burstable_types_are_left_alone() -> None:
    facts = [
        TypeFacts(name="m7g.large", vcpu=2, memory_gib=8.0),
        TypeFacts(name="m12g.large", vcpu=2, memory_gib=8.0, is_burstable=True),
    ]
    assert newcomers(facts, _entries()) == ()


@settings(deadline=None, max_examples=60)
@given(
    vcpu=st.integers(1, 448),
    name=st.sampled_from(["m12g", "c12i", "r12a", "m7g", "i12g", "r8gd"]),
    threads=st.floats(1.0, 1024.0),
)
def test_every_newcomer_can_be_predicted(vcpu: int, name: str, threads: float) -> None:
    entry = _new(f"{name}.new", vcpu, 4.0 * vcpu)
    assert entry is not None
    rate = throughput(entry.curve.log_tps, threads)
    assert 0.0 < rate < exp(16.0)
    assert all(ratio >= 1.0 for ratio in entry.curve.p95_ratio)
    assert entry.instance.ebs_baseline_iops > 0
