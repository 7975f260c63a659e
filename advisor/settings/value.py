"""The settings themselves: keys, defaults, and the text forms they are written in."""

from __future__ import annotations

import contextlib
import math
import re
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from advisor.domain.names import REGIONS
from advisor.domain.record import record
from advisor.domain.vocabulary import Client, Objective, Term
from advisor.settings.negotiated import parse_negotiated

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = "default"
#: Services that may have a discount: RDS and Aurora with their storage.
DISCOUNTED = ("ec2", "ebs", "rds", "aurora")
_E = TypeVar("_E", bound=StrEnum)


@record
class Settings:
    """What the user has settled once for every command; a flag wins over each of them."""

    region: str = "us-east-1"
    """Checked, except when it comes from the AWS settings, which may name any region."""
    term: Term = Term.ON_DEMAND
    objective: Objective | None = None
    """None: ``cost`` when a target is asked, ``balanced`` otherwise."""
    client: Client = Client.SAME_AZ
    headroom_ratio: float = 0.3
    """Share of every station kept free at the target rate, 0 to below 1."""
    database: Path | None = None
    """A knowledge base in place of the bundled one; None: the bundled one."""
    price_list_url: str = "https://pricing.us-east-1.amazonaws.com"
    """Where the bulk Price List is."""
    price_feed_url: str = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps"
    """Where the feeds of AWS's own price pages are."""
    spot_advisor_url: str = "https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json"
    price_max_age_s: float = 24 * 3_600.0
    """Age of live prices from which an answer asks for a refresh, s."""
    refresh_timeout_s: float = 5.0
    """Longest wait for live prices before ``--refresh`` answers from what it has, s."""
    discounts: tuple[tuple[str, Decimal], ...] = ()
    """(service, share off the list price, 0 to below 1); services of ``DISCOUNTED``."""
    negotiated: tuple[tuple[str, Decimal], ...] = ()
    """(market/name as ``advisor prices show`` prints it, USD per unit): in place of list prices."""
    uses_color: bool = True
    """False when NO_COLOR is set to anything."""
    config_file: Path | None = None
    """The config file that was read; None: there is none."""
    origins: tuple[tuple[str, str], ...] = ()
    """(key, where its value comes from), for every key that is not at its default."""

    def origin(self, key: str) -> str:
        """Return where the value of ``key`` comes from: ``default``, a file, or a variable."""
        return dict(self.origins).get(key, DEFAULT)


def parse_region(value: object) -> str:
    """Return the name of a region with bundled prices; ValueError for any other."""
    if isinstance(value, str) and value in REGIONS:
        return value
    raise ValueError("is not a region with bundled prices")


def parse_ratio(value: object) -> float:
    """Return a share from ``0.3`` or ``"30%"``; ValueError outside 0 to below 1."""
    number = math.nan
    if isinstance(value, str):
        text = value.strip()
        scale = 100.0 if text.endswith("%") else 1.0
        with contextlib.suppress(ValueError):
            number = float(text.removesuffix("%")) / scale
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    if 0.0 <= number < 1.0:
        return number
    raise ValueError('is not a share such as 0.3 or "30%", below 100%')


def parse_path(value: object) -> Path:
    """Return a path with ``~`` expanded; ValueError when it is not text."""
    if isinstance(value, str) and value.strip() and "\0" not in value:
        with contextlib.suppress(RuntimeError):  # ~ of an unknown user
            return Path(value).expanduser()
    raise ValueError("is not a path")


_SECONDS = {"s": 1.0, "min": 60.0, "h": 3_600.0, "d": 86_400.0}


#: A name or an address of IPv4 or IPv6, and a port.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")


def shown_address(url: str) -> str:
    """Return a web address as it may be shown: without user, password and query."""
    scheme, _, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}://{place.rpartition('@')[2]}{slash}{path.partition('?')[0]}"


def parse_duration(value: object) -> float:
    """Return seconds from ``"5s"``, ``"30min"``, ``"24h"`` or ``"7d"``; ValueError otherwise."""
    if isinstance(value, str):
        text = value.strip()
        digits = text.rstrip("smindh")
        with contextlib.suppress(ValueError, KeyError):
            seconds = float(digits) * _SECONDS[text[len(digits) :].strip()]
            if 0.0 < seconds < math.inf:
                return seconds
    raise ValueError('is not a duration such as "5s", "30min", "24h" or "7d"')


def parse_url(value: object) -> str:
    """Return a web address without a slash at its end; ValueError for anything else."""
    if isinstance(value, str):
        text = value.strip().rstrip("/")
        scheme, _, rest = text.partition("://")
        host = rest.partition("/")[0].rpartition("@")[2]
        if scheme in ("http", "https") and _HOST.fullmatch(host):
            return text
    raise ValueError("is not an address such as https://mirror.example/prices")


def parse_discounts(value: object) -> tuple[tuple[str, Decimal], ...]:
    """Return (service, share) from ``{ec2 = "12%"}``; ValueError for another service or share."""
    if not isinstance(value, dict):
        raise ValueError('is not a table such as {ec2 = "12%", ebs = 0.05}')  # noqa: TRY004
    found = []
    for name, share in sorted(value.items()):
        if name not in DISCOUNTED:
            raise ValueError(f"has {name!r}, which is not one of {', '.join(DISCOUNTED)}")
        found.append((name, Decimal(str(round(parse_ratio(share), 6)))))
    return tuple(found)


@record
class Key:
    """One key of the config file."""

    name: str
    field: str
    """The field of ``Settings`` it sets."""
    parse: Callable[[object], object]
    """Text or TOML value → value; ValueError says what is wrong, after the value."""
    words: tuple[str, ...] = ()
    """The closed set it must come from; empty: not a closed set."""
    variable: str | None = None
    """The environment variable that wins over the config file; None: there is none."""
    is_address: bool = False
    """Whether it is a web address, which may hold a password: never shown as it is."""


def _one_of(enum: type[_E]) -> Callable[[object], _E]:
    def parse(value: object) -> _E:
        for member in enum:
            if member.value == value:
                return member
        raise ValueError(f"is not one of {', '.join(enum)}")

    return parse


KEYS = (
    Key(
        name="region",
        field="region",
        parse=parse_region,
        words=REGIONS,
        variable="ADVISOR_REGION",
    ),
    Key(
        name="term",
        field="term",
        parse=_one_of(Term),
        words=tuple(Term),
    ),
    Key(
        name="objective",
        field="objective",
        parse=_one_of(Objective),
        words=tuple(Objective),
    ),
    Key(
        name="client",
        field="client",
        parse=_one_of(Client),
        words=tuple(Client),
    ),
    Key(
        name="headroom",
        field="headroom_ratio",
        parse=parse_ratio,
    ),
    Key(
        name="database",
        field="database",
        parse=parse_path,
        variable="ADVISOR_DATABASE",
    ),
    Key(
        name="price-feed-url",
        field="price_feed_url",
        parse=parse_url,
        variable="ADVISOR_PRICE_FEED_URL",
        is_address=True,
    ),
    Key(
        name="price-list-url",
        field="price_list_url",
        parse=parse_url,
        variable="ADVISOR_PRICE_LIST_URL",
        is_address=True,
    ),
    Key(
        name="spot-advisor-url",
        field="spot_advisor_url",
        parse=parse_url,
        variable="ADVISOR_SPOT_ADVISOR_URL",
        is_address=True,
    ),
    Key(name="price-max-age", field="price_max_age_s", parse=parse_duration),
    Key(name="refresh-timeout", field="refresh_timeout_s", parse=parse_duration),
    Key(name="discounts", field="discounts", parse=parse_discounts),
    Key(name="negotiated", field="negotiated", parse=parse_negotiated),
)
