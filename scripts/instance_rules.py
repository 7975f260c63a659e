"""Rules that turn a type's name and AWS's description into family facts.

Owns silicon, generation, burst baseline and the reason for which a type is no default candidate.
Must never read a price or a file: the newest generations are passed in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Class, generation and what follows: ``m7i-flex`` → m, 7, i-flex; ``u7i-12tb`` → u, 7, i-12tb.
_FAMILY = re.compile(r"(?P<cls>[a-z]+)(?:-\d+tb)?(?:-m)?(?P<generation>\d+)(?P<rest>.*)")

#: Classes whose current relatives carry another letter: A1 → M6g…, Im4gn and Is4gen → I8g.
_RELATED_CLASS = {"a": "m", "im": "i", "is": "i"}

_ACCELERATED = frozenset({"dl", "f", "g", "gr", "inf", "p", "trn", "vt"})

#: Types with SATA or SAS disks, hence no NVMe (EC2 user guide, SSD instance store volumes).
SATA_FAMILIES = frozenset({"c1", "c3", "i2", "m1", "m2", "m3", "r3", "x1", "x1e"})

#: Baseline share of each vCPU; EC2 user guide, burstable performance instances.
_T_BASELINE = {
    "nano": "0.05",
    "micro": "0.1",
    "small": "0.2",
    "medium": "0.2",
    "large": "0.3",
    "xlarge": "0.4",
    "2xlarge": "0.4",
}
_T2_BASELINE = _T_BASELINE | {"xlarge": "0.225", "2xlarge": "0.16875"}
_T_BASELINES = {"t2": _T2_BASELINE, "t3": _T_BASELINE, "t3a": _T_BASELINE, "t4g": _T_BASELINE}

#: x86 families whose silicon does not follow from generation and maker.
_SILICON_OF_FAMILY = {
    "c3": "intel-ivy-bridge",
    "m3": "intel-ivy-bridge",
    "r3": "intel-ivy-bridge",
    "i2": "intel-ivy-bridge",
    "m1": "intel-ivy-bridge",
    "c1": "intel-ivy-bridge",
    "m2": "intel-ivy-bridge",
    "t1": "intel-ivy-bridge",
    "c4": "intel-haswell",
    "d2": "intel-haswell",
    "x1": "intel-haswell",
    "x1e": "intel-haswell",
    "m4": "intel-broadwell",
    "r4": "intel-broadwell",
    "i3": "intel-broadwell",
    "h1": "intel-broadwell",
    "f1": "intel-broadwell",
    "t2": "intel-broadwell",
    "z1d": "intel-skylake",
    "t3": "intel-skylake",
    "i3en": "intel-skylake",
    "d3": "intel-skylake",
    "d3en": "intel-skylake",
    "m5zn": "intel-skylake",
    "x2iezn": "intel-skylake",
    "x2idn": "intel-icelake",
    "x2iedn": "intel-icelake",
    "i4i": "intel-icelake",
    "x8i": "intel-granite-rapids",
    "t8i": "intel-granite-rapids",
    "i7i": "intel-emerald-rapids",
    "i7ie": "intel-emerald-rapids",
    "u-3tb1": "intel-skylake",
    "u-6tb1": "intel-skylake",
    "u-9tb1": "intel-skylake",
    "u-12tb1": "intel-skylake",
    "u-18tb1": "intel-skylake",
    "u-24tb1": "intel-skylake",
    "t3a": "amd-zen1",
    "c5a": "amd-zen2",
    "c5ad": "amd-zen2",
    "g4ad": "amd-zen2",
    "g5": "amd-zen2",
    "t4g": "graviton2",
    "x2gd": "graviton2",
    "g5g": "graviton2",
    "i4g": "graviton2",
    "im4gn": "graviton2",
    "is4gen": "graviton2",
    "a1": "graviton1",
}
_SILICON_OF_GENERATION = {
    "Intel": {
        5: "intel-skylake",
        6: "intel-icelake",
        7: "intel-sapphire-rapids",
        8: "intel-granite-rapids",
    },
    "AMD": {5: "amd-zen1", 6: "amd-zen3", 7: "amd-zen4", 8: "amd-zen5"},
    "AWS": {6: "graviton2", 7: "graviton3", 8: "graviton4", 9: "graviton5"},
}

#: Words of AWS's processor description → silicon.
_SILICON_OF_PROCESSOR = (
    ("7R13", "amd-zen3"),
    ("9R14", "amd-zen4"),
    ("9R45", "amd-zen5"),
    ("Graviton3", "graviton3"),
    ("Emerald Rapids", "intel-emerald-rapids"),
    ("Sapphire Rapids", "intel-sapphire-rapids"),
    ("Ice Lake", "intel-icelake"),
    ("Cascade Lake", "intel-skylake"),
    ("8275CL", "intel-skylake"),
    ("8259", "intel-skylake"),
    ("8175", "intel-skylake"),
    ("E5-2686v4", "intel-broadwell"),
)

#: Silicon → CPU models that were seen in it; a family whose model is not listed fails the import.
MODELS_OF_SILICON = {
    "graviton1": ("Cortex-A72",),
    "graviton2": ("Neoverse-N1",),
    "graviton3": ("Neoverse-V1",),
    "graviton4": ("Neoverse-V2",),
    "intel-ivy-bridge": ("E5-2670 v2", "E5-2651 v2", "E5-2680 v2", "E5-2665 0"),
    "intel-haswell": ("E5-2676 v3", "E5-2666 v3", "E7-8880 v3"),
    # AWS serves M4 and T2 from both.
    "intel-broadwell": ("E5-2686 v4", "E5-2676 v3"),
    "intel-skylake": (
        "8175M",
        "8259CL",
        "8124M",
        "8223CL",
        "8275CL",
        "8151",
        "8252C",
        "8176M",
        "8280L",
    ),
    "intel-icelake": ("8375C",),
    "intel-sapphire-rapids": ("8488C", "6455B", "8477C"),
    "intel-emerald-rapids": ("8559C",),
    "intel-granite-rapids": ("6975P-C",),
    "amd-zen1": ("7571",),
    "amd-zen2": ("7R32",),
    "amd-zen3": ("7R13",),
    "amd-zen4": ("9R14",),
    "amd-zen5": ("9R45", "9R05"),
}


def family_class(family: str) -> str:
    """Return the class letters under which generations are compared: ``r7iz`` → ``r``."""
    match = _FAMILY.match(family)
    letters = match["cls"] if match else re.split(r"[-\d]", family)[0]
    return _RELATED_CLASS.get(letters, letters)


def generation(family: str) -> int:
    """Return the number in the family: ``m7i-flex`` → 7, ``u-6tb1`` → 1, ``mac-m4`` → 4."""
    match = _FAMILY.match(family)
    if match is None:
        raise ValueError(f"no generation in {family}")
    return int(match["generation"])


def silicon(family: str, maker: str, processor: str) -> str:
    """Return the CPU generation of a family; ``other`` where neither rule nor AWS's words name it.

    ``processor`` is AWS's description; it decides only for classes that number their generations by
    something else than the CPU (accelerators, HPC, high memory, Mac).
    """
    if family in _SILICON_OF_FAMILY:
        return _SILICON_OF_FAMILY[family]
    if family_class(family) in _ACCELERATED | {"mac", "hpc", "u"}:
        named = (label for words, label in _SILICON_OF_PROCESSOR if words in processor)
        return next(named, "other")
    return _SILICON_OF_GENERATION[maker][generation(family)]


def cpu_baseline(family: str, size: str, *, is_burstable: bool) -> str:
    """Return the sustained share of each vCPU, 0..1; empty for a T type AWS does not list."""
    if not is_burstable:
        return "1"
    return _T_BASELINES.get(family, {}).get(size, "")


def generations_kept(families: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the newest generation of each class and the two before it that exist.

    ``families`` are those with an on-demand price in us-east-1. Generations are counted as they
    exist, because AWS skips numbers: I8g, I7i and I4i follow one another.
    """
    found: dict[str, set[int]] = {}
    for family in families:
        found.setdefault(family_class(family), set()).add(generation(family))
    return {letters: tuple(sorted(numbers)[-3:]) for letters, numbers in sorted(found.items())}


def exclusion(
    row: Mapping[str, str], kept: Mapping[str, tuple[int, ...]], required: Iterable[str]
) -> str:
    """Return why a type is no default candidate, empty if it is one.

    ``row`` is a finished catalogue row, ``required`` the columns a candidate cannot do without.
    """
    letters = family_class(row["family"])
    numbers = kept.get(letters, ())
    is_old = bool(numbers) and int(row["generation"]) < numbers[0]
    reasons = (
        ("mac", letters == "mac"),
        ("hpc", letters == "hpc"),
        ("accelerator", letters in _ACCELERATED),
        ("bare-metal", row["is_bare_metal"] == "true"),
        ("burstable", row["is_burstable"] == "true"),
        ("pre-nitro", row["hypervisor"] == "xen"),
        ("incomplete", any(not row[name] for name in required)),
        ("old-generation", is_old),
    )
    return next((reason for reason, holds in reasons if holds), "")
