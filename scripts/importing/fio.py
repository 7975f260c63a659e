"""fio runs on EC2 collected from three repositories: volumes, RAID0 and local disks."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from scripts.importing.numbers import plain
from scripts.importing.observation import Imported, Observation, measured
from scripts.importing.tables import Row, read_table

if TYPE_CHECKING:
    from pathlib import Path

CONDITIONS = {
    "liangruibupt_ebs_2020": "fio-liangruibupt",
    "pgconf2019_jzampieron": "fio-jzampieron",
    "aws_samples_amd_ebs_2023": "fio-aws-samples",
}
SMALL_GP2_BURST_IOPS = 3100
"""A gp2 volume under 1 TiB gives 3,000 IOPS at most; more than this was not served by it."""

PRINTED_TWICE = "the same fio process printed for a second volume"
TWO_VOLUMES = "printed for a 100 GB volume and for one of 300 GB from a snapshot"

MARKS = ("Sync Heavy", "Pathological Sync", "Async", "new EBS volume", "redo")
"""What a section heading may say about a run that its numbers do not."""

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
STORAGE = re.compile(r"(gp2|io1|io2|local NVMe)(?: (\d+) GB)?(?: (RAID0|from snapshot))?")
LATENCIES = ("avg", "max", "p50", "p95", "p99")


def fio(folder: Path) -> Imported:
    """One row per metric of each run; the series is the file and the ordinal of the run in it."""
    rows = read_table(folder, "fio_ec2_misc")
    result = Imported("fio_ec2_misc", len(rows))
    sides = {(row["file"], row["hdr"], row["rw"]) for row in rows}
    printed = Counter(_identity(row) for row in rows)
    ordinals: dict[str, list[tuple[str, str]]] = {}
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        if _identity(row) in seen:
            result.drop(PRINTED_TWICE)
            continue
        seen.add(_identity(row))
        name = row["file"].removesuffix(".md") or row["source_id"]
        runs = ordinals.setdefault(name, [])
        run = (row["section"], row["hdr"])
        if run not in runs:
            runs.append(run)
        is_mixed = {(row["file"], row["hdr"], side) for side in ("read", "write")} <= sides
        kind = "randrw" if is_mixed else row["fio_rw"] or "randwrite"
        base = _base(row, kind)
        base = replace(base, series=f"{name}-{runs.index(run) + 1}")
        if printed[_identity(row)] > 1:
            base = replace(base, storage_size_gib="", note=f"{base.note}; {TWO_VOLUMES}")
        result.observations += measured(base, _values(row, kind))
    return result


def _identity(row: Row) -> tuple[str, ...]:
    """What tells a run from another: fio's process id and time, the side and its rate."""
    return row["hdr"], row["rw"], row["iops"]


def _values(row: Row, kind: str) -> dict[str, str]:
    """Metrics of the run; the two sides of a mixed run are told apart by their prefix."""
    if kind != "randrw":
        values = {"iops": row["iops"], "throughput_mib_per_s": row["mib_s"]}
        return values | {f"latency_{part}_ms": row[f"latency_{part}_ms"] for part in LATENCIES}
    side = row["rw"]
    values = {f"{side}_iops": row["iops"], f"{side}_throughput_mib_per_s": row["mib_s"]}
    return values | {f"{side}_latency_{part}_ms": row[f"latency_{part}_ms"] for part in LATENCIES}


def _base(row: Row, kind: str) -> Observation:
    raid = re.search(r"(\d)x (\d)TB x (\d)k IOPS \((io1)\) SW RAID 0", row["section"])
    found = STORAGE.fullmatch(row["storage_type"])
    if raid:
        volume_type, size, iops, count = raid[4], str(int(raid[2]) * 1024), f"{raid[3]}000", raid[1]
    elif found:
        volume_type = "nvme" if found[1] == "local NVMe" else found[1]
        size, iops = found[2] or "", plain(row["provisioned_iops"])
        count = "1" if found[3] != "RAID0" and volume_type != "nvme" else ""
    else:
        volume_type, size, iops, count = "", "", "", ""
    return Observation(
        source_id=row["source_id"],
        condition_id=CONDITIONS[row["source_id"]],
        series="",
        date=run_date(row["hdr"]) or row["date"],
        platform="ec2",
        instance_type=row["instance_type"],
        storage_type=volume_type,
        storage_size_gib=size,
        storage_iops=iops,
        storage_count=count,
        workload=f"fio_{kind}_{_block(row['block'])}",
        read_ratio={"randwrite": "0", "randrw": ""}.get(kind, "1"),
        threads=row["numjobs"],
        client="local",
        note=_note(row, volume_type),
    )


def _block(label: str) -> str:
    """``4096B``, ``64.0KiB`` and ``16k`` as ``4k``, ``64k`` and ``16k``."""
    return {"4096B": "4k", "64.0KiB": "64k", "1024k": "1m"}.get(label, label)


def _note(row: Row, volume_type: str) -> str:
    notes = [f"iodepth={plain(row['iodepth'])}" if row["iodepth"] else "iodepth not stated"]
    remark = row["section"].lstrip("# ").strip()
    notes += [mark.lower() for mark in MARKS if mark in remark]
    if "RAID0" in row["storage_type"]:
        notes.append("number of volumes not stated")
    if "snapshot" in row["storage_type"]:
        notes.append("volume from a snapshot")
    if not volume_type:
        notes.append("storage not stated")
    is_small_gp2 = row["storage_type"].startswith("gp2 ") and "RAID" not in row["storage_type"]
    if is_small_gp2 and float(row["iops"]) > SMALL_GP2_BURST_IOPS:
        notes.append("above the volume's IOPS limit: merged or cached, not volume evidence")
    return "; ".join(notes)


def run_date(header: str) -> str:
    """ISO date in a fio header that may be cut off inside the year; empty where none is there.

    The weekday decides between the years 2018 to 2023 where the year is cut.
    """
    names, months = "|".join(DAYS), "|".join(MONTHS)
    pattern = rf"({names}) ({months}) +(\d+) [\d:]+(?: (\d+))?"
    found = re.search(pattern, header)
    if not found:
        return ""
    month, day = MONTHS.index(found[2]) + 1, int(found[3])
    for year in range(2018, 2024):
        date = datetime.date(year, month, day)
        if str(year).startswith(found[4] or "") and DAYS[date.weekday()] == found[1]:
            return date.isoformat()
    return ""
