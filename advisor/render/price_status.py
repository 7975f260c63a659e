"""How old live and bundled prices are and what they lack, for people and for scripts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from advisor.render.figures import count
from advisor.render.json_document import json_text
from advisor.render.page import bullets, paragraph
from advisor.render.table import text_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.domain.price_report import BundledCoverage, Coverage, PriceStatus
    from advisor.domain.vocabulary import Term
    from advisor.render.json_document import Json

_MB = 1e6
#: Live items that a page names; JSON has all.
_SHOWN = 10
_PLATFORMS = {
    "ec2": "EC2",
    "volumes": "EBS",
    "rds": "RDS",
    "storage": "RDS or Aurora storage",
    "aurora": "Aurora",
}


def status_text(found: PriceStatus, regions: Sequence[str], now: datetime) -> str:
    """Return live prices by region with their age, what is held or missing, then bundled ones.

    ``regions``: those that are looked at; others are counted only.
    """
    live = found.live
    lines = paragraph(_headline(found))
    lines += [f"warning: {live.warning}"] if live.warning else []
    rows = [
        (
            each.region,
            each.platform,
            _term(each.term),
            each.prices,
            _age(each, now),
            (each.published or "-")[:10],
            ", ".join(each.origins),
        )
        for each in live.coverage
    ]
    if rows:
        columns = ("region", "platform", "term", "prices", "age", "published", "origin")
        lines += ["", *text_table(columns, rows).splitlines()]
    for title, items in _lists(found):
        if items:
            lines += ["", f"{title} ({len(items):,})", *bullets(items[:_SHOWN])]
    lines += ["", "Bundled snapshot", *_bundled(found.bundled, regions)]
    return "\n".join(lines) + "\n"


def status_json(found: PriceStatus) -> str:
    """Return ``advisor.price-status/1``."""
    live = found.live
    document: Json = {
        "schema": "advisor.price-status/1",
        "cache": {"path": found.cache, "bytes": live.file_bytes, "warning": live.warning},
        "live": [
            {
                "region": each.region,
                "platform": each.platform,
                "term": _word(each.term),
                "origins": list(each.origins),
                "fetched_at": each.fetched_at,
                "published": each.published,
                "prices": each.prices,
                "troubles": each.troubles,
            }
            for each in live.coverage
        ],
        "failures": [
            {
                "region": each.region,
                "subject": each.subject.value,
                "origin": each.origin.value,
                "reason": each.reason,
                "failed_at": each.failed_at,
            }
            for each in live.failures
        ],
        "troubles": [
            {"price": f"{each.market}/{each.name}", "reason": each.reason} for each in live.troubles
        ],
        "held": [
            {
                "region": each.region,
                "started": each.started,
                "origins": list(each.origins),
                "subjects": list(each.subjects),
                "reasons": list(each.reasons),
            }
            for each in live.held
        ],
        "bundled": [
            {
                "region": each.region,
                "platform": each.platform,
                "term": _word(each.term),
                "prices": each.prices,
                "oldest": each.oldest,
                "newest": each.newest,
            }
            for each in found.bundled
        ],
    }
    return json_text(document)


def _headline(found: PriceStatus) -> str:
    live = found.live
    if not live.coverage:
        return (
            "No live prices: answers use the bundled snapshot. To fetch them: "
            "advisor prices refresh"
        )
    regions = len({each.region for each in live.coverage})
    prices = sum(each.prices for each in live.coverage)
    return (
        f"{count(prices)} live prices of {count(regions)} region{'s' if regions > 1 else ''} in "
        f"{found.cache} ({live.file_bytes / _MB:.1f} MB)."
    )


def _lists(found: PriceStatus) -> Iterator[tuple[str, list[str]]]:
    live = found.live
    yield (
        "Kept apart until accepted with `advisor prices refresh --accept`",
        [
            f"{each.region}, fetched {each.started}: {each.reasons[0]}"
            + (f" and {len(each.reasons) - 1:,} more" if each.reasons[1:] else "")
            for each in live.held
        ],
    )
    yield (
        "Not delivered by the last refresh",
        [f"{each.region} {each.subject} by {each.origin}: {each.reason}" for each in live.failures],
    )
    yield (
        "Without exactly one price",
        [f"{each.market}/{each.name}: {each.reason}" for each in live.troubles],
    )


def _bundled(rows: Sequence[BundledCoverage], regions: Sequence[str]) -> list[str]:
    """Return the coverage of the regions looked at, and which have no price of a kind at all."""
    mine = [
        (each.region, each.platform, _term(each.term), each.prices, each.oldest, each.newest)
        for each in rows
        if each.region in regions
    ]
    columns = ("region", "platform", "term", "prices", "oldest", "newest")
    lines = text_table(columns, mine).splitlines() if mine else []
    every = sorted({each.region for each in rows})
    for platform, spelt in _PLATFORMS.items():
        having = {each.region for each in rows if each.platform == platform}
        lacking = [region for region in every if region not in having]
        if lacking:
            few = ", ".join(lacking[:3]) + (" …" if len(lacking) > 3 else "")  # noqa: PLR2004 (three examples)
            lines += paragraph(
                f"No bundled {spelt} prices in {count(len(lacking))} of {count(len(every))} "
                f"regions: {few}."
            )
    return lines


def _age(each: Coverage, now: datetime) -> str:
    seconds = (now - datetime.fromisoformat(each.fetched_at)).total_seconds()
    for size, letter in ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {letter}"
    return "now"


def _term(term: Term | None) -> str:
    return "-" if term is None else term.value


def _word(term: Term | None) -> str | None:
    return None if term is None else term.value
