"""The three renderings of an answer: golden bytes, page width, and the JSON contract."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from advisor.domain.vocabulary import Engine, Station
from advisor.render.explain import explanation_text
from advisor.render.recommendation import recommendation_text
from advisor.render.recommendation_json import recommendation_json
from tests.render.answers import (
    ANSWERS,
    GOLDEN,
    RENDERERS,
    instance,
    prediction,
    row,
    stated,
    usual,
)
from tests.render.answers import GP3 as VOLUME

if TYPE_CHECKING:
    from advisor.domain.recommendation import Recommendation

NUMBER = (int, float)
TEXT = str
#: Keys and types of ``advisor.recommendation/1``; a tuple lists what may stand there.
ESTIMATE = {"value": NUMBER, "low": NUMBER, "high": NUMBER, "level": NUMBER, "basis": TEXT}
RANKED: dict[str, Any] = {
    "rank": int,
    "config": TEXT,
    "role": TEXT,
    "platform": TEXT,
    "engine": TEXT,
    "instance_type": TEXT,
    "architecture": TEXT,
    "vcpu": int,
    "memory_gib": NUMBER,
    "nodes": int,
    "storage": {
        "type": TEXT,
        "size_gib": int,
        "iops": (int, type(None)),
        "throughput_mib_per_s": (int, type(None)),
        "count": int,
    },
    "predicted": {
        "transactions_per_s": ESTIMATE,
        "queries_per_s": ESTIMATE,
        "latency_avg_ms": ESTIMATE,
        "latency_p95_ms": ESTIMATE,
        "latency_p99_ms": (dict, type(None)),
        "variation_cv": (dict, type(None)),
    },
    "interval_is_validated": bool,
    "bottlenecks": [
        {
            "station": TEXT,
            "load": NUMBER,
            "capacity": (*NUMBER, type(None)),
            "unit": TEXT,
            "utilisation_ratio": (*NUMBER, type(None)),
            "time_ms": NUMBER,
            "is_limit": bool,
            "note": TEXT,
        }
    ],
    "burst_minutes": (*NUMBER, type(None)),
    "cost": {
        "usd_per_month": NUMBER,
        "lines": [
            {
                "label": TEXT,
                "quantity": NUMBER,
                "unit": TEXT,
                "usd_per_unit": NUMBER,
                "usd_per_month": NUMBER,
                "source": TEXT,
                "as_of": TEXT,
            }
        ],
        "source": TEXT,
        "as_of": TEXT,
    },
    "usd_per_million_transactions": NUMBER,
    "usd_per_million_transactions_interval": {"low": NUMBER, "high": NUMBER, "level": NUMBER},
    "usd_per_month_per_1000_tps": NUMBER,
    "meets_target": (bool, type(None)),
    "probability_best": (*NUMBER, type(None)),
    "expected_regret": (*NUMBER, type(None)),
    "tied_with": [TEXT],
    "folded": [TEXT],
    "caveats": [TEXT],
    "evidence": [
        {
            "part": TEXT,
            "what": TEXT,
            "rows": int,
            "source_id": TEXT,
            "title": TEXT,
            "url": (str, type(None)),
            "date": (str, type(None)),
            "licence": (str, type(None)),
            "quality": (str, type(None)),
            "caveats": (str, type(None)),
        }
    ],
    "settings": dict,
    "durability": [
        {
            "failure": TEXT,
            "lost": TEXT,
            "rpo": TEXT,
            "rto": TEXT,
            "recovery": TEXT,
            "as_of": TEXT,
            "source_id": TEXT,
            "title": TEXT,
            "url": (str, type(None)),
            "quality": (str, type(None)),
            "caveats": (str, type(None)),
        }
    ],
    "notes": [TEXT],
    "migration": str,
    "benchmark_settings": [dict],
}
SIDE = {
    "config": (str, type(None)),
    "usd_per_month": (*NUMBER, type(None)),
    "throughput_ratio": (*NUMBER, type(None)),
}
CONTRACT: dict[str, Any] = {
    "schema": TEXT,
    "id": TEXT,
    "workload": {
        "threads": int,
        "rw": TEXT,
        "read_ratio": NUMBER,
        "reads_per_transaction": NUMBER,
        "writes_per_transaction": NUMBER,
        "statements_per_transaction": NUMBER,
        "data_gib": NUMBER,
        "hot_gib": NUMBER,
        "volume_gib": int,
        "durability": TEXT,
        "availability": TEXT,
        "nodes": int,
        "client": TEXT,
        "target_transactions_per_s": (*NUMBER, type(None)),
        "headroom_ratio": NUMBER,
        "max_latency_p95_ms": (*NUMBER, type(None)),
        "connections": (int, type(None)),
        "assumed": [{"name": TEXT, "value": TEXT, "reason": TEXT}],
    },
    "request": {
        "region": TEXT,
        "term": TEXT,
        "objective": TEXT,
        "top": int,
        "constraints": {
            "engines": [TEXT],
            "families": [TEXT],
            "architectures": [TEXT],
            "storage_types": [TEXT],
            "min_vcpu": (int, type(None)),
            "max_vcpu": (int, type(None)),
            "min_memory_gib": (*NUMBER, type(None)),
            "max_memory_gib": (*NUMBER, type(None)),
            "budget_usd_per_month": (*NUMBER, type(None)),
            "allow_ephemeral": bool,
        },
    },
    "recommendations": [RANKED],
    "knee": {"half": SIDE, "twice": SIDE},
    "contested": [
        {
            "claim": TEXT,
            "statement": TEXT,
            "configs": [TEXT],
            "sides": [
                {
                    "position": TEXT,
                    "text": TEXT,
                    "weight": NUMBER,
                    "standing": TEXT,
                    "cells": (int, type(None)),
                    "cells_of": (int, type(None)),
                    "source_id": TEXT,
                    "title": TEXT,
                    "url": (str, type(None)),
                    "date": (str, type(None)),
                    "quality": (str, type(None)),
                }
            ],
            "belief": TEXT,
            "as_of": TEXT,
        }
    ],
    "crossovers": [
        {
            "axis": TEXT,
            "direction": TEXT,
            "stated": NUMBER,
            "looked_to": NUMBER,
            "value": (*NUMBER, type(None)),
            "changes_at": (*NUMBER, type(None)),
            "factor": (*NUMBER, type(None)),
            "config": (str, type(None)),
            "is_tie": (bool, type(None)),
        }
    ],
    "current": (dict, type(None)),
    "considered": int,
    "notes": [TEXT],
    "unpriced": [{"instance_type": TEXT, "reason": TEXT}],
    "rejected": dict,
    "data_version": TEXT,
    "prices": {"source": TEXT, "as_of": TEXT},
    "model_version": TEXT,
}


def assert_matches(value: object, contract: object, path: str) -> None:
    """Fail unless ``value`` has exactly the keys and types of ``contract``."""
    if isinstance(contract, dict):
        assert isinstance(value, dict), path
        assert list(value) == list(contract), path
        for key, each in contract.items():
            assert_matches(value[key], each, f"{path}.{key}")
    elif isinstance(contract, list):
        assert isinstance(value, list), path
        for index, each in enumerate(value):
            assert_matches(each, contract[0], f"{path}[{index}]")
    else:
        allowed = contract if isinstance(contract, tuple) else (contract,)
        assert isinstance(value, allowed), f"{path} is {value!r}"
        assert not isinstance(value, bool) or bool in allowed, path


@pytest.mark.parametrize("suffix", list(RENDERERS))
@pytest.mark.parametrize("name", list(ANSWERS))
def test_golden_bytes(name: str, suffix: str) -> None:
    written = RENDERERS[suffix](ANSWERS[name]()).encode()
    assert written == (GOLDEN / f"{name}.{suffix}").read_bytes(), (
        "python -m tests.render.answers writes the golden files; read the diff"
    )


def extreme() -> Recommendation:
    """Return an answer with the longest names and the largest numbers there can be."""
    answer = usual()
    machine = instance("u7in-32tb.224xlarge", 896)
    volume = replace(VOLUME, size_gib=65536, iops=80000, throughput_mib_per_s=2000)
    rows = [
        replace(
            row(index + 1, role, machine, volume, rate, "9999.99999", nodes=3), caveats=("x" * 200,)
        )
        for index, (role, rate) in enumerate(
            (("other-architecture", 9999999.9), ("pick", 1e-4), ("tie", 99999.99), ("faster", 3.0))
        )
    ]
    return replace(answer, ranking=tuple(rows), notes=("word " * 60,))


@pytest.mark.parametrize("answer", [usual(), stated(), extreme()])
def test_no_line_is_wider_than_the_page(answer: Recommendation) -> None:
    for text in (recommendation_text(answer), explanation_text(answer)):
        assert max(map(len, text.splitlines())) <= 80
        assert not [line for line in text.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("answer", [usual(), stated(), extreme()])
def test_json_is_a_contract(answer: Recommendation) -> None:
    document = json.loads(recommendation_json(answer))
    assert document["schema"] == "advisor.recommendation/1"
    assert_matches(document, CONTRACT, "$")


def test_json_holds_every_row_and_every_assumption() -> None:
    answer = usual()
    document = json.loads(recommendation_json(answer))
    rows = (*answer.ranking, *answer.alternatives)
    assert [each["config"] for each in document["recommendations"]] == [
        each.candidate.config for each in rows
    ]
    names = [each["name"] for each in document["workload"]["assumed"]]
    assert names == [
        each.name for each in (*answer.request.workload.assumed, *answer.request.assumed)
    ]
    assert document["rejected"] == {each.reason: each.count for each in answer.rejected}


def test_json_money_is_decimal_to_the_cent() -> None:
    answer = usual()
    document = json.loads(recommendation_json(answer), parse_float=Decimal)
    for found, ranked in zip(
        document["recommendations"], (*answer.ranking, *answer.alternatives), strict=True
    ):
        assert found["cost"]["usd_per_month"] == ranked.cost.usd_per_month
        for line, mine in zip(found["cost"]["lines"], ranked.cost.lines, strict=True):
            assert Decimal(line["quantity"]) * line["usd_per_unit"] == mine.usd_per_month


def test_json_unknown_is_null_never_zero() -> None:
    answer = usual()
    done = answer.pick.prediction
    endless = replace(done.stations[0], capacity=float("inf"), utilisation_ratio=float("nan"))
    broken = replace(answer.pick, prediction=replace(done, stations=(endless, *done.stations[1:])))
    document = json.loads(recommendation_json(replace(answer, ranking=(broken,))))
    load = document["recommendations"][0]["bottlenecks"][0]
    assert (load["capacity"], load["utilisation_ratio"]) == (None, None)


def test_times_of_the_ledger_add_up_to_the_mean() -> None:
    for found in json.loads(recommendation_json(usual()))["recommendations"]:
        total = sum(load["time_ms"] for load in found["bottlenecks"])
        assert total == pytest.approx(found["predicted"]["latency_avg_ms"]["value"], rel=1e-5)


def test_every_assumption_caveat_and_date_is_printed() -> None:
    answer = usual()
    flat = " ".join(recommendation_text(answer).split())
    for each in (*answer.request.workload.assumed, *answer.request.assumed):
        assert f"{each.name} {each.value} ({each.reason})" in flat
    for said in (*answer.pick.caveats, *answer.notes):
        assert said in flat
    for line in answer.pick.cost.lines:
        assert f"{line.price.source} ({line.price.as_of})" in flat
    for evidence in answer.pick.evidence:
        assert evidence.source.title in flat
        assert (evidence.source.date or "no date") in flat
    assert f"config: {answer.pick.candidate.config}" in flat


def test_a_limit_is_a_full_station_or_the_latency() -> None:
    answer = usual()
    assert "limited by the CPU" in recommendation_text(answer)
    done = prediction(1834.0, Station.COMMIT)
    waiting = replace(answer.pick, prediction=done)
    text = " ".join(recommendation_text(replace(answer, ranking=(waiting,))).split())
    assert "limited by latency, mainly waiting for commits to be durable" in text


def test_burst_minutes_are_said() -> None:
    answer = usual()
    burst = replace(answer.pick.prediction, burst_minutes=34.6)
    text = recommendation_text(replace(answer, ranking=(replace(answer.pick, prediction=burst),)))
    assert "credits end after 35 minutes" in " ".join(text.split())


def flat(answer: Recommendation) -> str:
    return " ".join(recommendation_text(answer).split())


def test_price_is_said_to_decide_only_when_it_did() -> None:
    answer = usual()
    assert "cannot rank them, price decided." in flat(answer)
    assert "It is the cheapest of 7 that tie" in flat(answer)
    dear = replace(answer.pick, cost=answer.alternatives[0].cost)
    text = flat(replace(answer, ranking=(dear, *answer.ranking[1:])))
    assert "cannot rank them. " in text
    assert "It is one of 7 that tie" in text


def test_money_that_brings_nothing_is_said_to() -> None:
    answer = usual()
    text = flat(replace(answer, knee=replace(answer.knee, twice_throughput_ratio=1.0)))
    assert "twice the money brings no more." in text


def test_one_thread_is_singular() -> None:
    answer = usual()
    request = replace(answer.request, workload=replace(answer.request.workload, threads=1))
    assert "ms with 1 thread, for $184" in flat(replace(answer, request=request))


def test_engines_are_named_where_they_differ() -> None:
    answer = usual()
    other = replace(answer.ranking[1].candidate, engine=Engine.MARIADB)
    ranking = (answer.pick, replace(answer.ranking[1], candidate=other))
    assert "MariaDB, gp3 150 GiB" in flat(replace(answer, ranking=ranking))
