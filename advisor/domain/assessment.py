"""What one stated configuration will do: a candidate that nobody ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.cost import per_1000_tps, per_million
from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.advice import Counsel, Dispute
    from advisor.domain.candidate import Candidate
    from advisor.domain.config import Config
    from advisor.domain.cost import Cost
    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Prediction
    from advisor.domain.recommendation import Request
    from advisor.domain.workload import Assumption


@record
class Assessment:
    """A configuration, what it will do and what it costs."""

    request: Request
    """Workload, region and term asked about; the availability is that of the configuration."""
    config: Config
    """With every figure of its volume."""
    candidate: Candidate
    prediction: Prediction
    cost: Cost | None
    """None: a part has no price, as ``unpriced`` says."""
    unpriced: str | None
    """What has no price under the asked region and term; None: all is priced."""
    meets_target: bool | None
    """Whether target and latency limit hold; None: none was asked."""
    caveats: tuple[str, ...]
    contested: tuple[Dispute, ...]
    """Claims about it whose evidence contradicts itself, by claim."""
    evidence: tuple[Evidence, ...]
    counsel: Counsel
    assumed: tuple[Assumption, ...]
    """Every decision that the numbers depend on and that nobody stated."""
    data_version: str
    price_source: str
    model_version: str
    price_notes: tuple[str, ...] = ()
    """About the prices on the day of the question, for stderr: no part of the answer."""

    @property
    def usd_per_month_per_1000_tps(self) -> float | None:
        """Monthly cost ÷ (predicted transactions/s ÷ 1,000); None: unpriced."""
        return per_1000_tps(self.cost, self.prediction.transactions_per_s.value)

    @property
    def usd_per_million_transactions(self) -> float | None:
        """Cost of a million transactions when run at the predicted rate all month (730 h)."""
        return per_million(self.cost, self.prediction.transactions_per_s.value)
