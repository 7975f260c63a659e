"""What one refresh of a region brought, as it is stored now or kept apart until it is accepted."""

from __future__ import annotations

import json
import zlib
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.price_report import Miss
from advisor.domain.quote import Origin, Quote, Subject, Trouble, TypeFacts
from advisor.domain.record import record, replaced
from advisor.pricing.documents import subject_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@record
class Batch:
    """The outcome of a refresh: all of it becomes current at once, or none."""

    region: str
    settled: tuple[Subject, ...]
    """Delivered whole: a market of theirs without quotes has none any more."""
    types: tuple[str, ...]
    """The types and classes that were asked for; empty: all."""
    quotes: tuple[Quote, ...]
    troubles: tuple[Trouble, ...]
    facts: tuple[TypeFacts, ...]
    """Instance types that the catalogue does not know."""
    misses: tuple[Miss, ...]
    """Subjects that no source delivered, by the last that was asked."""
    published: tuple[tuple[Origin, str], ...]
    """When AWS published what a source read."""
    origins: tuple[Origin, ...]
    """Sources that delivered, in the order in which they were asked."""
    started: str
    """UTC, ``2026-11-21T09:30:00Z``; the prices are not newer than that.

    By AWS's clock where the local one is known to be wrong.
    """
    finished: str
    requests: int
    wire_bytes: int


def whole_markets(batch: Batch) -> frozenset[str]:
    """Return the markets that a batch prices beyond the types that were asked for."""
    return frozenset(
        each.market
        for each in batch.quotes
        if not batch.types or type_of(each.market, each.name) not in batch.types
    )


def covered(batch: Batch, keys: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield those of (market, name) for which a batch answers, with a price or without one."""
    whole = whole_markets(batch)
    for market, name in keys:
        is_asked = not batch.types or type_of(market, name) in (None, *batch.types)
        if market in whole or (is_asked and subject_of(market) in batch.settled):
            yield market, name


def joined(older: Batch, newer: Batch) -> Batch:
    """Return two batches of a region as one: what the newer answers for, else the older.

    It is as old as the older, unless nothing of that is left. A short list changes a whole one
    where that has prices; beside a newer whole one, an older short list is dropped.
    """
    if older.types and not newer.types:
        return newer
    is_short = bool(newer.types) and not older.types
    known = {each.market for each in older.quotes}
    quotes = [each for each in newer.quotes if each.market in known or not is_short]
    troubles = [each for each in newer.troubles if each.market in known or not is_short]
    before = [*map(_head, older.quotes), *map(_head, older.troubles)]
    answered = {*covered(newer, before), *map(_head, quotes), *map(_head, troubles)}
    left = [each for each in older.quotes if _head(each) not in answered]
    settled = (*older.settled, *(() if is_short else newer.settled))
    if not left and {*settled} <= {*newer.settled}:
        return newer
    asked = {*newer.settled, *(miss.subject for miss in newer.misses)}
    misses = (*(each for each in older.misses if each.subject not in asked), *newer.misses)
    facts = {each.name: each for each in (*older.facts, *newer.facts)}
    return replaced(
        older,
        settled=tuple(dict.fromkeys(settled)),
        types=() if is_short else tuple(sorted({*older.types, *newer.types})),
        quotes=tuple(sorted((*left, *quotes), key=_head)),
        troubles=(*(each for each in older.troubles if _head(each) not in answered), *troubles),
        facts=tuple(facts[name] for name in sorted(facts)),
        misses=tuple(each for each in misses if each.subject not in settled),
        published=tuple((dict(older.published) | dict(newer.published)).items()),
        origins=tuple(dict.fromkeys((*older.origins, *newer.origins))),
        finished=newer.finished,
        requests=older.requests + newer.requests,
        wire_bytes=older.wire_bytes + newer.wire_bytes,
    )


def facts_text(facts: TypeFacts) -> str:
    """Return an instance type as JSON; fields that are not known are left out."""
    return _text(_fields(facts))


def packed(batch: Batch) -> bytes:
    """Return a batch as compressed JSON."""
    fields = _fields(batch) | {
        "quotes": [
            [
                *(*_head(each), str(each.usd), each.unit, each.origin, each.as_of),
                *(str(each.upfront_usd), each.interruptions),
            ]
            for each in batch.quotes
        ],
        "troubles": [[*_head(each), each.reason] for each in batch.troubles],
        "facts": [_fields(each) for each in batch.facts],
        "misses": [_fields(each) for each in batch.misses],
    }
    return zlib.compress(_text(fields).encode(), 1)


def unpacked(blob: bytes) -> Batch:
    """Return the batch that was packed; raises ValueError when it is damaged."""
    try:
        fields = json.loads(zlib.decompress(blob))
        return Batch(
            **fields
            | {
                "settled": tuple(map(Subject, fields["settled"])),
                "types": tuple(fields["types"]),
                "quotes": tuple(_quote(*each) for each in fields["quotes"]),
                "troubles": tuple(_trouble(*each) for each in fields["troubles"]),
                "facts": tuple(TypeFacts(**each) for each in fields["facts"]),
                "misses": tuple(_miss(each) for each in fields["misses"]),
                "published": tuple((Origin(who), when) for who, when in fields["published"]),
                "origins": tuple(map(Origin, fields["origins"])),
            }
        )
    except (zlib.error, KeyError, TypeError, ArithmeticError) as error:
        raise ValueError("the refresh that was kept apart is damaged") from error


def _fields(value: object) -> dict[str, object]:
    names: tuple[str, ...] = getattr(value, "_names")  # noqa: B009 (a record, which object cannot say)
    found = {name: getattr(value, name) for name in names}
    return {name: each for name, each in found.items() if each is not None}


def _head(item: Quote | Trouble) -> tuple[str, str]:
    return item.market, item.name


def _quote(*row: str) -> Quote:
    market, name, usd, unit, origin, as_of, upfront, interruptions = row
    return Quote(
        market=market,
        name=name,
        usd=Decimal(usd),
        unit=unit,
        origin=Origin(origin),
        as_of=as_of,
        upfront_usd=Decimal(upfront),
        interruptions=interruptions,
    )


def _trouble(market: str, name: str, reason: str) -> Trouble:
    return Trouble(market=market, name=name, reason=reason)


def _miss(fields: dict[str, str]) -> Miss:
    asked_next = fields.get("next")
    return Miss(
        subject=Subject(fields["subject"]),
        origin=Origin(fields["origin"]),
        reason=fields["reason"],
        next=Origin(asked_next) if asked_next else None,
    )


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
