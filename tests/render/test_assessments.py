"""Predictions, comparisons and reviews as text and JSON: golden bytes, page width, words."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from advisor.render.assessment import assessment_text
from advisor.render.comparison import comparison_text
from advisor.render.current import review_lines
from tests.render.answers import GOLDEN
from tests.render.assessments import RENDERINGS, alone, beside, beside_unpriced, reviewed, unpriced


@pytest.mark.parametrize("name", sorted(RENDERINGS))
def test_golden_bytes(name: str) -> None:
    """Run python -m tests.render.assessments when a rendering has changed, and read the diff."""
    assert RENDERINGS[name]() == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(name for name in RENDERINGS if name.endswith(".txt")))
def test_lines_fit_the_page(name: str) -> None:
    lines = RENDERINGS[name]().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("name", sorted(name for name in RENDERINGS if name.endswith(".json")))
def test_documents_are_json_with_a_schema(name: str) -> None:
    document = json.loads(RENDERINGS[name]())
    assert document["schema"].startswith("advisor.")


def test_unknown_price_is_said_not_zero() -> None:
    text = " ".join(assessment_text(unpriced()).split())
    assert "without a known price (r8g.xlarge has no reserved-1y price in eu-west-1)" in text
    assert "$0" not in text
    assert "misses what was asked" in text


def test_only_limit_of_the_tail_is_a_goal_too() -> None:
    found = alone()
    workload = replace(found.request.workload, max_p95_ms=50.0)
    met = replace(found, request=replace(found.request, workload=workload), meets_target=True)
    text = " ".join(assessment_text(met).split())
    assert "It meets what was asked: p95 at most 50.0 ms." in text


def test_comparison_says_ties_and_missing_money() -> None:
    text = " ".join(comparison_text(beside_unpriced()).split())
    assert "With 16 threads A and B tie" in text
    assert "a price is missing, so the money is not compared" in text
    assert "they tie at every number of threads" in text
    leading = replace(beside(), crossovers=(), ladder=beside().ladder[1:])
    assert "Nowhere: A leads wherever" in " ".join(comparison_text(leading).split())


@pytest.mark.parametrize(
    ("saving", "words"),
    [
        (None, "price unknown"),
        (Decimal(0), "same cost"),
        (Decimal("12.00"), "saves $12 a month"),
        (Decimal("-12.00"), "costs $12 a month more"),
    ],
)
def test_money_of_the_pick(saving: Decimal | None, words: str) -> None:
    found = reviewed().current
    assert found is not None
    text = " ".join(
        " ".join(review_lines(replace(found, pick_saving_usd_per_month=saving))).split()
    )
    assert words in text


def test_review_without_findings_and_moves() -> None:
    found = reviewed().current
    assert found is not None
    quiet = replace(
        found, findings=(), moves=(), is_pick=True, assessment=replace(found.assessment, cost=None)
    )
    text = " ".join(" ".join(review_lines(quiet)).split())
    for words in ("Nothing is wrong", "No single change is worth making", "is what you run"):
        assert words in text
    risky = replace(found, moves=found.moves[1:])
    assert "No single change is safe by itself" in " ".join(review_lines(risky))
