"""Sizes, shares, money and counts as people write them, to and from plain numbers.

Every parser raises ValueError with the end of a sentence that starts with the value: ``is not a
size such as 100GiB``. A printed size is read back as exactly the same number.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from math import ceil, isfinite

#: GiB of one unit. Without the i a unit is decimal. A single letter is binary, as in my.cnf.
_GIB = {
    "kib": 2.0**-20,
    "mib": 2.0**-10,
    "gib": 1.0,
    "tib": 2.0**10,
    "pib": 2.0**20,
    "kb": 1e3 / 2**30,
    "mb": 1e6 / 2**30,
    "gb": 1e9 / 2**30,
    "tb": 1e12 / 2**30,
    "pb": 1e15 / 2**30,
    "k": 2.0**-20,
    "m": 2.0**-10,
    "g": 1.0,
    "t": 2.0**10,
    "p": 2.0**20,
    "": 1.0,
}
_BINARY_STEP = 1024.0
_CENT = Decimal("0.01")
#: Digits between thousands separators.
_GROUP = 3


def parse_number(text: str) -> float:
    """Return a finite number; commas between thousands are allowed."""
    stripped = text.strip()
    try:
        value = float(_without_commas(stripped))
    except ValueError:
        raise ValueError("is not a number") from None
    if not isfinite(value) or "_" in stripped:
        raise ValueError("is not a finite number")
    return value


def parse_count(text: str) -> int:
    """Return a whole number; commas between thousands are allowed."""
    value = parse_number(text)
    if value != int(value):
        raise ValueError("is not a whole number")
    return int(value)


def parse_size_gib(text: str) -> float:
    """Return a size in GiB; a bare number is GiB already.

    GiB, MiB, TiB are binary, GB, MB, TB decimal, and a single letter (100G) is binary as MySQL
    reads it.
    """
    stripped = text.strip()
    number = stripped.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = stripped[len(number) :].strip().lower()
    try:
        value = parse_number(number)
    except ValueError:
        raise ValueError("is not a size such as 100GiB or 1.5TB") from None
    if unit not in _GIB:
        raise ValueError("has an unknown unit; units are MiB, GiB, TiB, MB, GB and TB")
    if value < 0.0:
        raise ValueError("is negative")
    return _finite(value * _GIB[unit])


def parse_volume_gib(text: str) -> int:
    """Return the size of an EBS volume in whole GiB, rounded up.

    AWS sells and bills GiB and writes GB (its price list, its console), so GB is read as that here:
    500GB is a volume of 500 GiB, and 1TB is 1,000 of them.
    """
    gib = parse_size_gib(text)
    if is_decimal_size(text):
        gib *= 2**30 / 1e9
    return ceil(round(gib, 6))


def is_decimal_size(text: str) -> bool:
    """Whether a size is written in a decimal unit: GB, not GiB."""
    word = text.strip().lower()
    return word.endswith("b") and not word.endswith("ib")


def format_size(gib: float) -> str:
    """Return a size that ``parse_size_gib`` reads back exactly, in the unit that reads best."""
    if gib >= _BINARY_STEP and _is_short(gib / _BINARY_STEP):
        return f"{_plain(gib / _BINARY_STEP)}TiB"
    if 0.0 < gib < 1.0 and _is_short(gib * _BINARY_STEP):
        return f"{_plain(gib * _BINARY_STEP)}MiB"
    return f"{_plain(gib)}GiB"


def parse_ratio(text: str) -> float:
    """Return a share as a ratio from ``0.3`` or ``30%``; negative ones are refused."""
    stripped = text.strip()
    is_percent = stripped.endswith("%")
    try:
        value = parse_number(stripped.removesuffix("%"))
    except ValueError:
        raise ValueError("is not a share such as 30% or 0.3") from None
    if value < 0.0:
        raise ValueError("is negative")
    return value / 100.0 if is_percent else value


def format_ratio(ratio: float) -> str:
    """Return a share as a percentage that ``parse_ratio`` reads back to the 12th digit."""
    return f"{ratio * 100.0:.12g}%"


def parse_usd(text: str) -> Decimal:
    """Return an amount of US dollars from ``500``, ``$1,200`` or ``99.50``."""
    stripped = text.strip().removeprefix("$").strip()
    try:
        value = Decimal(_without_commas(stripped))
    except (InvalidOperation, ValueError):
        raise ValueError("is not an amount such as 500 or 99.50") from None
    if not value.is_finite() or "_" in stripped:
        raise ValueError("is not a finite amount")
    return value


def format_usd(usd: Decimal) -> str:
    """Return dollars and cents with thousands separators."""
    return f"${usd.quantize(_CENT):,}"


def _without_commas(text: str) -> str:
    """Return ``text`` without its thousands separators; ValueError where they are elsewhere."""
    if "," not in text:
        return text
    whole, _, rest = text.partition(".")
    first, *groups = whole.split(",")
    if (
        "," in rest
        or not first.lstrip("+-").isdigit()
        or any(len(part) != _GROUP for part in groups)
    ):
        raise ValueError("has a misplaced comma")
    return text.replace(",", "")


def _finite(value: float) -> float:
    if not isfinite(value):
        raise ValueError("is too large")
    return value


def _is_short(value: float) -> bool:
    return len(_plain(value)) <= len("1234.5")


def _plain(value: float) -> str:
    """Return the shortest digits that read back as ``value``, without a trailing ``.0``."""
    return repr(float(value)).removesuffix(".0")
