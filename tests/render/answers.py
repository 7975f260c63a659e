"""Answers built by hand, so that the golden files do not change with data or model.

``python -m tests.render.answers`` writes the golden files anew: read the diff before committing.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.domain.advice import (
    Contested,
    ContestedSide,
    Counsel,
    Dispute,
    Failure,
    Loss,
    Rpo,
    Rto,
)
from advisor.domain.candidate import Candidate
from advisor.domain.cost import Cost, CostLine, Price
from advisor.domain.description import Description, workload_of
from advisor.domain.evidence import Evidence, Source
from advisor.domain.instance import InstanceType
from advisor.domain.prediction import Estimate, Prediction, StationLoad
from advisor.domain.recommendation import (
    Axis,
    AxisCrossover,
    Constraints,
    Knee,
    Ranked,
    Recommendation,
    Rejection,
    Request,
    Setting,
    Unpriced,
)
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import (
    Architecture,
    Availability,
    Basis,
    Client,
    Durability,
    Engine,
    Objective,
    Platform,
    Station,
    StorageType,
    Term,
)
from advisor.domain.workload import PROFILES, Assumption, profile_of_read_ratio
from advisor.render.explain import explanation_text
from advisor.render.recommendation import recommendation_text
from advisor.render.recommendation_csv import recommendation_csv
from advisor.render.recommendation_json import recommendation_json
from advisor.render.recommendation_markdown import recommendation_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).with_name("golden")
GP3 = StorageSpec(type=StorageType.GP3, size_gib=150, iops=6000, throughput_mib_per_s=150)
IO2 = StorageSpec(type=StorageType.IO2, size_gib=150, iops=6000, throughput_mib_per_s=1000)
NVME = StorageSpec(
    type=StorageType.NVME, size_gib=1746, iops=None, throughput_mib_per_s=None, count=2
)
CPU_RUN = Source(
    id="lab_2021",
    title="A lab: MySQL 8.0 read-only on three families",
    url="https://example.org/lab/2021",
    date="2021-09-21",
    licence="CC BY 4.0",
    quality="A",
    caveats="Client on the database host; one table of 25 MB.",
)
DISK_RUN = Source(
    id="disks",
    title="A blog: sysbench fileio",
    url="",
    date="",
    licence="",
    quality="",
    caveats="",
)


def instance(name: str, vcpu: int, architecture: Architecture = Architecture.ARM64) -> InstanceType:
    return InstanceType(
        name=name,
        family=name.partition(".")[0],
        generation=8,
        vcpu=vcpu,
        memory_gib=8.0 * vcpu,
        architecture=architecture,
        cpu_maker="AWS",
        threads_per_core=1,
        silicon="graviton4",
        ebs_baseline_iops=6000.0,
        ebs_max_iops=40000.0,
        ebs_baseline_mib_per_s=149.0116,
        ebs_max_mib_per_s=1192.0929,
        network_baseline_gbps=1.875,
        local_disks=None,
        is_burstable=False,
        cpu_baseline_ratio=1.0,
    )


def estimate(value: float, basis: Basis = Basis.TRANSFERRED) -> Estimate:
    return Estimate(value=value, low=value * 0.8, high=value * 1.25, basis=basis)


def station(  # noqa: PLR0913 (a row of the ledger)
    name: Station,
    load: float,
    capacity: float | None,
    unit: str,
    time_ms: float,
    *,
    is_limit: bool = False,
    note: str = "",
) -> StationLoad:
    return StationLoad(
        station=name,
        load=load,
        capacity=capacity,
        unit=unit,
        utilisation_ratio=None if capacity is None else load / capacity,
        time_ms=time_ms,
        is_limit=is_limit,
        note=note,
    )


def prediction(rate: float, limit: Station = Station.CPU) -> Prediction:
    mean_ms = 16.0 / rate * 1000.0
    commit_ms, network_ms = 0.3 * mean_ms, 2.0
    return Prediction(
        transactions_per_s=estimate(rate),
        queries_per_s=estimate(rate * 20.0),
        latency_avg_ms=estimate(mean_ms),
        latency_p95_ms=estimate(1.2 * mean_ms, Basis.SCALED),
        latency_p99_ms=None,
        variation_cv=estimate(0.0267, Basis.SCALED) if limit is Station.COMMIT else None,
        stations=(
            station(
                Station.CPU,
                rate,
                rate / 0.89,
                "transactions/s",
                mean_ms - commit_ms - network_ms,
                is_limit=limit is Station.CPU,
                note="4 vCPU",
            ),
            station(Station.MEMORY, 20.0, 25.1, "GiB", 0.0, note="0% of page touches miss"),
            station(Station.VOLUME_IOPS, 3960.0, 6000.0, "IOPS", 0.0, note="1.6 page writes"),
            station(
                Station.COMMIT, rate, None, "commits/s", commit_ms, is_limit=limit is Station.COMMIT
            ),
            station(Station.NETWORK, 0.567, 1.875, "Gbit/s", network_ms),
        ),
        burst_minutes=None,
        is_validated=False,
    )


def cost(name: str, hourly: str, nodes: int = 1) -> Cost:
    hour = Price(usd=Decimal(hourly), unit="hour", source="prices-2026", as_of="2026-07-20")
    space = Price(usd=Decimal("0.08"), unit="GiB-month", source="disks-2024", as_of="2024-07-18")
    label = "gp3 capacity" if nodes == 1 else f"gp3 capacity × {nodes} nodes"
    return Cost(
        lines=(
            CostLine(label=name, quantity=Decimal(730 * nodes), price=hour),
            CostLine(label=label, quantity=Decimal(150 * nodes), price=space),
        )
    )


def row(  # noqa: PLR0913, PLR0917 (a row of the answer)
    rank: int,
    role: str,
    machine: InstanceType,
    storage: StorageSpec,
    rate: float,
    hourly: str,
    *,
    nodes: int = 1,
) -> Ranked:
    return Ranked(
        rank=rank,
        candidate=Candidate(
            platform=Platform.EC2,
            engine=Engine.MYSQL,
            instance=machine,
            storage=storage,
            nodes=nodes,
        ),
        prediction=prediction(rate, Station.COMMIT if storage is NVME else Station.CPU),
        cost=cost(machine.name, hourly, nodes),
        score=rate,
        role=role,
        meets_target=None,
        probability_best=0.4635,
        expected_regret=0.0712,
        tied_with=(),
        folded=(),
        caveats=("no database run on r8g is bundled: its CPU is inferred from scores (±15%)",),
        evidence=(
            Evidence(source=CPU_RUN, part="compute", what="oltp_read_only, cached", rows=24),
            Evidence(source=DISK_RUN, part="commit", what="1 ÷ IOPS of synced writes", rows=1),
        ),
        counsel=Counsel(
            settings=(
                Setting(name="innodb_buffer_pool_size", value="25702M", reason="78% of memory"),
                Setting(name="sync_binlog", value="1", reason="full durability"),
            ),
            durability=(
                Loss(
                    failure=Failure.HOST_FAILURE,
                    lost="nothing committed",
                    rpo=Rpo.NONE,
                    rto=Rto.MINUTES,
                    recovery="start the instance on another host; the volume is kept",
                    as_of="2026-11",
                    source=DISK_RUN,
                ),
            ),
            notes=("retry a transaction that ends in a deadlock",),
            migration="From another server: copy, replicate, switch (docs/migrate.md).",
            benchmark_settings=(),
        ),
    )


def crossover(  # noqa: PLR0913 (a row of the answer)
    axis: Axis,
    stated: float,
    looked_to: float,
    around: tuple[float, float] | None = None,
    rival: str | None = None,
    *,
    is_tie: bool = False,
) -> AxisCrossover:
    value, changes_at = around or (None, None)
    return AxisCrossover(
        axis=axis,
        stated=stated,
        looked_to=looked_to,
        value=value,
        changes_at=changes_at,
        rival=rival,
        is_tie=is_tie if rival else None,
    )


def dispute(*configs: str) -> Dispute:
    """Return a contested claim about rows."""
    one = ContestedSide(
        text="up to 40% ahead in a maker's own test",
        source_id=DISK_RUN.id,
        standing="vendor",
        cells=None,
        of=None,
        weight=0.06,
    )
    other = ContestedSide(
        text="level in nearly all cells",
        source_id=CPU_RUN.id,
        standing="independent",
        cells=28,
        of=30,
        weight=0.94,
    )
    return Dispute(
        fact=Contested(
            claim="one-other",
            statement="one is far ahead of the other",
            platform="any",
            engines=(),
            families=(),
            storage=(),
            load="any",
            most_threads=None,
            sides=(one, other),
            belief="both keep what was measured on them",
            as_of="2026-11-20",
        ),
        sources=(DISK_RUN, CPU_RUN),
        configs=configs,
    )


def usual() -> Recommendation:
    """Return an answer with ties, near-duplicates, alternatives and both sides of the knee."""
    workload = workload_of(Description(threads=16, profile=PROFILES["mixed"]))
    request = Request(
        workload=workload,
        constraints=Constraints(),
        region="us-east-1",
        assumed=(
            Assumption(name="region", value="us-east-1", reason="default"),
            Assumption(name="term", value="on-demand", reason="default"),
            Assumption(name="objective", value="balanced", reason="default without a target"),
        ),
    )
    pick = row(1, "pick", instance("r8g.xlarge", 4), GP3, 1834.4175, "0.23564")
    tie = row(2, "tie", instance("r8i.xlarge", 4, Architecture.X86_64), GP3, 1899.0, "0.27783")
    faster = row(3, "faster", instance("c8i-flex.16xlarge", 64), GP3, 123456.7, "2.71")
    other = row(4, "other-storage", instance("r8g.xlarge", 4), IO2, 1901.2, "1.23564")
    configs = [f"ec2/mysql/r{n}g.xlarge/gp3:150GiB:6000:150" for n in range(5, 10)]
    return Recommendation(
        id="0123456789ab",
        request=request,
        ranking=(
            replace(pick, tied_with=(tie.candidate.config, *configs), folded=tuple(configs)),
            replace(tie, tied_with=(pick.candidate.config,)),
        ),
        alternatives=(
            replace(faster, probability_best=None, expected_regret=None),
            replace(other, probability_best=None, expected_regret=None),
        ),
        knee=Knee(
            half_config="ec2/mysql/m8g.large/gp3:150GiB:3000:125",
            half_usd_per_month=Decimal("92.10"),
            half_throughput_ratio=0.483,
            twice_config="ec2/mysql/m9g.2xlarge/gp3:150GiB:6000:175",
            twice_usd_per_month=Decimal("315.50"),
            twice_throughput_ratio=1.29,
        ),
        unpriced=(Unpriced(instance_type="x9z.large", reason="no on-demand price in us-east-1"),),
        rejected=tuple(
            Rejection(reason=reason, count=count, example=f"{reason[0]}1.large")
            for reason, count in (
                ("old-generation", 1283),
                ("bare-metal", 149),
                ("accelerator", 96),
                ("pre-nitro", 66),
                ("burstable", 33),
                ("hpc", 10),
                ("mac", 9),
            )
        ),
        contested=(dispute(other.candidate.config, faster.candidate.config),),
        crossovers=(
            crossover(Axis.THREADS, 16.0, 2.0, (9.0, 8.0), other.candidate.config),
            crossover(
                Axis.THREADS, 16.0, 128.0, (41.0, 42.0), faster.candidate.config, is_tie=True
            ),
            crossover(Axis.DATA_SIZE, 100.0, 12.5),
            crossover(Axis.DATA_SIZE, 100.0, 800.0),
            crossover(Axis.READ_SHARE, 0.7778, 0.0, (0.25, 0.245), other.candidate.config),
            crossover(Axis.READ_SHARE, 0.7778, 1.0),
        ),
        considered=2796,
        notes=("local NVMe is left out: it needs --allow-ephemeral or replicas",),
        data_version="abcdef012345-01234567",
        price_source="bundled snapshot",
        price_as_of="2024-07-18",
        model_version="2026.11-1",
    )


def stated() -> Recommendation:
    """Return an answer to a request that says everything, alone and without a knee."""
    workload = workload_of(
        Description(
            threads=256,
            profile=profile_of_read_ratio(0.9),
            data_gib=1024.0,
            hot_ratio=0.5,
            target_tps=1000.0,
            headroom_ratio=0.25,
            max_p95_ms=40.0,
            connections=4000,
            durability=Durability.RELAXED,
            availability=Availability.MULTI_AZ,
            client=Client.CROSS_AZ,
        )
    )
    request = Request(
        workload=workload,
        constraints=Constraints(
            engines=(Engine.MYSQL,),
            families=("i4i",),
            architectures=(Architecture.X86_64,),
            storage_types=(StorageType.NVME,),
            min_vcpu=2,
            max_memory_gib=512.0,
            budget_usd_per_month=Decimal("5000.50"),
            allow_ephemeral=True,
        ),
        region="eu-central-1",
        term=Term.RESERVED_3Y,
        objective=Objective.COST,
        top=1,
    )
    machine = instance("i4i.xlarge", 4, Architecture.X86_64)
    pick = row(1, "pick", machine, NVME, 1402.0, "0.171", nodes=3)
    only = replace(
        pick,
        meets_target=True,
        probability_best=1.0,
        expected_regret=0.0,
        caveats=(*pick.caveats, "not measured here: order of magnitude of NVMe flash"),
        evidence=(),
        counsel=Counsel(settings=(), durability=(), notes=(), migration="", benchmark_settings=()),
    )
    return replace(
        usual(),
        request=request,
        ranking=(only,),
        alternatives=(),
        knee=Knee(
            half_config=None,
            half_usd_per_month=None,
            half_throughput_ratio=None,
            twice_config=None,
            twice_usd_per_month=None,
            twice_throughput_ratio=None,
        ),
        contested=(),
        crossovers=(
            crossover(Axis.DATA_SIZE, 1024.0, 128.0),
            crossover(Axis.DATA_SIZE, 1024.0, 8192.0, (1290.2, 1312.9)),
        ),
        unpriced=(),
        rejected=(),
        notes=(),
    )


ANSWERS: dict[str, Callable[[], Recommendation]] = {"usual": usual, "stated": stated}
RENDERERS: dict[str, Callable[[Recommendation], str]] = {
    "txt": recommendation_text,
    "explain.txt": explanation_text,
    "json": recommendation_json,
    "csv": recommendation_csv,
    "md": recommendation_markdown,
}


def main() -> None:
    """Write every golden file."""
    for name, build in ANSWERS.items():
        for suffix, render in RENDERERS.items():
            (GOLDEN / f"{name}.{suffix}").write_bytes(render(build()).encode())


if __name__ == "__main__":
    main()
