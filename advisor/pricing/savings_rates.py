"""Savings Plan rates from DescribeSavingsPlansOfferingRates: Compute for EC2, Database for RDS.

A rate is what an hour costs under the plan, its upfront payment included: AWS states no other
split, so ``upfront_usd`` stays 0. Must never mix in EC2 Instance plans, which bind to a family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from advisor.domain.quote import Subject, ec2_market
from advisor.domain.vocabulary import Term
from advisor.errors import PricingError
from advisor.pricing.query_rows import class_place
from advisor.pricing.stated import Charge, Row
from advisor.pricing.usage_types import BOX_USAGE, ENGINES, PAYMENTS, class_usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.vocabulary import Payment
    from advisor.pricing.aws import Aws
    from advisor.pricing.provider import Progress

#: The plans are sold for all regions at one endpoint.
_ENDPOINT_REGION = "us-east-1"
#: Values of one filter.
_CHUNK = 40
_TERMS = {31_536_000: Term.SAVINGS_1Y, 94_608_000: Term.SAVINGS_3Y}
_ENGINES = {each.operation: each for each in ENGINES}


def savings_rates(aws: Aws, region: str, names: tuple[str, ...], progress: Progress) -> list[Row]:
    """Return the rates of ``names``, of all types and classes when empty; raises PricingError."""
    types = tuple(name for name in names if not name.startswith("db."))
    classes = {name for name in names if name.startswith("db.")}
    rows: list[Row] = []
    chunks = [types[n : n + _CHUNK] for n in range(0, len(types), _CHUNK)]
    for chosen in chunks or ([] if names else [()]):
        filters = {
            "region": [region],
            "productDescription": ["Linux/UNIX"],
            "tenancy": ["shared"],
            **({"instanceType": list(chosen)} if chosen else {}),
        }
        rows += _rates(aws, region, ("Compute", "AmazonEC2", filters), progress)
    if classes or not names:
        found = _rates(aws, region, ("Database", "AmazonRDS", {"region": [region]}), progress)
        rows += [row for row in found if not names or row.name.split("/")[1] in classes]
    return rows


def _rates(
    aws: Aws, region: str, plan: tuple[str, str, dict[str, list[str]]], progress: Progress
) -> list[Row]:
    kind, service_code, filters = plan
    rows: list[Row] = []
    pages = aws.pages(
        "savingsplans",
        _ENDPOINT_REGION,
        "describe_savings_plans_offering_rates",
        savingsPlanTypes=[kind],
        serviceCodes=[service_code],
        filters=[{"name": name, "values": values} for name, values in filters.items()],
        maxResults=1000,
    )
    for page in pages:
        rows += rows_of(page, region)
        progress("Savings Plan rates", len(rows), None)
    return rows


def rows_of(page: Mapping[str, Any], region: str) -> list[Row]:
    """Return the rates of one answer; raises PricingError when it has another shape."""
    try:
        found = [_row(item, region) for item in page["searchResults"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise PricingError("Savings Plan rates of another shape than AWS documents") from error
    return [row for row in found if row is not None]


def _row(item: Mapping[str, Any], region: str) -> Row | None:
    """Return None for what is not a plain Linux machine or a class of a known engine."""
    offering = item["savingsPlanOffering"]
    term = _TERMS.get(offering["durationSeconds"])
    payment = PAYMENTS.get(offering["paymentOption"])
    if term is None or payment is None or offering["currency"] != "USD" or item["unit"] != "Hrs":
        return None
    named = {each["name"]: each["value"] for each in item.get("properties", ())}
    if named.get("region", region) != region:
        return None
    if offering["planType"] == "Compute":
        place = _machine(item, named, ec2_market(region, term, payment))
    elif offering["planType"] == "Database":
        place = _class(item, region, term, payment)
    else:
        place = None
    if place is None:
        return None
    market, name = place
    charge = Charge(price=item["rate"])
    return Row(subject=Subject.SAVINGS, market=market, name=name, unit="hour", charge=charge)


def _machine(
    item: Mapping[str, Any], named: Mapping[str, str], market: str
) -> tuple[str, str] | None:
    is_plain = (
        item["operation"] == "RunInstances"
        and BOX_USAGE.match(item["usageType"]) is not None
        and named.get("tenancy", "shared") == "shared"
        and named.get("productDescription", "Linux/UNIX") == "Linux/UNIX"
    )
    return (market, named["instanceType"]) if is_plain else None


def _class(
    item: Mapping[str, Any], region: str, term: Term, payment: Payment
) -> tuple[str, str] | None:
    usage = class_usage(item["usageType"])
    engine = _ENGINES.get(item["operation"])
    if usage is None or engine is None:
        return None
    word, name = usage
    return class_place((engine, name, word), region, term, payment)
