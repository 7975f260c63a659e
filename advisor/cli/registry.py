"""The commands by name; the module of a command is imported only when that command runs.

To add a command: write ``advisor/cli/NAME.py`` with ``app = new_app()`` and its functions under
``@app.command()``, and add one line to ``ENTRIES``. One function makes a plain command, several a
group. Keep heavy imports inside the functions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from advisor.domain.record import record

if TYPE_CHECKING:  # typer 0.28 carries click under a private name; it is needed for types only
    from typer._click import Command, Context


@record
class Entry:
    """One top-level command."""

    name: str
    module: str
    """The module that holds its ``app``."""
    summary: str
    """One line for ``advisor --help``, without a full stop."""


ENTRIES = (
    Entry(
        name="recommend",
        module="advisor.cli.recommend",
        summary="Instance, storage and engine for a workload",
    ),
    Entry(
        name="storage",
        module="advisor.cli.storage",
        summary="EBS volumes alone: cost, IOPS, latency and tail",
    ),
    Entry(name="predict", module="advisor.cli.predict", summary="What one configuration will do"),
    Entry(
        name="compare",
        module="advisor.cli.compare",
        summary="Configurations side by side over thread counts",
    ),
    Entry(
        name="prices",
        module="advisor.cli.prices",
        summary="Live prices: fetch, look at, age and gaps",
    ),
    Entry(
        name="evaluate",
        module="advisor.cli.evaluate",
        summary="How accurate the model is on data held out",
    ),
    Entry(name="config", module="advisor.cli.config", summary="Settings and where each comes from"),
    Entry(name="data", module="advisor.cli.data", summary="Sources, evidence, SQL, export, checks"),
    Entry(name="info", module="advisor.cli.info", summary="Versions, paths and the knowledge base"),
)


def new_app(summary: str | None = None) -> typer.Typer:
    """Return an empty typer application with the settings that every command shares."""
    return typer.Typer(
        help=summary,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def load_command(name: str) -> Command:
    """Import the module of a registered command and return the command; KeyError when unknown."""
    entry = {entry.name: entry for entry in ENTRIES}[name]
    command = get_command(importlib.import_module(entry.module).app)
    command.name = name
    return command


class LazyGroup(TyperGroup):
    """Lists commands from ``ENTRIES`` and imports only the one that is asked for."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 (passed on to typer)
        super().__init__(**attributes)
        for entry in ENTRIES:
            self.commands[entry.name] = TyperCommand(entry.name, short_help=entry.summary)

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        """Return the name, the loaded command and the arguments left for it."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is None or command is None:
            return name, command, rest
        return name, load_command(name), rest
