"""A table with its words, before it is text or Markdown; and shares as such tables spell them."""

from __future__ import annotations

from math import isfinite

from advisor.domain.record import record
from advisor.render.figures import UNKNOWN

#: From this ratio on the number says nothing more.
_LOST = 9.995


@record
class Sheet:
    """One table and what is said about it."""

    key: str
    title: str
    lead: str
    """Stands before the table; empty: nothing."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: tuple[int, ...]
    """Columns of figures, aligned to the right."""
    notes: tuple[str, ...]


def share(ratio: float, decimals: int = 1) -> str:
    """Return a ratio as per cent with a decimal: ``3.1%``; ``>999%`` for what is lost anyway."""
    if not isfinite(ratio):
        return UNKNOWN
    return f"{ratio * 100.0:.{decimals}f}%" if ratio < _LOST else ">999%"
