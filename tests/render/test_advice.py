"""The advice on paper: golden bytes, page width, and JSON shapes.

``python -m tests.render.test_advice`` writes the golden file anew: read the diff.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.domain.advice import Advice, BenchmarkSettings, DurabilityFact
from advisor.domain.evidence import Source
from advisor.domain.vocabulary import Engine, Platform
from advisor.domain.vocabulary import StorageType as Kind
from advisor.recommend.ledger import ledger_of
from advisor.recommend.migration import how_to_get_there
from advisor.recommend.notes import notes_of
from advisor.recommend.settings import settings_of
from advisor.render.advice import (
    benchmark_json,
    benchmark_lines,
    settings_json,
    settings_lines,
)
from advisor.render.json_document import json_text
from advisor.render.ledger import ledger_json, ledger_lines, ledger_summary
from advisor.render.page import WIDTH, bullets, indented, section
from tests.advice import candidate, workload

GOLDEN = Path(__file__).with_name("golden") / "advice.txt"
SOURCE = Source(
    id="vendor-manual",
    title="A vendor: what survives",
    url="https://example.org/manual",
    date="2026-02",
    licence="facts only",
    quality="C",
    caveats="Typical times, no promise.",
)


def fact(failure: str, lost: str, rpo: str, rto: str) -> DurabilityFact:
    return DurabilityFact(
        platform="ec2",
        layout="replicas",
        storage="any",
        dialect="any",
        durability="any",
        failure=failure,
        lost=lost,
        rpo=rpo,
        rto=rto,
        recovery="fail over to a replica",
        as_of="2026-11-20",
        source_id=SOURCE.id,
    )


FACTS = Advice(
    durability=(
        fact("process-crash", "nothing that was committed", "none", "seconds"),
        fact("os-crash", "up to about the last second of commits", "last-second", "minutes"),
        fact("host-failure", "nothing that was committed", "none", "minutes"),
        fact("volume-loss", "all data on the disks; " * 5, "last-backup", "hours"),
        fact("az-loss", "up to about the last 5 minutes", "last-log", "hours"),
    ),
    versions=(),
    charges=(),
    contested=(),
    conditions=(),
    sources={SOURCE.id: SOURCE},
)
PICK = candidate(kind=Kind.NVME, nodes=3)
LOAD = workload(connections=5000)
CONDITIONS = (
    BenchmarkSettings(
        settings=(("innodb_flush_method", "O_DIRECT"), ("skip_name_resolve", "")),
        conditions=("readonly-m5-2021", "readonly-c5-2021"),
        sources=(SOURCE,),
    ),
)


def page() -> str:
    losses = ledger_of(PICK, LOAD, FACTS)
    lines = section("If something fails", ledger_summary(losses))
    lines += section("Durability and availability", ledger_lines(losses))
    lines += section("Server settings", settings_lines(settings_of(PICK, LOAD, 25.6, 6000.0)))
    lines += section("The measurements ran with", benchmark_lines(CONDITIONS))
    lines += section("On the client's side", bullets(notes_of(PICK, LOAD)))
    lines += section("How to get there", indented(how_to_get_there(PICK)))
    return "\n".join(lines[1:]) + "\n"


def test_golden() -> None:
    assert page() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("platform", Platform)
def test_no_line_is_wider_than_the_page(platform: Platform) -> None:
    engine = Engine.AURORA_MYSQL if platform is Platform.AURORA else Engine.MYSQL
    kind = Kind.AURORA_STANDARD if platform is Platform.AURORA else Kind.GP3
    pick = candidate(platform, engine, kind, nodes=2)
    lines = [
        *page().splitlines(),
        *settings_lines(settings_of(pick, LOAD, 25.6, None)),
        *bullets(notes_of(pick, LOAD)),
        *indented(how_to_get_there(pick)),
    ]
    assert max(map(len, lines)) <= WIDTH


def test_nothing_known_is_nothing_printed() -> None:
    assert ledger_lines(()) == ledger_summary(()) == []


def test_json_shapes() -> None:
    losses = ledger_json(ledger_of(PICK, LOAD, FACTS))
    assert isinstance(losses, list)
    assert losses[0] == {
        "failure": "process-crash",
        "lost": "nothing that was committed",
        "rpo": "none",
        "rto": "seconds",
        "recovery": "fail over to a replica",
        "as_of": "2026-11-20",
        "source_id": "vendor-manual",
        "title": "A vendor: what survives",
        "url": "https://example.org/manual",
        "quality": "C",
        "caveats": "Typical times, no promise.",
    }
    settings = settings_json(settings_of(PICK, LOAD, 25.6, 6000.0))
    assert isinstance(settings, dict)
    assert settings["sync_binlog"] == {"value": "1", "reason": "full durability"}
    assert json_text(benchmark_json(CONDITIONS)).count('"O_DIRECT"') == 1


if __name__ == "__main__":
    GOLDEN.write_text(page(), encoding="utf-8")
