"""What the rows of AWS's public price feeds state: instances, classes, spot.

A feed lists each rate under a readable key and, since 2024, once more under a hash of it; rows of
other systems, tenancies and deployments are left alone. Storage is read in ``feed_storage``.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import TypeFacts, aurora_market, rds_market, spot_market
from advisor.domain.record import record
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.bodies import UnreadableError
from advisor.pricing.stated import Charge
from advisor.pricing.type_words import disks_of, megabits_of, size_of
from advisor.pricing.usage_types import AURORA_LABELS, DEPLOYMENTS, RDS_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from advisor.domain.quote import Quote
    from advisor.pricing.stated import Stated

    Row = Mapping[str, Any]

_TYPE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+")
_CLASS = re.compile(r"db\.[a-z][a-z0-9-]*\.[a-z0-9-]+")
#: Attribute → what it must be where a row of EC2 has it.
_LINUX = {
    "Operating System": "Linux",
    "Tenancy": "Shared",
    "Pre Installed S/W": "NA",
    "License Model": "No License required",
    "ec2:OperatingSystem": "Linux",
    "ec2:Tenancy": "Shared",
    "ec2:PreInstalledSW": "NA",
    "ec2:PreInstalledSw": "NA",
}
_ON_DEMAND_CLASS = re.compile(
    r"Database Instance (?P<engine>.+?) No license required (?P<io>Aurora IO Optimization Mode )?"
    r"db \S+ .*(?P<deployment>Single-AZ|Multi-AZ)(?P<cluster> readable standbys)? "
    r"(?:Current|Previous) Generation"
)


@record
class Feed:
    """The rows of one location."""

    published: str | None
    """When AWS published the feed; None: it does not say."""
    rows: dict[str, dict[str, Any]]
    """By key."""


def feed_of(body: bytes, location: str) -> Feed:
    """Return the rows of a location; raises UnreadableError where the shape is another."""
    document = document_of(body)
    manifest = document.get("manifest")
    manifest = manifest if isinstance(manifest, dict) else {}
    published = manifest.get("hawkFilePublicationDate")
    currency = manifest.get("currencyCode", "USD")
    if currency != "USD":
        raise UnreadableError(f"prices in {currency}, not in USD")
    regions = document.get("regions")
    if not isinstance(regions, dict):
        raise UnreadableError("a changed shape: no list of regions")
    rows = regions.get(location)
    if not isinstance(rows, dict):
        raise UnreadableError(f"it does not list {location}")
    return Feed(
        published=published if isinstance(published, str) else None,
        rows={key: row for key, row in rows.items() if isinstance(row, dict)},
    )


def document_of(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body, its fractions as Decimal; raises UnreadableError."""
    text = body.strip()
    if not text:
        raise UnreadableError("an empty body")
    if text.startswith(b"<"):
        raise UnreadableError("a web page instead of prices: does a proxy ask for a login?")
    try:
        document = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        cut = text.startswith(b"{") and not text.endswith(b"}")
        reason = "a body that is cut short" if cut else "a body that is not JSON"
        raise UnreadableError(reason) from error
    if not isinstance(document, dict):
        raise UnreadableError("a changed shape: not a JSON object")
    return document


def read_ec2(feed: Feed, stated: Stated, market: str) -> None:
    """Read on-demand prices of Linux instances, current or previous generation."""
    for name, row in _linux(feed, "Instance Type"):
        stated.add(market, name, "hour", Charge(price=row.get("price")))


def read_ec2_reserved(feed: Feed, stated: Stated, market: str, payment: Payment) -> None:
    """Read reserved prices under one term and payment."""
    for name, row in _linux(feed, "Instance Type"):
        _add_reserved(stated, (market, name), row, payment)


def read_savings(feed: Feed, stated: Stated, market: str) -> None:
    """Read the rates of a Compute Savings Plan for EC2.

    AWS states one rate per hour under each payment, of which Partial and All Upfront pay a part or
    all in advance: the whole rate is the quote's, and no upfront amount.
    """
    for name, row in _linux(feed, "ec2:InstanceType"):
        stated.add(market, name, "hour", Charge(price=row.get("price")))


def read_rds(feed: Feed, stated: Stated, region: str, engine: str) -> None:
    """Read on-demand prices of classes, Single-AZ and Multi-AZ; clusters are another product."""
    spelt = {word: deployment for deployment, word in DEPLOYMENTS.items()}
    for key, row in feed.rows.items():
        found = _ON_DEMAND_CLASS.fullmatch(key)
        name = _named(row, "Instance Type", _CLASS)
        if not found or not name or found["engine"] != RDS_LABELS[engine]:
            continue
        if found["cluster"] or found["io"]:
            continue
        market = rds_market(region, spelt[found["deployment"]], Term.ON_DEMAND)
        stated.add(market, f"{engine}/{name}", "hour", Charge(price=row.get("price")))


def read_rds_reserved(
    feed: Feed, stated: Stated, market: str, sold: tuple[str, str], payment: Payment
) -> None:
    """Read reserved prices of the classes of (engine, deployment) under one term and payment."""
    for name, row in _classes(feed, sold):
        _add_reserved(stated, (market, f"{sold[0]}/{name}"), row, payment)


def read_aurora(feed: Feed, stated: Stated, region: str) -> None:
    """Read on-demand prices of classes under Standard and I/O-Optimized, which the key tells."""
    spelt = {word: engine for engine, word in AURORA_LABELS.items()}
    market = aurora_market(region, Term.ON_DEMAND)
    for key, row in feed.rows.items():
        found = _ON_DEMAND_CLASS.fullmatch(key)
        name = _named(row, "Instance Type", _CLASS)
        if not found or not name or found["engine"] not in spelt:
            continue
        if found["deployment"] != "Single-AZ" or found["cluster"]:
            continue
        mode = "io-optimized" if found["io"] else "standard"
        charge = Charge(price=row.get("price"))
        stated.add(market, f"{spelt[found['engine']]}/{name}/{mode}", "hour", charge)


def spot_of(body: bytes, region: str) -> dict[str, Any]:
    """Return the Linux rows of the spot advisor and its ``ranges``; raises UnreadableError."""
    document = document_of(body)
    regions = document.get("spot_advisor")
    ranges = document.get("ranges")
    if not isinstance(regions, dict) or not isinstance(ranges, list):
        raise UnreadableError("a changed shape: no savings by region")
    listed = regions.get(region)
    rows = listed.get("Linux") if isinstance(listed, dict) else None
    if not isinstance(rows, dict):
        raise UnreadableError(f"it does not list {region}")
    return {"rows": rows, "ranges": ranges}


def read_spot(
    advised: dict[str, Any], region: str, on_demand: Mapping[str, Quote], stated: Stated
) -> None:
    """Read spot prices as on-demand × (1 - saving), for types that have an on-demand price.

    The saving is the average of the last 30 days over all zones, in whole percent: an estimate.
    """
    bands = {
        band["index"]: str(band.get("label"))
        for band in advised["ranges"]
        if isinstance(band, dict) and isinstance(band.get("index"), int)
    }
    market = spot_market(region)
    for name, row in advised["rows"].items():
        if name not in on_demand or not isinstance(row, dict):
            continue
        saving = row.get("s")
        if isinstance(saving, bool) or not isinstance(saving, int) or not 0 <= saving < 100:  # noqa: PLR2004 (percent)
            stated.refuse(market, name, f"not a saving in percent: {saving!r:.24}")
            continue
        usd = on_demand[name].usd * (100 - saving) / 100
        band = row.get("r")
        label = bands.get(band) if isinstance(band, int) else None
        charge = Charge(price=usd, interruptions=label)
        stated.add(market, name, "hour", charge)


def facts_of(feed: Feed) -> tuple[TypeFacts, ...]:
    """Return the instance types that an EC2 feed describes, sorted by name.

    Disks are solid-state ones, hard disks are not told; a rate given as "up to" is no baseline.
    """
    found = {name: _facts(name, row) for name, row in _linux(feed, "Instance Type")}
    return tuple(facts for _, facts in sorted(found.items()) if facts is not None)


def _facts(name: str, row: Row) -> TypeFacts | None:
    size = size_of(str(row.get("vCPU")), str(row.get("Memory")))
    if size is None:
        return None
    count, total = disks_of(str(row.get("Storage")))
    _, megabits = megabits_of(str(row.get("Network Performance")))
    return TypeFacts(
        name=name,
        vcpu=size[0],
        memory_gib=size[1],
        network_baseline_gbps=None if megabits is None else megabits / 1000,
        disk_count=count,
        disk_total_gb=total,
    )


def _linux(feed: Feed, attribute: str) -> Iterator[tuple[str, Row]]:
    for row in feed.rows.values():
        name = _named(row, attribute, _TYPE)
        if name and all(row.get(key, needed) == needed for key, needed in _LINUX.items()):
            yield name, row


def _classes(feed: Feed, sold: tuple[str, str]) -> Iterator[tuple[str, Row]]:
    engine, deployment = RDS_LABELS[sold[0]], DEPLOYMENTS[sold[1]]
    for row in feed.rows.values():
        name = _named(row, "Instance Type", _CLASS)
        if (
            name
            and row.get("Database Engine", engine) == engine
            and row.get("Deployment Option", deployment) == deployment
        ):
            yield name, row


def _named(row: Row, attribute: str, pattern: re.Pattern[str]) -> str | None:
    name = row.get(attribute)
    return name if isinstance(name, str) and pattern.fullmatch(name) else None


def _add_reserved(stated: Stated, item: tuple[str, str], row: Row, payment: Payment) -> None:
    is_upfront = payment is not Payment.NONE
    upfront = (row.get("riupfront:PricePerUnit") or 0) if is_upfront else 0
    charge = Charge(price=row.get("price"), upfront=upfront, is_upfront=is_upfront)
    stated.add(*item, "hour", charge)
