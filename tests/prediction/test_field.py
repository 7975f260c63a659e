"""The field of measured points: its algebra, and leaving out without a second fit."""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.prediction.compute import Compute
from advisor.prediction.field import Field, expected
from advisor.prediction.kernel import Layers, Site, covariance, site_of
from advisor.prediction.linear import cholesky, dot, inverted, solved
from tests.ground import PROPERTY, catalogue, changed, fit_data

if TYPE_CHECKING:
    from advisor.prediction.fit_input import FitInput

#: Correlated, symmetric, positive definite.
MATRIX = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]


@cache
def compute() -> Compute:
    """The bundled points."""
    data = fit_data()
    return Compute(data.types, data.curve_points, data.scores)


def without(data: FitInput, names: set[str]) -> Compute:
    """A fit that never saw some instance types."""
    points = tuple(point for point in data.curve_points if point.instance_type not in names)
    return Compute(data.types, points, data.scores)


def test_a_system_is_solved() -> None:
    lower = cholesky(MATRIX)
    found = solved(lower, [1.0, 2.0, 3.0])
    assert [dot(row, found) for row in MATRIX] == pytest.approx([1.0, 2.0, 3.0])


def test_an_inverse_inverts() -> None:
    inverse = inverted(cholesky(MATRIX))
    for place, row in enumerate(MATRIX):
        product = [dot(row, [line[column] for line in inverse]) for column in range(3)]
        assert product == pytest.approx([float(place == column) for column in range(3)])


def test_what_is_not_positive_definite_is_refused() -> None:
    with pytest.raises(ValueError, match="positive definite"):
        cholesky([[1.0, 2.0], [2.0, 1.0]])


def test_leaving_a_type_out_equals_a_fit_without_it() -> None:
    """The inverse of the covariance answers as a refit does, to the digits of the arithmetic."""
    whole, name = compute(), "c6g.4xlarge"
    indices = [place for place, point in enumerate(whole.points) if point.instance_type == name]
    item = whole.types[name]
    refit = without(fit_data(), {name})
    speed = whole.speed(item)
    assert speed is not None
    for index, error in zip(indices, whole.errors_without(indices), strict=True):
        threads = whole.points[index].threads
        again = refit.log_tps(item, threads, speed) - whole.measured(index)
        assert error == pytest.approx(again, abs=1e-6)


@pytest.mark.parametrize("silicon", sorted(compute().silicon))
def test_leaving_a_silicon_generation_out_equals_a_fit_without_it(silicon: str) -> None:
    """Scores included: their zero is that of the catalogue, whatever was measured."""
    whole = compute()
    names = {name for name, item in whole.types.items() if item.silicon == silicon}
    indices = [place for place, point in enumerate(whole.points) if point.instance_type in names]
    refit = without(fit_data(), names)
    again = []
    for index in indices:
        point = whole.points[index]
        item = whole.types[point.instance_type]
        speed = refit.speed(item)
        assert speed is not None
        again.append(refit.log_tps(item, point.threads, speed) - whole.measured(index))
    assert whole.errors_without(indices) == pytest.approx(again, abs=1e-6)


def test_known_points_come_back_within_their_scatter() -> None:
    whole = compute()
    for index, point in enumerate(whole.points):
        item = whole.types[point.instance_type]
        speed = whole.speed(item)
        assert speed is not None
        found = whole.log_tps(item, point.threads, speed)
        assert found == pytest.approx(whole.measured(index), abs=4.0 * Layers().repeat_sigma)


@PROPERTY
@given(
    st.sampled_from(sorted(catalogue())),
    st.sampled_from(sorted(catalogue())),
    st.floats(1.0, 1024.0),
    st.floats(1.0, 1024.0),
)
def test_covariance_is_symmetric_and_never_above_that_of_the_point_itself(
    one: str, other: str, threads: float, others: float
) -> None:
    mine = site_of(catalogue()[one].instance, threads, is_known=True)
    theirs = site_of(catalogue()[other].instance, others, is_known=True)
    layers = Layers()
    assert covariance(mine, theirs, layers) == covariance(theirs, mine, layers)
    most = (covariance(mine, mine, layers) * covariance(theirs, theirs, layers)) ** 0.5
    assert covariance(mine, theirs, layers) <= most * (1.0 + 1e-12)


def test_a_closer_relative_counts_more() -> None:
    """Own type before silicon before maker before a stranger, at the same size and load."""
    site = Site(3.0, 0.0, "Intel", 2, "intel-skylake", "m5.2xlarge")
    relatives = (
        site,
        site._replace(instance_type="c5.2xlarge"),
        site._replace(instance_type="m6i.2xlarge", silicon="intel-icelake"),
        site._replace(instance_type="m6a.2xlarge", silicon="amd-zen3", cpu_maker="AMD"),
        site._replace(
            instance_type="m6g.2xlarge", silicon="graviton2", cpu_maker="AWS", threads_per_core=1
        ),
    )
    shared = [covariance(site, other, Layers()) for other in relatives]
    assert shared == sorted(shared, reverse=True)
    assert len(set(shared)) == len(shared)


def test_a_score_learns_what_it_is_worth() -> None:
    """Two families that differ as their scores do: a third follows its scores."""
    layers = Layers(score_sigma=1.0, repeat_sigma=0.001)
    sites = [
        Site(3.0, 0.0, f"maker {place}", place, f"silicon {place}", f"type {place}")
        for place in range(4)
    ]
    scores = [(-0.3,), (-0.1,), (0.1,), (0.3,)]
    field = Field(sites, scores, layers)
    learned = field.learned([2.0 * score for (score,) in scores])
    stranger = Site(3.0, 0.0, "new", 9, "new", "")
    gained = expected(field.alike(stranger), (0.2,), learned) - expected(
        field.alike(stranger), (0.0,), learned
    )
    assert gained == pytest.approx(0.4, rel=0.15)


def test_a_family_without_scores_of_its_own_follows_its_silicon() -> None:
    """c8in has no score: it is placed as the Granite Rapids families are."""
    speeds = compute()
    types = {item.name: item for item in fit_data().types}
    known, unknown = (speeds.speed(types[name]) for name in ("m8i.xlarge", "c8in.xlarge"))
    assert known is not None
    assert unknown is not None
    assert unknown.at(4, 16.0) == pytest.approx(known.at(4, 16.0), abs=0.1)


def test_scores_are_compared_at_equal_vcpu() -> None:
    """A family known only by large sizes is not faster for it."""
    data = fit_data()
    small = {"m5.large", "m5.xlarge", "m5.2xlarge"}
    scores = {name: found for name, found in data.scores.items() if name not in small}
    full = Compute(data.types, data.curve_points, data.scores)
    part = Compute(data.types, data.curve_points, scores)
    item = full.types["m5.4xlarge"]
    one, other = full.speed(item), part.speed(item)
    assert one is not None
    assert other is not None
    assert exp(one.at(16, 64.0) - other.at(16, 64.0)) == pytest.approx(1.0, abs=0.05)


def test_a_faster_run_of_one_type_moves_its_family_most() -> None:
    """Ten per cent on all of m5.2xlarge: m5.4xlarge follows, c6g.4xlarge hardly."""
    data = fit_data()
    points = tuple(
        changed(point, transactions_per_s=point.transactions_per_s * 1.1)
        if point.instance_type == "m5.2xlarge"
        else point
        for point in data.curve_points
    )
    gains = {}
    for name in ("m5.4xlarge", "c6g.4xlarge"):
        before, after = (
            Compute(data.types, [each for each in found if each.instance_type != name], data.scores)
            for found in (data.curve_points, points)
        )
        item = before.types.get(name) or next(each for each in data.types if each.name == name)
        speeds = before.speed(item), after.speed(item)
        assert speeds[0] is not None
        assert speeds[1] is not None
        gains[name] = after.log_tps(item, 16, speeds[1]) - before.log_tps(item, 16, speeds[0])
    assert log(1.1) > gains["m5.4xlarge"] > 2.0 * abs(gains["c6g.4xlarge"])
