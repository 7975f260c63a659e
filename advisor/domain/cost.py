"""Money: prices as quoted and what a month costs."""

from __future__ import annotations

from decimal import Decimal

from advisor.domain.record import record

#: Hours in a month (DESIGN.md section 5).
HOURS_PER_MONTH = Decimal(730)


@record
class Price:
    """One quoted price."""

    usd: Decimal
    unit: str
    """``hour``, ``GiB-month``, ``IOPS-month``, ``MiB/s-month``, ``million-requests``."""
    source: str
    as_of: str
    """ISO date of the quote."""


@record
class CostLine:
    """One line of a bill: quantity × price."""

    label: str
    quantity: Decimal
    price: Price

    @property
    def usd_per_month(self) -> Decimal:
        """Quantity × price; for hourly prices the quantity is hours."""
        return self.quantity * self.price.usd


@record
class Cost:
    """What a candidate costs."""

    lines: tuple[CostLine, ...]

    @property
    def as_of(self) -> str | None:
        """Oldest date among the prices; None without lines."""
        return min((line.price.as_of for line in self.lines), default=None)

    @property
    def usd_per_month(self) -> Decimal:
        """The sum of the lines, rounded to the cent."""
        return sum((line.usd_per_month for line in self.lines), Decimal(0)).quantize(
            Decimal("0.01")
        )


@record
class PriceTier:
    """A price that holds from a quantity on."""

    above: int
    """Units below this are billed by the tiers before it."""
    price: Price


@record
class VolumeTariff:
    """What a volume type costs in a region."""

    capacity: Price
    """Per GiB-month of the whole volume."""
    iops: tuple[PriceTier, ...]
    """Per IOPS-month, marginal tiers in rising order; empty: IOPS come with the size."""
    throughput: Price | None
    """Per MiB/s-month above what is included; None: not sold apart."""
    requests: Price | None = None
    """Per million I/O requests; None: none are charged."""


def per_1000_tps(cost: Cost | None, transactions_per_s: float) -> float | None:
    """Return dollars a month for 1,000 transactions/s; None without a cost."""
    return None if cost is None else float(cost.usd_per_month) / transactions_per_s * 1000.0


def per_million(cost: Cost | None, transactions_per_s: float) -> float | None:
    """Return dollars for a million transactions at that rate all month (730 h); None: no cost."""
    if cost is None:
        return None
    per_month = transactions_per_s * float(HOURS_PER_MONTH) * 3600.0
    return float(cost.usd_per_month) / per_month * 1e6
