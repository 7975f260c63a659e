"""The settings themselves: keys, defaults, and the text forms they are written in."""

from __future__ import annotations

import contextlib
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from advisor.domain.names import REGIONS
from advisor.domain.record import record
from advisor.domain.vocabulary import Client, Objective, Term

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = "default"
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
)
