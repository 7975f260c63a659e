"""The way to a pick: one line for every pair, and the right one for the known moves."""

from __future__ import annotations

from itertools import product

import pytest

from advisor.domain.vocabulary import ENGINES_ON, STORAGE_ON, Architecture, Engine, Platform
from advisor.domain.vocabulary import StorageType as Kind
from advisor.recommend.migration import how_to_get_there
from tests.advice import candidate

ALL = [
    candidate(platform, engine, STORAGE_ON[platform][0], nodes=nodes)
    for platform in Platform
    for engine, nodes in product(ENGINES_ON[platform], (1, 3))
]


@pytest.mark.parametrize("pick", ALL, ids=lambda each: each.config)
def test_there_is_one_line_from_everywhere(pick: object) -> None:
    for current in (None, *ALL):
        line = how_to_get_there(pick, current)  # type: ignore[arg-type]
        assert line.endswith(".")
        assert "\n" not in line
        assert len(line) < 400


AURORA = candidate(Platform.AURORA, Engine.AURORA_MYSQL, Kind.AURORA_STANDARD)


def test_known_moves() -> None:
    assert "physical backup from S3" in how_to_get_there(AURORA)
    assert "read replica" in how_to_get_there(AURORA, candidate(Platform.RDS))
    assert "convert the schema" in how_to_get_there(candidate(engine=Engine.POSTGRESQL), AURORA)
    assert how_to_get_there(AURORA, AURORA) == "Nothing to move: it is what runs now."
    myrocks = how_to_get_there(candidate(engine=Engine.MYROCKS), candidate())
    assert "dump and load" in myrocks
    maria = how_to_get_there(candidate(), candidate(engine=Engine.MARIADB))
    assert "files differ" in maria
    assert "(SST)" in how_to_get_there(candidate(engine=Engine.PXC, nodes=3), candidate())


def test_changes_in_place() -> None:
    volume = how_to_get_there(candidate(), candidate(kind=Kind.GP2))
    assert volume.startswith("Modify the volume from gp2 to gp3:200GiB:6000:250")
    resized = how_to_get_there(candidate(), candidate(name="m7g.large", vcpu=2))
    assert "change its type to m7g.2xlarge" in resized
    assert "copy" in how_to_get_there(candidate(), candidate(size_gib=1000))
    intel = candidate(name="m7i.2xlarge", architecture=Architecture.X86_64)
    assert "Arm" in how_to_get_there(candidate(), intel)
    assert "x86" in how_to_get_there(intel, candidate())
    assert "stream of the log" in how_to_get_there(candidate(kind=Kind.NVME), candidate())
    graviton = candidate(Platform.RDS)
    before = candidate(Platform.RDS, architecture=Architecture.X86_64, name="m7i.2xlarge")
    assert "both architectures" in how_to_get_there(graviton, before)
