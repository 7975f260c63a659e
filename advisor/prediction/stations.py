"""The bottleneck ledger: what each station carries at a throughput, and which one limits it."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.prediction import StationLoad
from advisor.domain.vocabulary import Station
from advisor.prediction.performance import mib_per_transaction

if TYPE_CHECKING:
    from advisor.prediction.performance import OperatingPoint, Settled


class _Line(NamedTuple):
    station: Station
    limit_per_s: float | None
    """Transactions/s at which the station is full; None: a pure delay."""
    capacity: float | None
    """The same limit in ``unit``."""
    unit: str
    load: float
    """Load where there is no limit to take a share of, in ``unit``."""
    note: str


def stations_of(
    settled: Settled, point: OperatingPoint, times: dict[Station, float]
) -> tuple[StationLoad, ...]:
    """Return the ledger in a fixed order, one limit marked.

    A load is the share of the station's limit that the rate uses, in the limit's unit, so that
    load, capacity and share agree also where log writes are grouped or reads and writes cost
    differently.
    """
    rate, limiting = point.transactions_per_s, limiting_station(settled, point)
    found = []
    for line in _lines(settled, point):
        used = None
        if line.limit_per_s is not None and line.limit_per_s != inf:
            used = rate / line.limit_per_s
        if line.station is Station.MEMORY:
            used = settled.part.hot_gib / settled.part.pool_gib
        is_share = used is not None and line.capacity is not None
        found.append(
            StationLoad(
                station=line.station,
                load=used * line.capacity if is_share and used and line.capacity else line.load,
                capacity=line.capacity,
                unit=line.unit,
                utilisation_ratio=used,
                time_ms=times.get(line.station, 0.0),
                is_limit=line.station is limiting,
                note=line.note,
            )
        )
    return tuple(found)


def limiting_station(settled: Settled, point: OperatingPoint) -> Station:
    """Return the station that sets the throughput: a limit, or what weighs most without one."""
    if point.limit is not None:
        return point.limit
    part = settled.part
    delay = part.demand.network_s + settled.read_s + settled.commit_s
    weights = {Station.CPU: settled.balance.elasticity_cpu}
    if delay > 0.0:
        share = settled.balance.elasticity_delay / delay
        weights[Station.NETWORK] = share * part.demand.network_s
        weights[Station.VOLUME_IOPS] = share * settled.read_s
        weights[Station.COMMIT] = share * settled.commit_s
    return max(weights, key=lambda station: weights[station])


def _finite(limit: float) -> float | None:
    return None if limit == inf else limit


def _lines(settled: Settled, point: OperatingPoint) -> list[_Line]:
    part, demand, rate = settled.part, settled.part.demand, point.transactions_per_s
    limits = point.limits
    mib = mib_per_transaction(part) * rate
    pages = (part.page_reads + demand.page_writes) * rate
    lines = [
        _Line(
            station=Station.CPU,
            limit_per_s=part.capacity_per_s,
            capacity=part.capacity_per_s,
            unit="transactions/s",
            load=rate,
            note=f"{part.instance.vcpu} vCPU",
        ),
        _Line(
            station=Station.MEMORY,
            limit_per_s=None,
            capacity=part.pool_gib,
            unit="GiB",
            load=part.hot_gib,
            note=f"{part.miss_ratio:.0%} of page touches miss the buffer pool",
        ),
        _Line(
            station=Station.VOLUME_IOPS,
            limit_per_s=point.volume_limit_per_s,
            capacity=_finite(limits.read_iops),
            unit="IOPS",
            load=pages,
            note=f"{part.page_reads:.1f} page reads, {demand.page_writes:.1f} page writes per "
            "transaction",
        ),
        _Line(
            station=Station.VOLUME_THROUGHPUT,
            limit_per_s=point.throughput_limit_per_s,
            capacity=_finite(limits.mib_per_s),
            unit="MiB/s",
            load=mib,
            note="",
        ),
    ]
    if limits.instance_iops is not None and limits.instance_mib_per_s is not None:
        is_mib = point.ebs_throughput_limit_per_s < point.ebs_iops_limit_per_s
        lines.append(
            _Line(
                station=Station.INSTANCE_EBS,
                limit_per_s=min(point.ebs_throughput_limit_per_s, point.ebs_iops_limit_per_s),
                capacity=limits.instance_mib_per_s if is_mib else limits.instance_iops,
                unit="MiB/s" if is_mib else "IOPS",
                load=mib if is_mib else pages,
                note="sustained",
            )
        )
    waits = "waits for the log" if demand.is_durable else "does not wait for the log"
    lines += [
        _Line(
            station=Station.COMMIT,
            limit_per_s=None,
            capacity=None,
            unit="commits/s",
            load=rate * demand.commits,
            note=waits,
        ),
        _Line(
            station=Station.NETWORK,
            limit_per_s=part.network_limit_per_s,
            capacity=part.instance.network_baseline_gbps if demand.network_mbit else None,
            unit="Gbit/s",
            load=rate * demand.network_mbit / 1000.0,
            note="",
        ),
    ]
    return lines
