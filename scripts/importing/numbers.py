"""Numbers as text: the provider's precision without float noise, and units converted once."""

from __future__ import annotations

import statistics
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNIFICANT_DIGITS = 10
"""Digits kept of a published value: more than any tool prints, fewer than float noise."""

SPREAD_DIGITS = 6
"""Digits kept of a coefficient of variation computed here."""

SIZE_DIGITS = 4
"""Digits kept of a data size converted from a rounded decimal label."""

BYTES_PER_GB = 1000**3
BYTES_PER_GIB = 1024**3
BYTES_PER_MIB = 1024**2

PGBENCH_MIB_PER_SCALE = 14.95
"""MiB of one pgbench scale unit: 100,000 rows at 61 per 8 KiB page, plus the primary key."""


def plain(value: str | float, digits: int = SIGNIFICANT_DIGITS) -> str:
    """``value`` rounded to ``digits`` significant digits, without exponent or trailing zeros.

    An empty text stays empty: unknown is not zero.
    """
    if value == "":
        return ""
    number = Decimal(value) if isinstance(value, str) else Decimal(repr(value))
    if number == 0:
        return "0"
    rounded = round(number, digits - 1 - number.adjusted())
    text = format(rounded, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def gib_of_gb(gigabytes: str | float) -> str:
    """A decimal GB label in GiB, to :data:`SIZE_DIGITS` digits; empty stays empty."""
    if gigabytes == "":
        return ""
    return plain(float(gigabytes) * BYTES_PER_GB / BYTES_PER_GIB, SIZE_DIGITS)


def gib_of_pgbench_scale(scale: str | int) -> str:
    """Size in GiB of a pgbench database of this scale factor, to :data:`SIZE_DIGITS` digits."""
    return plain(float(scale) * PGBENCH_MIB_PER_SCALE / 1024, SIZE_DIGITS)


def mean_of(values: Sequence[float]) -> str:
    """Mean of ``values``, at least one: what the published tables and claims are made of."""
    return plain(statistics.fmean(values))


def spread_of(values: Sequence[float]) -> str:
    """Sample coefficient of variation of ``values``; empty for fewer than two or a zero mean."""
    mean = statistics.fmean(values)
    if len(values) == 1 or mean == 0:
        return ""
    return plain(statistics.stdev(values) / mean, SPREAD_DIGITS)
