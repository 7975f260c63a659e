"""A candidate and its CONFIG string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.instance import InstanceType
    from advisor.domain.storage import StorageSpec
    from advisor.domain.vocabulary import Engine, Platform


@record
class Candidate:
    """Platform × engine × instance × storage × nodes."""

    platform: Platform
    engine: Engine
    instance: InstanceType
    storage: StorageSpec
    nodes: int
    """Database nodes that are paid for; the standby of an RDS Multi-AZ deployment is no node."""
    is_multi_az: bool = False
    """Whether it is an RDS Multi-AZ deployment, priced as a whole."""

    @property
    def config(self) -> str:
        """CONFIG = platform/engine/instance/storage[/xN|/multi-az]; every command takes it."""
        parts = [self.platform.value, self.engine.value, self.instance.name, str(self.storage)]
        if self.is_multi_az:
            parts.append("multi-az")
        elif self.nodes > 1:
            parts.append(f"x{self.nodes}")
        return "/".join(parts)
