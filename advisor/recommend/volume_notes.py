"""What has to be said beside the figures of volumes: caveats, notes and the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.evidence import Evidence
from advisor.domain.vocabulary import StorageType
from advisor.prediction.volume_curve import MEASURED_IOPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from advisor.domain.evidence import Source
    from advisor.domain.storage import StorageSpec
    from advisor.domain.volumes import InstanceLink, VolumeOption, VolumeRequest
    from advisor.prediction.volume_curve import VolumeCell

_FILEIO = "pboros_ebs_2021"
_LIMITS = "aws-ebs-limits"
_CATALOGUE = "moto-instance-types-2026"
_LOCAL_IOPS = "scylla_aws_io_params"
_LOCAL_SYNC = "jfg_sync_latency_2019"
_RUNS = (
    "sysbench fileio, 16 KiB O_DIRECT, random reads, writes and 3:2 mixed, 1 to 128 threads, "
    "volumes of 1 TiB and 3,000 IOPS on r5.xlarge, 30 minutes each"
)
#: A limit this near the measured one is that one.
_NEAR = 1.05
#: A CV from which the throughput is called unsteady.
_UNSTEADY_CV = 0.1


def option_caveats(
    storage: StorageSpec,
    request: VolumeRequest,
    one_thread_iops: float,
    limit_iops: float,
    link: InstanceLink | None,
) -> tuple[str, ...]:
    """Return what the figures of one configuration cannot carry."""
    return tuple(_caveats(storage, request, one_thread_iops, limit_iops, link))


def _caveats(
    storage: StorageSpec,
    request: VolumeRequest,
    one_thread_iops: float,
    limit_iops: float,
    link: InstanceLink | None,
) -> Iterator[str]:
    if storage.type is StorageType.NVME:
        yield (
            "local NVMe is lost when the instance stops or its host fails; latency and tail "
            "are assumed, its IOPS scaled from 4 KiB"
        )
        if storage.size_gib < request.size_gib:
            yield f"the disks hold {storage.size_gib:,} GiB, not {request.size_gib:,}"
        return
    is_at_limit = one_thread_iops >= MEASURED_IOPS / _NEAR
    if is_at_limit and limit_iops > MEASURED_IOPS * _NEAR:
        yield (
            f"{storage.type} was at its {MEASURED_IOPS:,.0f} IOPS with one thread when measured: "
            "its latency is that or less"
        )
    if storage.count > 1:
        yield "RAID0 was not measured here; the stripe is lost with any one of its volumes"
    if storage.type is StorageType.IO2 and link is not None and not link.is_nitro:
        yield f"io2 Block Express needs a Nitro instance, which {link.instance_type} is not"


def answer_notes(
    request: VolumeRequest, link: InstanceLink | None, options: Sequence[VolumeOption]
) -> tuple[str, ...]:
    """Return what is said once for the whole answer."""
    return tuple(_notes(request, link, options))


def _notes(
    request: VolumeRequest, link: InstanceLink | None, options: Sequence[VolumeOption]
) -> Iterator[str]:
    durable = [each for each in options if not each.storage.type.is_volatile]
    if durable:
        yield (
            "one volume of each type was measured, on one day, with 1 TiB and 3,000 IOPS on "
            "r5.xlarge: another volume of the type may differ"
        )
    if any(each.iops.value > MEASURED_IOPS * _NEAR for each in durable):
        yield (
            "above 3,000 IOPS nothing was measured: IOPS are taken as threads x those of one "
            "thread up to AWS's limit, and tail and steadiness at equal threads per IOPS"
        )
    unsteady = [
        f"{each.storage.type} {each.variation_cv.value:.0%}"
        for each in durable
        if each.variation_cv.value >= _UNSTEADY_CV
    ]
    if unsteady:
        yield (
            f"with {request.threads:,} thread{'s' if request.threads > 1 else ''} throughput "
            f"varies from second to second (CV): {', '.join(dict.fromkeys(unsteady))}"
        )
    if link is not None and link.ebs_baseline_iops is None:
        yield f"the EBS limits of {link.instance_type} are not known: nothing is held against them"


def evidence_of(
    options: Iterable[VolumeOption],
    link: InstanceLink | None,
    sources: Mapping[str, Source],
    cells: Sequence[VolumeCell],
) -> tuple[Evidence, ...]:
    """Return the measurements and limits that the figures rest on; prices carry their own."""
    kinds = {each.storage.type for each in options}
    ebs = kinds - {StorageType.NVME}
    rows = sum(1 for cell in cells if cell.storage_type in ebs)
    found = []
    if ebs:
        found.append(
            (
                _FILEIO,
                _RUNS,
                rows,
            )
        )
        found.append((_LIMITS, "sizes, IOPS, MiB/s, credits and durability of a volume", len(ebs)))
    if link is not None:
        found.append((_CATALOGUE, f"EBS limits and disks of {link.instance_type}", 1))
    if StorageType.NVME in kinds:
        found.append((_LOCAL_IOPS, "16 KiB against 4 KiB IOPS of local disks, median", 1))
        found.append((_LOCAL_SYNC, "latency of synced 4 KiB writes on m5d.xlarge", 1))
    return tuple(
        Evidence(source=sources[name], part="storage", what=what, rows=count)
        for name, what, count in found
        if name in sources
    )
