"""Prices as an answer reads them: one JSON text per market, gathered when the database is built.

Markets are named in ``domain.quote``; their prices share few sources and dates, so they are grouped
by those. Derived from the price tables, never edited.
"""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PRICE_DOCUMENTS_DDL = "CREATE TABLE price_documents (name VARCHAR, body VARCHAR)"
#: Amounts as their shortest decimal text: 0.204, not 0.204000000.
_AMOUNT = "rtrim(rtrim({}::VARCHAR, '0'), '.')"
#: An upfront payment is spread evenly over the hours of its term.
_EFFECTIVE = (
    "CAST(usd_per_hour + coalesce(upfront_usd, 0) / "
    "CASE term WHEN 'reserved-1y' THEN 8760 WHEN 'reserved-3y' THEN 26280 ELSE 1 END "
    "AS DECIMAL(18, 10))"
)
#: Rows of (market, source, date, what, amount).
_EC2 = (
    f"SELECT concat_ws('/', 'ec2', region, term, 'none'), source_id, as_of, instance_type, "  # noqa: S608 (constant text)
    f"{_AMOUNT.format('usd_per_hour')} FROM ec2_prices ORDER BY ALL"
)
_RDS = (
    "SELECT concat_ws('/', 'rds', region, deployment, term, payment), source_id, as_of, "  # noqa: S608 (constant text)
    f"engine || '/' || db_class, {_AMOUNT.format(_EFFECTIVE)} FROM rds_prices ORDER BY ALL"
)
_AURORA = (
    "SELECT concat_ws('/', 'aurora', region, 'on-demand', 'none'), source_id, as_of, "  # noqa: S608 (constant text)
    f"concat_ws('/', engine, db_class, storage_mode), {_AMOUNT.format('usd_per_hour')} "
    "FROM aurora_prices ORDER BY ALL"
)
#: Rows of (market, type, item, tier, amount, unit, source, date).
_VOLUMES = (
    f"SELECT 'volumes/' || region, volume_type, item, tier_from, {_AMOUNT.format('usd')}, "  # noqa: S608 (constant text)
    "unit, source_id, as_of FROM volume_prices ORDER BY region, volume_type, item, tier_from"
)
_STORAGE = (
    "SELECT concat_ws('/', 'storage', region, engine, deployment), storage_type, item, 0, "  # noqa: S608 (constant text)
    f"{_AMOUNT.format('usd')}, unit, source_id, as_of FROM rds_storage_prices "
    "ORDER BY region, engine, deployment, storage_type, item"
)


def store_price_documents(connection: DuckDBPyConnection) -> None:
    """Write the documents from the loaded price tables.

    Instances: ``[[source, date, {what: USD per hour}], …]``; storage: the rows of its tariffs.
    """
    connection.execute(PRICE_DOCUMENTS_DDL)
    found: list[tuple[str, object]] = []
    for query in (_EC2, _RDS, _AURORA):
        rows = connection.execute(query).fetchall()
        for market, mine in groupby(rows, key=itemgetter(0)):
            found.append(
                (
                    market,
                    [
                        [source, as_of, {row[3]: row[4] for row in priced}]
                        for (source, as_of), priced in groupby(mine, key=itemgetter(1, 2))
                    ],
                )
            )
    for query in (_VOLUMES, _STORAGE):
        rows = connection.execute(query).fetchall()
        for market, mine in groupby(rows, key=itemgetter(0)):
            found.append((market, [row[1:] for row in mine]))
    connection.executemany(
        "INSERT INTO price_documents VALUES (?, ?)",
        [(name, json.dumps(body, separators=(",", ":"))) for name, body in found],
    )
