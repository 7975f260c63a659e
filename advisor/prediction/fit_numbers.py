"""What all fits of parameters share: digits, means and spreads of logarithms."""

from __future__ import annotations

from math import exp, log
from statistics import mean, stdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNIFICANT = 4


def rounded(value: float) -> float:
    """Return ``value`` with the digits that are stored and hashed."""
    return float(f"{value:.{_SIGNIFICANT}g}")


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive ``values``."""
    return exp(mean(log(value) for value in values))


def log_spread(values: Sequence[float]) -> float:
    """Return the log standard deviation that ``values`` are a sample of; 0: a single one."""
    logs = [log(value) for value in values]
    return stdev(logs) if len(logs) > 1 else 0.0
