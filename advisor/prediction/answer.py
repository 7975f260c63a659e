"""An operating point as a ``Prediction``: intervals, latency, tail and the bottleneck ledger."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from advisor.domain.prediction import Estimate, Prediction
from advisor.domain.vocabulary import EBS_TYPES, Basis, Station, StorageType
from advisor.prediction.curve import MOST_THREADS, interpolate
from advisor.prediction.performance import (
    OperatingPoint,
    Settled,
    iops_at,
)
from advisor.prediction.queueing import threads_at_rate
from advisor.prediction.stations import stations_of
from advisor.prediction.uncertainty import Z_80, factors_of, interval
from advisor.prediction.volume import GP2_BURST_IOPS, gp2_burst_minutes

if TYPE_CHECKING:
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters

#: Extra log error of a p95 over that of the mean: spread of p95 ÷ mean between types at equal
#: threads per vCPU.
TAIL_SIGMA = 0.12
#: Below this share of the response time the steadiness of storage does not show in the throughput.
STORAGE_SHARE_SHOWN = 0.05


def predict(
    settled: Settled, point: OperatingPoint, workload: Workload, parameters: ModelParameters
) -> Prediction:
    """Return the prediction of a candidate at its operating point."""
    rate = point.transactions_per_s
    low, high = interval(factors_of(settled, point))
    basis = basis_of(settled)
    mean_ms = _mean_ms(settled, point)
    times = _times_ms(settled, point)
    p95 = mean_ms + _tail_ms(settled, point, times)
    profile = workload.profile
    wider = exp(Z_80 * TAIL_SIGMA)
    return Prediction(
        transactions_per_s=Estimate(value=rate, low=low, high=high, basis=basis),
        queries_per_s=Estimate(
            value=rate * profile.statements,
            low=low * profile.statements,
            high=high * profile.statements,
            basis=basis,
        ),
        latency_avg_ms=Estimate(
            value=mean_ms, low=mean_ms * rate / high, high=mean_ms * rate / low, basis=basis
        ),
        latency_p95_ms=Estimate(
            value=p95,
            low=p95 * rate / high / wider,
            high=p95 * rate / low * wider,
            basis=basis,
        ),
        latency_p99_ms=None,
        variation_cv=_variation(settled, point, mean_ms, parameters),
        stations=stations_of(settled, point, times),
        burst_minutes=_burst_minutes(settled, point.limits.storage, rate),
        is_validated=_is_validated(settled, point),
    )


def basis_of(settled: Settled) -> Basis:
    """Return the weakest basis of the parts that the throughput rests on."""
    part = settled.part
    bases = [part.curve.basis, part.demand.basis]
    if part.curve.basis is Basis.MEASURED and not _is_measured_at(
        part.threads, part.curve.measured_to
    ):
        bases.append(Basis.INTERPOLATED)
    if settled.balance.threads_at_cpu > MOST_THREADS:
        bases.append(Basis.SCALED)
    if settled.read_s > 0.0:
        bases += [Basis.SCALED, settled.volume.basis]
    if part.instance.is_burstable:
        bases.append(Basis.ASSUMED)
    return max(bases, key=lambda basis: basis.rank)


def _is_validated(settled: Settled, point: OperatingPoint) -> bool:
    """Whether the throughput rests on a validated curve alone, within the measured threads."""
    demand = settled.part.demand
    delay = demand.network_s + settled.read_s + settled.commit_s
    return (
        settled.part.curve.is_validated
        and settled.part.threads <= MOST_THREADS
        and delay <= 0.0
        and point.limit is None
        and demand.basis.rank <= Basis.SCALED.rank
    )


def _is_measured_at(threads: float, measured_to: int) -> bool:
    """Whether a thread count is one of the measured ones: a power of two up to the largest."""
    count = int(threads)
    return count <= measured_to and count & (count - 1) == 0


def _estimate(value: float, sigma: float, basis: Basis) -> Estimate:
    factor = exp(Z_80 * sigma)
    return Estimate(value=value, low=value / factor, high=value * factor, basis=basis)


def p95_ms(settled: Settled, point: OperatingPoint) -> float:
    """Return the p95 of a transaction, ms."""
    return _mean_ms(settled, point) + _tail_ms(settled, point, _times_ms(settled, point))


def _mean_ms(settled: Settled, point: OperatingPoint) -> float:
    """Return threads ÷ throughput: the loop is closed."""
    return settled.part.threads / point.transactions_per_s * 1000.0


def _times_ms(settled: Settled, point: OperatingPoint) -> dict[Station, float]:
    """Return where one transaction spends its time; the values add up to its mean.

    Below a limit the CPU takes what the delays leave. Where a limit binds, fewer threads are at the
    CPU and the rest queue at the limiting station.
    """
    part, mean_ms = settled.part, _mean_ms(settled, point)
    delays = {
        Station.NETWORK: part.demand.network_s * 1000.0,
        Station.VOLUME_IOPS: settled.read_s * 1000.0,
        Station.COMMIT: settled.commit_s * 1000.0,
    }
    if point.limit is None:
        cpu_ms = mean_ms - sum(delays.values())
        return {Station.CPU: cpu_ms, **delays}
    at_cpu = threads_at_rate(
        part.log_tps, part.demand.cpu_cost, point.transactions_per_s, settled.balance.threads_at_cpu
    )
    cpu_ms = at_cpu / point.transactions_per_s * 1000.0
    times = {Station.CPU: cpu_ms, **delays}
    queue_ms = max(0.0, mean_ms - sum(times.values()))
    times[point.limit] = times.get(point.limit, 0.0) + queue_ms
    return times


def _tail_ms(settled: Settled, point: OperatingPoint, times: dict[Station, float]) -> float:
    """Return p95 − mean of a transaction.

    Independent parts add in quadrature, n equal operations as √n of one.
    """
    part, volume = settled.part, settled.volume
    threads_at_cpu = times[Station.CPU] * point.transactions_per_s / 1000.0
    excess = times[Station.CPU] * (interpolate(part.curve.p95_ratio, threads_at_cpu) - 1.0)
    squares = excess * excess
    if settled.read_s > 0.0:
        one_ms = volume.read_ms * (volume.read_p95_ratio - 1.0)
        seldom = max(0.0, part.page_reads * (1.0 - part.page_reads))
        squares += part.page_reads * one_ms * one_ms + seldom * volume.read_ms * volume.read_ms
    if settled.commit_s > 0.0:
        commit = settled.commit_s * 1000.0 * (volume.write_p95_ratio - 1.0)
        squares += commit * commit
    if point.limit is not None:
        queue_ms = times[point.limit] - (
            settled.read_s * 1000.0 if point.limit is Station.VOLUME_IOPS else 0.0
        )
        queue = max(0.0, queue_ms) * (volume.limit_p95_ratio - 1.0)
        squares += queue * queue
    return sqrt(squares)


def _variation(
    settled: Settled, point: OperatingPoint, mean_ms: float, parameters: ModelParameters
) -> Estimate | None:
    """Return the CV of per-second throughput where storage reads carry it.

    None where nothing was measured.
    """
    storage = point.limits.storage
    if settled.read_s <= 0.0 or storage.type not in EBS_TYPES:
        return None
    basis = Basis.SCALED
    if point.limit is Station.VOLUME_IOPS:
        value = parameters.value(f"volume.{storage.type}.limit_cv")
        return _estimate(value, TAIL_SIGMA * 4.0, basis)
    share = settled.read_s * 1000.0 / mean_ms
    if share < STORAGE_SHARE_SHOWN:
        return None
    return _estimate(settled.volume.variation_cv * share, TAIL_SIGMA * 4.0, basis)


def _burst_minutes(settled: Settled, storage: StorageSpec, rate: float) -> float | None:
    """Return the minutes of gp2 burst at what the workload would ask if the volume gave it."""
    if storage.type is not StorageType.GP2:
        return None
    wanted = max(rate, settled.balance.transactions_per_s)
    return gp2_burst_minutes(storage.size_gib, min(GP2_BURST_IOPS, iops_at(settled, wanted)))
