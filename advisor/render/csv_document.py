"""CSV of the same values as a JSON document: one row per record, RFC 4180, stable columns.

A column is a path into the record, its steps joined by an underscore, so that both carry one name:
``predicted.latency_p95_ms.value`` is ``predicted_latency_p95_ms_value``. Unknown is an empty field.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.render.json_document import DIGITS
from advisor.render.table import cell_text

if TYPE_CHECKING:
    from advisor.render.json_document import Json

#: Between the texts of a list in one field; no text of ours holds it.
SEPARATOR = " | "


def csv_text(paths: Sequence[str], records: Sequence[Mapping[str, Json]]) -> str:
    """Return a header and one row per record; lines end with CRLF, as RFC 4180 has it."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(column(path) for path in paths)
    writer.writerows([_field(_at(record, path)) for path in paths] for record in records)
    return stream.getvalue()


def column(path: str) -> str:
    """Return the name of the column of a path."""
    return path.replace(".", "_").replace("-", "_")


def _at(record: Mapping[str, Json], path: str) -> Json:
    """Return the value at a path; None where it, or what holds it, is unknown."""
    value: Json = record
    for step in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(step)
    return value


def _field(value: Json) -> str:
    if isinstance(value, float):
        return cell_text(float(f"{value:.{DIGITS}g}"))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return SEPARATOR.join(_field(each) for each in value)
    return cell_text(value)
