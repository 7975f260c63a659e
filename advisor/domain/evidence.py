"""Where facts come from."""

from __future__ import annotations

from advisor.domain.record import record


@record
class Source:
    """A published source of measurements, specifications or prices."""

    id: str
    title: str
    url: str
    date: str
    """ISO date or its known prefix (``2021-08``); the date of the measurement, not of the
    import.
    """
    licence: str
    quality: str
    """A raw logs checked against published tables; B machine-readable results; C printed text
    only.
    """
    caveats: str


@record
class Evidence:
    """Measurements that a prediction rests on."""

    source: Source
    part: str
    """The part of the prediction it informs: ``compute``, ``storage``, ``commit``, ``memory``,
    ``mix``, ``network``.
    """
    what: str
    """What was measured, in one phrase, with its conditions."""
    rows: int
    """Observations used."""
