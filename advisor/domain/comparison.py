"""Two to four configurations side by side over thread counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.assessment import Assessment
    from advisor.domain.cost import Cost
    from advisor.domain.prediction import Prediction
    from advisor.domain.recommendation import Request
    from advisor.domain.vocabulary import Term

#: Configurations that one comparison takes.
LEAST_COMPARED, MOST_COMPARED = 2, 4


@record
class Rung:
    """All configurations at one number of threads."""

    threads: int
    predictions: tuple[Prediction, ...]
    """In the order of the configurations."""
    leader: int
    """Place of the highest predicted throughput; the first of equals."""
    runner_up: int
    probability: float
    """Share of paired draws of the model's errors in which the leader beats the runner-up."""
    is_tie: bool
    """Whether the evidence cannot tell the leader from the runner-up."""

    @property
    def lead_ratio(self) -> float:
        """Throughput of the leader ÷ that of the runner-up; at least 1."""
        return self.rate(self.leader) / self.rate(self.runner_up)

    def rate(self, place: int) -> float:
        """Return the predicted transactions/s of a configuration."""
        return self.predictions[place].transactions_per_s.value


@record
class Crossover:
    """A change of the lead between two thread counts of the ladder."""

    before: int
    """Place of the configuration that leads below."""
    after: int
    from_threads: int
    """The last thread count at which ``before`` has the higher predicted throughput."""
    to_threads: int
    """The next one of the ladder."""
    leads_until: int
    """The last thread count at which ``before`` leads by more than the errors."""
    leads_from: int
    """The first thread count at which ``after`` leads by more than the errors."""


@record
class TermCosts:
    """What the configurations cost under one term."""

    term: Term
    costs: tuple[Cost | None, ...]
    """In the order of the configurations; None: a part has no price under the term."""


@record
class Comparison:
    """The whole comparison."""

    request: Request
    assessments: tuple[Assessment, ...]
    """Each configuration at the stated threads, in the order they were named."""
    ladder: tuple[Rung, ...]
    """By threads, the stated number among them."""
    crossovers: tuple[Crossover, ...]
    """In the order of threads."""
    terms: tuple[TermCosts, ...]

    @property
    def stated(self) -> Rung:
        """The configurations at the stated number of threads."""
        threads = self.request.workload.threads
        return next(rung for rung in self.ladder if rung.threads == threads)
