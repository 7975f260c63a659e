"""A scorecard as ``advisor.scorecard/1``: a versioned contract, fields only ever added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.json_document import Json, json_text

if TYPE_CHECKING:
    from advisor.domain.scorecard import (
        ChoiceScore,
        Coverage,
        ErrorScore,
        Evaluation,
        FoldScore,
        Goal,
        PartScore,
        TieScore,
    )

SCHEMA = "advisor.scorecard/1"


def scorecard_json(found: Evaluation) -> str:
    """Return the evaluation as a JSON document that ends with a newline."""
    card = found.scorecard
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "data_version": found.data_version,
        "model_version": found.model_version,
        "goals_met": sum(goal.is_met for goal in card.goals),
        "goals": [_goal(each) for each in card.goals],
        "folds": [_fold(each) for each in card.folds],
        "choices": [_choice(each) for each in card.choices],
        "ties": [_tie(each) for each in card.ties],
        "parts": [_part(each) for each in card.parts],
        "anchors": [{"who": who, "what": what} for who, what in card.anchors],
        "repeat_cv_ratio": card.repeat_noise,
    }
    return json_text(document)


def _goal(goal: Goal) -> Json:
    return {
        "key": goal.key,
        "title": goal.title,
        "at_most_ratio": goal.at_most,
        "at_least_ratio": goal.at_least,
        "reached_ratio": goal.reached,
        "is_met": goal.is_met,
        "is_validated": goal.is_validated,
        "baseline": goal.baseline,
    }


def _error(error: ErrorScore) -> Json:
    return {
        "cells": error.cells,
        "median_ratio": error.median,
        "p90_ratio": error.p90,
        "worst_ratio": error.worst,
    }


def _coverage(coverage: Coverage) -> Json:
    return {
        "level_ratio": coverage.level,
        "held_ratio": coverage.share,
        "held_low_95_ratio": coverage.low,
        "held_high_95_ratio": coverage.high,
        "width_ratio": coverage.width,
    }


def _fold(fold: FoldScore) -> Json:
    return {
        "key": fold.key,
        "title": fold.title,
        "is_validated": fold.is_validated,
        "error": _error(fold.error),
        "usl_error": _error(fold.baseline),
        "coverage": [_coverage(each) for each in fold.coverage],
        "groups": [
            {
                "name": group.name,
                "error": _error(group.error),
                "held_in_80_ratio": group.coverage_80,
            }
            for group in fold.groups
        ],
    }


def _choice(choice: ChoiceScore) -> Json:
    return {
        "rule": choice.rule,
        "fold": choice.fold,
        "measure": choice.measure.value,
        "cases": choice.cases,
        "mean_regret_ratio": choice.mean_regret,
        "p90_regret_ratio": choice.p90_regret,
        "within_5_percent_ratio": choice.within_5,
        "within_10_percent_ratio": choice.within_10,
    }


def _tie(tie: TieScore) -> Json:
    return {
        "fold": tie.fold,
        "measure": tie.measure.value,
        "true_ties": tie.true_ties,
        "found": tie.found,
        "missed": tie.true_ties - tie.found,
        "called_apart": tie.called_apart,
        "wrong": tie.wrong,
    }


def _part(part: PartScore) -> Json:
    return {
        "key": part.key,
        "title": part.title,
        "groups": list(part.groups),
        "error": _error(part.error),
        "baseline": part.baseline,
        "baseline_error": _error(part.baseline_error),
        "coverage": None if part.coverage is None else _coverage(part.coverage),
        "note": part.note,
    }
