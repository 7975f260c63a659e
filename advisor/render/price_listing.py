"""Every price of one name in one region: live, bundled and one's own, with source and day."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from advisor.render.figures import exact
from advisor.render.json_document import json_text
from advisor.render.table import text_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.domain.price_report import PriceListing, Stated
    from advisor.render.json_document import Json

#: Words of a market's name after its region, by its first word.
_LENGTHS = {"ec2": 2, "rds": 3, "aurora": 2}
_COLUMNS = ("group", "bought", "USD", "upfront", "source", "as of")
_UPFRONT = 3
_NONE = Decimal(0)


def listing_text(found: PriceListing, *, has_history: bool) -> str:
    """Return the prices by name, and how live ones changed where asked for."""
    blocks = [f"Prices of {found.subject} in {found.region}, USD", *_tables(found)]
    if has_history:
        blocks.append(f"How live prices changed\n{_history(found)}")
    blocks.append(
        "A price of your own stands under [negotiated] in the config file, by the name that "
        "--json\nprints: " + _example(found)
    )
    if found.live.warning:
        blocks.append(f"warning: {found.live.warning}")
    return "\n\n".join(blocks) + "\n"


class _Row(NamedTuple):
    """One price: its group, how it is bought or which item it is, and the cells beside."""

    group: str
    bought: str
    usd: Decimal
    upfront: str
    source: str
    as_of: str


def _tables(found: PriceListing) -> Iterator[str]:
    """Yield one table for each platform, engine, deployment and storage mode."""
    rows = [_row(path, usd, ("", "your config", "")) for path, usd in found.own]
    rows += [
        _row(
            f"{each.quote.market}/{each.quote.name}",
            each.effective_usd,
            (_paid(each), each.quote.origin.value, each.quote.as_of),
            each.quote.unit,
        )
        for each in found.live.prices
    ]
    rows += [
        _row(f"{each.market}/{each.name}", each.usd, ("", each.source, each.as_of), each.unit)
        for each in found.bundled
    ]
    groups: dict[str, list[_Row]] = {}
    for row in sorted(rows, key=lambda row: row[:2]):
        groups.setdefault(row.group, []).append(row)
    for group, mine in groups.items():
        has_upfront = any(row.upfront for row in mine)
        shown = [place for place in range(1, len(_COLUMNS)) if place != _UPFRONT or has_upfront]
        cells = [[row[place] for place in shown] for row in mine]
        yield f"{group}\n{text_table([_COLUMNS[place] for place in shown], cells)}"


def _row(path: str, usd: Decimal, beside: tuple[str, str, str], unit: str = "hour") -> _Row:
    kind, _, *rest = path.split("/")
    if kind in ("volumes", "storage"):
        *where, _, item, tier = rest
        bought = f"{item}, {unit}" if tier == "0" else f"{item} from {int(tier):,}, {unit}"
        group = "EBS volumes on EC2" if kind == "volumes" else f"Storage, {' '.join(where)}"
        return _Row(group, bought, usd, *beside)
    if kind == "spot":
        return _Row("ec2, an hour", "spot", usd, *beside)
    *where, term, payment = rest[: _LENGTHS[kind]]
    bought = term if payment == "none" else f"{term} {payment}"
    name = rest[_LENGTHS[kind] :]
    apart = [] if kind == "ec2" else [name[0], *name[2:]]
    return _Row(f"{' '.join((kind, *apart, *where))}, an hour", bought, usd, *beside)


def _paid(each: Stated) -> str:
    if each.quote.interruptions:
        return f"{each.quote.interruptions} taken back"
    return exact(each.quote.upfront_usd) if each.quote.upfront_usd else ""


def _example(found: PriceListing) -> str:
    paths = [path for path, _ in found.own]
    paths += [f"{each.quote.market}/{each.quote.name}" for each in found.live.prices]
    paths += [f"{each.market}/{each.name}" for each in found.bundled]
    return f'"{min(paths)}" = 0.05'


def _history(found: PriceListing) -> str:
    if not found.live.history:
        return "No live price of it has changed since the first refresh."
    rows = [
        (
            f"{row.group.removesuffix(', an hour')} {row.bought}",
            each.seen_at[:10],
            "none" if each.usd is None else each.usd,
            each.origin.value,
        )
        for each in found.live.history
        for row in (_row(f"{each.market}/{each.name}", each.usd or _NONE, ("", "", "")),)
    ]
    return text_table(("price", "from", "USD", "source"), rows)


def listing_json(found: PriceListing) -> str:
    """Return ``advisor.price-listing/1``."""
    document: Json = {
        "schema": "advisor.price-listing/1",
        "name": found.subject,
        "region": found.region,
        "own": [{"price": path, "usd": usd} for path, usd in found.own],
        "live": [
            {
                "price": f"{each.quote.market}/{each.quote.name}",
                "effective_usd": each.effective_usd,
                "usd": each.quote.usd,
                "upfront_usd": each.quote.upfront_usd,
                "unit": each.quote.unit,
                "source": each.quote.origin.value,
                "as_of": each.quote.as_of,
                "interruptions": each.quote.interruptions,
                "fetched_at": each.fetched_at,
            }
            for each in found.live.prices
        ],
        "bundled": [
            {
                "price": f"{each.market}/{each.name}",
                "effective_usd": each.usd,
                "unit": each.unit,
                "source": each.source,
                "as_of": each.as_of,
            }
            for each in found.bundled
        ],
        "history": [
            {
                "price": f"{each.market}/{each.name}",
                "seen_at": each.seen_at,
                "usd": each.usd,
                "upfront_usd": each.upfront_usd,
                "source": each.origin.value,
            }
            for each in found.live.history
        ],
        "warning": found.live.warning,
    }
    return json_text(document)
