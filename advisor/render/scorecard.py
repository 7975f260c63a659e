"""A scorecard as text for people, in 80 columns: goals first, then every table behind them."""

from __future__ import annotations

import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING

from advisor.render.page import WIDTH, bullets, indented, labelled, paragraph, section
from advisor.render.scorecard_sheets import headline, noise_sentence, sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.scorecard import Evaluation
    from advisor.render.sheet import Sheet

_INDENT = "  "
_GAP = "  "
#: Columns of words are not wrapped below this.
_LEAST = 8


def scorecard_text(found: Evaluation) -> str:
    """Return the evaluation as text; every line has at most 80 columns."""
    card = found.scorecard
    lines = paragraph(" ".join(headline(card)))
    for sheet in sheets(card):
        lines += section(sheet.title, _sheet(sheet))
    lines += section("Noise", indented(noise_sentence(card)))
    lines += section(
        "Versions", labelled((("data", found.data_version), ("model", found.model_version)))
    )
    return "\n".join(lines) + "\n"


def _sheet(sheet: Sheet) -> list[str]:
    lead = indented(sheet.lead) if sheet.lead else []
    return [*lead, *_aligned(sheet), *bullets(sheet.notes)]


def _aligned(sheet: Sheet) -> list[str]:
    """Return the table, wrapped; what the first column repeats is left blank."""
    widths = _widths(sheet)
    heads = _wrapped(sheet.columns, widths)
    height = max(map(len, heads))
    # headings stand on the table, cells hang from their first line
    lines = _lines([[""] * (height - len(head)) + head for head in heads], widths, sheet.figures)
    above = ""
    for row in sheet.rows:
        cells = _wrapped(("" if row[0] == above else row[0], *row[1:]), widths)
        lines += _lines(cells, widths, sheet.figures)
        above = row[0]
    return lines


def _wrapped(cells: Sequence[str], widths: Sequence[int]) -> list[list[str]]:
    return [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(cells, widths, strict=True)
    ]


def _widths(sheet: Sheet) -> list[int]:
    """Return column widths within the page; the widest column of words gives way first."""
    columns = list(zip(*sheet.rows, strict=True))
    widths = []
    for index, (name, cells) in enumerate(zip(sheet.columns, columns, strict=True)):
        longest = max(map(len, cells))
        if index in sheet.figures:
            widths.append(max(longest, *map(len, name.split())))
        else:
            widths.append(max(longest, len(name)))
    words = [index for index in range(len(widths)) if index not in sheet.figures]
    room = WIDTH - len(_INDENT) - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(words, key=lambda index: widths[index], default=None)
        if widest is None or widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _lines(
    cells: Sequence[Sequence[str]], widths: Sequence[int], figures: Sequence[int]
) -> list[str]:
    """Return one row of wrapped cells."""
    lines = []
    for parts in zip_longest(*cells, fillvalue=""):
        aligned = [
            f"{part:>{width}}" if index in figures else f"{part:<{width}}"
            for index, (part, width) in enumerate(zip(parts, widths, strict=True))
        ]
        lines.append(f"{_INDENT}{_GAP.join(aligned)}".rstrip())
    return lines
