"""An answer of a web server that is kept, so that it need not be sent again unchanged."""

from __future__ import annotations

from advisor.domain.record import record


@record
class Stored:
    """One answer."""

    etag: str | None
    last_modified: str | None
    body: bytes
    """As it was given to be kept."""
