"""What one transaction asks for follows from its statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.vocabulary import Availability, Basis, Client, Durability, Engine, Platform
from advisor.domain.workload import MIXED_READ_RATIO, PROFILES, profile_of_read_ratio
from advisor.prediction.demand import demand_of
from tests.ground import PROPERTY, ground, workload, workloads


@pytest.mark.parametrize(
    ("name", "reads", "writes", "statements"),
    [("read", 14, 0, 16), ("mixed", 14, 4, 20), ("write", 0, 4, 6), ("point", 1, 0, 1)],
)
def test_the_presets_are_those_of_sysbench(
    name: str, reads: float, writes: float, statements: float
) -> None:
    profile = PROFILES[name]
    assert profile.reads == pytest.approx(reads)
    assert profile.writes == pytest.approx(writes)
    assert profile.statements == pytest.approx(statements)
    assert profile.commits == min(1.0, profile.writes)


@PROPERTY
@given(st.floats(min_value=0.0, max_value=1.0))
def test_a_read_share_keeps_14_reads_or_4_writes(ratio: float) -> None:
    """Above 14/18 the 14 reads stay, below it the 4 writes; the share is the one asked for."""
    profile = profile_of_read_ratio(ratio)
    kept = profile.reads if ratio >= MIXED_READ_RATIO else profile.writes
    assert kept == (14.0 if ratio >= MIXED_READ_RATIO else 4.0)
    assert profile.read_ratio == pytest.approx(ratio, abs=1e-9)
    assert profile.statements == profile.reads + profile.writes + 2.0


@pytest.mark.parametrize("ratio", [-0.01, 1.01])
def test_a_share_outside_0_to_1_is_refused(ratio: float) -> None:
    with pytest.raises(ValueError, match="not between 0 and 1"):
        profile_of_read_ratio(ratio)


def test_the_reference_transaction_costs_one() -> None:
    """The curves are in read-only transactions of 16 statements, so `read` costs 1."""
    demand = demand_of(workload(1, "read"), Platform.EC2, Engine.MYSQL, ground().parameters)
    assert demand.cpu_cost == pytest.approx(1.0)


@PROPERTY
@given(
    low=st.floats(min_value=0.0, max_value=1.0),
    high=st.floats(min_value=0.0, max_value=1.0),
    engine=st.sampled_from(Engine),
)
def test_a_write_costs_more_than_a_read(low: float, high: float, engine: Engine) -> None:
    """CPU per statement rises as the share of writes does."""
    low, high = sorted((low, high))
    parameters = ground().parameters
    costs = []
    for ratio in (low, high):
        load = workload(1, repr(ratio))
        statements = load.profile.statements
        costs.append(demand_of(load, Platform.EC2, engine, parameters).cpu_cost / statements)
    assert costs[0] >= costs[1] * (1.0 - 1e-9)


def test_writes_cost_what_the_bare_metal_runs_say() -> None:
    """A mixed transaction costs 1.5 to 4 read-only ones (2026 runs, 64 and 128 threads)."""
    cost = demand_of(workload(1, "mixed"), Platform.EC2, Engine.MYSQL, ground().parameters).cpu_cost
    assert 1.5 < cost < 4.0


@PROPERTY
@given(workloads(client=Client.LOCAL), st.sampled_from(Engine))
def test_a_local_client_has_no_network(load: object, engine: Engine) -> None:
    demand = demand_of(load, Platform.EC2, engine, ground().parameters)  # type: ignore[arg-type]
    assert demand.network_s == 0.0
    assert demand.network_mbit == 0.0
    assert demand.client_gain == 1.0


def test_the_round_trip_grows_with_distance_and_statements() -> None:
    parameters = ground().parameters
    near, far = (
        demand_of(workload(1, "read", client=client), Platform.EC2, Engine.MYSQL, parameters)
        for client in (Client.SAME_AZ, Client.CROSS_AZ)
    )
    assert 0.0 < near.network_s < far.network_s
    assert near.client_gain == far.client_gain >= 1.0
    point = demand_of(workload(1, "point"), Platform.EC2, Engine.MYSQL, parameters)
    assert near.network_s == pytest.approx(16.0 * point.network_s)


def test_relaxed_durability_does_not_wait_for_the_log() -> None:
    parameters = ground().parameters
    full = demand_of(workload(1, "write"), Platform.EC2, Engine.MYSQL, parameters)
    relaxed = demand_of(
        workload(1, "write", durability=Durability.RELAXED), Platform.EC2, Engine.MYSQL, parameters
    )
    assert full.is_durable
    assert full.sync_count > 0.0
    assert not relaxed.is_durable
    assert full.cpu_cost == relaxed.cpu_cost


def test_replicas_make_a_commit_wait_for_another_zone() -> None:
    parameters = ground().parameters
    single = demand_of(workload(1, "write"), Platform.EC2, Engine.MYSQL, parameters)
    multi = demand_of(
        workload(1, "write", availability=Availability.MULTI_AZ),
        Platform.EC2,
        Engine.MYSQL,
        parameters,
    )
    assert single.replica_wait_s == 0.0
    assert 0.0002 < multi.replica_wait_s < 0.003


def test_a_reading_transaction_writes_nothing() -> None:
    demand = demand_of(workload(1, "read"), Platform.EC2, Engine.MYSQL, ground().parameters)
    assert demand.page_writes == demand.commits == 0.0
    assert demand.page_reads > 0.0


def test_the_basis_is_that_of_the_weakest_demand_used() -> None:
    """A local cached read on MySQL rests on measurements, a point read on an assumption."""
    parameters = ground().parameters
    local = workload(1, "read", client=Client.LOCAL)
    assert demand_of(local, Platform.EC2, Engine.MYSQL, parameters).basis is Basis.MEASURED
    assert (
        demand_of(workload(1, "point"), Platform.EC2, Engine.MYSQL, parameters).basis
        is Basis.ASSUMED
    )
    assert (
        demand_of(workload(1, "write"), Platform.EC2, Engine.MYSQL, parameters).basis
        is Basis.TRANSFERRED
    )
