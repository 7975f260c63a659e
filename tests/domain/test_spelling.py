"""Wrong names: the right one is suggested, for slips of a finger and for what others call it."""

from __future__ import annotations

import pytest

from advisor.cli.recommend import recommend
from advisor.domain.aliases import ALIASES
from advisor.domain.names import DB_CLASSES, FAMILIES, INSTANCE_TYPES, REGIONS
from advisor.domain.spelling import did_you_mean, nearest
from advisor.domain.vocabulary import (
    Architecture,
    Availability,
    Dialect,
    Durability,
    Engine,
    Objective,
    Payment,
    Platform,
    StorageType,
    Term,
)
from advisor.domain.workload import PROFILES

WORDS = ("mysql", "mariadb", "percona-server", "us-west-1", "us-east-1")
FLAGS = tuple(f"--{name.replace('_', '-')}" for name in recommend.__annotations__)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("mysq", "mysql"),
        ("MariaDB", "mariadb"),
        ("us-esat-1", "us-east-1"),
        ("zzzzzz", None),
    ],
)
def test_nearest_name(word: str, expected: str | None) -> None:
    assert nearest(word, WORDS) == expected


def test_phrase_is_empty_when_nothing_is_close() -> None:
    assert did_you_mean("mysq", WORDS) == "; did you mean mysql?"
    assert did_you_mean("zzzzzz", WORDS) == ""
    assert did_you_mean("x", ()) == ""


@pytest.mark.parametrize(
    ("word", "words", "expected"),
    [
        ("m7gg", FAMILIES, "m7g"),
        ("m77g", FAMILIES, "m7g"),
        ("mg7", FAMILIES, "m7g"),
        ("m7i-fle", FAMILIES, "m7i-flex"),
        ("m7gg.large", INSTANCE_TYPES, "m7g.large"),
        ("m7g.2xl", INSTANCE_TYPES, "m7g.2xlarge"),
        ("m7g", INSTANCE_TYPES, "m7g.large"),
        ("r8g.3xlarge", INSTANCE_TYPES, "r8g.2xlarge"),
        ("db.m7g", DB_CLASSES, "db.m7g.large"),
        ("us-east1", REGIONS, "us-east-1"),
        ("us-east", REGIONS, "us-east-1"),
        ("us-est-1", REGIONS, "us-east-1"),
        ("eu-west", REGIONS, "eu-west-1"),
        ("us-west-3", REGIONS, "us-west-2"),
        ("Frankfurt", REGIONS, "eu-central-1"),
        ("gp33", StorageType, "gp3"),
        ("gp4", StorageType, "gp3"),
        ("nmve", StorageType, "nvme"),
        ("instance store", StorageType, "nvme"),
        ("io-optimised", StorageType, "io-optimized"),
        ("postgres", Engine, "postgresql"),
        ("pg", Engine, "postgresql"),
        ("psql", Dialect, "postgresql"),
        ("aurora-pg", Engine, "aurora-postgresql"),
        ("aurora", Engine, "aurora-mysql"),
        ("aurora", StorageType, "standard"),
        ("percona", Engine, "percona-server"),
        ("galera", Engine, "pxc"),
        ("mongodb", Engine, None),
        ("reserved1y", Term, "reserved-1y"),
        ("reserved", Term, "reserved-1y"),
        ("3y", Term, "reserved-3y"),
        ("ondemand", Term, "on-demand"),
        ("amd64", Architecture, "x86_64"),
        ("aarch64", Architecture, "arm64"),
        ("x86-64", Architecture, "x86_64"),
        ("multiaz", Availability, "multi-az"),
        ("fast", Objective, "throughput"),
        ("--hot", FLAGS, "--hot-size"),
        ("--regon", FLAGS, "--region"),
        ("--workload", FLAGS, "--rw"),
        ("--iops", FLAGS, None),
    ],
)
def test_what_people_type_leads_to_what_they_mean(
    word: str, words: tuple[str, ...], expected: str | None
) -> None:
    assert nearest(word, words) == expected


def test_every_alias_stands_for_a_name() -> None:
    """A name itself is an alias only where another set lacks it: mariadb is no dialect."""
    sets = (Architecture, Availability, Dialect, Durability, Engine, Objective, Payment)
    names = {str(word) for words in (*sets, Platform, StorageType, Term) for word in words}
    names |= {*REGIONS, *PROFILES, *FLAGS}
    assert {name for meant in ALIASES.values() for name in meant} <= names
    assert all(word == word.casefold() for word in ALIASES)
