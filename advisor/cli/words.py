"""From the text of a flag to a value: numbers in range, names that exist, the nearest right one.

Everything here runs before any file is opened. Holds no rule about databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from advisor.domain.spelling import did_you_mean
from advisor.errors import UsageError

_T = TypeVar("_T")
_E = TypeVar("_E", bound=StrEnum)
#: Characters of a wrong value that are shown.
_SHOWN = 60
#: A list of names up to this long is spelled out in a hint.
_FEW = 12


def parsed(flag: str, text: str | None, parse: Callable[[str], _T]) -> _T | None:
    """Return ``text`` parsed, None when it was not given; UsageError names flag and value."""
    if text is None:
        return None
    try:
        return parse(text)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{flag} {shown(text)} {error}") from error


def member(
    flag: str, text: str | None, enum: type[_E], later: Mapping[str, str] | None = None
) -> _E | None:
    """Return the member of a closed set; ``later`` are words that exist but are not covered yet."""
    if text is None:
        return None
    return enum(known(flag, text, tuple(enum), later))


def members(
    flag: str,
    texts: Sequence[str] | None,
    enum: type[_E],
    later: Mapping[str, str] | None = None,
) -> tuple[_E, ...]:
    """Return the members named by a repeatable flag, in the order of the set, without repeats."""
    wanted = {known(flag, word, tuple(enum), later) for word in split(flag, texts)}
    return tuple(each for each in enum if each.value in wanted)


def known(
    flag: str, text: str, words: Iterable[str], later: Mapping[str, str] | None = None
) -> str:
    """Return the word of ``words`` that ``text`` spells, whatever its case; else UsageError."""
    allowed = tuple(word for word in words if word not in (later or ()))
    word = text.strip().lower()
    if word in allowed:
        return word
    if later and word in later:
        raise UsageError(f"{flag} {word} {later[word]}", hint=_listed(flag, allowed))
    raise UsageError(
        f"{flag} {shown(text)} is not known{did_you_mean(word, allowed)}",
        hint=_listed(flag, allowed),
    )


def split(flag: str, texts: Sequence[str] | None) -> tuple[str, ...]:
    """Return the words of a repeatable flag that also takes commas; UsageError for an empty one."""
    words = tuple(word.strip() for text in texts or () for word in text.split(","))
    if not all(words):
        raise UsageError(f"{flag} has an empty name", hint=f"write {flag} A,B or repeat {flag}")
    return words


def shown(text: str) -> str:
    """Return a wrong value in quotes, cut short when it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def completion(words: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a completer over ``words``; after a comma the next name is completed."""

    def complete(incomplete: str) -> list[str]:
        head, comma, last = incomplete.rpartition(",")
        return [f"{head}{comma}{word}" for word in words if word.startswith(last)]

    return complete


def _listed(flag: str, words: Sequence[str]) -> str | None:
    if len(words) > _FEW:
        return None
    return f"{flag} takes {', '.join(words)}"
