"""The flags that describe a workload, shared by every command that takes one."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.words import completion, member, parsed
from advisor.domain.description import Description, headroom_named, profile_named, workload_of
from advisor.domain.record import record
from advisor.domain.units import parse_count, parse_number, parse_ratio, parse_size_gib
from advisor.domain.vocabulary import Availability, Client, Durability
from advisor.domain.workload import Workload
from advisor.errors import UsageError
from advisor.settings import Settings

PRESETS = ("read", "mixed", "write", "point")
EXAMPLE = "advisor recommend --threads 16 --rw mixed"

Threads = Annotated[
    str | None,
    typer.Option("--threads", metavar="N", help="Client threads that always have a query to run."),
]
ReadWrite = Annotated[
    str | None,
    typer.Option(
        "--rw",
        metavar="MIX",
        help="read, mixed, write, point, or the share of reads: 0.8 or 80%.",
        autocompletion=completion(PRESETS),
    ),
]
DataSize = Annotated[
    str | None,
    typer.Option(
        "--data-size", metavar="SIZE", help="Data on disk; a bare number is GiB. [100GiB]"
    ),
]
HotSize = Annotated[
    str | None,
    typer.Option("--hot-size", metavar="SIZE", help="The part that is touched. [20% of the data]"),
]
TargetTps = Annotated[
    str | None,
    typer.Option("--target-tps", metavar="N", help="Transactions per second to reach."),
]
TargetQps = Annotated[
    str | None,
    typer.Option("--target-qps", metavar="N", help="Statements per second to reach, instead."),
]
Headroom = Annotated[
    str | None,
    typer.Option(
        "--headroom", metavar="SHARE", help="Kept free at the target, and of bought IOPS. [30%]"
    ),
]
MaxP95 = Annotated[
    str | None,
    typer.Option("--max-p95-ms", metavar="MS", help="Limit on the p95 of a transaction."),
]
Connections = Annotated[
    str | None,
    typer.Option("--connections", metavar="N", help="Open connections; warns about pooling only."),
]
DurabilityWord = Annotated[
    str | None,
    typer.Option(
        "--durability",
        metavar="WORD",
        help="full or relaxed. [full]",
        autocompletion=completion(tuple(Durability)),
    ),
]
ProxySql = Annotated[bool, typer.Option("--proxysql", help="ProxySQL in front: adds its overhead.")]
AvailabilityWord = Annotated[
    str | None,
    typer.Option(
        "--availability",
        metavar="WORD",
        help="single, multi-az or cluster (3 nodes). [single]",
        autocompletion=completion(tuple(Availability)),
    ),
]
ClientWord = Annotated[
    str | None,
    typer.Option(
        "--client",
        metavar="WORD",
        help="local, same-az or cross-az. [same-az]",
        autocompletion=completion(tuple(Client)),
    ),
]


@record
class WorkloadFlags:
    """The workload flags as typed; None: not given."""

    threads: str | None
    rw: str | None
    data_size: str | None
    hot_size: str | None
    target_tps: str | None
    target_qps: str | None
    headroom: str | None
    max_p95_ms: str | None
    connections: str | None
    durability: str | None
    availability: str | None
    client: str | None
    proxysql: bool = False


def described_workload(
    flags: WorkloadFlags, settings: Settings, example: str = EXAMPLE
) -> Workload:
    """Return the workload that the flags describe; UsageError in one line for each bad input.

    ``example`` is the command line to show when flags are missing.
    """
    threads = parsed("--threads", flags.threads, parse_count)
    profile = parsed("--rw", flags.rw, profile_named)
    if threads is None or profile is None:
        missing = [
            flag for flag, value in (("--threads", threads), ("--rw", profile)) if value is None
        ]
        raise UsageError(f"missing {' and '.join(missing)}; for example: {example}")
    hot_size = flags.hot_size
    is_share = hot_size is not None and hot_size.strip().endswith("%")
    return workload_of(
        Description(
            threads=threads,
            profile=profile,
            data_gib=parsed("--data-size", flags.data_size, parse_size_gib),
            hot_gib=None if is_share else parsed("--hot-size", hot_size, parse_size_gib),
            hot_ratio=parsed("--hot-size", hot_size, parse_ratio) if is_share else None,
            target_tps=parsed("--target-tps", flags.target_tps, parse_number),
            target_qps=parsed("--target-qps", flags.target_qps, parse_number),
            headroom_ratio=parsed("--headroom", flags.headroom, headroom_named),
            max_p95_ms=parsed("--max-p95-ms", flags.max_p95_ms, parse_number),
            connections=parsed("--connections", flags.connections, parse_count),
            durability=member("--durability", flags.durability, Durability),
            availability=member("--availability", flags.availability, Availability),
            client=member("--client", flags.client, Client),
            has_proxysql=flags.proxysql,
            settled_headroom=(settings.headroom_ratio, settings.origin("headroom")),
            settled_client=(settings.client, settings.origin("client")),
        )
    )
