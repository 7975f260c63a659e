"""``advisor recommend``: flags, exit codes, streams, and the same bytes for the same input."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.cli.main import main
from advisor.cli.recommend import recommend
from advisor.domain.vocabulary import (
    Availability,
    Dialect,
    Engine,
    Objective,
    Payment,
    Platform,
    StorageType,
    Term,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import RunCommand

RUN = "from advisor.cli.main import run; run()"
BASE = ("recommend", "--threads", "16", "--rw", "mixed")


@pytest.fixture(scope="module", autouse=True)
def _in_use(database: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADVISOR_DATABASE", str(database))
        yield


def answer_json(run_command: RunCommand, *flags: str) -> dict[str, object]:
    outcome = run_command(*BASE, *flags, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    document: dict[str, object] = json.loads(outcome.stdout)
    return document


def test_text_answers(run_command: RunCommand) -> None:
    outcome = run_command(*BASE)
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith("Run ")
    assert max(map(len, outcome.stdout.splitlines())) <= 80
    for word in ("80% interval", "a month", "config: ec2/", "data-size", "us-east-1 (default)"):
        assert word in outcome.stdout


def test_explain_adds_to_the_answer(run_command: RunCommand) -> None:
    short, long = run_command(*BASE).stdout, run_command(*BASE, "--explain").stdout
    assert long.startswith(short)
    assert max(map(len, long.splitlines())) <= 80
    for word in (
        "Ledger of ec2/",
        "mean latency",
        "innodb_buffer_pool_size = ",
        "Evidence in full",
    ):
        assert word in long


def test_csv_has_one_row_per_recommendation(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, "--csv")
    assert (outcome.code, outcome.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(outcome.stdout, newline="")))
    found = json.loads(run_command(*BASE, "--json").stdout)["recommendations"]
    assert [row["config"] for row in rows] == [each["config"] for each in found]


def test_markdown_is_a_document(run_command: RunCommand, tmp_path: Path) -> None:
    outcome = run_command(*BASE, "--markdown")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert outcome.stdout.startswith("**Run ")
    target = tmp_path / "answer.md"
    assert run_command(*BASE, "--markdown", "--explain", "-o", str(target)).code == 0
    written = target.read_text(encoding="utf-8")
    assert written.startswith(outcome.stdout.rstrip())
    assert "Ledger of ec2/" in written


@pytest.mark.parametrize(
    "flags",
    [(), ("--explain",), ("--json",), ("--csv",), ("--markdown",), ("--target-tps", "500")],
)
def test_same_input_gives_the_same_bytes(run_command: RunCommand, flags: tuple[str, ...]) -> None:
    assert run_command(*BASE, *flags).stdout == run_command(*BASE, *flags).stdout


def test_processes_agree_whatever_their_hash_seed(database: Path) -> None:
    """Sets and dictionaries of other processes order nothing in an answer."""
    written = set()
    for seed in ("0", "1"):
        environment = {
            **os.environ, "PYTHONHASHSEED": seed, "ADVISOR_DATABASE": str(database),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", RUN, *BASE, "--json"],
            check=True,
            capture_output=True,
            env=environment,
        )
        written.add(done.stdout)
    assert len(written) == 1


def test_flags_narrow_the_answer(run_command: RunCommand) -> None:
    document = answer_json(
        run_command, "--family", "m7g,M6G", "--family", "r7g", "--storage", "gp3", "--engine",
        "mariadb", "--min-vcpu", "4", "--max-memory", "128GiB", "--region", "EU-west-1",
        "--top", "2",
    )  # fmt: skip
    rows = document["recommendations"]
    assert isinstance(rows, list)
    assert {row["instance_type"].split(".")[0] for row in rows} <= {"m7g", "m6g", "r7g"}
    assert {(row["storage"]["type"], row["engine"]) for row in rows} == {("gp3", "mariadb")}
    assert all(row["vcpu"] >= 4 and row["memory_gib"] <= 128 for row in rows)
    request = document["request"]
    assert isinstance(request, dict)
    assert (request["region"], request["top"]) == ("eu-west-1", 2)
    assert request["constraints"]["families"] == ["m7g", "m6g", "r7g"]


def test_target_makes_cost_the_objective(run_command: RunCommand) -> None:
    document = answer_json(run_command, "--target-qps", "4,000")
    workload, request = document["workload"], document["request"]
    assert isinstance(workload, dict)
    assert isinstance(request, dict)
    assert workload["target_transactions_per_s"] == 200
    assert request["objective"] == "cost"
    assumed = {each["name"] for each in workload["assumed"]}
    assert {"headroom", "target-tps", "objective", "region", "term"} <= assumed
    rows = document["recommendations"]
    assert isinstance(rows, list)
    assert rows[0]["meets_target"] is True


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ((), {"dialect": "mysql", "platform": "ec2, rds, aurora", "engine": "InnoDB family"}),
        (("--dialect", "any"), {"platform": "ec2, rds, aurora", "engine": "both dialects"}),
        (("--platform", "rds"), {"dialect": "mysql"}),
        (
            ("--storage", "gp3"),
            {"dialect": "mysql", "platform": "ec2, rds", "engine": "InnoDB family"},
        ),
        (("--engine", "mysql"), {"platform": "ec2, rds"}),
        (("--engine", "myrocks"), {}),
    ],
)
def test_what_competes_without_a_word_is_assumed(
    run_command: RunCommand, flags: tuple[str, ...], expected: dict[str, str]
) -> None:
    workload = answer_json(run_command, *flags)["workload"]
    assert isinstance(workload, dict)
    found = {each["name"]: each["value"] for each in workload["assumed"]}
    named = ("dialect", "platform", "engine")
    assert {name: found[name] for name in named if name in found} == expected


def test_limit_alone_keeps_the_balanced_objective(run_command: RunCommand) -> None:
    request = answer_json(run_command, "--max-p95-ms", "500")["request"]
    assert isinstance(request, dict)
    assert request["objective"] == "balanced"


def test_settings_are_used_and_their_origin_said(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_REGION", "eu-west-1")
    assert "eu-west-1 (ADVISOR_REGION)" in run_command(*BASE).stdout
    assert "ADVISOR_REGION" not in run_command(*BASE, "--region", "us-east-1").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "missing --threads and --rw; for example: advisor recommend --threads 16 --rw mixed"),
        (("--threads", "4"), "missing --rw"),
        (("--rw", "read"), "missing --threads"),
        ((*BASE[1:], "--threads", "-4"), "--threads -4 must be from 1 to 100,000"),
        ((*BASE[1:], "--threads", "0"), "--threads 0 must be"),
        ((*BASE[1:], "--threads", "1000000"), "--threads 1,000,000 must be"),
        ((*BASE[1:], "--threads", "nan"), "--threads 'nan' is not a finite number"),
        ((*BASE[1:], "--threads", "1e999"), "--threads '1e999' is not a finite number"),
        ((*BASE[1:], "--threads", "2.5"), "not a whole number"),
        ((*BASE[1:], "--rw", "1.5"), "--rw '1.5' is not a read share"),
        ((*BASE[1:], "--rw", "mixd"), "did you mean mixed?"),
        ((*BASE[1:], "--data-size", "500TiB"), "the largest storage holds 131,072 GiB"),
        ((*BASE[1:], "--data-size", "60TiB", "--platform", "ec2"), "storage holds 65,536 GiB"),
        ((*BASE[1:], "--data-size", "0"), "--data-size 0GiB must be"),
        ((*BASE[1:], "--data-size", "5QB"), "unknown unit"),
        ((*BASE[1:], "--hot-size", "200GiB"), "larger than --data-size"),
        ((*BASE[1:], "--hot-size", "120%"), "must be above 0% and at most 100%"),
        ((*BASE[1:], "--target-tps", "5", "--target-qps", "5"), "exclude each other"),
        ((*BASE[1:], "--target-tps", "inf"), "not a finite number"),
        ((*BASE[1:], "--target-tps", "5", "--headroom", "100%"), "leaves nothing"),
        ((*BASE[1:], "--headroom", "30"), "leaves nothing to run on; did you mean 30%?"),
        ((*BASE[1:], "--headroom", "100"), "leaves nothing to run on"),
        ((*BASE[1:], "--headroom", "1.5"), "--headroom 150% leaves nothing"),
        ((*BASE[1:], "--connections", "4"), "cannot keep --threads 16 busy"),
        ((*BASE[1:], "--budget", "-5"), "--budget $-5.00 must be above"),
        ((*BASE[1:], "--family", "m77g"), "did you mean m7g?"),
        ((*BASE[1:], "--family", "m7g.lrge"), "did you mean m7g.large?"),
        ((*BASE[1:], "--family", "m7g.large"), "is an instance type, not a family"),
        ((*BASE[1:], "--family", ""), "--family has an empty name"),
        ((*BASE[1:], "--region", "us-eats-1"), "did you mean us-east-1?"),
        ((*BASE[1:], "--storage", "gp4"), "did you mean gp3?"),
        ((*BASE[1:], "--storage", "nvme"), "local NVMe loses its data"),
        ((*BASE[1:], "--arch", "amd64"), "--arch 'amd64' is not known"),
        ((*BASE[1:], "--engine", "mariadbb"), "did you mean mariadb?"),
        ((*BASE[1:], "--engine", "mysql", "--dialect", "postgresql"), "does not speak"),
        ((*BASE[1:], "--platform", "rds", "--engine", "pxc"), "does not run on --platform rds"),
        ((*BASE[1:], "--platform", "rds", "--availability", "cluster"), "no platform runs"),
        ((*BASE[1:], "--term", "spot"), "AWS may take a spot instance away"),
        ((*BASE[1:], "--payment", "all"), "is for a term with a commitment"),
        ((*BASE[1:], "--min-vcpu", "8", "--max-vcpu", "4"), "--min-vcpu 8 is more than"),
        ((*BASE[1:], "--min-memory", "2TiB", "--max-memory", "1TiB"), "--min-memory 2TiB is more"),
        ((*BASE[1:], "--max-vcpu", "0"), "--max-vcpu 0 must be at least 1"),
        ((*BASE[1:], "--top", "0"), "--top 0 must be from 1 to 10"),
        ((*BASE[1:], "--refresh", "--offline"), "exclude each other"),
        ((*BASE[1:], "--json", "--csv"), "--json and --csv exclude each other"),
        ((*BASE[1:], "--csv", "--markdown"), "--csv and --markdown exclude each other"),
        ((*BASE[1:], "--thread", "4"), "did you mean --threads?"),
        ((*BASE[1:], "-o", "/absent/directory/answer.txt"), "cannot write"),
        ((*BASE[1:], "-o", ""), "'--output' / '-o': the name of the file is empty"),
        ((*BASE[1:], "--output", " "), "the name of the file is empty"),
    ],
)
def test_bad_input_is_one_helpful_line_and_exit_2(
    run_command: RunCommand, arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_command("recommend", *arguments)
    assert (outcome.code, outcome.stdout) == (2, "")
    error, *hints = outcome.stderr.splitlines()
    assert error.startswith("error: ")
    assert said in error
    assert len(hints) <= 1
    assert all(hint.startswith("hint: ") for hint in hints)


def test_names_are_checked_before_the_database(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(tmp_path / "absent.duckdb"))
    assert run_command(*BASE, "--region", "us-eats-1").code == 2
    assert run_command(*BASE).code == 3


@pytest.mark.parametrize(
    "flags",
    [
        ("--budget", "10"),
        ("--target-tps", "1e9"),
        ("--max-p95-ms", "0.01"),
        ("--family", "m7g", "--arch", "x86_64"),
    ],
)
def test_nothing_fits_is_exit_6_with_the_nearest_miss(
    run_command: RunCommand, flags: tuple[str, ...]
) -> None:
    outcome = run_command(*BASE, *flags)
    assert (outcome.code, outcome.stdout) == (6, "")
    error, hint = outcome.stderr.splitlines()
    assert error.startswith("error: no")
    assert "nearest miss: " in hint
    assert "to relax: " in hint


@pytest.mark.parametrize(
    ("flags", "error", "way", "query"),
    [
        (
            ("--region", "eu-central-1", "--platform", "rds"),
            "error: no price of RDS storage is bundled for eu-central-1",
            "--platform ec2 has prices there",
            "\"SELECT DISTINCT region FROM rds_storage_prices WHERE engine <> 'aurora'\"",
        ),
        (
            ("--region", "eu-central-1", "--platform", "aurora", "--storage", "standard"),
            "error: no price of standard as Aurora storage is bundled for eu-central-1",
            "",
            "\"SELECT DISTINCT region FROM rds_storage_prices WHERE engine = 'aurora'\"",
        ),
        (
            ("--region", "ap-south-2", "--platform", "ec2", "--storage", "io2"),
            "error: no price of io2 as EC2 storage is bundled for ap-south-2",
            "drop --storage",
            "'SELECT DISTINCT region FROM volume_prices'",
        ),
    ],
)
def test_a_missing_storage_price_is_named_with_what_has_one(
    run_command: RunCommand, flags: tuple[str, ...], error: str, way: str, query: str
) -> None:
    outcome = run_command("recommend", "--threads", "16", "--rw", "mixed", *flags)
    assert (outcome.code, outcome.stdout) == (4, "")
    regions = f"regions that have one: advisor data query {query}"
    hint = f"{way}; {regions}" if way else regions
    assert outcome.stderr.splitlines() == [error, f"hint: {hint}"]


EBS = "gp2, gp3, io1, io2"


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--arch", "arm64", "--family", "m7i"), "m7i is x86_64, --arch asks for arm64"),
        (
            ("--arch", "x86_64", "--family", "m7g,r8g"),
            "m7g is arm64, r8g is arm64, --arch asks for x86_64",
        ),
        (
            ("--arch", "arm64", "--family", "m6i", "--platform", "rds"),
            "m6i is x86_64, --arch asks for arm64",
        ),
    ],
)
def test_families_of_the_other_architecture_are_said(
    run_command: RunCommand, flags: tuple[str, ...], said: str
) -> None:
    outcome = run_command(*BASE, *flags)
    assert outcome.code == 6
    error, hint = outcome.stderr.splitlines()
    assert error == f"error: no instance type is both: {said}"
    assert "drop --arch, or name another --family" in hint


@pytest.mark.parametrize(
    ("flags", "error", "hint"),
    [
        (
            ("--platform", "aurora", "--storage", "gp2"),
            "--storage gp2 does not go with --platform aurora",
            "aurora has standard, io-optimized; gp2 goes with ec2 and rds",
        ),
        (
            ("--platform", "rds", "--storage", "nvme", "--allow-ephemeral"),
            "--storage nvme does not go with --platform rds",
            "rds has gp2, gp3, io1, io2; nvme goes with ec2",
        ),
        (
            ("--engine", "aurora-mysql", "--storage", "gp3"),
            "--storage gp3 does not go with --engine aurora-mysql",
            "aurora has standard, io-optimized; gp3 goes with ec2 and rds",
        ),
        (
            ("--platform", "ec2,rds", "--storage", "gp3,standard"),
            "--storage standard does not go with --platform ec2, rds",
            f"ec2 has {EBS}, nvme; rds has {EBS}; standard goes with aurora",
        ),
    ],
)
def test_storage_that_no_platform_left_has_is_refused_before_the_database(  # noqa: PLR0913, PLR0917
    run_command: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    flags: tuple[str, ...],
    error: str,
    hint: str,
) -> None:
    monkeypatch.setenv("ADVISOR_DATABASE", str(tmp_path / "absent.duckdb"))
    outcome = run_command(*BASE, *flags)
    assert outcome.code == 2
    assert outcome.stderr.splitlines() == [f"error: {error}", f"hint: {hint}"]


def test_region_without_volume_prices_is_exit_4(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, "--region", "ap-southeast-7")
    assert (outcome.code, outcome.stdout) == (4, "")


def test_ephemeral_disks_appear_only_when_allowed(run_command: RunCommand) -> None:
    assert "nvme" in run_command(*BASE, "--storage", "nvme", "--allow-ephemeral").stdout
    assert run_command(*BASE, "--storage", "nvme", "--availability", "multi-az").code == 0


def test_headroom_without_a_target_sizes_what_is_bought(run_command: RunCommand) -> None:
    roomy, tight = (
        json.loads(run_command(*BASE, "--json", "--headroom", share).stdout)["recommendations"][0]
        for share in ("50%", "0")
    )
    assert roomy["storage"]["iops"] >= tight["storage"]["iops"]


def test_output_file_holds_what_stdout_would(run_command: RunCommand, tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    outcome = run_command(*BASE, "--json", "-o", str(target))
    assert (outcome.code, outcome.stdout, outcome.stderr) == (0, "", "")
    assert target.read_text(encoding="utf-8") == run_command(*BASE, "--json").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this platform")
def test_full_disk_is_said(run_command: RunCommand) -> None:
    outcome = run_command(*BASE, "-o", "/dev/full")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert "No space left on device" in outcome.stderr


@pytest.mark.parametrize("flags", [(), ("--json",), ("--explain",)])
def test_closed_pipe_ends_quietly(database: Path, flags: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", RUN, *BASE, *flags],
        check=False,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "ADVISOR_DATABASE": str(database)},
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_read_only_home_is_enough(database: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    done = subprocess.run(
        [sys.executable, "-c", RUN, *BASE],
        check=False,
        capture_output=True,
        text=True,
        cwd=home,
        env={**os.environ, "HOME": str(home), "ADVISOR_DATABASE": str(database)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(home.iterdir()) == []


def test_ascii_terminals_get_stand_ins(database: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *BASE, "--explain", "--availability", "multi-az"],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "ADVISOR_DATABASE": str(database)},
    )
    assert done.stdout.decode("ascii")
    assert b"?" not in done.stdout


#: Values that make sense for a flag; any other text may follow it too.
SENSIBLE: dict[str, list[str]] = {
    "--threads": ["1", "16", "128", "5000"],
    "--rw": ["read", "mixed", "write", "point", "0.5", "95%"],
    "--data-size": ["1GiB", "100", "2TB", "60TiB"],
    "--hot-size": ["1GiB", "50%", "100%"],
    "--target-tps": ["1", "1000", "50000"],
    "--target-qps": ["20000"],
    "--headroom": ["0", "30%", "0.99"],
    "--max-p95-ms": ["0.5", "20", "1000"],
    "--budget": ["50", "500", "20000"],
    "--connections": ["100", "20000"],
    "--durability": ["full", "relaxed"],
    "--availability": [*Availability],
    "--client": ["local", "same-az", "cross-az"],
    "--current": [
        "mysql/m5.large/gp2",
        "mysql/i4i.large/nvme/x3",
        "mysql/r3.xlarge/2xio1:900GiB:9000",
    ],
    "--engine": [*Engine],
    "--dialect": [*Dialect],
    "--platform": [*Platform],
    "--payment": [*Payment],
    "--family": ["m7g", "r6i,c7a", "t4g", "i4i"],
    "--arch": ["arm64", "x86_64"],
    "--storage": [*StorageType, "gp2,io2"],
    "--min-vcpu": ["2", "64"],
    "--max-vcpu": ["2", "64"],
    "--min-memory": ["16GiB"],
    "--max-memory": ["1TiB"],
    "--region": ["us-east-1", "eu-west-1", "ap-southeast-7", "me-south-1"],
    "--term": [*Term],
    "--objective": [*Objective],
    "--top": ["1", "10"],
}
SWITCHES = [
    "--allow-ephemeral",
    "--csv",
    "--explain",
    "--json",
    "--markdown",
    "--offline",
    "--proxysql",
]
WILD = st.one_of(
    st.sampled_from(["", "-1", "0", "nan", "inf", "1e999", "1,5", "9" * 400, "a,b", "%", "$", "ſ"]),
    st.text(max_size=10),
)


@st.composite
def requests(draw: st.DrawFn) -> list[str]:
    """Draw a request whose flags mostly make sense."""
    chosen = draw(st.lists(st.sampled_from(sorted(SENSIBLE)), max_size=7, unique=True))
    words = ["--threads", "16", "--rw", "mixed"] if draw(st.integers(0, 9)) else []
    for flag in chosen:
        is_wild = draw(st.integers(0, 11)) == 0
        words += [flag, draw(WILD if is_wild else st.sampled_from(SENSIBLE[flag]))]
    return [*words, *draw(st.lists(st.sampled_from(SWITCHES), max_size=2, unique=True))]


def test_every_flag_is_drawn() -> None:
    names = {f"--{name.replace('_', '-')}" for name in recommend.__annotations__}
    untested = {"--return", "--refresh", "--output"}
    forms = {"--json", "--csv", "--markdown"}
    renamed = {f"--as-{form.removeprefix('--')}" for form in forms}
    assert names - renamed == {*SENSIBLE, *SWITCHES, *untested} - forms


@given(arguments=requests())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_flags_never_end_in_a_traceback(arguments: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["recommend", *arguments])
    assert code in {0, 2, 3, 4, 6}, err.getvalue()
    if code == 0:
        if "--json" in arguments:
            assert json.loads(out.getvalue())["schema"] == "advisor.recommendation/1"
        elif not {"--csv", "--markdown"} & set(arguments):
            assert max(map(len, out.getvalue().splitlines())) <= 80
    else:
        assert out.getvalue() == ""
        assert err.getvalue().startswith("error: ")
        assert len(err.getvalue().splitlines()) <= 2
