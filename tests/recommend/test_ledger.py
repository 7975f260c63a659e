"""The ledger: every failure of every candidate has one sourced line, and the order is sane."""

from __future__ import annotations

from itertools import product

import pytest

from advisor.domain.advice import Failure, Layout, Loss, Rpo, Rto
from advisor.domain.vocabulary import ENGINES_ON, STORAGE_ON, Durability, Engine, Platform
from advisor.domain.vocabulary import StorageType as Kind
from advisor.recommend.ledger import benchmark_settings, layout_of, ledger_of, worst_of
from tests.advice import advice, candidate, workload

CASES = [
    (platform, engine, kind, nodes, durability)
    for platform in Platform
    for engine, kind, nodes, durability in product(
        ENGINES_ON[platform], STORAGE_ON[platform], (1, 3), Durability
    )
]


def ledger(
    platform: Platform = Platform.EC2,
    engine: Engine = Engine.MYSQL,
    kind: Kind = Kind.GP3,
    nodes: int = 1,
    durability: Durability = Durability.FULL,
) -> dict[Failure, Loss]:
    losses = ledger_of(
        candidate(platform, engine, kind, nodes=nodes), workload(durability=durability), advice()
    )
    return {each.failure: each for each in losses}


@pytest.mark.parametrize(("platform", "engine", "kind", "nodes", "durability"), CASES)
def test_every_candidate_has_a_sourced_line_for_every_failure(
    platform: Platform, engine: Engine, kind: Kind, nodes: int, durability: Durability
) -> None:
    lines = ledger_of(
        candidate(platform, engine, kind, nodes=nodes), workload(durability=durability), advice()
    )
    assert [each.failure for each in lines] == list(Failure)
    assert all(each.source.url and each.source.title and each.as_of for each in lines)


@pytest.mark.parametrize(("platform", "engine", "kind", "nodes", "durability"), CASES)
def test_relaxed_durability_and_fewer_copies_never_lose_less(
    platform: Platform, engine: Engine, kind: Kind, nodes: int, durability: Durability
) -> None:
    mine = ledger(platform, engine, kind, nodes, durability)
    full = ledger(platform, engine, kind, nodes)
    more = ledger(platform, engine, kind, 3, durability)
    for failure in Failure:
        assert full[failure].rpo.rank <= mine[failure].rpo.rank
        assert more[failure].rpo.rank <= mine[failure].rpo.rank
        assert more[failure].rto.rank <= mine[failure].rto.rank


def test_a_volume_outlives_its_instance_and_local_disks_do_not() -> None:
    assert ledger()[Failure.HOST_FAILURE].rpo is Rpo.NONE
    stopped = ledger(kind=Kind.NVME)[Failure.HOST_FAILURE]
    assert (stopped.rpo, stopped.rto) == (Rpo.LAST_BACKUP, Rto.HOURS)
    assert "up to one binary log" in stopped.recovery
    replicated = ledger(kind=Kind.NVME, nodes=3)[Failure.HOST_FAILURE]
    assert replicated.rpo is Rpo.NONE
    assert "copy is gone" in replicated.lost
    assert "closed files" in replicated.recovery


def test_relaxed_durability_loses_a_second_at_a_system_crash_only() -> None:
    relaxed = ledger(durability=Durability.RELAXED)
    assert relaxed[Failure.PROCESS_CRASH].rpo is Rpo.NONE
    assert relaxed[Failure.OS_CRASH].rpo is Rpo.LAST_SECOND
    postgresql = ledger(engine=Engine.POSTGRESQL, durability=Durability.RELAXED)
    assert postgresql[Failure.PROCESS_CRASH].rpo is Rpo.LAST_SECOND


def test_a_zone_is_survived_by_what_spans_zones() -> None:
    assert ledger()[Failure.AZ_LOSS].rpo is Rpo.LAST_BACKUP
    assert ledger(Platform.RDS)[Failure.AZ_LOSS].rpo is Rpo.LAST_LOG
    assert ledger(Platform.RDS, nodes=2)[Failure.AZ_LOSS].rpo is Rpo.NONE
    assert "4 copies in 2 zones" in ledger(Platform.RDS, nodes=2)[Failure.AZ_LOSS].lost
    aurora = ledger(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD)
    assert aurora[Failure.AZ_LOSS].rpo is Rpo.NONE
    assert "4 of 6 copies in 3 zones" in aurora[Failure.OS_CRASH].lost
    assert ledger(engine=Engine.PXC, nodes=3)[Failure.AZ_LOSS].rto is Rto.SECONDS


def test_layouts() -> None:
    assert layout_of(candidate(nodes=3)) is Layout.REPLICAS
    assert layout_of(candidate(engine=Engine.PXC, nodes=3)) is Layout.CLUSTER
    assert layout_of(candidate(engine=Engine.PXC)) is Layout.SINGLE
    assert layout_of(candidate(Platform.RDS)) is Layout.SINGLE
    reader = candidate(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD, nodes=2)
    assert layout_of(reader) is Layout.READERS


def test_the_worst_line_leads() -> None:
    worst = worst_of(ledger().values())
    assert worst is not None
    assert worst.rpo is Rpo.LAST_BACKUP
    assert worst_of(()) is None


def test_without_facts_nothing_is_claimed() -> None:
    assert ledger_of(candidate(), workload(), advice()._replace(durability=())) == ()


def test_settings_of_the_measurements_are_shared_by_the_runs_that_had_them() -> None:
    found = benchmark_settings(
        ("percona_arm_m5_2021", "percona_arm_c5_2021", "pboros_ebs_2021"), advice()
    )
    assert [each.conditions for each in found] == [("readonly-m5-2021", "readonly-c5-2021")]
    assert [source.id for source in found[0].sources] == [
        "percona_arm_m5_2021",
        "percona_arm_c5_2021",
    ]
    assert dict(found[0].settings)["innodb_flush_method"] == "O_DIRECT"
    assert dict(found[0].settings)["innodb_buffer_pool_size"] == "80% of memory"
