"""A page of 80 columns: paragraphs, sections, bullets; never a wider line.

Text of others (titles, notes) is printed as it is, except for characters a terminal cannot show.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 80
_INDENT = "  "
#: One-to-one stand-ins, so that lines keep their width on a terminal without these characters.
_PLAIN = str.maketrans(
    {"×": "x", "÷": "/", "±": "~", "–": "-", "—": "-", "−": "-", "…": ".", "’": "'", "é": "e"}
    | dict.fromkeys("┌┐└┘├┤┬┴┼", "+")
    | {"─": "-", "│": "|"}
)


def paragraph(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """Return ``text`` wrapped; ``first`` starts its first line, ``rest`` the others."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return textwrap.wrap(
        printable,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if rest is None else rest,
        break_on_hyphens=False,
    )


def section(title: str, lines: Iterable[str]) -> list[str]:
    """Return a titled section after a blank line; nothing when it has no lines."""
    body = list(lines)
    return ["", title, *body] if body else []


def indented(text: str) -> list[str]:
    """Return a paragraph inside a section."""
    return paragraph(text, _INDENT)


def bullets(texts: Iterable[str]) -> list[str]:
    """Return one bullet per text."""
    return [line for text in texts for line in paragraph(text, f"{_INDENT}- ", f"{_INDENT}  ")]


def labelled(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return ``label  text`` rows, the texts aligned and wrapped."""
    pairs = list(rows)
    size = max((len(label) for label, _ in pairs), default=0)
    lines = []
    for label, text in pairs:
        first = f"{_INDENT}{label:<{size}}  "
        lines += paragraph(text, first, " " * len(first)) or [first.rstrip()]
    return lines


def plain(text: str) -> str:
    """Return ``text`` with stand-ins of equal width for characters outside ASCII."""
    return text.translate(_PLAIN)
