"""The measurements behind a prediction, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.evidence import Evidence, Source
from advisor.domain.vocabulary import INNODB_FAMILY, Basis, Client, Platform, StorageType
from advisor.prediction.demand import sync_count_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option

#: Which of the CPU runs measured which families.
_RUNS = {
    "percona_arm_m5_2021": ("m5", "m5a", "m6g"),
    "percona_arm_c5_2021": ("c5", "c5a", "c6g"),
    "percona_arm_m6_2022": ("m6i",),
}
_SCORES = "sparecores_inspector"
#: CPU scores that place a family.
_SCORE_COUNT = 12
_POINTS_PER_TYPE = 8


def evidence_of(option: Option, workload: Workload, ground: Ground) -> tuple[Evidence, ...]:
    """Return what the prediction of ``option`` rests on, compute first."""
    found = [*_compute(option, ground.sources), *_parameters(option, workload, ground)]
    return tuple(found)


def _compute(option: Option, sources: Mapping[str, Source]) -> Iterator[Evidence]:
    curve = option.entry.curve
    family = option.entry.instance.family
    for run, families in _RUNS.items():
        if run not in sources:
            continue
        if curve.basis is Basis.MEASURED and family not in families:
            continue
        if curve.basis is Basis.SCALED and not any(
            relative in curve.relatives.replace(",", " ").replace(".", " ").split()
            for relative in families
        ):
            continue
        if curve.basis is Basis.MEASURED:
            what = (
                f"oltp_read_only on {curve.instance_type}, cached, 1 to 128 threads, client on "
                "the host"
            )
            rows = _POINTS_PER_TYPE
        else:
            what = (
                f"oltp_read_only on {', '.join(families)}, cached, 1 to 128 threads, client on "
                "the host"
            )
            rows = _POINTS_PER_TYPE * len(families)
        yield Evidence(source=sources[run], part="compute", what=what, rows=rows)
    if curve.basis is Basis.TRANSFERRED and _SCORES in sources:
        yield Evidence(
            source=sources[_SCORES],
            part="compute",
            what=f"CPU scores of {curve.instance_type} against the measured families at the same "
            "vCPU",
            rows=_SCORE_COUNT,
        )


def _parameters(option: Option, workload: Workload, ground: Ground) -> Iterator[Evidence]:
    """Yield one line per (part, source) of the parameters that this prediction used."""
    by_key: dict[tuple[str, str], tuple[str, int]] = {}
    for part, names in _used(option, workload):
        for name in names:
            parameter = ground.parameters.by_name[name]
            for source in parameter.sources:
                if source in ground.sources and (part, source) not in by_key:
                    by_key[part, source] = (parameter.note, parameter.rows)
    for (part, source), (note, rows) in by_key.items():
        yield Evidence(source=ground.sources[source], part=part, what=note, rows=rows)


def _used(option: Option, workload: Workload) -> Iterator[tuple[str, tuple[str, ...]]]:
    kind = "aurora" if option.storage.type.is_aurora else option.storage.type.value
    writes = workload.profile.writes > 0.0
    if option.settled.read_s > 0.0:
        yield "storage", (f"volume.{kind}.read_ms",)
        yield "memory", ("memory.pages_per_read",)
    demand = option.settled.part.demand
    if option.settled.commit_s > 0.0 and demand.is_durable and demand.synced_ms is None:
        yield "commit", (sync_count_name(option.engine), f"volume.{kind}.write_ms")
    yield from _used_of_engine(option, has_writes=writes)
    if writes:
        yield "mix", ("mix.write_cost",)
        if option.settled.part.demand.page_writes > 0.0:
            yield "storage", ("memory.flush_per_write",)
    if workload.has_proxysql:
        yield "proxy", ("proxysql.throughput",)
    if workload.client is not Client.LOCAL:
        yield "network", (f"network.{workload.client}.round_trip_ms", "client.gain")


def _used_of_engine(option: Option, *, has_writes: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what sets the engine and the platform apart."""
    platform, name = option.entry.platform, f"engine.{option.engine}."
    if option.engine not in INNODB_FAMILY:
        yield "engine", (name + "read_cost", name + "write_cost", name + "page_reads")
    if platform is Platform.AURORA and has_writes:
        yield "commit", ("aurora.commit_ms",)
    if option.storage.type is StorageType.AURORA_STANDARD:
        yield "requests", ("aurora.requests_per_write",)
    if platform is not Platform.EC2:
        yield "platform", (f"platform.{platform}.cpu",)


def unsourced(option: Option, workload: Workload, parameters: ModelParameters) -> tuple[str, ...]:
    """Return what this prediction supposes without a measurement, in its parameters' words."""
    names: Iterable[str] = [name for _, names in _used(option, workload) for name in names]
    if option.storage.type is StorageType.NVME and option.settled.read_s > 0.0:
        names = [*names, "volume.nvme.read_ms"]
    if workload.profile.name == "point":
        names = [*names, "mix.read_cost"]
    notes = [
        parameters.by_name[name].note
        for name in names
        if parameters.by_name[name].basis is Basis.ASSUMED
    ]
    return tuple(dict.fromkeys(notes))
