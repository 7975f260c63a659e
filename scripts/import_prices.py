#!/usr/bin/env python3
"""Imports AWS prices into ``data/prices/``, their sources and the gaps of all joins.

Run as ``python -m scripts.import_prices`` last: it lists the gaps of all tables. Deterministic: the
same tables give the same bytes. Amounts keep every digit; a missing price is no row.
"""

from __future__ import annotations

import argparse
from decimal import Decimal
from pathlib import Path

from scripts.csv_tables import Row, plain, read_rows, write_rows
from scripts.known_gaps import write_known_gaps
from scripts.price_sources import SOURCE_IDS, write_sources
from scripts.rds_tables import import_aurora, import_rds, import_rds_storage, undecided_aurora

EC2_COLUMNS = (
    "region",
    "instance_type",
    "term",
    "usd_per_hour",
    "as_of",
    "source_id",
    "flag",
)
VOLUME_COLUMNS = (
    "region",
    "volume_type",
    "item",
    "tier_from",
    "usd",
    "unit",
    "as_of",
    "source_id",
)

#: Column of the collected table → term. Convertible is kept apart by name: it is another product.
_RESERVED = {
    "ri1y_std_noupfront": "reserved-1y",
    "ri3y_std_noupfront": "reserved-3y",
    "ri1y_conv_noupfront": "reserved-1y-convertible",
    "ri3y_conv_noupfront": "reserved-3y-convertible",
}
#: Spot is old and never a default; both kinds say so in their name.
_SPOT = {
    "spot_usd_hour_2024_08": ("spot-observed", "2024-08", "ec2-spot-2024"),
    "spot_est_usd_hour": ("spot-estimate", "2025-06", "ec2-spot-advisor-2025"),
}

_GIB = "GiB-month"
_IOPS = "IOPS-month"
#: Column → volume type, item, tier, unit. AWS writes GB-month and MB/s, and bills GiB and MiB/s.
_VOLUME_ITEMS = {
    "gp2_gb": ("gp2", "capacity", "0", _GIB),
    "gp3_gb": ("gp3", "capacity", "0", _GIB),
    "gp3_iops": ("gp3", "iops", "0", _IOPS),
    "gp3_tput_mibps": ("gp3", "throughput", "0", "MiB/s-month"),
    "io1_gb": ("io1", "capacity", "0", _GIB),
    "io1_iops": ("io1", "iops", "0", _IOPS),
    "io2_gb": ("io2", "capacity", "0", _GIB),
    "io2_iops_t1": ("io2", "iops", "0", _IOPS),
    "io2_iops_t2": ("io2", "iops", "32000", _IOPS),
    "io2_iops_t3": ("io2", "iops", "64000", _IOPS),
    "st1_gb": ("st1", "capacity", "0", _GIB),
    "sc1_gb": ("sc1", "capacity", "0", _GIB),
    "standard_gb": ("standard", "capacity", "0", _GIB),
    "standard_io": ("standard", "requests", "0", "request"),
    "snapshot_gb": ("snapshot", "capacity", "0", _GIB),
}


def import_ec2(shared: Path, data: Path) -> int:
    """Write ``ec2.csv``, one row per region, type and term; return its rows."""
    rows = [
        row
        for item in read_rows(shared / "ec2_prices.csv")
        for row in _ec2_rows(item)
        if row["usd_per_hour"]
    ]
    key = ("region", "instance_type", "term")
    return write_rows(data / "prices" / "ec2.csv", EC2_COLUMNS, key, rows)


def _ec2_rows(item: Row) -> list[Row]:
    """Return the rows of all terms; ``usd_per_hour`` is empty where the table has no price."""
    quotes = [("on-demand", "od_usd_hour", item["od_as_of"], SOURCE_IDS[item["od_source"]])]
    quotes += [
        (term, column, item["ri_as_of"], "ec2-shop-2025") for column, term in _RESERVED.items()
    ]
    quotes += [(term, column, as_of, source) for column, (term, as_of, source) in _SPOT.items()]
    flags = {"on-demand": _BARE_METAL_FLAGS[item["flag"]]}
    flags |= dict.fromkeys(_RESERVED.values(), _stale(item))
    return [
        {
            "region": item["region"],
            "instance_type": item["instance_type"],
            "term": term,
            "usd_per_hour": plain(item[column]),
            "as_of": as_of,
            "source_id": source,
            "flag": flags.get(term, ""),
        }
        for term, column, as_of, source in quotes
    ]


_BARE_METAL_FLAGS = {
    "": "",
    "bare metal from karpenter: may be dedicated-tenancy price": "may be the dedicated rate",
    "karpenter value was the dedicated-tenancy price": "newer source gave the dedicated rate",
}


def _stale(item: Row) -> str:
    """Return a flag where the on-demand price moved since the reserved one was quoted."""
    then, now = item["ri_od_usd_hour"], item["od_usd_hour"]
    if not then or not now or Decimal(then) == Decimal(now):
        return ""
    return f"on-demand was {plain(then)} when quoted"


def import_volumes(shared: Path, data: Path) -> int:
    """Write ``volumes.csv``, one row per region, volume type, item and tier; return its rows."""
    rows = [
        {
            "region": item["region"],
            "volume_type": volume_type,
            "item": name,
            "tier_from": tier,
            "usd": plain(item[column]),
            "unit": unit,
            "as_of": item["as_of"],
            "source_id": SOURCE_IDS[item["source"]],
        }
        for item in read_rows(shared / "ebs_prices.csv")
        for column, (volume_type, name, tier, unit) in _VOLUME_ITEMS.items()
        if item[column]
    ]
    key = ("region", "volume_type", "item", "tier_from")
    return write_rows(data / "prices" / "volumes.csv", VOLUME_COLUMNS, key, rows)


def main() -> None:
    """Import all price tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--data", type=Path, default=Path("data"))
    arguments = parser.parse_args()
    prices, data = arguments.shared / "prices", arguments.data
    print("ec2", import_ec2(prices, data))
    print("volumes", import_volumes(prices, data))
    print("rds", import_rds(prices, data))
    print("rds_storage", import_rds_storage(prices, data))
    print("aurora", import_aurora(prices, data))
    print("sources", write_sources(data))
    print("known_gaps", write_known_gaps(data, undecided_aurora(prices)))


if __name__ == "__main__":
    main()
