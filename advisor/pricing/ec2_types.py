"""What DescribeInstanceTypes says of instance types, in the units of the catalogue.

AWS states EBS bandwidth in decimal Mbps; the catalogue and the models count MiB/s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from advisor.domain.quote import TypeFacts
from advisor.errors import PricingError
from advisor.pricing.type_words import is_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from advisor.pricing.aws import Aws

#: Types of one call; AWS takes 200 values in a filter.
_CHUNK = 100
_MIB_PER_S_OF_MBPS = 1e6 / 8 / 2**20


def described(aws: Aws, region: str, names: tuple[str, ...]) -> tuple[TypeFacts, ...]:
    """Return the facts of ``names``, of all types of the region when empty, sorted by name.

    A name that the region does not offer is left out. Raises PricingError.
    """
    found: dict[str, TypeFacts] = {}
    for chosen in [names[n : n + _CHUNK] for n in range(0, len(names), _CHUNK)] or [()]:
        filters = [{"Name": "instance-type", "Values": list(chosen)}] if chosen else []
        pages = aws.pages("ec2", region, "describe_instance_types", Filters=filters, MaxResults=100)
        for page in pages:
            for facts in facts_of(page):
                found[facts.name] = facts
    return tuple(found[name] for name in sorted(found))


def facts_of(page: Mapping[str, Any]) -> Iterable[TypeFacts]:
    """Return the types of one answer, those without a sound size left out.

    Raises PricingError when it has another shape.
    """
    try:
        found = [_facts(item) for item in page["InstanceTypes"]]
        return [each for each in found if is_size(each.vcpu, each.memory_gib)]
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise PricingError("instance types of another shape than AWS documents") from error


def _facts(item: Mapping[str, Any]) -> TypeFacts:
    cores = item["VCpuInfo"]
    processor = item.get("ProcessorInfo") or {}
    ebs = (item.get("EbsInfo") or {}).get("EbsOptimizedInfo") or {}
    count, total_gb = _disks(item)
    return TypeFacts(
        name=item["InstanceType"],
        vcpu=cores["DefaultVCpus"],
        memory_gib=item["MemoryInfo"]["SizeInMiB"] / 1024,
        architecture=_architecture(processor.get("SupportedArchitectures") or ()),
        threads_per_core=cores.get("DefaultThreadsPerCore"),
        cpu_maker=processor.get("Manufacturer"),
        ebs_baseline_iops=ebs.get("BaselineIops"),
        ebs_max_iops=ebs.get("MaximumIops"),
        ebs_baseline_mib_per_s=_mib_per_s(ebs.get("BaselineBandwidthInMbps")),
        ebs_max_mib_per_s=_mib_per_s(ebs.get("MaximumBandwidthInMbps")),
        network_baseline_gbps=_network_gbps(item.get("NetworkInfo") or {}),
        disk_count=count,
        disk_total_gb=total_gb,
        is_burstable=item.get("BurstablePerformanceSupported"),
        is_bare_metal=item.get("BareMetal"),
    )


def _architecture(supported: Iterable[str]) -> str | None:
    """Old types list i386 beside x86_64, Macs have names of their own."""
    for name in supported:
        for architecture in ("arm64", "x86_64"):
            if name.startswith(architecture):
                return architecture
    return None


def _mib_per_s(megabits: float | None) -> float | None:
    return None if megabits is None else round(megabits * _MIB_PER_S_OF_MBPS, 4)


def _network_gbps(network: Mapping[str, Any]) -> float | None:
    """Return the baseline of all cards together; None: a card does not state one."""
    stated = [card.get("BaselineBandwidthInGbps") for card in network.get("NetworkCards") or ()]
    return None if not stated or None in stated else sum(stated)


def _disks(item: Mapping[str, Any]) -> tuple[int | None, float | None]:
    """Return how many NVMe disks there are and their GB; (0, 0): it has none."""
    if not item.get("InstanceStorageSupported", False):
        return (0, 0.0) if "InstanceStorageSupported" in item else (None, None)
    storage = item["InstanceStorageInfo"]
    if storage.get("NvmeSupport") == "unsupported":
        return 0, 0.0
    disks = [disk for disk in storage["Disks"] if disk["Type"] == "ssd"]
    total_gb = sum(disk["Count"] * disk["SizeInGB"] for disk in disks)
    return sum(disk["Count"] for disk in disks), float(total_gb)
