"""What a recommendation reads, gathered when the database is built.

Start-up decides how often people ask, and turning hundreds of typed rows into Python costs more
than the query: each document is one JSON text of rows that a single query fetches and the C parser
reads. They are derived from the tables and hashed with the fitted model, never edited.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor.knowledge.space import CURVE_COLUMNS, INSTANCE_COLUMNS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DOCUMENTS_DDL = "CREATE TABLE documents (name VARCHAR, body VARCHAR)"
#: Types with a curve, the default candidates or those that a named family adds.
_ENTRIES = (
    f"SELECT {INSTANCE_COLUMNS}, {CURVE_COLUMNS} FROM instance_types "  # noqa: S608 (column names of our own schema)
    "JOIN compute_curves USING (instance_type) WHERE {} ORDER BY instance_type"
)
_QUERIES = {
    "default": _ENTRIES.format("exclusion IS NULL"),
    "named": _ENTRIES.format(
        "exclusion IS NOT NULL AND exclusion NOT IN ('incomplete', 'bare-metal')"
    ),
    "excluded": "SELECT coalesce(exclusion, 'no-evidence') AS reason, family, count(*), "
    "min(instance_type) FROM instance_types LEFT JOIN compute_curves USING (instance_type) "
    "WHERE exclusion IS NOT NULL OR log_tps IS NULL GROUP BY ALL ORDER BY ALL",
    "limits": "SELECT volume_type, min_gib, max_gib, min_iops, max_iops, iops_per_gib, "
    "min_throughput_mib_per_s, max_throughput_mib_per_s, throughput_per_iops, durability "
    "FROM volume_limits WHERE platform = 'ec2' AND volume_type IN ('gp2', 'gp3', 'io1', 'io2') "
    "ORDER BY ALL",
    "parameters": "SELECT name, value, unit, sigma, basis, row_count, sources, note "
    "FROM model_parameters ORDER BY name",
    "sources": "SELECT source_id, title, url, date, licence, quality, caveats "
    "FROM sources ORDER BY source_id",
}


def store_documents(connection: DuckDBPyConnection) -> None:
    """Write the documents from the loaded and fitted tables."""
    connection.execute(DOCUMENTS_DDL)
    for name, query in _QUERIES.items():
        rows = connection.execute(query).fetchall()
        body = json.dumps(rows, separators=(",", ":"), ensure_ascii=False)
        connection.execute("INSERT INTO documents VALUES (?, ?)", [name, body])
