"""What a month costs, by hand and to the cent."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.domain.candidate import Candidate
from advisor.domain.cost import HOURS_PER_MONTH, Cost, CostLine, Price
from advisor.domain.vocabulary import Engine, Platform, StorageType
from advisor.recommend.cost import cost_of, volume_lines
from tests.ground import PROPERTY, catalogue, ground, volume

KINDS = (StorageType.GP2, StorageType.GP3, StorageType.IO1, StorageType.IO2)


def _lines(
    kind: StorageType, size_gib: int, iops: int, mib_per_s: int = 125, nodes: int = 1
) -> list[CostLine]:
    spec = volume(kind, size_gib=size_gib, iops=iops, mib_per_s=mib_per_s)
    market = ground().market
    return volume_lines(
        spec,
        market.tariffs[Platform.EC2, kind],
        ground().volume_limits[Platform.EC2, kind][0],
        nodes,
    )


def _usd(lines: list[CostLine]) -> Decimal:
    return sum((line.usd_per_month for line in lines), Decimal(0))


@pytest.mark.parametrize(
    ("kind", "size_gib", "iops", "mib_per_s", "usd"),
    [
        (StorageType.GP3, 500, 3000, 125, "40.00"),
        # 3,000 more IOPS at 0.005 and 125 more MiB/s at 0.04
        (StorageType.GP3, 500, 6000, 250, "60.00"),
        (StorageType.GP2, 1000, 3000, 250, "100.00"),
        (StorageType.IO1, 500, 3000, 500, "257.50"),
        (StorageType.IO2, 500, 3000, 1000, "257.50"),
        # 32,000 at 0.065, then 8,000 at 0.0455: 2,080 + 364 + 62.50
        (StorageType.IO2, 500, 40_000, 1000, "2506.50"),
        # third tier above 64,000 at 0.03185: 2,080 + 1,456 + 509.60 + 125
        (StorageType.IO2, 1000, 80_000, 1000, "4170.60"),
    ],
)
def test_known_volume_prices(
    kind: StorageType, size_gib: int, iops: int, mib_per_s: int, usd: str
) -> None:
    """us-east-1 list prices; io2 in its three tiers of IOPS."""
    total = _usd(_lines(kind, size_gib, iops, mib_per_s))
    assert total.quantize(Decimal("0.01")) == Decimal(usd)


def test_included_iops_and_throughput_of_gp3_have_no_line() -> None:
    assert [line.label for line in _lines(StorageType.GP3, 500, 3000)] == ["gp3 capacity"]


def test_nodes_pay_for_their_own_volumes_and_instances() -> None:
    entry = catalogue()["m5.large"]
    hourly = Price(usd=Decimal("0.096"), unit="hour", source="test", as_of="2026-01-01")
    market = ground().market

    def cost(nodes: int) -> Cost:
        candidate = Candidate(
            platform=Platform.EC2,
            engine=Engine.MYSQL,
            instance=entry.instance,
            storage=volume(size_gib=500, iops=6000),
            nodes=nodes,
        )
        kind = StorageType.GP3
        steps = ground().volume_limits[Platform.EC2, kind]
        tariff = market.tariffs[Platform.EC2, kind]
        return cost_of(candidate, hourly, tariff, steps[0], 0.0)

    assert cost(1).usd_per_month == Decimal("125.08")
    assert cost(3).usd_per_month == 3 * cost(1).usd_per_month
    assert all("3 nodes" in line.label for line in cost(3).lines)


def test_local_disks_come_with_the_instance() -> None:
    entry = catalogue()["m5d.large"]
    candidate = Candidate(
        platform=Platform.EC2,
        engine=Engine.MYSQL,
        instance=entry.instance,
        storage=volume(StorageType.NVME),
        nodes=1,
    )
    hourly = Price(usd=Decimal("0.113"), unit="hour", source="test", as_of="2026-01-01")
    cost = cost_of(candidate, hourly, None, None, 0.0)
    assert len(cost.lines) == 1
    assert cost.usd_per_month == Decimal("0.113") * HOURS_PER_MONTH


@PROPERTY
@given(
    kind=st.sampled_from(KINDS),
    size=st.integers(1, 16_384),
    iops=st.integers(3000, 80_000),
    more=st.integers(0, 80_000),
)
def test_more_never_costs_less_and_lines_are_decimal(
    kind: StorageType, size: int, iops: int, more: int
) -> None:
    few, many = _lines(kind, size, iops), _lines(kind, size, iops + more)
    assert _usd(many) >= _usd(few) > 0
    for line in many:
        assert isinstance(line.usd_per_month, Decimal)
        assert line.quantity > 0
        assert line.price.usd > 0
        assert line.price.source
        assert line.price.as_of


@PROPERTY
@given(iops=st.integers(1, 256_000))
def test_tiers_cover_every_io_once(iops: int) -> None:
    lines = [line for line in _lines(StorageType.IO2, 1000, iops) if "IOPS" in line.label]
    assert sum(line.quantity for line in lines) == iops
    prices = [line.price.usd for line in lines]
    assert prices == sorted(prices, reverse=True)


def test_a_cost_is_the_sum_of_its_lines_rounded_once() -> None:
    """Three lines of a third of a cent and more: rounding comes last."""
    price = Price(usd=Decimal("0.0033"), unit="x", source="test", as_of="2026-01-01")
    line = CostLine(label="x", quantity=Decimal(1), price=price)
    assert Cost(lines=(line, line, line)).usd_per_month == Decimal("0.01")
