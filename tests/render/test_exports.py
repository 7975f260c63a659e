"""The answer as CSV and Markdown: columns are a contract, a document pastes without surprises."""

# ruff: noqa: SIM905 (ninety literals would take ninety lines)

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from advisor.render.csv_document import SEPARATOR, csv_text
from advisor.render.markdown import escaped
from advisor.render.recommendation_csv import recommendation_csv
from advisor.render.recommendation_json import recommendation_json
from advisor.render.recommendation_markdown import recommendation_markdown
from tests.render.answers import stated, usual

ESTIMATED = (
    "transactions_per_s queries_per_s latency_avg_ms latency_p95_ms latency_p99_ms variation_cv"
).split()
STATIONS = "cpu volume_iops volume_throughput instance_ebs commit memory network".split()
#: The columns of the CSV, in their order: new ones come last.
COLUMNS = [
    *"config rank role platform engine instance_type architecture vcpu memory_gib nodes".split(),
    *"storage_type storage_size_gib storage_iops storage_throughput_mib_per_s".split(),
    "storage_count",
    *(
        f"predicted_{name}_{part}"
        for name in ESTIMATED
        for part in ("value", "low", "high", "level", "basis")
    ),
    "bottleneck",
    *(
        f"bottlenecks_{name}_{part}"
        for name in STATIONS
        for part in ("utilisation_ratio", "time_ms")
    ),
    *"burst_minutes cost_usd_per_month cost_source cost_as_of".split(),
    *"usd_per_million_transactions usd_per_month_per_1000_tps meets_target".split(),
    *"probability_best tied_with folded caveats evidence settings".split(),
    *"workload_threads workload_rw workload_read_ratio workload_data_gib".split(),
    *"workload_hot_gib workload_durability workload_availability workload_client".split(),
    *"workload_target_transactions_per_s workload_headroom_ratio".split(),
    "workload_max_latency_p95_ms",
    *"request_region request_term request_objective id data_version prices_source".split(),
    *"prices_as_of model_version expected_regret interval_is_validated".split(),
]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_columns_are_a_contract() -> None:
    for answer in (usual(), stated()):
        rows = list(csv.reader(io.StringIO(recommendation_csv(answer), newline="")))
        assert rows[0] == COLUMNS
        assert {len(row) for row in rows} == {len(COLUMNS)}


def test_lines_end_as_rfc_4180_has_it() -> None:
    text = csv_text(("a", "b.c"), [{"a": 'say "x", y\nz', "b": {"c": None}}, {"a": 1, "b": None}])
    assert text == 'a,b_c\r\n"say ""x"", y\nz",\r\n1,\r\n'


def test_csv_holds_what_json_holds() -> None:
    answer = usual()
    rows = read(recommendation_csv(answer))
    document = json.loads(recommendation_json(answer))
    assert [row["config"] for row in rows] == [row["config"] for row in document["recommendations"]]
    for row, found in zip(rows, document["recommendations"], strict=True):
        rate = found["predicted"]["transactions_per_s"]
        assert float(row["predicted_transactions_per_s_value"]) == rate["value"]
        assert row["predicted_transactions_per_s_basis"] == rate["basis"]
        assert float(row["cost_usd_per_month"]) == found["cost"]["usd_per_month"]
        assert row["tied_with"].split(SEPARATOR) == (found["tied_with"] or [""])
        assert row["id"] == document["id"]
        for load in found["bottlenecks"]:
            name = f"bottlenecks_{load['station'].replace('-', '_')}_time_ms"
            assert float(row[name]) == pytest.approx(load["time_ms"])


def test_csv_unknown_is_empty_never_zero() -> None:
    answer = usual()
    unknown = replace(answer.pick.prediction, latency_p99_ms=None)
    row = read(
        recommendation_csv(replace(answer, ranking=(replace(answer.pick, prediction=unknown),)))
    )[0]
    assert (row["predicted_latency_p99_ms_value"], row["burst_minutes"]) == ("", "")


def test_markdown_says_what_the_text_says() -> None:
    answer = usual()
    text = recommendation_markdown(answer)
    assert text.startswith("**Run ")
    for said in (
        *(escaped(each) for each in (*answer.pick.caveats, *answer.notes)),
        *(f"{each.name} {each.value}" for each in answer.request.assumed),
        *(each.source.title for each in answer.pick.evidence),
        f"config: `{answer.pick.candidate.config}`",
        "## Why this one",
        "## What it costs",
    ):
        assert said in text


def test_markdown_tables_are_whole() -> None:
    """Every row has the cells of its header, whatever stands in them."""
    answer = replace(usual(), notes=("a | b * c < d `e`",))
    text = recommendation_markdown(answer, is_explained=True)
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) == 2
    for table in tables:
        cells = {line.replace(r"\|", "").count("|") for line in table.splitlines()}
        assert len(cells) == 1
    assert r"- a \| b \* c &lt; d \`e\`" in text
    assert "```text\nLedger of " in text
    assert "\n\n\n" not in text


def test_markdown_leaves_out_empty_sections() -> None:
    answer = stated()
    said = replace(answer.request, workload=replace(answer.request.workload, assumed=()))
    text = recommendation_markdown(replace(answer, request=said))
    assert "## Evidence" not in text
    assert "## Assumed" not in text
