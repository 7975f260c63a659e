"""One EC2 instance type, as AWS describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.record import record

if TYPE_CHECKING:
    from advisor.domain.vocabulary import Architecture


@record
class LocalDisks:
    """The instance's own NVMe disks, all of them together (RAID0)."""

    count: int
    total_gb: float
    """Decimal GB over all disks."""
    read_iops: float | None
    """Random 4 KiB read IOPS of all disks as AWS publishes them; None: not published."""
    write_iops: float | None
    """Random 4 KiB write IOPS of all disks; None: not published."""

    @property
    def total_gib(self) -> float:
        """Capacity of all disks, GiB."""
        return self.total_gb * 1e9 / 2**30


class InstanceType(NamedTuple):
    """An instance type and the limits it sets; hundreds are made per answer, so a tuple."""

    name: str
    family: str
    generation: int
    vcpu: int
    memory_gib: float
    architecture: Architecture
    cpu_maker: str
    threads_per_core: int
    silicon: str
    """CPU generation shared by relatives (``graviton2``, ``intel-icelake``): their errors move
    together.
    """
    ebs_baseline_iops: float
    """IOPS of all volumes together that the instance sustains."""
    ebs_max_iops: float
    """IOPS reached for 30 minutes a day; equal to the baseline on large sizes."""
    ebs_baseline_mib_per_s: float
    ebs_max_mib_per_s: float
    network_baseline_gbps: float | None
    local_disks: LocalDisks | None
    is_burstable: bool
    cpu_baseline_ratio: float
    """Share of each vCPU that is sustained: 1.0, or the T type's baseline."""
