"""Instance types that came after the bundled evidence, predicted as their nearest relatives.

A new size of a known family is that family scaled by vCPU. A new family is taken as the nearest
generation of the same class that is known, and its error is how far such generations are apart.
What nobody says of it (EBS and network limits) is the relative's, scaled by vCPU.
"""

from __future__ import annotations

import re
from math import hypot, inf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.instance import InstanceType, LocalDisks
from advisor.domain.vocabulary import Architecture, Basis
from advisor.prediction.curve import THREADS, ComputeCurve, SpaceEntry, interpolate, throughput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.quote import TypeFacts

#: Error of a newcomer's family where no two generations of one class are known.
_LEAST_SIGMA = 0.2
_MOST_VCPU = 4_096
_FAMILY = re.compile(r"([a-z]+?)(\d+)([a-z-]*)")


class _Family(NamedTuple):
    name: str
    kind: str
    """The letters before the generation: ``m``."""
    generation: int
    suffix: str
    """What follows it: ``gd``."""


def newcomers(facts: Iterable[TypeFacts], entries: Sequence[SpaceEntry]) -> tuple[SpaceEntry, ...]:
    """Return an entry for each type of ``facts`` that has a relative among ``entries`` of EC2.

    Burstable and bare-metal types, and classes of which nothing is known, have none.
    """
    known = {entry.instance.name for entry in entries}
    apart: float | None = None
    found = []
    for each in sorted(facts, key=lambda fact: fact.name):
        if each.name in known or each.is_burstable or each.is_bare_metal or ".metal" in each.name:
            continue
        if not (0 < each.vcpu <= _MOST_VCPU and 0.0 < each.memory_gib < inf):
            continue
        relative = _relative(each, entries)
        if relative is None or relative.instance.is_burstable:
            continue
        sigma = 0.0
        if relative.instance.family != each.name.partition(".")[0]:
            apart = _apart(entries) if apart is None else apart
            sigma = apart
        found.append(_entry(each, relative, sigma))
    return tuple(found)


def _parsed(family: str) -> _Family | None:
    found = _FAMILY.fullmatch(family)
    return _Family(family, found[1], int(found[2]), found[3]) if found else None


def _relative(facts: TypeFacts, entries: Sequence[SpaceEntry]) -> SpaceEntry | None:
    """Return the entry of the nearest family, and in it of the nearest size.

    A type older than all of its class that compete has none: it is no newcomer.
    """
    mine = _parsed(facts.name.partition(".")[0])
    if mine is None:
        return None
    best: SpaceEntry | None = None
    least: tuple[float, ...] = ()
    oldest = inf
    for entry in entries:
        theirs = _parsed(entry.instance.family)
        if theirs is None or theirs.kind != mine.kind or theirs.suffix[:1] != mine.suffix[:1]:
            continue
        oldest = min(oldest, theirs.generation)
        distance = (
            float(theirs.name != mine.name),
            float(theirs.suffix != mine.suffix),
            abs(theirs.generation - mine.generation),
            abs(log(entry.instance.vcpu / facts.vcpu)),
            entry.instance.vcpu,
        )
        if best is None or distance < least:
            best, least = entry, distance
    return best if mine.generation >= oldest else None


def _apart(entries: Sequence[SpaceEntry]) -> float:
    """Return how far the curves of successive generations of one class are apart, as log error."""
    by_size: dict[tuple[str, str, int], dict[int, float]] = {}
    for entry in entries:
        family = _parsed(entry.instance.family)
        if family is not None:
            key = (family.kind, family.suffix, entry.instance.vcpu)
            by_size.setdefault(key, {})[family.generation] = max(entry.curve.log_tps)
    steps = [
        generations[later] - generations[later - 1]
        for generations in by_size.values()
        for later in generations
        if later - 1 in generations
    ]
    if not steps:
        return _LEAST_SIGMA
    return max(_LEAST_SIGMA, sqrt(sum(step * step for step in steps) / len(steps)))


def _entry(facts: TypeFacts, relative: SpaceEntry, sigma: float) -> SpaceEntry:
    """Return the entry of a newcomer; ``sigma``: the log error that its silicon adds."""
    like, curve = relative.instance, relative.curve
    ratio = facts.vcpu / like.vcpu
    family = facts.name.partition(".")[0]
    parsed = _parsed(family)
    is_new = like.family != family
    instance = InstanceType(
        name=facts.name,
        family=family,
        generation=like.generation if parsed is None else parsed.generation,
        vcpu=facts.vcpu,
        memory_gib=facts.memory_gib,
        architecture=Architecture(facts.architecture or like.architecture),
        cpu_maker=facts.cpu_maker or like.cpu_maker,
        threads_per_core=facts.threads_per_core or like.threads_per_core,
        silicon=f"newer than {like.silicon}" if is_new else like.silicon,
        ebs_baseline_iops=facts.ebs_baseline_iops or like.ebs_baseline_iops * min(1.0, ratio),
        ebs_max_iops=facts.ebs_max_iops or like.ebs_max_iops * min(1.0, ratio),
        ebs_baseline_mib_per_s=facts.ebs_baseline_mib_per_s
        or like.ebs_baseline_mib_per_s * min(1.0, ratio),
        ebs_max_mib_per_s=facts.ebs_max_mib_per_s or like.ebs_max_mib_per_s * min(1.0, ratio),
        network_baseline_gbps=facts.network_baseline_gbps or like.network_baseline_gbps,
        local_disks=_disks(facts),
        is_burstable=False,
        cpu_baseline_ratio=1.0,
    )
    shared = curve.silicon_sigma
    return SpaceEntry(
        platform=relative.platform,
        instance=instance,
        curve=ComputeCurve(
            instance_type=facts.name,
            log_tps=curve.log_tps
            if ratio == 1.0
            else tuple(
                log(ratio * throughput(curve.log_tps, threads / ratio)) for threads in THREADS
            ),
            p95_ratio=tuple(
                interpolate(curve.p95_ratio, max(1.0, threads / ratio)) for threads in THREADS
            ),
            measured_to=0,
            basis=Basis.ASSUMED if is_new else max(curve.basis, Basis.SCALED, key=_rank),
            silicon_sigma=shared._replace(
                idle=hypot(shared.idle, sigma),
                bend=hypot(shared.bend, sigma),
                loaded=hypot(shared.loaded, sigma),
            ),
            type_sigma=curve.type_sigma,
            relatives=like.name,
            is_validated=False,
        ),
        is_new=True,
    )


def _rank(basis: Basis) -> int:
    return basis.rank


def _disks(facts: TypeFacts) -> LocalDisks | None:
    """Return the local disks; their IOPS are not known, so they hold no data in an answer."""
    if not facts.disk_count or not facts.disk_total_gb:
        return None
    return LocalDisks(
        count=facts.disk_count, total_gb=facts.disk_total_gb, read_iops=None, write_iops=None
    )
