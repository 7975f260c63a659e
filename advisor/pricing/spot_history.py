"""Spot prices of this hour from DescribeSpotPriceHistory: the cheapest zone of a region."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from advisor.domain.quote import Subject, spot_market
from advisor.errors import PricingError
from advisor.pricing.stated import Charge, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from advisor.pricing.aws import Aws
    from advisor.pricing.provider import Progress

#: Types of one call; AWS takes 200 values in a filter.
_CHUNK = 100
#: One product under its old and its new name.
_PRODUCTS = ["Linux/UNIX", "Linux/UNIX (Amazon VPC)"]


def spot_prices(
    aws: Aws, region: str, names: tuple[str, ...], now: datetime, progress: Progress
) -> list[Row]:
    """Return the lowest zone's price of ``names``, of all types when empty; raises PricingError.

    ``now``: AWS answers a start time of now with the price that each zone has at that moment.
    """
    entries: list[Mapping[str, Any]] = []
    for chosen in [names[n : n + _CHUNK] for n in range(0, len(names), _CHUNK)] or [()]:
        filters = [{"Name": "instance-type", "Values": list(chosen)}] if chosen else []
        pages = aws.pages(
            "ec2",
            region,
            "describe_spot_price_history",
            StartTime=now,
            ProductDescriptions=_PRODUCTS,
            Filters=filters,
            MaxResults=1000,
        )
        for page in pages:
            entries += page.get("SpotPriceHistory", [])
            progress("spot prices", len(entries), None)
    return lowest(entries, region)


def lowest(entries: Iterable[Mapping[str, Any]], region: str) -> list[Row]:
    """Return each type's lowest zone by the newest entry of every zone.

    Raises PricingError when entries have another shape.
    """
    newest: dict[tuple[str, str], tuple[datetime, Decimal]] = {}
    try:
        for entry in entries:
            place = (entry["InstanceType"], entry["AvailabilityZone"])
            stated = (entry["Timestamp"], Decimal(entry["SpotPrice"]))
            if entry["ProductDescription"] in _PRODUCTS and (
                place not in newest or stated[0] > newest[place][0]
            ):
                newest[place] = stated
    except (KeyError, TypeError, InvalidOperation) as error:
        raise PricingError("spot prices of another shape than AWS documents") from error
    cheapest: dict[str, Decimal] = {}
    for (name, _), (_, usd) in newest.items():
        cheapest[name] = min(usd, cheapest.get(name, usd))
    market = spot_market(region)
    return [
        Row(subject=Subject.SPOT, market=market, name=name, unit="hour", charge=Charge(price=usd))
        for name, usd in sorted(cheapest.items())
    ]
