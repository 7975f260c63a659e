"""The renderings of volumes: golden bytes, page width, the JSON contract and the CSV columns."""

# ruff: noqa: SIM905 (sixty literals would take sixty lines)

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from advisor.domain.vocabulary import Basis, Station
from advisor.render.storage import storage_text
from advisor.render.storage_json import storage_csv, storage_json
from tests.render.answers import GOLDEN, estimate
from tests.render.test_recommendation import ESTIMATE, NUMBER, TEXT, assert_matches
from tests.render.volume_answers import ANSWERS, RENDERERS, attached, bought

NONE = type(None)
VOLUME: dict[str, object] = {
    "config": TEXT,
    "rank": (int, NONE),
    "is_first_on_price": bool,
    "is_first_on_latency": bool,
    "meets": bool,
    "storage": {
        "type": TEXT,
        "size_gib": int,
        "iops": (int, NONE),
        "throughput_mib_per_s": (int, NONE),
        "count": int,
    },
    "shape": (str, NONE),
    "predicted": {
        "iops": ESTIMATE,
        "latency_avg_ms": ESTIMATE,
        "latency_p95_ms": ESTIMATE,
        "variation_cv": ESTIMATE,
    },
    "one_thread": {"iops": NUMBER, "latency_avg_ms": NUMBER, "latency_p95_ms": NUMBER},
    "throughput_mib_per_s": NUMBER,
    "max_throughput_mib_per_s": NUMBER,
    "limit": TEXT,
    "full_at_threads": int,
    "burst": (dict, NONE),
    "durability": TEXT,
    "waste": (dict, NONE),
    "cost": (dict, NONE),
    "caveats": [TEXT],
}
#: Keys and types of ``advisor.storage/1``; a tuple lists what may stand there.
CONTRACT: dict[str, object] = {
    "schema": TEXT,
    "request": {
        "size_gib": int,
        "iops": int,
        "throughput_mib_per_s": (int, NONE),
        "threads": int,
        "rw": TEXT,
        "read_ratio": NUMBER,
        "storage_types": [TEXT],
        "instance_type": (str, NONE),
        "region": TEXT,
        "assumed": [{"name": TEXT, "value": TEXT, "reason": TEXT}],
    },
    "volumes": [VOLUME],
    "first_on_price": (str, NONE),
    "first_on_latency": (str, NONE),
    "instance": (dict, NONE),
    "left_out": [{"type": TEXT, "reason": TEXT}],
    "notes": [TEXT],
    "evidence": [dict],
    "data_version": TEXT,
    "prices": {"source": TEXT, "as_of": (str, NONE)},
}
#: The columns of the CSV, in their order: new ones come last.
COLUMNS = (
    "config rank is_first_on_price is_first_on_latency meets storage_type storage_size_gib "
    "storage_iops storage_throughput_mib_per_s storage_count shape predicted_iops_value "
    "predicted_iops_low predicted_iops_high predicted_iops_level predicted_iops_basis "
    "predicted_latency_avg_ms_value predicted_latency_avg_ms_low predicted_latency_avg_ms_high "
    "predicted_latency_avg_ms_level predicted_latency_avg_ms_basis predicted_latency_p95_ms_value "
    "predicted_latency_p95_ms_low predicted_latency_p95_ms_high predicted_latency_p95_ms_level "
    "predicted_latency_p95_ms_basis predicted_variation_cv_value predicted_variation_cv_low "
    "predicted_variation_cv_high predicted_variation_cv_level predicted_variation_cv_basis "
    "one_thread_iops one_thread_latency_avg_ms one_thread_latency_p95_ms throughput_mib_per_s "
    "max_throughput_mib_per_s limit full_at_threads burst_iops burst_minutes durability "
    "waste_iops waste_throughput_mib_per_s waste_usd_per_month cost_usd_per_month cost_source "
    "cost_as_of caveats request_size_gib request_iops request_throughput_mib_per_s "
    "request_threads request_rw request_read_ratio request_instance_type request_region "
    "data_version prices_source prices_as_of"
).split()


@pytest.mark.parametrize("suffix", list(RENDERERS))
@pytest.mark.parametrize("name", list(ANSWERS))
def test_golden_bytes(name: str, suffix: str) -> None:
    written = RENDERERS[suffix](ANSWERS[name]()).encode()
    assert written == (GOLDEN / f"{name}.{suffix}").read_bytes(), (
        "python -m tests.render.volume_answers writes the golden files; read the diff"
    )


@pytest.mark.parametrize("name", list(ANSWERS))
def test_no_line_is_wider_than_the_page(name: str) -> None:
    answer = ANSWERS[name]()
    huge = estimate(1234567890.0)
    wide = tuple(replace(each, iops=huge, shape="word " * 60) for each in answer.options)
    for text in (storage_text(answer), storage_text(replace(answer, options=wide))):
        assert max(map(len, text.splitlines())) <= 80
        assert not [line for line in text.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("name", list(ANSWERS))
def test_json_is_a_contract(name: str) -> None:
    document = json.loads(storage_json(ANSWERS[name]()))
    assert document["schema"] == "advisor.storage/1"
    assert_matches(document, CONTRACT, "$")


def test_json_unknown_is_null_never_zero() -> None:
    volumes = json.loads(storage_json(attached()))["volumes"]
    assert (volumes[1]["cost"], volumes[1]["rank"], volumes[1]["burst"]) == (None, None, None)


def test_csv_is_a_contract() -> None:
    rows = list(csv.reader(io.StringIO(storage_csv(bought()), newline="")))
    assert rows[0] == COLUMNS
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert storage_csv(bought()).count("\r\n") == len(rows)


def test_stripes_are_written_as_a_config_is() -> None:
    assert json.loads(storage_json(attached()))["volumes"][0]["config"].startswith("2xgp3:10240GiB")


def flat(text: str) -> str:
    return " ".join(text.split())


def test_one_that_reaches_alone_is_said_to() -> None:
    answer = bought()
    missed = replace(answer.options[1], meets=False, limit="latency")
    text = flat(storage_text(replace(answer, options=(answer.options[0], missed))))
    assert text.startswith("Only gp3 500 GiB, 3,000 IOPS, 125 MiB/s reaches 3,000 IOPS on 500 GiB")
    assert "io2 waits for single I/Os" in text


def test_one_type_that_is_first_on_both_is_said_once() -> None:
    answer = bought()
    text = storage_text(replace(answer, options=answer.options[:1], first_on_latency=GP3_SPEC))
    assert flat(text).startswith("gp3 500 GiB, 3,000 IOPS, 125 MiB/s is first on price and on")
    assert "It reaches 3,000 IOPS" in flat(text)


GP3_SPEC = bought().options[0].storage


def test_tails_within_the_noise_are_called_alike() -> None:
    answer = bought()
    near = replace(answer.options[1], latency_p95_ms=estimate(8.0, Basis.MEASURED))
    text = flat(storage_text(replace(answer, options=(answer.options[0], near))))
    assert "First on latency, within the noise: io2" in text
    assert "Their tails are alike within the noise: p95 ms io2 8.00, gp3 8.27." in text


def test_an_instance_that_limits_all_is_said_to() -> None:
    answer = attached()
    assert all(
        each.limit == Station.INSTANCE_EBS for each in answer.options if each.rank is not None
    )
    assert "only a larger EBS baseline brings more" in flat(storage_text(answer))
    link = answer.link
    assert link is not None
    even = replace(link, ebs_max_iops=12_000.0, ebs_max_mib_per_s=274.0)
    unused = replace(answer.options[0], waste=None)
    text = flat(storage_text(replace(answer, link=even, options=(unused,))))
    assert "to all its volumes together, its maximum." in text
    assert "Nothing that is paid for is lost there." in text


def test_unused_throughput_and_free_iops_are_said() -> None:
    answer = attached()
    waste = answer.options[0].waste
    assert waste is not None
    from decimal import Decimal

    spare = replace(waste, iops=0, throughput_mib_per_s=50, usd_per_month=Decimal(0))
    text = flat(storage_text(replace(answer, options=(replace(answer.options[0], waste=spare),))))
    assert "50 MiB/s cannot be used there, at no extra cost." in text
