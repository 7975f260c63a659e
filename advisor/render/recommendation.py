"""The answer as advice for people, in 80 columns.

The pick in one sentence first, then the table, then the reasons. No time of day, no path, nothing
that the same inputs would not print again. Rounds numbers; computes none but ratios of two shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Objective
from advisor.render.advice import failure_sections
from advisor.render.candidate import ENGINE_NAMES, candidate_phrase, short_config, storage_phrase
from advisor.render.certainty import (
    all_caveats,
    assumed_lines,
    certainty_sentences,
    evidence_lines,
)
from advisor.render.costs import cost_lines
from advisor.render.crossovers import crossover_lines
from advisor.render.figures import (
    change,
    count,
    dollars,
    figure,
    fitted,
    interval,
    percent,
    threads_phrase,
)
from advisor.render.invocation import next_step
from advisor.render.limits import limit_clause, limit_label, limit_sentences
from advisor.render.page import WIDTH, bullets, indented, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.domain.recommendation import Ranked, Recommendation

ROLES = {
    "pick": "pick",
    "tie": "tie",
    "cheaper": "cheaper",
    "faster": "faster",
    "managed": "managed",
    "self-managed": "own EC2",
    "other-architecture": "other CPU",
    "other-storage": "other disk",
    "alternative": "next",
}
_KINDS = (
    "cheaper",
    "faster",
    "managed",
    "self-managed",
    "other-architecture",
    "other-storage",
)
#: What AWS does on a managed platform, beside what it costs.
_TAKEN_OFF = {
    "managed": "; patching, backups and failover are then AWS's",
    "self-managed": "; patching, backups and failover are then yours",
}
_AIMS = {
    Objective.BALANCED: "the most throughput squared per dollar",
    Objective.COST: "the lowest cost that meets what was asked",
    Objective.THROUGHPUT: "the most transactions per second",
    Objective.VALUE: "the most transactions per dollar",
}
#: Throughput within this of the pick's is no gain.
_NO_MORE = 1.01
#: Columns of the monthly cost.
_MONTH = 8
_HEADER = (
    f"{'#':>2} {'':<10} {'instance':<17} {'TPS':>7} {'80% interval':>15} {'p95 ms':>7} "
    f"{'$/month':>8} {'$/kTPS':>6}"
)
#: Names of near-duplicates and ties that are spelled out.
_NAMED = 3
#: Reasons for exclusion that are spelled out; --explain and --json have all.
_REASONS = 6


def recommendation_text(answer: Recommendation) -> str:
    """Return the answer as text; every line has at most 80 columns."""
    pick = answer.pick
    lines = paragraph(headline(answer))
    lines += paragraph(promise(answer))
    lines += ["", *_table(answer)]
    lines += section("What you run now", _current(answer))
    lines += section("Why this one", indented(" ".join(reasons(answer))))
    lines += section("How far it holds", crossover_lines(answer))
    lines += section("What limits it", indented(" ".join(limit_sentences(pick.prediction))))
    lines += section("What it costs", cost_lines(answer))
    lines += section("How sure", indented(" ".join(certainty_sentences(answer))))
    lines += failure_sections(pick.counsel)
    lines += section("Evidence", evidence_lines(pick.evidence))
    lines += section("Assumed, because you did not say", assumed_lines(answer.request.all_assumed))
    lines += section("Caveats", bullets(all_caveats(answer)))
    lines += section("Left out", indented(left_out(answer)))
    lines += ["", f"config: {pick.candidate.config}", *next_step(answer)]
    return "\n".join(lines) + "\n"


def headline(answer: Recommendation) -> str:
    """Return what to run, what it will do, what it costs and what limits it."""
    pick = answer.pick
    done = pick.prediction
    rate = done.transactions_per_s
    threads = threads_phrase(answer.request.workload.threads)
    return (
        f"Run {candidate_phrase(pick.candidate)}: about {figure(rate.value)} transactions/s "
        f"(80% interval {figure(rate.low)} to {figure(rate.high)}) at p95 "
        f"{figure(done.latency_p95_ms.value)} ms with {threads}, "
        f"for {dollars(pick.cost.usd_per_month)} a month, {limit_clause(done)}."
    )


def promise(answer: Recommendation) -> str:
    """Return ties, target and knee: what the headline leaves open."""
    return " ".join((*_ties(answer), *_target(answer), *_knee(answer)))


def _ties(answer: Recommendation) -> Iterator[str]:
    tied = answer.pick.tied_with
    if not tied:
        return
    servers = {tuple(config.split("/")[:2]) for config in (answer.pick.candidate.config, *tied)}
    named = tied if len(servers) > 1 else [short_config(config) for config in tied]
    others = ", ".join(named[:_NAMED])
    more = f" and {len(tied) - _NAMED} more" if len(tied) > _NAMED else ""
    decided = ", price decided" if _is_cheapest_tie(answer) else ""
    yield f"It is tied with {others}{more}: the evidence cannot rank them{decided}."


def _is_cheapest_tie(answer: Recommendation) -> bool:
    """Whether no row that is tied with the pick, of those shown, costs less."""
    pick = answer.pick
    return not any(
        row.candidate.config in pick.tied_with and row.cost.usd_per_month < pick.cost.usd_per_month
        for row in answer.rows
    )


def _target(answer: Recommendation) -> Iterator[str]:
    workload = answer.request.workload
    rate = answer.pick.prediction.transactions_per_s.value
    if workload.target_tps is not None:
        busiest = max(
            (load.utilisation_ratio or 0.0, load.station.value)
            for load in answer.pick.prediction.stations
            if load.station.value != "memory"
        )
        used = busiest[0] * workload.target_tps / rate
        yield (
            f"At your {figure(workload.target_tps)} transactions/s its busiest part, {busiest[1]}, "
            f"is {percent(used)} used ({percent(1.0 - workload.headroom_ratio)} allowed)."
        )
    if workload.max_p95_ms is not None:
        yield f"The limit was p95 {figure(workload.max_p95_ms)} ms."


def _knee(answer: Recommendation) -> Iterator[str]:
    """Yield what half and twice the money would bring, in one sentence."""
    knee = answer.knee
    half = (
        f"Half the money brings {percent(knee.half_throughput_ratio)} of that throughput "
        f"({short_config(knee.half_config)})"
        if knee.half_throughput_ratio is not None and knee.half_config is not None
        else "Nothing that fits costs half of that"
    )
    twice = (
        "; twice the money brings no more"
        if knee.twice_throughput_ratio is not None and knee.twice_throughput_ratio <= _NO_MORE
        else f"; twice the money brings {percent(knee.twice_throughput_ratio)} "
        f"({short_config(knee.twice_config)})"
        if knee.twice_throughput_ratio is not None and knee.twice_config is not None
        else ""
    )
    yield f"{half}{twice}."


def _table(answer: Recommendation) -> list[str]:
    """Return ranking and alternatives, two lines per row."""
    lines = [_HEADER]
    has_engines = len({row.candidate.engine for row in answer.rows}) > 1
    for row in answer.rows:
        done, candidate = row.prediction, row.candidate
        lines.append(_figures(row))
        engine = f"{ENGINE_NAMES[candidate.engine]}, " if has_engines else ""
        missed = "; misses what was asked" if row.meets_target is False else ""
        lines += paragraph(
            f"{engine}{storage_phrase(candidate.storage)}; limit {limit_label(done)}{missed}",
            " " * 14,
        )
    return [line.rstrip() for line in lines]


def _figures(row: Ranked) -> str:
    """Return the first line of a row; one with a very long name gives up its alignment."""
    done = row.prediction
    line = (
        f"{row.rank:>2} {ROLES.get(row.role, row.role):<10} {row.candidate.instance.name:<17} "
        f"{fitted(done.transactions_per_s.value, 7):>7} "
        f"{interval(done.transactions_per_s):>15} "
        f"{fitted(done.latency_p95_ms.value, 7):>7} {_month(row):>8} "
        f"{fitted(row.usd_per_month_per_1000_tps, 6):>6}"
    )
    return line if len(line) <= WIDTH else " " + " ".join(line.split())


def _month(row: Ranked) -> str:
    """Return the monthly cost without its dollar sign, within its column."""
    text = dollars(row.cost.usd_per_month)[1:]
    return text if len(text) <= _MONTH else fitted(float(row.cost.usd_per_month), _MONTH)


def reasons(answer: Recommendation) -> Iterator[str]:
    """Yield why the pick leads, against what differs from it in kind."""
    request, pick = answer.request, answer.pick
    aim = f"{_AIMS[request.objective]} (objective {request.objective})"
    space = f"{count(answer.considered)} combinations of instance type, storage type and engine"
    if pick.tied_with:
        place = "the cheapest" if _is_cheapest_tie(answer) else "one"
        yield f"It is {place} of {len(pick.tied_with) + 1} that tie for {aim}, of {space}."
    else:
        yield f"It has {aim} of {space}."
    if pick.folded:
        named = ", ".join(short_config(config) for config in pick.folded[:_NAMED])
        more = len(pick.folded) - _NAMED
        yield f"Also: {named}{f' and {more} more' if more > 0 else ''}, all but the same machine."
    seen = set()
    for row in answer.rows[1:]:
        if row.role in _KINDS:
            if row.role in seen:
                continue
            seen.add(row.role)
            yield _comparison(row, pick)


def _comparison(row: Ranked, pick: Ranked) -> str:
    """Return what choosing ``row`` instead of the pick would change."""
    rate = row.prediction.transactions_per_s.value / pick.prediction.transactions_per_s.value
    p95 = row.prediction.latency_p95_ms.value / pick.prediction.latency_p95_ms.value
    usd = float(row.cost.usd_per_month / pick.cost.usd_per_month)
    name = f"{row.candidate.instance.name} with {row.candidate.storage.type}"
    role = ROLES[row.role]
    missed = ", which misses what was asked" if row.meets_target is False else ""
    return (
        f"{role[0].upper()}{role[1:]}: {name}, throughput {change(rate)}, p95 {change(p95)}, "
        f"cost {change(usd)}{missed}{_TAKEN_OFF.get(row.role, '')}."
    )


def _current(answer: Recommendation) -> list[str]:
    """Return the review of what the user runs now; nothing where none was named."""
    if answer.current is None:
        return []
    from advisor.render.current import review_lines

    return review_lines(answer.current)


def left_out(answer: Recommendation) -> str:
    """Return how many instance types were rejected, by reason, and how many have no price."""
    rejected = sorted(answer.rejected, key=lambda each: (-each.count, each.reason))
    named = [f"{each.reason} {count(each.count)}" for each in rejected[:_REASONS]]
    rest = sum(each.count for each in rejected[_REASONS:])
    if rest:
        named.append(f"other reasons {count(rest)}")
    parts = _sentences(
        (
            f"Instance types rejected: {', '.join(named)}" if named else "",
            f"Without a price: {count(len(answer.unpriced))}, never ranked"
            if answer.unpriced
            else "",
        )
    )
    return parts or "Nothing was rejected and nothing is without a price."


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(f"{part}." for part in parts if part)
