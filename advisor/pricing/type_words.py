"""AWS's words for the disks and rates of an instance type, as price lists and feeds have them."""

from __future__ import annotations

import re

_DISKS = re.compile(r"(?:(\d+) ?x ?)?([\d,.]+)(?: ?GB)?(?: (?:NVMe )?SSD)?", re.IGNORECASE)
_RATE = re.compile(r"(Up to )?([\d,.]+) (Mbps|Megabit|Gigabit|Gbps)", re.IGNORECASE)
_GIGA = ("gigabit", "gbps")


def disks_of(words: str) -> tuple[int | None, float | None]:
    """Return count and GB in all of solid-state disks; None: hard disks, or not told.

    ``EBS only``; ``2 x 1900 NVMe SSD``; ``1 x 75 GB NVMe SSD``; ``900 GB NVMe SSD``.
    """
    if words.lower() == "ebs only":
        return 0, 0.0
    found = _DISKS.fullmatch(words)
    if found is None:
        return None, None
    count = int(found[1] or 1)
    return count, count * number_of(found[2])


def megabits_of(words: str) -> tuple[float | None, float | None]:
    """Return the most per second, and what is there always: ``Up to`` says nothing of that."""
    found = _RATE.fullmatch(words)
    if found is None:
        return None, None
    most = number_of(found[2]) * (1000 if found[3].lower() in _GIGA else 1)
    return most, None if found[1] else most


def number_of(words: str) -> float:
    """Return a number that may have commas between its thousands."""
    return float(words.replace(",", ""))
