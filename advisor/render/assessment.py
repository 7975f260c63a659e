"""One stated configuration as text: what it will do, what limits it, what it costs, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.advice import counsel_sections, failure_sections
from advisor.render.candidate import candidate_phrase
from advisor.render.certainty import (
    assumed_lines,
    basis_sentences,
    evidence_lines,
    gap_sentences,
    shown_caveats,
)
from advisor.render.contested import contested_in_full
from advisor.render.costs import bill
from advisor.render.explain import (
    MODEL_ASSUMPTIONS,
    evidence_in_full,
    ledger,
    predicted_lines,
)
from advisor.render.figures import dollars, figure, percent, threads_phrase
from advisor.render.invocation import folded, stated_words
from advisor.render.limits import limit_clause, limit_sentences
from advisor.render.page import bullets, indented, labelled, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.domain.assessment import Assessment


def assessment_text(found: Assessment) -> str:
    """Return the prediction as text; every line has at most 80 columns."""
    done = found.prediction
    lines = paragraph(" ".join(_headline(found)))
    lines += section("Predicted, with 80% intervals", predicted_lines(done))
    lines += section("What limits it", indented(" ".join(limit_sentences(done))))
    lines += section("Where the time goes", ledger(done))
    lines += section("What it costs", _costs(found))
    lines += section("How sure", indented(" ".join(_certainty(found))))
    lines += failure_sections(found.counsel)
    lines += section("Evidence", evidence_lines(found.evidence))
    lines += section("Assumed, because you did not say", assumed_lines(found.assumed))
    lines += section("Caveats", bullets(shown_caveats(found.caveats)))
    lines += ["", f"config: {found.config}", *_next_steps(found)]
    return "\n".join(lines) + "\n"


def assessment_explanation(found: Assessment) -> str:
    """Return what ``--explain`` adds: server settings, all evidence, the model's assumptions."""
    lines = counsel_sections(found.counsel)
    lines += section("Evidence in full", evidence_in_full(found.evidence))
    lines += section("Contested evidence", contested_in_full(found.contested))
    lines += section("The model supposes", bullets(MODEL_ASSUMPTIONS))
    lines += section(
        "Versions",
        labelled((("data", found.data_version), ("model", found.model_version))),
    )
    return "\n".join(lines[1:]) + "\n"


def _headline(found: Assessment) -> Iterator[str]:
    done = found.prediction
    rate = done.transactions_per_s
    price = (
        f"without a known price ({found.unpriced})"
        if found.cost is None
        else f"for {dollars(found.cost.usd_per_month)} a month"
    )
    yield (
        f"{candidate_phrase(found.candidate)}: about {figure(rate.value)} transactions/s (80% "
        f"interval {figure(rate.low)} to {figure(rate.high)}) at p95 "
        f"{figure(done.latency_p95_ms.value)} ms with "
        f"{threads_phrase(found.request.workload.threads)}, {price}, {limit_clause(done)}."
    )
    if found.meets_target is not None:
        yield f"It {'meets' if found.meets_target else 'misses'} what was asked: {_goal(found)}."


def _goal(found: Assessment) -> str:
    workload = found.request.workload
    goals = []
    if workload.target_tps is not None:
        goals.append(
            f"{figure(workload.target_tps)} transactions/s with "
            f"{percent(workload.headroom_ratio)} headroom"
        )
    if workload.max_p95_ms is not None:
        goals.append(f"p95 at most {figure(workload.max_p95_ms)} ms")
    return " and ".join(goals)


def _costs(found: Assessment) -> list[str]:
    thousand, million = found.usd_per_month_per_1000_tps, found.usd_per_million_transactions
    if found.cost is None or thousand is None or million is None:
        return indented(f"Unknown: {found.unpriced}. No other price stands in for it.")
    return [
        *bill(found.cost, found.request, found.price_source),
        *indented(
            f"That is {dollars(thousand)} a month per 1,000 transactions/s, and ${figure(million)} "
            "per million transactions when busy all month."
        ),
    ]


def _certainty(found: Assessment) -> Iterator[str]:
    yield from basis_sentences(found.prediction)
    yield from gap_sentences(found.prediction, found.caveats)


def _next_steps(found: Assessment) -> list[str]:
    """Return the commands that explain it and that look for something better."""
    words = stated_words(found.request)
    explain = folded("next:   ", ["advisor predict", str(found.config), *words, "--explain"])
    better = folded("        ", ["advisor recommend", *words, f"--current {found.config}"])
    return [*explain, *better]
