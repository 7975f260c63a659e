"""A storage configuration."""

from __future__ import annotations

from advisor.domain.record import record
from advisor.domain.vocabulary import StorageType

#: io1 and io2 move at most 256 KiB with one I/O (AWS EBS user guide).
LARGEST_IO_MIB = 0.25


@record
class StorageSpec:
    """One volume as bought, or the local disks."""

    type: StorageType
    size_gib: int
    """Capacity of one volume, GiB; of all local disks together for nvme, of the data on Aurora."""
    iops: int | None
    """IOPS bought (gp3, io1, io2) or given by the size (gp2); None: nvme and Aurora."""
    throughput_mib_per_s: int | None
    """Throughput bought (gp3) or given by type and size; None: nvme and Aurora."""
    count: int = 1
    """Volumes or local disks striped together (RAID0)."""

    @property
    def total_gib(self) -> int:
        """What all volumes, or all local disks, hold together."""
        return self.size_gib * (1 if self.type is StorageType.NVME else self.count)

    def __str__(self) -> str:
        if self.type is StorageType.NVME or self.type.is_aurora:
            return self.type.value
        copies = f"{self.count}x" if self.count > 1 else ""
        parts = [f"{copies}{self.type.value}", f"{self.size_gib}GiB"]
        if self.type.is_provisioned:
            parts.append(str(self.iops))
        if self.type is StorageType.GP3:
            parts.append(str(self.throughput_mib_per_s))
        return ":".join(parts)


@record
class VolumeLimits:
    """What one EBS volume of a type can be, on EC2."""

    type: StorageType
    min_gib: int
    max_gib: int
    min_iops: int
    """gp3: included IOPS (3,000); io1/io2: least that can be bought; gp2: floor of the baseline."""
    max_iops: int
    iops_per_gib: float
    """Most IOPS per GiB that can be bought, infinite without such a rule; gp2: baseline."""
    min_throughput_mib_per_s: int
    """gp3: included throughput (125); gp2: that of a small volume."""
    max_throughput_mib_per_s: int
    throughput_per_iops: float | None
    """MiB/s per IOPS that can be bought (gp3) or come with them; None: no such ratio."""
    durability: str
    """AWS's words: ``99.8-99.9%``."""

    def most_iops(self, size_gib: int) -> int:
        """Return the most IOPS that one volume of ``size_gib`` can have."""
        most = int(min(self.max_iops, self.iops_per_gib * size_gib))
        return max(most, self.min_iops) if self.type is StorageType.GP3 else most

    def most_throughput(self, iops: int) -> int:
        """Return the most MiB/s of one volume with ``iops``: bought (gp3), or given (io1, io2)."""
        least, most = self.min_throughput_mib_per_s, self.max_throughput_mib_per_s
        ratio = self.throughput_per_iops
        if self.type is StorageType.GP3:
            return int(max(least, min(most, (ratio or 0.0) * iops)))
        if ratio is None:
            return most
        return int(min(most, max(float(least), ratio * iops), max(ratio, LARGEST_IO_MIB) * iops))
