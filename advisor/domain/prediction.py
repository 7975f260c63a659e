"""A predicted performance with its uncertainty and its ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.vocabulary import Basis, Station

#: Level of every interval in an answer.
LEVEL = 0.8


@record
class Estimate:
    """A number and the interval it lies in with probability ``level``; low ≤ value ≤ high."""

    value: float
    low: float
    high: float
    basis: Basis
    level: float = LEVEL


@record
class StationLoad:
    """One line of the bottleneck ledger."""

    station: Station
    load: float
    """What the predicted throughput asks of the station, in ``unit``."""
    capacity: float | None
    """What the station sustains, in ``unit``; None: a pure delay, or no limit known."""
    unit: str
    utilisation_ratio: float | None
    """Share of the station's limit that this rate uses, 1 where it binds; None: a pure delay."""
    time_ms: float
    """Time one transaction spends there, queueing included, ms."""
    is_limit: bool
    """Whether this station sets the throughput."""
    note: str


@record
class Prediction:
    """What a candidate will do under a workload."""

    transactions_per_s: Estimate
    queries_per_s: Estimate
    latency_avg_ms: Estimate
    latency_p95_ms: Estimate
    latency_p99_ms: Estimate | None
    """None: the evidence carries no p99."""
    variation_cv: Estimate | None
    """Coefficient of variation of per-second throughput, 0..1; None: no evidence."""
    stations: tuple[StationLoad, ...]
    """The ledger; the times add up to ``latency_avg_ms.value``."""
    burst_minutes: float | None
    """gp2: minutes of burst at this load before the credits end; None: no burst involved."""
    is_validated: bool
    """Whether held-out groups have shown that intervals of this kind cover what they say.

    That takes ten independent groups, which only compute curves have: round trips, storage and
    writes rest on fewer runs.
    """

    @property
    def bottleneck(self) -> StationLoad:
        """The station that sets the throughput."""
        return next(load for load in self.stations if load.is_limit)

    @property
    def basis(self) -> Basis:
        """The weakest basis of the throughput."""
        return self.transactions_per_s.basis
