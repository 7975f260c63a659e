"""The facts of ``data/advice`` as the program reads them, and candidates to ask about."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from advisor.domain.candidate import Candidate
from advisor.domain.evidence import Source
from advisor.domain.instance import InstanceType, LocalDisks
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import (
    Architecture,
    Durability,
    Engine,
    Platform,
    StorageType,
)
from advisor.domain.workload import PROFILES, Workload
from advisor.knowledge.advice import ADVICE_QUERIES, advice_of
from advisor.knowledge.build import load_tables

if TYPE_CHECKING:
    from advisor.domain.advice import Advice

ROOT = Path(__file__).resolve().parent.parent


@cache
def advice() -> Advice:
    """Return the facts, through JSON as in the documents of the knowledge base."""
    with duckdb.connect() as connection:
        load_tables(connection, ROOT / "data")
        rows = {
            name: json.loads(json.dumps(connection.execute(query).fetchall()))
            for name, query in ADVICE_QUERIES.items()
        }
        sources = connection.execute(
            "SELECT source_id, title, url, date, licence, quality, caveats FROM sources"
        ).fetchall()
    return advice_of(
        rows,
        {
            row[0]: Source(
                id=row[0],
                title=row[1],
                url=row[2],
                date=row[3] or "",
                licence=row[4],
                quality=row[5],
                caveats=row[6] or "",
            )
            for row in sources
        },
    )


def storage(kind: StorageType = StorageType.GP3, size_gib: int = 200) -> StorageSpec:
    is_ebs = kind is not StorageType.NVME and not kind.is_aurora
    return StorageSpec(
        type=kind,
        size_gib=size_gib,
        iops=6000 if is_ebs else None,
        throughput_mib_per_s=250 if is_ebs else None,
    )


def candidate(  # noqa: PLR0913 (the parts of a candidate)
    platform: Platform = Platform.EC2,
    engine: Engine = Engine.MYSQL,
    kind: StorageType = StorageType.GP3,
    *,
    nodes: int = 1,
    name: str = "m7g.2xlarge",
    vcpu: int = 8,
    memory_gib: float = 32.0,
    architecture: Architecture = Architecture.ARM64,
    size_gib: int = 200,
) -> Candidate:
    return Candidate(
        platform=platform,
        engine=engine,
        instance=InstanceType(
            name=name,
            family=name.partition(".")[0],
            generation=7,
            vcpu=vcpu,
            memory_gib=memory_gib,
            architecture=architecture,
            cpu_maker="AWS",
            threads_per_core=1,
            silicon="graviton3",
            ebs_baseline_iops=12000.0,
            ebs_max_iops=40000.0,
            ebs_baseline_mib_per_s=300.0,
            ebs_max_mib_per_s=1200.0,
            network_baseline_gbps=3.75,
            local_disks=LocalDisks(count=1, total_gb=474.0, read_iops=None, write_iops=None),
            is_burstable=False,
            cpu_baseline_ratio=1.0,
        ),
        storage=storage(kind, size_gib),
        nodes=1 if platform is Platform.RDS else nodes,
        is_multi_az=platform is Platform.RDS and nodes > 1,
    )


def workload(
    *,
    durability: Durability = Durability.FULL,
    connections: int | None = None,
    profile: str = "mixed",
    threads: int = 64,
) -> Workload:
    return Workload(
        threads=threads,
        profile=PROFILES[profile],
        data_gib=100.0,
        hot_gib=20.0,
        durability=durability,
        connections=connections,
    )
