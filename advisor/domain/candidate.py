"""A candidate and its CONFIG string."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.domain.instance import InstanceType
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import Engine, Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Platform × engine × instance × storage × nodes."""

    platform: Platform
    engine: Engine
    instance: InstanceType
    storage: StorageSpec
    nodes: int

    @property
    def config(self) -> str:
        """CONFIG = platform/engine/instance/storage[/xN]; every command prints and takes it."""
        parts = [self.platform.value, self.engine.value, self.instance.name, str(self.storage)]
        if self.nodes > 1:
            parts.append(f"x{self.nodes}")
        return "/".join(parts)
