"""How sure an answer is: basis, interval, ties, what was never measured, and the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Basis
from advisor.render.figures import change, count, figure, percent
from advisor.render.page import labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.domain.evidence import Evidence
    from advisor.domain.prediction import Prediction
    from advisor.domain.recommendation import Recommendation
    from advisor.domain.workload import Assumption

#: How ``recommend`` marks a caveat about a part without measurements.
UNMEASURED = "not measured here: "

_BASES = {
    Basis.MEASURED: "every part was measured at this point",
    Basis.INTERPOLATED: "its weakest part lies between measured points",
    Basis.SCALED: "its weakest part is scaled from measured sizes or relatives",
    Basis.TRANSFERRED: "its weakest part is carried over from other hardware or another setting",
    Basis.ASSUMED: "its weakest part is an assumption, not a measurement",
}


def certainty_sentences(answer: Recommendation) -> Iterator[str]:
    """Yield the basis, the interval, the odds against the rows behind it, and the gaps."""
    pick = answer.pick
    yield from basis_sentences(pick.prediction)
    if pick.probability_best is not None:
        ties = len(pick.tied_with)
        yield (
            f"It is the best of the leaders in {percent(pick.probability_best)} of paired draws"
            + (f"; {ties} {'others tie' if ties > 1 else 'other ties'} with it." if ties else ".")
        )
    if pick.expected_regret:
        yield (
            "Taking it loses "
            f"{percent(pick.expected_regret)} of what the best of them scores, on average."
        )
    yield from gap_sentences(pick.prediction, pick.caveats)


def basis_sentences(prediction: Prediction) -> Iterator[str]:
    """Yield what the throughput rests on and how far off it may be."""
    rate = prediction.transactions_per_s
    yield f"Basis {rate.basis}: {_BASES[rate.basis]}."
    yield (
        f"In {percent(rate.level)} of cases the throughput is expected between "
        f"{change(rate.low / rate.value)} and {change(rate.high / rate.value)} of the value."
    )
    if not prediction.is_validated:
        yield "Not validated: some of it rests on fewer than ten independent runs."


def gap_sentences(prediction: Prediction, caveats: Sequence[str]) -> Iterator[str]:
    """Yield how steady it is, and what was never measured."""
    variation = prediction.variation_cv
    if variation is not None:
        yield f"From second to second its throughput varies by {percent(variation.value)}."
    if prediction.latency_p99_ms is None:
        yield "No p99 is given: the evidence carries none."
    gaps = [each.removeprefix(UNMEASURED) for each in caveats if each.startswith(UNMEASURED)]
    if gaps:
        yield f"Never measured: {'; '.join(gaps)}."


def shown_caveats(caveats: Sequence[str]) -> tuple[str, ...]:
    """Return the caveats that ``gap_sentences`` does not say."""
    return tuple(each for each in caveats if not each.startswith(UNMEASURED))


def all_caveats(answer: Recommendation) -> tuple[str, ...]:
    """Return what is to be said beside the figures: of the pick, of other rows, of the answer."""
    return (*shown_caveats(answer.pick.caveats), *_contested(answer), *answer.notes)


def _contested(answer: Recommendation) -> list[str]:
    """Return one line for each contested claim that touches other rows than the pick.

    Those about the pick are among its caveats.
    """
    ranks = {row.candidate.config: row.rank for row in answer.rows}
    lines = []
    for each in answer.contested:
        if answer.pick.candidate.config not in each.configs:
            rows = ", ".join(f"#{ranks[config]}" for config in each.configs)
            weight = percent(each.fact.sides[0].weight)
            lines.append(f"contested, {weight} for it: {each.fact.statement} ({rows})")
    return lines


def evidence_lines(evidence: Sequence[Evidence]) -> list[str]:
    """Return one row per part and source, with the source's date and the rows used."""
    merged: dict[tuple[str, str], tuple[Evidence, int]] = {}
    for each in evidence:
        key = (each.part, each.source.id)
        first, rows = merged.get(key, (each, 0))
        merged[key] = (first, rows + each.rows)
    return labelled(
        (part, f"{each.source.title} ({each.source.date or 'no date'}, {rows_phrase(rows)})")
        for (part, _), (each, rows) in merged.items()
    )


def rows_phrase(number: int) -> str:
    """Return a number of observations."""
    return "1 row" if number == 1 else f"{count(number)} rows"


def estimate_phrase(value: float, low: float, high: float) -> str:
    """Return a value with its bounds: ``8.72 (7.18 to 10.6)``."""
    return f"{figure(value)} ({figure(low)} to {figure(high)})"


def assumed_lines(assumed: Iterable[Assumption]) -> list[str]:
    """Return each decision that nobody stated, with its reason."""
    return labelled((each.name, f"{each.value} ({each.reason})") for each in assumed)
