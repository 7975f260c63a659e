"""Contested claims with both sides and their weights, in 80 columns and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.figures import percent
from advisor.render.page import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.advice import ContestedSide, Dispute
    from advisor.domain.evidence import Source
    from advisor.render.json_document import Json

_INDENT = "    "


def contested_in_full(contested: Iterable[Dispute]) -> list[str]:
    """Return each claim with the rows it touches, its sides, and what the model does with it."""
    lines = []
    for each in contested:
        lines += paragraph(f"{each.fact.statement}: {', '.join(each.configs)}", "  ", _INDENT)
        for name, side, source in zip(
            ("for", "against"), each.fact.sides, each.sources, strict=True
        ):
            said = f"{percent(side.weight)} {name}: {side.text} ({_origin(side, source)})"
            lines += paragraph(said, _INDENT, _INDENT * 2)
        lines += paragraph(f"here: {each.fact.belief}", _INDENT, _INDENT * 2)
    return lines


def _origin(side: ContestedSide, source: Source) -> str:
    """Return what a side is worth: its source, quality and standing."""
    return (
        f"{source.title}, {source.date or 'no date'}; quality {source.quality or '-'}, "
        f"{side.standing}"
    )


def contested_json(contested: Iterable[Dispute]) -> Json:
    """Return each claim with its sides, the one for it first."""
    return [
        {
            "claim": each.fact.claim,
            "statement": each.fact.statement,
            "configs": list(each.configs),
            "sides": [
                {
                    "position": position,
                    "text": side.text,
                    "weight": side.weight,
                    "standing": side.standing,
                    "cells": side.cells,
                    "cells_of": side.of,
                    "source_id": source.id,
                    "title": source.title,
                    "url": source.url or None,
                    "date": source.date or None,
                    "quality": source.quality or None,
                }
                for position, side, source in zip(
                    ("for", "against"), each.fact.sides, each.sources, strict=True
                )
            ],
            "belief": each.fact.belief,
            "as_of": each.fact.as_of,
        }
        for each in contested
    ]
