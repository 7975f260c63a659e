"""The closed queueing view: N threads share a CPU of known throughput curve and think elsewhere.

The CPU is a flow-equivalent station: with n threads at it, it completes X(n) transactions/s. A
transaction spends
``delay_s`` elsewhere (network, reads, commit). Little's law for the whole loop, N = n + X(n) ×
delay, has one solution; stations with a hard limit then cap X (asymptotic bounds: Denning and Buzen
1978, Lazowska et al. 1984, chapter 5).
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from advisor.prediction.curve import THREADS, throughput

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS = 30
_TOLERANCE = 1e-9


class Balance(NamedTuple):
    """Where the threads are when the loop is in balance."""

    transactions_per_s: float
    threads_at_cpu: float
    elasticity_cpu: float
    """− d ln X ÷ d ln(CPU cost), 0..1."""
    elasticity_delay: float
    """− d ln X ÷ d ln(delay), 0..1."""


def balance(log_tps: Sequence[float], cpu_cost: float, delay_s: float, threads: float) -> Balance:
    """Return the balance of ``threads`` > 0 between a CPU and a delay of ``delay_s`` ≥ 0.

    ``cpu_cost`` > 0 is the CPU cost of a transaction relative to the reference transaction of the
    curve.
    """
    if delay_s <= 0.0:
        return Balance(
            transactions_per_s=throughput(log_tps, threads) / cpu_cost,
            threads_at_cpu=threads,
            elasticity_cpu=1.0,
            elasticity_delay=0.0,
        )
    scale = delay_s / cpu_cost
    first = exp(log_tps[0])
    if 1.0 + first * scale >= threads:
        at_cpu = threads / (1.0 + first * scale)
        slope = 1.0
    else:
        index = 0
        last = len(log_tps) - 1
        while index < last and THREADS[index + 1] + exp(log_tps[index + 1]) * scale < threads:
            index += 1
        if index == last:
            slope = 0.0
            at_cpu = threads - exp(log_tps[last]) * scale
        else:
            slope = (log_tps[index + 1] - log_tps[index]) / log(2.0)
            at_cpu = _solve(THREADS[index], exp(log_tps[index]) * scale, slope, threads)
    rate = throughput(log_tps, at_cpu) / cpu_cost
    pull = max(0.0, slope) * delay_s * rate / at_cpu
    return Balance(
        transactions_per_s=rate,
        threads_at_cpu=at_cpu,
        elasticity_cpu=1.0 / (1.0 + pull),
        elasticity_delay=pull / (1.0 + pull),
    )


def _solve(low: float, waiting_at_low: float, slope: float, threads: float) -> float:
    """Return n in [low, 2 low] with n + waiting_at_low × (n/low)^slope = threads.

    By safeguarded Newton steps.
    """
    left, right = low, 2.0 * low
    at_cpu = min(right, max(left, threads - waiting_at_low))
    for _ in range(_STEPS):
        waiting = waiting_at_low * exp(slope * log(at_cpu / low))
        error = at_cpu + waiting - threads
        if error > 0.0:
            right = at_cpu
        else:
            left = at_cpu
        step = error / (1.0 + slope * waiting / at_cpu)
        following = at_cpu - step
        if not left < following < right:
            following = 0.5 * (left + right)
        if abs(following - at_cpu) <= _TOLERANCE * at_cpu:
            return following
        at_cpu = following
    return at_cpu


def threads_at_rate(
    log_tps: Sequence[float], cpu_cost: float, rate: float, at_most: float
) -> float:
    """Return the fewest threads at the CPU that complete ``rate`` transactions/s.

    At most ``at_most``.
    """
    reference = rate * cpu_cost
    first = exp(log_tps[0])
    if reference <= first:
        return min(at_most, reference / first)
    target = log(reference)
    for index in range(1, len(log_tps)):
        if log_tps[index] >= target:
            before = log_tps[index - 1]
            fraction = (target - before) / (log_tps[index] - before)
            threads: float = THREADS[index - 1] * exp(log(2.0) * max(0.0, fraction))
            return min(at_most, threads)
    return at_most
