"""What a recommendation stands on: the space of instances, the prices and the fitted model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.cost import Price, VolumeTariff
    from advisor.domain.evidence import Source
    from advisor.domain.recommendation import Rejection
    from advisor.domain.storage import VolumeLimits
    from advisor.domain.vocabulary import StorageType
    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.parameters import ModelParameters


class Market(NamedTuple):
    """Prices of one region under one term."""

    instance_prices: Mapping[str, Price]
    volume_tariffs: Mapping[StorageType, VolumeTariff]
    """A volume type that is missing is not priced in the region."""
    source: str
    """Where prices come from, in one phrase: ``bundled snapshot``."""


class Ground(NamedTuple):
    """All that an answer depends on besides the request."""

    entries: tuple[SpaceEntry, ...]
    excluded: tuple[Rejection, ...]
    """Instance types that are no candidates unless their family is named, counted by reason."""
    market: Market
    volume_limits: Mapping[StorageType, VolumeLimits]
    parameters: ModelParameters
    sources: Mapping[str, Source]
    data_version: str
