"""Each promise of the data is broken once, in a copy of the CSV text, and must be found."""

from __future__ import annotations

import csv
import os
import shutil
from pathlib import Path

import duckdb
import pytest

from advisor.errors import KnowledgeError
from advisor.knowledge.build import load_tables
from advisor.knowledge.database import open_database
from advisor.knowledge.verify import Fault, verify, verify_rows

ROOT = Path(__file__).resolve().parents[2]


def faults_after(
    directory: Path, file: str, edit: dict[str, str], *, duplicate: bool
) -> set[Fault]:
    """Return what verify finds when one row of ``file`` is edited, or repeated."""
    copy = directory / "data"
    shutil.copytree(ROOT / "data", copy, copy_function=os.symlink)
    path = copy / file
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    wanted = {key[1:]: value for key, value in edit.items() if key.startswith("?")}
    row = next(row for row in rows if wanted.items() <= row.items())
    if duplicate:
        rows.append(dict(row))
    row.update({key: value for key, value in edit.items() if not key.startswith("?")})
    path.unlink()
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with duckdb.connect() as connection:
        load_tables(connection, copy)
        return set(verify_rows(connection))


EC2 = "prices/ec2.csv"
TYPES = "catalogue/instance_types.csv"
VOLUMES = "prices/volumes.csv"
CONTESTED = "advice/contested.csv"
FIO = "observations/fio_ec2_misc.csv"


@pytest.mark.parametrize(
    ("file", "edit", "check", "column"),
    [
        (EC2, {"usd_per_hour": ""}, "required", "usd_per_hour"),
        (EC2, {"usd_per_hour": "0"}, "range", "usd_per_hour"),
        (EC2, {"usd_per_hour": "-1"}, "range", "usd_per_hour"),
        (EC2, {"source_id": "nobody"}, "join", "source_id"),
        (EC2, {"source_id": ""}, "required", "source_id"),
        (EC2, {"instance_type": "m99.large"}, "join", "instance_type"),
        (EC2, {"term": "forever"}, "word", "term"),
        (EC2, {"as_of": "2026-13-01"}, "date", "as_of"),
        (EC2, {"as_of": "last week"}, "date", "as_of"),
        (
            EC2,
            {"?term": "reserved-1y", "?flag": "", "usd_per_hour": "9999"},
            "rule",
            "reserved-below-on-demand",
        ),
        (TYPES, {"vcpu": "0"}, "range", "vcpu"),
        (TYPES, {"arch": "sparc"}, "word", "arch"),
        (TYPES, {"cpu_baseline_ratio": "1.5"}, "range", "cpu_baseline_ratio"),
        (TYPES, {"ebs_baseline_iops": "90000"}, "rule", "ebs-baseline-iops-within-maximum"),
        (
            TYPES,
            {"?instance_type": "m7g.large", "ebs_baseline_iops": ""},
            "rule",
            "default-candidates-are-complete",
        ),
        (TYPES, {"instance_type": "m99.large"}, "rule", "every-type-priced"),
        (VOLUMES, {"unit": "GB-month"}, "word", "unit"),
        (VOLUMES, {"unit": "IOPS-month"}, "rule", "units-fit-items"),
        (VOLUMES, {"?tier_from": "32000", "tier_from": "33000"}, "rule", "io2-has-three-tiers"),
        (
            "catalogue/volume_limits.csv",
            {"?platform": "rds", "max_gib": "1"},
            "rule",
            "volume-sizes-ordered",
        ),
        (
            "prices/rds.csv",
            {"?payment": "partial", "upfront_usd": ""},
            "rule",
            "upfront-only-where-partial",
        ),
        (
            "prices/aurora.csv",
            {"?storage_mode": "io-optimized", "usd_per_hour": "0.01"},
            "rule",
            "io-optimized-above-standard",
        ),
        (FIO, {"value": ""}, "required", "value"),
        (FIO, {"value": "nan"}, "range", "value"),
        (FIO, {"read_ratio": "1.5"}, "range", "read_ratio"),
        (FIO, {"threads": "0"}, "range", "threads"),
        (FIO, {"condition_id": "nothing"}, "join", "condition_id"),
        (FIO, {"metric": "iops", "unit": "furlongs"}, "rule", "one-unit-per-metric"),
        (FIO, {"instance_type": "q1.large"}, "rule", "measured-types-in-the-catalogue"),
        ("sources/prices.csv", {"licence": ""}, "required", "licence"),
        ("sources/prices.csv", {"quality": "D"}, "word", "quality"),
        ("known_gaps.csv", {"table": "nowhere"}, "rule", "gaps-name-a-table"),
        (
            "known_gaps.csv",
            {"?key": "mx-central-1", "key": "mx-central-9"},
            "rule",
            "volume-prices-in-every-region",
        ),
        (CONTESTED, {"a_weight": "0.9", "b_weight": "0.1"}, "rule", "weights-follow-their-rule"),
        (CONTESTED, {"b_standing": "vendor"}, "rule", "weights-follow-their-rule"),
        (CONTESTED, {"b_weight": "0.9"}, "rule", "weights-follow-their-rule"),
        (CONTESTED, {"a_of": ""}, "rule", "cells-of-a-side-are-counted-together"),
        (CONTESTED, {"a_cells": "19"}, "rule", "cells-of-a-side-are-counted-together"),
        (CONTESTED, {"a_source_id": "nobody"}, "join", "a_source_id"),
        (CONTESTED, {"b_standing": "friend"}, "word", "b_standing"),
        (
            "known_gaps.csv",
            {"?key": "eu-west-3/io2", "key": "eu-west-9/io2"},
            "rule",
            "io2-priced-in-every-region",
        ),
        (
            "known_gaps.csv",
            {"?table": "rds_classes", "?key": "db.m7i.large", "key": "db.m7i.tiny"},
            "rule",
            "every-class-priced",
        ),
    ],
)
def test_each_fault_is_found(
    tmp_path: Path, file: str, edit: dict[str, str], check: str, column: str
) -> None:
    faults = faults_after(tmp_path, file, edit, duplicate=False)
    assert (check, column) in {(fault.check, fault.column) for fault in faults}


@pytest.mark.parametrize("file", [EC2, TYPES, VOLUMES, FIO, "known_gaps.csv"])
def test_a_repeated_key_is_found(tmp_path: Path, file: str) -> None:
    faults = faults_after(tmp_path, file, {}, duplicate=True)
    assert "key" in {fault.check for fault in faults}


def test_the_database_of_this_tree_is_sound(database: Path) -> None:
    with open_database(database) as connection:
        assert verify(connection) == ()


@pytest.mark.parametrize(
    ("statement", "column"),
    [
        ("UPDATE volume_prices SET usd = usd * 2 WHERE region = 'us-east-1'", "content_hash"),
        ("DELETE FROM ec2_prices WHERE region = 'us-east-1'", "content_hash"),
        ("CREATE TABLE extra AS SELECT 1 AS a", "model_hash"),
    ],
)
def test_a_changed_database_no_longer_has_its_hash(
    database: Path, tmp_path: Path, statement: str, column: str
) -> None:
    path = tmp_path / "changed.duckdb"
    shutil.copyfile(database, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute(statement)
    with open_database(path) as connection:
        faults = verify(connection)
    assert ("hash", column) in {(fault.check, fault.column) for fault in faults}


def test_a_missing_table_is_damage(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "less.duckdb"
    shutil.copyfile(database, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP TABLE coremark")
    with open_database(path) as connection, pytest.raises(KnowledgeError, match="damaged"):
        verify(connection)
