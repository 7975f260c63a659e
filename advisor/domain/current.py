"""What somebody runs now: what is wrong with it, and the moves that change one thing at a time."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.stated_storage import FIGURES

if TYPE_CHECKING:
    from decimal import Decimal

    from advisor.domain.assessment import Assessment
    from advisor.domain.workload import Assumption


class Problem(StrEnum):
    """What can be wrong with a configuration."""

    TOO_SMALL = "storage-too-small"
    """The storage cannot hold the data, or leaves them no room to grow."""
    VOLATILE = "volatile-storage"
    MISSES_TARGET = "misses-target"
    SATURATED = "saturated"
    WASTED_IOPS = "wasted-iops"
    """IOPS or MiB/s are paid that the instance cannot sustain, or that nothing uses."""
    GP2 = "gp2"
    OLD_GENERATION = "previous-generation"
    OVERSIZED = "oversized"


class MoveKind(StrEnum):
    """A change of one thing, the least disruptive first."""

    LARGER_VOLUME = "larger-volume"
    GP2_TO_GP3 = "gp2-to-gp3"
    AURORA_MODE = "aurora-storage-mode"
    LESS_IOPS = "less-iops"
    MORE_IOPS = "more-iops"
    DURABLE_STORAGE = "durable-storage"
    SMALLER_SIZE = "smaller-size"
    LARGER_SIZE = "larger-size"
    NEWER_GENERATION = "newer-generation"
    OTHER_ARCHITECTURE = "other-architecture"

    @property
    def rank(self) -> int:
        """0 for the least disruptive."""
        return list(MoveKind).index(self)


@record
class Finding:
    """One thing that is wrong."""

    problem: Problem
    message: str


@record
class Move:
    """One change and what it brings."""

    kind: MoveKind
    to: Assessment
    throughput_ratio: float
    """Predicted transactions/s after ÷ before."""
    p95_ratio: float
    saving_usd_per_month: Decimal | None
    """Positive: it costs less; None: one of the two is unpriced."""
    is_safe: bool
    """Whether it loses neither throughput, tail nor durability that what is asked needs."""


@record
class CurrentReview:
    """The review of what somebody runs now, beside a recommendation."""

    assessment: Assessment
    findings: tuple[Finding, ...]
    """The worst first; empty: nothing is wrong."""
    moves: tuple[Move, ...]
    """Those worth making: first what reaches what was asked, then the least disruptive."""
    pick_throughput_ratio: float
    """Predicted transactions/s of the pick ÷ those of the current configuration."""
    pick_p95_ratio: float
    pick_saving_usd_per_month: Decimal | None
    """What the pick saves a month; negative: it costs more; None: the current one is unpriced."""
    is_pick: bool
    """Whether the pick is the current configuration."""

    @property
    def assumed_figures(self) -> tuple[Assumption, ...]:
        """The figures of its volume that its CONFIG leaves out, as they were decided."""
        return tuple(each for each in self.assessment.assumed if each.name in FIGURES)

    @property
    def smallest_safe_move(self) -> Move | None:
        """The least disruptive move that loses nothing; None: none is worth making."""
        return next((move for move in self.moves if move.is_safe), None)
