"""What the rows of AWS's public price feeds state about storage: EBS, RDS volumes, Aurora.

Readable keys only.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.quote import storage_market, volume_market
from advisor.pricing.stated import Charge
from advisor.pricing.usage_types import RDS_LABELS

if TYPE_CHECKING:
    from advisor.pricing.feed_rows import Feed
    from advisor.pricing.stated import Stated

_GIB, _IOPS, _MIB_PER_S = "GiB-month", "IOPS-month", "MiB/s-month"
_ONE, _MILLION = Decimal(1), Decimal(1_000_000)

#: Key → type/item/tier, unit, factor. AWS writes GB and bills GiB; a GiB/s is 1,024 MiB/s. The keys
#: without a type, which older readers use, repeat these.
_EBS = {
    "Storage General Purpose gp2 GB Mo": ("gp2/capacity/0", _GIB, _ONE),
    "Storage General Purpose gp3 GB Mo": ("gp3/capacity/0", _GIB, _ONE),
    "Provisioned EBS IOPS gp3 Volumes per IOPS Mo": ("gp3/iops/0", _IOPS, _ONE),
    "Provisioned Throughput gp3 per GiBps mo": ("gp3/throughput/0", _MIB_PER_S, _ONE / 1024),
    "Storage Provisioned IOPS io1 GB Mo": ("io1/capacity/0", _GIB, _ONE),
    "Provisioned EBS IOPS io1 Volumes per IOPS Mo": ("io1/iops/0", _IOPS, _ONE),
    "Storage Provisioned IOPS io2 GB month": ("io2/capacity/0", _GIB, _ONE),
    "Provisioned EBS IOPS io2 Volumes per IOPS Mo": ("io2/iops/0", _IOPS, _ONE),
    "Provisioned EBS IOPS Tier 2 io2 Volumes per IOPS Mo": ("io2/iops/32000", _IOPS, _ONE),
    "Provisioned EBS IOPS Tier 3 io2 Volumes per IOPS Mo": ("io2/iops/64000", _IOPS, _ONE),
    "Storage Throughput Optimized HDD st1 GB Mo": ("st1/capacity/0", _GIB, _ONE),
    "Storage Cold HDD sc1 GB Mo": ("sc1/capacity/0", _GIB, _ONE),
    "Storage Magnetic standard GB Mo": ("standard/capacity/0", _GIB, _ONE),
    "Provisioned EBS I O Requests standard Volumes per IOs": (
        "standard/requests/0",
        "request",
        _ONE,
    ),
    "Storage Snapshot Amazon S3 GB Mo": ("snapshot/capacity/0", _GIB, _ONE),
}
#: The same of RDS, the deployment cut out. io2 is left out: its IOPS have no key of their own.
_RDS = {
    "Database Storage {} General Purpose": ("gp2/capacity/0", _GIB),
    "Database Storage {} General Purpose-GP3": ("gp3/capacity/0", _GIB),
    "Provisioned GP3 IOPS {}": ("gp3/iops/0", _IOPS),
    "Provisioned Throughput {}": ("gp3/throughput/0", _MIB_PER_S),
    "Database Storage {} Provisioned IOPS": ("io1/capacity/0", _GIB),
    "Provisioned IOPS {}": ("io1/iops/0", _IOPS),
}
_RDS_DEPLOYMENTS = {"single-az": "Single AZ", "multi-az": "Multi AZ"}
_RDS_BACKUP = "Storage Snapshot"
#: Pattern of keys → type/item/tier, unit, factor of Aurora.
_AURORA = (
    (
        re.compile(r"Database Storage DB Engine .+ General Purpose Aurora"),
        ("aurora-standard/capacity/0", _GIB, _ONE),
    ),
    (
        re.compile(r"System Operation Aurora I O Operation"),
        ("aurora-standard/requests/0", "million-requests", _MILLION),
    ),
    (
        re.compile(r"(?:Any|Aurora MySQL|Aurora PostgreSQL) IO Optimized Aurora"),
        ("aurora-io-optimized/capacity/0", _GIB, _ONE),
    ),
    (
        re.compile(r"Storage Snapshot Aurora (?:MySQL|PostgreSQL)"),
        ("backup/capacity/0", _GIB, _ONE),
    ),
)


def read_ebs(feed: Feed, stated: Stated, region: str) -> None:
    """Read the prices of EBS volumes and snapshots."""
    market = volume_market(region)
    for key, (name, unit, factor) in _EBS.items():
        if key in feed.rows:
            stated.add(market, name, unit, Charge(price=feed.rows[key].get("price"), per=factor))


def read_rds_storage(feed: Feed, stated: Stated, region: str) -> None:
    """Read the prices of RDS volumes and backups; they are the same for all three engines."""
    for deployment, spelt in _RDS_DEPLOYMENTS.items():
        for engine in RDS_LABELS:
            market = storage_market(region, engine, deployment)
            for pattern, (name, unit) in _RDS.items():
                row = feed.rows.get(pattern.format(spelt))
                if row is not None:
                    stated.add(market, name, unit, Charge(price=row.get("price")))
            if _RDS_BACKUP in feed.rows:
                charge = Charge(price=feed.rows[_RDS_BACKUP].get("price"))
                stated.add(market, "backup/capacity/0", _GIB, charge)


def read_aurora_storage(feed: Feed, stated: Stated, region: str) -> None:
    """Read Aurora's storage and requests; I/O-Optimized pays for none."""
    market = storage_market(region, "aurora", "regional")
    for key, row in feed.rows.items():
        for pattern, (name, unit, factor) in _AURORA:
            if pattern.fullmatch(key):
                stated.add(market, name, unit, Charge(price=row.get("price"), per=factor))
