"""AWS's words for the disks and rates of an instance type, as price lists and feeds have them."""

from __future__ import annotations

import math
import re

#: Short enough to be a finite one.
_NUMBER = r"\d[\d,]{0,11}(?:\.\d{1,9})?"
_DISKS = re.compile(rf"(?:(\d{{1,4}}) ?x ?)?({_NUMBER})(?: ?GB)?(?: (?:NVMe )?SSD)?", re.IGNORECASE)
_RATE = re.compile(rf"(Up to )?({_NUMBER}) (Mbps|Megabit|Gigabit|Gbps)", re.IGNORECASE)
_MEMORY = re.compile(rf"({_NUMBER}) GiB")
_VCPU = re.compile(r"\d{1,9}")
#: Largest number of vCPUs that is believed; the largest type of 2026 has 1920.
_MOST_VCPU = 2048
_GIGA = ("gigabit", "gbps")


def size_of(vcpu: str, memory: str) -> tuple[int, float] | None:
    """Return vCPUs and GiB of memory, such as ``2`` and ``8 GiB``; None: no size of a machine."""
    gib = _MEMORY.fullmatch(memory)
    if gib is None or not _VCPU.fullmatch(vcpu):
        return None
    size = int(vcpu), _number_of(gib[1])
    return size if is_size(*size) else None


def is_size(vcpu: int, memory_gib: float) -> bool:
    """Whether a machine can have that many vCPUs and GiB of memory."""
    return 1 <= vcpu <= _MOST_VCPU and 0 < memory_gib < math.inf


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
    return count, count * _number_of(found[2])


def megabits_of(words: str) -> tuple[float | None, float | None]:
    """Return the most per second, and what is there always: ``Up to`` says nothing of that."""
    found = _RATE.fullmatch(words)
    if found is None:
        return None, None
    most = _number_of(found[2]) * (1000 if found[3].lower() in _GIGA else 1)
    return most, None if found[1] else most


def _number_of(words: str) -> float:
    return float(words.replace(",", ""))
