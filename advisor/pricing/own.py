"""What the user pays in place of list prices: discounts by service, negotiated prices by name."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

#: How a negotiated price is named where prices name their source.
OWN = "your config"
_NONE = Decimal(0)


class OwnPrices(NamedTuple):
    """The user's own terms; the default has none."""

    discounts: Mapping[str, Decimal] = {}
    """Share off the list price by service: ``ec2``, ``ebs``, ``rds``, ``aurora``."""
    negotiated: Mapping[str, Mapping[str, str]] = {}
    """market → name → USD per unit; no discount applies to them."""
    as_of: str = ""
    """ISO date of the config file."""

    def factor(self, market: str) -> Decimal:
        """Return what is left of a list price of ``market``: 1 without a discount."""
        return 1 - self.discounts.get(service_of(market), _NONE)


def service_of(market: str) -> str:
    """Return the service whose discount holds for a market."""
    kind = market.partition("/")[0]
    if kind == "volumes":
        return "ebs"
    if kind == "storage":
        return "aurora" if "/aurora/" in market else "rds"
    return kind


def own_prices(
    discounts: tuple[tuple[str, Decimal], ...],
    negotiated: tuple[tuple[str, Decimal], ...],
    as_of: str,
) -> OwnPrices:
    """Return the terms from (service, share) and (market/name, USD)."""
    by_market: dict[str, dict[str, str]] = {}
    for path, usd in negotiated:
        market, name = split(path)
        by_market.setdefault(market, {})[name] = format(usd, "f")
    return OwnPrices(discounts=dict(discounts), negotiated=by_market, as_of=as_of)


#: Slashes that a market's own name has, by its first word.
_SLASHES = {"ec2": 3, "rds": 4, "aurora": 3, "volumes": 1, "storage": 3, "spot": 1}


def split(path: str) -> tuple[str, str]:
    """Return (market, name) of ``market/name``; the name is empty where it ends early."""
    parts = path.split("/")
    length = _SLASHES.get(parts[0], 0) + 1
    return "/".join(parts[:length]), "/".join(parts[length:])
