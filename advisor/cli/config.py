"""``advisor config``: the settings in force and where each comes from."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.environment import current_settings
from advisor.cli.output import note, write_result
from advisor.cli.output_flags import AsJson, OutputFile
from advisor.cli.registry import new_app
from advisor.settings import KEYS, Key, Settings, config_path, load_settings, user_directories
from advisor.settings.load import CONFIG_VARIABLE
from advisor.settings.value import shown_address

app = new_app("Settings and where each comes from.")


@app.command()
def show(
    *,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Print every setting in force with its origin."""
    settings = current_settings()
    rows = [(key.name, _value(settings, key), settings.origin(key.name)) for key in KEYS]
    if as_json:
        fields = {name: {"value": value, "origin": origin} for name, value, origin in rows}
        document = {"schema": "advisor.config/1", "settings": fields}
        write_result(json.dumps(document, indent=2, ensure_ascii=False), output)
        return
    table = [("key", "value", "origin")]
    table += [(name, "-" if value is None else str(value), origin) for name, value, origin in rows]
    widths = [max(len(row[column]) for row in table) for column in range(2)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in table]
    write_result("\n".join(lines), output)


@app.command()
def path() -> None:
    """Print where the config file is looked for."""
    found = config_path(os.environ, user_directories())
    write_result(str(found))
    if not found.exists():
        note("the file does not exist; defaults apply")


@app.command()
def validate(
    file: Annotated[
        Path | None, typer.Argument(help="File to check; without it, the one in use.")
    ] = None,
) -> None:
    """Check a config file, and the variables that win over it."""
    environment = dict(os.environ)
    if file is not None:
        environment[CONFIG_VARIABLE] = str(file)
    settings = load_settings(environment, user_directories())
    checked = settings.config_file
    write_result(f"{checked} is valid" if checked else "valid: there is no config file")


def _value(settings: Settings, key: Key) -> str | float | None:
    """Return a setting as it is shown; tables as ``name value, …``."""
    value: str | float | Path | tuple[tuple[str, object], ...] | None = getattr(settings, key.field)
    if key.is_address:
        return shown_address(str(value))
    if isinstance(value, tuple):
        return ", ".join(f"{name} {amount}" for name, amount in value) or None
    return str(value) if isinstance(value, Path) else value
