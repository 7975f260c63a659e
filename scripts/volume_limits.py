"""What one volume of each type can be, per platform.

EC2 sizes and maxima come from the collected table; what its words say about steps and bursts is
held here as numbers. Throughput of a volume: min(max, max(min, IOPS × throughput_per_iops)).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.csv_tables import Row, read_rows, write_rows

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = (
    "platform",
    "volume_type",
    "from_gib",
    "min_gib",
    "max_gib",
    "min_iops",
    "max_iops",
    "iops_per_gib",
    "min_throughput_mib_per_s",
    "max_throughput_mib_per_s",
    "throughput_per_iops",
    "burst_iops",
    "burst_credits",
    "durability",
    "as_of",
    "source_id",
    "note",
)
#: Every io2 volume is Block Express since 2023-11; the limits before are history.
_EC2_NAMES = {"io2 (Block Express)": "io2"}
#: Its comma is not quoted in the collected table, which shifts the row: it must not be read.
_HISTORICAL = "io2 (pre-Block Express"

#: Volume type → what the table says in words: included IOPS and MiB/s, MiB/s per IOPS, burst.
_EC2_WORDS: dict[str, Row] = {
    "gp2": {
        "min_iops": "100",
        "min_throughput_mib_per_s": "128",
        "burst_iops": "3000",
        "burst_credits": "5400000",
        "note": "128 MiB/s up to 170 GiB, 250 from 334 GiB, between them with credits",
    },
    "gp3": {
        "min_iops": "3000",
        "min_throughput_mib_per_s": "125",
        "throughput_per_iops": "0.25",
        "note": "limits since late 2025; before: 16,000 IOPS, 1,000 MiB/s, 16 TiB",
    },
    "io1": {
        "min_iops": "100",
        "min_throughput_mib_per_s": "500",
        "throughput_per_iops": "0.015625",
        "note": "500 MiB/s from 2,000 to 32,000 IOPS (256 KiB I/O), above 16 KiB per IOPS",
    },
    "io2": {
        "min_iops": "100",
        "min_throughput_mib_per_s": "25",
        "throughput_per_iops": "0.256",
        "note": "Block Express; not on instances before Nitro",
    },
    "st1": {"min_iops": "", "min_throughput_mib_per_s": "", "note": "40 MiB/s per TiB"},
    "sc1": {"min_iops": "", "min_throughput_mib_per_s": "", "note": "12 MiB/s per TiB"},
}

#: RDS for MySQL, MariaDB and PostgreSQL; volume_type, from_gib, min_gib, max_gib, min_iops,
#: max_iops, iops_per_gib, min and max MiB/s, MiB/s per IOPS, note.
_RDS = (
    ("gp2", "0", "20", "65536", "100", "64000", "3", "128", "1000", "", "striped over volumes"),
    ("gp3", "0", "20", "399", "3000", "3000", "", "125", "125", "", "fixed below 400 GiB"),
    (
        "gp3",
        "400",
        "400",
        "65536",
        "12000",
        "64000",
        "500",
        "500",
        "4000",
        "0.25",
        "12,000 IOPS and 500 MiB/s are included from 400 GiB on",
    ),
    ("io1", "0", "100", "65536", "1000", "256000", "50", "", "4000", "", ""),
    ("io2", "0", "100", "65536", "1000", "256000", "1000", "256", "16000", "0.256", ""),
)


def write_volume_limits(shared: Path, data: Path) -> int:
    """Write ``volume_limits.csv``; return its rows."""
    limits = read_rows(shared / "ebs_volume_limits.csv")
    rows = [_ec2_row(item) for item in limits if item["volume_type"] != _HISTORICAL]
    rows += [_rds_row(item) for item in _RDS]
    key = ("platform", "volume_type", "from_gib")
    return write_rows(data / "catalogue" / "volume_limits.csv", COLUMNS, key, rows)


def _ec2_row(item: Row) -> Row:
    name = _EC2_NAMES.get(item["volume_type"], item["volume_type"])
    empty = dict.fromkeys(COLUMNS, "")
    return (
        empty
        | {
            "platform": "ec2",
            "volume_type": name,
            "from_gib": "0",
            "min_gib": item["min_gib"],
            "max_gib": item["max_gib"],
            "max_iops": item["max_iops"],
            "iops_per_gib": item["iops_per_gib_max"],
            "max_throughput_mib_per_s": item["max_throughput_mibps"],
            "durability": item["durability"],
            "as_of": "2026-11",
            "source_id": "aws-ebs-limits",
        }
        | _EC2_WORDS.get(name, {})
    )


def _rds_row(item: tuple[str, ...]) -> Row:
    names = COLUMNS[1:11]
    durability = "99.999%" if item[0] == "io2" else "99.8-99.9%"
    return (
        dict.fromkeys(COLUMNS, "")
        | {"platform": "rds", "durability": durability, "as_of": "2025-10", "note": item[-1]}
        | {"source_id": "aws-rds-storage-limits"}
        | dict(zip(names, item[:-1], strict=True))
    )
