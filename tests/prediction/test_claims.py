"""Published claims against the product's own predictions (MODEL.md section 6).

CPU: cached reads, client on the host, by the path that the ranking takes. Claims that the raw data
support hold, those that they refute fail. The figures of MODEL.md are means over repeats, the
product keeps medians, hence the tolerances: two points where three repeats differ little, one
cell where a count hangs on a threshold.
"""

from __future__ import annotations

from functools import cache

import pytest

from advisor.domain.vocabulary import Client, StorageType
from advisor.prediction.answer import predict
from tests.claims import C_VCPU, M_VCPU, SIZES, THREADS, USD_2021, gains_of
from tests.ground import catalogue, ground, perform, volume, workload

REPEAT = 0.05
#: Rounding of the published figures and of the stored curves.
NEAR = 0.02
EBS = (StorageType.GP2, StorageType.GP3, StorageType.IO1, StorageType.IO2)


@cache
def rate(family: str, vcpu: int, threads: int) -> float:
    """Predicted transactions/s of one cell."""
    load = workload(threads, "read", client=Client.LOCAL, data_gib=1.0, hot_gib=0.1)
    return perform(catalogue()[f"{family}.{SIZES[vcpu]}"], load).rate


def gains(one: str, other: str, sizes: tuple[int, ...]) -> dict[tuple[int, int], float]:
    """Return (vCPU, threads) → throughput of ``one`` over ``other``, less one."""
    return gains_of(rate, one, other, sizes)


def test_intel_leads_graviton2_by_5_percent_in_33_of_40_cells() -> None:
    """Graviton is at least 5 % below in 33 cells, by up to 41.8 %; ahead in 3, all within 5 %.

    It is 34 here: 33 counts the pilot run of c5.large and c6g.large, which is no evidence.
    """
    behind = gains("c6g", "c5", C_VCPU)
    assert len(behind) == 40
    assert sum(gain <= -REPEAT for gain in behind.values()) == 34
    assert min(behind.values()) == pytest.approx(-0.418, abs=NEAR)
    ahead = {cell: gain for cell, gain in behind.items() if gain > 0.0}
    assert set(ahead) == {(8, 64), (8, 128), (48, 128)}
    assert max(ahead.values()) <= REPEAT


def test_c5_beats_c6g_by_5_to_40_percent_is_false() -> None:
    """As published it would hold in all cells; c5 leads by less than 5 % or not at all in 7."""
    leads = gains("c5", "c6g", C_VCPU)
    assert any(lead < REPEAT for lead in leads.values())
    assert any(lead > 0.40 for lead in leads.values())


def test_graviton2_gives_most_queries_per_dollar_in_28_of_40_cells() -> None:
    """At the prices of 2021, c6g, c5 and c5a compared; 5 of the 40 cells within 5 %."""
    best = close = 0
    for vcpu in C_VCPU:
        for threads in THREADS:
            value = {family: rate(family, vcpu, threads) / usd for family, usd in USD_2021.items()}
            others = max(value["c5"], value["c5a"])
            best += value["c6g"] > others
            close += abs(value["c6g"] / others - 1.0) < REPEAT
    assert (best, close) == (28, 5)


def test_m6g_leads_m5_on_8_vcpu_where_threads_exceed_vcpu() -> None:
    """+14.9 % and +14.7 % at 64 and 128 threads; on 16 and 32 vCPU at most 11.5 %."""
    lead = gains("m6g", "m5", M_VCPU)
    assert lead[8, 64] == pytest.approx(0.149, abs=NEAR)
    assert lead[8, 128] == pytest.approx(0.147, abs=NEAR)
    most = max(lead[vcpu, threads] for vcpu in (16, 32) for threads in THREADS)
    assert most == pytest.approx(0.115, abs=NEAR)


def test_graviton2_leads_on_48_and_64_vcpu_when_threads_exceed_them() -> None:
    """5–14 % in every such cell but 48 vCPU at 64 threads, where it is 3.4 % behind."""
    lead = gains("m6g", "m5", (48, 64))
    beyond = {cell: gain for cell, gain in lead.items() if cell[1] > cell[0]}
    exception = beyond.pop((48, 64))
    assert exception == pytest.approx(-0.034, abs=NEAR)
    assert all(0.045 < gain < 0.145 for gain in beyond.values())


def test_intel_is_not_within_10_percent_on_small_sizes_in_all_scenarios() -> None:
    """Refuted at 4 vCPU and one thread: Graviton is 18.9 % below."""
    behind = gains("m6g", "m5", (2, 4))
    assert behind[4, 1] == pytest.approx(-0.189, abs=NEAR)


def test_intel_leads_at_low_concurrency_on_large_sizes() -> None:
    """Graviton is up to 20 % below on 16 and 32 vCPU.

    The 35 % of larger sizes is 48 vCPU only, 64 vCPU has 20 %.
    """
    behind = gains("m6g", "m5", (16, 32, 48, 64))
    most = {
        vcpu: -min(behind[vcpu, threads] for threads in THREADS if threads <= vcpu)
        for vcpu in (16, 32, 48, 64)
    }
    assert most[16] < 0.20 + NEAR
    assert most[32] < 0.20 + NEAR
    assert most[48] == pytest.approx(0.35, abs=2.0 * NEAR)
    assert most[64] == pytest.approx(0.20, abs=NEAR)


def test_m5a_is_never_competitive() -> None:
    """m5 leads by 17 to 188 % in all 56 cells."""
    lead = gains("m5", "m5a", M_VCPU)
    assert len(lead) == 56
    assert min(lead.values()) == pytest.approx(0.17, abs=NEAR)
    assert max(lead.values()) == pytest.approx(1.88, abs=2.0 * NEAR)


def test_c5a_is_contested() -> None:
    """c5 mostly 8 to 15 % ahead, 56 to 89 % on 48 vCPU up to 32 threads, yet c5a leads in 2 cells.

    Per dollar of 2021 c5a is better than c5 in 7. Those counts include the pilot runs of c5.large
    and c5a.large, which are no evidence: without them c5a leads in one cell, and is better per
    dollar in 9, two of which the pilots had moved across the line.
    """
    lead = gains("c5", "c5a", C_VCPU)
    low = [lead[48, threads] for threads in THREADS if threads <= 32]
    assert min(low) == pytest.approx(0.56, abs=NEAR)
    assert max(low) == pytest.approx(0.89, abs=NEAR)
    assert sum(gain < 0.0 for gain in lead.values()) == 1
    dearer = USD_2021["c5"] / USD_2021["c5a"]
    assert sum(1.0 + gain < dearer for gain in lead.values()) == 9


def test_some_larger_sizes_are_slower_at_equal_threads_as_measured() -> None:
    """m5a from 8 to 16 vCPU at 8 threads loses 27 %: shown, not smoothed away."""
    assert rate("m5a", 16, 8) / rate("m5a", 8, 8) - 1.0 == pytest.approx(-0.27, abs=NEAR)


@pytest.mark.parametrize(
    ("kind", "iops"),
    [
        (StorageType.GP2, 1133.0),
        (StorageType.GP3, 1098.0),
        (StorageType.IO1, 1989.0),
        (StorageType.IO2, 3002.0),
    ],
)
def test_one_thread_reads_as_many_pages_as_measured(kind: StorageType, iops: float) -> None:
    """16 KiB random reads of one thread: 1 ÷ read latency; io2 sits at its 3,000 IOPS cap."""
    assert 1000.0 / ground().parameters.volume(kind).read_ms == pytest.approx(iops, rel=0.002)


def _disk_reads(threads: int, kind: StorageType) -> tuple[float, float, float | None]:
    """Return transactions/s, p95 and CV of reads that miss memory, 3,000 IOPS on r5.xlarge."""
    load = workload(threads, "read", client=Client.LOCAL, data_gib=700.0, hot_gib=700.0)
    spec = volume(kind, size_gib=1000, iops=3000, mib_per_s=250)
    outcome = perform(catalogue()["r5.xlarge"], load, spec)
    found = predict(outcome.settled, outcome.point, load, ground().parameters)
    cv = None if found.variation_cv is None else found.variation_cv.value
    return found.transactions_per_s.value, found.latency_p95_ms.value, cv


@pytest.mark.parametrize("threads", [16, 32, 64])
def test_from_16_read_threads_on_volumes_differ_in_the_tail_only(threads: int) -> None:
    """Throughput is equal; p95 rises from io2 over io1 and gp2 to gp3."""
    found = {kind: _disk_reads(threads, kind) for kind in EBS}
    rates = [found[kind][0] for kind in EBS]
    assert max(rates) == pytest.approx(min(rates), rel=0.01)
    tails = [found[kind][1] for kind in (EBS[3], EBS[2], EBS[0], EBS[1])]
    assert tails == sorted(tails)
    assert len(set(tails)) == 4


@pytest.mark.parametrize("threads", [1, 32])
def test_io2_is_steadiest_and_gp3_least_steady(threads: int) -> None:
    """CV per second: io2 < io1 < gp2 < gp3, with one read thread and with many."""
    steadiness = [
        _disk_reads(threads, kind)[2]
        for kind in (StorageType.IO2, StorageType.IO1, StorageType.GP2, StorageType.GP3)
    ]
    values = [cv for cv in steadiness if cv is not None]
    assert len(values) == 4
    assert values == sorted(values)
    assert values[0] < 0.5 * values[3]


def test_one_read_thread_is_fastest_on_io2_and_gp2_leads_gp3_slightly() -> None:
    """Latency decides at one thread: io2, io1, then gp2 about 3 % ahead of gp3."""
    rates = {kind: _disk_reads(1, kind)[0] for kind in EBS}
    gp2, gp3, io1, io2 = (rates[kind] for kind in EBS)
    assert io2 > io1 > gp2 > gp3
    assert gp2 / gp3 < 1.05


def test_one_durable_write_thread_is_faster_on_gp3_than_on_gp2() -> None:
    """One-thread writes: gp3 1,539 IOPS, gp2 1,097 (+40 %); only a part of a commit is a write."""
    load = workload(1, "write", client=Client.LOCAL, data_gib=1.0)
    rates = {
        kind: perform(catalogue()["r5.xlarge"], load, volume(kind, size_gib=1000)).rate
        for kind in EBS
    }
    assert 1.05 < rates[StorageType.GP3] / rates[StorageType.GP2] < 1.41
    assert max(rates, key=rates.__getitem__) is StorageType.IO2


def test_3000_iops_serve_disk_reads_better_than_2000_in_proportion() -> None:
    """Where data exceed memory the IOPS are the limit (2015 runs: 13 of 18 cells)."""
    load = workload(64, "read", client=Client.LOCAL, data_gib=700.0, hot_gib=700.0)
    rates = [
        perform(
            catalogue()["r5.xlarge"],
            load,
            volume(StorageType.IO1, size_gib=1000, iops=iops, mib_per_s=500),
        ).rate
        for iops in (2000, 3000)
    ]
    assert rates[1] / rates[0] == pytest.approx(1.5, rel=0.01)
