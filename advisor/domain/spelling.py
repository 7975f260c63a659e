"""The nearest right name for a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: No name is longer; what is typed may be.
_LONGEST = 100
#: Candidates that are compared closely: sizes of one family are many.
_LOOKED_AT = 60
#: So many letters of a name, rightly begun and left off, are one slip.
_STEM = 3
#: A key hit twice is half a slip.
_TWICE = 0.5


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the member of ``words`` most like ``word``, ignoring case; None: nothing is close.

    What ``word`` is an alias of comes first. Else candidates are those with enough in common; among
    them the fewest slips of a finger win, then the one that starts alike, then the first.
    """
    from difflib import get_close_matches  # deferred: needed only when something is wrong

    from advisor.domain.aliases import ALIASES

    folded = word.strip().casefold()[:_LONGEST]
    by_folded = {candidate.casefold(): candidate for candidate in words}
    for meant in (folded, *ALIASES.get(folded.replace(" ", "-"), ())):
        if meant in by_folded:
            return by_folded[meant]
    places = {candidate: place for place, candidate in enumerate(by_folded)}
    matches = get_close_matches(folded, list(by_folded), n=_LOOKED_AT, cutoff=0.5)
    ranked = sorted((*_distance(folded, match), places[match], match) for match in matches)
    return next(
        (by_folded[match] for slips, *_, match in ranked if _is_close(folded, match, slips)), None
    )


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return ``; did you mean X?`` to append to a message, or an empty text."""
    name = nearest(word, words)
    return f"; did you mean {name}?" if name else ""


def _distance(word: str, match: str) -> tuple[float, int, int, int]:
    """Return how far ``match`` is: slips, then what tells those with as many apart.

    A start in common, a like length, and letters or digits that are neighbours: gp4 is nearer to
    gp3 than to gp2.
    """
    start = next((i for i, (a, b) in enumerate(zip(word, match, strict=False)) if a != b), None)
    alike = min(len(word), len(match)) if start is None else start
    longer = abs(len(word) - len(match))
    apart = sum(abs(ord(a) - ord(b)) for a, b in zip(word, match, strict=False))
    slips = _slips(word, match)
    if alike == len(word) >= _STEM:
        slips = min(slips, 1.0)
    return slips, -alike, longer, 0 if longer else apart


def _is_close(word: str, match: str, slips: float) -> bool:
    """Whether less than half of the longer one was mistyped, or one is a part of the other."""
    typed = max(len(word.lstrip("-")), len(match.lstrip("-")))
    return 2 * slips < typed or word in match or match in word


def _slips(a: str, b: str) -> float:
    """Return the insertions, deletions, changes and swaps of neighbours from ``a`` to ``b``.

    A key hit twice counts half.
    """
    previous: list[float] = []
    current = [float(place) for place in range(len(b) + 1)]
    for i, left in enumerate(a, 1):
        drop = _TWICE if i > 1 and left == a[i - 2] else 1.0
        before, previous, current = previous, current, [current[0] + drop]
        for j, right in enumerate(b, 1):
            cost = min(previous[j] + drop, current[-1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
    return current[-1]
