"""Lists the joins of ``data/`` that are incomplete, each with its reason.

Computed from the finished tables; ``advisor data verify`` fails on an incomplete join that is not
listed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.csv_tables import Row, read_rows, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

COLUMNS = ("table", "key", "reason")
_REFERENCE_REGION = "us-east-1"


def write_known_gaps(data: Path, undecided: Iterable[str]) -> int:
    """Write ``known_gaps.csv``; return its rows. ``undecided``: Aurora prices of unknown mode."""
    rows = [
        {"table": table, "key": key, "reason": reason}
        for table, key, reason in (
            *_ec2_gaps(data),
            *_volume_gaps(data),
            *_rds_gaps(data),
            *_score_gaps(data),
            *_undecided_gaps(undecided),
        )
    ]
    return write_rows(data / "known_gaps.csv", COLUMNS, COLUMNS, rows)


def _ec2_gaps(data: Path) -> Iterator[tuple[str, str, str]]:
    types = read_rows(data / "catalogue" / "instance_types.csv")
    prices = read_rows(data / "prices" / "ec2.csv")
    known = {row["instance_type"] for row in types}
    priced = {row["instance_type"] for row in prices}
    for name in sorted(priced - known):
        yield "ec2_prices", name, "priced type without specifications"
    for name in sorted(known - priced):
        yield "instance_types", name, "no price in any region"
    for row in types:
        if row["exclusion"] == "incomplete":
            yield "instance_types", row["instance_type"], "specifications incomplete"
        if row["is_burstable"] == "true" and not row["cpu_baseline_ratio"]:
            yield "instance_types", row["instance_type"], "burst baseline not published"
    yield from _unpriced_candidates(types, prices)


def _unpriced_candidates(types: list[Row], prices: list[Row]) -> Iterator[tuple[str, str, str]]:
    """Yield default candidates that lack a price in the reference region, per term."""
    local = [row for row in prices if row["region"] == _REFERENCE_REGION]
    for term in ("on-demand", "reserved-1y", "reserved-3y"):
        priced = {row["instance_type"] for row in local if row["term"] == term}
        for row in types:
            if not row["exclusion"] and row["instance_type"] not in priced:
                yield (
                    "ec2_prices",
                    f"{_REFERENCE_REGION}/{row['instance_type']}/{term}",
                    f"default candidate without {term} price in {_REFERENCE_REGION}",
                )


def _volume_gaps(data: Path) -> Iterator[tuple[str, str, str]]:
    regions = sorted({row["region"] for row in read_rows(data / "prices" / "ec2.csv")})
    volumes = read_rows(data / "prices" / "volumes.csv")
    priced = {row["region"] for row in volumes}
    for region in regions:
        types = {row["volume_type"] for row in volumes if row["region"] == region}
        if region not in priced:
            yield "volume_prices", region, "region without EBS prices"
        elif "io2" not in types:
            yield "volume_prices", f"{region}/io2", "region without io2 prices"


def _undecided_gaps(undecided: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for key in undecided:
        yield "aurora_prices", key, "Standard or I/O-Optimized could not be decided"


def _rds_gaps(data: Path) -> Iterator[tuple[str, str, str]]:
    classes = read_rows(data / "catalogue" / "rds_classes.csv")
    rds = read_rows(data / "prices" / "rds.csv")
    aurora = read_rows(data / "prices" / "aurora.csv")
    known = {row["db_class"] for row in classes}
    for table, rows in (("rds_prices", rds), ("aurora_prices", aurora)):
        for name in sorted({row["db_class"] for row in rows} - known):
            yield table, name, "priced class without a catalogue row"
    priced = {row["db_class"] for row in (*rds, *aurora)}
    for row in classes:
        name = row["db_class"]
        if name not in priced:
            yield "rds_classes", name, "no RDS or Aurora price"
        if not row["instance_type"]:
            yield "rds_classes", name, "no EC2 twin for its EBS limits"
        if not row["ebs_baseline_mib_per_s"]:
            yield "rds_classes", name, "sustained EBS bandwidth unknown"
        if not row["vcpu"]:
            yield "rds_classes", name, "vCPU count unknown"
    yield from _rds_storage_gaps(data, rds, aurora)


def _rds_storage_gaps(
    data: Path, rds: list[Row], aurora: list[Row]
) -> Iterator[tuple[str, str, str]]:
    storage = read_rows(data / "prices" / "rds_storage.csv")
    for region in sorted({row["region"] for row in rds}):
        if not any(row["region"] == region and row["engine"] == "mysql" for row in storage):
            yield "rds_storage_prices", f"{region}/rds", "region without RDS storage prices"
    for region in sorted({row["region"] for row in aurora}):
        items = {
            (row["storage_type"], row["item"])
            for row in storage
            if row["region"] == region and row["engine"] == "aurora"
        }
        if not items >= _AURORA_ITEMS:
            yield "rds_storage_prices", f"{region}/aurora", "Aurora storage prices incomplete"


def _score_gaps(data: Path) -> Iterator[tuple[str, str, str]]:
    """Yield scored types without specifications, from tables that another import writes."""
    known = {row["instance_type"] for row in read_rows(data / "catalogue" / "instance_types.csv")}
    for table, name in _SCORES.items():
        path = data / name
        scored = {row["instance_type"] for row in read_rows(path)} if path.exists() else set()
        for instance_type in sorted(scored - known):
            yield table, instance_type, "scored type without specifications"


#: Table → file of CPU scores.
_SCORES = {
    "coremark": "catalogue/coremark.csv",
    "cpu_models": "share-alike/cpu_models.csv",
    "cpu_scaling": "share-alike/cpu_scaling.csv",
    "cpu_scores": "share-alike/cpu_scores.csv",
    "redis_scores": "share-alike/redis.csv",
}

_AURORA_ITEMS = {
    ("aurora-standard", "capacity"),
    ("aurora-standard", "requests"),
    ("aurora-io-optimized", "capacity"),
}
