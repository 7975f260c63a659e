"""Bundled prices of RDS and Aurora: classes by deployment, term and storage mode, and storage.

Aurora Standard and I/O-Optimized are two prices of one class and are never mixed; Multi-AZ has
prices of its own. Must never substitute: see ``snapshot``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.quote import aurora_market, rds_market, storage_market
from advisor.domain.vocabulary import Platform, StorageType
from advisor.pricing.snapshot import HourlyPrices, document, hourly, tariffs_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from advisor.domain.cost import VolumeTariff
    from advisor.domain.vocabulary import Payment, Term

_AURORA_MODES = {
    "aurora-standard": StorageType.AURORA_STANDARD,
    "aurora-io-optimized": StorageType.AURORA_IO_OPTIMIZED,
}


def deployment_of(*, is_multi_az: bool) -> str:
    """Return AWS's word for a deployment."""
    return "multi-az" if is_multi_az else "single-az"


def rds_prices(
    connection: DuckDBPyConnection, region: str, deployment: str, bought: tuple[Term, Payment]
) -> HourlyPrices:
    """Return ``engine/class`` → hourly price under (term, payment), upfront spread evenly."""
    term, payment = bought
    return hourly(connection, rds_market(region, deployment, term, payment))


def aurora_prices(
    connection: DuckDBPyConnection, region: str, bought: tuple[Term, Payment]
) -> HourlyPrices:
    """Return ``engine/class/mode`` → hourly price under (term, payment)."""
    return hourly(connection, aurora_market(region, *bought))


def managed_storage(
    connection: DuckDBPyConnection, region: str, deployment: str
) -> dict[tuple[Platform, StorageType], VolumeTariff]:
    """Return the tariffs of RDS volumes (alike for all engines) and of Aurora storage."""
    found: dict[tuple[Platform, StorageType], VolumeTariff] = {}
    volumes = tariffs_of(document(connection, storage_market(region, "mysql", deployment)))
    for kind, tariff in volumes.items():
        if kind in tuple(StorageType):
            found[Platform.RDS, StorageType(kind)] = tariff
    modes = tariffs_of(document(connection, storage_market(region, "aurora", "regional")))
    for name, mode in _AURORA_MODES.items():
        if name in modes:
            found[Platform.AURORA, mode] = modes[name]
    return found
