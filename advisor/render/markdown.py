"""Markdown that pastes well into a ticket: one line per paragraph, plain tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Characters that would be read as a mark: a cell's end, emphasis, code, HTML.
_ESCAPES = str.maketrans({"|": r"\|", "*": r"\*", "`": r"\`", "<": "&lt;", "\\": r"\\"})


def escaped(text: str) -> str:
    """Return ``text`` on one line, with nothing in it that Markdown would read as a mark."""
    return " ".join(text.split()).translate(_ESCAPES)


def section(title: str, blocks: Iterable[str]) -> list[str]:
    """Return a heading and its blocks; nothing when there are none."""
    body = [block for block in blocks if block]
    return [f"## {title}", *body] if body else []


def bullets(texts: Iterable[str]) -> list[str]:
    """Return one block with a bullet per text."""
    return ["\n".join(f"- {escaped(text)}" for text in texts)]


def table(columns: Sequence[str], lines: Iterable[Sequence[str]], figures: Iterable[int]) -> str:
    """Return a table; the columns numbered in ``figures`` are aligned to the right."""
    right = set(figures)
    rule = ["---:" if index in right else "---" for index in range(len(columns))]
    body = [[escaped(cell) for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in (columns, rule, *body))
