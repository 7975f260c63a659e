"""What a refresh of live prices did, for people and for scripts."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.price_report import Outcome
from advisor.domain.quote import path_of
from advisor.render.figures import change, count, exact
from advisor.render.json_document import json_text
from advisor.render.page import bullets, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.domain.price_report import Miss, Move, PriceMoves, RefreshReport
    from advisor.render.json_document import Json

#: Items of a list that a page shows; JSON has all.
_SHOWN = 10
_MB = 1e6
_DIGITS = Decimal("0.000001")


def refresh_text(report: RefreshReport) -> str:
    """Return the outcome first, then what changed, what is new and what is missing."""
    lines = paragraph(_headline(report))
    if report.comparison.before:
        lines += _changes(report.comparison)
    lines += [line for title, items in _lists(report) for line in _listed(title, items)]
    return "\n".join(lines) + "\n"


def refresh_notes(reports: Sequence[RefreshReport]) -> Iterator[str]:
    """Yield what ``--refresh`` says on stderr before the answer: only what did not go well."""
    for report in reports:
        yield from (f"warning: {line}" for line in (report.warning, *report.notes) if line)
        if report.outcome is Outcome.HELD:
            why = report.comparison.reasons
            more = f" and {len(why) - 1:,} more" if why[1:] else ""
            yield f"note: new prices are kept apart ({why[0]}{more})"
            yield "hint: advisor prices refresh shows them, with --accept they are used"
    if all(report.problem for report in reports):
        yield f"note: the prices of before are used: {reports[0].problem}"
        return
    misses = {miss.subject: miss for report in reports for miss in report.misses}
    for subject in reports[-1].unsettled:
        if subject in misses:
            yield f"note: no live {subject} prices: {misses[subject].reason}"


def refresh_json(reports: Sequence[RefreshReport]) -> str:
    """Return ``advisor.price-refresh/1``: one object for each region."""
    return json_text(
        {"schema": "advisor.price-refresh/1", "regions": [_document(each) for each in reports]}
    )


def _headline(report: RefreshReport) -> str:
    how = f"{count(report.requests)} requests, {report.wire_bytes / _MB:.1f} MB"
    if report.outcome is Outcome.CURRENT:
        origins = ", ".join(report.origins)
        return f"{report.region}: {count(report.prices)} prices of {origins} are in use ({how})."
    if report.outcome is Outcome.HELD:
        return (
            f"{report.region}: {count(report.prices)} new prices are kept apart and not used "
            f"({how}). After a look at them: "
            f"advisor prices refresh --region {report.region} --accept"
        )
    return f"{report.region}: nothing changed, the prices of before stay in use: {report.problem}."


def _changes(moves: PriceMoves) -> list[str]:
    parts = []
    for number, median, word in (
        (moves.up, moves.up_median_ratio, "up"),
        (moves.down, moves.down_median_ratio, "down"),
    ):
        typical = "" if median is None else f" ({change(1.0 + median)} in the median)"
        parts.append(f"{count(number)} {word}{typical}")
    return paragraph(
        f"Of {count(moves.common)} prices in common with those before: {', '.join(parts)}; "
        f"{count(len(moves.vanished))} have none any more."
    )


def _short(usd: Decimal) -> Decimal:
    """Return a price with the digits that tell it from another."""
    return usd.quantize(_DIGITS) if usd > _DIGITS else usd


def _lists(report: RefreshReport) -> Iterator[tuple[str, list[str]]]:
    yield "Why they are kept apart", list(report.comparison.reasons)
    yield "Biggest moves", [_moved(move) for move in report.comparison.biggest]
    yield "New instance types", list(report.new_types)
    yield "Not delivered", [_missed(miss) for miss in report.misses]
    yield (
        "Without exactly one price, so without a live one",
        [f"{path_of(each.market, each.name)}: {each.reason}" for each in report.troubles],
    )
    yield "Gone", [path_of(market, name) for market, name in report.comparison.vanished]
    yield "Notes", [line for line in (report.warning, *report.notes) if line]


def _moved(move: Move) -> str:
    before, after = _short(move.before_usd), _short(move.after_usd)
    path = path_of(move.market, move.name)
    return f"{change(1.0 + move.change_ratio)}: {exact(before)} to {exact(after)} for {path}"


def _missed(miss: Miss) -> str:
    then = f"; next was {miss.next}" if miss.next else "; no other source was left to ask"
    return f"{miss.subject} by {miss.origin}: {miss.reason}{then}"


def _listed(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    more = len(items) - _SHOWN
    shown = [*items[:_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]
    return [f"{title} ({len(items):,})", *bullets(shown)]


def _document(report: RefreshReport) -> Json:
    moves = report.comparison
    return {
        "region": report.region,
        "outcome": report.outcome.value,
        "origins": [each.value for each in report.origins],
        "prices": report.prices,
        "problem": report.problem,
        "held_because": list(moves.reasons),
        "moves": {
            "common": moves.common,
            "before": moves.before,
            "up": moves.up,
            "up_median_ratio": moves.up_median_ratio,
            "down": moves.down,
            "down_median_ratio": moves.down_median_ratio,
            "moved_far": moves.moved_far,
            "vanished": [f"{market}/{name}" for market, name in moves.vanished],
            "biggest": [
                {
                    "price": f"{move.market}/{move.name}",
                    "before_usd": move.before_usd,
                    "after_usd": move.after_usd,
                    "change_ratio": move.change_ratio,
                }
                for move in moves.biggest
            ],
        },
        "new_types": list(report.new_types),
        "not_delivered": [
            {
                "subject": miss.subject.value,
                "origin": miss.origin.value,
                "reason": miss.reason,
                "next": miss.next.value if miss.next else None,
            }
            for miss in report.misses
        ],
        "unsettled": [each.value for each in report.unsettled],
        "troubles": [
            {"price": f"{each.market}/{each.name}", "reason": each.reason}
            for each in report.troubles
        ],
        "requests": report.requests,
        "wire_bytes": report.wire_bytes,
        "seconds": report.seconds,
        "warning": report.warning,
        "notes": list(report.notes),
    }
