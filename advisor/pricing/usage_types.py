"""AWS's words for what it sells, and what they are in the names of this project. Pure.

Read off the Price List: the same words stand in its files, its Query API, the price feeds and the
Savings Plans; usage types and units as collected in ``aws/APIS.md`` of the project's shared folder.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.record import record
from advisor.domain.vocabulary import Engine, Payment
from advisor.errors import PricingError

if TYPE_CHECKING:
    from collections.abc import Mapping


@record
class SoldEngine:
    """An engine as AWS sells it."""

    engine: Engine
    kind: str
    """``rds`` or ``aurora``, as in the names of markets."""
    label: str
    """The Price List's ``databaseEngine``."""
    operation: str
    """What creates one: the only word for the engine in Savings Plans."""


#: Operations: of the complete Database Savings Plans file of ap-south-2 (2026-04).
ENGINES = (
    SoldEngine(engine=Engine.MYSQL, kind="rds", label="MySQL", operation="CreateDBInstance:0002"),
    SoldEngine(
        engine=Engine.POSTGRESQL, kind="rds", label="PostgreSQL", operation="CreateDBInstance:0014"
    ),
    SoldEngine(
        engine=Engine.MARIADB, kind="rds", label="MariaDB", operation="CreateDBInstance:0018"
    ),
    SoldEngine(
        engine=Engine.AURORA_MYSQL,
        kind="aurora",
        label="Aurora MySQL",
        operation="CreateDBInstance:0016",
    ),
    SoldEngine(
        engine=Engine.AURORA_POSTGRESQL,
        kind="aurora",
        label="Aurora PostgreSQL",
        operation="CreateDBInstance:0021",
    ),
)
RDS_LABELS: dict[str, str] = {each.engine: each.label for each in ENGINES if each.kind == "rds"}
AURORA_LABELS: dict[str, str] = {
    each.engine: each.label for each in ENGINES if each.kind == "aurora"
}
#: Storage sold to every engine has this label.
ANY_ENGINE = "Any"
DEPLOYMENTS = {"single-az": "Single-AZ", "multi-az": "Multi-AZ"}
PAYMENTS = {
    "No Upfront": Payment.NONE,
    "Partial Upfront": Payment.PARTIAL,
    "All Upfront": Payment.ALL,
}
#: (kind, word before the class in the usage type) → deployment, storage mode. Aurora has two modes
#: and no Multi-AZ, RDS the reverse. Extended support, clusters of three and RDS Custom have other
#: words.
CLASS_WORDS = {
    ("rds", "InstanceUsage"): ("single-az", None),
    ("rds", "Multi-AZUsage"): ("multi-az", None),
    ("aurora", "InstanceUsage"): ("single-az", "standard"),
    ("aurora", "InstanceUsageIOOptimized"): ("single-az", "io-optimized"),
}
#: Usage types shorten sizes, ``db.r7g.2xl``: a pattern and what takes its place, in Python and SQL.
SHORT_SIZE = (r"\.([0-9]*)xl$", r".\1xlarge")
#: The short name of a region: ``EU-``, ``APS1-``; none in us-east-1. Local Zones have two.
REGION_PREFIX = "^[A-Z0-9]+-"
_REGION = f"(?:{REGION_PREFIX})?"
_CLASS = re.compile(_REGION + r"([A-Za-z-]+):(db\.[a-z0-9.-]+)$")
#: A machine on demand, as Savings Plans name it.
BOX_USAGE = re.compile(_REGION + r"BoxUsage(?::|$)")
_VOLUME = re.compile(_REGION + r"EBS:([A-Za-z0-9.-]+)$")
#: What stands behind ``EBS:``, and what it is as type/item/tier.
VOLUME_ITEMS = {
    "VolumeUsage": "standard/capacity/0",
    "VolumeIOUsage": "standard/requests/0",
    "VolumeUsage.gp2": "gp2/capacity/0",
    "VolumeUsage.gp3": "gp3/capacity/0",
    "VolumeP-IOPS.gp3": "gp3/iops/0",
    "VolumeP-Throughput.gp3": "gp3/throughput/0",
    "VolumeUsage.piops": "io1/capacity/0",
    "VolumeP-IOPS.piops": "io1/iops/0",
    "VolumeUsage.io2": "io2/capacity/0",
    "VolumeP-IOPS.io2": "io2/iops/0",
    "VolumeP-IOPS.io2.tier2": "io2/iops/32000",
    "VolumeP-IOPS.io2.tier3": "io2/iops/64000",
    "VolumeUsage.st1": "st1/capacity/0",
    "VolumeUsage.sc1": "sc1/capacity/0",
    "SnapshotUsage": "snapshot/capacity/0",
}
_STORAGE = re.compile(_REGION + r"RDS:(Multi-AZ-)?([A-Za-z0-9-]+)$")
#: Behind ``RDS:`` or ``RDS:Multi-AZ-``; io2 capacity is named in two ways by those who quote the
#: Price List.
STORAGE_ITEMS = {
    "GP2-Storage": "gp2/capacity/0",
    "GP3-Storage": "gp3/capacity/0",
    "GP3-PIOPS": "gp3/iops/0",
    "GP3-Throughput": "gp3/throughput/0",
    "PIOPS-Storage": "io1/capacity/0",
    "PIOPS": "io1/iops/0",
    "IO2-PIOPS-Storage": "io2/capacity/0",
    "PIOPS-Storage-IO2": "io2/capacity/0",
    "IO2-PIOPS": "io2/iops/0",
    "ChargedBackupUsage": "backup/capacity/0",
}
_AURORA = re.compile(_REGION + r"Aurora:([A-Za-z0-9-]+)$")
#: Behind ``Aurora:``.
AURORA_ITEMS = {
    "StorageUsage": "aurora-standard/capacity/0",
    "StorageIOUsage": "aurora-standard/requests/0",
    "IO-OptimizedStorageUsage": "aurora-io-optimized/capacity/0",
    "ServerlessV2Usage": "aurora-standard/serverless-v2/0",
    "ServerlessV2IOOptimizedUsage": "aurora-io-optimized/serverless-v2/0",
    "BackupUsage": "backup/capacity/0",
}
_ITEM_UNITS = {
    "capacity": "GiB-month",
    "iops": "IOPS-month",
    "throughput": "MiB/s-month",
    "requests": "million-requests",
    "serverless-v2": "ACU-hour",
}
_MAGNETIC_REQUESTS = "standard/requests/0"
#: (AWS's unit in lower case, ours) → factor. AWS writes GB and bills GiB.
_FACTORS = {
    ("hrs", "hour"): Decimal(1),
    ("gb-mo", "GiB-month"): Decimal(1),
    ("gb-month", "GiB-month"): Decimal(1),
    ("iops-mo", "IOPS-month"): Decimal(1),
    ("iops-month", "IOPS-month"): Decimal(1),
    ("gibps-mo", "MiB/s-month"): Decimal(1) / 1024,
    ("mibps-mo", "MiB/s-month"): Decimal(1),
    ("mbps-mo", "MiB/s-month"): Decimal(1),
    ("acu-hr", "ACU-hour"): Decimal(1),
    ("ios", "million-requests"): Decimal(1_000_000),
    ("ios", "request"): Decimal(1),
}


def class_usage(usage: str) -> tuple[str, str] | None:
    """Return (word, class) of the usage of a class, its size spelt out; None: it is none."""
    match = _CLASS.match(usage)
    return (match[1], re.sub(*SHORT_SIZE, match[2])) if match else None


def volume_item(usage: str) -> str | None:
    """Return type/item/tier of an EBS volume; None: it is none, or one of a Local Zone."""
    return _item(_VOLUME, VOLUME_ITEMS, usage)


def aurora_item(usage: str) -> str | None:
    """Return type/item/tier of Aurora's storage; None: it is none, or a preview."""
    return _item(_AURORA, AURORA_ITEMS, usage)


def storage_item(usage: str) -> tuple[str, str] | None:
    """Return (deployment, type/item/tier) of an RDS volume; None: it is none."""
    match = _STORAGE.match(usage)
    item = STORAGE_ITEMS.get(match[2]) if match else None
    if match is None or item is None:
        return None
    return ("multi-az" if match[1] else "single-az"), item


def unit_of(item: str) -> str:
    """Return the unit of a type/item/tier; magnetic volumes are billed per single request."""
    return "request" if item == _MAGNETIC_REQUESTS else _ITEM_UNITS[item.split("/")[1]]


def factor(stated: str, unit: str) -> Decimal:
    """Return what a price per ``stated`` is multiplied with to be one per ``unit``.

    Raises PricingError when the one does not convert to the other.
    """
    try:
        return _FACTORS[stated.lower(), unit]
    except KeyError:
        raise PricingError(f"a price per {stated!r} where {unit} was expected") from None


def _item(kind: re.Pattern[str], items: Mapping[str, str], usage: str) -> str | None:
    match = kind.match(usage)
    return items.get(match[1]) if match else None
