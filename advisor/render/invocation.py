"""The command line that asks the same again, and the next step worth taking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.units import format_ratio, format_size
from advisor.domain.vocabulary import Dialect, Payment
from advisor.render.page import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.domain.recommendation import Recommendation, Request
    from advisor.domain.workload import Workload

PROGRAM = "advisor recommend"
#: What to say next, most telling first: the assumption that moves the answer most.
_TIGHTEN = (
    ("hot-size", "--hot-size SIZE", "the hot data decides memory and IOPS"),
    ("data-size", "--data-size SIZE", "the data decide the volume"),
    ("client", "--client WORD", "each statement pays the round trip"),
    ("durability", "--durability WORD", "commits wait for the log"),
)


def next_step(answer: Recommendation) -> list[str]:
    """Return ``next:`` lines: the explained answer, and the assumption to tighten first."""
    lines = [*folded("next:   ", [*invocation(answer.request), "--explain"])]
    assumed = {each.name for each in answer.request.workload.assumed}
    for name, flag, reason in _TIGHTEN:
        if name in assumed:
            return [*lines, f"        add {flag} if you know it: {reason}"]
    return lines


def invocation(request: Request) -> tuple[str, ...]:
    """Return the words that ask ``request`` again; a flag and its value are one word."""
    assumed = {each.name for each in request.all_assumed}
    return (PROGRAM, *workload_words(request.workload, assumed), *_space(request, assumed))


def stated_words(request: Request) -> tuple[str, ...]:
    """Return the flags that state workload and market again, for commands that take a CONFIG."""
    assumed = {each.name for each in request.all_assumed}
    return (*workload_words(request.workload, assumed), *market_words(request, assumed))


def workload_words(workload: Workload, assumed: set[str]) -> Iterator[str]:
    """Yield the flags of a workload, those left out that were ``assumed``."""
    yield f"--threads {workload.threads}"
    yield f"--rw {workload.profile.name}"
    stated = (
        ("data-size", format_size(workload.data_gib)),
        ("hot-size", format_size(workload.hot_gib)),
        ("durability", workload.durability),
        ("availability", workload.availability),
        ("client", workload.client),
    )
    for name, value in stated:
        if name not in assumed:
            yield f"--{name} {value}"
    if workload.target_tps is not None:
        yield f"--target-tps {workload.target_tps:.12g}"
    if "headroom" not in assumed:
        yield f"--headroom {format_ratio(workload.headroom_ratio)}"
    if workload.max_p95_ms is not None:
        yield f"--max-p95-ms {workload.max_p95_ms:.12g}"
    if workload.connections is not None:
        yield f"--connections {workload.connections}"
    if workload.has_proxysql:
        yield "--proxysql"


def _space(request: Request, assumed: set[str]) -> Iterator[str]:
    allowed = request.constraints
    if allowed.dialect is not Dialect.MYSQL and not allowed.engines:
        yield f"--dialect {allowed.dialect}"
    for flag, words in (
        ("--platform", allowed.platforms),
        ("--engine", allowed.engines),
        ("--family", allowed.families),
        ("--arch", allowed.architectures),
        ("--storage", allowed.storage_types),
    ):
        if words:
            yield f"{flag} {','.join(words)}"
    limits = (
        ("--min-vcpu", allowed.min_vcpu),
        ("--max-vcpu", allowed.max_vcpu),
        ("--min-memory", _size(allowed.min_memory_gib)),
        ("--max-memory", _size(allowed.max_memory_gib)),
        ("--budget", allowed.budget_usd_per_month),
    )
    for flag, limit in limits:
        if limit is not None:
            yield f"{flag} {limit}"
    if allowed.allow_ephemeral:
        yield "--allow-ephemeral"
    if request.current is not None:
        yield f"--current {request.current}"
    yield from market_words(request, assumed)
    if "objective" not in assumed:
        yield f"--objective {request.objective}"


def market_words(request: Request, assumed: set[str]) -> Iterator[str]:
    """Yield the flags of region, term and payment, those left out that were ``assumed``."""
    for name, value in (
        ("region", request.region),
        ("term", request.term),
        ("payment", request.payment),
    ):
        if name not in assumed and value is not Payment.NONE:
            yield f"--{name} {value}"


def _size(gib: float | None) -> str | None:
    return None if gib is None else format_size(gib)


def folded(label: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the command on as many lines as the page needs, all but the last continued."""
    line = label + words[0]
    for word in words[1:]:
        if len(line) + len(word) + 3 > WIDTH:
            yield f"{line} \\"
            line = " " * (len(label) + 2) + word
        else:
            line += f" {word}"
    yield line
