"""The nearest right name for a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: No name is longer; what is typed may be.
_LONGEST = 100


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the member of ``words`` most like ``word``, ignoring case; None: nothing is close.

    Candidates are those with enough in common; among them the fewest slips of a finger win.
    """
    from difflib import get_close_matches  # deferred: needed only when something is wrong

    folded = word.casefold()[:_LONGEST]
    by_folded = {candidate.casefold(): candidate for candidate in words}
    matches = get_close_matches(folded, list(by_folded), n=8, cutoff=0.5)
    return by_folded[min(matches, key=lambda match: _slips(folded, match))] if matches else None


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return ``; did you mean X?`` to append to a message, or an empty text."""
    name = nearest(word, words)
    return f"; did you mean {name}?" if name else ""


def _slips(a: str, b: str) -> int:
    """Return the insertions, deletions, changes and swaps of neighbours from ``a`` to ``b``."""
    previous: list[int] = []
    current = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, previous, current = previous, current, [i]
        for j, right in enumerate(b, 1):
            cost = min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
    return current[-1]
