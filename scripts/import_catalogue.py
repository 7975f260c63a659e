#!/usr/bin/env python3
"""Imports instance types, volume limits and RDS classes into ``data/catalogue/``.

Run as ``python -m scripts.import_catalogue``. Reads the collected tables of ``../shared/prices``;
deterministic: the same tables give the same bytes. Must never invent a value: what a table does not
say stays empty.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scripts.csv_tables import Row, measure, plain, read_rows, write_rows
from scripts.instance_rules import (
    MODELS_OF_SILICON,
    SATA_FAMILIES,
    cpu_baseline,
    exclusion,
    generation,
    generations_kept,
    silicon,
)
from scripts.price_sources import SOURCE_IDS
from scripts.volume_limits import write_volume_limits

INSTANCE_COLUMNS = (
    "instance_type",
    "family",
    "generation",
    "vcpu",
    "memory_gib",
    "arch",
    "cpu_maker",
    "threads_per_core",
    "processor",
    "silicon",
    "ebs_baseline_iops",
    "ebs_max_iops",
    "ebs_baseline_mib_per_s",
    "ebs_max_mib_per_s",
    "ebs_max_volumes",
    "network_baseline_gbps",
    "network_max_gbps",
    "disk_count",
    "disk_total_gb",
    "disk_read_iops",
    "disk_write_iops",
    "disk_source_id",
    "other_disk_type",
    "category",
    "hypervisor",
    "is_bare_metal",
    "is_burstable",
    "cpu_baseline_ratio",
    "cpu_baseline_source_id",
    "exclusion",
    "as_of",
    "source_id",
)
#: What a default candidate cannot do without.
REQUIRED = (
    "vcpu",
    "memory_gib",
    "arch",
    "threads_per_core",
    "ebs_baseline_iops",
    "ebs_max_iops",
    "ebs_baseline_mib_per_s",
    "ebs_max_mib_per_s",
)
RDS_COLUMNS = (
    "db_class",
    "family",
    "category",
    "instance_type",
    "vcpu",
    "memory_gib",
    "ebs_baseline_mib_per_s",
    "ebs_max_mib_per_s",
    "ebs_limits_source",
    "network_max_gbps",
    "as_of",
    "source_id",
)
REFERENCE_REGION = "us-east-1"
_BYTES_PER_MIB = 2**20


def mib_per_s(megabits: str) -> str:
    """Return decimal Mbps as MiB/s: ``2500`` → ``298.0232``; empty stays empty."""
    return measure(float(megabits) * 1e6 / 8 / _BYTES_PER_MIB) if megabits else ""


def import_instance_types(shared: Path, data: Path) -> int:
    """Write ``instance_types.csv``; return its rows."""
    specs = read_rows(shared / "ec2_specs.csv")
    priced = {
        row["instance_type"].split(".")[0]
        for row in read_rows(shared / "ec2_prices.csv")
        if row["region"] == REFERENCE_REGION and row["od_usd_hour"]
    }
    kept = generations_kept(family for family in priced if family in {r["family"] for r in specs})
    rows = []
    for spec in specs:
        row = _instance_row(spec)
        row["exclusion"] = exclusion(row, kept, REQUIRED)
        rows.append(row)
    catalogue = data / "catalogue"
    _check_cpu_models(specs)
    return write_rows(catalogue / "instance_types.csv", INSTANCE_COLUMNS, ("instance_type",), rows)


def _instance_row(spec: Row) -> Row:
    family, size = spec["instance_type"].split(".", 1)
    is_burstable = spec["burstable"] == "True" or family in {"t1", "t8i"}
    baseline = cpu_baseline(family, size, is_burstable=is_burstable)
    maker = spec["cpu_maker"] or spec["arch"].split(" ")[0]
    return {
        "instance_type": spec["instance_type"],
        "family": family,
        "generation": str(generation(family)),
        "vcpu": spec["vcpu"],
        "memory_gib": measure(float(spec["memory_gib"])),
        "arch": "arm64" if "arm64" in spec["arch"] else "x86_64",
        "cpu_maker": maker,
        "threads_per_core": spec["threads_per_core"],
        "processor": spec["processor"],
        "silicon": silicon(family, maker, spec["processor"]),
        "ebs_baseline_iops": spec["ebs_baseline_iops"],
        "ebs_max_iops": spec["ebs_max_iops"],
        "ebs_baseline_mib_per_s": mib_per_s(spec["ebs_baseline_mbps"]),
        "ebs_max_mib_per_s": mib_per_s(spec["ebs_max_mbps"]),
        "ebs_max_volumes": spec["ebs_max_attachments"],
        "network_baseline_gbps": plain(spec["net_baseline_gbps"]),
        "network_max_gbps": plain(spec["net_burst_gbps"]),
        **_disks(spec, family),
        "category": spec["category"].replace("_", "-"),
        "hypervisor": spec["hypervisor"],
        "is_bare_metal": _is_bare_metal(spec),
        "is_burstable": str(is_burstable).lower(),
        "cpu_baseline_ratio": baseline,
        "cpu_baseline_source_id": "aws-t-baselines" if is_burstable and baseline else "",
        "exclusion": "",
        "as_of": spec["spec_as_of"],
        "source_id": SOURCE_IDS[spec["spec_source"]],
    }


def _is_bare_metal(spec: Row) -> str:
    """Return ``true`` also where only the name says so: 21 rows lack the flag."""
    return str(spec["bare_metal"] == "True" or ".metal" in spec["instance_type"]).lower()


def _disks(spec: Row, family: str) -> Row:
    """Return the NVMe columns; SATA and magnetic disks are named, never counted as NVMe."""
    kind = spec["local_disk_type"]
    is_nvme = kind == "ssd" and family not in SATA_FAMILIES
    return {
        "disk_count": spec["nvme_disks"] if is_nvme else "",
        "disk_total_gb": spec["nvme_total_gb"] if is_nvme else "",
        "disk_read_iops": spec["nvme_read_iops"] if is_nvme else "",
        "disk_write_iops": spec["nvme_write_iops"] if is_nvme else "",
        "disk_source_id": "aws-instance-info-2026" if is_nvme and spec["nvme_read_iops"] else "",
        "other_disk_type": "" if is_nvme or not kind else {"ssd": "sata-ssd"}.get(kind, kind),
    }


def _check_cpu_models(specs: list[Row]) -> None:
    """Raise ValueError where a CPU model that was seen contradicts the silicon rule.

    The models themselves are under a share-alike licence and stay out of this table.
    """
    for spec in specs:
        model = spec["cpu_model"]
        label = silicon(spec["family"], spec["cpu_maker"], spec["processor"]) if model else "other"
        if label != "other" and model not in MODELS_OF_SILICON[label]:
            raise ValueError(f"{spec['instance_type']}: {model} is not known as {label}")


def import_rds_classes(shared: Path, data: Path) -> int:
    """Write ``rds_classes.csv``; return its rows.

    EBS bandwidth: the class's own words; "Up to" is a maximum, its baseline that of the EC2 twin,
    if there is one with the same maximum.
    """
    twins = {row["instance_type"]: row for row in read_rows(shared / "ec2_specs.csv")}
    rows = []
    for item in read_rows(shared / "rds_classes.csv"):
        twin_name = ".".join(item["db_class"].removeprefix("db.").split(".")[:2])
        twin = twins.get(twin_name)
        bandwidth = item["ebs_bandwidth_mbps"].replace(",", "")
        maximum = bandwidth.removeprefix("Up to ")
        baseline = bandwidth if maximum == bandwidth else ""
        origin = "class" if bandwidth else ""
        if twin is not None and not baseline and twin["ebs_max_mbps"] == maximum:
            baseline, origin = twin["ebs_baseline_mbps"], "ec2-twin"
        rows.append(
            {
                "db_class": item["db_class"],
                "family": item["family"].lower(),
                "category": item["category"].replace("_", "-"),
                "instance_type": twin_name if twin is not None else "",
                "vcpu": "" if item["vcpu"] == "0" else item["vcpu"],
                "memory_gib": item["memory_gib"],
                "ebs_baseline_mib_per_s": mib_per_s(baseline),
                "ebs_max_mib_per_s": mib_per_s(maximum),
                "ebs_limits_source": origin,
                "network_max_gbps": _gigabits(item["network_gbps"]),
                "as_of": item["as_of"],
                "source_id": SOURCE_IDS[item["source"]],
            }
        )
    return write_rows(data / "catalogue" / "rds_classes.csv", RDS_COLUMNS, ("db_class",), rows)


def _gigabits(text: str) -> str:
    """Return the number in ``Up to 12.5``; words such as ``Moderate`` are unknown."""
    number = text.removeprefix("Up to ")
    return number if number.replace(".", "").isdigit() else ""


def main() -> None:
    """Import all catalogue tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--data", type=Path, default=Path("data"))
    arguments = parser.parse_args()
    prices = arguments.shared / "prices"
    print("instance_types", import_instance_types(prices, arguments.data))
    print("volume_limits", write_volume_limits(prices, arguments.data))
    print("rds_classes", import_rds_classes(prices, arguments.data))


if __name__ == "__main__":
    main()
