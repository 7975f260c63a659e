"""Settings, notes and the way to a pick, in 80 columns and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.ledger import ledger_json, ledger_lines, ledger_summary
from advisor.render.page import bullets, indented, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.advice import BenchmarkSettings, Counsel
    from advisor.domain.recommendation import Setting
    from advisor.render.json_document import Json


def failure_sections(counsel: Counsel) -> list[str]:
    """Return what a failure loses and the way to the configuration, for every answer."""
    lines = section("If something fails", ledger_summary(counsel.durability))
    return lines + section("How to get there", indented(counsel.migration))


def counsel_sections(counsel: Counsel) -> list[str]:
    """Return what ``--explain`` adds: settings, notes, the ledger in full, measured conditions."""
    lines = section(
        "Server settings that the prediction supposes", settings_lines(counsel.settings)
    )
    lines += section("For the client", bullets(counsel.notes))
    lines += section("If something fails, in full", ledger_lines(counsel.durability))
    if counsel.benchmark_settings:
        conditions = benchmark_lines(counsel.benchmark_settings)
        lines += section("Settings that the measurements ran with", conditions)
    return lines


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


def counsel_json(counsel: Counsel) -> dict[str, Json]:
    """Return the fields of one recommendation that go beside its numbers."""
    return {
        "settings": settings_json(counsel.settings),
        "durability": ledger_json(counsel.durability),
        "notes": list(counsel.notes),
        "migration": counsel.migration,
        "benchmark_settings": benchmark_json(counsel.benchmark_settings),
    }


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
