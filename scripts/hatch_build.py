"""Build hook: makes the knowledge base from ``data/`` and puts it into the wheel.

Runs for wheels, for editable installs and for wheels made from an sdist. The database is an
artifact of the build; it is never committed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DATABASE = "advisor/knowledge/advisor.duckdb"


class KnowledgeBuildHook(BuildHookInterface[Any]):
    """Builds ``advisor/knowledge/advisor.duckdb`` and declares it an artifact of the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(
        self,
        version: str,  # noqa: ARG002 (hatchling's signature)
        build_data: dict[str, Any],
    ) -> None:
        """Build the database in the source tree; both kinds of wheel take it from there."""
        root = Path(self.root)
        content_hash = build_knowledge_base(root)
        self.app.display_info(f"knowledge base {content_hash}")
        build_data["artifacts"].append(f"/{DATABASE}")


def build_knowledge_base(root: Path) -> str:
    """Build the database from ``root/data`` with the code of ``root``; return its content hash."""
    sys.path.insert(0, str(root))
    try:
        from advisor.knowledge.build import build_database
    finally:
        sys.path.remove(str(root))
    return build_database(root / "data", root / DATABASE)
