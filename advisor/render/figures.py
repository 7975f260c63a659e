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
#: Columns of one bound of an interval.
_BOUND = 7
#: Outside of these, powers of ten read better.
_LEAST, _MOST = 1e-3, 1e9


def figure(value: float | None) -> str:
    """Return an uncertain number with three significant digits: ``1,830``, ``8.72``, ``0.567``."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if value == 0.0:
        return "0"
    if not _LEAST <= abs(value) < _MOST:
        return f"{value:.{DIGITS - 1}e}"
    rounded = float(f"{value:.{DIGITS}g}")
    if abs(rounded) >= _MILLION:
        return f"{rounded / _MILLION:,.{DIGITS}g}M"
    return f"{rounded:,.{max(0, DIGITS - 1 - floor(log10(abs(rounded))))}f}"


def fitted(value: float | None, width: int) -> str:
    """Return ``value`` as a figure, with fewer digits where the column is too narrow for it."""
    text = figure(value)
    if value is None or len(text) <= width:
        return text
    return min((f"{value:.1e}", f"{value:.0e}"), key=lambda each: (len(each) > width, -len(each)))


def count(value: float | None) -> str:
    """Return a known number whole, with separators."""
    return UNKNOWN if value is None or not isfinite(value) else f"{value:,.0f}"


def known(value: float | None) -> str:
    """Return a known number with at most four digits and nothing after them: ``32``, ``25.1``."""
    return UNKNOWN if value is None or not isfinite(value) else f"{float(f'{value:.4g}'):,.15g}"


def interval(estimate: Estimate) -> str:
    """Return the bounds of an estimate: ``1,510-2,230``."""
    return f"{fitted(estimate.low, _BOUND)}-{fitted(estimate.high, _BOUND)}"


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


def threads_phrase(threads: int) -> str:
    """Return a number of client threads."""
    return "1 thread" if threads == 1 else f"{count(threads)} threads"
