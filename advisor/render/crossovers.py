"""How far the pick holds along threads, data size and read share, in words and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.recommendation import Axis
from advisor.render.figures import count, figure, percent
from advisor.render.page import WIDTH, labelled, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.recommendation import AxisCrossover, Recommendation
    from advisor.render.json_document import Json

NAMES = {
    Axis.THREADS: "threads",
    Axis.DATA_SIZE: "data size",
    Axis.READ_SHARE: "read share",
}
#: Columns before the text of a line: indent, the longest name, gap.
_MARGIN = 2 + max(map(len, NAMES.values())) + 2
#: What --explain adds, once.
_RULE = (
    "The rows stay as they are and are scored anew; a volume counts as if it held the data. "
    "The pick holds until a row would be chosen instead: one that costs more when it leads by "
    "more than the errors of both, one that costs less when it is no longer behind by more."
)


def crossover_rows(answer: Recommendation) -> list[tuple[str, str]]:
    """Return (axis, how far the pick holds) with the nearest change of each axis."""
    return [
        (NAMES[axis], next(_fitting(pair, answer.pick.candidate.config)))
        for axis in Axis
        if (pair := [each for each in answer.crossovers if each.axis is axis])
    ]


def crossover_lines(answer: Recommendation) -> list[str]:
    """Return one line per axis."""
    return labelled(crossover_rows(answer))


def crossovers_in_full(crossovers: Iterable[AxisCrossover]) -> list[str]:
    """Return every change with the CONFIG that takes over, and the rule."""
    found = list(crossovers)
    if not found:
        return []
    return [
        *labelled((NAMES[each.axis], _in_full(each)) for each in found),
        *paragraph(_RULE, "  "),
    ]


def crossovers_json(crossovers: Iterable[AxisCrossover]) -> Json:
    """Return each axis and direction; a value of null: no change as far as was looked."""
    return [
        {
            "axis": each.axis.value,
            "direction": "above" if each.is_above else "below",
            "stated": each.stated,
            "looked_to": each.looked_to,
            "value": each.value,
            "changes_at": each.changes_at,
            "factor": each.factor,
            "config": each.rival,
            "is_tie": each.is_tie,
        }
        for each in crossovers
    ]


def _fitting(pair: Sequence[AxisCrossover], pick: str) -> Iterator[str]:
    """Yield the sentence of an axis, the fullest that fits first."""
    changes = [each for each in pair if each.value is not None]
    if not changes:
        ends = sorted({pair[0].stated, *(each.looked_to for each in pair)})
        yield f"no change from {_amount(pair[0].axis, ends[0])} to {_value(pair[0], ends[-1])}"
        return
    nearest = min(changes, key=_distance)
    end, rival = _held(nearest), _rival(nearest, pick)
    tie = ", a tie now" if nearest.is_tie else ""
    way = "up" if nearest.is_above else "down"
    lone = f"holds {way} to {end}{_away(nearest)}, then {rival}"
    if nearest.value == nearest.stated:
        lone = f"no further {way} than {end}: {rival}"
    elif len(changes) > 1:
        low = _amount(nearest.axis, changes[0].value or 0.0)
        side = f"{'beyond' if nearest.is_above else 'below'}{_away(nearest) or f' {end}'}"
        both = f"holds from {low} to {_held(changes[1])}; {side} {rival}"
        yield from _within(f"{both}{tie}")
        yield from _within(both)
    yield from _within(f"{lone}{tie}")
    yield lone


def _within(text: str) -> Iterator[str]:
    """Yield a text that fits on one line."""
    if len(text) <= WIDTH - _MARGIN:
        yield text


def _in_full(each: AxisCrossover) -> str:
    if each.value is None or each.changes_at is None:
        side = "more" if each.is_above else "less"
        return f"no change with {side}, to {_value(each, each.looked_to)}"
    taker = each.rival or "nothing shown meets what was asked"
    tie = ", tied with it at yours" if each.is_tie else ""
    return (
        f"holds {'up' if each.is_above else 'down'} to {_held(each)}{_away(each)}; from "
        f"{_value(each, each.changes_at)} on {taker}{tie}"
    )


def _distance(each: AxisCrossover) -> float:
    """Return how far a change is: as a ratio, for shares as a difference."""
    value = each.stated if each.value is None else each.value
    if each.axis is Axis.READ_SHARE:
        return abs(value - each.stated)
    return max(value / each.stated, each.stated / value)


def _away(each: AxisCrossover) -> str:
    """Return how many times the stated value a change is away."""
    return "" if each.factor is None else f" ({each.factor:.2g}x yours)"


def _rival(each: AxisCrossover, pick: str) -> str:
    """Return who takes the pick's place, by what sets it apart."""
    if each.rival is None:
        return "nothing shown fits"
    name, storage = each.rival.split("/")[2:4]
    kind = storage.partition(":")[0]
    return f"{kind} instead" if name == pick.split("/")[2] else name


def _held(each: AxisCrossover) -> str:
    return _value(each, each.stated if each.value is None else each.value)


def _value(each: AxisCrossover, value: float) -> str:
    return _amount(each.axis, value) + (" GiB" if each.axis is Axis.DATA_SIZE else "")


def _amount(axis: Axis, value: float) -> str:
    """Return a value of an axis; GiB without their unit."""
    if axis is Axis.READ_SHARE:
        return percent(value)
    return count(value) if axis is Axis.THREADS else figure(value)
