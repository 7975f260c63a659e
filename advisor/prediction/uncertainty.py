"""How sure a throughput is: its factors, their log errors, and the interval that follows.

A throughput is the least of what the balanced loop gives and what the tightest limit allows; each
has errors of its own. Equal sources of error move together across candidates.
"""

from __future__ import annotations

from math import exp, hypot, inf, log2, sqrt
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import Station

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.prediction.demand import Demand
    from advisor.prediction.performance import OperatingPoint, Settled

#: Standard normal quantile of a two-sided 80 % interval.
Z_80 = 1.2815515655446004
#: Error of an EBS limit itself: min(cap, n × IOPS(1)) is at most 7.7 % off in 84 cells of the
#: EBS fileio runs, and 0.0 % in the median.
LIMIT_SIGMA = 0.03
#: Rows of the user may be much smaller or larger than sysbench's.
RESULT_BYTES_SIGMA = 0.5
#: Largest ratio of hot data to page cache that was measured (2015 runs).
MEASURED_HOT_RATIO = 17.0
#: A limit this many times above the balanced rate cannot bind within the errors.
OUT_OF_REACH = 4.0

Errors = tuple[tuple[str, float], ...]


class Factor(NamedTuple):
    """One bound on the throughput and its (source, log sigma) errors."""

    rate: float
    """Transactions/s."""
    errors: Errors

    @property
    def sigma(self) -> float:
        """Log standard deviation of the rate."""
        return sqrt(sum(error * error for _, error in self.errors))


def covering(values: Iterable[float], share: float = 0.8) -> float:
    """Return the value that covers a share of ``values``; 0 without any."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def excess_per_octave(error: float, sigma: float, octaves: float) -> float:
    """Return the log error per octave that, with ``sigma``, makes an 80 % interval reach ``error``.

    The two add in quadrature; 0 where ``sigma`` alone reaches it.
    """
    return sqrt(max(0.0, (error / Z_80) ** 2 - sigma**2)) / octaves


def factors_of(settled: Settled, point: OperatingPoint) -> tuple[Factor, ...]:
    """Return the balanced loop first, then the tightest limit where it can bind."""
    balanced = settled.balance.transactions_per_s
    factors = [Factor(rate=balanced, errors=_balance_errors(settled))]
    ebs = min(point.ebs_iops_limit_per_s, point.ebs_throughput_limit_per_s)
    limits = (
        (min(point.volume_limit_per_s, point.throughput_limit_per_s, ebs), Station.VOLUME_IOPS),
        (settled.part.network_limit_per_s, Station.NETWORK),
    )
    for rate, station in limits:
        if rate < OUT_OF_REACH * balanced:
            factors.append(Factor(rate=rate, errors=_limit_errors(settled, station)))
    return tuple(factors)


def interval(factors: Iterable[Factor]) -> tuple[float, float]:
    """Return low and high of the least factor at 80 %, transactions/s."""
    low = high = inf
    for factor in factors:
        width = exp(Z_80 * factor.sigma)
        low = min(low, factor.rate / width)
        high = min(high, factor.rate * width)
    return low, high


def doubt(settled: Settled) -> float:
    """Return by how much I/O may exceed its estimate at 80 %: what a lower bound must allow for."""
    if settled.part.page_reads + settled.part.demand.page_writes <= 0.0:
        return 1.0
    errors = _limit_errors(settled, Station.VOLUME_IOPS)
    return exp(Z_80 * hypot(*(sigma for _, sigma in errors)))


def _balance_errors(settled: Settled) -> Errors:
    part = settled.part
    demand, curve = part.demand, part.curve
    elastic = settled.balance.elasticity_cpu
    delay = demand.network_s + settled.read_s + settled.commit_s
    at_cpu, vcpu = settled.balance.threads_at_cpu, part.instance.vcpu
    errors = [
        (f"silicon:{part.instance.silicon}", elastic * curve.silicon_sigma.at(at_cpu, vcpu)),
        (f"type:{part.instance.name}", elastic * curve.type_sigma.at(at_cpu, vcpu)),
        ("mix", elastic * demand.cpu_cost_sigma),
        (f"engine:{demand.kind}", elastic * demand.engine_sigma),
        (f"platform:{demand.platform}", elastic * demand.platform_sigma),
    ]
    if delay > 0.0:
        share = settled.balance.elasticity_delay / delay
        errors += [
            ("network", share * demand.network_s * demand.network_sigma),
            (f"read:{settled.volume.read_ms:g}", share * settled.read_s * settled.volume.sigma),
            ("pages", share * settled.read_s * _pages_sigma(settled)),
            (_commit_source(demand), share * settled.commit_s * demand.sync_sigma),
        ]
    return tuple(error for error in errors if error[1] > 0.0)


def _pages_sigma(settled: Settled) -> float:
    """Return the log error of the pages read; larger beyond the measured ratio of data to cache."""
    part = settled.part
    ratio = part.hot_gib / part.pool_gib
    if ratio <= MEASURED_HOT_RATIO:
        return part.demand.page_reads_sigma
    beyond = part.demand.pages_beyond_sigma * log2(ratio / MEASURED_HOT_RATIO)
    return hypot(part.demand.page_reads_sigma, beyond)


def _commit_source(demand: Demand) -> str:
    """Return what errs together at commit: Aurora's storage, or the way of the engine."""
    return "commit:aurora" if demand.synced_ms is not None else f"commit:{demand.kind}"


def _limit_errors(settled: Settled, station: Station) -> Errors:
    """Return the errors where a hard limit binds: those of the demand on it."""
    part = settled.part
    if station is Station.NETWORK:
        return (("result-bytes", RESULT_BYTES_SIGMA),)
    demand = part.demand
    reads, writes = part.page_reads, demand.page_writes
    if reads + writes <= 0.0:
        return (("limit", LIMIT_SIGMA),)
    pages = hypot(reads * _pages_sigma(settled), writes * demand.page_writes_sigma)
    return (("pages", pages / (reads + writes)), ("limit", LIMIT_SIGMA))
