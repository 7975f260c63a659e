"""What one stated configuration will do: a candidate that nobody ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.advice import Counsel
    from advisor.domain.candidate import Candidate
    from advisor.domain.config import Config
    from advisor.domain.cost import Cost
    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Prediction
    from advisor.domain.recommendation import Request
    from advisor.domain.workload import Assumption

#: A month of 730 hours.
_HOURS = 730.0
_SECONDS_PER_HOUR = 3600.0


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
    evidence: tuple[Evidence, ...]
    counsel: Counsel
    assumed: tuple[Assumption, ...]
    """Every decision that the numbers depend on and that nobody stated."""
    data_version: str
    price_source: str
    model_version: str

    @property
    def usd_per_month_per_1000_tps(self) -> float | None:
        """Monthly cost ÷ (predicted transactions/s ÷ 1,000); None: unpriced."""
        return per_1000_tps(self.cost, self.prediction.transactions_per_s.value)

    @property
    def usd_per_million_transactions(self) -> float | None:
        """Cost of a million transactions when run at the predicted rate all month (730 h)."""
        return per_million(self.cost, self.prediction.transactions_per_s.value)


def per_1000_tps(cost: Cost | None, transactions_per_s: float) -> float | None:
    """Return dollars a month for 1,000 transactions/s; None without a cost."""
    return None if cost is None else float(cost.usd_per_month) / transactions_per_s * 1000.0


def per_million(cost: Cost | None, transactions_per_s: float) -> float | None:
    """Return dollars for a million transactions at that rate all month; None without a cost."""
    if cost is None:
        return None
    per_month = transactions_per_s * _HOURS * _SECONDS_PER_HOUR
    return float(cost.usd_per_month) / per_month * 1e6
