"""Imports RDS and Aurora prices.

Aurora Standard and I/O-Optimized are two prices of one class and two rows here; a price whose mode
could not be decided is left out and named in ``known_gaps.csv``. Must never derive one from the
other without a flag.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.csv_tables import Row, plain, read_rows, write_rows
from scripts.price_sources import SOURCE_IDS

if TYPE_CHECKING:
    from pathlib import Path

RDS_COLUMNS = (
    "region",
    "engine",
    "db_class",
    "deployment",
    "term",
    "payment",
    "usd_per_hour",
    "upfront_usd",
    "as_of",
    "source_id",
)
STORAGE_COLUMNS = (
    "region",
    "engine",
    "deployment",
    "storage_type",
    "item",
    "usd",
    "unit",
    "as_of",
    "source_id",
    "note",
)
AURORA_COLUMNS = (
    "region",
    "engine",
    "db_class",
    "storage_mode",
    "usd_per_hour",
    "as_of",
    "source_id",
    "flag",
)

#: Term, payment, column of the hourly price, column of the upfront payment.
_RDS_TERMS = (
    ("on-demand", "none", "od_usd_hour", ""),
    ("reserved-1y", "none", "ri1y_noupfront_hour", ""),
    ("reserved-1y", "partial", "ri1y_partial_hour", "ri1y_partial_upfront"),
    ("reserved-3y", "partial", "ri3y_partial_hour", "ri3y_partial_upfront"),
)

#: What the collected table calls an item → storage type, item.
_STORAGE_ITEMS = {
    "gp2 storage": ("gp2", "capacity"),
    "gp3 storage": ("gp3", "capacity"),
    "gp3 IOPS above baseline": ("gp3", "iops"),
    "gp3 throughput above baseline": ("gp3", "throughput"),
    "io1 storage": ("io1", "capacity"),
    "io1 IOPS": ("io1", "iops"),
    "Multi-AZ cluster (2 readable standbys) io1 storage": ("io1-cluster", "capacity"),
    "Multi-AZ cluster io1 IOPS": ("io1-cluster", "iops"),
    "magnetic storage": ("standard", "capacity"),
    "backup beyond free": ("backup", "capacity"),
    "Standard storage": ("aurora-standard", "capacity"),
    "Standard I/O": ("aurora-standard", "requests"),
    "I/O-Optimized storage": ("aurora-io-optimized", "capacity"),
    "Serverless v2 Standard": ("aurora-standard", "serverless-v2"),
    "Serverless v2 I/O-Optimized": ("aurora-io-optimized", "serverless-v2"),
    "Backtrack (MySQL)": ("aurora-backtrack", "requests"),
}
#: AWS writes GB-month and bills GiB.
_UNITS = {
    "GB-month": "GiB-month",
    "IOPS-month": "IOPS-month",
    "MiBps-month": "MiB/s-month",
    "per 1M requests": "million-requests",
    "per 1M change records": "million-records",
    "ACU-hour": "ACU-hour",
}
_DEPLOYMENTS = {"Single-AZ": "single-az", "Multi-AZ": "multi-az"}
_AURORA_ENGINES = {"Aurora MySQL": "aurora-mysql", "Aurora PostgreSQL": "aurora-postgresql"}
_DERIVED_STANDARD = "coroot/cloud-pricing (io_optimized/1.3)"


def import_rds(shared: Path, data: Path) -> int:
    """Write ``rds.csv``; return its rows. Hourly prices exclude the upfront part."""
    rows = [
        {
            "region": item["region"],
            "engine": item["engine"],
            "db_class": item["db_class"],
            "deployment": _DEPLOYMENTS[item["deployment"]],
            "term": term,
            "payment": payment,
            "usd_per_hour": plain(item[hourly]),
            "upfront_usd": plain(item[upfront]) if upfront else "",
            "as_of": item["as_of"],
            "source_id": SOURCE_IDS[item["source"]],
        }
        for item in read_rows(shared / "rds_prices.csv")
        for term, payment, hourly, upfront in _RDS_TERMS
        if item[hourly]
    ]
    key = ("region", "engine", "db_class", "deployment", "term", "payment")
    return write_rows(data / "prices" / "rds.csv", RDS_COLUMNS, key, rows)


def import_rds_storage(shared: Path, data: Path) -> int:
    """Write ``rds_storage.csv``; return its rows. ``deployment`` of Aurora is ``regional``."""
    rows = [
        row for item in read_rows(shared / "rds_storage_prices.csv") for row in _storage_rows(item)
    ]
    key = ("region", "engine", "deployment", "storage_type", "item")
    return write_rows(data / "prices" / "rds_storage.csv", STORAGE_COLUMNS, key, rows)


def _storage_rows(item: Row) -> list[Row]:
    storage_type, name = _STORAGE_ITEMS[item["item"]]
    is_aurora = item["engine"] == "aurora"
    amounts = {
        "regional" if is_aurora else "single-az": item["single_az_usd"],
        "multi-az": item["multi_az_usd"],
    }
    if storage_type == "io1-cluster":
        storage_type, amounts = "io1", {"multi-az-cluster": item["multi_az_usd"]}
    return [
        {
            "region": item["region"],
            "engine": engine,
            "deployment": deployment,
            "storage_type": storage_type,
            "item": name,
            "usd": plain(amount),
            "unit": _UNITS[item["unit"]],
            "as_of": item["as_of"],
            "source_id": SOURCE_IDS[item["source"]],
            "note": "rounded, 0.156 unrounded" if "0.156" in item["note"] else "",
        }
        for engine in item["engine"].split("|")
        for deployment, amount in amounts.items()
        if amount
    ]


def import_aurora(shared: Path, data: Path) -> int:
    """Write ``aurora.csv``, Standard and I/O-Optimized apart; return its rows."""
    rows = [row for item in read_rows(shared / "aurora_prices.csv") for row in _aurora_rows(item)]
    key = ("region", "engine", "db_class", "storage_mode")
    return write_rows(data / "prices" / "aurora.csv", AURORA_COLUMNS, key, rows)


def _aurora_rows(item: Row) -> list[Row]:
    """Return the rows of a class whose prices are decided; none where ``unknown``."""
    standard = {
        "storage_mode": "standard",
        "usd_per_hour": plain(item["standard_usd_hour"]),
        "as_of": item["standard_as_of"],
        "source_id": SOURCE_IDS.get(item["standard_source"], ""),
        "flag": "derived: I/O-Optimized ÷ 1.3"
        if item["standard_source"] == _DERIVED_STANDARD
        else "",
    }
    is_derived = "derived" in item["note"] or item["coroot_raw_is"] != "io_optimized"
    optimized = {
        "storage_mode": "io-optimized",
        "usd_per_hour": plain(item["io_optimized_usd_hour"]),
        "as_of": item["standard_as_of"] if is_derived else "2024-08-09",
        "source_id": SOURCE_IDS.get(item["standard_source"], "")
        if is_derived
        else "coroot-pricing-2024",
        "flag": "derived: Standard × 1.3" if is_derived else "",
    }
    shared = {
        "region": item["region"],
        "engine": _AURORA_ENGINES[item["engine"]],
        "db_class": item["db_class"],
    }
    return [shared | row for row in (standard, optimized) if row["usd_per_hour"]]


def undecided_aurora(shared: Path) -> list[str]:
    """Return ``region/engine/class`` of the prices that could be Standard or I/O-Optimized."""
    return [
        "/".join((item["region"], _AURORA_ENGINES[item["engine"]], item["db_class"]))
        for item in read_rows(shared / "aurora_prices.csv")
        if item["coroot_raw_is"] == "unknown"
    ]
