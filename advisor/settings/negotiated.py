"""Negotiated prices of the config file: names as ``advisor prices show --json`` prints them."""

from __future__ import annotations

import contextlib
import re
from decimal import Decimal

from advisor.domain.names import REGIONS
from advisor.domain.vocabulary import EBS_TYPES, Payment, Term

_TYPE = r"[a-z][a-z0-9-]*\.[a-z0-9-]+"
_CLASS = rf"db\.{_TYPE}"
_BOUGHT = f"(?:{'|'.join(Term)})/(?:{'|'.join(Payment)})"
_ITEM = r"(?:capacity|iops|throughput|requests)/\d+"
_VOLUMES = "|".join(EBS_TYPES)
_RDS_STORAGE = rf"(?:mysql|postgresql|mariadb)/(?:single-az|multi-az)/(?:{_VOLUMES})"
#: What follows the first word and the region, and an example of it.
_SHAPES = {
    "ec2": (rf"{_BOUGHT}/{_TYPE}", "on-demand/none/m7g.large"),
    "rds": (
        rf"(?:single-az|multi-az)/{_BOUGHT}/(?:mysql|postgresql|mariadb)/{_CLASS}",
        "single-az/reserved-1y/none/mysql/db.m7g.large",
    ),
    "aurora": (
        rf"{_BOUGHT}/aurora-(?:mysql|postgresql)/{_CLASS}/(?:standard|io-optimized)",
        "on-demand/none/aurora-mysql/db.r7g.large/standard",
    ),
    "volumes": (rf"(?:{_VOLUMES})/{_ITEM}", "gp3/capacity/0"),
    "storage": (
        rf"(?:{_RDS_STORAGE}|aurora/regional/aurora-(?:standard|io-optimized))/{_ITEM}",
        "mysql/single-az/gp3/capacity/0",
    ),
}


def parse_negotiated(value: object) -> tuple[tuple[str, Decimal], ...]:
    """Return (market/name, USD) from ``{"ec2/eu-west-1/on-demand/none/m7g.large" = 0.07}``.

    ValueError for a name that no price can have and for an amount that is not above 0.
    """
    if not isinstance(value, dict):
        raise ValueError("is not a table of prices by name")  # noqa: TRY004 (what a parser raises)
    return tuple((_name(name), _usd(name, amount)) for name, amount in sorted(value.items()))


def _name(name: str) -> str:
    kind, _, rest = name.partition("/")
    region, _, rest = rest.partition("/")
    if kind not in _SHAPES:
        raise ValueError(f"has {name!r}; a name begins with {', '.join(_SHAPES)}")
    shape, example = _SHAPES[kind]
    if region not in REGIONS or not re.fullmatch(shape, rest):
        raise ValueError(
            f"has {name!r}, which no price is called; such as {kind}/eu-west-1/{example}: "
            "`advisor prices show --json` prints the names"
        )
    return name


def _usd(name: str, amount: object) -> Decimal:
    usd = Decimal("NaN")
    if isinstance(amount, int | float | str) and not isinstance(amount, bool):
        with contextlib.suppress(ArithmeticError):
            usd = Decimal(str(amount))
    if not (usd.is_finite() and usd > 0):
        raise ValueError(f"has {amount!r} for {name}, which is no price in USD above 0")
    return usd
