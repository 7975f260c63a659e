"""Quotes as the texts in which prices are stored, market by market, and back.

The body of a market reads exactly as a bundled price document does. Pure: no file, no clock.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from advisor.domain.quote import HOURS_OF, Origin, Quote, Subject
from advisor.domain.record import record
from advisor.domain.vocabulary import Term

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Digits to which an upfront payment is spread, as in the bundled documents.
_SPREAD = Decimal("0.0000000001")
_BY_ITEM = ("volumes", "storage")


@lru_cache(maxsize=4096)
def subject_of(market: str) -> Subject | None:
    """Return what is asked for to refresh a market; None: no refresh delivers it."""
    kind, *parts = market.split("/")
    if kind == "volumes":
        return Subject.EBS
    if kind == "storage":
        return Subject.AURORA if parts[1] == "aurora" else Subject.RDS
    if kind == "spot":
        return Subject.SPOT
    term = term_of(market)
    if term is None:
        return None
    return Subject(kind) if term is Term.ON_DEMAND else Subject(term.partition("-")[0])


@lru_cache(maxsize=4096)
def term_of(market: str) -> Term | None:
    """Return the term of a market of instances or classes; None for any other."""
    parts = market.split("/")
    if parts[0] not in ("ec2", "rds", "aurora") or parts[-2] not in tuple(Term):
        return None
    return Term(parts[-2])


def is_by_item(market: str) -> bool:
    """Return whether a market prices items of storage, not instances by the hour."""
    return market.partition("/")[0] in _BY_ITEM


def type_of(market: str, name: str) -> str | None:
    """Return the instance type or class that a price is for; None: it is for storage."""
    if is_by_item(market):
        return None
    parts = name.split("/")
    return parts[0] if len(parts) == 1 else parts[1]


def article_of(market: str, name: str) -> str:
    """Return what a user calls a priced thing: its type, its class or its volume type."""
    return type_of(market, name) or name.partition("/")[0]


def effective_usd(quote: Quote) -> Decimal:
    """Return the price with its upfront payment spread evenly over the hours of the term.

    Raises ValueError where there is an upfront payment and the market has no term to spread it.
    """
    if not quote.upfront_usd:
        return quote.usd
    term = term_of(quote.market)
    hours = HOURS_OF[term] if term else None
    if hours is None:
        raise ValueError(f"an upfront payment in {quote.market}")
    return (quote.usd + quote.upfront_usd / hours).quantize(_SPREAD)


def text_of(amount: Decimal) -> str:
    """Return an amount as its shortest decimal text: 0.204, not 0.2040 or 2.04E-1."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@record
class Document:
    """The prices of one market as they are stored."""

    market: str
    body: str
    """As a bundled price document; upfront payments are spread."""
    paid: str | None
    """The same groups with [by the hour, upfront, interruptions] for each name; None: the body
    says it all.
    """
    prices: int
    origin: Origin
    """Of most prices; each group names its own."""


def documents_of(quotes: Iterable[Quote]) -> tuple[Document, ...]:
    """Return the documents of sound quotes, sorted by market."""
    markets: dict[str, list[Quote]] = defaultdict(list)
    for quote in quotes:
        markets[quote.market].append(quote)
    return tuple(_document(market, mine) for market, mine in sorted(markets.items()))


def _document(market: str, quotes: list[Quote]) -> Document:
    has_more = any(quote.upfront_usd or quote.interruptions for quote in quotes)
    paid: list[object] = []
    if is_by_item(market):
        body = sorted(_item_row(quote) for quote in quotes)
    else:
        body = []
        ordered = sorted(quotes, key=lambda quote: (quote.origin, quote.as_of, quote.name))
        for (origin, as_of), group in groupby(ordered, key=lambda each: (each.origin, each.as_of)):
            mine = list(group)
            amounts = {quote.name: text_of(effective_usd(quote)) for quote in mine}
            body.append([origin, as_of, amounts])
            parts = {
                each.name: [text_of(each.usd), text_of(each.upfront_usd), each.interruptions]
                for each in mine
            }
            paid.append([origin, as_of, parts])
    return Document(
        market=market,
        body=_text(body),
        paid=_text(paid) if has_more else None,
        prices=len(quotes),
        origin=Counter(quote.origin for quote in quotes).most_common(1)[0][0],
    )


def _item_row(quote: Quote) -> list[object]:
    kind, item, tier = quote.name.split("/")
    return [kind, item, int(tier), text_of(quote.usd), quote.unit, quote.origin, quote.as_of]


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def quotes_of(market: str, body: str, paid: str | None) -> tuple[Quote, ...]:
    """Return the quotes of a stored document, hourly and upfront apart.

    Raises ValueError, TypeError or KeyError when the texts are none.
    """
    if is_by_item(market):
        return tuple(
            Quote(
                market=market,
                name=f"{kind}/{item}/{tier}",
                usd=Decimal(usd),
                unit=unit,
                origin=Origin(origin),
                as_of=as_of,
            )
            for kind, item, tier, usd, unit, origin, as_of in json.loads(body)
        )
    groups = json.loads(paid or body)
    return tuple(
        Quote(
            market=market,
            name=name,
            usd=Decimal(amount[0] if paid else amount),
            unit="hour",
            origin=Origin(origin),
            as_of=as_of,
            upfront_usd=Decimal(amount[1] if paid else 0),
            interruptions=amount[2] if paid else None,
        )
        for origin, as_of, amounts in groups
        for name, amount in amounts.items()
    )
