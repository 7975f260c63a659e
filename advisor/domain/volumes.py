"""The answer of ``advisor storage``: volumes alone, each with its cost and what it does.

Values only; ``advisor.recommend.volumes`` computes them, renderers print them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.record import record

if TYPE_CHECKING:
    from decimal import Decimal

    from advisor.domain.cost import Cost
    from advisor.domain.evidence import Evidence
    from advisor.domain.instance import LocalDisks
    from advisor.domain.prediction import Estimate
    from advisor.domain.storage import StorageSpec
    from advisor.domain.vocabulary import Basis, StorageType
    from advisor.domain.workload import Assumption

#: Size of one I/O in every figure: the page of InnoDB, and what AWS counts IOPS in.
PAGE_KIB = 16
#: I/Os of one page in a MiB.
PAGES_PER_MIB = 64.0
#: What limits a volume when neither it nor the instance is full: the latency of single I/Os.
LATENCY = "latency"


@record
class VolumeRequest:
    """What the volumes are asked to be and to do."""

    size_gib: int
    iops: int
    throughput_mib_per_s: int | None
    """None: none beyond what the IOPS carry in pages of 16 KiB."""
    threads: int
    """I/Os that wait at the same time: one per thread, closed loop."""
    rw: str
    """The mix as it was named: ``read``, ``0.7``."""
    read_ratio: float
    """Share of reads among the I/Os, 0..1."""
    storage_types: tuple[StorageType, ...]
    """Types asked for; empty: all that there are."""
    instance_type: str | None
    """None: the volumes are not held against an instance."""
    region: str
    assumed: tuple[Assumption, ...] = ()


@record
class InstanceLink:
    """What an instance type lets through to its volumes, and its own disks."""

    instance_type: str
    ebs_baseline_iops: float | None
    """IOPS of all volumes together that it sustains; None: not published."""
    ebs_max_iops: float | None
    """IOPS reached for 30 minutes a day; equal to the baseline on large sizes."""
    ebs_baseline_mib_per_s: float | None
    ebs_max_mib_per_s: float | None
    local_disks: LocalDisks | None
    is_nitro: bool
    """Whether io2 Block Express attaches to it."""


@record
class OneThread:
    """What a single I/O at a time takes: the latency below every limit."""

    iops: float
    latency_avg_ms: float
    latency_p95_ms: float


@record
class Waste:
    """What is paid for and cannot be used on the instance."""

    iops: int
    throughput_mib_per_s: int
    usd_per_month: Decimal
    """What the same volume costs less without them; 0 where IOPS come with the size."""


@record
class VolumeOption:
    """One volume, or one RAID0 of equal volumes."""

    rank: int | None
    """None: volatile, not ranked beside durable volumes."""
    storage: StorageSpec
    shape: str
    """Why it is not one volume of the asked size and IOPS; empty when it is."""
    cost: Cost | None
    """None: local disks, which the price of the instance holds."""
    iops: Estimate
    """16 KiB I/Os per second that last, at the asked threads."""
    latency_avg_ms: Estimate
    latency_p95_ms: Estimate
    variation_cv: Estimate
    """CV of per-second throughput, 0..1."""
    one_thread: OneThread
    throughput_mib_per_s: float
    """What these IOPS carry, in pages of 16 KiB."""
    max_throughput_mib_per_s: float
    """What large I/Os can reach, within the instance's sustained limit."""
    limit: str
    """``latency``, ``volume-iops``, ``volume-throughput`` or ``instance-ebs``."""
    full_at_threads: int
    """Threads at which 95 % of its limit is reached, in the measured steps 1, 2, 4, 8 …"""
    meets: bool
    """Whether it reaches the wanted IOPS, throughput and size at the asked threads, and lasts."""
    burst_iops: float | None
    """gp2: IOPS at the asked threads while credits last; None: no burst involved."""
    burst_minutes: float | None
    """gp2: minutes until a full bucket is empty at the wanted IOPS; None: it never empties."""
    durability: str
    """AWS's words, of one volume: ``99.8-99.9%``; ``volatile`` for local disks."""
    waste: Waste | None
    """None: nothing, or no instance was named."""
    caveats: tuple[str, ...]

    @property
    def usd_per_month(self) -> Decimal | None:
        """The monthly cost; None: it has none of its own."""
        return self.cost.usd_per_month if self.cost is not None else None

    @property
    def basis(self) -> Basis:
        """The basis of its IOPS."""
        return self.iops.basis


@record
class UnpricedVolume:
    """A volume type left out because it has no price, or cannot be what was asked."""

    type: StorageType
    reason: str


@record
class VolumeAnswer:
    """The whole answer."""

    request: VolumeRequest
    options: tuple[VolumeOption, ...]
    """Durable ones by rank, then volatile ones; at least one is durable unless only nvme was
    asked.
    """
    first_on_price: StorageSpec | None
    """The cheapest of those that meet the request; of all when none does. None: none is priced."""
    first_on_latency: StorageSpec | None
    """The lowest p95 of the same; equal ones by price."""
    left_out: tuple[UnpricedVolume, ...]
    link: InstanceLink | None
    notes: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    data_version: str
    price_source: str
    price_as_of: str | None
    """Oldest date among the prices; None: nothing is priced."""
    price_notes: tuple[str, ...] = ()
    """About the prices on the day of the question, for stderr: no part of the answer."""

    def option(self, storage: StorageSpec | None) -> VolumeOption | None:
        """Return the option of a storage configuration."""
        return next((each for each in self.options if each.storage == storage), None)
