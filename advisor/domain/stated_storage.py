"""The figures of a stated volume: what was left out is filled in and noted, what cannot be refused.

Pure rules over the limits of a volume type; the same that bound the options of a recommendation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.domain.units import format_size
from advisor.domain.vocabulary import StorageType
from advisor.domain.workload import Assumption
from advisor.errors import UsageError

if TYPE_CHECKING:
    from advisor.domain.config import Config
    from advisor.domain.storage import VolumeLimits
    from advisor.domain.workload import Workload

_SIZE, _IOPS, _THROUGHPUT = "volume-size", "iops", "throughput"
#: Names of the assumptions about a volume.
FIGURES = (_SIZE, _IOPS, _THROUGHPUT)


def completed(
    config: Config, workload: Workload, limits: VolumeLimits
) -> tuple[Config, tuple[Assumption, ...]]:
    """Return ``config`` with every figure of its volume, and the decisions that it took.

    Raises UsageError for a figure that one volume of the type cannot have.
    """
    assumed = []
    kind = config.storage_type
    size, iops, throughput = config.size_gib, config.iops, config.throughput_mib_per_s
    if size is None:
        size = max(limits.min_gib, -(-workload.volume_gib // config.count))
        reason = "1.3 x data + 20 GiB: growth, logs, temporary files"
        shared = f", over {config.count} volumes" if config.count > 1 else ""
        assumed.append(
            Assumption(name=_SIZE, value=format_size(float(size)), reason=reason + shared)
        )
    _check(config, f"{size:,} GiB", size, limits.min_gib, limits.max_gib, "has", "GiB")
    if kind is StorageType.GP3:
        iops, throughput, decided = _gp3(iops, throughput, limits)
        assumed += decided
    if iops is not None:
        most = limits.most_iops(size)
        what = f"of {size:,} GiB has"
        _check(config, f"{iops:,} IOPS", iops, limits.min_iops, most, what, "IOPS")
    if iops is not None and throughput is not None:
        least, most = limits.min_throughput_mib_per_s, limits.most_throughput(iops)
        what = f"with {iops:,} IOPS has"
        _check(config, f"{throughput:,} MiB/s", throughput, least, most, what, "MiB/s")
    return replace(config, size_gib=size, iops=iops, throughput_mib_per_s=throughput), tuple(
        assumed
    )


def _gp3(
    iops: int | None, throughput: int | None, limits: VolumeLimits
) -> tuple[int, int, list[Assumption]]:
    """Return IOPS and MiB/s, those included where none are stated."""
    assumed = []
    if iops is None:
        iops = limits.min_iops
        assumed.append(Assumption(name=_IOPS, value=f"{iops:,}", reason="included with gp3"))
    if throughput is None:
        throughput = limits.min_throughput_mib_per_s
        assumed.append(
            Assumption(name=_THROUGHPUT, value=f"{throughput} MiB/s", reason="included with gp3")
        )
    return iops, throughput, assumed


def _check(  # noqa: PLR0913, PLR0917 (one sentence in parts)
    config: Config, stated: str, value: int, least: int, most: int, what: str, unit: str
) -> None:
    if not least <= value <= most:
        raise UsageError(
            f"CONFIG {config}: {stated} is not possible; one {config.storage_type} volume {what} "
            f"{least:,} to {most:,} {unit}",
            hint="stripe several volumes, such as 2xgp3:500GiB" if value > most else None,
        )
