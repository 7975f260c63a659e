"""A prediction adds up: ledger, intervals, tail and basis, for any candidate and workload."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from advisor.domain.prediction import LEVEL, Prediction
from advisor.domain.vocabulary import (
    Availability,
    Basis,
    Client,
    Durability,
    Engine,
    Station,
    StorageType,
)
from advisor.prediction.answer import predict
from tests.ground import (
    PROPERTY,
    System,
    catalogue,
    ground,
    systems,
    volume,
    workload,
    workloads,
)

if TYPE_CHECKING:
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import SpaceEntry


def _predict(system: System, load: Workload) -> Prediction:
    outcome = system.under(load)
    return predict(outcome.settled, outcome.point, load, ground().parameters)


def _on(entry: SpaceEntry, storage: StorageSpec) -> System:
    return System(entry, storage, Engine.MYSQL)


@PROPERTY
@given(system=systems(), load=workloads())
def test_the_ledger_adds_up(system: System, load: Workload) -> None:
    """The times of the stations are the mean latency; one station limits; none is negative."""
    found = _predict(system, load)
    times = [line.time_ms for line in found.stations]
    assert sum(times) == pytest.approx(found.latency_avg_ms.value, rel=1e-6)
    assert min(times) >= -1e-9 * found.latency_avg_ms.value
    assert sum(line.is_limit for line in found.stations) == 1
    assert found.bottleneck.is_limit
    names = [line.station for line in found.stations]
    assert len(names) == len(set(names))


@PROPERTY
@given(system=systems(), load=workloads())
def test_no_station_is_used_beyond_its_capacity(system: System, load: Workload) -> None:
    """Memory alone may be asked for more than there is: the rest is read from storage."""
    found = _predict(system, load)
    for line in found.stations:
        if line.station is not Station.MEMORY and line.utilisation_ratio is not None:
            assert 0.0 <= line.utilisation_ratio <= 1.0 + 1e-6


@PROPERTY
@given(system=systems(), load=workloads())
def test_intervals_and_rates_agree(system: System, load: Workload) -> None:
    """Low ≤ value ≤ high, finite and positive; queries = transactions × statements; N = X × R."""
    found = _predict(system, load)
    estimates = [
        found.transactions_per_s,
        found.queries_per_s,
        found.latency_avg_ms,
        found.latency_p95_ms,
        *([] if found.variation_cv is None else [found.variation_cv]),
    ]
    for estimate in estimates:
        assert 0.0 <= estimate.low <= estimate.value * (1.0 + 1e-9)
        assert estimate.value <= estimate.high * (1.0 + 1e-9)
        assert isfinite(estimate.high)
        assert estimate.level == LEVEL
    rate = found.transactions_per_s.value
    assert found.queries_per_s.value == pytest.approx(rate * load.profile.statements)
    assert rate * found.latency_avg_ms.value / 1000.0 == pytest.approx(load.threads)
    assert found.latency_p95_ms.value >= found.latency_avg_ms.value * (1.0 - 1e-9)


@PROPERTY
@given(system=systems(), load=workloads())
def test_the_basis_is_the_weakest_part(system: System, load: Workload) -> None:
    """Never stronger than the compute curve, nor than what the workload needs beside it."""
    found = _predict(system, load)
    least = [system.entry.curve.basis]
    if load.profile.writes > 0.0 or load.client is not Client.LOCAL:
        least.append(Basis.TRANSFERRED)
    if load.profile.name == "point" or system.entry.instance.is_burstable:
        least.append(Basis.ASSUMED)
    if system.under(load).settled.read_s > 0.0:
        least.append(Basis.SCALED)
    assert found.basis.rank >= max(basis.rank for basis in least)


def test_a_measured_cell_is_called_measured_and_one_between_interpolated() -> None:
    entry = catalogue()["m5.xlarge"]
    for threads, basis in ((16, Basis.MEASURED), (24, Basis.INTERPOLATED)):
        load = workload(threads, "read", client=Client.LOCAL, data_gib=1.0)
        assert _predict(_on(entry, volume()), load).basis is basis
    beyond = workload(512, "read", client=Client.LOCAL, data_gib=1.0)
    assert _predict(_on(entry, volume()), beyond).basis is not Basis.MEASURED


def test_uncertainty_grows_with_distance_from_the_evidence() -> None:
    """A measured type is surer than a size of its family, that surer than foreign silicon."""
    known = catalogue()
    load = workload(16, "read", client=Client.LOCAL, data_gib=1.0)
    widths = []
    for basis in (Basis.MEASURED, Basis.SCALED, Basis.TRANSFERRED):
        name = next(name for name in sorted(known) if known[name].curve.basis is basis)
        rate = _predict(_on(known[name], volume()), load).transactions_per_s
        widths.append(rate.high / rate.low)
    assert widths == sorted(widths)
    assert widths[0] < widths[2]


def test_a_cached_read_waits_for_the_cpu_alone() -> None:
    load = workload(64, "read", client=Client.LOCAL, data_gib=1.0)
    found = _predict(_on(catalogue()["m5.xlarge"], volume()), load)
    assert found.bottleneck.station is Station.CPU
    assert found.variation_cv is None
    assert found.burst_minutes is None
    by_station = {line.station: line for line in found.stations}
    assert by_station[Station.CPU].time_ms == pytest.approx(found.latency_avg_ms.value)
    assert by_station[Station.VOLUME_IOPS].load == 0.0


def test_many_threads_reading_from_a_small_volume_queue_there() -> None:
    """2,000 GiB hot on 16 GiB of memory: every touch is a read, the volume's IOPS are the limit."""
    load = workload(64, "read", client=Client.LOCAL, data_gib=2000.0, hot_gib=2000.0)
    found = _predict(_on(catalogue()["m5.xlarge"], volume(mib_per_s=500)), load)
    assert found.bottleneck.station is Station.VOLUME_IOPS
    assert found.bottleneck.load == pytest.approx(3000.0, rel=1e-6)
    assert found.bottleneck.time_ms > 0.9 * found.latency_avg_ms.value


def test_an_instance_smaller_than_its_volume_is_the_limit() -> None:
    """m5.large sustains 3,600 IOPS: 16,000 on the volume change nothing."""
    load = workload(64, "read", client=Client.LOCAL, data_gib=2000.0, hot_gib=2000.0)
    found = _predict(_on(catalogue()["m5.large"], volume(iops=16_000, mib_per_s=1000)), load)
    assert found.bottleneck.station is Station.INSTANCE_EBS
    assert found.bottleneck.capacity == pytest.approx(3600.0)


def test_gp2_says_when_its_burst_ends() -> None:
    """500 GiB under a load that wants all of 3,000 IOPS: 60 minutes; the rate is the one after."""
    load = workload(64, "read", client=Client.LOCAL, data_gib=300.0, hot_gib=300.0)
    small = volume(StorageType.GP2, iops=1500, mib_per_s=250)
    found = _predict(_on(catalogue()["m5.large"], small), load)
    assert found.burst_minutes == pytest.approx(60.0)
    by_station = {line.station: line for line in found.stations}
    assert by_station[Station.VOLUME_IOPS].load == pytest.approx(1500.0, rel=1e-6)
    large = volume(StorageType.GP2, size_gib=1024, iops=3072, mib_per_s=250)
    assert _predict(_on(catalogue()["m5.large"], large), load).burst_minutes is None


def test_replicas_and_durability_show_in_the_commit_line() -> None:
    def commit_ms(**said: object) -> float:
        found = _predict(_on(catalogue()["m5.xlarge"], volume()), workload(1, "write", **said))
        return next(line.time_ms for line in found.stations if line.station is Station.COMMIT)

    assert commit_ms(durability=Durability.RELAXED) == 0.0
    assert commit_ms() > 0.5
    assert commit_ms(availability=Availability.MULTI_AZ) > commit_ms()
