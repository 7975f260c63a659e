"""The search for the kernel's constants: what its nested run holds out."""

from __future__ import annotations

from math import exp

import pytest

from advisor.prediction.calibration import Hold, groups_of, residuals_of
from advisor.prediction.compute import Compute
from advisor.prediction.kernel import Layers
from scripts import layers
from tests.ground import fit_data


def test_a_generation_is_predicted_with_what_was_found_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the constants in use its errors are those of ``advisor evaluate``."""
    data = fit_data()
    asked: list[str] = []

    def found(without: str) -> tuple[Layers, float, float]:
        asked.append(without)
        return Layers(), 0.0, 0.0

    monkeypatch.setattr(layers, "_data", fit_data)
    monkeypatch.setattr(layers, "search", found)
    _, errors = layers._held_out("graviton2")
    compute = Compute(data.types, data.curve_points, data.scores)
    usual = [
        abs(exp(each.error) - 1.0)
        for each in residuals_of(compute, groups_of(compute, Hold.SILICON))
        if each.group == "graviton2"
    ]
    assert asked == ["graviton2"]
    assert errors == pytest.approx(usual)
