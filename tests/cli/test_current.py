"""``advisor recommend --current``: the review of what somebody runs, beside the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import RunCommand

BASE = ("recommend", "--threads", "16", "--rw", "mixed")
NOW = ("--current", "mysql/m5.2xlarge/gp2:500GiB")


@pytest.fixture(scope="module", autouse=True)
def _in_use(database: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADVISOR_DATABASE", str(database))
        yield


def test_the_answer_reviews_it(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, *NOW)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert max(map(len, outcome.stdout.splitlines())) <= 80
    text = " ".join(outcome.stdout.split())
    for words in ("What you run now", "Smallest safe move: gp3 instead of gp2", "The pick against"):
        assert words in text
    assert "--current ec2/mysql/m5.2xlarge/gp2:500GiB" in text
    assert "## What you run now" in run_command(*BASE, *NOW, "--markdown").stdout


def test_the_rest_of_the_answer_stays(run_command: RunCommand) -> None:
    plain, beside = (json.loads(run_command(*BASE, *flags, "--json").stdout) for flags in ((), NOW))
    review = beside["current"]
    assert plain["current"] is None
    assert plain["id"] != beside["id"]
    for row, other in zip(plain["recommendations"], beside["recommendations"], strict=True):
        way = other.pop("migration")
        assert way != row.pop("migration")
        assert row == other
    assert review["config"] == "ec2/mysql/m5.2xlarge/gp2:500GiB"
    assert {"problem", "message"} == set(review["findings"][0])
    move = review["smallest_safe_move"]
    assert move["kind"] == "gp2-to-gp3"
    alone = json.loads(run_command("predict", move["config"], *BASE[1:], "--json").stdout)
    assert alone["predicted"]["transactions_per_s"]["value"] == move["transactions_per_s"]
    assert alone["cost"]["usd_per_month"] == move["usd_per_month"]


def test_a_volume_too_small_is_the_first_finding_in_every_form(run_command: RunCommand) -> None:
    small = ("--current", "mysql/m5.2xlarge/gp3:50GiB")
    said = "its 50 GiB of storage cannot hold 100 GiB of data: 150 are advised"
    text = " ".join(run_command(*BASE, *small).stdout.split())
    assert f"What is wrong with it: - {said}" in text
    assert f"- {said}" in run_command(*BASE, *small, "--markdown").stdout
    review = json.loads(run_command(*BASE, *small, "--json").stdout)["current"]
    assert review["findings"][0] == {"problem": "storage-too-small", "message": said}
    assert review["smallest_safe_move"]["kind"] == "larger-volume"


@pytest.mark.parametrize(
    ("storage", "named"),
    [
        ("gp2", ["volume-size"]),
        ("gp3", ["volume-size", "iops", "throughput"]),
        ("gp3:200GiB:3000:125", []),
    ],
)
def test_figures_that_its_config_leaves_out_are_said(
    run_command: RunCommand, storage: str, named: list[str]
) -> None:
    now = ("--current", f"mysql/m5.2xlarge/{storage}")
    said = "Assumed, because its CONFIG does not say: volume-size 150GiB (1.3 x data + 20 GiB"
    for form in ((), ("--markdown",)):
        text = " ".join(run_command(*BASE, *now, *form).stdout.split())
        assert (said in text) is bool(named)
    review = json.loads(run_command(*BASE, *now, "--json").stdout)["current"]
    figures = [each["name"] for each in review["assumed"]]
    assert [name for name in figures if name in ("volume-size", "iops", "throughput")] == named


@pytest.mark.parametrize(
    ("config", "code", "said"),
    [
        ("mysql/m5.2xlrge/gp2", 2, "error: --current 'mysql/m5.2xlrge/gp2'"),
        ("mysql/m5.large/nvme", 2, "no local disks"),
        ("mysql/m5.metal/gp3", 6, "nothing tells what m5.metal does"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(
    run_command: RunCommand, config: str, code: int, said: str
) -> None:
    outcome = run_command(*BASE, "--current", config)
    assert (outcome.code, outcome.stdout) == (code, "")
    assert said in outcome.stderr.splitlines()[0]
