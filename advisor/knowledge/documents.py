"""What a recommendation reads, gathered when the database is built.

Start-up decides how often people ask, and turning hundreds of typed rows into Python costs more
than the query: each document is one JSON text of rows that a single query fetches and the C parser
reads. They are derived from the tables and hashed with the fitted model, never edited.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor.knowledge.advice import ADVICE_QUERIES
from advisor.knowledge.space import CURVE_COLUMNS, INSTANCE_COLUMNS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DOCUMENTS_DDL = "CREATE TABLE documents (name VARCHAR, body VARCHAR)"
#: Types with a curve, the default candidates or those that a named family adds.
_ENTRIES = (
    f"SELECT {INSTANCE_COLUMNS}, {CURVE_COLUMNS} FROM instance_types "  # noqa: S608 (column names of our own schema)
    "JOIN compute_curves USING (instance_type) WHERE {} ORDER BY instance_type"
)
#: Database classes: the instance behind them, with the memory and EBS limits of the class; those
#: more than two generations behind the newest priced one (7) are no candidates unless named.
_CLASSES = (
    "WITH classes AS (SELECT c.db_class AS instance_type, i.family, i.generation, "  # noqa: S608 (column names of our own schema)
    "coalesce(c.vcpu, i.vcpu) AS vcpu, coalesce(c.memory_gib, i.memory_gib) AS memory_gib, arch, "
    "cpu_maker, threads_per_core, silicon, ebs_baseline_iops, ebs_max_iops, "
    "coalesce(c.ebs_baseline_mib_per_s, i.ebs_baseline_mib_per_s) AS ebs_baseline_mib_per_s, "
    "coalesce(c.ebs_max_mib_per_s, i.ebs_max_mib_per_s) AS ebs_max_mib_per_s, "
    "network_baseline_gbps, NULL AS disk_count, NULL AS disk_total_gb, NULL AS disk_read_iops, "
    "NULL AS disk_write_iops, is_burstable, cpu_baseline_ratio, i.instance_type AS twin, "
    "ebs_baseline_iops AS known FROM rds_classes c JOIN instance_types i "
    "ON i.instance_type = c.instance_type) "
    f"SELECT {INSTANCE_COLUMNS.replace('instance_type,', 'classes.instance_type,')}, "
    f"{CURVE_COLUMNS} FROM classes JOIN compute_curves ON compute_curves.instance_type = twin "
    "WHERE {} ORDER BY classes.instance_type"
)
_CURRENT = "generation >= 5 AND NOT is_burstable AND known IS NOT NULL"
_OLD = "(generation < 5 OR is_burstable) AND known IS NOT NULL"
#: Sold anywhere under the platform: a class that it does not offer is no gap in prices. The others
#: are candidates where a live price says that they are sold now.
_SOLD = "classes.instance_type IN (SELECT db_class FROM {})"
_QUERIES = {
    "default": _ENTRIES.format("exclusion IS NULL"),
    "named": _ENTRIES.format(
        "exclusion IS NOT NULL AND exclusion NOT IN ('incomplete', 'bare-metal')"
    ),
    "rds-default": _CLASSES.format(_CURRENT + " AND " + _SOLD.format("rds_prices")),
    "rds-named": _CLASSES.format(_OLD + " AND " + _SOLD.format("rds_prices")),
    "aurora-default": _CLASSES.format(_CURRENT + " AND " + _SOLD.format("aurora_prices")),
    "aurora-named": _CLASSES.format(_OLD + " AND " + _SOLD.format("aurora_prices")),
    "rds-unsold": _CLASSES.format(_CURRENT + " AND NOT " + _SOLD.format("rds_prices")),
    "aurora-unsold": _CLASSES.format(_CURRENT + " AND NOT " + _SOLD.format("aurora_prices")),
    "excluded": "SELECT coalesce(exclusion, 'no-evidence') AS reason, family, count(*), "
    "min(instance_type) FROM instance_types LEFT JOIN compute_curves USING (instance_type) "
    "WHERE exclusion IS NOT NULL OR log_tps IS NULL GROUP BY ALL ORDER BY ALL",
    "limits": "SELECT platform, volume_type, min_gib, max_gib, min_iops, max_iops, iops_per_gib, "
    "min_throughput_mib_per_s, max_throughput_mib_per_s, throughput_per_iops, durability "
    "FROM volume_limits WHERE volume_type IN ('gp2', 'gp3', 'io1', 'io2') "
    "ORDER BY platform, volume_type, from_gib",
    **ADVICE_QUERIES,
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
