"""Configurations side by side as text, in 80 columns: who leads at how many threads, and for what.

Configurations are called A, B, C and D in the order they were named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from advisor.domain.cost import per_1000_tps, per_million
from advisor.render.candidate import storage_phrase
from advisor.render.certainty import UNMEASURED, assumed_lines
from advisor.render.figures import UNKNOWN, change, count, dollars, figure, fitted, threads_phrase
from advisor.render.invocation import folded, stated_words
from advisor.render.limits import limit_clause
from advisor.render.page import bullets, indented, labelled, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from advisor.domain.assessment import Assessment
    from advisor.domain.comparison import Comparison, Rung
    from advisor.domain.prediction import Estimate, Prediction
    from advisor.domain.workload import Assumption

LETTERS = "ABCD"
#: Whole transactions from here on; below, three digits say more.
_WHOLE = 100.0
_LABEL, _CELL, _RATE = 20, 14, 9
_THREADS = 9
_T = TypeVar("_T")


def comparison_text(answer: Comparison) -> str:
    """Return the comparison as text; every line has at most 80 columns."""
    stated = answer.request.workload.threads
    lines = paragraph(_headline(answer))
    lines += ["", *_legend(answer)]
    lines += section("Transactions/s by threads", _throughput(answer))
    lines += section("Latency of a transaction by threads, mean / p95 ms", _latency(answer))
    lines += section("Where the lead changes", indented(" ".join(_lead_sentences(answer))))
    lines += section(f"With {threads_phrase(stated)}", _figures(answer))
    lines += section("What limits each", bullets(_limits(answer)))
    lines += section("Assumed, because you did not say", assumed_lines(_shared(answer)))
    lines += section("Caveats", bullets(_caveats(answer)))
    lines += ["", *_next_steps(answer)]
    return "\n".join(lines) + "\n"


def _headline(answer: Comparison) -> str:
    """Return who leads at the stated threads, by how much, at which tail and for what money."""
    rung = answer.stated
    first, second = rung.leader, rung.runner_up
    mine, other = rung.predictions[first], rung.predictions[second]
    threads = threads_phrase(rung.threads)
    rates = (
        f"{_rate(rung.rate(first))} against {_rate(rung.rate(second))} transactions/s "
        f"({_more(rung)}), p95 {figure(mine.latency_p95_ms.value)} against "
        f"{figure(other.latency_p95_ms.value)} ms"
    )
    if rung.is_tie:
        head = f"With {threads} {LETTERS[first]} and {LETTERS[second]} tie: {rates}"
    else:
        head = f"With {threads} {LETTERS[first]} leads {LETTERS[second]}: {rates}"
    mine_cost, other_cost = answer.assessments[first].cost, answer.assessments[second].cost
    if mine_cost is None or other_cost is None:
        return f"{head}; a price is missing, so the money is not compared."
    ratio = float(mine_cost.usd_per_month / other_cost.usd_per_month)
    return (
        f"{head}, for {dollars(mine_cost.usd_per_month)} against "
        f"{dollars(other_cost.usd_per_month)} a month ({change(ratio)})."
    )


def _legend(answer: Comparison) -> list[str]:
    rows = []
    for letter, found in zip(LETTERS, answer.assessments, strict=False):
        machine = found.candidate.instance
        size = f"{machine.vcpu} vCPU, {machine.memory_gib:g} GiB"
        rows.append((letter, str(found.config)))
        rows.append(("", f"{size}; {storage_phrase(found.candidate.storage)}"))
    return labelled(rows)


def _throughput(answer: Comparison) -> list[str]:
    """Return the ladder; ``>`` marks the stated threads, a tie names who is ahead within it."""
    names = LETTERS[: len(answer.assessments)]
    lines = [f"{'threads':>{_THREADS}}" + "".join(f"{name:>{_RATE}}" for name in names) + "   lead"]
    for rung in answer.ladder:
        rates = "".join(f"{_rate(rung.rate(place)):>{_RATE}}" for place in range(len(names)))
        lines.append(f"{_threads(rung, answer)}{rates}   {_lead(rung)}")
    return lines


def _latency(answer: Comparison) -> list[str]:
    names = LETTERS[: len(answer.assessments)]
    width = _CELL + 2
    lines = [f"{'threads':>{_THREADS}}" + "".join(f"{name:>{width}}" for name in names)]
    for rung in answer.ladder:
        cells = "".join(f"{_mean_and_tail(each):>{width}}" for each in rung.predictions)
        lines.append(_threads(rung, answer) + cells)
    return lines


def _threads(rung: Rung, answer: Comparison) -> str:
    mark = "> " if rung.threads == answer.request.workload.threads else "  "
    return f"{mark}{count(rung.threads):>{_THREADS - 2}}"


def _mean_and_tail(done: Prediction) -> str:
    mean, tail = done.latency_avg_ms.value, done.latency_p95_ms.value
    return f"{fitted(mean, 6)} / {fitted(tail, 6)}"


def _lead(rung: Rung) -> str:
    if rung.is_tie:
        return f"tie ({LETTERS[rung.leader]} {_percent(rung)})"
    return f"{LETTERS[rung.leader]} {_percent(rung)} ({_difference(rung)})"


def _more(rung: Rung) -> str:
    return f"{_percent(rung)}, {_difference(rung)}"


def _difference(rung: Rung) -> str:
    return f"+{_rate(rung.rate(rung.leader) - rung.rate(rung.runner_up))}"


def _percent(rung: Rung) -> str:
    return f"{(rung.lead_ratio - 1.0) * 100.0:+.1f}%"


def _rate(value: float) -> str:
    return count(value) if abs(value) >= _WHOLE else figure(value)


def _lead_sentences(answer: Comparison) -> Iterator[str]:
    """Yield each change of the lead, or that there is none, and which thread counts tie."""
    for each in answer.crossovers:
        yield (
            f"From {LETTERS[each.before]} to {LETTERS[each.after]} between {each.from_threads:,} "
            f"and {each.to_threads:,} threads; {LETTERS[each.before]} leads clearly up to "
            f"{each.leads_until:,}, {LETTERS[each.after]} from {each.leads_from:,}."
        )
    leaders = {rung.leader for rung in answer.ladder if not rung.is_tie}
    if not answer.crossovers:
        yield (
            f"Nowhere: {LETTERS[leaders.pop()]} leads wherever the evidence tells them apart."
            if leaders
            else "Nowhere: they tie at every number of threads."
        )
    ties = [f"{rung.threads:,}" for rung in answer.ladder if rung.is_tie]
    if ties and leaders | {each.before for each in answer.crossovers}:
        yield f"Ties with {', '.join(ties)} threads."
    yield (
        "A tie is a lead of at most 5%, the noise between repeated runs, or one that the model's "
        "errors turn round in 10% to 90% of paired draws."
    )


def _figures(answer: Comparison) -> list[str]:
    """Return one row per figure and one column per configuration."""
    stated = answer.stated.predictions
    first = stated[0].transactions_per_s.value
    rows: list[tuple[str, list[str]]] = [
        ("", list(LETTERS[: len(stated)])),
        *_estimates("transactions/s", stated, lambda done: done.transactions_per_s),
        (
            "against A",
            [UNKNOWN, *(change(each.transactions_per_s.value / first) for each in stated[1:])],
        ),
        (
            "difference from A",
            [UNKNOWN, *(_signed(each.transactions_per_s.value - first) for each in stated[1:])],
        ),
        ("queries/s", [_rate(each.queries_per_s.value) for each in stated]),
        ("mean ms", [figure(each.latency_avg_ms.value) for each in stated]),
        *_estimates("p95 ms", stated, lambda done: done.latency_p95_ms),
        ("basis", [each.basis.value for each in stated]),
        *_money(answer),
    ]
    return [
        (f"  {label:<{_LABEL}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)).rstrip()
        for label, cells in rows
    ]


def _estimates(
    label: str, stated: Sequence[Prediction], estimate: Callable[[Prediction], Estimate]
) -> list[tuple[str, list[str]]]:
    found = [estimate(each) for each in stated]
    return [
        (label, [_rate(each.value) for each in found]),
        ("  80% from", [_rate(each.low) for each in found]),
        ("  80% to", [_rate(each.high) for each in found]),
    ]


def _signed(value: float) -> str:
    return ("+" if value >= 0.0 else "-") + _rate(abs(value))


def _money(answer: Comparison) -> Iterator[tuple[str, list[str]]]:
    """Yield the monthly cost under each term and, under the asked one, per work done."""
    rates = [each.transactions_per_s.value for each in answer.stated.predictions]
    statements = answer.request.workload.profile.statements
    for each in answer.terms:
        yield (
            f"$/month {each.term}",
            [UNKNOWN if cost is None else dollars(cost.usd_per_month)[1:] for cost in each.costs],
        )
    costs = [found.cost for found in answer.assessments]
    pairs = list(zip(costs, rates, strict=True))
    yield "$/month per kTPS", [figure(per_1000_tps(*pair)) for pair in pairs]
    millions = [per_million(*pair) for pair in pairs]
    yield "$ per M transactions", [figure(each) for each in millions]
    yield (
        "$ per M queries",
        [figure(None if each is None else each / statements) for each in millions],
    )


def _limits(answer: Comparison) -> Iterator[str]:
    for letter, done in zip(LETTERS, answer.stated.predictions, strict=False):
        yield f"{letter} is {limit_clause(done)}"


def _shared(answer: Comparison) -> list[Assumption]:
    """Return every assumption once; those of some configurations only name them."""
    lists = [found.assumed for found in answer.assessments]
    return [
        each
        if len(letters) == len(lists)
        else type(each)(
            name=f"{each.name} of {', '.join(letters)}", value=each.value, reason=each.reason
        )
        for each, letters in _letters_of(lists).items()
    ]


def _caveats(answer: Comparison) -> list[str]:
    """Return every caveat once, with the configurations it belongs to unless it is all."""
    everyone = len(answer.assessments)
    return [
        text if len(letters) == everyone else f"{', '.join(letters)}: {text}"
        for text, letters in _letters_of(map(_of, answer.assessments)).items()
    ]


def _letters_of(lists: Iterable[Iterable[_T]]) -> dict[_T, str]:
    """Return the letters of the configurations that have each item, in order of appearance."""
    seen: dict[_T, str] = {}
    for letter, items in zip(LETTERS, lists, strict=False):
        for each in items:
            seen[each] = seen.get(each, "") + letter
    return seen


def _of(found: Assessment) -> Iterator[str]:
    if found.unpriced is not None:
        yield f"unpriced: {found.unpriced}"
    for caveat in found.caveats:
        yield (
            f"never measured: {caveat.removeprefix(UNMEASURED)}"
            if caveat.startswith(UNMEASURED)
            else caveat
        )


def _next_steps(answer: Comparison) -> list[str]:
    """Return the command that explains the leader."""
    leader = answer.assessments[answer.stated.leader]
    words = stated_words(answer.request)
    return list(folded("next:   ", ["advisor predict", str(leader.config), *words, "--explain"]))
