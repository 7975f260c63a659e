"""CONFIG: the grammar of DESIGN.md section 6, and what is written reads back the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.domain.candidate import Candidate
from advisor.domain.config import MAX_NODES, MAX_VOLUMES, Config, config_of, parse_config
from advisor.domain.names import DB_CLASSES, INSTANCE_TYPES
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import (
    ENGINES_ON,
    STORAGE_ON,
    Availability,
    Engine,
    Platform,
    StorageType,
)
from advisor.errors import UsageError
from tests.render.answers import instance

PROPERTY = settings(derandomize=True, max_examples=300, deadline=None, database=None)
FIGURES = st.integers(min_value=1, max_value=2**40)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Draw any configuration that the grammar can write."""
    platform = draw(st.sampled_from(Platform))
    kind = draw(st.sampled_from(STORAGE_ON[platform]))
    is_volume = kind is not StorageType.NVME and not kind.is_aurora
    must_have_iops = kind in (StorageType.IO1, StorageType.IO2)
    size = draw(FIGURES if must_have_iops else st.none() | FIGURES) if is_volume else None
    iops = throughput = None
    if size is not None and kind.is_provisioned:
        iops = draw(FIGURES if must_have_iops else st.none() | FIGURES)
    if iops is not None and kind is StorageType.GP3:
        throughput = draw(st.none() | FIGURES)
    is_multi_az = platform is Platform.RDS and draw(st.booleans())
    return Config(
        platform=platform,
        engine=draw(st.sampled_from(ENGINES_ON[platform])),
        instance_type=draw(
            st.sampled_from(INSTANCE_TYPES if platform is Platform.EC2 else DB_CLASSES)
        ),
        storage_type=kind,
        size_gib=size,
        iops=iops,
        throughput_mib_per_s=throughput,
        count=draw(st.integers(1, MAX_VOLUMES)) if is_volume and platform is Platform.EC2 else 1,
        nodes=1 if platform is Platform.RDS else draw(st.integers(1, MAX_NODES)),
        is_multi_az=is_multi_az,
    )


@given(configs())
@PROPERTY
def test_what_is_written_reads_back_the_same(config: Config) -> None:
    assert parse_config(str(config)) == config


@given(st.text(alphabet="ec2/mysqlgp3:x.m7 ,é\n0-", max_size=40) | st.text(max_size=40))
@PROPERTY
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        config = parse_config(text)
    except UsageError:
        return
    assert parse_config(str(config)) == config


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ec2/mysql/c6g.2xlarge/gp3:200GiB:6000:250",
            Config(
                platform=Platform.EC2,
                engine=Engine.MYSQL,
                instance_type="c6g.2xlarge",
                storage_type=StorageType.GP3,
                size_gib=200,
                iops=6000,
                throughput_mib_per_s=250,
            ),
        ),
        (
            "mysql/i4i.xlarge/nvme/x3",
            Config(
                platform=Platform.EC2,
                engine=Engine.MYSQL,
                instance_type="i4i.xlarge",
                storage_type=StorageType.NVME,
                nodes=3,
            ),
        ),
        (
            "rds/postgresql/db.m6g.large/gp3:400GiB/multi-az",
            Config(
                platform=Platform.RDS,
                engine=Engine.POSTGRESQL,
                instance_type="db.m6g.large",
                storage_type=StorageType.GP3,
                size_gib=400,
                is_multi_az=True,
            ),
        ),
        (
            "aurora/aurora-mysql/db.r6g.2xlarge/io-optimized/x2",
            Config(
                platform=Platform.AURORA,
                engine=Engine.AURORA_MYSQL,
                instance_type="db.r6g.2xlarge",
                storage_type=StorageType.AURORA_IO_OPTIMIZED,
                nodes=2,
            ),
        ),
        (
            " MySQL/M6G.large/2xGP3:1TiB:6,000:250/x1",
            Config(
                platform=Platform.EC2,
                engine=Engine.MYSQL,
                instance_type="m6g.large",
                storage_type=StorageType.GP3,
                size_gib=1024,
                iops=6000,
                throughput_mib_per_s=250,
                count=2,
            ),
        ),
    ],
)
def test_parts_are_read(text: str, expected: Config) -> None:
    assert parse_config(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an engine is missing"),
        ("ec2", "an engine is missing"),
        ("rds/", "an engine is missing"),
        ("mysql", "an instance and storage are missing"),
        ("mysql/m6g.large", "storage is missing"),
        ("mysql//gp3", "an instance type is missing"),
        ("rds/mysql//gp3", "a DB instance class is missing"),
        ("mysql/m6g.large/", "storage is missing"),
        ("m6g.large/gp3", "an engine is missing before m6g.large"),
        ("ec22/mysql/m7g.large/gp3", "did you mean ec2?"),
        ("mysqll/m7g.large/gp3", "did you mean mysql?"),
        ("postgres/m7g.large/gp3", "did you mean postgresql?"),
        ("aurora-pg/db.r7g.large/standard", "did you mean aurora/aurora-postgresql?"),
        ("aurora/postgres/db.r7g.large/standard", "did you mean aurora-postgresql?"),
        ("aurora/mysql/db.r7g.large/standard", "aurora runs aurora-mysql, not mysql"),
        ("mysql/m7g.larg/gp3", "did you mean m7g.large?"),
        ("mysql/db.m7g.large/gp3", "a class of RDS and Aurora"),
        ("rds/mysql/m6g.large/gp3", "did you mean db.m6g.large?"),
        ("rds/mysql/db.m6g.larg/gp3", "did you mean db.m6g.large?"),
        ("aurora-mysql/db.r6g.large/standard", "write aurora/aurora-mysql/…"),
        ("mysql/m6g.large/gp33:1", "did you mean gp3?"),
        ("aurora/aurora-mysql/db.r6g.large/gp3", "aurora has no gp3 storage"),
        ("mysql/m6g.large/io2:100GiB", "io2 needs its IOPS, such as io2:100GiB:6000"),
        ("mysql/m6g.large/io1", "io1 needs its IOPS, such as io1:200GiB:6000"),
        ("mysql/m6g.large/gp2:500GiB:3000", "its size gives IOPS"),
        ("mysql/m6g.large/io2:500GiB:3000:9", "its IOPS give MiB/s"),
        ("mysql/m6g.large/gp3:1GiB:3000:125:1", "no more"),
        ("mysql/m6g.large/gp3:500QB", "has an unknown unit"),
        ("mysql/m6g.large/gp3:-1", "is negative"),
        ("mysql/m6g.large/gp3:0", "must be from 1"),
        ("mysql/m6g.large/gp3:1GiB:3.5", "is not a whole number"),
        ("mysql/m6g.large/0xgp3", "must be from 1 to 128"),
        ("mysql/m6gd.large/nvme:100GiB", "all local disks"),
        ("aurora/aurora-mysql/db.r6g.large/standard:1GiB", "grows by itself"),
        ("rds/mysql/db.m6g.large/2xgp3", "stripes volumes by itself"),
        ("mysql/m6g.large/gp3/multi-az", "on ec2 write x3"),
        ("aurora/aurora-mysql/db.r6g.large/standard/multi-az", "on aurora write x2"),
        ("rds/mysql/db.m6g.large/gp3/x2", "multi-az instead"),
        ("mysql/m6g.large/gp3/3", "no number of nodes such as x3"),
        ("mysql/m6g.large/gp3/x99", "must be from 1 to 16"),
        ("mysql/m6g.large/gp3/x2/x3", "nothing may follow"),
    ],
)
def test_what_is_wrong_is_said_with_the_next_step(text: str, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_config(text)
    assert words in raised.value.message
    assert raised.value.hint is not None
    assert "engine/instance/storage" in raised.value.hint


@pytest.mark.parametrize(
    ("written", "size_gib"), [("500GB", 500), ("1TB", 1000), ("1TiB", 1024), ("99.2GiB", 100)]
)
def test_sizes_are_whole_gib_as_aws_bills_them(written: str, size_gib: int) -> None:
    assert parse_config(f"mysql/m6g.large/gp2:{written}").size_gib == size_gib


def test_long_text_is_cut() -> None:
    with pytest.raises(UsageError) as raised:
        parse_config("x" * 5000)
    assert len(raised.value.message) < 250


@pytest.mark.parametrize(
    ("text", "availability"),
    [
        ("mysql/m6g.large/gp3", Availability.SINGLE),
        ("mysql/m6g.large/gp3/x3", Availability.MULTI_AZ),
        ("pxc/m6g.large/gp3/x3", Availability.CLUSTER),
        ("rds/mysql/db.m6g.large/gp3/multi-az", Availability.MULTI_AZ),
        ("aurora/aurora-mysql/db.r6g.large/standard", Availability.SINGLE),
        ("aurora/aurora-mysql/db.r6g.large/standard/x2", Availability.MULTI_AZ),
        ("aurora/aurora-mysql/db.r6g.large/standard/x3", Availability.CLUSTER),
    ],
)
def test_nodes_say_the_availability(text: str, availability: Availability) -> None:
    assert parse_config(text).availability is availability


@pytest.mark.parametrize(
    ("kind", "iops", "throughput", "expected"),
    [
        (StorageType.GP2, 600, 128, "gp2:200GiB"),
        (StorageType.GP3, 6000, 250, "gp3:200GiB:6000:250"),
        (StorageType.IO2, 6000, 4000, "io2:200GiB:6000"),
        (StorageType.NVME, None, None, "nvme"),
    ],
)
def test_a_candidate_has_a_config(
    kind: StorageType, iops: int | None, throughput: int | None, expected: str
) -> None:
    storage = StorageSpec(type=kind, size_gib=200, iops=iops, throughput_mib_per_s=throughput)
    candidate = Candidate(
        platform=Platform.EC2,
        engine=Engine.MYSQL,
        instance=instance("i4i.large", 2),
        storage=storage,
        nodes=3,
    )
    assert str(config_of(candidate)) == candidate.config == f"ec2/mysql/i4i.large/{expected}/x3"
