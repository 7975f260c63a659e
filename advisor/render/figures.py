"""Numbers as people read them: three significant digits, thousands separators, whole dollars.

Money and ratios arrive exact and are rounded here, nowhere before. Unknown is ``-``.
"""

from __future__ import annotations

from decimal import Decimal
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.domain.prediction import Estimate

UNKNOWN = "-"
#: Digits that an uncertain number deserves.
DIGITS = 3
_MILLION = 1e6


def figure(value: float | None) -> str:
    """Return an uncertain number with three significant digits: ``1,830``, ``8.72``, ``0.567``."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if value == 0.0:
        return "0"
    places = DIGITS - 1 - floor(log10(abs(value)))
    rounded = round(value, places)
    if abs(rounded) >= _MILLION:
        return f"{rounded / _MILLION:,.4g}M"
    text = f"{rounded:,.{max(0, places)}f}"
    # 9.996 rounds up to 10.00: one digit too many
    return text[:-1] if places > 0 and _digits(text) > DIGITS and abs(rounded) >= 1.0 else text


def _digits(text: str) -> int:
    return sum(letter.isdigit() for letter in text)


def count(value: float | None) -> str:
    """Return a known number whole, with separators."""
    return UNKNOWN if value is None or not isfinite(value) else f"{value:,.0f}"


def known(value: float | None) -> str:
    """Return a known number with at most four digits and nothing after them: ``32``, ``25.1``."""
    return UNKNOWN if value is None or not isfinite(value) else f"{float(f'{value:.4g}'):,.15g}"


def interval(estimate: Estimate) -> str:
    """Return the bounds of an estimate: ``1,510-2,230``."""
    return f"{figure(estimate.low)}-{figure(estimate.high)}"


def percent(ratio: float) -> str:
    """Return a ratio as a whole percentage; small ones keep a digit."""
    hundredths = ratio * 100.0
    if 0.0 < abs(hundredths) < 1.0:
        return f"{hundredths:.1g}%"
    return f"{hundredths:.0f}%"


def change(ratio: float) -> str:
    """Return ``ratio`` as a signed change: 1.25 is ``+25%``, 0.9 is ``-10%``."""
    moved = round((ratio - 1.0) * 100.0)
    return "no change" if moved == 0 else f"{moved:+,d}%"


def dollars(usd: Decimal | float) -> str:
    """Return whole dollars; cents below ten."""
    amount = Decimal(usd)
    return f"${amount:,.2f}" if abs(amount) < 10 else f"${amount:,.0f}"  # noqa: PLR2004 (ten)


def cents(usd: Decimal) -> str:
    """Return dollars and cents."""
    return f"${usd:,.2f}"


def exact(value: Decimal) -> str:
    """Return all digits of a decimal, with separators and without trailing zeros."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
