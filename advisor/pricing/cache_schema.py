"""The file of live prices: its marks and tables, known to its writer and to the cold reader.

Imports next to nothing, because ``recommend`` reads it at every start.
"""

from __future__ import annotations

import zlib

#: "ADVP" in the header of the file: a SQLite file without it is another application's.
APPLICATION_ID = 0x41445650
#: Raised with every change of the tables; a file of another version is set aside.
SCHEMA_VERSION = 1

#: A market has at most one document of all it sells (``is_whole``), and beside it those of later
#: refreshes that asked for some types. What no answer reads stands after ``body``: SQLite follows
#: the pages of a long row only as far as it must.
DDL = """
CREATE TABLE documents (
    region TEXT NOT NULL,
    market TEXT NOT NULL,
    is_whole INTEGER NOT NULL,
    fetched_at TEXT NOT NULL,
    origin TEXT NOT NULL,
    published TEXT,
    prices INTEGER NOT NULL,
    refresh_id INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    body TEXT NOT NULL,
    paid BLOB,
    PRIMARY KEY (region, market, refresh_id)
);
CREATE TABLE history (
    market TEXT NOT NULL,
    name TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    usd TEXT,
    upfront_usd TEXT,
    origin TEXT NOT NULL,
    PRIMARY KEY (market, name, seen_at)
) WITHOUT ROWID;
CREATE TABLE troubles (
    region TEXT NOT NULL,
    market TEXT NOT NULL,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (region, market, name)
);
CREATE TABLE failures (
    region TEXT NOT NULL,
    subject TEXT NOT NULL,
    origin TEXT NOT NULL,
    reason TEXT NOT NULL,
    failed_at TEXT NOT NULL,
    PRIMARY KEY (region, subject, origin)
);
CREATE TABLE types (
    name TEXT PRIMARY KEY,
    seen_at TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    facts TEXT NOT NULL
);
CREATE TABLE refreshes (
    id INTEGER PRIMARY KEY,
    region TEXT NOT NULL,
    subjects TEXT NOT NULL,
    origins TEXT NOT NULL,
    started TEXT NOT NULL,
    finished TEXT NOT NULL,
    requests INTEGER NOT NULL,
    wire_bytes INTEGER NOT NULL,
    status TEXT NOT NULL
);
CREATE TABLE held (
    region TEXT PRIMARY KEY,
    refresh_id INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    batch BLOB NOT NULL
);
CREATE TABLE responses (
    address TEXT PRIMARY KEY,
    etag TEXT,
    last_modified TEXT,
    fetched_at TEXT NOT NULL,
    body BLOB NOT NULL
);
"""


def checksum_of(key: str, written_at: str, text: str) -> int:
    """Return what tells a text that was changed on the disk, or stands in another's place."""
    return zlib.crc32(f"{key} {written_at} {text}".encode())
