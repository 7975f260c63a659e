"""How often intervals held what was measured, and how sure that share is."""

from __future__ import annotations

from math import exp, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.scorecard import Coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Normal quantile of Wilson's two-sided 95 % interval.
_Z_95 = 1.959963984540054


class Cell(NamedTuple):
    """One cell that was held out."""

    group: str
    """Cells of one group are not independent."""
    error: float
    """ln(predicted ÷ measured)."""
    width: float
    """Log half-width of its interval, calibrated without its group."""


def coverage(cells: Sequence[Cell], level: float) -> Coverage:
    """Return how often the widths held; the cells of a group count as what they are together.

    The number of independent cells is that which gives the variance between groups (design effect,
    Kish 1965).
    """
    hits: dict[str, list[bool]] = {}
    for cell in cells:
        hits.setdefault(cell.group, []).append(abs(cell.error) <= cell.width)
    count = len(cells)
    share = sum(map(sum, hits.values())) / count
    groups = len(hits)
    spread = sum((sum(mine) - share * len(mine)) ** 2 for mine in hits.values())
    variance = spread * groups / max(1, groups - 1) / count**2
    independent = min(count, share * (1.0 - share) / variance) if variance else groups
    low, high = wilson(share, independent)
    return Coverage(
        level=level,
        share=share,
        low=low,
        high=high,
        width=exp(fmean(cell.width for cell in cells)) - 1.0,
    )


def wilson(share: float, count: float) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share of ``count`` > 0 cases (Wilson 1927)."""
    square = _Z_95**2
    centre = (share + square / (2.0 * count)) / (1.0 + square / count)
    half = (
        _Z_95
        * sqrt(share * (1.0 - share) / count + square / (4.0 * count * count))
        / (1.0 + square / count)
    )
    return max(0.0, centre - half), min(1.0, centre + half)
