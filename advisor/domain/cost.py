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
