"""The durability ledger in 80 columns and in JSON: what each failure loses, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.advice import Failure, Rpo, Rto
from advisor.render.page import paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.advice import Loss
    from advisor.render.json_document import Json

_FAILURES = {
    Failure.PROCESS_CRASH: "server crash",
    Failure.OS_CRASH: "system crash",
    Failure.HOST_FAILURE: "host failure or stop",
    Failure.VOLUME_LOSS: "loss of the volume",
    Failure.AZ_LOSS: "loss of the zone",
}
_LOST = {
    Rpo.NONE: "nothing",
    Rpo.LAST_SECOND: "last second",
    Rpo.LAST_LOG: "last minutes",
    Rpo.LAST_BACKUP: "since backup",
}
_AWAY = {Rto.SECONDS: "seconds", Rto.MINUTES: "minutes", Rto.HOURS: "hours"}


def ledger_lines(losses: Sequence[Loss]) -> list[str]:
    """Return the ledger for ``--explain``: a row per failure, its words and its source."""
    if not losses:
        return []
    lines = [f"  {'failure':<20}  {'lost':<12}  {'away':<7}"]
    for each in losses:
        lines.append(
            f"  {_FAILURES[each.failure]:<20}  {_LOST[each.rpo]:<12}  {_AWAY[each.rto]:<7}"
        )
        lines += paragraph(f"lost: {each.lost}", "    ", "      ")
        lines += paragraph(f"back: {each.recovery}", "    ", "      ")
        lines += paragraph(f"source {each.source.id} ({each.source.date or 'no date'})", "    ")
        lines += paragraph(each.source.url, "    ")
    return [line.rstrip() for line in lines]


def ledger_summary(losses: Sequence[Loss]) -> list[str]:
    """Return the ledger for the answer itself: one line per kind of loss, the least first."""
    groups: dict[tuple[Rpo, Rto], list[str]] = {}
    for each in losses:
        groups.setdefault((each.rpo, each.rto), []).append(_FAILURES[each.failure])
    return [
        line
        for (rpo, rto), names in sorted(
            groups.items(), key=lambda item: (item[0][0].rank, item[0][1].rank)
        )
        for line in paragraph(
            f"{', '.join(names)}: {_loses(rpo)}, back in {_AWAY[rto]}", "  ", "    "
        )
    ]


def _loses(rpo: Rpo) -> str:
    return {
        Rpo.NONE: "loses nothing committed",
        Rpo.LAST_SECOND: "loses about the last second",
        Rpo.LAST_LOG: "loses minutes, since the last log was shipped",
        Rpo.LAST_BACKUP: "loses all since the last backup",
    }[rpo]


def ledger_json(losses: Sequence[Loss]) -> Json:
    """Return the ``durability`` of one recommendation: a list, the smallest failure first."""
    return [
        {
            "failure": each.failure.value,
            "lost": each.lost,
            "rpo": each.rpo.value,
            "rto": each.rto.value,
            "recovery": each.recovery,
            "as_of": each.as_of,
            "source_id": each.source.id,
            "title": each.source.title,
            "url": each.source.url or None,
            "quality": each.source.quality or None,
            "caveats": each.source.caveats or None,
        }
        for each in losses
    ]
