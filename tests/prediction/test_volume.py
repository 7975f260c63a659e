"""What volumes sustain, and how long gp2 bursts: AWS's rules, by hand."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import Engine, Platform, StorageType
from advisor.prediction.demand import demand_of
from advisor.prediction.performance import InstancePart, io_limit_per_s, part_of
from advisor.prediction.volume import (
    GP2_BURST_IOPS,
    gp2_burst_minutes,
    gp2_iops,
    gp2_throughput_mib_per_s,
    limits_of,
)
from tests.ground import PROPERTY, catalogue, changed, ground, volume, workload, workloads

if TYPE_CHECKING:
    from advisor.domain.workload import Workload


@pytest.mark.parametrize(
    ("size_gib", "iops"),
    [(1, 100), (33, 100), (34, 102), (500, 1500), (1000, 3000), (5334, 16_000), (16_384, 16_000)],
)
def test_gp2_iops_follow_the_size(size_gib: int, iops: int) -> None:
    """3 IOPS per GiB, at least 100 and at most 16,000."""
    assert gp2_iops(size_gib) == iops


@pytest.mark.parametrize(
    ("size_gib", "mib_per_s"), [(10, 128), (170, 128), (334, 250), (9000, 250)]
)
def test_gp2_throughput_follows_the_size(size_gib: int, mib_per_s: int) -> None:
    assert gp2_throughput_mib_per_s(size_gib) == mib_per_s


def test_gp2_of_500_gib_bursts_for_an_hour() -> None:
    """5.4 million credits ÷ (3,000 − 1,500) per second = 60 minutes."""
    assert gp2_burst_minutes(500, 3000.0) == pytest.approx(60.0)


def test_gp2_of_100_gib_bursts_for_a_third_of_an_hour_more_than_its_bucket() -> None:
    """5.4 M ÷ (3,000 − 300) = 2,000 s."""
    assert gp2_burst_minutes(100, 3000.0) == pytest.approx(2000.0 / 60.0)


@pytest.mark.parametrize(("size_gib", "iops"), [(1024, 3000.0), (1000, 9000.0), (500, 1500.0)])
def test_gp2_never_ends_where_its_baseline_carries_the_load(size_gib: int, iops: float) -> None:
    assert gp2_burst_minutes(size_gib, iops) is None


@PROPERTY
@given(size=st.integers(min_value=1, max_value=999), demand=st.floats(min_value=1.0, max_value=1e5))
def test_a_burst_spends_exactly_one_bucket(size: int, demand: float) -> None:
    """Credits spent over the burst = 5.4 million; more demand than a burst gives spends no more."""
    minutes = gp2_burst_minutes(size, demand)
    if minutes is None:
        assert min(demand, GP2_BURST_IOPS) <= gp2_iops(size)
    else:
        spent = minutes * 60.0 * (min(demand, GP2_BURST_IOPS) - gp2_iops(size))
        assert spent == pytest.approx(5_400_000.0)


_IOPS = st.floats(min_value=100.0, max_value=1e6)


def _part(load: Workload, name: str = "m5.xlarge") -> InstancePart:
    parameters = ground().parameters
    return part_of(catalogue()[name], load, demand_of(load, Platform.EC2, Engine.MYSQL, parameters))


@PROPERTY
@given(load=workloads(), iops=_IOPS)
def test_at_its_limit_a_device_is_fully_used(load: Workload, iops: float) -> None:
    """Pages and the logs of one group of all threads add up to the IOPS bought."""
    part = _part(load)
    rate = io_limit_per_s(part, iops, iops)
    logs = 2.0 * part.demand.commits / load.threads if part.demand.is_durable else 0.0
    per_transaction = part.page_reads + part.demand.page_writes + logs
    assert per_transaction * rate == pytest.approx(iops) if per_transaction else rate == inf


@PROPERTY
@given(load=workloads(), iops=_IOPS, more=_IOPS)
def test_more_iops_never_lower_the_limit(load: Workload, iops: float, more: float) -> None:
    part = _part(load)
    few = io_limit_per_s(part, iops, iops)
    assert io_limit_per_s(part, iops + more, iops + more) >= few


def test_without_io_there_is_no_limit() -> None:
    """Cached reads ask nothing of a volume."""
    assert io_limit_per_s(_part(workload(16, "read", hot_gib=1.0)), 3000.0, 3000.0) == inf


def test_more_threads_share_a_log_write() -> None:
    """At the limit of a device commits wait together, so many threads need fewer log writes."""
    few, many = (_part(workload(threads, "write", hot_gib=1.0)) for threads in (1, 64))
    assert io_limit_per_s(many, 3000.0, 3000.0) > io_limit_per_s(few, 3000.0, 3000.0)


def test_reads_and_writes_share_a_disk_by_their_own_iops() -> None:
    """A device with dear writes carries less of the same mix."""
    part = _part(workload(16, "mixed", data_gib=1000.0, hot_gib=800.0))
    assert io_limit_per_s(part, 100_000.0, 50_000.0) < io_limit_per_s(part, 100_000.0, 100_000.0)


def test_an_ebs_volume_is_limited_by_itself_and_by_the_instance() -> None:
    entry = catalogue()["m5.xlarge"]
    limits = limits_of(volume(iops=16_000, mib_per_s=500), entry.instance, ground().parameters)
    assert (limits.read_iops, limits.write_iops, limits.mib_per_s) == (16_000.0, 16_000.0, 500.0)
    assert limits.instance_iops == entry.instance.ebs_baseline_iops == 6000.0


def test_local_disks_bypass_ebs_and_lose_iops_on_pages() -> None:
    """AWS publishes 4 KiB IOPS; a 16 KiB page costs more than one of them."""
    entry = catalogue()["i4i.xlarge"]
    disks = entry.instance.local_disks
    assert disks is not None
    assert disks.read_iops is not None
    spec = StorageSpec(type=StorageType.NVME, size_gib=800, iops=None, throughput_mib_per_s=None)
    limits = limits_of(spec, entry.instance, ground().parameters)
    assert limits.instance_iops is None
    assert limits.instance_mib_per_s is None
    assert 0.2 * disks.read_iops < limits.read_iops < disks.read_iops


@pytest.mark.parametrize("name", ["m5.xlarge", "i4i.xlarge"])
def test_unknown_disks_are_an_error_not_zero(name: str) -> None:
    """No local disks, or disks without published IOPS."""
    instance = catalogue()[name].instance
    if instance.local_disks is not None:
        instance = changed(instance, local_disks=changed(instance.local_disks, read_iops=None))
    spec = StorageSpec(type=StorageType.NVME, size_gib=800, iops=None, throughput_mib_per_s=None)
    with pytest.raises(ValueError, match="no local disks with known IOPS"):
        limits_of(spec, instance, ground().parameters)


def test_a_volume_without_iops_is_an_error() -> None:
    spec = StorageSpec(type=StorageType.GP3, size_gib=100, iops=None, throughput_mib_per_s=None)
    with pytest.raises(ValueError, match="no IOPS or throughput"):
        limits_of(spec, catalogue()["m5.xlarge"].instance, ground().parameters)
