"""The import of the measurements, its scores and licences.

The last two tests run the import on the shared folder and skip where it is absent.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
SHARED = ROOT.parent / "shared"

Row = dict[str, str]

DROPS = {
    ("aurora_r6g_vs_r5_claims_2021", "rows"): 2,
    ("fio_ec2_misc", "rows"): 8,
    ("mysql_readonly_cpu_2021", "rows"): 24,
    ("postgres_pgbench_100gb_2026", "rows"): 12,
    ("mysql_hosts_side_tests_2021", "values"): 1169,
    ("cpu_scores_sparecores", "values"): 37,
}
"""Everything that the import leaves out, by table."""


def read(path: str) -> list[Row]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# Scores and licences


def test_scores_have_no_zero_and_one_value_per_metric() -> None:
    rows = read("share-alike/cpu_scores.csv")
    assert all(float(row["value"]) > 0 for row in rows)
    assert len({(row["instance_type"], row["metric"]) for row in rows}) == len(rows) == 29565
    assert len({row["instance_type"] for row in rows}) == 1180
    assert len(read("share-alike/cpu_scaling.csv")) == 21377
    assert len(read("share-alike/redis.csv")) == 7104
    assert len(read("share-alike/cpu_models.csv")) == 1180
    assert len(read("catalogue/coremark.csv")) == 1093
    assert len(read("catalogue/benchmark_hosts.csv")) == 116


def test_share_alike_tables_stand_apart_with_their_licence() -> None:
    licences = {row["source_id"]: row["licence"] for row in read("sources/measurements.csv")}
    share_alike = {name for name, licence in licences.items() if "BY-SA" in licence}
    assert share_alike == {"sparecores_inspector"}
    for path in (DATA / "share-alike").glob("*.csv"):
        assert {row["source_id"] for row in read(f"share-alike/{path.name}")} == share_alike
    for path in (DATA / "observations").glob("*.csv"):
        rows = read(f"observations/{path.name}")
        assert share_alike.isdisjoint(row["source_id"] for row in rows)
    assert (DATA / "licences" / "CC-BY-SA-4.0.txt").is_file()


def test_every_source_is_named_in_the_licences() -> None:
    text = (DATA / "LICENSES.md").read_text(encoding="utf-8")
    missing = [
        r["source_id"] for r in read("sources/measurements.csv") if r["source_id"] not in text
    ]
    assert missing == []


# The import itself


def run_import(folder: Path) -> str:
    command = [sys.executable, str(ROOT / "scripts" / "import_measurements.py")]
    done = subprocess.run(
        [*command, "--shared", str(SHARED), "--data", str(folder)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
    return done.stderr


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared folder with the source tables is absent"
)
def test_import_reproduces_the_data_byte_for_byte(tmp_path: Path) -> None:
    run_import(tmp_path)
    written = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.csv")]
    tables = list((DATA / "observations").glob("*.csv"))
    assert len(written) == len(tables) + 8
    for path in written:
        assert (tmp_path / path).read_bytes() == (DATA / path).read_bytes(), path


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared folder with the source tables is absent"
)
def test_import_says_what_it_leaves_out(tmp_path: Path) -> None:
    table, dropped = "", Counter[tuple[str, str]]()
    tables = set()
    for line in run_import(tmp_path).splitlines():
        found = re.match(r" +(\d+) (rows|values) dropped: .", line)
        if found:
            dropped[table, found[2]] += int(found[1])
        else:
            table = line.partition(":")[0]
            tables.add(table)
    assert dropped == DROPS
    assert tables == {path.stem for path in (SHARED / "measurements").glob("*.csv")}
