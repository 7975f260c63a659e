"""A CONFIG fed back: ``predict`` gives the numbers that ``recommend`` printed it with."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.domain.config import Config, config_of, parse_config
from advisor.domain.recommendation import Constraints
from advisor.domain.vocabulary import (
    ENGINES_ON,
    INNODB_FAMILY,
    Availability,
    Client,
    Dialect,
    Durability,
    Engine,
    Platform,
    StorageType,
    Term,
)
from advisor.errors import NoCandidateError, UsageError
from advisor.recommend.recommend import recommend
from advisor.session.candidate import assess, cost_under, perform, resolve
from advisor.session.predict import predict
from advisor.session.recommend import gather
from tests.ground import (
    catalogue,
    changed,
    ground,
    numbers,
    request,
    sources,
    workload,
    workloads,
)

if TYPE_CHECKING:
    from advisor.domain.recommendation import Request
    from advisor.domain.workload import Workload
    from advisor.recommend.ground import Ground

PROPERTY = settings(
    derandomize=True,
    max_examples=120,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
MULTI_AZ = {"availability": Availability.MULTI_AZ}


def whole_ground() -> Ground:
    families = tuple(sorted({entry.instance.family for entry in catalogue().values()}))
    return ground(families=families)


ASKED = [
    request(workload(16)),
    request(workload(64, "read", client=Client.LOCAL), region="eu-west-1"),
    request(workload(4, "write", durability=Durability.RELAXED), term=Term.RESERVED_3Y),
    request(workload(32, "mixed", **MULTI_AZ)),
    request(workload(128, "0.9", data_gib=2000.0, hot_gib=900.0, target_tps=900.0)),
    request(
        workload(16, "write"),
        constraints=Constraints(
            storage_types=(StorageType.NVME,), allow_ephemeral=True, engines=(Engine.MARIADB,)
        ),
    ),
    request(
        workload(16, "point"),
        constraints=Constraints(storage_types=(StorageType.GP2,), families=("t3", "m4", "r4")),
    ),
    request(
        workload(8, "mixed", max_p95_ms=200.0),
        constraints=Constraints(storage_types=(StorageType.IO1, StorageType.IO2)),
    ),
    *(
        request(
            workload(16, **said),
            constraints=Constraints(platforms=(platform,), dialect=dialect),
        )
        for platform in (Platform.RDS, Platform.AURORA)
        for dialect in (Dialect.MYSQL, Dialect.POSTGRESQL)
        for said in ({}, MULTI_AZ)
    ),
    request(workload(64), constraints=Constraints(engines=(Engine.PXC, Engine.MYROCKS))),
    request(workload(64, availability=Availability.CLUSTER)),
    request(workload(200, "read", data_gib=4000.0, hot_gib=3000.0)),
]


@pytest.mark.parametrize("asked", ASKED)
def test_rows_of_an_answer_are_predicted_alike(asked: Request) -> None:
    answer = recommend(asked, gather(asked, sources()))
    for row in (*answer.ranking, *answer.alternatives):
        found = predict(parse_config(row.candidate.config), asked, sources())
        assert str(found.config) == row.candidate.config
        assert found.candidate == row.candidate
        assert found.prediction == row.prediction
        assert found.cost == row.cost
        assert found.caveats == row.caveats
        assert found.evidence == row.evidence
        assert found.meets_target == row.meets_target
        assert found.usd_per_month_per_1000_tps == row.usd_per_month_per_1000_tps
        assert found.usd_per_million_transactions == row.usd_per_million_transactions


@st.composite
def bought(draw: st.DrawFn) -> Config:
    """Draw a configuration of any type that has a curve, with figures its volume can have."""
    name = draw(st.sampled_from(sorted(catalogue())))
    disks = catalogue()[name].instance.local_disks
    has_disks = disks is not None and disks.read_iops is not None
    kinds = ["gp2", "gp3", "io1", "io2", *(["nvme"] if has_disks else [])]
    kind = draw(st.sampled_from(kinds))
    size = draw(st.integers(200, 16_000))
    iops = draw(st.sampled_from([3000, 6000, 9900]))
    figures = {
        "gp2": draw(st.sampled_from(["", f":{size}GiB"])),
        "gp3": draw(st.sampled_from(["", f":{size}GiB", f":{size}GiB:{iops}:250"])),
        "io1": f":{size}GiB:{iops}",
        "io2": f":{size}GiB:{iops}",
        "nvme": "",
    }[kind]
    copies = "" if kind == "nvme" else draw(st.sampled_from(["", "2x", "4x"]))
    engine = draw(st.sampled_from(INNODB_FAMILY))
    nodes = draw(st.sampled_from(["", "/x3"]))
    return parse_config(f"{engine}/{name}/{copies}{kind}{figures}{nodes}")


@cache
def managed_ground(*, is_multi_az: bool) -> Ground:
    """Return what all classes of RDS and Aurora stand on, in one deployment."""
    availability = Availability.MULTI_AZ if is_multi_az else Availability.SINGLE
    families = tuple(sorted({entry.instance.family for entry in catalogue().values()}))
    constraints = Constraints(
        platforms=(Platform.RDS, Platform.AURORA), dialect=Dialect.ANY, families=families
    )
    asked = request(workload(1, availability=availability), constraints=constraints)
    return gather(asked, sources())


@st.composite
def managed(draw: st.DrawFn) -> Config:
    """Draw a configuration of any class of RDS or Aurora that has a curve."""
    entry = draw(st.sampled_from(managed_ground(is_multi_az=False).entries))
    engine = draw(st.sampled_from(ENGINES_ON[entry.platform]))
    name = f"{entry.platform}/{engine}/{entry.instance.name}"
    if entry.platform is Platform.AURORA:
        mode = draw(st.sampled_from(["standard", "io-optimized"]))
        return parse_config(f"{name}/{mode}{draw(st.sampled_from(['', '/x2', '/x3']))}")
    size = draw(st.integers(200, 16_000))
    kinds = ["gp2", f"gp2:{size}GiB", "gp3", f"gp3:{size}GiB", f"io1:{size}GiB:3000"]
    storage = draw(st.sampled_from([*kinds, f"io2:{size}GiB:6000"]))
    return parse_config(f"{name}/{storage}{draw(st.sampled_from(['', '/multi-az']))}")


@given(managed(), workloads(availability=Availability.SINGLE))
@PROPERTY
def test_a_managed_config_gives_the_same_numbers(config: Config, load: Workload) -> None:
    """As on EC2: what is printed says every figure."""
    base = managed_ground(is_multi_az=config.is_multi_az)
    load = changed(load, assumed=workload(1).assumed)
    first = assess(config, request(load), base)
    again = assess(parse_config(str(first.config)), request(load), base)
    assert again.config == first.config
    assert again.prediction == first.prediction
    assert again.cost == first.cost
    assert (first.cost is None) == (first.unpriced is not None)
    assert config_of(first.candidate) == first.config
    assert all(isfinite(number) for number in numbers(first))


@given(bought(), workloads(availability=Availability.SINGLE))
@PROPERTY
def test_a_printed_config_gives_the_same_numbers(config: Config, load: Workload) -> None:
    """What is printed says every figure, so nothing is decided anew when it is fed back."""
    base = whole_ground()
    load = changed(load, assumed=workload(1).assumed)
    first = assess(config, request(load), base)
    again = assess(parse_config(str(first.config)), request(load), base)
    assert again.config == first.config
    assert again.prediction == first.prediction
    assert again.cost == first.cost
    assert (first.cost is None) == (first.unpriced is not None)
    assert config_of(first.candidate) == first.config
    estimate = first.prediction.transactions_per_s
    assert 0.0 < estimate.low <= estimate.value <= estimate.high
    assert all(isfinite(number) for number in numbers(first))


def test_excluded_types_are_predicted() -> None:
    for name in ("r3.xlarge", "t3.large", "i3.xlarge", "m1.large"):
        found = predict(parse_config(f"mysql/{name}/gp2:500GiB"), request(workload(8)), sources())
        assert found.prediction.transactions_per_s.value > 0.0


@pytest.mark.parametrize("name", ["m5.metal", "r9g.large", "u-12tb1.112xlarge"])
def test_a_type_that_nothing_tells_about_is_refused(name: str) -> None:
    with pytest.raises(NoCandidateError) as raised:
        predict(parse_config(f"mysql/{name}/gp3"), request(workload(8)), sources())
    assert name in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mysql/m5.large/nvme", "no local disks"),
        ("mysql/c9gd.2xlarge/nvme", "no published IOPS"),
        ("mysql/m5.large/gp3:100GiB:90000:125", "3,000 to 50,000 IOPS"),
        ("mysql/m5.large/gp2:20TiB", "1 to 16,384 GiB"),
    ],
)
def test_what_cannot_be_bought_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        predict(parse_config(text), request(workload(8)), sources())


def test_no_price_is_said_and_no_error() -> None:
    asked = request(workload(8), region="eu-west-1", term=Term.RESERVED_1Y)
    found = predict(parse_config("mysql/r3.xlarge/gp2"), asked, sources())
    assert found.cost is None
    assert found.unpriced == "r3.xlarge has no reserved-1y price in eu-west-1"
    assert found.usd_per_million_transactions is None
    assert found.usd_per_month_per_1000_tps is None


def test_a_volume_without_a_price_is_said() -> None:
    base = whole_ground()
    tariffs = dict(base.market.tariffs)
    del tariffs[Platform.EC2, StorageType.IO2]
    poorer = base._replace(market=base.market._replace(tariffs=tariffs))
    found = resolve(parse_config("mysql/m7g.large/io2:200GiB:3000"), workload(8), poorer)
    assert cost_under(found, poorer) == (None, "io2 storage")


def test_nodes_say_the_availability() -> None:
    single, copies = (
        predict(parse_config(f"mysql/r7g.xlarge/gp3{nodes}"), request(workload(8)), sources())
        for nodes in ("", "/x3")
    )
    assert copies.request.workload.availability is Availability.MULTI_AZ
    assert single.cost is not None
    assert copies.cost is not None
    assert float(copies.cost.usd_per_month) == pytest.approx(
        3.0 * float(single.cost.usd_per_month), abs=0.02
    )
    assert copies.prediction.latency_avg_ms.value > single.prediction.latency_avg_ms.value
    assert [each.value for each in copies.assumed if each.name == "availability"] == ["multi-az"]


@pytest.mark.parametrize("nodes", ["", "/x3"])
def test_stated_availability_must_agree_with_the_nodes(nodes: str) -> None:
    said = Availability.SINGLE if nodes else Availability.MULTI_AZ
    load = workload(8, availability=said)
    with pytest.raises(UsageError, match="--availability asks for"):
        predict(parse_config(f"mysql/m7g.large/gp3{nodes}"), request(load), sources())


def test_storage_that_is_too_small_is_said() -> None:
    asked = request(workload(8))
    caveats = [
        predict(parse_config(f"mysql/m7g.large/gp3:{size}GiB"), asked, sources()).caveats[0]
        for size in (50, 110)
    ]
    assert "cannot hold 100 GiB of data" in caveats[0]
    assert "150 GiB are advised" in caveats[1]


def test_striped_volumes_carry_and_cost_as_much_together() -> None:
    asked = request(workload(64, "read", data_gib=500.0, hot_gib=400.0))
    one, two = (
        predict(parse_config(f"mysql/c6g.4xlarge/{text}"), asked, sources())
        for text in ("gp3:700GiB:3000:125", "2xgp3:350GiB:3000:125")
    )
    assert two.prediction.transactions_per_s.value == pytest.approx(
        2.0 * one.prediction.transactions_per_s.value, rel=0.02
    )
    assert one.cost == two.cost or one.cost is not None


def test_other_threads_move_nothing_but_the_load() -> None:
    base = whole_ground()
    found = resolve(parse_config("mysql/m6g.2xlarge/gp3"), workload(64, "read"), base)
    stated = perform(found, base)
    assert perform(found, base, 64) == stated
    assert perform(found, base, 1).prediction != stated.prediction


def test_rds_multi_az_has_its_own_price_and_waits_for_its_standby() -> None:
    load = workload(1, hot_gib=1.0)
    single, standby = (
        predict(parse_config(f"rds/mysql/db.m6g.large/gp3{nodes}"), request(load), sources())
        for nodes in ("", "/multi-az")
    )
    assert single.cost is not None
    assert standby.cost is not None
    assert float(standby.cost.usd_per_month) == pytest.approx(
        2.0 * float(single.cost.usd_per_month), rel=0.02
    )
    assert standby.prediction.latency_avg_ms.value > single.prediction.latency_avg_ms.value


def test_aurora_bills_its_requests_or_a_dearer_instance() -> None:
    standard, optimised = (
        predict(
            parse_config(f"aurora/aurora-mysql/db.r6g.large/{mode}"),
            request(workload(8)),
            sources(),
        )
        for mode in ("standard", "io-optimized")
    )
    assert standard.prediction.transactions_per_s == optimised.prediction.transactions_per_s
    labels = [
        {line.label for line in found.cost.lines}
        for found in (standard, optimised)
        if found.cost is not None
    ]
    assert any("request" in label or "I/O" in label for label in labels[0])
    assert not any("request" in label or "I/O" in label for label in labels[1])
