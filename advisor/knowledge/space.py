"""Reads what a recommendation needs of the knowledge base; on the start-up path."""

from __future__ import annotations

import json
from math import inf
from typing import TYPE_CHECKING, Any

from advisor.domain.evidence import Source
from advisor.domain.instance import InstanceType, LocalDisks
from advisor.domain.recommendation import Rejection
from advisor.domain.storage import VolumeLimits
from advisor.domain.vocabulary import Architecture, Basis, Platform, StorageType
from advisor.knowledge.advice import ADVICE_QUERIES, advice_of
from advisor.prediction.curve import ComputeCurve, CurveSigma, SpaceEntry
from advisor.prediction.parameters import ModelParameters, Parameter

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from advisor.domain.advice import Advice

INSTANCE_COLUMNS = (
    "instance_type, family, generation, vcpu, memory_gib, arch, cpu_maker, threads_per_core, "
    "silicon, "
    "ebs_baseline_iops, ebs_max_iops, ebs_baseline_mib_per_s, ebs_max_mib_per_s, "
    "network_baseline_gbps, "
    "disk_count, disk_total_gb, disk_read_iops, disk_write_iops, is_burstable, cpu_baseline_ratio"
)
CURVE_COLUMNS = (
    "log_tps, p95_ratio, measured_to, basis, silicon_sigma, type_sigma, relatives, is_validated"
)
_ARCHITECTURES = {str(architecture): architecture for architecture in Architecture}
_BASES = {str(basis): basis for basis in Basis}


def instance_of(row: Sequence[Any]) -> InstanceType:
    """Return the instance type of a row of ``INSTANCE_COLUMNS``."""
    disks = None
    if row[14] is not None and row[15] is not None:
        disks = LocalDisks(count=row[14], total_gb=row[15], read_iops=row[16], write_iops=row[17])
    return InstanceType(
        name=row[0],
        family=row[1],
        generation=row[2],
        vcpu=row[3],
        memory_gib=row[4],
        architecture=_ARCHITECTURES[row[5]],
        cpu_maker=row[6],
        threads_per_core=row[7],
        silicon=row[8],
        ebs_baseline_iops=row[9],
        ebs_max_iops=row[10],
        ebs_baseline_mib_per_s=row[11],
        ebs_max_mib_per_s=row[12],
        network_baseline_gbps=row[13],
        local_disks=disks,
        is_burstable=row[18],
        cpu_baseline_ratio=1.0 if row[19] is None else row[19],
    )


def _curve_of(row: Sequence[Any]) -> ComputeCurve:
    """Return the curve of a row of ``INSTANCE_COLUMNS`` and ``CURVE_COLUMNS``."""
    return ComputeCurve(
        instance_type=row[0],
        log_tps=tuple(row[20]),
        p95_ratio=tuple(row[21]),
        measured_to=row[22],
        basis=_BASES[row[23]],
        silicon_sigma=CurveSigma(*row[24]),
        type_sigma=CurveSigma(*row[25]),
        relatives=row[26],
        is_validated=row[27],
    )


class Documents:
    """The documents of a knowledge base, read with one query and turned into values on demand."""

    def __init__(
        self, connection: DuckDBPyConnection, families: Sequence[str], *, has_live: bool = False
    ) -> None:
        """Read all documents; those of excluded types only when ``families`` names some.

        ``has_live``: those of database classes without a bundled price too.
        """
        self._families = frozenset(families)
        left_out = [] if families else ["named"]
        left_out += [] if has_live else ["unsold"]
        tests = " AND ".join(f"NOT ends_with(name, '{ending}')" for ending in left_out) or "true"
        rows = connection.execute(f"SELECT name, body FROM documents WHERE {tests}").fetchall()  # noqa: S608 (constant text)
        self._bodies: dict[str, str] = dict(rows)

    def _rows(self, name: str) -> list[list[Any]]:
        body = self._bodies.get(name)
        rows: list[list[Any]] = json.loads(body) if body is not None else []
        return rows

    def entries(
        self, platforms: Sequence[Platform], sold: Mapping[Platform, Container[str]] | None = None
    ) -> tuple[SpaceEntry, ...]:
        """Return each default candidate and each type of a named family, by platform and name.

        ``sold``: database classes with a price by platform, of which the snapshot knows none.
        """
        found: list[SpaceEntry] = []
        for platform in platforms:
            prefix = "" if platform is Platform.EC2 else f"{platform}-"
            rows = self._rows(f"{prefix}default")
            named = [row for row in self._rows(f"{prefix}named") if row[1] in self._families]
            if sold is not None and platform in sold:
                named += [row for row in self._rows(f"{prefix}unsold") if row[0] in sold[platform]]
            if named:
                rows = sorted([*rows, *named], key=lambda row: str(row[0]))
            found += [
                SpaceEntry(platform=platform, instance=instance_of(row), curve=_curve_of(row))
                for row in rows
            ]
        return tuple(found)

    def excluded(self) -> tuple[Rejection, ...]:
        """Return how many types are left out by default, by reason, most frequent first."""
        counts: dict[str, tuple[int, str]] = {}
        for reason, family, count, example in self._rows("excluded"):
            if family not in self._families:
                known, first = counts.get(reason, (0, example))
                counts[reason] = (known + count, min(first, example))
        return tuple(
            Rejection(reason=reason, count=count, example=example)
            for reason, (count, example) in sorted(
                counts.items(), key=lambda item: (-item[1][0], item[0])
            )
        )

    def volume_limits(self) -> dict[tuple[Platform, StorageType], tuple[VolumeLimits, ...]]:
        """Return what one EBS volume can be, by platform and type, in steps of rising size."""
        found: dict[tuple[Platform, StorageType], tuple[VolumeLimits, ...]] = {}
        for platform, kind, *row in self._rows("limits"):
            limits = VolumeLimits(
                type=StorageType(kind),
                min_gib=row[0],
                max_gib=row[1],
                min_iops=row[2],
                max_iops=row[3],
                iops_per_gib=inf if row[4] is None else row[4],
                min_throughput_mib_per_s=int(row[5] or 0),
                max_throughput_mib_per_s=int(row[6]),
                throughput_per_iops=row[7],
                durability=row[8],
            )
            key = (Platform(platform), limits.type)
            found[key] = (*found.get(key, ()), limits)
        return found

    def parameters(self) -> ModelParameters:
        """Return the fitted parameters."""
        return ModelParameters.of(
            Parameter(
                name=name,
                value=value,
                unit=unit,
                sigma=sigma,
                basis=_BASES[basis],
                rows=count,
                sources=tuple(sources.split()),
                note=note,
            )
            for name, value, unit, sigma, basis, count, sources, note in self._rows("parameters")
        )

    def advice(self, sources: Mapping[str, Source]) -> Advice:
        """Return the facts on durability and versions, and what the measurements ran with."""
        return advice_of({name: self._rows(name) for name in ADVICE_QUERIES}, sources)

    def sources(self) -> dict[str, Source]:
        """Return the sources by id."""
        return {
            row[0]: Source(
                id=row[0],
                title=row[1],
                url=row[2] or "",
                date=row[3] or "",
                licence=row[4] or "",
                quality=row[5] or "",
                caveats=row[6] or "",
            )
            for row in self._rows("sources")
        }
