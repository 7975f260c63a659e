"""What the session hands to the evaluation, and what it says where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from advisor.errors import PricingError
from advisor.prediction import MODEL_VERSION
from advisor.session.evaluate import evaluate, fits
from tests.render.scorecards import usual

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from advisor.domain.scorecard import Scorecard
    from advisor.prediction.fit_input import FitInput


def test_data_prices_and_progress_reach_the_evaluation(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[object] = []

    def scored(data: FitInput, prices: Mapping[str, float], progress: object) -> Scorecard:
        heard.extend((len(data.curve_points) > 300, prices["m5.large"], progress))
        return usual().scorecard

    monkeypatch.setattr("advisor.evaluation.scorecard.evaluate", scored)
    found = evaluate(database, print)
    assert heard == [True, 0.096, print]
    assert found.scorecard == usual().scorecard
    assert found.model_version == MODEL_VERSION
    assert len(found.data_version) == len("0123456789ab-01234567")


def test_no_price_is_never_a_price_of_nought(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.pricing.book.Book.ec2", lambda *_: {})
    with pytest.raises(PricingError, match="no on-demand prices of us-east-1"):
        evaluate(database, lambda *_: None)


def test_named_fits_come_once_each_in_their_order(database: Path) -> None:
    found = fits(database, ("m5.xlarge", "c5.large", "m5.xlarge"))
    assert [each.instance_type for each in found] == ["m5.xlarge", "c5.large"]
    for each in found:
        assert len(each.threads) == len(each.measured) == len(each.held_out) > 2
