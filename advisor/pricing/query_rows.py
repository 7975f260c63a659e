"""Products of the Price List Query API → prices. Pure: no clock, no network.

A product is checked again here on every attribute that the question named: a filter that a server
ignores must not turn a dedicated host or a capacity block into a cheap machine. Fields and values
were read off real answers (query_api samples) and the API's model.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import (
    Subject,
    Trouble,
    aurora_market,
    ec2_market,
    rds_market,
    storage_market,
    volume_market,
)
from advisor.domain.record import record
from advisor.domain.vocabulary import Payment, Term
from advisor.errors import PricingError
from advisor.pricing.single_value import Stated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    _Rates = tuple[Mapping[str, Any], ...]

#: ``databaseEngine`` → engine.
RDS_ENGINES = {"MySQL": "mysql", "PostgreSQL": "postgresql", "MariaDB": "mariadb"}
AURORA_ENGINES = {"Aurora MySQL": "aurora-mysql", "Aurora PostgreSQL": "aurora-postgresql"}
#: What a plain Linux machine at list price is; attributes that old products lack are not checked.
LINUX = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
}
NO_LICENSE = "No license required"
PAYMENTS = {
    "No Upfront": Payment.NONE,
    "Partial Upfront": Payment.PARTIAL,
    "All Upfront": Payment.ALL,
}
_LEASES = {"1yr": Term.RESERVED_1Y, "3yr": Term.RESERVED_3Y}
_DEPLOYMENTS = {"Single-AZ": "single-az", "Multi-AZ": "multi-az"}
#: A usage type without the short name of its region: ``EU-``, ``APS1-``, none in us-east-1.
_REGION_PREFIX = r"^(?:[A-Z0-9]+-)?"
#: A plain class; extended support, clusters of three and RDS Custom have other words in front.
CLASS_USAGE = re.compile(
    _REGION_PREFIX + r"(InstanceUsage|Multi-AZUsage|InstanceUsageIOOptimized):(db\.[a-z0-9.-]+)$"
)
_VOLUME_USAGE = re.compile(_REGION_PREFIX + r"EBS:([A-Za-z0-9.-]+)$")
_VOLUME_ITEMS = {
    "VolumeUsage": "standard/capacity/0",
    "VolumeIOUsage": "standard/requests/0",
    "VolumeUsage.gp2": "gp2/capacity/0",
    "VolumeUsage.gp3": "gp3/capacity/0",
    "VolumeP-IOPS.gp3": "gp3/iops/0",
    "VolumeP-Throughput.gp3": "gp3/throughput/0",
    "VolumeUsage.piops": "io1/capacity/0",
    "VolumeP-IOPS.piops": "io1/iops/0",
    "VolumeUsage.io2": "io2/capacity/0",
    "VolumeP-IOPS.io2": "io2/iops/0",
    "VolumeP-IOPS.io2.tier2": "io2/iops/32000",
    "VolumeP-IOPS.io2.tier3": "io2/iops/64000",
    "VolumeUsage.st1": "st1/capacity/0",
    "VolumeUsage.sc1": "sc1/capacity/0",
    "SnapshotUsage": "snapshot/capacity/0",
}
_STORAGE_USAGE = re.compile(_REGION_PREFIX + r"RDS:(Multi-AZ-)?([A-Za-z0-9-]+)$")
#: io2 capacity is named in two ways by those who quote the Price List.
_STORAGE_ITEMS = {
    "GP2-Storage": "gp2/capacity/0",
    "GP3-Storage": "gp3/capacity/0",
    "GP3-PIOPS": "gp3/iops/0",
    "GP3-Throughput": "gp3/throughput/0",
    "PIOPS-Storage": "io1/capacity/0",
    "PIOPS": "io1/iops/0",
    "IO2-PIOPS-Storage": "io2/capacity/0",
    "PIOPS-Storage-IO2": "io2/capacity/0",
    "IO2-PIOPS": "io2/iops/0",
}
_AURORA_USAGE = re.compile(_REGION_PREFIX + r"Aurora:([A-Za-z0-9-]+)$")
_AURORA_ITEMS = {
    "StorageUsage": "aurora-standard/capacity/0",
    "StorageIOUsage": "aurora-standard/requests/0",
    "IO-OptimizedStorageUsage": "aurora-io-optimized/capacity/0",
    "ServerlessV2Usage": "aurora-standard/serverless-v2/0",
    "ServerlessV2IOOptimizedUsage": "aurora-io-optimized/serverless-v2/0",
}
#: AWS's unit in lower case → (our unit, what AWS's price is multiplied with).
_UNITS = {
    "hrs": ("hour", Decimal(1)),
    "gb-mo": ("GiB-month", Decimal(1)),
    "gb-month": ("GiB-month", Decimal(1)),
    "iops-mo": ("IOPS-month", Decimal(1)),
    "gibps-mo": ("MiB/s-month", Decimal(1) / 1024),
    "mibps-mo": ("MiB/s-month", Decimal(1)),
    "mbps-mo": ("MiB/s-month", Decimal(1)),
    "acu-hr": ("ACU-hour", Decimal(1)),
    "ios": ("million-requests", Decimal(1_000_000)),
}


@record
class Read:
    """What one product says."""

    rows: tuple[Stated, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    published: str | None = None


@record
class _Place:
    """Where the on-demand price of a product belongs, and under which market its reserved ones."""

    subject: Subject
    market: str
    name: str
    unit: str | None = None
    """What the price must be stated in; None: whatever AWS says, if it is known."""


def read_product(text: str, region: str, subjects: Collection[Subject]) -> Read:
    """Return the prices of one entry of ``PriceList`` that belong to ``subjects``.

    Empty: there are none. Raises PricingError when it is not a product at all.
    """
    try:
        item = json.loads(text)
        attributes: Mapping[str, str] = item["product"]["attributes"]
        terms = item.get("terms") or {}
        places = tuple(_places(attributes, region)) if _is_here(attributes, region) else ()
        offers = [
            offer
            for place in places
            for offer in _offers(place, terms)
            if offer[0].subject in subjects
        ]
        read = [_read(*offer) for offer in offers]
        published = item.get("publicationDate") if read else None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PricingError("a product of another shape than AWS documents") from error
    return Read(
        rows=tuple(each for each in read if isinstance(each, Stated)),
        troubles=tuple(each for each in read if isinstance(each, Trouble)),
        published=published,
    )


def _is_here(attributes: Mapping[str, str], region: str) -> bool:
    """Local Zones, Wavelength and Outposts have names of their own and other prices."""
    kind = attributes.get("locationType", "AWS Region")
    return kind == "AWS Region" and attributes.get("regionCode", region) == region


def _places(attributes: Mapping[str, str], region: str) -> Iterator[_Place]:
    usage = attributes.get("usagetype", "")
    name = attributes.get("instanceType", "")
    if name.startswith("db."):
        yield from _class_places(attributes, region, name, usage)
    elif name:
        if _is_linux(attributes):
            market = ec2_market(region, Term.ON_DEMAND)
            yield _Place(subject=Subject.EC2, market=market, name=name, unit="hour")
    elif (volume := _item(_VOLUME_USAGE, _VOLUME_ITEMS, usage)) is not None:
        yield _Place(subject=Subject.EBS, market=volume_market(region), name=volume)
    elif (item := _item(_AURORA_USAGE, _AURORA_ITEMS, usage)) is not None:
        market = storage_market(region, "aurora", "regional")
        yield _Place(subject=Subject.AURORA, market=market, name=item)
    else:
        yield from _storage_places(attributes, region, usage)


def _is_linux(attributes: Mapping[str, str]) -> bool:
    """Dedicated machines, reserved but unused capacity, capacity blocks and SQL Server are out."""
    asked = all(attributes.get(field, value) == value for field, value in LINUX.items())
    license_model = attributes.get("licenseModel", NO_LICENSE).lower()
    return asked and "tenancy" in attributes and license_model == NO_LICENSE.lower()


def _class_places(
    attributes: Mapping[str, str], region: str, name: str, usage: str
) -> Iterator[_Place]:
    """The usage type decides on deployment and mode; it shortens sizes, so it does not name."""
    match = CLASS_USAGE.match(usage)
    stated = attributes.get("databaseEngine", "")
    engine = RDS_ENGINES.get(stated) or AURORA_ENGINES.get(stated)
    if (
        match is None
        or engine is None
        or attributes.get("licenseModel", NO_LICENSE).lower() != NO_LICENSE.lower()
        or attributes.get("deploymentModel") == "Custom"
    ):
        return
    deployment = "Multi-AZ" if match[1] == "Multi-AZUsage" else "Single-AZ"
    place = class_place((engine, name, match[1]), region, Term.ON_DEMAND, Payment.NONE)
    if place is not None and attributes.get("deploymentOption", deployment) == deployment:
        subject = Subject.RDS if stated in RDS_ENGINES else Subject.AURORA
        yield _Place(subject=subject, market=place[0], name=place[1], unit="hour")


def class_place(
    sold: tuple[str, str, str], region: str, term: Term, payment: Payment
) -> tuple[str, str] | None:
    """Return (market, name) of (engine, class, word of its usage type); None: it is not sold so.

    Aurora has two storage modes and no Multi-AZ, RDS the reverse.
    """
    engine, name, usage = sold
    if engine in AURORA_ENGINES.values():
        if usage == "Multi-AZUsage":
            return None
        mode = "io-optimized" if usage == "InstanceUsageIOOptimized" else "standard"
        return aurora_market(region, term, payment), f"{engine}/{name}/{mode}"
    if usage == "InstanceUsageIOOptimized":
        return None
    deployment = "multi-az" if usage == "Multi-AZUsage" else "single-az"
    return rds_market(region, deployment, term, payment), f"{engine}/{name}"


def _storage_places(attributes: Mapping[str, str], region: str, usage: str) -> Iterator[_Place]:
    match = _STORAGE_USAGE.match(usage)
    item = _STORAGE_ITEMS.get(match[2]) if match else None
    deployment = "Multi-AZ" if match and match[1] else "Single-AZ"
    if item is None or attributes.get("deploymentOption", deployment) != deployment:
        return
    engine = attributes.get("databaseEngine", "Any")
    engines = tuple(RDS_ENGINES.values()) if engine == "Any" else (RDS_ENGINES.get(engine, ""),)
    for each in filter(None, engines):
        market = storage_market(region, each, _DEPLOYMENTS[deployment])
        yield _Place(subject=Subject.RDS, market=market, name=item)


def _item(usage_type: re.Pattern[str], items: Mapping[str, str], usage: str) -> str | None:
    match = usage_type.match(usage)
    return items.get(match[1]) if match else None


def _offers(place: _Place, terms: Mapping[str, Any]) -> Iterator[tuple[_Place, _Rates]]:
    """Yield each price of a product: where it belongs and the rates that make it."""
    for term in (terms.get("OnDemand") or {}).values():
        for rate in term["priceDimensions"].values():
            yield place, (rate,)
    for term in (terms.get("Reserved") or {}).values():
        reserved = _reserved(place, term["termAttributes"])
        if reserved is not None:
            yield reserved, tuple(term["priceDimensions"].values())


def _reserved(place: _Place, attributes: Mapping[str, str]) -> _Place | None:
    """Return where a reserved price belongs; None: convertible, or a term not known here."""
    term = _LEASES.get(attributes.get("LeaseContractLength", "").replace(" ", ""))
    payment = PAYMENTS.get(attributes.get("PurchaseOption", ""))
    is_standard = attributes.get("OfferingClass", "standard") == "standard"
    if place.unit != "hour" or term is None or payment is None or not is_standard:
        return None
    stem = place.market.removesuffix(f"{Term.ON_DEMAND}/{Payment.NONE}")
    market = f"{stem}{term}/{payment}"
    return _Place(subject=Subject.RESERVED, market=market, name=place.name, unit="hour")


def _read(place: _Place, rates: _Rates) -> Stated | Trouble:
    try:
        usd, upfront, unit = _price(place, rates)
    except PricingError as error:
        return Trouble(market=place.market, name=place.name, reason=error.message)
    return Stated(
        subject=place.subject,
        market=place.market,
        name=place.name,
        usd=usd,
        unit=unit,
        upfront_usd=upfront,
    )


def _price(place: _Place, rates: _Rates) -> tuple[Decimal, Decimal, str]:
    """Return (per unit, upfront, unit); raises PricingError when it is not one price in USD."""
    upfront = [_usd(each) for each in rates if each["unit"] == "Quantity"]
    hourly = [each for each in rates if each["unit"] != "Quantity"]
    if len(upfront) > 1 or len(hourly) > 1 or not (upfront or hourly):
        raise PricingError("more than one rate in one term")
    paid = upfront[0] if upfront else Decimal(0)
    if not hourly:
        return Decimal(0), paid, "hour"
    stated = str(hourly[0]["unit"])
    if stated.lower() not in _UNITS:
        raise PricingError(f"a price per {stated!r}, a unit not known here")
    unit, factor = _UNITS[stated.lower()]
    if place.unit not in (None, unit):
        raise PricingError(f"a price per {stated!r} where {place.unit} was expected")
    return _usd(hourly[0]) * factor, paid, unit


def _usd(rate: Mapping[str, Any]) -> Decimal:
    stated = rate["pricePerUnit"]
    if "USD" not in stated:
        raise PricingError(f"no price in USD but in {', '.join(sorted(stated)) or 'nothing'}")
    try:
        usd = Decimal(stated["USD"])
    except (InvalidOperation, TypeError) as error:
        raise PricingError(f"{stated['USD']!r} is not a price") from error
    if not usd.is_finite() or usd < 0:
        raise PricingError(f"{stated['USD']!r} is not a price")
    return usd
