"""The user's own directories, as the platform names them."""

from __future__ import annotations

from pathlib import Path

from advisor.domain.record import record


@record
class Directories:
    """Where advisor may read and write for one user; none of them need exist."""

    home: Path
    config: Path
    """Holds ``config.toml``."""
    state: Path
    """Holds the log of unexpected errors."""
    cache: Path
    """Holds live prices; may be deleted at any time."""


def user_directories() -> Directories:
    """Return the directories of the user who runs this process; creates nothing."""
    import platformdirs  # deferred: 5 ms that `--version` and `--help` do not need

    dirs = platformdirs.PlatformDirs("advisor", appauthor=False)
    return Directories(
        home=Path("~").expanduser(),
        config=dirs.user_config_path,
        state=dirs.user_state_path,
        cache=dirs.user_cache_path,
    )
