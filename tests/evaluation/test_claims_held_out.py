"""Published claims (MODEL.md section 6) where the cells were held out.

Every cell is predicted without its own type. Tolerances are those of a held-out prediction: counts
may miss by two cells of 40, leads by the error that nine of ten cells keep. Where the cells are
known, ``tests/prediction/test_claims.py`` holds the claims to the digits.
"""

from __future__ import annotations

from functools import cache
from math import exp

import pytest

from advisor.prediction.calibration import Hold, groups_of, residuals_of
from advisor.prediction.compute import Compute
from tests.claims import C_VCPU, M_VCPU, SIZES, THREADS, USD_2021, gains_of
from tests.ground import fit_data

CELLS, LEAD = 2, 0.10
#: 16 KiB writes of one and two threads at 3,000 IOPS, as shares of the limit.
PEAKS = {"gp2": 0.716, "gp3": 0.974, "io1": 0.885}


@cache
def rates() -> dict[tuple[str, int], float]:
    """ln of transactions/s of each cell, without its type."""
    data = fit_data()
    compute = Compute(data.types, data.curve_points, data.scores)
    found = {
        (point.instance_type, point.threads): compute.measured(index)
        for index, point in enumerate(compute.points)
    }
    for residual in residuals_of(compute, groups_of(compute, Hold.SIZE)):
        point = compute.points[residual.at]
        found[point.instance_type, point.threads] += residual.error
    return found


def rate(family: str, vcpu: int, threads: int) -> float:
    """Transactions/s of one cell."""
    return exp(rates()[f"{family}.{SIZES[vcpu]}", threads])


def gains(one: str, other: str, sizes: tuple[int, ...]) -> dict[tuple[int, int], float]:
    """Return (vCPU, threads) → throughput of ``one`` over ``other``, less one."""
    return gains_of(rate, one, other, sizes)


def test_intel_leads_graviton2_in_most_cells_and_not_in_all() -> None:
    """True: 5 % or more below in 33 of 40. Refuted: by 5 to 40 % everywhere."""
    behind = gains("c6g", "c5", C_VCPU)
    assert sum(gain <= -0.05 for gain in behind.values()) == pytest.approx(33, abs=CELLS)
    assert min(behind.values()) == pytest.approx(-0.418, abs=LEAD)
    ahead = {cell: gain for cell, gain in behind.items() if gain > 0.0}
    assert ahead
    assert all(gain <= 0.05 and cell[1] >= 64 for cell, gain in ahead.items())


def test_graviton2_gives_most_queries_per_dollar() -> None:
    """True: c6g best in 28 of 40 cells at the prices of 2021."""
    best = 0
    for vcpu in C_VCPU:
        for threads in THREADS:
            value = {family: rate(family, vcpu, threads) / usd for family, usd in USD_2021.items()}
            best += value["c6g"] > max(value["c5"], value["c5a"])
    assert best == pytest.approx(28, abs=CELLS)


def test_m6g_leads_m5_on_8_vcpu_where_threads_exceed_vcpu() -> None:
    """True: about 15 % at 64 and 128 threads; on 16 and 32 vCPU at most 11.5 %."""
    lead = gains("m6g", "m5", M_VCPU)
    assert lead[8, 64] == pytest.approx(0.149, abs=LEAD)
    assert lead[8, 128] == pytest.approx(0.147, abs=LEAD)
    assert max(lead[vcpu, n] for vcpu in (16, 32) for n in THREADS) < 0.115 + LEAD


def test_graviton2_leads_on_48_and_64_vcpu_when_threads_exceed_them() -> None:
    """True for 128 threads; the exception at 64 on 48 vCPU only a run of that size shows."""
    lead = gains("m6g", "m5", (48, 64))
    assert lead[48, 128] > 0.0
    assert lead[64, 128] > 0.0


def test_intel_is_not_within_10_percent_on_small_sizes_in_all_scenarios() -> None:
    """Refuted: 4 vCPU and one thread."""
    assert gains("m6g", "m5", (4,))[4, 1] < -0.10


def test_intel_leads_at_low_concurrency_on_large_sizes() -> None:
    """True: up to about 20 % on 16 and 32 vCPU, more on larger."""
    behind = gains("m6g", "m5", (16, 32, 48, 64))
    most = {vcpu: -min(behind[vcpu, n] for n in THREADS if n <= vcpu) for vcpu in (16, 32, 48, 64)}
    assert most[16] == pytest.approx(0.18, abs=LEAD)
    assert most[32] == pytest.approx(0.17, abs=LEAD)
    assert most[48] == pytest.approx(0.355, abs=LEAD)
    assert 0.15 < most[64] < 0.205 + LEAD + 0.02


def test_m5a_is_never_competitive() -> None:
    """True: behind m5 in all 56 cells, by 17 % to nearly threefold."""
    lead = gains("m5", "m5a", M_VCPU)
    assert min(lead.values()) > 0.10
    assert 1.4 < max(lead.values()) < 2.1


def test_c5a_is_contested() -> None:
    """c5 leads nearly everywhere and far on 48 vCPU, yet c5a is the better buy in some cells."""
    lead = gains("c5", "c5a", C_VCPU)
    assert min(lead[48, n] for n in THREADS if n <= 32) > 0.3
    assert sum(gain < 0.0 for gain in lead.values()) <= CELLS
    dearer = USD_2021["c5"] / USD_2021["c5a"]
    assert 5 <= sum(1.0 + gain < dearer for gain in lead.values()) <= 14


def test_some_larger_sizes_are_slower_at_equal_threads() -> None:
    """m5a from 8 to 16 vCPU at 8 threads loses 27 %: other families and sizes show most of it."""
    step = rate("m5a", 16, 8) / rate("m5a", 8, 8) - 1.0
    assert step == pytest.approx(-0.275, abs=LEAD + 0.01)


@pytest.mark.parametrize("storage", sorted(PEAKS))
def test_where_write_threads_peak_follows_from_one_thread(storage: str) -> None:
    """At a threshold of 95 % only gp3 peaks at two write threads, as the runs show."""
    single = next(
        point.iops
        for point in fit_data().volume_points
        if (point.storage_type, point.mode, point.threads) == (storage, "fileio_rndwr", 1)
    )
    share = min(1.0, 2.0 * single / 3_000.0)
    assert share == pytest.approx(PEAKS[storage], abs=0.04)
    assert (share >= 0.95) == (storage == "gp3")
