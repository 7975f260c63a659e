"""The bill of a configuration: lines to the cent, with the source and date of every price."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.render.figures import cents, exact
from advisor.render.page import indented

if TYPE_CHECKING:
    from advisor.domain.cost import Cost, CostLine, Price
    from advisor.domain.recommendation import Recommendation, Request

_CENT = Decimal("0.01")
_UNITS = {"hour": "h", "million-requests": "M requests"}
_LABEL, _CALCULATION, _AMOUNT = 32, 28, 14


def cost_lines(answer: Recommendation) -> list[str]:
    """Return the bill of the pick."""
    return bill(answer.pick.cost, answer.request, answer.price_source)


def bill(cost: Cost, request: Request, price_source: str) -> list[str]:
    """Return quantity × price = amount per line, the total, and where the prices come from."""
    lines = [_line(line) for line in cost.lines]
    lines.append(_row("total a month", "", cents(cost.usd_per_month)))
    lines += indented(
        f"Prices: {', '.join(price_sources([line.price for line in cost.lines]))}; {request.term}, "
        f"{request.region}, {price_source}."
    )
    return lines


def price_sources(prices: list[Price]) -> list[str]:
    """Return each source of prices once, with its date."""
    return list(dict.fromkeys(f"{price.source} ({price.as_of})" for price in prices))


def _line(line: CostLine) -> str:
    unit = _UNITS.get(line.price.unit, line.price.unit.removesuffix("-month"))
    calculation = f"{exact(line.quantity)} {unit} x ${exact(line.price.usd)}"
    return _row(line.label, calculation, cents(line.usd_per_month.quantize(_CENT)))


def _row(label: str, calculation: str, amount: str) -> str:
    return f"  {label:<{_LABEL}} {calculation:>{_CALCULATION}} {amount:>{_AMOUNT}}"
