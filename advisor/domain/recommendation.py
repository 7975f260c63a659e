"""The answer: ranked candidates with their reasons."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from advisor.domain.cost import per_1000_tps, per_million
from advisor.domain.record import record
from advisor.domain.vocabulary import (
    Architecture,
    Dialect,
    Engine,
    Objective,
    Payment,
    Platform,
    StorageType,
    Term,
)

if TYPE_CHECKING:
    from decimal import Decimal

    from advisor.domain.advice import Counsel, Dispute
    from advisor.domain.candidate import Candidate
    from advisor.domain.config import Config
    from advisor.domain.cost import Cost
    from advisor.domain.current import CurrentReview
    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Prediction
    from advisor.domain.workload import Assumption, Workload


@record
class Constraints:
    """What the user allows; an empty tuple or None does not restrict."""

    platforms: tuple[Platform, ...] = ()
    dialect: Dialect = Dialect.MYSQL
    engines: tuple[Engine, ...] = ()
    families: tuple[str, ...] = ()
    architectures: tuple[Architecture, ...] = ()
    storage_types: tuple[StorageType, ...] = ()
    min_vcpu: int | None = None
    max_vcpu: int | None = None
    min_memory_gib: float | None = None
    max_memory_gib: float | None = None
    budget_usd_per_month: Decimal | None = None
    allow_ephemeral: bool = False
    """Whether volatile local disks may hold the data on a single node."""


@record
class Request:
    """Everything that one answer depends on, besides the data."""

    workload: Workload
    constraints: Constraints
    region: str
    term: Term = Term.ON_DEMAND
    payment: Payment = Payment.NONE
    objective: Objective = Objective.BALANCED
    top: int = 5
    current: Config | None = None
    """What the user runs now, to be reviewed beside the answer; it changes no ranking."""
    assumed: tuple[Assumption, ...] = ()
    """Assumptions about region, term and objective; those of the workload are on it."""

    @property
    def all_assumed(self) -> tuple[Assumption, ...]:
        """Every decision that nobody stated: about the workload, then about the market."""
        return (*self.workload.assumed, *self.assumed)

    @property
    def identity(self) -> tuple[object, ...]:
        """What the answer depends on: said or assumed, the same value gives the same answer."""
        return (
            self.workload.identity,
            self.constraints,
            self.region,
            self.term,
            self.payment,
            self.objective,
            self.top,
            *(() if self.current is None else (self.current,)),
        )


@record
class Setting:
    """One server setting that goes with a pick."""

    name: str
    value: str
    reason: str


@record
class Ranked:
    """One ranked candidate."""

    rank: int
    candidate: Candidate
    prediction: Prediction
    cost: Cost
    score: float
    """Value of the objective, larger is better; comparable within one answer only."""
    role: str
    """``pick``, ``tie``, ``cheaper``, ``faster``, ``managed``, ``self-managed``,
    ``other-architecture``, ``other-storage``, ``alternative``.
    """
    meets_target: bool | None
    """Whether target and latency limit hold; None: none was asked."""
    probability_best: float | None
    """Share of paired draws in which it scores best among the leaders; None: not a leader."""
    expected_regret: float | None
    """Mean share of the best leader's score that it loses over the draws; None: not a leader."""
    tied_with: tuple[str, ...]
    """CONFIGs that it cannot be told from."""
    folded: tuple[str, ...]
    """CONFIGs of near-duplicates that this row stands for."""
    caveats: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    counsel: Counsel

    @property
    def usd_per_month_per_1000_tps(self) -> float | None:
        """Monthly cost ÷ (predicted transactions/s ÷ 1,000)."""
        return per_1000_tps(self.cost, self.prediction.transactions_per_s.value)

    @property
    def usd_per_million_transactions(self) -> float | None:
        """Cost of a million transactions when run at the predicted rate all month (730 h)."""
        return per_million(self.cost, self.prediction.transactions_per_s.value)


@record
class Knee:
    """What half the money and twice the money would bring; None where nothing is priced there."""

    half_config: str | None
    half_usd_per_month: Decimal | None
    half_throughput_ratio: float | None
    """Throughput of the best candidate at half the pick's cost ÷ the pick's."""
    twice_config: str | None
    twice_usd_per_month: Decimal | None
    twice_throughput_ratio: float | None


class Axis(StrEnum):
    """What of a workload is moved, all else held, to see where the lead changes."""

    THREADS = "threads"
    DATA_SIZE = "data-size"
    READ_SHARE = "read-share"


@record
class AxisCrossover:
    """How far the stated workload is, in one direction, from another choice.

    The pick and the options that differ from it in kind stay as they are and are scored anew along
    one axis. The pick holds while it leads by score, and while an error could explain that it does
    not and the price decides: the rule that chose it.
    """

    axis: Axis
    stated: float
    """The workload's own value: threads, GiB, or a share in 0..1."""
    looked_to: float
    """The farthest value looked at, above ``stated`` or below it."""
    value: float | None
    """The farthest value up to which the pick holds; None: as far as was looked."""
    changes_at: float | None
    """A little farther: the first value at which it does not; None as for ``value``."""
    rival: str | None
    """CONFIG that takes its place there; None with a value: none of those compared meets what was
    asked.
    """
    is_tie: bool | None
    """Whether it ties with the pick at the stated workload already, as the leaders of the ranking
    do; None: there is no rival.
    """

    @property
    def is_above(self) -> bool:
        """Whether it looks at larger values than the stated one."""
        return self.looked_to > self.stated

    @property
    def factor(self) -> float | None:
        """``value`` ÷ ``stated``; None where nothing changes, and for shares."""
        is_share = self.axis is Axis.READ_SHARE
        return None if is_share or self.value is None else self.value / self.stated


@record
class Unpriced:
    """An instance type left out because it has no price under the asked region and term."""

    instance_type: str
    reason: str


@record
class Rejection:
    """How many instance types, or storage options, a reason removed."""

    reason: str
    count: int
    example: str | None


@record
class Recommendation:
    """The whole answer."""

    id: str
    """Hash of the request and of the data, price and model versions: same id, same answer."""
    request: Request
    ranking: tuple[Ranked, ...]
    """Best first; the pick is ``ranking[0]``; never empty."""
    alternatives: tuple[Ranked, ...]
    """Rows that differ from the pick in kind: cheaper, faster, other architecture, other
    storage.
    """
    knee: Knee
    unpriced: tuple[Unpriced, ...]
    rejected: tuple[Rejection, ...]
    contested: tuple[Dispute, ...]
    """Claims about the rows whose evidence contradicts itself, by claim."""
    crossovers: tuple[AxisCrossover, ...]
    """By axis, the lower direction first; empty where nothing differs from the pick in kind."""
    considered: int
    """Candidates (instance × storage × engine) in the space that was searched."""
    notes: tuple[str, ...]
    """Said once for the whole answer: coverage gaps, what the evidence cannot carry."""
    data_version: str
    price_source: str
    price_as_of: str
    """Oldest date among the prices of the pick."""
    model_version: str
    current: CurrentReview | None = None
    """The review of ``request.current``; None: none was named."""
    price_notes: tuple[str, ...] = ()
    """About the prices on the day of the question, for stderr: no part of the answer."""

    @property
    def rows(self) -> tuple[Ranked, ...]:
        """Ranking and alternatives."""
        return (*self.ranking, *self.alternatives)

    @property
    def pick(self) -> Ranked:
        """The recommended candidate."""
        return self.ranking[0]
