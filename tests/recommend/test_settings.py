"""Settings: what the prediction supposes stands in them, and they fit the machine."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.vocabulary import ENGINES_ON, STORAGE_ON, Client, Durability, Engine, Platform
from advisor.domain.vocabulary import StorageType as Kind
from advisor.recommend.notes import notes_of
from advisor.recommend.settings import settings_of
from tests.advice import advice, candidate, workload
from tests.ground import PROPERTY, changed

if TYPE_CHECKING:
    from advisor.domain.candidate import Candidate
    from advisor.domain.workload import Workload

POOL_GIB, IOPS = 25.6, 6000.0
CASES = [
    (platform, engine, kind)
    for platform in Platform
    for engine, kind in product(ENGINES_ON[platform], STORAGE_ON[platform])
]


def values(
    chosen: Candidate | None = None,
    load: Workload | None = None,
    pool_gib: float = POOL_GIB,
    iops: float | None = IOPS,
) -> dict[str, str]:
    rows = settings_of(chosen or candidate(), load or workload(), pool_gib, iops)
    assert len({each.name for each in rows}) == len(rows)
    return {each.name: each.value for each in rows}


def reason(name: str, chosen: Candidate, load: Workload) -> str:
    rows = settings_of(chosen, load, POOL_GIB, IOPS)
    return next(each.reason for each in rows if each.name == name)


@pytest.mark.parametrize(("platform", "engine", "kind"), CASES)
@pytest.mark.parametrize("nodes", [1, 3])
@pytest.mark.parametrize("durability", Durability)
def test_every_candidate_has_settings_with_reasons(
    platform: Platform, engine: Engine, kind: Kind, nodes: int, durability: Durability
) -> None:
    rows = settings_of(
        candidate(platform, engine, kind, nodes=nodes),
        workload(durability=durability),
        POOL_GIB,
        None if kind.is_aurora else IOPS,
    )
    assert rows
    assert all(each.name and each.value and each.reason for each in rows)


def test_the_pick_of_today_keeps_its_settings() -> None:
    """What the answers printed before this module stays: the prediction supposes it."""
    found = values()
    assert found["innodb_buffer_pool_size"] == "26214M"
    assert found["innodb_redo_log_capacity"] == "3G"
    assert (found["innodb_io_capacity"], found["innodb_io_capacity_max"]) == ("3000", "6000")
    assert (found["innodb_flush_log_at_trx_commit"], found["sync_binlog"]) == ("1", "1")
    assert found["innodb_flush_method"] == "O_DIRECT"
    assert found["innodb_doublewrite"] == "ON"
    assert found["max_prepared_stmt_count"] == "1000000"
    relaxed = values(load=workload(durability=Durability.RELAXED))
    assert (relaxed["innodb_flush_log_at_trx_commit"], relaxed["sync_binlog"]) == ("2", "0")
    assert values(candidate(engine=Engine.MARIADB))["innodb_log_file_size"] == "3G"


def test_many_connections_take_from_the_pool_and_are_said() -> None:
    crowd = workload(connections=5000)
    assert values(load=crowd)["max_connections"] == "6260"
    assert int(values(load=crowd)["innodb_buffer_pool_size"].removesuffix("M")) < 20_000
    assert "6,260 connections" in reason("innodb_buffer_pool_size", candidate(), crowd)
    assert "6,260" not in reason("innodb_buffer_pool_size", candidate(), workload())


@PROPERTY
@given(
    memory_gib=st.sampled_from([2.0, 8.0, 64.0, 1024.0]),
    connections=st.one_of(st.none(), st.integers(1, 50_000)),
    iops=st.one_of(st.none(), st.floats(100.0, 400_000.0)),
    case=st.sampled_from(CASES),
)
def test_settings_fit_the_machine(
    memory_gib: float,
    connections: int | None,
    iops: float | None,
    case: tuple[Platform, Engine, Kind],
) -> None:
    platform, engine, kind = case
    chosen = candidate(platform, engine, kind, memory_gib=memory_gib)
    found = values(chosen, workload(connections=connections), 0.8 * memory_gib, iops)
    memory_mib = memory_gib * 1024
    for name in ("innodb_buffer_pool_size", "rocksdb_block_cache_size"):
        if found.get(name, "").endswith("M"):
            assert 0 < int(found[name].removesuffix("M")) <= 0.8 * memory_mib
    if "shared_buffers" in found and found["shared_buffers"].endswith("MB"):
        assert int(found["shared_buffers"].removesuffix("MB")) <= memory_mib / 4
    if "innodb_io_capacity" in found:
        assert 200 <= int(found["innodb_io_capacity"]) <= 20_000
        assert int(found["innodb_io_capacity_max"]) == 2 * int(found["innodb_io_capacity"])
    assert int(found["max_connections"]) > (connections or 0)


def test_postgresql() -> None:
    found = values(candidate(engine=Engine.POSTGRESQL))
    assert found["shared_buffers"] == "8192MB"
    assert found["effective_cache_size"] == "26214MB"
    assert found["random_page_cost"] == "1.1"
    assert found["checkpoint_completion_target"] == "0.9"
    assert found["synchronous_commit"] == "on"
    assert found["effective_io_concurrency"] == "120"
    assert found["max_wal_size"] == "16GB"
    relaxed = values(candidate(engine=Engine.POSTGRESQL), workload(durability=Durability.RELAXED))
    assert (relaxed["synchronous_commit"], relaxed["fsync"]) == ("off", "on")
    standby = values(candidate(engine=Engine.POSTGRESQL, nodes=3))
    assert standby["synchronous_standby_names"] == "ANY 1 (*)"


def test_replicas_wait_for_one_and_a_cluster_certifies() -> None:
    assert values(candidate(nodes=3))["rpl_semi_sync_source_wait_point"] == "AFTER_SYNC"
    maria = values(candidate(engine=Engine.MARIADB, nodes=3))
    assert maria["rpl_semi_sync_master_enabled"] == "ON"
    assert "gtid_mode" not in maria
    cluster = values(candidate(engine=Engine.PXC, nodes=3))
    assert cluster["pxc_strict_mode"] == "ENFORCING"
    assert cluster["wsrep_provider_options"] == "gcache.size=2G"
    assert "wsrep_provider" not in values(candidate(engine=Engine.PXC))


def test_myrocks_caches_blocks_and_knows_no_gap_locks() -> None:
    found = values(candidate(engine=Engine.MYROCKS))
    assert found["rocksdb_block_cache_size"] == "26214M"
    assert found["rocksdb_flush_log_at_trx_commit"] == "1"
    assert found["transaction_isolation"] == "READ-COMMITTED"
    assert "innodb_flush_method" not in found


def test_rds_takes_numbers_and_keeps_some_to_itself() -> None:
    found = values(candidate(Platform.RDS))
    assert found["DB parameter group"] == "mysql8.4"
    assert found["innodb_buffer_pool_size"] == str(26214 * 2**20)
    assert found["innodb_redo_log_capacity"] == str(3 * 2**30)
    assert found["innodb_doublewrite"] == found["innodb_flush_method"] == "set by RDS"
    postgresql = values(candidate(Platform.RDS, Engine.POSTGRESQL))
    assert postgresql["shared_buffers"] == str(8192 * 128)
    assert postgresql["checkpoint_timeout"] == "900"
    assert postgresql["fsync"] == "set by RDS"


def test_aurora_stays_durable_and_writes_no_pages() -> None:
    aurora = candidate(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD)
    found = values(aurora, workload(durability=Durability.RELAXED), iops=None)
    assert found["innodb_flush_log_at_trx_commit"] == "1"
    assert found["innodb_buffer_pool_size"] == "Aurora's default"
    assert found["binlog_format"] == "OFF"
    assert "innodb_doublewrite" in found["without effect"]
    assert "innodb_io_capacity" not in found


def test_the_advised_parameter_groups_are_of_versions_in_support() -> None:
    """A group of a version that the table calls ended would be bad advice."""
    from advisor.recommend.settings_managed import FAMILIES

    known = {(each.engine, each.version) for each in advice().versions if each.platform != "ec2"}
    for engine, family in FAMILIES.items():
        version = family.lstrip("abcdefghijklmnopqrstuvwxyz-")
        assert (engine.value, version) in known


def test_notes() -> None:
    crowd = workload(connections=5000)
    assert any("ProxySQL" in note for note in notes_of(candidate(), crowd))
    assert not any("ProxySQL" in note for note in notes_of(candidate(), workload(connections=900)))
    postgresql = notes_of(candidate(engine=Engine.POSTGRESQL), workload(connections=900))
    assert any("PgBouncer" in note for note in postgresql)
    rds = notes_of(candidate(Platform.RDS, nodes=2), crowd)
    assert any("RDS Proxy" in note for note in rds)
    assert "two minutes" in rds[0]
    cluster = notes_of(candidate(engine=Engine.PXC, nodes=3), workload())
    assert "certification" in cluster[0]
    aurora = candidate(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD, nodes=2)
    assert any("reader endpoint" in note for note in notes_of(aurora, workload()))
    assert "fail-over" in notes_of(candidate(nodes=3), workload())[0]
    far = changed(workload(), client=Client.CROSS_AZ)
    assert any("another zone" in note for note in notes_of(candidate(), far))
    assert not notes_of(candidate(), workload(profile="point"))


def test_many_processors_split_the_table_cache() -> None:
    assert values(candidate(vcpu=32))["table_open_cache_instances"] == "64"
    assert "table_open_cache_instances" not in values()


def test_a_read_load_keeps_little_log() -> None:
    read = workload(profile="read")
    assert values(load=read)["innodb_redo_log_capacity"] == "2G"
    postgresql = values(candidate(engine=Engine.POSTGRESQL), read)
    assert postgresql["max_wal_size"] == "4GB"
    assert "wal_compression" not in postgresql


def test_rds_needs_no_semi_synchronous_replicas() -> None:
    assert not any(name.startswith("rpl_") for name in values(candidate(Platform.RDS, nodes=2)))


def test_writes_are_not_sent_to_readers() -> None:
    aurora = candidate(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD, nodes=2)
    said = notes_of(aurora, workload(profile="write"))
    assert not any("reader endpoint" in note for note in said)
