"""The bound of the cache file: what goes first when it would grow beyond it.

Web answers cost a download, history costs a look back, a held refresh can be fetched again; prices
go last, a whole region at a time, and never those of the region just written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.errors import PricingError

if TYPE_CHECKING:
    from sqlite3 import Connection

#: Bytes of the file unless a setting says otherwise.
MOST_BYTES = 500_000_000
_OLDEST_RESPONSE = """
    DELETE FROM responses WHERE address IN
    (SELECT address FROM responses ORDER BY fetched_at, address LIMIT 1)
"""
_OLDEST_CHANGES = """
    DELETE FROM history WHERE (market, name, seen_at) IN
    (SELECT market, name, seen_at FROM history ORDER BY seen_at, market, name LIMIT 5000)
"""
_OLDEST_HELD = """
    DELETE FROM held WHERE region IN
    (SELECT region FROM held WHERE region <> :region ORDER BY refresh_id LIMIT 1)
"""
_OLDEST_REGION = """
    DELETE FROM documents WHERE region IN
    (SELECT region FROM documents WHERE region <> :region
    GROUP BY region ORDER BY max(fetched_at), region LIMIT 1)
"""
#: What goes, the dispensable first.
_LADDER = (_OLDEST_RESPONSE, _OLDEST_CHANGES, _OLDEST_HELD, _OLDEST_REGION)


def keep_responses_within(connection: Connection, most_bytes: int) -> None:
    """Remove the oldest web answers, and nothing else, until the file fits."""
    _remove(connection, _OLDEST_RESPONSE, most_bytes)


def keep_within(connection: Connection, most_bytes: int, region: str) -> None:
    """Remove the oldest and most dispensable rows until the file fits, in this transaction.

    Raises PricingError when what is kept of ``region`` alone does not fit.
    """
    for statement in _LADDER:
        _remove(connection, statement, most_bytes, region)
    if _used_bytes(connection) > most_bytes:
        raise PricingError(
            f"the price cache cannot be written: the prices of {region} need more than its bound "
            f"of {most_bytes} bytes"
        )


def _remove(connection: Connection, statement: str, most_bytes: int, region: str = "") -> None:
    while _used_bytes(connection) > most_bytes:
        if not connection.execute(statement, {"region": region}).rowcount:
            return


def _used_bytes(connection: Connection) -> int:
    ((size,),) = connection.execute("PRAGMA page_size")
    ((pages,),) = connection.execute("PRAGMA page_count")
    ((free,),) = connection.execute("PRAGMA freelist_count")
    return int(size) * (int(pages) - int(free))
