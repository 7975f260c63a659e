"""``advisor predict``: what one stated configuration will do under a workload."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli import space_flags as space
from advisor.cli import workload_flags as work
from advisor.cli.config_argument import EXAMPLE, OneConfig, request_of, stated_config
from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsJson, OutputFile
from advisor.cli.price_flags import Need, Offline, Refresh, refuse_both, say, sources_for
from advisor.cli.registry import new_app

app = new_app()


@app.command()
def predict(  # noqa: PLR0913 (one parameter per flag is how typer declares them)
    config: OneConfig,
    *,
    threads: work.Threads = None,
    rw: work.ReadWrite = None,
    data_size: work.DataSize = None,
    hot_size: work.HotSize = None,
    target_tps: work.TargetTps = None,
    target_qps: work.TargetQps = None,
    headroom: work.Headroom = None,
    max_p95_ms: work.MaxP95 = None,
    connections: work.Connections = None,
    durability: work.DurabilityWord = None,
    availability: work.AvailabilityWord = None,
    client: work.ClientWord = None,
    proxysql: work.ProxySql = False,
    region: space.Region = None,
    term: space.TermWord = None,
    payment: space.PaymentWord = None,
    offline: Offline = False,
    refresh: Refresh = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add server settings and all evidence.")
    ] = False,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Predict what one configuration will do, what limits it and what it costs.

    Needs --threads and --rw; figures left out of CONFIG are those included with the volume.
    """
    stated = stated_config(config)
    refuse_both(offline=offline, refresh=refresh)
    settings = current_settings()
    request = request_of(
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
        example=f"advisor predict {EXAMPLE} --threads 16 --rw mixed",
        region=region,
        term=term,
        payment=payment,
    )
    from advisor.session.candidate import needed_by
    from advisor.session.predict import predict as answer

    names = tuple(sorted({config.instance_type for config in (stated,)}))
    need = Need(needed_by((stated,), request), lambda _: names)
    sources = sources_for(settings, request.region, need, offline=offline, refresh=refresh)
    found = answer(stated, request, sources)
    if as_json:
        from advisor.render.assessment_json import assessment_json

        write_result(assessment_json(found), output)
        say(found.price_notes, None)
        return
    from advisor.render.assessment import assessment_explanation, assessment_text

    text = assessment_text(found)
    if explain:
        text = f"{text}\n{assessment_explanation(found)}"
    write_text(text, output)
    say(found.price_notes, None if found.cost is None else found.cost.as_of)
