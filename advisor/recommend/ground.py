"""What a recommendation stands on: the space of instances, the prices and the fitted model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.vocabulary import Platform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.advice import Advice
    from advisor.domain.cost import Price, VolumeTariff
    from advisor.domain.evidence import Source
    from advisor.domain.recommendation import Rejection
    from advisor.domain.storage import VolumeLimits
    from advisor.domain.vocabulary import Engine, StorageType
    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.parameters import ModelParameters


class Market(NamedTuple):
    """Prices of one region under one term."""

    ec2: Mapping[str, Price]
    """By instance type."""
    rds: Mapping[str, Price]
    """By ``engine/class``, for the deployment that the workload asks for."""
    aurora: Mapping[str, Price]
    """By ``engine/class/mode``."""
    tariffs: Mapping[tuple[Platform, StorageType], VolumeTariff]
    """A storage type that is missing is not priced in the region."""
    source: str
    """Where prices come from, in one phrase: ``bundled snapshot``."""
    notes: tuple[str, ...] = ()
    """What is to be said of them beside the answer: their age, a damaged cache."""

    def hourly(
        self, platform: Platform, engine: Engine, name: str, kind: StorageType
    ) -> Price | None:
        """Return the hourly price of an instance or class; None: it has none."""
        prices, key = self._place(platform, engine, name, kind)
        return prices[key] if key in prices else None  # noqa: SIM401 (a Mapping's get is slow)

    def is_priced(self, platform: Platform, engine: Engine, name: str, kind: StorageType) -> bool:
        """Whether an instance or class has an hourly price."""
        prices, key = self._place(platform, engine, name, kind)
        return key in prices

    def _place(
        self, platform: Platform, engine: Engine, name: str, kind: StorageType
    ) -> tuple[Mapping[str, Price], str]:
        if platform is Platform.EC2:
            return self.ec2, name
        if platform is Platform.RDS:
            return self.rds, f"{engine}/{name}"
        return self.aurora, f"{engine}/{name}/{kind}"


class Ground(NamedTuple):
    """All that an answer depends on besides the request."""

    entries: tuple[SpaceEntry, ...]
    excluded: tuple[Rejection, ...]
    """EC2 types that are no candidates unless their family is named, counted by reason."""
    market: Market
    volume_limits: Mapping[tuple[Platform, StorageType], tuple[VolumeLimits, ...]]
    """What one volume can be, in steps of rising size."""
    parameters: ModelParameters
    sources: Mapping[str, Source]
    advice: Advice
    data_version: str
