"""The nearest right name for a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the member of ``words`` most like ``word``, ignoring case; None: nothing is close."""
    from difflib import get_close_matches  # deferred: needed only when something is wrong

    by_folded = {candidate.casefold(): candidate for candidate in words}
    matches = get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.5)
    return by_folded[matches[0]] if matches else None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return ``; did you mean X?`` to append to a message, or an empty text."""
    name = nearest(word, words)
    return f"; did you mean {name}?" if name else ""
