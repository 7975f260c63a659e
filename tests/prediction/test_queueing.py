"""The closed loop balances, by Little's law, whatever the curve."""

from __future__ import annotations

from itertools import accumulate
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.prediction.curve import THREADS, interpolate, peak, throughput
from advisor.prediction.queueing import balance, threads_at_rate
from tests.ground import PROPERTY


def _curves(least_step: float) -> st.SearchStrategy[tuple[float, ...]]:
    """Curves by their first point and the step of each octave, at most proportional."""
    steps = st.lists(
        st.floats(min_value=least_step, max_value=log(2.0)),
        min_size=len(THREADS) - 1,
        max_size=len(THREADS) - 1,
    )
    first = st.floats(min_value=log(10.0), max_value=log(5000.0))
    return st.builds(lambda start, rises: tuple(accumulate([start, *rises])), first, steps)


ANY_CURVE = _curves(-0.2)
RISING_CURVE = _curves(0.0)
DELAYS = st.floats(min_value=1e-6, max_value=10.0)
COSTS = st.floats(min_value=0.05, max_value=20.0)
COUNTS = st.integers(min_value=1, max_value=100_000)


@PROPERTY
@given(curve=ANY_CURVE, cost=COSTS, delay=DELAYS, threads=COUNTS)
def test_threads_are_at_the_cpu_or_waiting(
    curve: tuple[float, ...], cost: float, delay: float, threads: int
) -> None:
    """Little's law for the loop: N = n + X × delay, and n threads complete X."""
    found = balance(curve, cost, delay, float(threads))
    waiting = found.transactions_per_s * delay
    assert found.threads_at_cpu + waiting == pytest.approx(threads, rel=1e-6)
    rate = throughput(curve, found.threads_at_cpu) / cost
    assert found.transactions_per_s == pytest.approx(rate, rel=1e-9)
    cpu_s = found.threads_at_cpu / found.transactions_per_s
    assert found.transactions_per_s * (cpu_s + delay) == pytest.approx(threads, rel=1e-6)


@PROPERTY
@given(curve=ANY_CURVE, cost=COSTS, delay=DELAYS, threads=COUNTS)
def test_no_more_than_the_cpu_and_the_delay_allow(
    curve: tuple[float, ...], cost: float, delay: float, threads: int
) -> None:
    """The asymptotic bounds: capacity of the CPU, and threads over the least response time."""
    rate = balance(curve, cost, delay, float(threads)).transactions_per_s
    assert rate <= exp(max(curve)) / cost * (1.0 + 1e-9)
    assert rate <= threads / delay * (1.0 + 1e-9)


@PROPERTY
@given(curve=RISING_CURVE, cost=COSTS, delay=DELAYS, more=DELAYS, threads=COUNTS)
def test_a_longer_delay_is_never_faster_on_a_curve_that_does_not_fall(
    curve: tuple[float, ...], cost: float, delay: float, more: float, threads: int
) -> None:
    shorter = balance(curve, cost, delay, float(threads)).transactions_per_s
    longer = balance(curve, cost, delay + more, float(threads)).transactions_per_s
    assert longer <= shorter * (1.0 + 1e-6)


@PROPERTY
@given(curve=RISING_CURVE, cost=COSTS, delay=DELAYS, threads=COUNTS, more=COUNTS)
def test_more_threads_are_never_slower_on_a_curve_that_does_not_fall(
    curve: tuple[float, ...], cost: float, delay: float, threads: int, more: int
) -> None:
    few = balance(curve, cost, delay, float(threads)).transactions_per_s
    many = balance(curve, cost, delay, float(threads + more)).transactions_per_s
    assert many >= few * (1.0 - 1e-6)


@PROPERTY
@given(curve=RISING_CURVE, cost=COSTS, delay=DELAYS, threads=COUNTS)
def test_elasticities_share_one_and_predict_a_small_change(
    curve: tuple[float, ...], cost: float, delay: float, threads: int
) -> None:
    """The error model multiplies by them: they must be the derivatives they claim to be."""
    here = balance(curve, cost, delay, float(threads))
    assert 0.0 <= here.elasticity_cpu <= 1.0
    assert here.elasticity_cpu + here.elasticity_delay == pytest.approx(1.0)
    step = 1e-4
    there = balance(curve, cost, delay * exp(step), float(threads))
    octaves = {int(log(max(1.0, b.threads_at_cpu), 2.0)) for b in (here, there)}
    is_smooth = len(octaves) == 1 and (here.threads_at_cpu < 1.0) == (there.threads_at_cpu < 1.0)
    if is_smooth:
        change = log(there.transactions_per_s / here.transactions_per_s) / step
        assert change == pytest.approx(-here.elasticity_delay, abs=2e-3)


def test_without_a_delay_all_threads_are_at_the_cpu() -> None:
    curve = tuple(log(100.0 * min(count, 8)) for count in THREADS)
    found = balance(curve, 2.0, 0.0, 4.0)
    assert found.threads_at_cpu == 4.0
    assert found.transactions_per_s == pytest.approx(200.0)
    assert (found.elasticity_cpu, found.elasticity_delay) == (1.0, 0.0)


def test_a_delay_by_hand() -> None:
    """One thread, 10 ms at the CPU and 10 ms elsewhere: 50 transactions/s."""
    curve = tuple(log(100.0 * count) for count in THREADS)
    found = balance(curve, 1.0, 0.01, 1.0)
    assert found.transactions_per_s == pytest.approx(50.0)
    assert found.threads_at_cpu == pytest.approx(0.5)


def test_far_more_threads_than_the_curve_knows_reach_its_flat_end() -> None:
    curve = tuple(log(100.0 * min(count, 8)) for count in THREADS)
    assert balance(curve, 1.0, 0.01, 50_000.0).transactions_per_s == pytest.approx(800.0)


@PROPERTY
@given(curve=ANY_CURVE, cost=COSTS, threads=st.floats(min_value=0.01, max_value=1024.0))
def test_the_fewest_threads_for_a_rate_complete_it(
    curve: tuple[float, ...], cost: float, threads: float
) -> None:
    rate = throughput(curve, threads) / cost
    fewest = threads_at_rate(curve, cost, rate, threads)
    assert fewest <= threads
    assert throughput(curve, fewest) / cost == pytest.approx(rate, rel=1e-6)


def test_a_rate_beyond_the_curve_needs_all_threads() -> None:
    curve = (log(100.0),) * len(THREADS)
    assert threads_at_rate(curve, 1.0, 1000.0, 37.0) == 37.0
    assert threads_at_rate(curve, 1.0, 50.0, 0.25) == 0.25


@PROPERTY
@given(curve=ANY_CURVE, threads=st.floats(min_value=0.001, max_value=5000.0))
def test_the_peak_is_never_below_the_curve(curve: tuple[float, ...], threads: float) -> None:
    assert peak(curve, threads) >= throughput(curve, threads) * (1.0 - 1e-12)
    assert peak(curve, threads) <= exp(max(curve)) * (1.0 + 1e-12)


@PROPERTY
@given(curve=ANY_CURVE, octave=st.integers(min_value=0, max_value=len(THREADS) - 1))
def test_a_curve_goes_through_its_points(curve: tuple[float, ...], octave: int) -> None:
    assert throughput(curve, float(THREADS[octave])) == pytest.approx(exp(curve[octave]))


def test_between_points_a_curve_is_linear_in_the_logarithms() -> None:
    """Half an octave up, half the step; one thread and fewer in proportion; flat at the end."""
    curve = tuple(log(100.0) + 0.5 * index for index in range(len(THREADS)))
    assert interpolate(curve, 2.0**0.5) == pytest.approx(log(100.0) + 0.25)
    assert throughput(curve, 0.25) == pytest.approx(25.0)
    assert throughput(curve, 1e6) == pytest.approx(exp(curve[-1]))
