"""The region that the user's AWS settings name, as the AWS CLI would find it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REGION_VARIABLES = ("AWS_REGION", "AWS_DEFAULT_REGION")


def aws_region(environment: Mapping[str, str], home: Path) -> tuple[str, str] | None:
    """Return (region, origin) from AWS variables or the shared config file; None: neither has one.

    A config file that cannot be read is AWS's business and counts as absent.
    """
    for variable in REGION_VARIABLES:
        if environment.get(variable):
            return environment[variable], variable
    path = Path(environment.get("AWS_CONFIG_FILE") or home / ".aws" / "config")
    profile = environment.get("AWS_PROFILE") or environment.get("AWS_DEFAULT_PROFILE") or "default"
    region = _profile_region(path, profile)
    return (region, f"profile {profile} in {path}") if region else None


def _profile_region(path: Path, profile: str) -> str | None:
    try:
        text = path.expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError, RuntimeError):
        return None
    import configparser

    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    sections = ("default", "profile default") if profile == "default" else (f"profile {profile}",)
    for section in sections:
        if parser.has_option(section, "region"):
            return parser.get(section, "region").strip() or None
    return None
