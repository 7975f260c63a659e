"""How alike two measured points are: the hierarchy behind the compute curves, as a covariance.

A point is the log throughput of one instance type at one thread count, less what its size and its
CPU scores explain. What is left is shared in layers: by all types, by types of one CPU maker or one
number of threads per core, by one silicon generation, by one instance type. Each layer is as large
as the data say (its σ), and fades with distance in size and in threads per vCPU (its lengths, in
octaves). A type without measurements takes from each layer what its relatives show: partial
pooling. The method is Gaussian process regression (Rasmussen and Williams 2006, chapters 2 and 5).

The constants follow a search for the largest marginal likelihood (``scripts/layers``). Five silicon
generations hardly determine two of them, the level of a generation and the worth of a deviating
score: those are kept below where the search ends (``docs/model.md`` says what that changes).
"""

from __future__ import annotations

from math import exp, log, log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from advisor.domain.instance import InstanceType

#: Levels that nobody knows beforehand: a variance far beyond any difference between types.
LEVEL_VARIANCE = 100.0
#: Capacity grows with vCPU to this power once threads exceed vCPU.
SIZE_EXPONENT = 0.92
#: log2(threads per vCPU) beyond which nothing changes.
LOAD_REACH = 6.0


class Layers(NamedTuple):
    """σ (log standard deviation) of each layer and its lengths (octaves)."""

    size_length: float = 1.35
    """Octaves of vCPU over which shapes stay alike, in all layers."""
    shape_sigma: float = 0.083
    shape_length: float = 2.2
    kin_sigma: float = 0.063
    """Shared by a CPU maker, and by a number of threads per core: half of the variance each."""
    kin_length: float = 0.28
    silicon_sigma: float = 0.055
    """Level of a silicon generation that its CPU scores do not tell."""
    silicon_shape_sigma: float = 0.075
    silicon_shape_length: float = 1.95
    type_sigma: float = 0.024
    type_shape_sigma: float = 0.014
    type_shape_length: float = 2.0
    score_sigma: float = 0.25
    """What a CPU score that deviates from the mean of all tells, per unit of deviation."""
    repeat_sigma: float = 0.014
    """Scatter of one point."""


class Site(NamedTuple):
    """Where a point stands: size, load and relatives."""

    size: float
    """log2(vCPU)."""
    load: float
    """log2(threads ÷ vCPU), at most ``LOAD_REACH`` either way."""
    cpu_maker: str
    threads_per_core: int
    silicon: str
    instance_type: str
    """Empty where no point of the type is known."""


def site_of(item: InstanceType, threads: float, *, is_known: bool) -> Site:
    """Return the site of an instance type at ``threads``."""
    load = log2(threads / item.vcpu)
    return Site(
        size=log2(item.vcpu),
        load=min(LOAD_REACH, max(-LOAD_REACH, load)),
        cpu_maker=item.cpu_maker,
        threads_per_core=item.threads_per_core,
        silicon=item.silicon,
        instance_type=item.name if is_known else "",
    )


def expected_rate(vcpu: int, threads: float) -> float:
    """Return ln of the throughput that size alone explains, up to a constant.

    Proportional to threads up to vCPU, then to vCPU^``SIZE_EXPONENT``; the exponent sets in between
    a quarter of a thread per vCPU and one.
    """
    loaded = min(1.0, max(0.0, (log2(threads / vcpu) + 2.0) / 2.0))
    return log(min(threads, vcpu)) + (SIZE_EXPONENT - 1.0) * log(vcpu) * loaded


def covariance(one: Site, other: Site, layers: Layers) -> float:
    """Return the covariance of two points, without scores and the scatter of repeats."""
    size = (one.size - other.size) ** 2
    load = (one.load - other.load) ** 2
    near = exp(-0.5 * size / layers.size_length**2)
    value = LEVEL_VARIANCE + near * _bump(load, layers.shape_sigma, layers.shape_length)
    kinship = 0.5 * (one.cpu_maker == other.cpu_maker) + 0.5 * (
        one.threads_per_core == other.threads_per_core
    )
    if kinship:
        value += kinship * near * near * _bump(load, layers.kin_sigma, layers.kin_length)
    if one.silicon == other.silicon:
        value += layers.silicon_sigma**2 + near * _bump(
            load, layers.silicon_shape_sigma, layers.silicon_shape_length
        )
    if one.instance_type and one.instance_type == other.instance_type:
        value += layers.type_sigma**2 + _bump(
            load, layers.type_shape_sigma, layers.type_shape_length
        )
    return value


def _bump(squared: float, sigma: float, length: float) -> float:
    return sigma * sigma * exp(-0.5 * squared / (length * length))
