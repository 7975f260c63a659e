"""Volumes alone: what each does at a number of threads, what it costs, and which is first on what.

From values to a ``VolumeAnswer``. IOPS, tail and steadiness come from one volume of each type,
measured in 2021 at 3,000 IOPS (``prediction.volume_curve``); limits and prices from AWS.
"""

from __future__ import annotations

from decimal import Decimal
from math import ceil, exp, hypot, log
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.cost import Cost, VolumeTariff
from advisor.domain.prediction import Estimate
from advisor.domain.record import record
from advisor.domain.storage import StorageSpec, VolumeLimits
from advisor.domain.vocabulary import EBS_TYPES, Basis, Station, StorageType
from advisor.domain.volumes import (
    LATENCY,
    PAGES_PER_MIB,
    InstanceLink,
    OneThread,
    UnpricedVolume,
    VolumeAnswer,
    VolumeOption,
    VolumeRequest,
    Waste,
)
from advisor.errors import PricingError, UsageError
from advisor.prediction.volume import GP2_BURST_IOPS, gp2_burst_minutes
from advisor.prediction.volume_curve import (
    MEASURED_IOPS,
    VolumeCell,
    VolumeCurve,
    curve_of,
    local_curve,
)
from advisor.recommend.cost import volume_lines
from advisor.recommend.volume_notes import answer_notes, evidence_of, option_caveats
from advisor.recommend.volume_ranking import Z, firsts, ranking
from advisor.recommend.volume_shapes import Shape, shapes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from advisor.domain.evidence import Source
    from advisor.prediction.parameters import ModelParameters

#: Log error of an IOPS limit: measured gp2 of 1,024 GiB lies 2.3 % below 3 IOPS per GiB, the other
#: cells at the limit within 0.5 %; AWS designs for 90 % of it in 99 % of the time.
LIMIT_SIGMA = 0.02
#: Log error of the IOPS of local disks in pages of 16 KiB (as nvme.page_read_ratio).
DISK_SIGMA = 0.2
#: Log error of p95 ÷ mean: one volume of each type on one day (as the model's VOLUME_SIGMA).
TAIL_SIGMA = 0.15
#: Log error of the CV: neighbouring cells of one type differ by a factor of 1.5 and more.
VARIATION_SIGMA = 0.5
#: IOPS this share below the wanted ones still meet them.
MEETS_RATIO = 0.98
VOLATILE = "volatile"


@record
class VolumeGround:
    """What an answer stands on."""

    volume_limits: Mapping[StorageType, VolumeLimits]
    tariffs: Mapping[StorageType, VolumeTariff]
    """A type without a price is not in it."""
    parameters: ModelParameters
    cells: tuple[VolumeCell, ...]
    link: InstanceLink | None
    sources: Mapping[str, Source]
    data_version: str
    price_source: str
    price_notes: tuple[str, ...] = ()


class _Limit(NamedTuple):
    """The sustained limit of a configuration in IOPS of 16 KiB, and what sets it."""

    iops: float
    station: Station
    mib_per_s: float
    sigma: float
    """Log error of ``iops``."""


def answer_of(request: VolumeRequest, ground: VolumeGround) -> VolumeAnswer:
    """Return every volume type held against ``request``, ranked.

    Raises UsageError for what no volume can be, PricingError where no asked type has a price.
    """
    _refuse_impossible(request, ground)
    options: list[VolumeOption] = []
    left_out: list[UnpricedVolume] = []
    for kind in EBS_TYPES:
        if request.storage_types and kind not in request.storage_types:
            continue
        tariff = ground.tariffs.get(kind)
        if tariff is None:
            left_out.append(UnpricedVolume(type=kind, reason=f"no price in {request.region}"))
            continue
        found = list(shapes(ground.volume_limits[kind], request))
        if not found:
            left_out.append(UnpricedVolume(type=kind, reason="cannot be that, even as RAID0"))
        options += [_ebs_option(shape, request, ground, tariff) for shape in found]
    ranked = ranking(options)
    local = list(_local(request, ground))
    if not ranked and not local:
        raise PricingError(
            f"no EBS volume of the asked types has a price in {request.region}",
            hint="name another region with --region",
        )
    on_price, on_latency = firsts(ranked or local)
    dates = [line.price.as_of for each in ranked if each.cost for line in each.cost.lines]
    everything = (*ranked, *local)
    return VolumeAnswer(
        request=request,
        options=everything,
        first_on_price=on_price,
        first_on_latency=on_latency,
        left_out=tuple(left_out),
        link=ground.link,
        notes=answer_notes(request, ground.link, everything),
        evidence=evidence_of(everything, ground.link, ground.sources, ground.cells),
        data_version=ground.data_version,
        price_source=ground.price_source,
        price_as_of=min(dates, default=None),
        price_notes=ground.price_notes,
    )


def _refuse_impossible(request: VolumeRequest, ground: VolumeGround) -> None:
    """Raise UsageError for a size, IOPS or throughput beyond every volume, naming the nearest."""
    limits = ground.volume_limits.values()
    checks: tuple[tuple[str, int, str, dict[str, int]], ...] = (
        ("--size", request.size_gib, "GiB", {each.type: each.max_gib for each in limits}),
        ("--iops", request.iops, "IOPS", {each.type: each.max_iops for each in limits}),
        (
            "--throughput",
            request.throughput_mib_per_s or 0,
            "MiB/s",
            {each.type: each.max_throughput_mib_per_s for each in limits},
        ),
    )
    for flag, wanted, unit, most in checks:
        largest = max(most.values())
        if wanted > largest:
            names = " and ".join(sorted(kind for kind, each in most.items() if each == largest))
            raise UsageError(
                f"{flag}: {wanted:,} {unit} is beyond any volume; the nearest, {names}, has "
                f"{largest:,} {unit}",
                hint="spread the data over several volumes, and ask for one of them",
            )


def _ebs_option(
    shape: Shape, request: VolumeRequest, ground: VolumeGround, tariff: VolumeTariff
) -> VolumeOption:
    kind = shape.storage.type
    curve = curve_of(kind, ground.cells, ground.parameters.volume(kind))
    limits = ground.volume_limits[kind]
    cost = Cost(lines=tuple(volume_lines(shape.storage, tariff, limits, 1)))
    waste = _waste(shape.storage, ground.link, cost, tariff, limits)
    return _option(
        shape,
        request,
        curve,
        _limit(shape.storage, ground.link),
        ground.link,
        cost=cost,
        waste=waste,
        durability=limits.durability,
    )


def _local(request: VolumeRequest, ground: VolumeGround) -> Iterator[VolumeOption]:
    """Yield the local disks of the named instance; raises UsageError where nvme cannot be."""
    is_asked = StorageType.NVME in request.storage_types
    if request.storage_types and not is_asked:
        return
    link = ground.link
    if link is None:
        if is_asked:
            raise UsageError(
                "--storage nvme needs --instance: local disks come with an instance type"
            )
        return
    disks = link.local_disks
    if disks is None or disks.read_iops is None or disks.write_iops is None:
        if is_asked:
            state = "no local NVMe disks" if disks is None else "no published IOPS of its disks"
            raise UsageError(f"{link.instance_type} has {state}", hint="name another --instance")
        return
    storage = StorageSpec(
        type=StorageType.NVME,
        size_gib=int(disks.total_gib),
        iops=None,
        throughput_mib_per_s=None,
        count=disks.count,
    )
    read = disks.read_iops * ground.parameters.value("nvme.page_read_ratio")
    write = disks.write_iops * ground.parameters.value("nvme.page_write_ratio")
    # reads and writes share the disks
    iops = 1.0 / (request.read_ratio / read + (1.0 - request.read_ratio) / write)
    yield _option(
        Shape(storage, ""),
        request,
        local_curve(ground.parameters.volume(StorageType.NVME)),
        _Limit(iops, Station.VOLUME_IOPS, iops / PAGES_PER_MIB, DISK_SIGMA),
        link,
        cost=None,
        waste=None,
        durability=VOLATILE,
    )


def _option(  # noqa: PLR0913 (the parts of one row)
    shape: Shape,
    request: VolumeRequest,
    curve: VolumeCurve,
    limit: _Limit,
    link: InstanceLink | None,
    *,
    cost: Cost | None,
    waste: Waste | None,
    durability: str,
) -> VolumeOption:
    """Return what a configuration does at the asked threads."""
    storage, ratio, threads = shape.storage, request.read_ratio, request.threads
    one = curve.one_thread_iops(ratio)
    unlimited = threads * one
    basis = _basis(storage, curve, request, limit.iops, min(limit.iops, unlimited))
    iops = _iops(limit, unlimited, curve.sigma, basis)
    tail = curve.tail(ratio, threads, limit.iops)
    mean_ms = threads * 1000.0 / iops.value
    burst = _burst(storage, request, link, unlimited)
    has_throughput = limit.mib_per_s >= MEETS_RATIO * (request.throughput_mib_per_s or 0)
    mean = Estimate(
        value=mean_ms,
        low=min(mean_ms, threads * 1000.0 / iops.high),
        high=max(mean_ms, threads * 1000.0 / iops.low),
        basis=basis,
    )
    return VolumeOption(
        rank=None,
        storage=storage,
        shape=shape.why,
        cost=cost,
        iops=iops,
        latency_avg_ms=mean,
        latency_p95_ms=_p95(mean, tail.p95_ratio),
        variation_cv=_spread(tail.variation_cv, VARIATION_SIGMA, basis),
        one_thread=_one_thread(curve, ratio, limit.iops),
        throughput_mib_per_s=iops.value / PAGES_PER_MIB,
        max_throughput_mib_per_s=limit.mib_per_s,
        limit=limit.station.value if unlimited >= limit.iops else LATENCY,
        full_at_threads=curve.full_at(ratio, limit.iops),
        meets=(
            iops.value >= MEETS_RATIO * request.iops
            and has_throughput
            and storage.total_gib >= request.size_gib
        ),
        burst_iops=burst[0] if burst else None,
        burst_minutes=burst[1] if burst else None,
        durability=durability,
        waste=waste,
        caveats=option_caveats(storage, request, one, limit.iops, link),
    )


def _limit(storage: StorageSpec, link: InstanceLink | None) -> _Limit:
    """Return the least of the volume's and the instance's sustained limits."""
    volume_mib = float((storage.throughput_mib_per_s or 0) * storage.count)
    sides = [
        (float((storage.iops or 0) * storage.count), Station.VOLUME_IOPS),
        (volume_mib * PAGES_PER_MIB, Station.VOLUME_THROUGHPUT),
    ]
    mib_per_s = volume_mib
    if link is not None and link.ebs_baseline_iops is not None:
        sides.append((link.ebs_baseline_iops, Station.INSTANCE_EBS))
    if link is not None and link.ebs_baseline_mib_per_s is not None:
        sides.append((link.ebs_baseline_mib_per_s * PAGES_PER_MIB, Station.INSTANCE_EBS))
        mib_per_s = min(mib_per_s, link.ebs_baseline_mib_per_s)
    iops, station = min(sides, key=lambda side: side[0])
    return _Limit(iops, station, mib_per_s, LIMIT_SIGMA)


def _basis(
    storage: StorageSpec, curve: VolumeCurve, request: VolumeRequest, limit: float, iops: float
) -> Basis:
    """Return where the IOPS come from: nothing was measured above 3,000, striped or on nvme."""
    if storage.type is StorageType.NVME or storage.count > 1:
        return Basis.ASSUMED
    near = exp(2.0 * Z * LIMIT_SIGMA)
    if iops > MEASURED_IOPS * near:
        return Basis.ASSUMED
    if not MEASURED_IOPS / near <= limit <= MEASURED_IOPS * near:
        return Basis.SCALED
    is_measured = curve.is_measured_at(request.read_ratio, request.threads)
    return Basis.MEASURED if is_measured else Basis.INTERPOLATED


def _iops(limit: _Limit, unlimited: float, sigma: float, basis: Basis) -> Estimate:
    """Return min(limit, threads × IOPS(1)) with the error of each."""

    def at(deviates: float) -> float:
        return min(limit.iops * exp(deviates * limit.sigma), unlimited * exp(deviates * sigma))

    return Estimate(value=at(0.0), low=at(-Z), high=at(Z), basis=basis)


def _one_thread(curve: VolumeCurve, read_ratio: float, limit_iops: float) -> OneThread:
    iops = min(curve.one_thread_iops(read_ratio), limit_iops)
    ratio = curve.tail(read_ratio, 1, max(limit_iops, MEASURED_IOPS)).p95_ratio
    return OneThread(iops=iops, latency_avg_ms=1000.0 / iops, latency_p95_ms=1000.0 / iops * ratio)


def _p95(mean: Estimate, ratio: float) -> Estimate:
    sigma = hypot(log(mean.high / mean.low) / (2.0 * Z), TAIL_SIGMA)
    return _spread(mean.value * ratio, sigma, mean.basis)


def _spread(value: float, sigma: float, basis: Basis) -> Estimate:
    return Estimate(
        value=value, low=value * exp(-Z * sigma), high=value * exp(Z * sigma), basis=basis
    )


def _burst(
    storage: StorageSpec, request: VolumeRequest, link: InstanceLink | None, unlimited: float
) -> tuple[float, float] | None:
    """Return (IOPS, minutes) of gp2 on credits at the wanted IOPS; None where none are used."""
    if storage.type is not StorageType.GP2:
        return None
    most = min(unlimited, storage.count * GP2_BURST_IOPS)
    if link is not None and link.ebs_max_iops is not None:
        most = min(most, link.ebs_max_iops)
    used = min(most, float(request.iops))
    minutes = gp2_burst_minutes(storage.size_gib, used / storage.count)
    return (most, minutes) if minutes is not None else None


def _waste(
    storage: StorageSpec,
    link: InstanceLink | None,
    cost: Cost,
    tariff: VolumeTariff,
    limits: VolumeLimits,
) -> Waste | None:
    """Return the IOPS and MiB/s that the instance cannot sustain, and what they cost."""
    if link is None or link.ebs_baseline_iops is None or link.ebs_baseline_mib_per_s is None:
        return None
    iops, mib = storage.iops or 0, storage.throughput_mib_per_s or 0
    usable_iops = min(link.ebs_baseline_iops, link.ebs_baseline_mib_per_s * PAGES_PER_MIB)
    spare_iops = max(0, int(iops * storage.count - usable_iops))
    # only gp3 sells MiB/s apart; elsewhere they come with IOPS or size
    is_bought = storage.type is StorageType.GP3 and mib > limits.min_throughput_mib_per_s
    spare_mib = int(mib * storage.count - link.ebs_baseline_mib_per_s) if is_bought else 0
    spare_mib = max(0, spare_mib)
    if spare_iops == 0 and spare_mib == 0:
        return None
    usd = Decimal(0)
    if storage.type.is_provisioned:
        least_iops = max(limits.min_iops, ceil(usable_iops / storage.count))
        least_mib = max(
            limits.min_throughput_mib_per_s, ceil(link.ebs_baseline_mib_per_s / storage.count)
        )
        enough = StorageSpec(
            type=storage.type,
            size_gib=storage.size_gib,
            iops=min(iops, least_iops),
            throughput_mib_per_s=min(mib, least_mib),
            count=storage.count,
        )
        least = Cost(lines=tuple(volume_lines(enough, tariff, limits, 1)))
        usd = cost.usd_per_month - least.usd_per_month
    return Waste(iops=spare_iops, throughput_mib_per_s=spare_mib, usd_per_month=usd)
