"""The answer as Markdown that pastes well into a ticket: one line per paragraph, plain tables.

Says what the text says, in its words; nothing is computed here.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from advisor.render.candidate import ENGINE_NAMES, storage_phrase
from advisor.render.certainty import all_caveats, certainty_sentences, rows_phrase
from advisor.render.costs import price_sources
from advisor.render.crossovers import crossover_rows
from advisor.render.figures import cents, dollars, exact, figure, interval
from advisor.render.limits import limit_label, limit_sentences
from advisor.render.markdown import bullets, escaped, section, table
from advisor.render.recommendation import ROLES, headline, left_out, promise, reasons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.cost import CostLine
    from advisor.domain.evidence import Evidence
    from advisor.domain.recommendation import Ranked, Recommendation

_CENT = Decimal("0.01")
_UNITS = {"hour": "h"}
_COLUMNS = (
    "#",
    "",
    "engine",
    "instance",
    "storage",
    "TPS",
    "80% interval",
    "p95 ms",
    "USD/month",
    "USD per 1,000 TPS",
    "limit",
)
#: Columns of figures, from this one on, all but the last.
_FIRST_FIGURE = 5


def recommendation_markdown(answer: Recommendation, *, is_explained: bool = False) -> str:
    """Return the answer as a document that ends with a newline."""
    pick = answer.pick
    blocks = [
        f"**{escaped(headline(answer))}**",
        escaped(promise(answer)),
        _ranking(answer),
        *section("What you run now", _current(answer)),
        *section("Why this one", [escaped(" ".join(reasons(answer)))]),
        *section(
            "How far it holds", bullets(f"{axis}: {text}" for axis, text in crossover_rows(answer))
        ),
        *section("What limits it", [escaped(" ".join(limit_sentences(pick.prediction)))]),
        *section("What it costs", _costs(answer)),
        *section("How sure", [escaped(" ".join(certainty_sentences(answer)))]),
        *section("Caveats", bullets(all_caveats(answer))),
        *section("Evidence", _evidence(pick.evidence)),
        *section("Assumed, because nobody said", _assumptions(answer)),
        *section("Left out", [escaped(left_out(answer))]),
        f"config: `{pick.candidate.config}`",
        f"Answer `{answer.id}`, data `{answer.data_version}`, model `{answer.model_version}`.",
    ]
    if is_explained:
        from advisor.render.explain import explanation_text

        blocks.append(f"```text\n{explanation_text(answer).rstrip()}\n```")
    return "\n\n".join(block for block in blocks if block) + "\n"


def _ranking(answer: Recommendation) -> str:
    figures = range(_FIRST_FIGURE, len(_COLUMNS) - 1)
    return table(_COLUMNS, map(_cells, answer.rows), (0, *figures))


def _cells(row: Ranked) -> tuple[str, ...]:
    done, candidate = row.prediction, row.candidate
    nodes = f"{candidate.nodes} x " if candidate.nodes > 1 else ""
    missed = "; misses what was asked" if row.meets_target is False else ""
    return (
        str(row.rank),
        ROLES.get(row.role, row.role),
        ENGINE_NAMES[candidate.engine],
        f"{nodes}{candidate.instance.name}",
        storage_phrase(candidate.storage),
        figure(done.transactions_per_s.value),
        interval(done.transactions_per_s),
        figure(done.latency_p95_ms.value),
        dollars(row.cost.usd_per_month)[1:],
        figure(row.usd_per_month_per_1000_tps),
        f"{limit_label(done)}{missed}",
    )


def _current(answer: Recommendation) -> list[str]:
    """Return the review of what the user runs now; nothing where none was named."""
    if answer.current is None:
        return []
    from advisor.render.current import review_blocks

    blocks = []
    for sentence, points in review_blocks(answer.current):
        blocks.append(escaped(sentence))
        blocks += bullets(points)
    return blocks


def _costs(answer: Recommendation) -> list[str]:
    cost = answer.pick.cost
    lines = [*map(_cost_line, cost.lines), ("total", "", cents(cost.usd_per_month))]
    sources = ", ".join(price_sources([line.price for line in cost.lines]))
    request = answer.request
    return [
        table(("a month", "quantity x price", "USD"), lines, (1, 2)),
        escaped(f"Prices: {sources}; {request.term}, {request.region}, {answer.price_source}."),
    ]


def _cost_line(line: CostLine) -> tuple[str, str, str]:
    unit = _UNITS.get(line.price.unit, line.price.unit.removesuffix("-month"))
    return (
        line.label,
        f"{exact(line.quantity)} {unit} x ${exact(line.price.usd)}",
        cents(line.usd_per_month.quantize(_CENT)),
    )


def _evidence(evidence: Sequence[Evidence]) -> list[str]:
    """Return one bullet per body of measurements, its title a link where it has an address."""
    lines = []
    for each in evidence:
        source = each.source
        title = escaped(source.title)
        named = f"[{title}]({source.url})" if source.url else title
        lines.append(
            f"- {each.part}: {named}, {source.date or 'no date'}, {rows_phrase(each.rows)}; "
            f"{escaped(each.what)}"
        )
    return ["\n".join(lines)]


def _assumptions(answer: Recommendation) -> list[str]:
    assumed = answer.request.all_assumed
    return bullets(f"{each.name} {each.value} ({each.reason})" for each in assumed)
