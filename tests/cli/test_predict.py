"""``advisor predict`` and ``advisor compare``: flags, exit codes, streams, JSON contracts."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from advisor.cli.config_argument import complete_config
from advisor.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import RunCommand

CONFIG = "mysql/m7g.2xlarge/gp3:200GiB:6000:250"
OTHER = "mysql/m7i.2xlarge/gp3:200GiB:6000:250"
FLAGS = ("--threads", "16", "--rw", "mixed")
PREDICT = ("predict", CONFIG, *FLAGS)
COMPARE = ("compare", CONFIG, OTHER, *FLAGS)


@pytest.fixture(scope="module", autouse=True)
def _in_use(database: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADVISOR_DATABASE", str(database))
        yield


def document(run_command: RunCommand, *arguments: str) -> dict[str, Any]:
    outcome = run_command(*arguments, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    found: dict[str, Any] = json.loads(outcome.stdout)
    return found


def words(run_command: RunCommand, *arguments: str) -> str:
    """Return the answer on one line."""
    return " ".join(run_command(*arguments).stdout.split())


def test_prediction_in_words(run_command: RunCommand) -> None:
    outcome = run_command(*PREDICT)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith("MySQL on m7g.2xlarge (8 vCPU, 32 GiB) with gp3 200 GiB")
    assert max(map(len, outcome.stdout.splitlines())) <= 80
    for word in ("80% interval", "a month", f"config: ec2/{CONFIG}", "Where the time goes"):
        assert word in outcome.stdout


def test_explain_adds_to_the_prediction(run_command: RunCommand) -> None:
    short, long = run_command(*PREDICT).stdout, run_command(*PREDICT, "--explain").stdout
    assert long.startswith(short)
    assert max(map(len, long.splitlines())) <= 80
    assert "innodb_buffer_pool_size = " in long


def test_prediction_as_json(run_command: RunCommand) -> None:
    found = document(run_command, *PREDICT)
    assert found["schema"] == "advisor.prediction/1"
    assert found["config"] == f"ec2/{CONFIG}"
    assert found["predicted"]["transactions_per_s"]["value"] > 0
    assert sum(each["is_limit"] for each in found["bottlenecks"]) == 1
    assert found["cost"]["usd_per_month"] > 0
    assert found["evidence"]
    assert found["unpriced"] is None
    assert {"region", "term"} == set(found["request"])
    names = [each["name"] for each in found["workload"]["assumed"]]
    assert len(names) == len(set(names))
    assert "volume-size" not in names


def test_rows_of_a_recommendation_are_predicted_alike(run_command: RunCommand) -> None:
    for flags, space in (
        (FLAGS, ()),
        (("--threads", "64", "--rw", "0.9"), ("--storage", "io2,gp2")),
    ):
        answer = document(run_command, "recommend", *flags, *space)
        for row in answer["recommendations"]:
            found = document(run_command, "predict", row["config"], *flags)
            for field in ("config", "predicted", "bottlenecks", "cost", "caveats", "storage"):
                assert found[field] == row[field], field
            assert found["usd_per_month_per_1000_tps"] == row["usd_per_month_per_1000_tps"]


def test_comparison_in_words(run_command: RunCommand) -> None:
    outcome = run_command(*COMPARE)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert max(map(len, outcome.stdout.splitlines())) <= 80
    for word in ("With 16 threads", "Where the lead changes", "$/month reserved-3y", "80% from"):
        assert word in outcome.stdout


def test_four_configurations_fit_the_page(run_command: RunCommand) -> None:
    outcome = run_command(
        "compare", CONFIG, OTHER, "mysql/c8i-flex.16xlarge/4xio2:16TiB:64000/x16",
        "mysql/t3.large/gp2", "--threads", "100000", "--rw", "0.731",
    )  # fmt: skip
    assert outcome.code == 0, outcome.stderr
    assert max(map(len, outcome.stdout.splitlines())) <= 80


def test_comparison_as_json(run_command: RunCommand) -> None:
    found = document(run_command, *COMPARE)
    assert found["schema"] == "advisor.comparison/1"
    assert [each["config"] for each in found["configurations"]] == [f"ec2/{CONFIG}", f"ec2/{OTHER}"]
    assert [each["threads"] for each in found["ladder"]] == [1, 2, 4, 8, 16, 32, 64, 128]
    for rung in found["ladder"]:
        assert rung["lead_ratio"] >= 1.0
        assert rung["leader"] != rung["runner_up"]
        first, second = rung["configurations"]
        assert first["throughput_ratio"] == 1
        assert first["difference_transactions_per_s"] == 0
        assert second["predicted"]["latency_p95_ms"]["value"] > 0
    assert [each["term"] for each in found["terms"]] == ["on-demand", "reserved-1y", "reserved-3y"]
    for term in found["terms"]:
        for each in term["configurations"]:
            assert {"usd_per_month", "usd_per_month_per_1000_tps"} < set(each)
    stated = next(each for each in found["ladder"] if each["threads"] == 16)
    for alone, beside in zip(found["configurations"], stated["configurations"], strict=True):
        assert alone["predicted"] == beside["predicted"]


def test_unpriced_is_null_and_said(run_command: RunCommand) -> None:
    flags = (*FLAGS, "--region", "eu-west-1", "--term", "reserved-1y")
    old = "mysql/r3.xlarge/gp2"
    found = document(run_command, "predict", old, *flags)
    assert found["cost"] is None
    assert "no reserved-1y price" in found["unpriced"]
    assert found["prices"]["as_of"] is None
    assert "No other price stands in for it" in words(run_command, "predict", old, *flags)
    text = words(run_command, "compare", old, CONFIG, *flags)
    assert "a price is missing" in text
    assert "unpriced: r3.xlarge" in text


@pytest.mark.parametrize("arguments", [PREDICT, COMPARE])
def test_same_input_gives_the_same_bytes(
    run_command: RunCommand, arguments: tuple[str, ...]
) -> None:
    for flags in ((), ("--json",)):
        assert run_command(*arguments, *flags).stdout == run_command(*arguments, *flags).stdout


@pytest.mark.parametrize("arguments", [PREDICT, COMPARE])
def test_next_step_runs(run_command: RunCommand, arguments: tuple[str, ...]) -> None:
    """The printed command line is one that works, with the stated flags and no assumed one."""
    text = run_command(*arguments, "--durability", "relaxed", "--region", "eu-west-1").stdout
    line = text.partition("next:")[2].partition("\n        advisor ")[0].replace("\\\n", " ")
    typed = shlex.split(line)
    assert typed[:2] == ["advisor", "predict"]
    assert typed[3:] == [
        *FLAGS, "--durability", "relaxed", "--region", "eu-west-1", "--explain",
    ]  # fmt: skip
    assert run_command(*typed[1:]).code == 0


@pytest.mark.parametrize("arguments", [PREDICT, COMPARE])
def test_file_holds_the_same(
    run_command: RunCommand, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    path = tmp_path / "out.txt"
    outcome = run_command(*arguments, "-o", str(path))
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")
    assert path.read_text(encoding="utf-8") == run_command(*arguments).stdout


def test_target_is_judged(run_command: RunCommand) -> None:
    met = words(run_command, *PREDICT, "--target-tps", "10", "--max-p95-ms", "500")
    assert "meets what was asked: 10.0 transactions/s with 30% headroom and p95" in met
    assert "misses what was asked" in words(run_command, *PREDICT, "--target-tps", "1e6")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("predict",), 2, "missing argument"),
        (("predict", CONFIG), 2, "missing --threads and --rw; for example: advisor predict"),
        (("predict", "mysql/m7g.larg/gp3", *FLAGS), 2, "did you mean m7g.large?"),
        (("predict", "mysql/m7g.large/gp33", *FLAGS), 2, "did you mean gp3?"),
        (("predict", CONFIG, *FLAGS, "--region", "us-eats-1"), 2, "did you mean us-east-1?"),
        (("predict", CONFIG, *FLAGS, "--availability", "multi-az"), 2, "is single"),
        (("predict", "rds/mysql/m7g.large/gp3", *FLAGS), 2, "did you mean db.m7g.large?"),
        (("predict", "mysql/m5.metal/gp3", *FLAGS), 6, "nothing tells what m5.metal does"),
        (("compare", CONFIG), 2, "compare takes 2 to 4 CONFIGs, not 1"),
        (("compare", *[CONFIG] * 5, *FLAGS), 2, "compare takes 2 to 4 CONFIGs, not 5"),
        (("compare", CONFIG, OTHER), 2, "for example: advisor compare"),
        (("compare", CONFIG, "mysql/m7i/gp3", *FLAGS), 2, "instance type 'm7i' is not known"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(
    run_command: RunCommand, arguments: tuple[str, ...], code: int, said: str
) -> None:
    outcome = run_command(*arguments)
    assert (outcome.code, outcome.stdout) == (code, "")
    assert said in outcome.stderr.splitlines()[0]
    assert len(outcome.stderr.splitlines()) <= 2


def test_names_are_checked_before_the_knowledge_base(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", "/nonexistent/advisor.duckdb")
    assert main(["predict", "mysql/m7g.larg/gp3", *FLAGS]) == 2
    assert main(["compare", CONFIG, "mysq/m7g.large/gp3", *FLAGS]) == 2
    assert main(list(PREDICT)) == 3
    capsys.readouterr()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("my", "mysql/"),
        ("rd", "rds/"),
        ("ec2/maria", "ec2/mariadb/"),
        ("mysql/m7g.2x", "mysql/m7g.2xlarge/"),
    ],
)
def test_configs_are_completed(typed: str, expected: str) -> None:
    assert expected in complete_config(typed)
