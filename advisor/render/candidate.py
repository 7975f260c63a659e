"""A candidate and its parts in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Engine, Platform, StorageType
from advisor.render.figures import count, known

if TYPE_CHECKING:
    from advisor.domain.candidate import Candidate
    from advisor.domain.storage import StorageSpec

ENGINE_NAMES = {
    Engine.MYSQL: "MySQL",
    Engine.PERCONA_SERVER: "Percona Server",
    Engine.MARIADB: "MariaDB",
    Engine.MYROCKS: "MyRocks",
    Engine.PXC: "Percona XtraDB Cluster",
    Engine.POSTGRESQL: "PostgreSQL",
    Engine.AURORA_MYSQL: "Aurora MySQL",
    Engine.AURORA_POSTGRESQL: "Aurora PostgreSQL",
}


def storage_phrase(storage: StorageSpec) -> str:
    """Return a volume as it is bought: ``gp3 150 GiB, 4,500 IOPS, 125 MiB/s``."""
    if storage.type is StorageType.NVME:
        disks = f"{storage.count} disks" if storage.count > 1 else "1 disk"
        return f"local NVMe {count(storage.size_gib)} GiB ({disks})"
    if storage.type.is_aurora:
        return f"Aurora storage, {storage.type}"
    parts = [f"{storage.type} {count(storage.size_gib)} GiB"]
    if storage.iops is not None:
        parts.append(f"{count(storage.iops)} IOPS")
    if storage.type is StorageType.GP3 and storage.throughput_mib_per_s is not None:
        parts.append(f"{count(storage.throughput_mib_per_s)} MiB/s")
    copies = f"{storage.count} x " if storage.count > 1 else ""
    return copies + ", ".join(parts)


def candidate_phrase(candidate: Candidate) -> str:
    """Return engine, instance and storage as the object of ``Run``."""
    instance = candidate.instance
    nodes = f"{candidate.nodes} x " if candidate.nodes > 1 else ""
    each = " each" if candidate.nodes > 1 and not candidate.storage.type.is_aurora else ""
    on = {Platform.EC2: "", Platform.RDS: "RDS for ", Platform.AURORA: ""}[candidate.platform]
    deployment = ", Multi-AZ" if candidate.is_multi_az else ""
    engine = f"{on}{ENGINE_NAMES[candidate.engine]}{deployment}"
    return (
        f"{engine} on {nodes}{instance.name} ({instance.vcpu} vCPU, "
        f"{known(instance.memory_gib)} GiB) with {storage_phrase(candidate.storage)}{each}"
    )


def short_config(config: str) -> str:
    """Return a CONFIG without platform and engine: ``r8g.xlarge/gp3:150GiB:4500:125``."""
    return "/".join(config.split("/")[2:])
