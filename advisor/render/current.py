"""What somebody runs now, in words: what is wrong, the smallest safe move, what the pick saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.current import MoveKind
from advisor.render.figures import change, dollars, figure
from advisor.render.limits import limit_clause
from advisor.render.page import bullets, indented

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from advisor.domain.current import CurrentReview, Move

_KINDS = {
    MoveKind.LARGER_VOLUME: "a larger volume, online",
    MoveKind.GP2_TO_GP3: "gp3 instead of gp2, online",
    MoveKind.AURORA_MODE: "the other storage mode of Aurora, online",
    MoveKind.LESS_IOPS: "pay for less on the volume, online",
    MoveKind.MORE_IOPS: "more on the volume, online",
    MoveKind.DURABLE_STORAGE: "the data on EBS",
    MoveKind.SMALLER_SIZE: "the next smaller size, one restart",
    MoveKind.LARGER_SIZE: "the next larger size, one restart",
    MoveKind.NEWER_GENERATION: "a newer generation of the same size, one restart",
    MoveKind.OTHER_ARCHITECTURE: "the other CPU architecture: a new server with other binaries",
}


def review_lines(found: CurrentReview) -> list[str]:
    """Return the section: now, what is wrong, single changes, the pick, and what is assumed."""
    lines = []
    for sentence, points in review_blocks(found):
        lines += indented(sentence) if sentence else []
        lines += bullets(points)
    return lines


def review_blocks(found: CurrentReview) -> tuple[tuple[str, list[str]], ...]:
    """Return paragraphs, each with the points that follow it."""
    smallest = found.smallest_safe_move
    others = [_move(move) for move in found.moves if move is not smallest]
    return (
        (" ".join(_now(found)), [finding.message for finding in found.findings]),
        (" ".join(_advice(found)), others),
        (_pick(found), []),
        (_assumed(found), []),
    )


def _now(found: CurrentReview) -> Iterator[str]:
    done, cost = found.assessment.prediction, found.assessment.cost
    price = (
        f"without a known price ({found.assessment.unpriced})"
        if cost is None
        else f"for {dollars(cost.usd_per_month)} a month"
    )
    rate = done.transactions_per_s
    yield (
        f"{found.assessment.config}: about {figure(rate.value)} transactions/s "
        f"({figure(rate.low)} to {figure(rate.high)}) at p95 "
        f"{figure(done.latency_p95_ms.value)} ms, {price}, {limit_clause(done)}."
    )
    yield "What is wrong with it:" if found.findings else "Nothing is wrong with it."


def _advice(found: CurrentReview) -> Iterator[str]:
    move = found.smallest_safe_move
    if move is not None:
        yield f"Smallest safe move: {_move(move)}."
    elif found.moves:
        yield "No single change is safe by itself."
    else:
        yield "No single change is worth making."
    if len(found.moves) > (0 if move is None else 1):
        yield "Other single changes:"


def _move(move: Move) -> str:
    name = move.to.config
    caution = "" if move.is_safe else "; not without loss"
    return (
        f"{_KINDS[move.kind]} ({name.instance_type}/{name.storage}): throughput "
        f"{change(move.throughput_ratio)}, p95 {change(move.p95_ratio)}"
        f"{_saved(move.saving_usd_per_month)}{caution}"
    )


def _saved(saving: Decimal | None) -> str:
    if saving is None:
        return ", price unknown"
    if saving == 0:
        return ", same cost"
    return f", {'saves' if saving > 0 else 'costs'} {dollars(abs(saving))} a month" + (
        "" if saving > 0 else " more"
    )


def _pick(found: CurrentReview) -> str:
    if found.is_pick:
        return "The pick is what you run."
    return (
        f"The pick against it: throughput {change(found.pick_throughput_ratio)}, p95 "
        f"{change(found.pick_p95_ratio)}{_saved(found.pick_saving_usd_per_month)}."
    )


def _assumed(found: CurrentReview) -> str:
    """Return what its CONFIG leaves out and was decided; an empty text where it says all."""
    figures = [f"{each.name} {each.value} ({each.reason})" for each in found.assumed_figures]
    return f"Assumed, because its CONFIG does not say: {'; '.join(figures)}." if figures else ""
