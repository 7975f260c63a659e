"""Bundled prices of RDS and Aurora: classes by deployment, term and storage mode, and storage.

Aurora Standard and I/O-Optimized are two prices of one class and are never mixed; Multi-AZ has
prices of its own. Must never substitute: see ``snapshot``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Payment, Platform, StorageType, Term
from advisor.pricing.snapshot import AMOUNT, HourlyPrices, fetched, tariffs_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from advisor.domain.cost import VolumeTariff

#: Hours over which an upfront payment is spread.
_TERM_HOURS = {Term.RESERVED_1Y: 8760, Term.RESERVED_3Y: 26280}
_EFFECTIVE = "CAST(usd_per_hour + coalesce(upfront_usd, 0) / {} AS DECIMAL(18, 10))"
_CLASSES = (
    "SELECT engine || '/' || db_class, {}, source_id, as_of FROM rds_prices "
    "WHERE region = $1 AND deployment = $2 AND term = $3 AND payment = $4"
)
_AURORA = (
    f"SELECT engine || '/' || db_class || '/' || storage_mode, {AMOUNT.format('usd_per_hour')}, "  # noqa: S608 (constant text)
    "source_id, as_of FROM aurora_prices WHERE region = $1"
)
_STORAGE = (
    f"SELECT storage_type, item, 0, {AMOUNT.format('usd')}, unit, source_id, as_of "  # noqa: S608 (constant text)
    "FROM rds_storage_prices WHERE region = $1 AND engine = $2 AND deployment = $3 "
    "ORDER BY storage_type, item"
)
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
    amount = AMOUNT.format(_EFFECTIVE.format(_TERM_HOURS.get(term, 1)))
    rows = fetched(
        connection, _CLASSES.format(amount), [region, deployment, str(term), str(payment)]
    )
    return HourlyPrices({name: (usd, source, as_of) for name, usd, source, as_of in rows})


def aurora_prices(connection: DuckDBPyConnection, region: str, term: Term) -> HourlyPrices:
    """Return ``engine/class/mode`` → hourly price; only on demand is known."""
    if term is not Term.ON_DEMAND:
        return HourlyPrices({})
    rows = fetched(connection, _AURORA, [region])
    return HourlyPrices({name: (usd, source, as_of) for name, usd, source, as_of in rows})


def managed_storage(
    connection: DuckDBPyConnection, region: str, deployment: str
) -> dict[tuple[Platform, StorageType], VolumeTariff]:
    """Return the tariffs of RDS volumes (alike for all engines) and of Aurora storage."""
    found: dict[tuple[Platform, StorageType], VolumeTariff] = {}
    volumes = tariffs_of(fetched(connection, _STORAGE, [region, "mysql", deployment]))
    for kind, tariff in volumes.items():
        if kind in tuple(StorageType):
            found[Platform.RDS, StorageType(kind)] = tariff
    modes = tariffs_of(fetched(connection, _STORAGE, [region, "aurora", "regional"]))
    for name, mode in _AURORA_MODES.items():
        if name in modes:
            found[Platform.AURORA, mode] = modes[name]
    return found
