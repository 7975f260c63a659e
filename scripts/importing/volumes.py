"""Block storage: sysbench fileio and fdatasync on EBS, sync latency, local NVMe.

EBS sizes are those of the AWS interface, which counts GiB whatever the author calls them; disks
of instances are decimal GB unless the source writes GiB. Size and IOPS are those of one volume.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.importing.numbers import BYTES_PER_MIB, plain
from scripts.importing.observation import Imported, Observation, measured
from scripts.importing.tables import Row, read_table
from scripts.importing.workloads import ENGINES, READ_RATIOS, instance_type_of

if TYPE_CHECKING:
    from pathlib import Path

FILEIO_METRICS = {
    "iops": "iops",
    "throughput_mib_per_s": "mib_s",
    "latency_min_ms": "latency_min_ms",
    "latency_avg_ms": "latency_avg_ms",
    "latency_p95_ms": "latency_p95_ms",
    "latency_max_ms": "latency_max_ms",
    "variation_cv": "persec_mib_cv",
    "throughput_second_p1_mib_per_s": "persec_mib_p1",
    "throughput_second_p5_mib_per_s": "persec_mib_p5",
    "throughput_second_p50_mib_per_s": "persec_mib_p50",
    "throughput_second_p95_mib_per_s": "persec_mib_p95",
    "latency_p95_second_mean_ms": "persec_lat95_mean",
    "latency_p95_second_cv": "persec_lat95_cv",
    "latency_p95_second_p50_ms": "persec_lat95_p50",
    "latency_p95_second_p95_ms": "persec_lat95_p95",
    "latency_p95_second_p99_ms": "persec_lat95_p99",
    "latency_p95_second_max_ms": "persec_lat95_max",
}


def fileio(folder: Path) -> Imported:
    """Random 16 KiB I/O on gp2, gp3, io1 and io2 of 1,024 GiB and 3,000 IOPS."""
    rows = read_table(folder, "ebs_fileio_2021")
    result = Imported("ebs_fileio_2021", len(rows))
    for row in rows:
        values = {metric: row[column] for metric, column in FILEIO_METRICS.items()}
        if row["workload"] != "fileio_rndwr":
            values["read_iops"] = row["reads_s"]
        if row["workload"] != "fileio_rndrd":
            values["write_iops"] = row["writes_s"]
        is_gp3_write = row["storage_type"] == "gp3" and row["workload"] == "fileio_rndwr"
        base = Observation(
            source_id=row["source_id"],
            condition_id="fileio-odirect-16k-2021",
            series="fileio-16k",
            date=row["date"],
            platform="ec2",
            instance_type=row["instance_type"],
            vcpu=row["vcpu"],
            memory_gib=row["memory_gib"],
            storage_type=row["storage_type"],
            storage_size_gib=row["storage_size_gb"],
            storage_iops=row["provisioned_iops"],
            storage_count="1",
            workload=row["workload"],
            read_ratio=READ_RATIOS[row["workload"]],
            threads=row["threads"],
            data_gib=row["dataset_gb"],
            client="local",
            duration_s=str(round(float(row["duration_s"]))),
            note="first second bursts above the volume's cap" if is_gp3_write else "",
        )
        result.observations += measured(base, values)
    return result


def fdatasync(folder: Path) -> Imported:
    """Fdatasync tail of small gp2 and gp3 volumes, one job per series; 25 of 50 jobs are known."""
    rows = read_table(folder, "ebs_fdatasync_p99_2021")
    result = Imported("ebs_fdatasync_p99_2021", len(rows))
    for row in rows:
        instance_type, note = instance_type_of(row["instance_type"])
        disks = "one-disk" if row["layout"] == "1 disk" else "two-disks"
        phase = "credits" if "left" in row["phase"] else "spent"
        notes = [note, f"volume limit {row['throughput_limit_mib_s']} MiB/s"]
        if row["storage_type"] == "gp2":
            notes.append("burst credits left" if phase == "credits" else "burst credits spent")
        base = Observation(
            source_id=row["source_id"],
            condition_id=f"fdatasync-{disks}-2021",
            series=f"{disks}-{phase}-{row['job']}",
            date=row["date"],
            platform="ec2",
            instance_type=instance_type,
            storage_type=row["storage_type"],
            storage_size_gib=row["storage_size_gb"],
            storage_iops=row["provisioned_iops"],
            storage_count="1",
            workload="fio_fdatasync",
            read_ratio="0",
            threads="1",
            durability="full",
            client="local",
            note="; ".join(notes),
        )
        values = {"sync_p99_ms": row["sync_p99_ms"], "sync_p999_ms": row["sync_p999_ms"]}
        result.observations += measured(base, values)
    return result


def local_nvme(folder: Path) -> Imported:
    """Read and write IOPS and bandwidth of one local disk; ``i3.*`` stands for the rest of i3."""
    rows = read_table(folder, "local_nvme_io_2025")
    result = Imported("local_nvme_io_2025", len(rows))
    for row in rows:
        instance_type, note = instance_type_of(row["instance_type"])
        base = Observation(
            source_id=row["source_id"],
            condition_id="iotune-local-nvme",
            series="iotune-per-disk",
            date=row["date"],
            platform="ec2",
            instance_type=instance_type,
            storage_type="nvme",
            storage_count="1",
            workload="iotune",
            client="local",
            note="; ".join(filter(None, ("one disk", note))),
        )
        values: dict[str, str | float] = {
            "read_iops": row["read_iops"],
            "write_iops": row["write_iops"],
            "read_throughput_mib_per_s": int(row["read_bandwidth"]) / BYTES_PER_MIB,
            "write_throughput_mib_per_s": int(row["write_bandwidth"]) / BYTES_PER_MIB,
        }
        result.observations += measured(base, values)
    return result


SYNC_STORAGE = {
    "local NVMe": "nvme",
    "local SSD NVMe": "local-ssd-nvme",
    "local SSD SCSI": "local-ssd-scsi",
    "persistent SSD": "pd-ssd",
}
SYNC_DURABILITY = {
    "": "",
    "sync_binlog=1,trx_commit=1": "full",
    "sync_binlog=0,trx_commit=2": "relaxed",
}


def sync_latency(folder: Path) -> Imported:
    """Latency of small synchronous writes, and single-insert transactions at two durabilities."""
    rows = read_table(folder, "sync_latency_durability_2019")
    result = Imported("sync_latency_durability_2019", len(rows))
    for row in rows:
        result.observations += measured(_sync_base(row), _sync_values(row))
    return result


def _sync_base(row: Row) -> Observation:
    is_insert = row["workload"] == "oltp_insert"
    found = re.fullmatch(r"(.*?)(?: ([\d.]+) GiB)?", row["storage_type"])
    if found is None:
        raise ValueError(row["storage_type"])
    return Observation(
        source_id=row["source_id"],
        condition_id="oltp-insert-2019" if is_insert else "ioping-sync-2019",
        series="oltp-insert" if is_insert else "ioping",
        date=row["date"],
        platform="ec2" if row["provider"] == "AWS" else "gcp",
        instance_type=row["instance_type"],
        engine=ENGINES["MYSQL"] if is_insert else "",
        storage_type=SYNC_STORAGE[found[1]],
        storage_size_gib=plain(found[2] or ""),
        storage_count="1",
        nodes="1" if is_insert else "",
        workload="oltp_insert" if is_insert else "ioping_write_4k",
        read_ratio="0",
        threads="" if is_insert else "1",
        durability=SYNC_DURABILITY[row["durability"]],
        client="local",
        note="approximate figure from the text" if row["quality"].startswith("approx") else "",
    )


def _sync_values(row: Row) -> dict[str, str]:
    return {
        "transactions_per_s": row["tps"],
        "iops": row["iops"],
        "sync_min_ms": row["latency_min_ms"],
        "sync_avg_ms": row["latency_avg_ms"],
        "sync_sd_ms": row["latency_sd_ms"],
        "sync_max_ms": row["latency_max_ms"],
    }
