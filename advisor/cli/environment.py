"""The one place where commands meet the real environment and home."""

from __future__ import annotations

import os

from advisor.settings import Settings, load_settings, user_directories


def current_settings() -> Settings:
    """Return the settings in force for this process; UsageError when they are wrong."""
    return load_settings(os.environ, user_directories())
