"""Settings, notes and the way to a pick, in 80 columns and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.page import bullets, indented, paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.advice import BenchmarkSettings
    from advisor.domain.recommendation import Setting
    from advisor.render.json_document import Json


def settings_lines(settings: Sequence[Setting]) -> list[str]:
    """Return each setting with its reason below it."""
    lines = []
    for each in settings:
        lines += paragraph(f"{each.name} = {each.value}", "  ", "      ")
        lines += paragraph(each.reason, "      ")
    return lines


def benchmark_lines(conditions: Sequence[BenchmarkSettings]) -> list[str]:
    """Return the settings that the measurements ran with, and which measurements these are."""
    lines = []
    for each in conditions:
        sources = ", ".join(source.id for source in each.sources)
        lines += paragraph(f"{sources} ({', '.join(each.conditions)}):", "  ", "    ")
        text = "; ".join(f"{name}={value}" if value else name for name, value in each.settings)
        lines += paragraph(text, "    ")
    return lines


def notes_lines(notes: Sequence[str]) -> list[str]:
    """Return one bullet per note for the client's side."""
    return bullets(notes)


def migration_lines(way: str) -> list[str]:
    """Return the way to the pick as a paragraph; nothing for an empty one."""
    return indented(way) if way else []


def settings_json(settings: Sequence[Setting]) -> Json:
    """Return ``settings`` of one recommendation, by name."""
    return {each.name: {"value": each.value, "reason": each.reason} for each in settings}


def benchmark_json(conditions: Sequence[BenchmarkSettings]) -> Json:
    """Return ``benchmark_settings`` of one recommendation: the conditions of its evidence."""
    return [
        {
            "condition_ids": list(each.conditions),
            "source_ids": [source.id for source in each.sources],
            "settings": dict(each.settings),
        }
        for each in conditions
    ]
