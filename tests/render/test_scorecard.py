"""Scorecards as text, Markdown and JSON, and fits as charts: golden bytes, page width, words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from advisor.domain.scorecard import Measure
from advisor.render.fit_chart import fit_charts
from advisor.render.page import plain
from advisor.render.scorecard import scorecard_text
from advisor.render.scorecard_json import scorecard_json
from advisor.render.scorecard_markdown import scorecard_markdown
from advisor.render.scorecard_sheets import headline, sheets, short_goals
from advisor.render.sheet import share
from tests.render.answers import GOLDEN
from tests.render.scorecards import RENDERINGS, SIZE, goal, plots, usual


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", sorted(RENDERINGS))
def test_golden_bytes(name: str) -> None:
    """Run python -m tests.render.scorecards when a rendering has changed, and read the diff."""
    assert RENDERINGS[name]() == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(name for name in RENDERINGS if name.endswith(".txt")))
def test_lines_fit_the_page(name: str) -> None:
    lines = RENDERINGS[name]().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []


def test_headline_says_goals_error_regret_and_coverage() -> None:
    text = " ".join(headline(usual().scorecard))
    assert text.startswith("3 of 4 goals are met.")
    for number in ("3.1%", "9.1%", "1.1%", "81.2%"):
        assert number in text
    doubtful = replace(usual().scorecard, folds=(replace(SIZE, is_validated=False),))
    assert "not validated" in " ".join(headline(doubtful))


def test_a_missed_goal_is_said_with_digits_that_tell_it_from_its_limit() -> None:
    text = words(scorecard_text(usual()))
    assert "Missed: p90 error of new silicon: 20.01%, asked for at most 20%." in text
    near = goal("near", "near", 0.200_000_01, at_most=0.2)
    (shown,) = sheets(replace(usual().scorecard, goals=(near,)))[0].rows
    assert (shown[2], shown[3]) == ("20.0000%", "NO")


def test_what_does_better_than_the_model_is_said() -> None:
    text = words(scorecard_text(usual()))
    assert (
        "a silicon generation: plain USL is nearer, 9.1% against 9.4% (median), 19.8% against "
        "23.2% (p90)." in text
    )
    assert (
        "a silicon generation: better than ours (5.2% on average): newest generation 4.1%" in text
    )
    assert "one cost for all engines is nearer" in text
    assert "Not validated: a silicon generation." in text


def test_a_rule_with_other_cases_is_shown_but_not_called_better() -> None:
    (sheet,) = [each for each in sheets(usual().scorecard) if each.key == "choices-throughput"]
    assert any("always m6g" in row for row in sheet.rows)
    assert not any("always m6g" in note for note in sheet.notes)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.0312, "3.1%"), (-0.0567, "-5.7%"), (9.99, "999.0%"), (8e10, ">999%"), (float("nan"), "-")],
)
def test_shares(ratio: float, text: str) -> None:
    assert share(ratio) == text


def test_short_goals_are_errors_coverage_and_mean_regret() -> None:
    found = [row[0] for row in short_goals(usual().scorecard).rows]
    assert "median error of a new size" in found
    assert not any("random" in title for title in found)


def test_document_is_json_with_a_schema_units_and_null_for_unknown() -> None:
    document = json.loads(scorecard_json(usual()))
    assert document["schema"] == "advisor.scorecard/1"
    assert set(document) == {
        "schema", "data_version", "model_version", "goals_met", "goals", "folds", "choices", "ties",
        "parts", "anchors", "repeat_cv_ratio",
    }  # fmt: skip
    assert document["goals_met"] == 3
    assert set(document["goals"][0]) == {
        "key", "title", "at_most_ratio", "at_least_ratio", "reached_ratio", "is_met",
        "is_validated", "baseline",
    }  # fmt: skip
    fold = document["folds"][0]
    assert fold["error"] == {
        "cells": 336,
        "median_ratio": 0.0312,
        "p90_ratio": 0.0911,
        "worst_ratio": 0.214,
    }
    assert set(fold["coverage"][0]) == {
        "level_ratio", "held_ratio", "held_low_95_ratio", "held_high_95_ratio", "width_ratio",
    }  # fmt: skip
    assert [group["name"] for group in fold["groups"]] == ["m5.large", "m6g.16xlarge"]
    assert {each["measure"] for each in document["choices"]} == {each.value for each in Measure}
    assert document["ties"][0]["missed"] == 4
    lost = replace(usual().scorecard, goals=(goal("lost", "lost", float("nan"), at_most=0.1),))
    document = json.loads(scorecard_json(replace(usual(), scorecard=lost)))
    assert document["goals"][0]["reached_ratio"] is None
    assert document["goals_met"] == 0


def test_markdown_has_every_group_and_every_choice() -> None:
    text = scorecard_markdown(usual())
    card = usual().scorecard
    for fold in card.folds:
        for group in fold.groups:
            assert f"| {group.name} |" in text
    assert text.count("| newest generation |") == 3  # silicon and size, and among the rules
    assert "## Goals" in text


def test_charts_are_ascii_where_the_terminal_is() -> None:
    text = fit_charts(plots(), is_coloured=False)
    assert "\x1b" not in text
    assert plain(text).isascii()
    assert list(map(len, plain(text).splitlines())) == list(map(len, text.splitlines()))
    assert "\x1b[" in fit_charts(plots(), is_coloured=True)


def test_charts_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = fit_charts(plots(), is_coloured=False)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "5")
    assert fit_charts(plots(), is_coloured=False) == wide


def test_no_fit_is_no_chart() -> None:
    assert fit_charts((), is_coloured=False) == ""
