"""JSON with stable bytes: decimals as they are, floats to six significant digits, no NaN.

The standard encoder has neither decimals nor rounding, and its import costs more than this file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import TypeAlias

Json: TypeAlias = "str | int | float | Decimal | bool | Mapping[str, Json] | Sequence[Json] | None"

#: Significant digits of a float: more than any prediction deserves, few enough to be stable.
DIGITS = 6
_STEP = "  "
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def json_text(document: Json) -> str:
    """Return an indented document that ends with a newline."""
    return _value(document, "") + "\n"


def _value(value: Json, indent: str) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        pairs = [f"{_string(key)}: {_value(each, indent + _STEP)}" for key, each in value.items()]
        return _block("{", "}", pairs, indent)
    if isinstance(value, Sequence):
        return _block("[", "]", [_value(each, indent + _STEP) for each in value], indent)
    return _number(value)


def _number(value: float | Decimal) -> str:
    """Return a number; null for one that JSON cannot carry: unknown, never 0."""
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else "null"
    if isinstance(value, int):
        return str(value)
    return repr(float(f"{value:.{DIGITS}g}")) if isfinite(value) else "null"


def _block(opening: str, closing: str, parts: Sequence[str], indent: str) -> str:
    if not parts:
        return opening + closing
    inner = f",\n{indent}{_STEP}".join(parts)
    return f"{opening}\n{indent}{_STEP}{inner}\n{indent}{closing}"


def _string(text: str) -> str:
    escaped = "".join(
        _ESCAPES.get(letter) or (letter if letter >= " " else f"\\u{ord(letter):04x}")
        for letter in text
    )
    return f'"{escaped}"'
