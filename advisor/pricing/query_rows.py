"""Products of the Price List Query API → prices. Pure: no clock, no network.

A product is checked again here on every attribute that the question named: a filter that a server
ignores must not turn a dedicated host or a capacity block into a cheap machine. Fields and values
were read off real answers (query_api samples) and the API's model.
"""

from __future__ import annotations

import json
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
from advisor.pricing.stated import Charge, Row
from advisor.pricing.usage_types import (
    ANY_ENGINE,
    CLASS_WORDS,
    DEPLOYMENTS,
    ENGINES,
    PAYMENTS,
    RDS_LABELS,
    aurora_item,
    class_usage,
    factor,
    storage_item,
    unit_of,
    volume_item,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from advisor.pricing.usage_types import SoldEngine

    _Rates = tuple[Mapping[str, Any], ...]

#: What a plain Linux machine at list price is; attributes that old products lack are not checked.
LINUX = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
}
NO_LICENSE = "No license required"
_ENGINES = {each.label: each for each in ENGINES}
_LEASES = {"1yr": Term.RESERVED_1Y, "3yr": Term.RESERVED_3Y}


@record
class Read:
    """What one product says."""

    rows: tuple[Row, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    published: str | None = None


@record
class _Place:
    """Where the on-demand price of a product belongs, and under which market its reserved ones."""

    subject: Subject
    market: str
    name: str
    unit: str


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
        rows=tuple(each for each in read if isinstance(each, Row)),
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
    elif (volume := volume_item(usage)) is not None:
        yield _storage_place(Subject.EBS, volume_market(region), volume)
    elif (item := aurora_item(usage)) is not None:
        yield _storage_place(Subject.AURORA, storage_market(region, "aurora", "regional"), item)
    else:
        yield from _rds_storage_places(attributes, region, usage)


def _is_linux(attributes: Mapping[str, str]) -> bool:
    """Dedicated machines, reserved but unused capacity, capacity blocks and SQL Server are out."""
    asked = all(attributes.get(field, value) == value for field, value in LINUX.items())
    license_model = attributes.get("licenseModel", NO_LICENSE).lower()
    return asked and "tenancy" in attributes and license_model == NO_LICENSE.lower()


def _class_places(
    attributes: Mapping[str, str], region: str, name: str, usage: str
) -> Iterator[_Place]:
    """The usage type decides on deployment and mode; it shortens sizes, so it does not name."""
    used = class_usage(usage)
    engine = _ENGINES.get(attributes.get("databaseEngine", ""))
    if (
        used is None
        or engine is None
        or attributes.get("licenseModel", NO_LICENSE).lower() != NO_LICENSE.lower()
        or attributes.get("deploymentModel") == "Custom"
    ):
        return
    sold = CLASS_WORDS.get((engine.kind, used[0]))
    place = class_place((engine, name, used[0]), region, Term.ON_DEMAND, Payment.NONE)
    if sold is None or place is None:
        return
    deployment = DEPLOYMENTS[sold[0]]
    if attributes.get("deploymentOption", deployment) == deployment:
        market, name = place
        yield _Place(subject=Subject(engine.kind), market=market, name=name, unit="hour")


def class_place(
    sold: tuple[SoldEngine, str, str], region: str, term: Term, payment: Payment
) -> tuple[str, str] | None:
    """Return (market, name) of (engine, class, word of its usage type); None: it is not sold so."""
    engine, name, word = sold
    place = CLASS_WORDS.get((engine.kind, word))
    if place is None:
        return None
    deployment, mode = place
    if mode is not None:
        return aurora_market(region, term, payment), f"{engine.engine}/{name}/{mode}"
    return rds_market(region, deployment, term, payment), f"{engine.engine}/{name}"


def _rds_storage_places(attributes: Mapping[str, str], region: str, usage: str) -> Iterator[_Place]:
    found = storage_item(usage)
    if found is None:
        return
    deployment, item = found
    spelt = DEPLOYMENTS[deployment]
    if attributes.get("deploymentOption", spelt) != spelt:
        return
    stated = attributes.get("databaseEngine", ANY_ENGINE)
    for engine, label in RDS_LABELS.items():
        if stated in (ANY_ENGINE, label):
            market = storage_market(region, engine, deployment)
            yield _storage_place(Subject.RDS, market, item)


def _storage_place(subject: Subject, market: str, item: str) -> _Place:
    return _Place(subject=subject, market=market, name=item, unit=unit_of(item))


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


def _read(place: _Place, rates: _Rates) -> Row | Trouble:
    try:
        charge = _charge(place, rates)
    except PricingError as error:
        return Trouble(market=place.market, name=place.name, reason=error.message)
    return Row(
        subject=place.subject,
        market=place.market,
        name=place.name,
        unit=place.unit,
        charge=charge,
    )


def _charge(place: _Place, rates: _Rates) -> Charge:
    """Raises PricingError when the rates are not those of one price in USD."""
    upfront = [each for each in rates if each["unit"] == "Quantity"]
    running = [each for each in rates if each["unit"] != "Quantity"]
    if len(upfront) > 1 or len(running) > 1 or not rates:
        raise PricingError("more than one rate in one term")
    at_once = _usd(upfront[0]) if upfront else 0
    is_upfront = place.subject is Subject.RESERVED and not place.market.endswith(Payment.NONE)
    if not running:
        return Charge(price=0, upfront=at_once, is_upfront=is_upfront)
    per = factor(str(running[0]["unit"]), place.unit)
    return Charge(price=_usd(running[0]), per=per, upfront=at_once, is_upfront=is_upfront)


def _usd(rate: Mapping[str, Any]) -> object:
    stated = rate["pricePerUnit"]
    if "USD" not in stated:
        raise PricingError(f"no price in USD but in {', '.join(sorted(stated)) or 'nothing'}")
    return stated["USD"]
