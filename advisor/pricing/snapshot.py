"""The bundled price snapshot: every price with its source and date.

One query per question, because this is on the start-up path. Must never substitute: no price of
another term, region or day stands in for a missing one, and none is 0.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import duckdb

from advisor.errors import PricingError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DOCUMENT = "SELECT body FROM price_documents WHERE name = $1"


def document(connection: DuckDBPyConnection, market: str) -> list[Any]:
    """Return the prices of a market as they were gathered; empty where nothing has a price."""
    rows = fetched(connection, _DOCUMENT, [market])
    found: list[Any] = json.loads(rows[0][0]) if rows else []
    return found


def documents(connection: DuckDBPyConnection, region: str) -> dict[str, list[Any]]:
    """Return every market of a region with its prices."""
    rows = fetched(
        connection,
        "SELECT name, body FROM price_documents WHERE split_part(name, '/', 2) = $1 ORDER BY name",
        [region],
    )
    return {name: json.loads(body) for name, body in rows}


def priced_regions(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Return the regions with EC2 prices, sorted."""
    rows = fetched(connection, "SELECT DISTINCT region FROM ec2_prices ORDER BY region", [])
    return tuple(region for (region,) in rows)


def volume_regions(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Return the regions with EBS prices, sorted."""
    rows = fetched(connection, "SELECT DISTINCT region FROM volume_prices ORDER BY region", [])
    return tuple(region for (region,) in rows)


def fetched(
    connection: DuckDBPyConnection, statement: str, parameters: list[str]
) -> list[tuple[str, ...]]:
    """Return the rows of a price query; raises PricingError when they cannot be read."""
    try:
        return connection.execute(statement, parameters).fetchall()
    except duckdb.Error as error:
        raise PricingError(f"the bundled prices cannot be read: {error}") from error
