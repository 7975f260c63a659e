"""What ``--explain`` adds: the ledger, all evidence, the model's assumptions, server settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.advice import counsel_sections
from advisor.render.certainty import estimate_phrase, rows_phrase
from advisor.render.contested import contested_in_full
from advisor.render.crossovers import crossovers_in_full
from advisor.render.figures import count, figure, percent
from advisor.render.page import bullets, indented, labelled, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Prediction, StationLoad
    from advisor.domain.recommendation import Recommendation

#: What the model supposes for every workload (DESIGN.md section 5).
MODEL_ASSUMPTIONS = (
    "Each thread always has a query to run (closed loop): response time = threads / throughput.",
    "The hot data are touched uniformly, in pages of 16 KiB; misses are what the pool lacks.",
    "CPU evidence ran the client on the database host; it is normalised to the client asked.",
    "EBS figures are those an instance sustains all day, not its 30-minute burst.",
    "Throughput is that of one writer; replicas cost money and commit time, and add none.",
    "A month has 730 hours; reserved prices are standard, No Upfront; no spot for a primary.",
    "Two candidates tie when either wins in 10% to 90% of paired draws of the model's errors.",
    "Not candidates unless their family is named: burstable, accelerator, HPC, old generations.",
)


def explanation_text(answer: Recommendation) -> str:
    """Return the sections that follow the answer; every line has at most 80 columns."""
    pick = answer.pick
    lines = section(f"Ledger of {pick.candidate.config}", ledger(pick.prediction))
    lines += section("Predicted, with 80% intervals", predicted_lines(pick.prediction))
    lines += section("How far it holds, in full", crossovers_in_full(answer.crossovers))
    lines += counsel_sections(pick.counsel)
    lines += section("Evidence in full", evidence_in_full(pick.evidence))
    lines += section("Contested evidence", contested_in_full(answer.contested))
    lines += section("The model supposes", bullets(MODEL_ASSUMPTIONS))
    lines += section("Rejected instance types", _rejected(answer))
    lines += section("Without a price, never ranked", _unpriced(answer))
    lines += section("Versions", _versions(answer))
    return "\n".join(lines[1:]) + "\n"


def ledger(prediction: Prediction) -> list[str]:
    """Return one line per station; ``>`` marks the limit; the times add up to the mean."""
    lines = [
        f"  {'station':<18} {'load':>9} {'capacity':>9} {'unit':<14} {'used':>6} {'time ms':>8}"
    ]
    for load in prediction.stations:
        lines.append(_station(load))
        if load.note:
            lines += paragraph(load.note, " " * 4)
    total = figure(prediction.latency_avg_ms.value)
    lines.append(f"  {'mean latency':<18} {'':>9} {'':>9} {'':<14} {'':>6} {total:>8}")
    return [line.rstrip() for line in lines]


def _station(load: StationLoad) -> str:
    used = "-" if load.utilisation_ratio is None else percent(load.utilisation_ratio)
    mark = "> " if load.is_limit else "  "
    return (
        f"{mark}{load.station:<18} {figure(load.load):>9} {figure(load.capacity):>9} "
        f"{load.unit:<14} {used:>6} {figure(load.time_ms):>8}"
    )


def predicted_lines(done: Prediction) -> list[str]:
    """Return every estimate with its bounds and basis."""
    rows = (
        ("transactions/s", done.transactions_per_s),
        ("queries/s", done.queries_per_s),
        ("latency mean ms", done.latency_avg_ms),
        ("latency p95 ms", done.latency_p95_ms),
        ("latency p99 ms", done.latency_p99_ms),
        ("variation (CV)", done.variation_cv),
    )
    return labelled(
        (
            label,
            "unknown: no evidence"
            if each is None
            else f"{estimate_phrase(each.value, each.low, each.high)}, {each.basis}",
        )
        for label, each in rows
    )


def evidence_in_full(evidence: Sequence[Evidence]) -> list[str]:
    """Return every measurement with its source, quality, licence and caveats."""
    lines = []
    for each in evidence:
        source = each.source
        lines += paragraph(f"{each.part}: {each.what}", "  ", "    ")
        lines += paragraph(
            f"{source.title}; {source.date or 'no date'}; {rows_phrase(each.rows)}; quality "
            f"{source.quality or '-'}; licence {source.licence or '-'}; source {source.id}",
            "    ",
        )
        lines += paragraph(source.url, "    ")
        lines += paragraph(source.caveats, "    ")
    return lines


def _rejected(answer: Recommendation) -> list[str]:
    return labelled(
        (each.reason, f"{count(each.count)}{f' such as {each.example}' if each.example else ''}")
        for each in answer.rejected
    )


def _unpriced(answer: Recommendation) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for each in answer.unpriced:
        by_reason.setdefault(each.reason, []).append(each.instance_type)
    return [
        line
        for reason, names in by_reason.items()
        for line in indented(f"{reason}: {', '.join(names)}")
    ]


def _versions(answer: Recommendation) -> list[str]:
    return labelled(
        (
            ("answer", answer.id),
            ("data", answer.data_version),
            ("model", answer.model_version),
            ("prices", f"{answer.price_source}, oldest {answer.price_as_of}"),
        )
    )
