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
from advisor.render.recommendation import ROLES, headline, left_out, promise, reasons

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.domain.cost import CostLine
    from advisor.domain.evidence import Evidence
    from advisor.domain.recommendation import Ranked, Recommendation

_CENT = Decimal("0.01")
_UNITS = {"hour": "h"}
#: Characters that would be read as a mark: a cell's end, emphasis, code, HTML.
_ESCAPES = str.maketrans({"|": r"\|", "*": r"\*", "`": r"\`", "<": "&lt;", "\\": r"\\"})
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
        *_section("What you run now", _current(answer)),
        *_section("Why this one", [escaped(" ".join(reasons(answer)))]),
        *_section(
            "How far it holds", _bullets(f"{axis}: {text}" for axis, text in crossover_rows(answer))
        ),
        *_section("What limits it", [escaped(" ".join(limit_sentences(pick.prediction)))]),
        *_section("What it costs", _costs(answer)),
        *_section("How sure", [escaped(" ".join(certainty_sentences(answer)))]),
        *_section("Caveats", _bullets(all_caveats(answer))),
        *_section("Evidence", _evidence(pick.evidence)),
        *_section("Assumed, because nobody said", _assumptions(answer)),
        *_section("Left out", [escaped(left_out(answer))]),
        f"config: `{pick.candidate.config}`",
        f"Answer `{answer.id}`, data `{answer.data_version}`, model `{answer.model_version}`.",
    ]
    if is_explained:
        from advisor.render.explain import explanation_text

        blocks.append(f"```text\n{explanation_text(answer).rstrip()}\n```")
    return "\n\n".join(block for block in blocks if block) + "\n"


def escaped(text: str) -> str:
    """Return ``text`` on one line, with nothing in it that Markdown would read as a mark."""
    return " ".join(text.split()).translate(_ESCAPES)


def _section(title: str, blocks: Iterable[str]) -> list[str]:
    """Return a heading and its blocks; nothing when there are none."""
    body = [block for block in blocks if block]
    return [f"## {title}", *body] if body else []


def _bullets(texts: Iterable[str]) -> list[str]:
    return ["\n".join(f"- {escaped(text)}" for text in texts)]


def _table(columns: Sequence[str], lines: Iterable[Sequence[str]], figures: Iterable[int]) -> str:
    """Return a table; the columns numbered in ``figures`` are aligned to the right."""
    right = set(figures)
    rule = ["---:" if index in right else "---" for index in range(len(columns))]
    body = [[escaped(cell) for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in (columns, rule, *body))


def _ranking(answer: Recommendation) -> str:
    figures = range(_FIRST_FIGURE, len(_COLUMNS) - 1)
    return _table(_COLUMNS, map(_cells, answer.rows), (0, *figures))


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
        blocks += _bullets(points)
    return blocks


def _costs(answer: Recommendation) -> list[str]:
    cost = answer.pick.cost
    lines = [*map(_cost_line, cost.lines), ("total", "", cents(cost.usd_per_month))]
    sources = ", ".join(price_sources([line.price for line in cost.lines]))
    request = answer.request
    return [
        _table(("a month", "quantity x price", "USD"), lines, (1, 2)),
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
    return _bullets(f"{each.name} {each.value} ({each.reason})" for each in assumed)
