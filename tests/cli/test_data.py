from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import duckdb
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import RunCommand


@pytest.fixture(autouse=True)
def _in_use(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(database))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_sources_have_age_licence_and_rows(run_command: RunCommand) -> None:
    outcome = run_command("data", "sources", "--csv")
    assert (outcome.code, outcome.stderr) == (0, "")
    found = {row["source_id"]: row for row in rows(outcome.stdout)}
    prices = found["karpenter-2026"]
    assert (prices["licence"], prices["quality"]) == ("Apache-2.0", "B")
    assert int(prices["age_days"]) > 0
    assert int(prices["rows"]) > 1000
    assert found["sparecores_inspector"]["licence"].startswith("CC")


def test_sources_as_text_fit_the_page(run_command: RunCommand) -> None:
    text = run_command("data", "sources").stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "licence" in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("m6g.2xlarge", ("instance type", "reserved-1y", "measurements", "CPU scores")),
        ("M6G", ("instance type", "m6g.16xlarge")),
        ("gp3", ("volume limits", "80000", "measurements")),
        ("mysql", ("measurements", "oltp_read_only")),
        ("db.r6g.large", ("RDS class", "Aurora prices", "io-optimized")),
        ("i7ie.2xlarge", ("known gaps", "i7ie.2xlarge/reserved-1y")),
    ],
)
def test_show_names_facts_prices_and_evidence(
    run_command: RunCommand, name: str, words: tuple[str, ...]
) -> None:
    outcome = run_command("data", "show", name)
    assert (outcome.code, outcome.stderr) == (0, "")
    for word in words:
        assert word in outcome.stdout
    assert "spot" not in outcome.stdout


def test_show_as_json_is_a_contract(run_command: RunCommand) -> None:
    document = json.loads(run_command("data", "show", "gp3", "--json").stdout)
    assert (document["schema"], document["subject"]) == ("advisor.tables/1", "gp3")
    limits = document["tables"][0]
    assert limits["table"] == "volume limits"
    assert limits["rows"][0]["max_iops"] == 80000


def test_an_unknown_name_is_answered_with_the_nearest(run_command: RunCommand) -> None:
    outcome = run_command("data", "show", "m6g.2xlarg")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "did you mean m6g.2xlarge?" in outcome.stderr


def test_a_query_answers_as_table_csv_and_json(run_command: RunCommand) -> None:
    sql = (
        "SELECT volume_type, usd FROM volume_prices "
        "WHERE region = 'us-east-1' AND item = 'capacity' AND volume_type = 'gp3'"
    )
    assert run_command("data", "query", sql).stdout == "volume_type   usd\ngp3          0.08\n"
    assert run_command("data", "query", sql, "--csv").stdout == "volume_type,usd\ngp3,0.08\n"
    document = json.loads(run_command("data", "query", sql, "--json").stdout)
    assert document["rows"] == [{"volume_type": "gp3", "usd": 0.08}]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO meta VALUES ('', 0, '', '')",
        "UPDATE volume_prices SET usd = 0",
        "DELETE FROM sources",
        "DROP TABLE sources",
        "CREATE TABLE t (a INTEGER)",
        "CREATE TEMP TABLE t (a INTEGER)",
        "ATTACH 'other.duckdb'",
        "COPY sources TO 'out.csv'",
        "EXPORT DATABASE 'out'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 1",
        "SET enable_external_access = true",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "CHECKPOINT",
        "EXPLAIN ANALYZE DELETE FROM sources",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM connection",
        "SELECT 1; DROP TABLE sources",
        "SELECT 1; SELECT 2",
        "SELECT",
        "",
        "not sql",
        "SELECT * FROM nowhere",
        "SELECT 'a'::INTEGER",
    ],
)
def test_what_a_query_must_not_do_is_refused(
    run_command: RunCommand,
    database: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sql: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = database.read_bytes()
    outcome = run_command("data", "query", sql)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("error: ")
    assert "Traceback" not in outcome.stderr
    assert len(outcome.stderr.splitlines()) <= 2
    assert database.read_bytes() == before
    assert list(tmp_path.iterdir()) == []


def test_a_table_round_trips_through_csv(run_command: RunCommand, root: Path) -> None:
    """What is exported is what the repository holds."""
    text = run_command("data", "export", "volume_prices").stdout
    with (root / "data" / "prices" / "volumes.csv").open(encoding="utf-8", newline="") as file:
        committed = list(csv.DictReader(file))
    numbers = [{**row, "usd": float(row["usd"])} for row in rows(text)]
    key = ("region", "volume_type", "item", "tier_from")
    expected = [{**row, "usd": float(row["usd"])} for row in committed]
    by_key = [tuple(str(row[name]) for name in key) for row in expected]
    assert {tuple(str(row[name]) for name in key) for row in numbers} == set(by_key)
    assert sorted(map(str, numbers)) == sorted(map(str, expected))


def test_export_to_a_file_as_json(run_command: RunCommand, tmp_path: Path) -> None:
    target = tmp_path / "limits.json"
    outcome = run_command("data", "export", "volume_limits", "--json", "-o", str(target))
    assert (outcome.code, outcome.stdout) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["table"] == "volume_limits"


def test_an_unknown_table_is_answered_with_the_nearest(run_command: RunCommand) -> None:
    outcome = run_command("data", "export", "volume_limit")
    assert outcome.code == 2
    assert "did you mean volume_limits?" in outcome.stderr


@pytest.mark.parametrize("command", [("sources",), ("query", "SELECT 1"), ("export", "sources")])
def test_csv_and_json_exclude_each_other(run_command: RunCommand, command: tuple[str, ...]) -> None:
    outcome = run_command("data", *command, "--csv", "--json")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "exclude each other" in outcome.stderr


def test_verify_says_that_all_is_well(run_command: RunCommand) -> None:
    outcome = run_command("data", "verify")
    assert (outcome.code, outcome.stdout) == (0, "the knowledge base is sound\n")
    assert json.loads(run_command("data", "verify", "--json").stdout)["rows"] == []


def test_verify_names_the_fault_and_ends_with_3(
    run_command: RunCommand, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "changed.duckdb"
    path.write_bytes(database.read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE volume_prices SET usd = 0 WHERE region = 'us-east-1'")
    monkeypatch.setenv("ADVISOR_DATABASE", str(path))
    outcome = run_command("data", "verify")
    assert outcome.code == 3
    assert "range" in outcome.stdout
    assert "content_hash" in outcome.stdout
    assert outcome.stderr.startswith("error: the knowledge base has ")


@pytest.mark.parametrize(
    "command",
    [("sources",), ("show", "gp3"), ("query", "SELECT 1"), ("export", "sources"), ("verify",)],
)
@pytest.mark.parametrize("content", [None, b"not a database", b""])
def test_an_unusable_database_ends_with_3(
    run_command: RunCommand,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    content: bytes | None,
) -> None:
    path = tmp_path / "bad.duckdb"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("ADVISOR_DATABASE", str(path))
    outcome = run_command("data", *command)
    assert (outcome.code, outcome.stdout) == (3, "")
    assert outcome.stderr.startswith("error: ")
    assert len(outcome.stderr.splitlines()) == 2
