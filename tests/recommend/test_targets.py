"""A target is met by the cheapest candidate that meets it, wherever one exists."""

from __future__ import annotations

import pytest

from advisor.domain.recommendation import Constraints, Ranked
from advisor.domain.vocabulary import Station, StorageType
from advisor.errors import NoCandidateError
from advisor.recommend.recommend import recommend
from tests.ground import ground, request, workload

HEADROOM = 0.3


def _meets(row: Ranked, target: float) -> bool:
    """Whether a row meets a target by the rule of DESIGN.md section 5, from what is printed."""
    rate = row.prediction.transactions_per_s
    used = [
        line.utilisation_ratio * target / rate.value
        for line in row.prediction.stations
        if line.utilisation_ratio is not None and line.station is not Station.MEMORY
    ]
    return rate.low >= target and max(used) <= 1.0 - HEADROOM


@pytest.mark.parametrize("target", [500.0, 1000.0, 2000.0])
@pytest.mark.parametrize("rw", ["mixed", "write"])
@pytest.mark.parametrize("threads", [16, 64])
def test_stating_a_target_never_costs_more_than_an_answer_that_meets_it(
    target: float, rw: str, threads: int
) -> None:
    """What the answer without a target offers is still on offer when the target is stated."""
    free = recommend(request(workload(threads, rw), top=10), ground())
    met = [row for row in (*free.ranking, *free.alternatives) if _meets(row, target)]
    if met:
        cheapest = min(row.cost.usd_per_month for row in met)
        asked = request(workload(threads, rw, target_tps=target, headroom_ratio=HEADROOM))
        assert recommend(asked, ground()).pick.cost.usd_per_month <= cheapest


@pytest.mark.parametrize(("threads", "target"), [(64, 5000.0), (256, 20_000.0)])
def test_a_target_within_reach_of_large_instances_is_met(threads: int, target: float) -> None:
    """Mixed transactions at rates that predictions without a target exceed twice over."""
    answer = recommend(request(workload(threads, "mixed", target_tps=target)), ground())
    assert answer.pick.meets_target


def test_local_disks_too_small_for_the_data_are_said_to_be() -> None:
    """Without a budget the refusal never speaks of money."""
    only = Constraints(storage_types=(StorageType.NVME,), allow_ephemeral=True)
    load = workload(16, data_gib=100_000.0, hot_gib=10.0)
    with pytest.raises(NoCandidateError) as raised:
        recommend(request(load, constraints=only), ground())
    assert "None" not in raised.value.message
    assert "$" not in raised.value.message
