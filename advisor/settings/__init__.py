"""Config file and environment → one frozen value with the origin of each field.

Owns the names, defaults and precedence of settings. The environment and the directories are passed
in; nothing here reads the real ones on import, prints, or knows a command.
"""

from __future__ import annotations

from advisor.settings.directories import Directories, user_directories
from advisor.settings.load import config_path, load_settings
from advisor.settings.value import KEYS, Key, Settings

__all__ = [
    "KEYS",
    "Directories",
    "Key",
    "Settings",
    "config_path",
    "load_settings",
    "user_directories",
]
