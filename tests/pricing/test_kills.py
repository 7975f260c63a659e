from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.soak import kill_refreshes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_a_killed_refresh_leaves_the_old_prices_or_the_new(tmp_path: Path) -> None:
    """Ten seeded moments; scripts/soak runs a hundred."""
    survey = kill_refreshes(tmp_path, kills=10, seed=7)
    assert survey.faults == ()
    assert survey.kills == 10
    assert survey.refreshes > 0
