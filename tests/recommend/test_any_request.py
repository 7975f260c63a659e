"""Promises of a whole answer over the whole range: any platform, dialect, engine and workload."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.domain.recommendation import Constraints, Ranked, Recommendation, Request
from advisor.domain.record import replaced
from advisor.domain.vocabulary import (
    Availability,
    Dialect,
    Engine,
    Objective,
    Platform,
    Station,
    StorageType,
)
from advisor.errors import AdvisorError
from advisor.recommend.recommend import recommend
from advisor.render.recommendation_json import recommendation_json
from tests.ground import (
    FEW,
    ROOT,
    changed,
    database,
    everywhere,
    numbers,
    request,
    workloads,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.domain.cost import Price
    from advisor.domain.prediction import Estimate
    from advisor.recommend.ground import Ground

PLATFORMS = ((), (), (Platform.EC2,), (Platform.RDS, Platform.AURORA))
ENGINES = ((), (), (), (Engine.MYROCKS, Engine.PXC), (Engine.POSTGRESQL,))
STORAGE = ((), (), (), (StorageType.GP2, StorageType.GP3), (StorageType.IO1, StorageType.IO2))
#: Whole answers cost a tenth of a second each.
SOME = settings(FEW, max_examples=30)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Draw a request as the command line can make it, most without constraints."""
    load = changed(
        draw(workloads()),
        availability=draw(st.sampled_from(Availability)),
        target_tps=draw(st.none() | st.floats(1.0, 2000.0)),
        max_p95_ms=draw(st.none() | st.floats(20.0, 2000.0)),
        headroom_ratio=draw(st.sampled_from([0.0, 0.3])),
        has_proxysql=draw(st.booleans()),
    )
    has_target = load.target_tps is not None
    objectives = [each for each in Objective if has_target or each is not Objective.COST]
    constraints = Constraints(
        platforms=draw(st.sampled_from(PLATFORMS)) or tuple(Platform),
        dialect=draw(st.sampled_from(Dialect)),
        engines=draw(st.sampled_from(ENGINES)),
        storage_types=draw(st.sampled_from(STORAGE)),
        allow_ephemeral=draw(st.booleans()),
    )
    return request(load, draw(st.sampled_from(objectives)), constraints=constraints, top=10)


def _answer(asked: Request, on: Ground) -> Recommendation | None:
    """Return the answer; None: it is refused, which is all that may come instead."""
    try:
        return recommend(asked, on)
    except AdvisorError:
        return None


def _rows(answer: Recommendation) -> tuple[Ranked, ...]:
    return (*answer.ranking, *answer.alternatives)


def _estimates(row: Ranked) -> list[Estimate]:
    found = row.prediction
    every = (
        found.transactions_per_s,
        found.queries_per_s,
        found.latency_avg_ms,
        found.latency_p95_ms,
        found.variation_cv,
    )
    return [each for each in every if each is not None]


def _no_constant(word: str) -> float:
    raise AssertionError(f"{word} in JSON")


@SOME
@given(asked=requests())
def test_every_row_adds_up(asked: Request) -> None:
    """Intervals hold their value, the ledger rebuilds the mean, N = X × R, nothing over 100 %."""
    answer = _answer(asked, everywhere(asked.workload.availability))
    if answer is None:
        return
    for row in _rows(answer):
        for each in _estimates(row):
            assert 0.0 <= each.low <= each.value * (1.0 + 1e-9)
            assert each.value <= each.high * (1.0 + 1e-9)
        mean_ms = row.prediction.latency_avg_ms.value
        rate = row.prediction.transactions_per_s.value
        assert rate * mean_ms / 1000.0 == pytest.approx(asked.workload.threads)
        lines = row.prediction.stations
        assert sum(line.time_ms for line in lines) == pytest.approx(mean_ms)
        assert all(line.time_ms >= -1e-9 * mean_ms for line in lines)
        assert sum(line.is_limit for line in lines) == 1
        for line in lines:
            if line.station is not Station.MEMORY and line.utilisation_ratio is not None:
                assert 0.0 <= line.utilisation_ratio <= 1.0 + 1e-6
        total = sum((line.usd_per_month for line in row.cost.lines), Decimal(0))
        assert row.cost.usd_per_month == total.quantize(Decimal("0.01")) > 0


@SOME
@given(asked=requests())
def test_every_number_is_finite_and_the_same_request_gives_the_same_bytes(asked: Request) -> None:
    on = everywhere(asked.workload.availability)
    answer = _answer(asked, on)
    if answer is None:
        return
    assert all(isfinite(number) for number in numbers(answer))
    text = recommendation_json(answer)
    json.loads(text, parse_constant=_no_constant)
    assert recommendation_json(recommend(asked, on)) == text


def _times(price: Price, factor: Decimal) -> Price:
    return replaced(price, usd=price.usd * factor)


@cache
def _dearer(availability: Availability, factor: Decimal) -> Ground:
    """Return the ground with a common factor on every price."""
    here = everywhere(availability)

    def hourly(prices: Mapping[str, Price]) -> dict[str, Price]:
        return {name: _times(price, factor) for name, price in prices.items()}

    tariffs = {
        place: changed(
            tariff,
            capacity=_times(tariff.capacity, factor),
            iops=tuple(changed(tier, price=_times(tier.price, factor)) for tier in tariff.iops),
            throughput=tariff.throughput and _times(tariff.throughput, factor),
            requests=tariff.requests and _times(tariff.requests, factor),
        )
        for place, tariff in here.market.tariffs.items()
    }
    market = changed(
        here.market,
        ec2=hourly(here.market.ec2),
        rds=hourly(here.market.rds),
        aurora=hourly(here.market.aurora),
        tariffs=tariffs,
    )
    return changed(here, market=market)


@SOME
@given(asked=requests(), factor=st.sampled_from(["0.5", "1.37", "3", "100"]))
def test_a_factor_on_every_price_keeps_the_order(asked: Request, factor: str) -> None:
    """Without a budget only relative prices matter."""
    availability, times = asked.workload.availability, Decimal(factor)
    before = _answer(asked, everywhere(availability))
    after = _answer(asked, _dearer(availability, times))
    assert (before is None) == (after is None)
    if before is None or after is None:
        return
    assert [row.candidate.config for row in _rows(after)] == [
        row.candidate.config for row in _rows(before)
    ]
    assert [row.role for row in _rows(after)] == [row.role for row in _rows(before)]
    for row, dearer in zip(_rows(before), _rows(after), strict=True):
        assert dearer.cost.usd_per_month == pytest.approx(
            row.cost.usd_per_month * times, abs=Decimal("0.01") * (1 + times)
        )


_CHILD = """
import sys
from pathlib import Path
from advisor.domain.record import replaced
from advisor.domain.recommendation import Constraints
from advisor.domain.vocabulary import Availability, Dialect, Objective, Platform
from advisor.render.recommendation_json import recommendation_json
from advisor.session.recommend import recommend
from advisor.session.sources import bundled
from tests.ground import request, workload
anywhere = Constraints(platforms=tuple(Platform), dialect=Dialect.ANY)
for asked in (
    request(workload(16, "mixed"), top=10),
    request(workload(1024, "point", data_gib=16384.0, hot_gib=800.0), constraints=anywhere),
    request(workload(64, "write", availability=Availability.MULTI_AZ, target_tps=500.0),
            constraints=anywhere),
):
    print(recommendation_json(recommend(asked, bundled(Path(sys.argv[1])))))
"""


def test_fresh_processes_give_the_same_bytes() -> None:
    """Nothing hangs on hash seeds, dictionary order or the process."""
    command = [sys.executable, "-c", _CHILD, str(database())]
    first, second = (
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert first.count(b'"schema"') == 3
