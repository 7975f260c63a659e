"""Reads and checks: flag-free precedence is variable, config file, AWS settings, default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.domain.spelling import did_you_mean
from advisor.errors import UsageError
from advisor.settings.aws import aws_region
from advisor.settings.value import KEYS, Key, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.settings.directories import Directories

CONFIG_VARIABLE = "ADVISOR_CONFIG"
_MAX_CONFIG_BYTES = 1_000_000


def config_path(environment: Mapping[str, str], directories: Directories) -> Path:
    """Return where the config file is looked for: ADVISOR_CONFIG, or the user's directory."""
    named = environment.get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return directories.config / "config.toml"


def load_settings(environment: Mapping[str, str], directories: Directories) -> Settings:
    """Return the settings in force; an empty variable counts as unset.

    Raises UsageError for a config file that cannot be read, an unknown key, or a bad value.
    """
    path = config_path(environment, directories)
    table = _read_config(path, is_named=bool(environment.get(CONFIG_VARIABLE)))
    values: dict[str, object] = {}
    origins: list[tuple[str, str]] = []
    for key in KEYS:
        found = _find(key, table or {}, path, environment)
        if found is not None:
            value, origin = found
            values[key.field] = _check(key, value, origin)
            origins.append((key.name, origin))
    if "region" not in values:
        region = aws_region(environment, directories.home)
        if region is not None:
            values["region"], origin = region
            origins.append(("region", origin))
    return Settings(
        **values,  # type: ignore[arg-type] # each key's parser returns its field's type
        uses_color=not environment.get("NO_COLOR"),
        config_file=None if table is None else path,
        origins=tuple(origins),
    )


def _read_config(path: Path, *, is_named: bool) -> dict[str, object] | None:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_CONFIG_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        if is_named:
            raise UsageError(
                f"the config file {path} does not exist",
                hint=f"create it, or unset {CONFIG_VARIABLE}",
            ) from error
        return None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UsageError(
            f"cannot read the config file {path}: {reason}",
            hint=f"correct it, or point {CONFIG_VARIABLE} to another file",
        ) from error
    if len(data) > _MAX_CONFIG_BYTES:
        raise UsageError(f"{path} is not a config file: it is larger than 1 MB")
    return _parse_config(data, path)


def _parse_config(data: bytes, path: Path) -> dict[str, object]:
    import tomllib

    try:
        table: dict[str, object] = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(
            f"{path} is not valid TOML: {error}",
            hint='a line looks like: region = "eu-west-1"',
        ) from error
    names = [key.name for key in KEYS]
    for name in table:
        if name not in names:
            raise UsageError(
                f"{path}: unknown key {name!r}{did_you_mean(name, names)}",
                hint=f"keys are {', '.join(names)}",
            )
    return table


def _find(
    key: Key,
    table: Mapping[str, object],
    path: Path,
    environment: Mapping[str, str],
) -> tuple[object, str] | None:
    if key.variable and environment.get(key.variable):
        return environment[key.variable], key.variable
    if key.name in table:
        return table[key.name], str(path)
    return None


def _check(key: Key, value: object, origin: str) -> object:
    try:
        return key.parse(value)
    except ValueError as error:
        stated = "" if key.is_address else f"{value!r} "
        raise UsageError(
            f"{origin}: {key.name} {stated}{error}{did_you_mean(str(value), key.words)}",
        ) from error
