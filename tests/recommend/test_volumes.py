"""Volumes alone: published figures, prices to the cent, order, burst, stripes, refusals."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.instance import LocalDisks
from advisor.domain.vocabulary import Basis, StorageType
from advisor.domain.volumes import InstanceLink, VolumeAnswer, VolumeOption, VolumeRequest
from advisor.errors import PricingError, UsageError
from advisor.prediction.volume_curve import VolumeCurve, curve_of
from advisor.recommend.volumes import VolumeGround, answer_of
from advisor.session.storage import gather
from tests.ground import PROPERTY, REGION, changed, numbers, sources

GP2, GP3, IO1, IO2 = StorageType.GP2, StorageType.GP3, StorageType.IO1, StorageType.IO2


def request(
    size_gib: int = 1024, iops: int = 3000, threads: int = 16, **said: object
) -> VolumeRequest:
    made = VolumeRequest(
        size_gib=size_gib,
        iops=iops,
        throughput_mib_per_s=None,
        threads=threads,
        rw="read",
        read_ratio=1.0,
        storage_types=(),
        instance_type=None,
        region=REGION,
    )
    return changed(made, **said)


@cache
def known(instance_type: str | None = None) -> VolumeGround:
    return gather(request(instance_type=instance_type), sources())


def answer(
    size_gib: int = 1024, iops: int = 3000, threads: int = 16, **said: object
) -> VolumeAnswer:
    asked = request(size_gib, iops, threads, **said)
    return answer_of(asked, known(asked.instance_type))


def first(found: VolumeAnswer, kind: StorageType) -> VolumeOption:
    """Return the best option of a type."""
    return next(each for each in found.options if each.storage.type is kind)


def curve(kind: StorageType) -> VolumeCurve:
    return curve_of(kind, known().cells, known().parameters.volume(kind))


def test_one_thread_is_bound_by_latency() -> None:
    """Issue 3, case 1: 16 KiB reads of 1 TiB at one thread, as measured in 2021."""
    found = answer(threads=1)
    for kind, iops in ((GP2, 1133), (GP3, 1098), (IO1, 1989), (IO2, 3002)):
        option = first(found, kind)
        assert option.iops.low <= iops <= option.iops.high
        assert option.iops.value == pytest.approx(iops, rel=0.002)
        assert option.basis is Basis.MEASURED
    assert found.options[0].storage.type is IO2
    assert [each.meets for each in found.options] == [True, False, False, False]
    assert found.first_on_latency == first(found, IO2).storage


def test_sixteen_threads_are_bound_by_iops_and_differ_in_tail() -> None:
    """Issue 3, case 1: throughput is equal, price decides, the p95 is not equal."""
    found = answer(threads=16)
    for kind, p95 in ((IO2, 5.5), (IO1, 6.3), (GP2, 6.6), (GP3, 8.3)):
        option = first(found, kind)
        assert option.iops.low <= 3000 <= option.iops.high
        assert option.meets
        assert option.latency_p95_ms.low <= p95 <= option.latency_p95_ms.high
        assert option.latency_p95_ms.value == pytest.approx(p95, rel=0.03)
    assert [each.storage.type for each in found.options] == [GP3, GP2, IO2, IO1]
    assert found.first_on_price == first(found, GP3).storage
    assert found.first_on_latency == first(found, IO2).storage


def test_prices_of_500_gb() -> None:
    """Issue 3, case 2: gp3 < gp2 enlarged < io1, to the cent."""
    found = answer(500)
    by_config = {str(each.storage): each for each in found.options}
    assert by_config["gp3:500GiB:3000:125"].usd_per_month == Decimal("40.00")
    assert by_config["gp2:1000GiB"].usd_per_month == Decimal("100.00")
    assert by_config["io1:500GiB:3000"].usd_per_month == Decimal("257.50")
    assert "enlarged from 500 GiB" in by_config["gp2:1000GiB"].shape


def test_gp2_of_500_gb_bursts_for_an_hour() -> None:
    """Issue 3, case 2; it is ranked by what lasts."""
    small = next(each for each in answer(500).options if str(each.storage) == "gp2:500GiB")
    assert small.burst_minutes == pytest.approx(60.0)
    assert small.burst_iops == 3000.0
    assert small.iops.value == 1500.0
    assert not small.meets
    assert small.rank == 5


def test_one_thread_never_empties_a_bucket_it_cannot_drain() -> None:
    small = next(
        each for each in answer(500, threads=1).options if str(each.storage) == "gp2:500GiB"
    )
    assert (small.burst_minutes, small.burst_iops) == (None, None)


@pytest.mark.parametrize(("kind", "threads"), [(GP3, 2), (GP2, 4), (IO1, 4)])
def test_threads_at_which_writes_peak(kind: StorageType, threads: int) -> None:
    """Published: gp3 peaks at 2 write threads, gp2 and io1 at 4; holds at 95 % of the limit."""
    assert curve(kind).full_at(0.0, 3000.0) == threads
    option = first(answer(1000, read_ratio=0.0, rw="write"), kind)
    assert option.full_at_threads == threads


@pytest.mark.parametrize("read_ratio", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("threads", [1, 2, 4, 8, 16, 32])
def test_io2_is_most_consistent(read_ratio: float, threads: int) -> None:
    """Published, and true of 23 of the 24 cells."""
    found = answer(threads=threads, read_ratio=read_ratio)
    steadiest = min(found.options, key=lambda each: each.variation_cv.value)
    assert steadiest.storage.type is IO2


def test_steadiness_is_as_measured() -> None:
    """MODEL.md section 3: CV at 1 and at 16 read threads."""
    for threads, figures in (
        (1, {GP2: 0.187, GP3: 0.27, IO1: 0.08, IO2: 0.01}),
        (16, {GP2: 0.034, GP3: 0.057, IO1: 0.001, IO2: 0.0003}),
    ):
        found = answer(threads=threads)
        for kind, cv in figures.items():
            assert first(found, kind).variation_cv.value == pytest.approx(cv, rel=0.25)


def test_every_measured_cell_lies_near_its_prediction() -> None:
    """IOPS(n) = min(limit, n × IOPS(1)): MODEL.md says 7.7 % at most, 0.0 % in the median."""
    errors = []
    for cell in known().cells:
        found = answer(1000, threads=cell.threads, read_ratio=cell.read_ratio)
        predicted = first(found, cell.storage_type)
        errors.append(abs(predicted.iops.value / cell.iops - 1.0))
        assert predicted.latency_p95_ms.value == pytest.approx(cell.latency_p95_ms, rel=0.09)
        assert predicted.basis is Basis.MEASURED
    assert max(errors) < 0.08
    assert sorted(errors)[len(errors) // 2] < 0.001


def test_what_was_not_measured_says_so() -> None:
    assert first(answer(iops=12_000, threads=64), GP3).basis is Basis.ASSUMED
    assert first(answer(read_ratio=0.8), GP3).basis is Basis.INTERPOLATED
    assert first(answer(threads=12), GP3).basis is Basis.INTERPOLATED
    assert first(answer(iops=1000), IO1).basis is Basis.SCALED
    notes = " ".join(answer(iops=12_000, threads=64).notes)
    assert "above 3,000 IOPS nothing was measured" in notes
    assert any("with one thread" in text for text in first(answer(iops=12_000), IO2).caveats)


def test_mixes_lie_between_the_measured_ones() -> None:
    for kind in (GP2, GP3, IO1, IO2):
        one = curve(kind)
        low, high = sorted((one.one_thread_iops(0.6), one.one_thread_iops(1.0)))
        assert low <= one.one_thread_iops(0.8) <= high


def test_size_is_raised_where_it_bounds_the_iops() -> None:
    option = first(answer(20, iops=3000), IO1)
    assert (option.storage.size_gib, option.storage.iops) == (60, 3000)
    assert "at most 50 IOPS per GiB" in option.shape


def test_throughput_is_bought() -> None:
    found = answer(500, iops=3000, throughput_mib_per_s=600)
    gp3 = first(found, GP3)
    assert gp3.storage.throughput_mib_per_s == 600
    assert gp3.usd_per_month == Decimal("59.00")  # 475 MiB/s more at 0.04
    assert first(found, IO1).max_throughput_mib_per_s >= 600
    assert all(each.meets for each in found.options if each.storage.type is not GP2)


def test_pages_need_the_throughput_that_carries_them() -> None:
    """12,000 IOPS of 16 KiB are 187.5 MiB/s, more than gp3 includes."""
    assert first(answer(iops=12_000, threads=64), GP3).storage.throughput_mib_per_s == 188


def test_stripes_where_one_volume_cannot() -> None:
    found = answer(1000, iops=100_000, threads=256)
    counts = {kind: first(found, kind).storage.count for kind in (GP3, IO1, IO2)}
    assert counts == {GP3: 2, IO1: 2, IO2: 1}
    gp2 = next(each for each in found.options if each.storage.type is GP2 and each.meets)
    assert gp2.storage.count == 7
    assert gp2.basis is Basis.ASSUMED
    assert any("RAID0 was not measured" in text for text in gp2.caveats)


def test_the_instance_caps_and_says_what_is_wasted() -> None:
    found = answer(1000, iops=10_000, threads=64, instance_type="m5.large")
    assert found.link is not None
    assert found.link.ebs_baseline_iops == 3600
    option = first(found, IO1)
    assert option.iops.value == pytest.approx(3600)
    assert option.limit == "instance-ebs"
    assert option.waste is not None
    assert option.waste.iops == 6400
    assert option.waste.usd_per_month == Decimal("416.00")  # 6,400 IOPS at 0.065
    assert not any(each.meets for each in found.options)


def test_local_disks_are_told_apart() -> None:
    found = answer(50, instance_type="m5d.large")
    local = found.options[-1]
    assert local.storage.type is StorageType.NVME
    assert (local.rank, local.cost, local.durability) == (None, None, "volatile")
    assert local.basis is Basis.ASSUMED
    assert StorageType.NVME not in {found.first_on_price.type, found.first_on_latency.type}  # type: ignore[union-attr]
    only = answer(50, instance_type="m5d.large", storage_types=(StorageType.NVME,))
    assert [each.storage.type for each in only.options] == [StorageType.NVME]
    assert only.first_on_price is None


def test_disks_without_published_iops_are_refused_when_asked() -> None:
    link = InstanceLink(
        instance_type="x.large",
        ebs_baseline_iops=None,
        ebs_max_iops=None,
        ebs_baseline_mib_per_s=None,
        ebs_max_mib_per_s=None,
        local_disks=LocalDisks(count=1, total_gb=100.0, read_iops=None, write_iops=None),
        is_nitro=False,
    )
    asked = request(50, instance_type="x.large")
    found = answer_of(asked, changed(known(), link=link))
    assert "EBS limits of x.large are not known" in " ".join(found.notes)
    assert any("needs a Nitro instance" in text for text in first(found, IO2).caveats)
    with pytest.raises(UsageError, match="no published IOPS"):
        answer_of(changed(asked, storage_types=(StorageType.NVME,)), changed(known(), link=link))
    with pytest.raises(UsageError, match="no local NVMe"):
        answer_of(
            changed(asked, storage_types=(StorageType.NVME,)),
            changed(known(), link=changed(link, local_disks=None)),
        )
    with pytest.raises(UsageError, match="needs --instance"):
        answer_of(request(storage_types=(StorageType.NVME,)), known())


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"size_gib": 65_537}, "gp3 and io2, has 65,536 GiB"),
        ({"iops": 256_001}, "io2, has 256,000 IOPS"),
        ({"throughput_mib_per_s": 4001}, "io2, has 4,000 MiB/s"),
    ],
)
def test_beyond_any_volume_names_the_nearest(said: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        answer(**said)  # type: ignore[arg-type]


def test_a_type_without_a_price_is_left_out_and_said() -> None:
    ground = known()
    tariffs = {kind: each for kind, each in ground.tariffs.items() if kind is not IO2}
    found = answer_of(request(), changed(ground, tariffs=tariffs))
    assert [(each.type, each.reason) for each in found.left_out] == [(IO2, f"no price in {REGION}")]
    with pytest.raises(PricingError):
        answer_of(request(), changed(ground, tariffs={}))


def test_a_type_that_cannot_be_that_is_left_out_and_said() -> None:
    """No type of today is so limited that 16 volumes would not do."""
    ground = known()
    few = {
        kind: changed(each, max_iops=150, min_iops=100) if kind in (GP2, IO1) else each
        for kind, each in ground.volume_limits.items()
    }
    found = answer_of(request(iops=20_000), changed(ground, volume_limits=few))
    assert [(each.type, each.reason) for each in found.left_out] == [
        (IO1, "cannot be that, even as RAID0")
    ]
    assert [str(each.storage) for each in found.options if each.storage.type is GP2] == [
        "gp2:1024GiB"
    ]


def test_an_instance_that_the_knowledge_base_lacks_is_refused() -> None:
    with pytest.raises(UsageError, match=r"does not hold m77g\.large"):
        gather(request(instance_type="m77g.large"), sources())


def test_a_type_that_was_not_measured_has_no_curve() -> None:
    with pytest.raises(ValueError, match="gp2 was not measured"):
        curve_of(GP2, (), known().parameters.volume(GP2))


@PROPERTY
@given(
    size=st.integers(1, 65_536),
    iops=st.integers(1, 256_000),
    threads=st.integers(1, 100_000),
    read_ratio=st.floats(0.0, 1.0),
    throughput=st.none() | st.integers(1, 4000),
)
def test_laws(
    size: int, iops: int, threads: int, read_ratio: float, throughput: int | None
) -> None:
    """Whatever is asked: bounds hold, capacity suffices, ranks count, more threads give no less."""
    asked: dict[str, object] = {"read_ratio": read_ratio, "throughput_mib_per_s": throughput}
    found, more = (answer(size, iops, each, **asked) for each in (threads, threads * 2))
    assert [each.rank for each in found.options] == list(range(1, len(found.options) + 1))
    assert all(isfinite(number) for number in numbers(found))
    later = {each.storage: each for each in more.options}
    for option in found.options:
        storage = option.storage
        assert storage.size_gib * storage.count >= size
        assert option.usd_per_month is not None
        assert option.usd_per_month > 0
        assert storage.count <= 16
        for each in (option.iops, option.latency_avg_ms, option.latency_p95_ms):
            assert 0.0 < each.low <= each.value <= each.high
        assert option.iops.value * option.latency_avg_ms.value == pytest.approx(threads * 1000.0)
        assert later[storage].iops.value >= option.iops.value
        if option.meets:
            assert option.iops.value >= 0.98 * iops
    many = answer(size, iops, 100_000, **asked)
    for kind in (GP2, GP3, IO1, IO2):
        found_kind = [each for each in many.options if each.storage.type is kind]
        assert not found_kind or any(each.meets for each in found_kind)
    meeting = [each.usd_per_month or Decimal(0) for each in found.options if each.meets]
    assert meeting == sorted(meeting)
