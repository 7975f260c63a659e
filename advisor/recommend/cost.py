"""The monthly cost of a candidate, line by line, in Decimal."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.cost import HOURS_PER_MONTH, Cost, CostLine, Price, PriceTier, VolumeTariff
from advisor.domain.vocabulary import Platform, StorageType

if TYPE_CHECKING:
    from advisor.domain.candidate import Candidate
    from advisor.domain.storage import StorageSpec, VolumeLimits


#: Seconds of a month of 730 hours, in millions of requests per request/s.
MILLION_PER_MONTH = HOURS_PER_MONTH * 3600 / 1_000_000


def cost_of(
    candidate: Candidate,
    hourly: Price,
    tariff: VolumeTariff | None,
    limits: VolumeLimits | None,
    requests_per_s: float,
) -> Cost:
    """Return what all nodes of a candidate with their storage cost a month.

    ``tariff`` and ``limits`` belong to its volume; None for local disks, which come with the
    instance. ``requests_per_s`` are billed where the tariff has a price per request.
    """
    nodes = candidate.nodes
    lines = [
        CostLine(
            label=_label(candidate.instance.name, nodes),
            quantity=HOURS_PER_MONTH * nodes,
            price=hourly,
        )
    ]
    if tariff is not None and candidate.platform is Platform.AURORA:
        lines += aurora_lines(candidate.storage, tariff, requests_per_s)
    elif tariff is not None and limits is not None:
        lines += volume_lines(candidate.storage, tariff, limits, nodes)
    return Cost(lines=tuple(lines))


def aurora_lines(
    storage: StorageSpec, tariff: VolumeTariff, requests_per_s: float
) -> list[CostLine]:
    """Return capacity and requests: Aurora's nodes share one volume."""
    lines = [
        CostLine(label="Aurora storage", quantity=Decimal(storage.size_gib), price=tariff.capacity)
    ]
    if tariff.requests is not None:
        millions = (Decimal(repr(requests_per_s)) * MILLION_PER_MONTH).quantize(Decimal("0.001"))
        lines.append(CostLine(label="Aurora I/O", quantity=millions, price=tariff.requests))
    return lines


def volume_lines(
    storage: StorageSpec, tariff: VolumeTariff, limits: VolumeLimits, nodes: int
) -> list[CostLine]:
    """Return capacity, IOPS by tier and throughput above what is included, for all nodes."""
    copies = Decimal(storage.count * nodes)
    name = storage.type.value
    lines = [
        CostLine(
            label=_label(f"{name} capacity", nodes),
            quantity=copies * storage.size_gib,
            price=tariff.capacity,
        )
    ]
    if storage.iops is not None and tariff.iops:
        included = limits.min_iops if storage.type is StorageType.GP3 else 0
        for quantity, price in _tiers(storage.iops, included, tariff.iops):
            lines.append(
                CostLine(
                    label=_label(f"{name} IOPS", nodes), quantity=copies * quantity, price=price
                )
            )
    if storage.throughput_mib_per_s is not None and tariff.throughput is not None:
        above = storage.throughput_mib_per_s - limits.min_throughput_mib_per_s
        if above > 0:
            lines.append(
                CostLine(
                    label=_label(f"{name} throughput", nodes),
                    quantity=copies * above,
                    price=tariff.throughput,
                )
            )
    return lines


def _label(what: str, nodes: int) -> str:
    return what if nodes == 1 else f"{what} × {nodes} nodes"


def _tiers(iops: int, included: int, tiers: tuple[PriceTier, ...]) -> list[tuple[int, Price]]:
    """Return the (quantity, price) of each tier that ``iops`` reach.

    What is ``included`` taken off.
    """
    bands = []
    for index, tier in enumerate(tiers):
        last = tiers[index + 1].above if index + 1 < len(tiers) else iops
        quantity = min(iops, last) - max(tier.above, included)
        if quantity > 0:
            bands.append((quantity, tier.price))
    return bands
