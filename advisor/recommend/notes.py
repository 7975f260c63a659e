"""Notes for the client's side and the pooler in front of a pick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import Layout
from advisor.domain.vocabulary import Client, Dialect, Engine, Platform
from advisor.recommend.ledger import layout_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.domain.candidate import Candidate
    from advisor.domain.workload import Workload

#: Connections above which a pooler pays: idle MySQL threads are cheap, but not their memory.
MANY_MYSQL_CONNECTIONS = 1_000
#: A PostgreSQL connection is a process.
MANY_POSTGRESQL_CONNECTIONS = 300
#: Statements from which the round trip decides: short transactions of one statement wait once.
CHATTY_STATEMENTS = 4.0
#: Read share from which replicas take work off the primary.
READ_RATIO = 0.5


def notes_of(candidate: Candidate, workload: Workload) -> tuple[str, ...]:
    """Return what the client's side should do, the most important first."""
    return (
        *_retry(candidate),
        *_pooler(candidate, workload),
        *_reads(candidate, workload),
        *_zone(workload),
        *_statements(candidate, workload),
    )


def _retry(candidate: Candidate) -> Iterator[str]:
    layout = layout_of(candidate)
    if layout is Layout.CLUSTER:
        yield (
            "retry a transaction that fails certification: PXC reports the conflict as a deadlock "
            "at COMMIT; send all writes to one node"
        )
    elif layout is Layout.READERS:
        yield (
            "connect to the cluster endpoint and retry after a fail-over: connections break, and a "
            "name kept longer than 5 s still points to the old writer"
        )
    elif layout is Layout.MULTI_AZ:
        yield (
            "retry after a fail-over for up to two minutes: connections break, the name then "
            "points to the standby; do not keep it longer than 5 s"
        )
    elif layout is Layout.REPLICAS:
        yield (
            "retry after a fail-over: connections break, and the pooler or the name must move to "
            "the new primary; practise it before you need it"
        )


def _pooler(candidate: Candidate, workload: Workload) -> Iterator[str]:
    connections = workload.connections
    if connections is None:
        return
    is_postgresql = candidate.engine.dialect is Dialect.POSTGRESQL
    many = MANY_POSTGRESQL_CONNECTIONS if is_postgresql else MANY_MYSQL_CONNECTIONS
    if connections <= many:
        return
    pooler = "PgBouncer" if is_postgresql else "ProxySQL"
    if candidate.platform is not Platform.EC2:
        pooler += " or RDS Proxy (its own charge per vCPU)"
    mode = (
        "in transaction mode; prepared statements need PgBouncer 1.21 or later there"
        if is_postgresql
        else "with multiplexing; session variables and open transactions pin a connection"
    )
    yield (
        f"{connections:,} connections for {workload.threads:,} busy threads: put {pooler} in "
        f"front, {mode}"
    )


def _reads(candidate: Candidate, workload: Workload) -> Iterator[str]:
    layout = layout_of(candidate)
    if workload.profile.read_ratio < READ_RATIO or workload.threads == 1:
        return
    if layout is Layout.READERS:
        yield (
            "reads that may be some 10 ms old can go to the reader endpoint; the figures are those "
            "of the writer alone"
        )
    elif layout is Layout.REPLICAS:
        yield (
            "reads that may be old can go to the replicas; the figures are those of the primary "
            "alone"
        )
    elif layout is Layout.CLUSTER:
        yield (
            "reads can go to the other nodes (wsrep_sync_wait=1 where they must see the last "
            "write); the figures are those of one writer"
        )


def _zone(workload: Workload) -> Iterator[str]:
    if workload.client is Client.CROSS_AZ and workload.profile.statements > 1.0:
        yield (
            f"the client is in another zone: each of {workload.profile.statements:.3g} statements "
            "waits for the round trip, and AWS charges the traffic; move it, or send fewer "
            "statements"
        )


def _statements(candidate: Candidate, workload: Workload) -> Iterator[str]:
    if workload.profile.statements < CHATTY_STATEMENTS:
        return
    if candidate.engine.dialect is Dialect.MYSQL:
        yield (
            "the benchmarks used prepared statements on the server: keep them open per connection "
            "and close what you drop, max_prepared_stmt_count counts all of them"
            + (
                "; ProxySQL prepares each text once per backend"
                if candidate.engine is Engine.PXC
                else ""
            )
        )
    else:
        yield "the benchmarks used prepared statements: parsing otherwise takes a share of the CPU"
