"""Answers about volumes built by hand, so that the golden files do not change with data or model.

``python -m tests.render.volume_answers`` writes the golden files anew: read the diff before
committing.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.domain.cost import Cost, CostLine, Price
from advisor.domain.evidence import Evidence
from advisor.domain.instance import LocalDisks
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import Basis, StorageType
from advisor.domain.volumes import (
    InstanceLink,
    OneThread,
    UnpricedVolume,
    VolumeAnswer,
    VolumeOption,
    VolumeRequest,
    Waste,
)
from advisor.domain.workload import Assumption
from advisor.render.storage import storage_text
from advisor.render.storage_json import storage_csv, storage_json
from tests.render.answers import CPU_RUN, GOLDEN, estimate

if TYPE_CHECKING:
    from collections.abc import Callable


def spec(kind: StorageType, size_gib: int = 500, iops: int = 3000, count: int = 1) -> StorageSpec:
    mib = {StorageType.GP3: 125, StorageType.GP2: 250}.get(kind, 500)
    return StorageSpec(
        type=kind, size_gib=size_gib, iops=iops, throughput_mib_per_s=mib, count=count
    )


GP3, IO2 = spec(StorageType.GP3), spec(StorageType.IO2)
SMALL = spec(StorageType.GP2, iops=1500)
NVME = StorageSpec(
    type=StorageType.NVME, size_gib=69, iops=None, throughput_mib_per_s=None, count=1
)


def bill(kind: StorageType, *parts: tuple[str, str, str, str]) -> Cost:
    return Cost(
        lines=tuple(
            CostLine(
                label=f"{kind} {name}",
                quantity=Decimal(quantity),
                price=Price(usd=Decimal(usd), unit=unit, source="prices", as_of="2026-01-02"),
            )
            for name, quantity, usd, unit in parts
        )
    )


def option(
    storage: StorageSpec, rank: int | None, p95_ms: float, cost: Cost | None
) -> VolumeOption:
    return VolumeOption(
        rank=rank,
        storage=storage,
        shape="",
        cost=cost,
        iops=estimate(3000.0, Basis.MEASURED),
        latency_avg_ms=estimate(5.3333, Basis.MEASURED),
        latency_p95_ms=estimate(p95_ms, Basis.MEASURED),
        variation_cv=estimate(p95_ms / 1000.0, Basis.MEASURED),
        one_thread=OneThread(iops=1098.0, latency_avg_ms=0.9105, latency_p95_ms=2.43),
        throughput_mib_per_s=46.875,
        max_throughput_mib_per_s=125.0,
        limit="volume-iops",
        full_at_threads=4,
        meets=True,
        burst_iops=None,
        burst_minutes=None,
        durability="99.8-99.9%",
        waste=None,
        caveats=(),
    )


def bought() -> VolumeAnswer:
    """Return a usual answer: everything but the size and the IOPS is assumed."""
    gp3 = option(GP3, 1, 8.27, bill(StorageType.GP3, ("capacity", "500", "0.08", "GiB-month")))
    io2 = replace(
        option(
            IO2,
            2,
            5.47,
            bill(
                StorageType.IO2,
                ("capacity", "500", "0.125", "GiB-month"),
                ("IOPS", "3000", "0.065", "IOPS-month"),
            ),
        ),
        durability="99.999%",
        full_at_threads=1,
    )
    small = replace(
        option(SMALL, 3, 11.87, bill(StorageType.GP2, ("capacity", "500", "0.1", "GiB-month"))),
        meets=False,
        iops=estimate(1500.0, Basis.SCALED),
        burst_iops=3000.0,
        burst_minutes=60.0,
    )
    return VolumeAnswer(
        request=VolumeRequest(
            size_gib=500,
            iops=3000,
            throughput_mib_per_s=None,
            threads=16,
            rw="read",
            read_ratio=1.0,
            storage_types=(),
            instance_type=None,
            region="us-east-1",
            assumed=(
                Assumption(name="threads", value="16", reason="default"),
                Assumption(name="size", value="500GiB", reason="500GB: AWS bills GiB"),
            ),
        ),
        options=(gp3, io2, small),
        first_on_price=GP3,
        first_on_latency=IO2,
        left_out=(UnpricedVolume(type=StorageType.IO1, reason="no price in us-east-1"),),
        link=None,
        notes=("one volume of each type was measured",),
        evidence=(Evidence(source=CPU_RUN, part="storage", what="fileio, 16 KiB", rows=96),),
        data_version="0123456789ab-01234567",
        price_source="bundled snapshot",
        price_as_of="2026-01-02",
    )


def attached() -> VolumeAnswer:
    """Return an answer for an instance that caps a stripe, with its own disks beside it."""
    usual = bought()
    stripe = spec(StorageType.GP3, 10_240, 45_000, 2)
    capped = replace(
        option(
            stripe,
            1,
            16.1,
            bill(StorageType.GP3, ("capacity", "20480", "0.08", "GiB-month")),
        ),
        shape="RAID0 of 2: one gp3 has at most 80,000 IOPS",
        iops=estimate(12_000.0, Basis.ASSUMED),
        limit="instance-ebs",
        meets=False,
        waste=Waste(iops=78_000, throughput_mib_per_s=0, usd_per_month=Decimal("390.00")),
        caveats=("RAID0 was not measured here",),
    )
    local = replace(
        option(NVME, None, 5.17, None),
        iops=estimate(34_651.0, Basis.ASSUMED),
        meets=False,
        limit="latency",
        durability="volatile",
    )
    return replace(
        usual,
        request=replace(
            usual.request,
            size_gib=20_480,
            iops=90_000,
            throughput_mib_per_s=1500,
            threads=1,
            rw="mixed",
            read_ratio=0.7778,
            storage_types=(StorageType.GP3, StorageType.NVME),
            instance_type="m5d.2xlarge",
            assumed=(),
        ),
        options=(capped, local),
        first_on_price=stripe,
        first_on_latency=stripe,
        left_out=(),
        link=InstanceLink(
            instance_type="m5d.2xlarge",
            ebs_baseline_iops=12_000.0,
            ebs_max_iops=18_750.0,
            ebs_baseline_mib_per_s=274.0,
            ebs_max_mib_per_s=566.0,
            local_disks=LocalDisks(count=1, total_gb=300.0, read_iops=1e5, write_iops=5e4),
            is_nitro=True,
        ),
        notes=(),
        evidence=(),
    )


def local_only() -> VolumeAnswer:
    """Return an answer that holds local disks alone: nothing is bought."""
    both = attached()
    alone = replace(both.options[1], meets=True)
    return replace(
        both,
        options=(alone,),
        first_on_price=None,
        first_on_latency=NVME,
        price_as_of=None,
    )


ANSWERS: dict[str, Callable[[], VolumeAnswer]] = {
    "volumes": bought,
    "volumes-attached": attached,
    "volumes-local": local_only,
}
RENDERERS: dict[str, Callable[[VolumeAnswer], str]] = {
    "txt": storage_text,
    "json": storage_json,
    "csv": storage_csv,
}


def main() -> None:
    """Write every golden file."""
    for name, build in ANSWERS.items():
        for suffix, render in RENDERERS.items():
            (GOLDEN / f"{name}.{suffix}").write_bytes(render(build()).encode())


if __name__ == "__main__":
    main()
