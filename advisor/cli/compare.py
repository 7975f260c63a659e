"""``advisor compare``: stated configurations side by side over thread counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.cli import space_flags as space
from advisor.cli import workload_flags as work
from advisor.cli.config_argument import SeveralConfigs, request_of, stated_config
from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsJson, OutputFile
from advisor.cli.price_flags import Need, Offline, Refresh, refuse_both, say, sources_for
from advisor.cli.registry import new_app
from advisor.domain.comparison import LEAST_COMPARED, MOST_COMPARED
from advisor.errors import UsageError

if TYPE_CHECKING:
    from advisor.domain.comparison import Comparison

app = new_app()

EXAMPLE = "advisor compare mysql/m7g.xlarge/gp3 mysql/m7i.xlarge/gp3 --threads 16 --rw mixed"


@app.command()
def compare(  # noqa: PLR0913 (one parameter per flag is how typer declares them)
    configs: SeveralConfigs,
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
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Compare two to four configurations: throughput, latency and cost by threads.

    Needs --threads and --rw; the ladder runs from 1 thread to at least 128, and says where the
    lead changes and what is a tie.
    """
    stated = [stated_config(config) for config in configs]
    if not LEAST_COMPARED <= len(stated) <= MOST_COMPARED:
        raise UsageError(
            f"compare takes {LEAST_COMPARED} to {MOST_COMPARED} CONFIGs, not {len(stated)}",
            hint="advisor predict takes one" if len(stated) < LEAST_COMPARED else None,
        )
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
        example=EXAMPLE,
        region=region,
        term=term,
        payment=payment,
    )
    from advisor.session.candidate import needed_by
    from advisor.session.compare import compare as answer

    names = tuple(sorted({config.instance_type for config in stated}))
    need = Need(needed_by(stated, request), lambda _: names)
    sources = sources_for(settings, request.region, need, offline=offline, refresh=refresh)
    found = answer(stated, request, sources)
    if as_json:
        from advisor.render.comparison_json import comparison_json

        write_result(comparison_json(found), output)
        say(_notes(found), None)
        return
    from advisor.render.comparison import comparison_text

    text = comparison_text(found)
    write_text(text, output)
    dates = (each.cost.as_of for each in found.assessments if each.cost is not None)
    say(_notes(found), min((each for each in dates if each is not None), default=None))


def _notes(found: Comparison) -> tuple[str, ...]:
    return tuple(line for each in found.assessments for line in each.price_notes)
