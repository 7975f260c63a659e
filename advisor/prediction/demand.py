"""What one transaction asks of a database host.

CPU, statements, page touches, page writes, commits, bytes.

Everything here depends on the workload and the engine alone; what depends on the instance is in
``performance``.
"""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import Availability, Basis, Client, Durability, Engine

if TYPE_CHECKING:
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters

#: Bytes of an InnoDB page.
PAGE_KIB = 16.0


class Demand(NamedTuple):
    """One transaction's demands."""

    cpu_cost: float
    """CPU relative to the reference transaction of the compute curves (14 reads + BEGIN +
    COMMIT).
    """
    cpu_cost_sigma: float
    client_gain: float
    """Throughput of the host without the client on it ÷ with it; 1 for a local client."""
    network_s: float
    """Round trips of all statements, s."""
    network_sigma: float
    page_reads: float
    """Pages read from storage per transaction when nothing is cached."""
    page_reads_sigma: float
    page_writes: float
    """Pages written back per transaction, doublewrite not counted (it is merged into few large
    writes).
    """
    page_writes_sigma: float
    commits: float
    """Commits per transaction that must reach the log."""
    is_durable: bool
    """Whether a commit waits for the log to be on disk."""
    sync_count: float
    """Waits for stable storage per durable commit, in units of one synced write."""
    sync_sigma: float
    replica_wait_s: float
    """Wait for a semi-synchronous replica per commit, s."""
    network_mbit: float
    """Result bytes per transaction on the network, Mbit; 0 for a local client."""
    basis: Basis
    """Weakest basis among the demands that this workload uses."""


def demand_of(workload: Workload, engine: Engine, parameters: ModelParameters) -> Demand:
    """Return the demands of one transaction of ``workload`` on ``engine``."""
    profile = workload.profile
    value, sigma = parameters.value, parameters.sigma
    control = profile.statements - profile.reads - profile.writes
    read_cost = (
        (profile.reads + control) * value("mix.read_cost") * value(f"engine.{engine}.read_cost")
    )
    write_cost = profile.writes * value("mix.write_cost") * value(f"engine.{engine}.write_cost")
    cpu_cost = read_cost + write_cost
    is_local = workload.client is Client.LOCAL
    round_trip_ms = 0.0 if is_local else value(f"network.{workload.client}.round_trip_ms")
    page_reads = profile.reads * value("memory.pages_per_read") + profile.writes * value(
        "memory.pages_per_write"
    )
    is_durable = workload.durability is Durability.FULL
    replica_wait_s = 0.0
    if workload.availability is Availability.MULTI_AZ:
        replica_wait_s = value("network.cross-az.round_trip_ms") / 1000.0
    return Demand(
        cpu_cost=cpu_cost,
        cpu_cost_sigma=hypot(
            write_cost
            / cpu_cost
            * hypot(sigma("mix.write_cost"), sigma(f"engine.{engine}.write_cost")),
            read_cost / cpu_cost * sigma(f"engine.{engine}.read_cost"),
            0.0 if profile.name != "point" else sigma("mix.read_cost"),
        ),
        client_gain=1.0 if is_local else value("client.gain"),
        network_s=profile.statements * round_trip_ms / 1000.0,
        network_sigma=0.0 if is_local else sigma(f"network.{workload.client}.round_trip_ms"),
        page_reads=page_reads,
        page_reads_sigma=sigma("memory.pages_per_read"),
        page_writes=profile.writes * value("memory.flush_per_write"),
        page_writes_sigma=sigma("memory.flush_per_write"),
        commits=profile.commits,
        is_durable=is_durable,
        sync_count=value("commit.sync_count"),
        sync_sigma=sigma("commit.sync_count"),
        replica_wait_s=replica_wait_s,
        network_mbit=0.0
        if is_local
        else profile.reads * value("network.kib_per_read") * 8.0 / 1000.0 * 1.024,
        basis=_basis(workload, engine, parameters),
    )


def _basis(workload: Workload, engine: Engine, parameters: ModelParameters) -> Basis:
    """Return the weakest basis among the parameters that the workload uses."""
    names = [f"engine.{engine}.read_cost"]
    if workload.client is not Client.LOCAL:
        names += [f"network.{workload.client}.round_trip_ms", "client.gain"]
    if workload.profile.writes > 0.0:
        names += ["mix.write_cost", "memory.flush_per_write"]
        if workload.durability is Durability.FULL:
            names.append("commit.sync_count")
    if workload.profile.name == "point":
        names.append("mix.read_cost")
    return max((parameters.by_name[name].basis for name in names), key=lambda basis: basis.rank)
