"""One part of the model with its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.scorecard import PartScore, error_score
from advisor.evaluation.coverage import Cell, coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 0.8


class PartName(NamedTuple):
    """What a part is and what it is compared with."""

    key: str
    title: str
    baseline: str
    note: str


def part(
    name: PartName, cells: Sequence[Cell], plain: Sequence[float], *, has_interval: bool = True
) -> PartScore:
    """Return the score of ``cells``; ``plain``: ln(baseline ÷ measured) of each."""
    return PartScore(
        key=name.key,
        title=name.title,
        groups=tuple(dict.fromkeys(cell.group for cell in cells)),
        error=error_score([cell.error for cell in cells]),
        baseline=name.baseline,
        baseline_error=error_score(plain),
        coverage=coverage(cells, LEVEL) if has_interval else None,
        note=name.note,
    )
