"""``advisor storage``: flags, exit codes, streams and formats; same input, same bytes."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.cli.main import main
from advisor.cli.storage import storage
from advisor.domain.vocabulary import StorageType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import RunCommand

BASE = ("storage", "--size", "500GiB", "--iops", "3000")


@pytest.fixture(scope="module", autouse=True)
def _in_use(database: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADVISOR_DATABASE", str(database))
        yield


def test_text_says_who_is_first_on_price_and_on_latency_and_why(run_command: RunCommand) -> None:
    outcome = run_command("storage", "--size", "1TiB", "--iops", "3000", "--rw", "read")
    assert (outcome.code, outcome.stderr) == (0, "")
    flat = " ".join(outcome.stdout.split())
    assert "First on price: gp3 1,024 GiB" in flat
    assert "First on latency: io2 1,024 GiB" in flat
    assert "the tail is not: p95 ms io2 5.47, io1 6.32, gp2 6.43, gp3 8.27" in flat
    assert "P. Boros" in flat
    assert "2021-08-18" in flat
    assert "ec2-shop-ebs-2024 (2024-07-18)" in flat
    assert "99.999%" in flat
    assert max(map(len, outcome.stdout.splitlines())) <= 80


def test_one_thread_leaves_io2(run_command: RunCommand) -> None:
    outcome = run_command("storage", "--size", "1TiB", "--iops", "3000", "--threads", "1")
    flat = " ".join(outcome.stdout.split())
    assert flat.startswith("Only io2 1,024 GiB, 3,000 IOPS reaches 3,000 IOPS")
    assert "first on latency" in flat
    for iops in ("1,133", "1,098", "1,989", "3,000"):
        assert iops in flat


def test_gb_is_the_gib_that_aws_bills(run_command: RunCommand) -> None:
    outcome = run_command("storage", "--size", "500GB", "--iops", "3000")
    flat = " ".join(outcome.stdout.split())
    for said in (
        "$40.00 a month",
        "$257.50",
        "500 GiB x $0.08",
        "1,000 GiB x $0.1",
        "empty after 60 minutes",
        "500GiB (500GB: AWS sells and bills GiB under the name GB)",
    ):
        assert said in flat


def test_unsaid_values_are_assumptions_and_said_ones_are_not(run_command: RunCommand) -> None:
    def assumed(*flags: str) -> set[str]:
        document = json.loads(run_command(*BASE, *flags, "--json").stdout)
        return {each["name"] for each in document["request"]["assumed"]}

    assert assumed() == {"throughput", "threads", "rw", "io-size", "region"}
    said = ("--throughput", "100", "--threads", "16", "--rw", "read", "--region", "us-east-1")
    assert assumed(*said) == {"io-size"}


def test_flags_narrow_the_answer(run_command: RunCommand) -> None:
    outcome = run_command(
        *BASE, "--storage", "gp3,io2", "--region", "EU-west-1", "--rw", "80%", "--threads", "32",
        "--throughput", "200.5", "--instance", "m5d.xlarge", "--json",
    )  # fmt: skip
    document = json.loads(outcome.stdout)
    assert document["schema"] == "advisor.storage/1"
    assert {each["storage"]["type"] for each in document["volumes"]} == {"gp3", "io2"}
    request = document["request"]
    assert (request["region"], request["read_ratio"], request["threads"]) == ("eu-west-1", 0.8, 32)
    assert request["throughput_mib_per_s"] == 201
    assert document["instance"]["instance_type"] == "m5d.xlarge"


def test_csv_holds_the_json(run_command: RunCommand) -> None:
    text = run_command(*BASE, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    volumes = json.loads(run_command(*BASE, "--json").stdout)["volumes"]
    assert [row["config"] for row in rows] == [each["config"] for each in volumes]
    for row, each in zip(rows, volumes, strict=True):
        assert float(row["cost_usd_per_month"]) == each["cost"]["usd_per_month"]
        assert float(row["predicted_iops_value"]) == each["predicted"]["iops"]["value"]
        assert row["burst_minutes"] == ("60" if each["config"] == "gp2:500GiB" else "")


@pytest.mark.parametrize("flags", [(), ("--json",), ("--csv",), ("--instance", "m5d.large")])
def test_same_input_gives_the_same_bytes(run_command: RunCommand, flags: tuple[str, ...]) -> None:
    assert run_command(*BASE, *flags).stdout == run_command(*BASE, *flags).stdout


def test_output_file_holds_what_stdout_would(run_command: RunCommand, tmp_path: Path) -> None:
    for flags in ((), ("--json",), ("--csv",)):
        target = tmp_path / "answer"
        outcome = run_command(*BASE, *flags, "-o", str(target))
        assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")
        assert target.read_bytes() == run_command(*BASE, *flags).stdout.encode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "missing --size and --iops; for example: advisor storage --size 500GiB --iops 3000"),
        (("--size", "1TiB"), "missing --iops"),
        (("--iops", "3000"), "missing --size"),
        ((*BASE[1:], "--size", "5QB"), "unknown unit"),
        ((*BASE[1:], "--size", "0"), "--size must be above 0"),
        ((*BASE[1:], "--size", "80TiB"), "nearest, gp3 and io2, has 65,536 GiB"),
        ((*BASE[1:], "--size", "1e300"), "--size is beyond any volume"),
        ((*BASE[1:], "--size", "1e999"), "--size '1e999'"),
        ((*BASE[1:], "--iops", "0"), "--iops must be above 0"),
        ((*BASE[1:], "--iops", "2.5"), "not a whole number"),
        ((*BASE[1:], "--iops", "300000"), "nearest, io2, has 256,000 IOPS"),
        ((*BASE[1:], "--throughput", "-1"), "--throughput must be above 0"),
        ((*BASE[1:], "--throughput", "9999"), "nearest, io2, has 4,000 MiB/s"),
        ((*BASE[1:], "--threads", "0"), "--threads 0 must be from 1 to 100,000"),
        ((*BASE[1:], "--rw", "point"), "not a mix of I/Os"),
        ((*BASE[1:], "--rw", "mixd"), "did you mean mixed?"),
        ((*BASE[1:], "--instance", "m7g.lrge"), "did you mean m7g.large?"),
        ((*BASE[1:], "--instance", "m7g"), "--instance 'm7g' is not known"),
        ((*BASE[1:], "--region", "us-eats-1"), "did you mean us-east-1?"),
        ((*BASE[1:], "--storage", "gp4"), "did you mean gp3?"),
        ((*BASE[1:], "--storage", "io-optimized"), "is Aurora's, which has no volumes"),
        ((*BASE[1:], "--storage", "nvme"), "--storage nvme needs --instance"),
        ((*BASE[1:], "--storage", "nvme", "--instance", "m5.large"), "has no local NVMe disks"),
        ((*BASE[1:], "--json", "--csv"), "exclude each other"),
        ((*BASE[1:], "-o", "/absent/directory/answer.txt"), "cannot write"),
    ],
)
def test_bad_input_is_one_helpful_line_and_exit_2(
    run_command: RunCommand, arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_command("storage", *arguments)
    assert (outcome.code, outcome.stdout) == (2, "")
    error, *hints = outcome.stderr.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert len(hints) <= 1


def test_names_are_checked_before_the_database(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(tmp_path / "absent.duckdb"))
    assert run_command(*BASE, "--instance", "m7g.lrge").code == 2
    assert run_command(*BASE).code == 3


def test_region_without_volume_prices_is_exit_4(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, "--region", "ap-southeast-7")
    assert (outcome.code, outcome.stdout) == (4, "")


def test_region_without_io2_says_what_is_left_out(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, "--region", "ap-south-2")
    assert outcome.code == 0
    assert "io2: no price in ap-south-2" in outcome.stdout


#: Values that make sense for a flag; any other text may follow it too.
SENSIBLE: dict[str, list[str]] = {
    "--size": ["1GiB", "500GB", "1TB", "60TiB"],
    "--iops": ["1", "3000", "90,000", "256000"],
    "--throughput": ["1", "300", "4000"],
    "--threads": ["1", "16", "100000"],
    "--rw": ["read", "mixed", "write", "0.5", "95%"],
    "--instance": ["m5.large", "i4i.16xlarge", "c1.medium", "m7g.metal", "t4g.nano", "c4.large"],
    "--storage": [*StorageType, "gp2,io2"],
    "--region": ["us-east-1", "eu-west-1", "ap-southeast-7"],
}
SWITCHES = ["--json", "--csv"]
WILD = st.one_of(
    st.sampled_from(["", "-1", "0", "nan", "inf", "1e999", "1,5", "9" * 400, "a,b", "%", "ſ"]),
    st.text(max_size=10),
)


@st.composite
def requests(draw: st.DrawFn) -> list[str]:
    """Draw a request whose flags mostly make sense."""
    chosen = draw(st.lists(st.sampled_from(sorted(SENSIBLE)), max_size=6, unique=True))
    words = ["--size", "500GiB", "--iops", "3000"] if draw(st.integers(0, 9)) else []
    for flag in chosen:
        is_wild = draw(st.integers(0, 11)) == 0
        words += [flag, draw(WILD if is_wild else st.sampled_from(SENSIBLE[flag]))]
    return [*words, *draw(st.lists(st.sampled_from(SWITCHES), max_size=1))]


def test_every_flag_is_drawn() -> None:
    names = {f"--{name.replace('_', '-')}" for name in storage.__annotations__}
    renamed = {"--storage-type", "--as-json", "--as-csv", "--output", "--return"}
    renamed |= {"--offline", "--refresh"}
    assert names - renamed == set(SENSIBLE) - {"--storage"}


@given(arguments=requests())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_flags_never_end_in_a_traceback(arguments: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["storage", *arguments])
    assert code in {0, 2, 3, 4}, err.getvalue()
    if code:
        assert out.getvalue() == ""
        assert len(err.getvalue().splitlines()) <= 2
    elif "--json" in arguments:
        assert json.loads(out.getvalue())["schema"] == "advisor.storage/1"
    elif "--csv" not in arguments:
        assert max(map(len, out.getvalue().splitlines())) <= 80
