"""Predictions respond in the right direction: any platform, type, storage, engine and workload."""

from __future__ import annotations

from collections import defaultdict
from math import exp, isfinite
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import Availability, Client, Durability, Platform, StorageType
from tests.ground import (
    PROPERTY,
    Outcome,
    System,
    catalogue,
    changed,
    ground,
    perform,
    scaled_parameters,
    sold_on,
    systems,
    volume,
    workload,
    workloads,
)

if TYPE_CHECKING:
    from advisor.domain.workload import Workload

#: Rounding of a solved balance.
SAME = 1.0 - 1e-6
FASTER = st.floats(min_value=0.05, max_value=0.999)


def _is_no_slower(better: Outcome, worse: Outcome) -> bool:
    """Whether ``better`` is at least as fast as ``worse``.

    Less waiting puts more threads at the CPU, and where its measured curve falls past its peak,
    that alone may cost throughput.
    """
    return better.rate >= worse.rate * SAME or better.is_past_peak


@PROPERTY
@given(system=systems(), load=workloads())
def test_a_prediction_is_a_positive_number(system: System, load: Workload) -> None:
    rate = system.under(load).rate
    assert isfinite(rate)
    assert rate > 0.0


@PROPERTY
@given(system=systems(on_ebs=True), load=workloads(), more=st.integers(1, 60_000))
def test_more_iops_are_never_slower(system: System, load: Workload, more: int) -> None:
    storage = system.storage
    assert storage.iops is not None
    faster = system._replace(storage=changed(storage, iops=storage.iops + more))
    assert faster.under(load).rate >= system.under(load).rate * SAME


@PROPERTY
@given(system=systems(on_ebs=True), load=workloads(), more=st.integers(1, 3000))
def test_more_throughput_of_the_volume_is_never_slower(
    system: System, load: Workload, more: int
) -> None:
    storage = system.storage
    assert storage.throughput_mib_per_s is not None
    faster = system._replace(
        storage=changed(storage, throughput_mib_per_s=storage.throughput_mib_per_s + more)
    )
    assert faster.under(load).rate >= system.under(load).rate * SAME


@PROPERTY
@given(system=systems(), load=workloads(), times=st.floats(1.0, 64.0))
def test_more_memory_is_never_slower(system: System, load: Workload, times: float) -> None:
    instance = system.entry.instance
    larger = changed(instance, memory_gib=instance.memory_gib * times)
    roomy = system._replace(entry=changed(system.entry, instance=larger))
    assert _is_no_slower(roomy.under(load), system.under(load))


@PROPERTY
@given(system=systems(), load=workloads(), share=FASTER)
def test_a_smaller_hot_set_is_never_slower(system: System, load: Workload, share: float) -> None:
    small = changed(load, hot_gib=load.hot_gib * share)
    assert _is_no_slower(system.under(small), system.under(load))


@PROPERTY
@given(system=systems(), load=workloads(), share=FASTER)
def test_a_quicker_read_is_never_slower(system: System, load: Workload, share: float) -> None:
    quick = system.under(load, scaled_parameters(f"{system.latency}.read_ms", share))
    assert _is_no_slower(quick, system.under(load))


@PROPERTY
@given(system=systems(), load=workloads(), share=FASTER)
def test_a_quicker_sync_is_never_slower(system: System, load: Workload, share: float) -> None:
    is_aurora = system.storage.type.is_aurora
    name = "aurora.commit_ms" if is_aurora else f"{system.latency}.write_ms"
    quick = system.under(load, scaled_parameters(name, share))
    assert _is_no_slower(quick, system.under(load))


@PROPERTY
@given(system=systems(), load=workloads(durability=Durability.FULL))
def test_relaxed_durability_is_never_slower(system: System, load: Workload) -> None:
    relaxed = changed(load, durability=Durability.RELAXED)
    assert _is_no_slower(system.under(relaxed), system.under(load))


@PROPERTY
@given(system=systems(), load=workloads(availability=Availability.MULTI_AZ))
def test_replicas_are_never_faster(system: System, load: Workload) -> None:
    single = changed(load, availability=Availability.SINGLE)
    assert _is_no_slower(system.under(single), system.under(load))


@PROPERTY
@given(system=systems(), load=workloads())
def test_a_farther_client_is_never_faster(system: System, load: Workload) -> None:
    """A client on the host takes some of its CPU, which is all that a remote one can gain."""
    local, near, far = (system.under(changed(load, client=client)) for client in Client)
    gain = ground().parameters.value("client.gain")
    assert _is_no_slower(near, far)
    assert near.rate <= local.rate * gain / SAME or local.is_past_peak


@PROPERTY
@given(system=systems(), load=workloads(), more=st.integers(1, 2000))
def test_more_threads_are_never_slower_before_the_curve_falls(
    system: System, load: Workload, more: int
) -> None:
    many = changed(load, threads=load.threads + more)
    assert _is_no_slower(system.under(many), system.under(load))


@PROPERTY
@given(system=systems(), load=workloads())
def test_no_more_than_the_capacity_of_the_cpu(system: System, load: Workload) -> None:
    outcome = system.under(load)
    assert outcome.rate <= outcome.settled.part.capacity_per_s * (1.0 + 1e-9)


def test_a_larger_size_of_a_family_never_has_less_capacity() -> None:
    """Over the whole catalogue; throughput at equal threads may fall, as some was measured to."""
    families: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for platform in Platform:
        for entry in sold_on(platform).values():
            capacity = exp(max(entry.curve.log_tps)) * entry.instance.cpu_baseline_ratio
            families[platform, entry.instance.family][entry.instance.vcpu].append(capacity)
    assert {platform for platform, _ in families} == set(Platform)
    assert len(families) > 50
    falls = [
        (family, small, large)
        for family, sizes in families.items()
        for small, large in zip(sorted(sizes), sorted(sizes)[1:], strict=False)
        if min(sizes[large]) < max(sizes[small]) * (1.0 - 1e-6)
    ]
    assert falls == []


def test_curves_of_the_whole_catalogue_are_sane() -> None:
    """Throughput of one thread 100…3,000 a second; never proportional or better; no collapse."""
    for name, entry in catalogue().items():
        first = exp(entry.curve.log_tps[0])
        assert 100.0 < first < 3000.0, name
        assert max(entry.curve.log_tps) - entry.curve.log_tps[-1] < 0.7, name
        assert all(ratio >= 1.0 for ratio in entry.curve.p95_ratio), name


@pytest.mark.parametrize("name", ["m5.xlarge", "m6i.2xlarge", "m7g.large", "r8g.xlarge"])
def test_one_thread_writing_durably_to_gp3_is_bound_by_its_syncs(name: str) -> None:
    """fdatasync p99 on gp3 is 3–5 ms: some hundred commits a second, not ten and not thousands."""
    load = workload(1, "write", data_gib=1.0)
    found = perform(catalogue()[name], load, volume())
    assert 50.0 < found.rate < 1500.0
    relaxed = perform(catalogue()[name], changed(load, durability=Durability.RELAXED), volume())
    assert relaxed.rate > 1.5 * found.rate


def test_local_nvme_commits_by_the_thousand() -> None:
    """Single-row inserts on m5d.xlarge reached 3,790/s durable and 11,190/s relaxed (2019)."""
    entry = catalogue()["m5d.xlarge"]
    disks = StorageSpec(type=StorageType.NVME, size_gib=139, iops=None, throughput_mib_per_s=None)
    for durability, published in ((Durability.FULL, 3790.0), (Durability.RELAXED, 11_190.0)):
        rates = []
        for threads in (1, 16):
            load = workload(
                threads, "write", client=Client.LOCAL, data_gib=1.0, durability=durability
            )
            # an insert is a quarter of the four statements of a `write`
            rates.append(4.0 * perform(entry, load, disks).rate)
        assert rates[0] / 3.0 < published < rates[1] * 3.0


def test_durable_writes_by_one_thread_are_far_faster_on_local_nvme() -> None:
    entry = catalogue()["m5d.xlarge"]
    disks = StorageSpec(type=StorageType.NVME, size_gib=139, iops=None, throughput_mib_per_s=None)
    load = workload(1, "write", client=Client.LOCAL, data_gib=1.0)
    assert perform(entry, load, disks).rate > 2.0 * perform(entry, load, volume()).rate
