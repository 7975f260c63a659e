"""``advisor prices`` and live prices in answers, against a local copy of AWS's feeds."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.pricing.feed_world import (
    EBS,
    EBS_ROWS,
    LOCATION,
    ON_DEMAND,
    body,
    instance,
    on_demand_rows,
    serve_all,
)
from tests.servers.web import Reply, Server, running, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import RunCommand

REGION = ("--region", "eu-west-1")
RECOMMEND = ("recommend", "--threads", "16", "--rw", "mixed", *REGION)
INSTANCES = ON_DEMAND.format(quote(LOCATION, safe="()"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def feeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The feeds of eu-west-1, with every instance type of the bundled snapshot at its price."""
    with running() as server:
        serve_all(server)
        monkeypatch.setenv("ADVISOR_PRICE_FEED_URL", server.url)
        monkeypatch.setenv("ADVISOR_SPOT_ADVISOR_URL", f"{server.url}/spot-advisor-data.json")
        yield server


def _refresh(run_command: RunCommand, *more: str) -> dict[str, Any]:
    outcome = run_command("prices", "refresh", *REGION, "--source", "feeds", "--json", *more)
    assert outcome.code == 0, outcome.stderr
    (report,) = json.loads(outcome.stdout)["regions"]
    assert isinstance(report, dict)
    return report


def _serve(server: Server, **prices: str) -> None:
    """Serve on-demand prices by instance type, beside the usual ones."""
    rows = on_demand_rows()
    rows |= {
        name: instance(name.replace("_", "."), price, vCPU="4", Memory="32 GiB")
        for name, price in prices.items()
    }
    server.routes[INSTANCES] = lambda _: squeezed(body(rows))


@pytest.mark.usefixtures("feeds")
def test_a_refresh_is_summed_up_and_used(run_command: RunCommand) -> None:
    outcome = run_command("prices", "refresh", *REGION, "--source", "feeds")
    assert outcome.code == 0, outcome.stderr
    assert outcome.stdout.startswith("eu-west-1: ")
    assert "prices of aws-price-feeds are in use" in outcome.stdout
    shown = run_command("prices", "show", "m7g.large", *REGION)
    assert "aws-price-feeds" in shown.stdout
    assert "0.0912" in shown.stdout
    status = run_command("prices", "status", *REGION)
    assert "live prices of 1 region" in status.stdout
    assert "Bundled snapshot" in status.stdout


def test_an_answer_says_which_prices_it_stands_on(run_command: RunCommand, feeds: Server) -> None:
    before = json.loads(run_command(*RECOMMEND, "--json").stdout)
    assert before["prices"]["source"] == "bundled snapshot"
    _serve(feeds, r8g_xlarge="0.01")
    _refresh(run_command)
    after = json.loads(run_command(*RECOMMEND, "--json").stdout)
    assert after["prices"]["source"].startswith("live prices (aws-price-feeds) of 20")
    pick = after["recommendations"][0]
    assert pick["instance_type"] == "r8g.xlarge"
    assert pick["cost"]["lines"][0]["source"] == "aws-price-feeds"
    assert after["id"] != before["id"]
    offline = json.loads(run_command(*RECOMMEND, "--json", "--offline").stdout)
    assert offline == before


def test_the_network_is_left_alone_without_refresh(run_command: RunCommand, feeds: Server) -> None:
    assert run_command(*RECOMMEND).code == 0
    assert run_command("prices", "status").code == 0
    assert run_command("prices", "show", "gp3").code == 0
    assert feeds.asked == []


def test_refresh_fetches_what_the_answer_needs(run_command: RunCommand, feeds: Server) -> None:
    _serve(feeds, r8g_xlarge="0.01")
    outcome = run_command(*RECOMMEND, "--refresh", "--json", "--platform", "ec2")
    assert outcome.code == 0
    answer = json.loads(outcome.stdout)
    assert answer["recommendations"][0]["cost"]["lines"][0]["source"] == "aws-price-feeds"
    assert not any("rds" in path for path in feeds.paths())


@pytest.mark.usefixtures("feeds")
def test_an_answer_from_the_cache_loads_no_client(run_command: RunCommand) -> None:
    _refresh(run_command)
    script = (
        "import contextlib, io, sys\nfrom advisor.cli.main import main\n"
        "with contextlib.redirect_stdout(io.StringIO()) as out: code = main(sys.argv[1:])\n"
        "print(code, 'live prices' in out.getvalue(), *{m.split('.')[0] for m in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *RECOMMEND], check=True, capture_output=True, text=True
    )
    code, is_live, *modules = done.stdout.split()
    assert (code, is_live) == ("0", "True")
    assert {"httpx", "boto3", "botocore", "asyncio"}.isdisjoint(modules)


@pytest.mark.parametrize("command", ["recommend", "storage", "predict", "compare"])
def test_without_network_the_answer_comes_from_what_there_is(
    run_command: RunCommand, command: str
) -> None:
    """Nothing listens: a note on stderr, the answer of before on stdout, exit code 0."""
    load = ("--threads", "16", "--rw", "mixed")
    arguments = {
        "recommend": load,
        "storage": ("--size", "500GiB", "--iops", "3000"),
        "predict": ("mysql/m7g.large/gp3", *load),
        "compare": ("mysql/m7g.large/gp3", "mysql/m7i.large/gp3", *load),
    }[command]
    usual = run_command(command, *arguments, *REGION)
    outcome = run_command(command, *arguments, *REGION, "--refresh")
    assert (outcome.code, outcome.stdout) == (0, usual.stdout)
    assert "the prices of before are used: no source delivered a price" in outcome.stderr
    assert "no connection" in outcome.stderr


def test_a_slow_server_costs_no_more_than_the_settings_allow(
    run_command: RunCommand, feeds: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('refresh-timeout = "0.3s"\n', encoding="utf-8")
    monkeypatch.setenv("ADVISOR_CONFIG", str(config))
    feeds.routes[EBS] = lambda _: Reply(wait_s=2.0, body=b"{}")
    outcome = run_command("storage", "--size", "500GiB", "--iops", "3000", *REGION, "--refresh")
    assert outcome.code == 0
    assert "no answer in time" in outcome.stderr


def test_prices_that_moved_too_far_wait_until_they_are_accepted(
    run_command: RunCommand, feeds: Server
) -> None:
    steady = {f"m7g_{size}": "0.5" for size in ("xlarge", "2xlarge", "4xlarge", "8xlarge")}
    _serve(feeds, **steady)
    _refresh(run_command, "--accept")
    _serve(feeds, **dict.fromkeys(steady, "0.9"))
    held = run_command("prices", "refresh", *REGION, "--source", "feeds")
    assert held.code == 4
    assert "kept apart and not used" in held.stdout
    assert "advisor prices refresh --region eu-west-1 --accept" in held.stderr
    shown = json.loads(run_command("prices", "show", "m7g.xlarge", *REGION, "--json").stdout)
    assert [each["usd"] for each in shown["live"]] == [0.5]
    assert "Kept apart" in run_command("prices", "status", *REGION).stdout
    accepted = run_command("prices", "refresh", *REGION, "--accept")
    assert accepted.code == 0, accepted.stderr
    shown = json.loads(
        run_command("prices", "show", "m7g.xlarge", *REGION, "--history", "--json").stdout
    )
    assert [each["usd"] for each in shown["live"]] == [0.9]
    assert shown["history"][-1]["usd"] == 0.9


def test_nothing_to_accept_is_said(run_command: RunCommand) -> None:
    outcome = run_command("prices", "refresh", *REGION, "--accept")
    assert outcome.code == 2
    assert "no prices are kept apart for eu-west-1" in outcome.stderr


def test_a_failed_refresh_names_what_failed_and_changes_nothing(
    run_command: RunCommand, feeds: Server
) -> None:
    _refresh(run_command)
    before = run_command("prices", "show", "m7g.large", *REGION, "--json").stdout
    for path in list(feeds.routes):
        feeds.routes[path] = lambda _: Reply(403, b"<html>sign in</html>")
    outcome = run_command("prices", "refresh", *REGION, "--source", "feeds")
    assert outcome.code == 4
    assert "HTTP 403" in outcome.stdout + outcome.stderr
    assert run_command("prices", "show", "m7g.large", *REGION, "--json").stdout == before


def test_a_new_type_is_a_candidate_at_once_and_marked(
    run_command: RunCommand, feeds: Server
) -> None:
    _serve(feeds, r19g_xlarge="0.001")
    report = _refresh(run_command)
    assert "r19g.xlarge" in report["new_types"]
    answer = json.loads(run_command(*RECOMMEND, "--json").stdout)
    pick = answer["recommendations"][0]
    assert pick["instance_type"] == "r19g.xlarge"
    assert pick["predicted"]["transactions_per_s"]["basis"] == "assumed"
    assert pick["interval_is_validated"] is False
    assert any("newer than the bundled evidence" in each for each in pick["caveats"])
    text = run_command(*RECOMMEND).stdout
    assert "newer than the bundled evidence" in " ".join(text.split())


def test_a_new_type_can_be_named_wherever_a_known_one_can(
    run_command: RunCommand, feeds: Server
) -> None:
    load = ("--threads", "16", "--rw", "mixed", *REGION)
    config = "mysql/r19g.xlarge/gp3:150GiB"
    unknown = run_command("predict", config, *load)
    assert (unknown.code, "'r19g.xlarge' is not known" in unknown.stderr) == (2, True)
    _serve(feeds, r19g_xlarge="0.2", t3_3xlarge="0.01")
    _refresh(run_command)
    for arguments in (
        ("predict", config, *load),
        ("compare", config, "mysql/m7g.large/gp3", *load),
        ("recommend", *load, "--current", config),
    ):
        outcome = run_command(*arguments)
        assert outcome.code == 0, outcome.stderr
        assert "r19g.xlarge" in outcome.stdout
    family = json.loads(run_command("recommend", *load, "--family", "r19g", "--json").stdout)
    assert {row["instance_type"] for row in family["recommendations"]} == {"r19g.xlarge"}
    burstable = run_command("recommend", *load, "--family", "t3", "--platform", "ec2", "--json")
    assert "t3.3xlarge" not in burstable.stdout


def test_a_doubtful_item_takes_no_storage_type_away(run_command: RunCommand, feeds: Server) -> None:
    rows = EBS_ROWS | {"Provisioned EBS IOPS gp3 Volumes per IOPS Mo": {"price": "0"}}
    feeds.routes[EBS] = lambda _: squeezed(body(rows))
    outcome = run_command("prices", "refresh", *REGION, "--source", "feeds", "--what", "ebs")
    assert "gp3/iops/0: a price of 0" in outcome.stdout
    answer = run_command("storage", "--size", "500GiB", "--iops", "3000", *REGION)
    assert "gp3 500 GiB" in answer.stdout


def test_one_absurd_storage_price_is_held(run_command: RunCommand, feeds: Server) -> None:
    _refresh(run_command)
    rows = EBS_ROWS | {"Storage General Purpose gp3 GB Mo": {"price": "0.00088"}}
    feeds.routes[EBS] = lambda _: squeezed(body(rows))
    outcome = run_command("storage", "--size", "500GiB", "--iops", "3000", *REGION, "--refresh")
    assert outcome.code == 0
    assert "new prices are kept apart" in outcome.stderr
    assert "0.00088" not in outcome.stdout


def test_secrets_of_an_address_are_not_shown(
    run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADVISOR_PRICE_FEED_URL", "http://user:SECRET@127.0.0.1:9/x?token=SECRET")
    for arguments in (("config", "show"), ("prices", "refresh", *REGION, "--source", "feeds")):
        outcome = run_command(*arguments)
        assert "SECRET" not in outcome.stdout + outcome.stderr
    monkeypatch.setenv("ADVISOR_PRICE_FEED_URL", "htp://user:SECRET@h/")
    outcome = run_command("config", "show")
    assert outcome.code == 2
    assert "SECRET" not in outcome.stderr


@pytest.mark.usefixtures("feeds")
def test_savings_plans_and_payments_price_an_answer(run_command: RunCommand) -> None:
    bare = run_command(*RECOMMEND, "--term", "savings-1y")
    assert bare.code in {4, 6}
    _refresh(run_command, "--what", "savings,reserved,ebs", "--accept")
    narrow = ("--family", "m7g", "--platform", "ec2", "--max-vcpu", "2")
    for term, payment in (("savings-1y", "none"), ("reserved-3y", "all")):
        outcome = run_command(*RECOMMEND, *narrow, "--term", term, "--payment", payment, "--json")
        assert outcome.code == 0, outcome.stderr
        answer = json.loads(outcome.stdout)
        assert answer["recommendations"][0]["instance_type"] == "m7g.large"
        assert answer["recommendations"][0]["cost"]["lines"][0]["source"] == "aws-price-feeds"


def test_discounts_and_negotiated_prices_are_in_the_bill(
    run_command: RunCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("predict", "mysql/m7g.large/gp3:100GiB", "--threads", "8", "--rw", "read", *REGION)
    listed = json.loads(run_command(*ask, "--json").stdout)
    config = tmp_path / "config.toml"
    config.write_text(
        '[discounts]\nebs = "50%"\n[negotiated]\n"ec2/eu-west-1/on-demand/none/m7g.large" = 0.05\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("ADVISOR_CONFIG", str(config))
    mine = json.loads(run_command(*ask, "--json").stdout)
    hours, volume = mine["cost"]["lines"][:2]
    assert (hours["usd_per_unit"], hours["source"]) == (0.05, "your config")
    assert volume["usd_per_unit"] == pytest.approx(listed["cost"]["lines"][1]["usd_per_unit"] / 2)
    assert "your negotiated prices first" in mine["prices"]["source"]
    shown = run_command("prices", "show", "m7g.large", *REGION).stdout
    assert "your config" in shown


@pytest.mark.usefixtures("feeds")
def test_a_damaged_cache_is_said_and_the_answer_comes(
    run_command: RunCommand, own_cache: Path
) -> None:
    _refresh(run_command)
    (file,) = own_cache.rglob("prices.sqlite3")
    file.write_bytes(b"no database " * 400)
    outcome = run_command(*RECOMMEND)
    assert outcome.code == 0
    assert "the price cache is not used" in outcome.stderr
    assert "bundled snapshot" in outcome.stdout
    assert _refresh(run_command)["outcome"] == "current"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "m7g.lrage"), "did you mean m7g.large?"),
        (("show", "db.m99.large"), "has no known price in"),
        (("refresh", "--region", "eu-wset-1"), "did you mean eu-west-1?"),
        (("refresh", "--source", "feed"), "did you mean feeds?"),
        (("refresh", "--what", "ec3"), "did you mean ec2?"),
        (("status", "--region", "nowhere"), "--region 'nowhere' is not known"),
    ],
)
def test_wrong_words_are_one_line(
    run_command: RunCommand, arguments: tuple[str, ...], said: str
) -> None:
    outcome = run_command("prices", *arguments)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert said in outcome.stderr


@pytest.mark.usefixtures("feeds")
def test_several_regions_and_machine_forms(run_command: RunCommand) -> None:
    outcome = run_command(
        *("prices", "refresh", "--region", "eu-west-1,eu-west-2", "--source", "feeds", "--json")
    )
    document = json.loads(outcome.stdout)
    assert document["schema"] == "advisor.price-refresh/1"
    assert [each["region"] for each in document["regions"]] == ["eu-west-1", "eu-west-2"]
    assert outcome.code == 4  # the world serves eu-west-1 only
    status = json.loads(run_command("prices", "status", "--json").stdout)
    assert status["schema"] == "advisor.price-status/1"
    assert {each["region"] for each in status["live"]} >= {"eu-west-1"}
    assert len({each["region"] for each in status["bundled"]}) > 30
