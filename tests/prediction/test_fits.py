"""The fit: deterministic, faithful to what was measured, and as good as it says when held out."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from math import exp, hypot, log

import pytest

from advisor.domain.vocabulary import Basis, Engine
from advisor.prediction.curve import THREADS, throughput
from advisor.prediction.fit_curves import fit_curves
from advisor.prediction.fit_input import CurvePoint, FitInput
from advisor.prediction.fit_mix import TPCC_OTHERS, TPCC_WRITES, write_costs
from advisor.prediction.fitting import FittedModel, fit
from tests.ground import catalogue, changed, fit_data, ground


@cache
def _fitted() -> FittedModel:
    return fit(fit_data())


@cache
def _tiny() -> FitInput:
    """Return two families measured without error: 100 transactions/s a vCPU, and half of that."""
    data = fit_data()
    wanted = ("m5.large", "m5.xlarge", "m5.2xlarge", "m6g.large", "m6g.xlarge", "m5.4xlarge")
    types = tuple(item for item in data.types if item.name in wanted)
    points = tuple(
        CurvePoint(
            source="percona_arm_m5_2021",
            instance_type=item.name,
            threads=threads,
            transactions_per_s=min(threads, item.vcpu) * (100.0 if item.family == "m5" else 50.0),
            p95_ratio=1.2,
            spread_cv=0.01,
        )
        for item in types
        if item.name != "m5.4xlarge"
        for threads in THREADS[:8]
    )
    scores = {
        item.name: dict.fromkeys(data.scores["m5.large"], 1000.0 * item.vcpu) for item in types
    }
    return changed(data, types=types, curve_points=points, scores=scores)


def test_a_larger_size_of_a_proportional_family_is_nearly_proportional() -> None:
    """16 vCPU from 8: close to twice the throughput; what all runs show of larger sizes counts."""
    curves = {curve.instance_type: curve for curve in fit_curves(_tiny()).curves}
    large = curves["m5.4xlarge"]
    assert large.basis is Basis.SCALED
    for threads, rate in ((8.0, 800.0), (16.0, 1600.0), (128.0, 1600.0)):
        assert throughput(large.log_tps, threads) == pytest.approx(rate, rel=0.15)


def test_what_was_measured_without_error_is_kept() -> None:
    curves = {curve.instance_type: curve for curve in fit_curves(_tiny()).curves}
    assert curves["m6g.xlarge"].basis is Basis.MEASURED
    assert throughput(curves["m6g.xlarge"].log_tps, 4.0) == pytest.approx(200.0, rel=0.001)
    assert curves["m6g.xlarge"].p95_ratio[0] == 1.2
    assert fit_curves(_tiny()).errors.repeat == pytest.approx(0.01)


def test_the_same_data_give_the_same_digits() -> None:
    assert fit(fit_data()) == fit(fit_data())
    assert fit_curves(_tiny()) == fit_curves(_tiny())


def test_the_order_of_the_observations_does_not_matter() -> None:
    """The digits are those of the data, not of a query plan."""
    data = fit_data()
    turned = changed(
        data,
        types=tuple(reversed(data.types)),
        curve_points=tuple(reversed(data.curve_points)),
        volume_points=tuple(reversed(data.volume_points)),
        server_points=tuple(reversed(data.server_points)),
    )
    assert fit(turned) == _fitted()


def test_the_bundled_model_is_the_fit_of_the_bundled_data() -> None:
    fitted = {parameter.name: parameter for parameter in _fitted().parameters}
    assert ground().parameters.by_name == fitted
    curves = {curve.instance_type: curve for curve in _fitted().curves}
    for name, entry in catalogue().items():
        assert entry.curve == curves[name]


@pytest.mark.parametrize(
    ("name", "most"),
    [("threads.bend", 0.06), ("size.bend", 0.07), ("silicon.bend", 0.18), ("repeat", 0.03)],
)
def test_held_out_errors_stay_small(name: str, most: float) -> None:
    """Log errors of a left-out thread count, size and silicon generation, and of repeats."""
    parameter = ground().parameters.by_name[f"curve.{name}_sigma"]
    assert 0.0 < parameter.value <= most
    assert parameter.rows >= 50


def test_measured_types_keep_their_medians() -> None:
    """Every measured cell is predicted as measured, to the rounding of the stored curve."""
    cells: dict[str, dict[int, float]] = defaultdict(dict)
    for point in fit_data().curve_points:
        cells[point.instance_type][point.threads] = point.transactions_per_s
    types = {item.name: item for item in fit_data().types}
    known = catalogue()
    measured = [name for name in cells if name in known and not types[name].is_burstable]
    assert len(measured) >= 40
    for name in measured:
        curve = known[name].curve
        assert curve.basis is Basis.MEASURED
        for threads, rate in cells[name].items():
            octave = THREADS.index(threads)
            assert curve.log_tps[octave] == pytest.approx(log(rate), abs=6e-5)
        assert curve.measured_to == max(cells[name])


def test_runs_on_cpu_credits_are_no_evidence() -> None:
    """T types ran on credits, so no T curve is called measured."""
    burstable = [entry for entry in catalogue().values() if entry.instance.is_burstable]
    assert burstable
    assert all(entry.curve.basis is not Basis.MEASURED for entry in burstable)


def test_every_curve_says_what_it_rests_on() -> None:
    for name, entry in catalogue().items():
        curve = entry.curve
        assert curve.relatives, name
        assert (curve.measured_to > 0) == (curve.basis is Basis.MEASURED), name
        assert min(curve.type_sigma) > 0.0, name
        assert (curve.silicon_sigma.loaded > 0.0) == (curve.basis is Basis.TRANSFERRED), name


def test_foreign_silicon_is_less_sure_than_a_size_and_that_than_a_measurement() -> None:
    widest: dict[Basis, float] = defaultdict(float)
    least: dict[Basis, float] = defaultdict(lambda: 9.0)
    for entry in catalogue().values():
        total = hypot(entry.curve.silicon_sigma.bend, entry.curve.type_sigma.bend)
        widest[entry.curve.basis] = max(widest[entry.curve.basis], total)
        least[entry.curve.basis] = min(least[entry.curve.basis], total)
    assert widest[Basis.MEASURED] < least[Basis.SCALED] <= least[Basis.TRANSFERRED]


def test_newer_generations_of_a_line_are_faster_at_equal_size() -> None:
    """Graviton 2 → 3 → 4 and Intel m5 → m6i → m7i → m8i, at 8 vCPU and 8 threads."""
    known = catalogue()
    for line in (("m6g", "m7g", "m8g"), ("m5", "m6i", "m7i", "m8i"), ("m5a", "m6a", "m7a")):
        rates = [throughput(known[f"{family}.2xlarge"].curve.log_tps, 8.0) for family in line]
        assert rates == sorted(rates), line


def test_every_parameter_can_be_traced() -> None:
    """A fitted one names rows and known sources, an assumed one says so and has a width."""
    sources = ground().sources
    for name, parameter in ground().parameters.by_name.items():
        assert parameter.note, name
        assert parameter.unit, name
        if parameter.basis is Basis.ASSUMED:
            assert parameter.sigma > 0.0, name
        else:
            assert parameter.sources, name
        assert all(source in sources for source in parameter.sources), name


def test_parameters_have_the_order_of_magnitude_of_their_evidence() -> None:
    """Wide bounds: a later, better fit may move every one of them, but not by these factors."""
    value = ground().parameters.value
    assert 2.0 <= value("commit.sync_count") <= 10.0
    assert 0.04 <= value("network.same-az.round_trip_ms") <= 0.3
    assert 0.4 <= value("network.cross-az.round_trip_ms") <= 2.0
    assert 1.0 <= value("client.gain") <= 1.3
    assert 0.03 <= value("volume.nvme.write_ms") <= 0.1
    assert 3.0 / 16.0 <= value("mix.write_cost") <= 12.0 / 16.0
    for engine in Engine:
        assert 0.8 <= value(f"engine.{engine}.read_cost") <= 1.4
        assert 0.6 <= value(f"engine.{engine}.write_cost") <= 2.5


def test_a_curve_is_flat_or_falling_beyond_its_bend() -> None:
    """Four times as many threads as vCPU and more bring at most a tenth."""
    for name, entry in catalogue().items():
        bend = throughput(entry.curve.log_tps, 4.0 * entry.instance.vcpu)
        assert exp(entry.curve.log_tps[-1]) <= 1.1 * bend, name


def test_oltp_and_tpcc_agree_on_the_cost_of_a_write() -> None:
    """Three hosts, two benchmarks: each within 25 % of the others' mean; all count alike."""
    data, fitted = fit_data(), _fitted()
    value = {parameter.name: parameter.value for parameter in fitted.parameters}
    peaks = {curve.instance_type: exp(max(curve.log_tps)) for curve in fitted.curves}
    costs = write_costs(
        data.server_points, data.tpcc_peaks, lambda name: peaks[name] * value["client.gain"]
    )
    assert set(costs) == {"bare metal", "db.r5.xlarge", "db.m5.4xlarge"}
    for host, cost in costs.items():
        others = [log(other) for name, other in costs.items() if name != host]
        assert cost == pytest.approx(exp(sum(others) / len(others)), rel=0.25), host
    mean = exp(sum(map(log, costs.values())) / len(costs))
    assert value["mix.write_cost"] == pytest.approx(mean, rel=1e-3)


def test_a_tpcc_peak_is_reproduced_from_statement_costs() -> None:
    """RDS MySQL on r5.xlarge and m5.4xlarge: 575 and 2,351 transactions/s, within 15 %."""
    data, fitted = fit_data(), _fitted()
    value = {parameter.name: parameter.value for parameter in fitted.parameters}
    peaks = {curve.instance_type: exp(max(curve.log_tps)) for curve in fitted.curves}
    cost = TPCC_OTHERS * value["mix.read_cost"] + TPCC_WRITES * value["mix.write_cost"]
    assert len(data.tpcc_peaks) == 2
    for peak in data.tpcc_peaks:
        rate = peaks[peak.instance_type] * value["client.gain"] / cost
        assert rate == pytest.approx(peak.transactions_per_s, rel=0.15), peak.instance_type


def test_myrocks_is_no_dearer_than_its_fastest_run_allows() -> None:
    data, fitted = fit_data(), _fitted()
    value = {parameter.name: parameter.value for parameter in fitted.parameters}
    fastest = max(
        point.transactions_per_s for point in data.sweep_points if point.engine == "myrocks"
    )
    peak = exp(max({curve.instance_type: curve.log_tps for curve in fitted.curves}["c5.9xlarge"]))
    cost = TPCC_OTHERS * value["mix.read_cost"] * value["engine.myrocks.read_cost"]
    cost += TPCC_WRITES * value["mix.write_cost"] * value["engine.myrocks.write_cost"]
    assert peak * value["client.gain"] / cost >= 0.999 * fastest
