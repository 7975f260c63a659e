"""What limits a candidate, in words: a station that is full, or the latency of one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Station
from advisor.render.figures import figure, known, percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.prediction import Prediction, StationLoad

#: A CPU busier than this is called the limit; below it single transactions wait, not the CPU.
CPU_BUSY = 0.7
#: Any other station at this share of its capacity is called full.
FULL = 0.9
#: Stations this full are named beside the limit.
NEAR = 0.5
#: Shares of the response time below this are not spelled out.
_TIME_SHOWN = 0.02

_FULL_NAMES = {
    Station.CPU: "the CPU",
    Station.VOLUME_IOPS: "the IOPS of the volume",
    Station.VOLUME_THROUGHPUT: "the MiB/s of the volume",
    Station.INSTANCE_EBS: "the instance's own EBS limit",
    Station.COMMIT: "commits",
    Station.MEMORY: "memory",
    Station.NETWORK: "network bandwidth",
}
_WAIT_NAMES = {
    Station.CPU: "CPU work",
    Station.VOLUME_IOPS: "page reads from storage",
    Station.VOLUME_THROUGHPUT: "queueing for the volume's MiB/s",
    Station.INSTANCE_EBS: "queueing for the instance's EBS link",
    Station.COMMIT: "waiting for commits to be durable",
    Station.MEMORY: "memory",
    Station.NETWORK: "network round trips",
}
_ADVICE = {
    Station.CPU: "More or faster vCPU would bring more.",
    Station.VOLUME_IOPS: "More IOPS on the volume, or memory for the hot data, would bring more.",
    Station.VOLUME_THROUGHPUT: "More MiB/s on the volume would bring more.",
    Station.INSTANCE_EBS: (
        "More IOPS or MiB/s on the volume would be wasted: only an instance with a larger EBS "
        "baseline, or memory for the hot data, brings more."
    ),
    Station.NETWORK: "Only an instance with more network bandwidth brings more.",
}
_WAIT_ADVICE = {
    Station.CPU: "Faster cores or more threads would bring more, more vCPU alone would not.",
    Station.VOLUME_IOPS: (
        "Storage with lower latency, memory for the hot data, or more threads would bring more."
    ),
    Station.COMMIT: (
        "More threads share each flush of the log; faster log writes or relaxed durability would "
        "bring more."
    ),
    Station.NETWORK: "Fewer statements per transaction or a nearer client would bring more.",
}


def is_full(load: StationLoad) -> bool:
    """Whether a station is near its capacity, so that it and not latency sets the throughput."""
    if load.utilisation_ratio is None:
        return False
    return load.utilisation_ratio >= (CPU_BUSY if load.station is Station.CPU else FULL)


def limit_clause(prediction: Prediction) -> str:
    """Return what sets the throughput as the end of a sentence."""
    limit = prediction.bottleneck
    if is_full(limit):
        return f"limited by {_FULL_NAMES[limit.station]}"
    return f"limited by latency, mainly {_WAIT_NAMES[limit.station]}"


def limit_label(prediction: Prediction) -> str:
    """Return the limit for a table: ``cpu 89%`` or ``commit (latency)``."""
    limit = prediction.bottleneck
    if is_full(limit) and limit.utilisation_ratio is not None:
        return f"{limit.station} {percent(limit.utilisation_ratio)}"
    return f"{limit.station} (latency)"


def limit_sentences(prediction: Prediction) -> tuple[str, ...]:
    """Return what limits the candidate, where the time goes, and what is nearly full besides."""
    limit = prediction.bottleneck
    advice = _ADVICE if is_full(limit) else _WAIT_ADVICE
    sentences = [f"{_used(limit)} {advice.get(limit.station, '')}".rstrip()]
    sentences.append(_time_spent(prediction))
    near = [
        f"{load.station} {percent(load.utilisation_ratio)}"
        for load in prediction.stations
        if load.station not in (limit.station, Station.MEMORY)
        and load.utilisation_ratio is not None
        and load.utilisation_ratio >= NEAR
    ]
    sentences.append(
        f"Also in use at that rate: {', '.join(near)}."
        if near
        else f"Nothing else is above {percent(NEAR)} of its capacity."
    )
    sentences += _memory(prediction.stations)
    if prediction.burst_minutes is not None:
        sentences.append(
            f"gp2 credits end after {prediction.burst_minutes:,.0f} minutes at this load; the "
            "figures are those that last."
        )
    return tuple(sentences)


def _used(load: StationLoad) -> str:
    """Return the load of the limiting station against its capacity."""
    name = _FULL_NAMES[load.station]
    if is_full(load) and load.capacity is not None and load.utilisation_ratio is not None:
        return (
            f"{name[0].upper()}{name[1:]}: {figure(load.load)} of {figure(load.capacity)} "
            f"{load.unit} ({percent(load.utilisation_ratio)})."
        )
    busy = (
        f"; the CPU is {percent(load.utilisation_ratio)} busy"
        if load.station is Station.CPU and load.utilisation_ratio is not None
        else ""
    )
    return f"No part is full: each transaction's latency, mainly {_WAIT_NAMES[load.station]}{busy}."


def _time_spent(prediction: Prediction) -> str:
    mean_ms = prediction.latency_avg_ms.value
    parts = sorted(prediction.stations, key=lambda load: -load.time_ms)
    named = [
        f"{_wait_name(load)} {figure(load.time_ms)}"
        for load in parts
        if load.time_ms > _TIME_SHOWN * mean_ms
    ]
    return f"Of {figure(mean_ms)} ms per transaction: {', '.join(named)}."


def _wait_name(load: StationLoad) -> str:
    """Return what a transaction waits for there; a full volume makes it queue, too."""
    if load.station is Station.VOLUME_IOPS and load.is_limit and is_full(load):
        return "storage reads and queueing for IOPS"
    return _WAIT_NAMES[load.station]


def _memory(stations: Iterable[StationLoad]) -> list[str]:
    """Return how much of the hot data the buffer pool holds."""
    for load in stations:
        if load.station is Station.MEMORY and load.capacity is not None:
            if load.load <= load.capacity:
                held = f"holds all {known(load.load)} GiB of hot data"
            else:
                held = f"holds {percent(load.capacity / load.load)} of {known(load.load)} GiB hot"
            return [f"The buffer pool of {known(load.capacity)} GiB {held}."]
    return []
