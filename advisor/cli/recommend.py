"""``advisor recommend``: the ranked, explained and costed answer to one workload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli import space_flags as space
from advisor.cli import workload_flags as work
from advisor.cli.config_argument import complete_config, newer_types_here, stated_config
from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsJson, OutputFile, one_form
from advisor.cli.price_flags import Need, Offline, Refresh, refuse_both, say, sources_for
from advisor.cli.registry import new_app
from advisor.cli.words import member, parsed
from advisor.domain.description import objective_of
from advisor.domain.recommendation import Request
from advisor.domain.units import parse_count
from advisor.domain.vocabulary import Dialect, Objective, Platform
from advisor.domain.workload import Assumption
from advisor.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.domain.config import Config
    from advisor.domain.recommendation import Constraints, Recommendation
    from advisor.domain.workload import Workload
    from advisor.settings import Settings

app = new_app()

#: Rows of a ranking: what is drawn and compared, at most.
MAX_TOP = 10
DEFAULT_TOP = 5

#: What competes on EC2 without --engine: (value, reason) by dialect.
_ENGINES = {
    Dialect.MYSQL: (
        "InnoDB family",
        "default: on EC2 MyRocks and PXC compete when named or for a cluster",
    ),
    Dialect.POSTGRESQL: ("PostgreSQL", "default for the dialect"),
    Dialect.ANY: ("both dialects", "the application can use either"),
}


@app.command()
def recommend(  # noqa: PLR0913 (one parameter per flag is how typer declares them)
    *,
    threads: work.Threads = None,
    rw: work.ReadWrite = None,
    data_size: work.DataSize = None,
    hot_size: work.HotSize = None,
    target_tps: work.TargetTps = None,
    target_qps: work.TargetQps = None,
    headroom: work.Headroom = None,
    max_p95_ms: work.MaxP95 = None,
    budget: space.Budget = None,
    connections: work.Connections = None,
    durability: work.DurabilityWord = None,
    availability: work.AvailabilityWord = None,
    client: work.ClientWord = None,
    allow_ephemeral: space.AllowEphemeral = False,
    proxysql: work.ProxySql = False,
    dialect: space.DialectWord = None,
    engine: space.Engines = None,
    platform: space.Platforms = None,
    family: space.Families = None,
    arch: space.Architectures = None,
    storage: space.StorageTypes = None,
    min_vcpu: space.MinVcpu = None,
    max_vcpu: space.MaxVcpu = None,
    min_memory: space.MinMemory = None,
    max_memory: space.MaxMemory = None,
    region: space.Region = None,
    term: space.TermWord = None,
    payment: space.PaymentWord = None,
    objective: space.ObjectiveWord = None,
    top: Annotated[
        str | None, typer.Option("--top", metavar="N", help="Ranked rows, 1 to 10. [5]")
    ] = None,
    current: Annotated[
        str | None,
        typer.Option(
            "--current",
            metavar="CONFIG",
            help="What you run now: what is wrong with it, and the smallest safe move.",
            autocompletion=complete_config,
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add the ledger, all evidence and server settings.")
    ] = False,
    offline: Offline = False,
    refresh: Refresh = False,
    as_json: AsJson = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Comma-separated values, one row per candidate.")
    ] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="A document to paste into a ticket.")
    ] = False,
    output: OutputFile = None,
) -> None:
    """Recommend an instance, storage and engine for a workload.

    Needs --threads and --rw; every other value is decided and printed as an assumption.
    """
    refuse_both(offline=offline, refresh=refresh)
    running = None if current is None else stated_config(current, "--current")
    form = one_form(json=as_json, csv=as_csv, markdown=as_markdown)
    settings = current_settings()
    workload = work.described_workload(
        work.WorkloadFlags(
            threads=threads,
            rw=rw,
            data_size=data_size,
            hot_size=hot_size,
            target_tps=target_tps,
            target_qps=target_qps,
            headroom=headroom,
            max_p95_ms=max_p95_ms,
            connections=connections,
            durability=durability,
            availability=availability,
            client=client,
            proxysql=proxysql,
        ),
        settings,
    )
    constraints = space.constraints_of(
        space.SpaceFlags(
            dialect=dialect or _spoken(running, engine),
            engines=engine,
            platforms=platform,
            families=family,
            architectures=arch,
            storage_types=storage,
            min_vcpu=min_vcpu,
            max_vcpu=max_vcpu,
            min_memory=min_memory,
            max_memory=max_memory,
            budget=budget,
            allow_ephemeral=allow_ephemeral,
        ),
        newer_types_here,
    )
    market = space.market_of(settings, region=region, term=term, payment=payment)
    aim = _objective_of(objective, workload, settings)
    undecided = tuple(_undecided(constraints, running, is_dialect_said=dialect is not None))
    request = Request(
        workload=workload,
        constraints=constraints,
        region=market.region,
        term=market.term,
        payment=market.payment,
        objective=aim[0],
        top=_rows(top),
        current=running,
        assumed=(*market.assumed, *aim[1], *undecided),
    )
    from advisor.session.recommend import needed, short_list
    from advisor.session.recommend import recommend as answer

    need = Need(needed(request), lambda known: short_list(request, known))
    sources = sources_for(settings, market.region, need, offline=offline, refresh=refresh)
    found = answer(request, sources)
    _write(found, output, form, is_explained=explain)
    say(found.price_notes, found.price_as_of if form == "text" else None)


def _rows(text: str | None) -> int:
    top = parsed("--top", text, parse_count)
    if top is None:
        return DEFAULT_TOP
    if not 1 <= top <= MAX_TOP:
        raise UsageError(f"--top {top:,} must be from 1 to {MAX_TOP}")
    return top


def _spoken(running: Config | None, engine: list[str] | None) -> str | None:
    """Return the dialect of what runs now: an application rarely changes its SQL."""
    return None if running is None or engine else str(running.engine.dialect)


def _objective_of(
    word: str | None, workload: Workload, settings: Settings
) -> tuple[Objective, tuple[Assumption, ...]]:
    """Return the objective in force, and where it comes from when it was not said."""
    said = member("--objective", word, Objective)
    if said is not None:
        return said, ()
    settled = settings.objective
    if settled is not None:
        reason = settings.origin("objective")
    else:
        settled = objective_of(workload.target_tps)
        reason = "default without a target" if workload.target_tps is None else "there is a target"
    return settled, (Assumption(name="objective", value=settled.value, reason=reason),)


def _undecided(
    constraints: Constraints, running: Config | None, *, is_dialect_said: bool
) -> Iterator[Assumption]:
    """Yield the dialect, platforms and engines that compete because nobody named any."""
    platforms = space.platforms_left(constraints)
    if not constraints.engines and not is_dialect_said:
        reason = "default" if running is None else "that of what you run"
        yield Assumption(name="dialect", value=constraints.dialect.value, reason=reason)
    if not constraints.platforms and len(platforms) > 1:
        reason = "default: as far as they can serve what is asked"
        yield Assumption(name="platform", value=", ".join(platforms), reason=reason)
    if not constraints.engines and Platform.EC2 in platforms:
        value, reason = _ENGINES[constraints.dialect]
        yield Assumption(name="engine", value=value, reason=reason)


def _write(answer: Recommendation, output: Path | None, form: str, *, is_explained: bool) -> None:
    """Render and write the answer."""
    if form == "json":
        from advisor.render.recommendation_json import recommendation_json

        write_result(recommendation_json(answer), output)
        return
    if form == "csv":
        from advisor.render.recommendation_csv import recommendation_csv

        write_result(recommendation_csv(answer), output)
        return
    if form == "markdown":
        from advisor.render.recommendation_markdown import recommendation_markdown

        text = recommendation_markdown(answer, is_explained=is_explained)
        write_text(text, output)
        return
    from advisor.render.recommendation import recommendation_text

    text = recommendation_text(answer)
    if is_explained:
        from advisor.render.explain import explanation_text

        text = f"{text}\n{explanation_text(answer)}"
    write_text(text, output)
