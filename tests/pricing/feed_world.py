"""A small world of price feeds in their true shape, for a local server."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from advisor.pricing.usage_types import RDS_LABELS
from tests.servers.web import squeezed, with_validators

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.pricing.stored import Stored
    from tests.servers.web import Server

LOCATION = "EU (Ireland)"
PUBLISHED = "2026-11-20T22:41:22Z"
_EC2 = "/ec2/USD/current"
_RDS = "/rds/USD/current"
ON_DEMAND = f"{_EC2}/ec2-ondemand-without-sec-sel/{{}}/Linux/index.json"
PREVIOUS = f"{_EC2}/previousgen-ondemand/{{}}/Linux/index.json"
EBS = f"{_EC2}/ebs.json"
RDS_STORAGE = f"{_RDS}/rds-storage.json"
AURORA = f"{_RDS}/rds-aurora-ondemand.json"
AURORA_STORAGE = f"{_RDS}/rds-aurora-storage.json"
SPOT = "/spot-advisor-data.json"
PAYMENTS = ("No Upfront", "Partial Upfront", "All Upfront")
TERMS = ("1 year", "3 year")


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class Memory:
    """A response store in memory."""

    def __init__(self) -> None:
        self.held: dict[str, Stored] = {}

    def get(self, url: str) -> Stored | None:
        return self.held.get(url)

    def put(self, url: str, stored: Stored) -> None:
        self.held[url] = stored


def body(
    rows: Mapping[str, Any], location: str = LOCATION, currency: str = "USD", **others: Any
) -> bytes:
    """Return a feed of one location, and of ``others`` by name."""
    document = {
        "manifest": {"hawkFilePublicationDate": PUBLISHED, "currencyCode": currency},
        "sets": {},
        "regions": {location: rows, **others},
    }
    return json.dumps(document).encode()


def instance(name: str, price: object, **others: object) -> dict[str, object]:
    """Return an EC2 row."""
    return {
        "rateCode": "8UV4QSA8PYG7G6CM.JRTCKXETXF.6YS6EN2CT7",
        "price": price,
        "Location": LOCATION,
        "vCPU": "2",
        "Instance Type": name,
        "Memory": "8 GiB",
        "Storage": "EBS only",
        "Network Performance": "Up to 12.5 Gigabit",
        "Operating System": "Linux",
        "Pre Installed S/W": "NA",
        "License Model": "No License required",
        **others,
    }


def reserved(name: str, price: str, upfront: str | None = None, **others: object) -> dict[str, Any]:
    """Return a reserved row."""
    paid = {} if upfront is None else {"riupfront:PricePerUnit": upfront}
    return {"price": price, "Instance Type": name, "Location": LOCATION, **paid, **others}


def db_class(engine: str, name: str, price: str, kind: str = "Single-AZ") -> dict[str, Any]:
    """Return a row of an on-demand feed of RDS, under its key and under its hash."""
    size = name.removeprefix("db.")
    key = (
        f"Database Instance {engine} No license required db {size} General purpose {kind} "
        "Current Generation"
    )
    row = {"price": price, "Instance Type": name, "RegionlessRateCode": f"h-{key}"}
    return {f"h-{key}": row, key: row}


EBS_ROWS = {
    key: {"price": price}
    for key, price in {
        "Storage General Purpose GB Mo": "0.1100000000",
        "Storage General Purpose gp2 GB Mo": "0.1100000000",
        "Storage General Purpose gp3 GB Mo": "0.0880000000",
        "Provisioned EBS IOPS gp3 Volumes per IOPS Mo": "0.0055000000",
        "Provisioned Throughput gp3 per GiBps mo": "45.0560000000",
        "Storage Provisioned IOPS io1 GB Mo": "0.1380000000",
        "Provisioned EBS IOPS io1 Volumes per IOPS Mo": "0.0720000000",
        "Storage Provisioned IOPS io2 GB month": "0.1380000000",
        "Provisioned EBS IOPS io2 Volumes per IOPS Mo": "0.0720000000",
        "Provisioned EBS IOPS Tier 2 io2 Volumes per IOPS Mo": "0.0504000000",
        "Provisioned EBS IOPS Tier 3 io2 Volumes per IOPS Mo": "0.0352800000",
        "Storage Throughput Optimized HDD st1 GB Mo": "0.0500000000",
        "Storage Cold HDD sc1 GB Mo": "0.0168000000",
        "Storage Magnetic standard GB Mo": "0.0550000000",
        "Provisioned EBS I O Requests standard Volumes per IOs": "0.0000000550",
        "Storage Snapshot Amazon S3 GB Mo": "0.0500000000",
        "Storage Snapshot Amazon S3 Outpost GB Mo": "0.0270000000",
        "A product of tomorrow per GB Mo": "1",
    }.items()
}
RDS_STORAGE_ROWS = {
    key: {"price": price}
    for spelt, factor in (("Single AZ", 1), ("Multi AZ", 2), ("Multi AZ readable standbys", 3))
    for key, price in {
        f"Database Storage {spelt} General Purpose": f"{0.127 * factor:.4f}",
        f"Database Storage {spelt} General Purpose-GP3": f"{0.127 * factor:.4f}",
        f"Provisioned GP3 IOPS {spelt}": f"{0.022 * factor:.4f}",
        f"Provisioned Throughput {spelt}": f"{0.088 * factor:.4f}",
        f"Database Storage {spelt} Provisioned IOPS": f"{0.138 * factor:.4f}",
        f"Provisioned IOPS {spelt}": f"{0.11 * factor:.4f}",
        f"Database Storage {spelt} Provisioned IOPS-IO2": f"{0.138 * factor:.4f}",
    }.items()
} | {"Storage Snapshot": {"price": "0.0950000000"}}
AURORA_STORAGE_ROWS = {
    "Database Storage DB Engine Aurora PostgreSQL General Purpose Aurora": {"price": "0.11"},
    "System Operation Aurora I O Operation": {"price": "0.0000002200"},
    "Aurora MySQL IO Optimized Aurora": {"price": "0.2480000000"},
    "Aurora PostgreSQL IO Optimized Aurora": {"price": "0.2480000000"},
    "Storage Snapshot Aurora MySQL": {"price": "0.0210000000"},
    "Any Year 1 Year 2 13": {"price": "0.0950000000"},
    "hash": {"price": "0.0000002200"},
}
SPOT_ADVICE = {
    "ranges": [{"index": 0, "label": "<5%"}, {"index": 4, "label": ">20%"}],
    "spot_advisor": {
        "eu-west-1": {
            "Linux": {
                "m7g.large": {"s": 62, "r": 0},
                "m4.large": {"s": 30, "r": 4},
                "x9z.large": {"s": 50, "r": 0},
            },
            "Windows": {"m7g.large": {"s": 10, "r": 4}},
        }
    },
}


def on_demand_rows() -> dict[str, dict[str, object]]:
    """Return current instances, with rows that are none of ours among them."""
    disks = {"Storage": "2 x 1425 NVMe SSD", "Network Performance": "18750 Megabit"}
    return {
        "m7g large": instance("m7g.large", "0.0912000000"),
        "hash of m7g large": instance("m7g.large", "0.0912000000"),
        "m6id 12xlarge": instance("m6id.12xlarge", "3.1752", vCPU="48", Memory="192 GiB", **disks),
        "m7g large dedicated": instance("m7g.large", "0.1000000000", Tenancy="Dedicated"),
        "m7g large windows": instance("m7g.large", "0.2", **{"Operating System": "Windows"}),
        "a note": {"text": "no row of a price"},
    }


def serve_all(server: Server, location: str = LOCATION) -> None:
    """Serve every feed of a region, and the spot advisor, as gzip that no header declares."""
    place = quote(location, safe="()")
    bodies = {
        ON_DEMAND.format(place): body(on_demand_rows(), location),
        PREVIOUS.format(place): body({"m4 large": instance("m4.large", "0.1110000000")}, location),
        EBS: body(EBS_ROWS, location),
        RDS_STORAGE: body(RDS_STORAGE_ROWS, location),
        AURORA_STORAGE: body(AURORA_STORAGE_ROWS, location),
        AURORA: body(_aurora_rows(), location),
        SPOT: json.dumps(SPOT_ADVICE).encode(),
    }
    for engine, spelt in RDS_LABELS.items():
        bodies[f"{_RDS}/rds-{engine}-ondemand.json"] = body(
            db_class(spelt, "db.m7g.large", "0.1850000000")
            | db_class(spelt, "db.m7g.large", "0.3700000000", "Multi-AZ")
            | db_class(spelt, "db.m7g.large", "0.5550000000", "Multi-AZ readable standbys"),
            location,
        )
    for term, payment in product(TERMS, PAYMENTS):
        paid = None if payment == "No Upfront" else "300"
        hourly = "0.0000000000" if payment == "All Upfront" else "0.0300000000"
        way = f"{quote(term)}/{quote(payment)}"
        bodies[f"{_EC2}/ec2-reservedinstance/{way}/{place}/Linux/Shared/index.json"] = body(
            {"m7g": reserved("m7g.large", hourly, paid, Tenancy="Shared")}, location
        )
        path = "/computesavingsplan/USD/current/compute-savings-plan-ec2"
        bodies[f"{path}/{way}/{place}/Linux/Shared/index.json"] = body(
            {"m7g": {"price": "0.0660000000", "ec2:InstanceType": "m7g.large"}}, location
        )
        for engine, deployment in product(("mysql", "postgresql"), ("Single-AZ", "Multi-AZ")):
            bodies[
                f"{_RDS}/rds-{engine}-reservedinstance/{deployment}/{way}/{place}/index.json"
            ] = body({"m7g": reserved("db.m7g.large", hourly, paid)}, location)
    for path, feed in bodies.items():
        packed = squeezed(feed, is_declared=False).body
        server.routes[path] = with_validators(packed, f'"{hash(path)}"')


def _aurora_rows() -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for engine in ("Aurora MySQL", "Aurora PostgreSQL"):
        rows |= db_class(engine, "db.r6g.large", "0.2870000000")
        rows |= {
            key.replace("required db", "required Aurora IO Optimization Mode db"): row
            for key, row in db_class(engine, "db.r6g.large", "0.3731000000").items()
        }
    return rows
