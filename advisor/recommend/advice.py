"""What an expert would add to a number: caveats."""

from __future__ import annotations

from math import exp, hypot
from typing import TYPE_CHECKING

from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import (
    INNODB_FAMILY,
    Basis,
    Durability,
    Engine,
    Platform,
    Station,
    StorageType,
)
from advisor.prediction.curve import MOST_THREADS
from advisor.prediction.performance import (
    iops_at,
    operating_point,
    settle,
    storage_requests_at,
)
from advisor.prediction.uncertainty import MEASURED_HOT_RATIO, Z_80
from advisor.prediction.volume import gp2_burst_minutes, limits_of
from advisor.recommend.contested import contested_caveats
from advisor.recommend.cost import MILLION_PER_MONTH
from advisor.recommend.evidence import unsourced
from advisor.recommend.storage_grid import gp2_volume
from advisor.recommend.versions import version_caveats, versions_as_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters
    from advisor.recommend.ground import Ground
    from advisor.recommend.options import Option

#: Below this many threads waiting for storage at once, a volume's own steadiness shows.
FEW_THREADS = 4.0
#: A volume that keeps this share of the pick's throughput is no lesser choice.
ENOUGH_RATIO = 0.95


def caveats(option: Option, workload: Workload, ground: Ground) -> tuple[str, ...]:
    """Return the caveats of a candidate, the most important first."""
    parameters, advice = ground.parameters, ground.advice
    platform, vcpu = option.entry.platform, option.entry.instance.vcpu * option.nodes
    return (
        *_storage(option),
        *_aurora_mode(option, ground),
        *_relaxed_copies(option, workload),
        *_instance(option),
        *_steadiness(option, parameters),
        *_evidence(option, workload, parameters),
        *contested_caveats(option.candidate(workload.availability), workload, advice),
        *version_caveats(platform, option.engine, versions_as_of(advice), advice, vcpu),
    )


def room_short(storage: StorageSpec, workload: Workload) -> str | None:
    """Return that stated storage is too small for the data; None: it has room, growth included."""
    size, data = storage.total_gib, f"{workload.data_gib:,.6g} GiB of data"
    if storage.type.is_aurora or size >= workload.volume_gib:
        return None
    if size < workload.data_gib:
        return (
            f"its {size:,} GiB of storage cannot hold {data}: {workload.volume_gib:,} are advised"
        )
    return (
        f"its {size:,} GiB of storage leave little room: {workload.volume_gib:,} GiB are "
        f"advised for {data}"
    )


def _storage(option: Option) -> Iterator[str]:
    storage = option.storage
    if storage.type is StorageType.NVME:
        lost = "everything since the last copy" if option.nodes == 1 else "this node's copy"
        yield (
            f"local NVMe is volatile: a stop, a host failure or a termination loses {lost}; "
            "relaxed durability on EBS is the safer way to fast commits"
        )
    if storage.type is StorageType.GP2:
        wanted = iops_at(
            option.settled, max(option.rate, option.settled.balance.transactions_per_s)
        )
        minutes = gp2_burst_minutes(storage.size_gib, wanted)
        if minutes is not None:
            yield (
                f"gp2 of {storage.size_gib} GiB bursts for {minutes:.0f} minutes, then falls to "
                f"{storage.iops:,} IOPS; the figures are those after the burst"
            )


def _relaxed_copies(option: Option, workload: Workload) -> Iterator[str]:
    """Yield what relaxed durability leaves to chance where copies hold the data."""
    is_aurora = option.entry.platform is Platform.AURORA
    if option.nodes > 1 and workload.durability is Durability.RELAXED and not is_aurora:
        yield (
            "relaxed durability: a commit survives one node in the memory of the others; if all "
            "fail at once, about the last second is lost"
        )


def _aurora_mode(option: Option, ground: Ground) -> Iterator[str]:
    """Yield from which rate of this workload on Aurora's I/O-Optimized mode costs less."""
    platform, name = option.entry.platform, option.entry.instance.name
    if platform is not Platform.AURORA:
        return
    modes = (StorageType.AURORA_STANDARD, StorageType.AURORA_IO_OPTIMIZED)
    hourly = [ground.market.hourly(platform, option.engine, name, mode) for mode in modes]
    tariffs = [ground.market.tariffs.get((platform, mode)) for mode in modes]
    if None in hourly or None in tariffs:
        yield f"{name} has a price in one storage mode of Aurora only"
        return
    standard, optimised = (
        float(price.usd * HOURS_PER_MONTH) * option.nodes
        + float(tariff.capacity.usd) * option.storage.size_gib
        for price, tariff in zip(hourly, tariffs, strict=True)
        if price is not None and tariff is not None
    )
    request = tariffs[0].requests if tariffs[0] is not None else None
    per_transaction = storage_requests_at(option.settled, 1.0)
    if request is None or per_transaction <= 0.0:
        return
    usd_per_tps = per_transaction * float(MILLION_PER_MONTH * request.usd)
    rate = (optimised - standard) / usd_per_tps
    yield (
        f"Aurora I/O-Optimized costs less than Standard from {rate:,.0f} transactions/s of this "
        f"workload on, all month, at {per_transaction:.3g} billed requests each; at "
        f"{option.rate:,.0f} it {'saves' if option.rate > rate else 'costs'} "
        f"${abs(option.rate - rate) * usd_per_tps:,.0f} a month"
    )


def small_gp2(pick: Option, workload: Workload, ground: Ground) -> Iterator[str]:
    """Yield what a gp2 volume of just the needed size would do on the pick's instance.

    Nothing where gp2 is not sold, cannot be that large, or does not depend on credits there.
    """
    key = (Platform.EC2, StorageType.GP2)
    size = workload.volume_gib
    if pick.entry.platform is not Platform.EC2 or key not in ground.market.tariffs:
        return
    if size > ground.volume_limits[key][0].max_gib:
        return
    settled = settle(pick.settled.part, ground.parameters.volume(StorageType.GP2))
    asked = pick.rate if workload.target_tps is None else min(workload.target_tps, pick.rate)
    wanted = iops_at(settled, min(settled.balance.transactions_per_s, asked))
    minutes = gp2_burst_minutes(size, wanted)
    if minutes is None:
        return
    volume = gp2_volume(size)
    point = operating_point(settled, limits_of(volume, pick.entry.instance, ground.parameters))
    if point.transactions_per_s < ENOUGH_RATIO * asked:
        yield (
            f"gp2 of just {size:,} GiB is rejected: at this load its burst credits end after "
            f"{minutes:.0f} minutes, then {volume.iops:,} IOPS carry "
            f"{point.transactions_per_s:,.0f} transactions/s"
        )


def _instance(option: Option) -> Iterator[str]:
    instance = option.entry.instance
    if option.point.limit is Station.INSTANCE_EBS:
        yield (
            f"{instance.name} sustains {instance.ebs_baseline_iops:,.0f} IOPS and "
            f"{instance.ebs_baseline_mib_per_s:,.0f} MiB/s to EBS: more on the volume would be "
            "wasted"
        )
    elif (
        option.storage.iops is not None
        and option.storage.iops > instance.ebs_baseline_iops
        and option.storage.type.is_provisioned
    ):
        yield (
            f"the volume includes {option.storage.iops:,} IOPS, {instance.name} sustains "
            f"{instance.ebs_baseline_iops:,.0f}"
        )
    if instance.is_burstable:
        yield (
            f"{instance.name} sustains {instance.cpu_baseline_ratio:.0%} of each vCPU; above that "
            "it uses credits, "
            "then surplus at an hourly charge (unlimited mode) or slows down"
        )


def _steadiness(option: Option, parameters: ModelParameters) -> Iterator[str]:
    """Yield how unsteady gp volumes are where few threads wait for them."""
    waiting = option.settled.read_s * option.rate
    kind = option.storage.type
    if (
        option.settled.read_s > 0.0
        and waiting < FEW_THREADS
        and kind in (StorageType.GP2, StorageType.GP3)
    ):
        mine = parameters.value(f"volume.{kind}.variation_cv")
        steady = parameters.value(f"volume.{StorageType.IO2}.variation_cv")
        yield (
            f"with few threads on it {kind} throughput varied by {mine:.0%} from second to "
            f"second, io2 by {steady:.0%}"
        )


def _evidence(option: Option, workload: Workload, parameters: ModelParameters) -> Iterator[str]:
    curve = option.entry.curve
    family = option.entry.instance.family
    if option.entry.is_new:
        yield (
            f"{option.entry.instance.name} is newer than the bundled evidence: predicted as its "
            f"nearest relative, {curve.relatives}, and what AWS's price list does not say of it "
            "(EBS, network) is that of the relative"
        )
    elif curve.basis is Basis.TRANSFERRED:
        sigma = hypot(curve.silicon_sigma.loaded, curve.type_sigma.loaded)
        yield (
            f"no database run on {family} is bundled: its CPU is inferred from scores (held-out "
            f"error ±{exp(Z_80 * sigma) - 1.0:.0%} at 80%, over too few generations to validate)"
        )
    at_cpu = option.settled.balance.threads_at_cpu
    if at_cpu > MOST_THREADS:
        yield (
            f"about {at_cpu:,.0f} threads are at the CPU: no run went beyond {MOST_THREADS}, the "
            "curve is extrapolated"
        )
    is_innodb = option.engine in INNODB_FAMILY
    if option.settled.part.hot_gib > MEASURED_HOT_RATIO * option.settled.part.pool_gib:
        yield (
            f"hot data are {option.settled.part.hot_gib / option.settled.part.pool_gib:,.0f} times "
            f"the page cache; nothing beyond {MEASURED_HOT_RATIO:.0f} times was measured"
        )
    if option.engine is Engine.MYROCKS:
        yield (
            "MyRocks figures rest on one TPC-C set of 2018 whose compressed data partly fitted in "
            "memory: size, I/O and CPU depend on your data"
        )
    if option.engine is Engine.PXC:
        yield (
            "PXC rests on one TPC-C set of 2020: flow control, large "
            "transactions and conflicts between writers are not in the figures"
        )
    if workload.profile.writes > 0.0 and is_innodb and option.entry.platform is Platform.EC2:
        yield (
            "write costs come from one bare-metal host (Percona, 2026), TPC-C on two RDS classes "
            "(2020, 2023) and r3.xlarge (Percona, 2015); a short sysbench run on the pick would "
            "settle them"
        )
    for note in unsourced(option, workload, parameters):
        yield f"not measured here: {note}"
