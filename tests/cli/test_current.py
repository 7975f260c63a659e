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
