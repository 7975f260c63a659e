"""What the Query API is asked for a short-list: as few questions as the subjects allow. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.quote import Subject
from advisor.domain.record import record, replaced
from advisor.pricing.query_rows import LINUX, NO_LICENSE
from advisor.pricing.usage_types import AURORA_LABELS, RDS_LABELS

if TYPE_CHECKING:
    from collections.abc import Collection

    from advisor.pricing.provider import Wanted

#: Values of one ANY_OF filter, which takes 1,024 characters in all.
CHUNK = 40
_CLASSES = {Subject.RDS, Subject.AURORA, Subject.RESERVED}
_VOLUME_FAMILIES = ("Storage", "System Operation", "Provisioned Throughput", "Storage Snapshot")
_STORAGE_FAMILIES = {
    Subject.RDS: ("Database Storage", "Provisioned IOPS", "Provisioned Throughput"),
    Subject.AURORA: ("Database Storage", "System Operation", "ServerlessV2"),
}


@record
class Question:
    """One series of GetProducts calls."""

    service_code: str
    fixed: tuple[tuple[str, str], ...]
    """Fields and the value each must have."""
    field: str | None = None
    """A field that must have any of ``values``."""
    values: tuple[str, ...] = ()
    subjects: tuple[Subject, ...]
    """What cannot be delivered when this one fails."""

    def filters(self) -> list[dict[str, str]]:
        """Return the filters of one call that covers all values (ANY_OF: comma-separated)."""
        return self._with("ANY_OF", ",".join(self.values))

    def filters_one_by_one(self) -> list[list[dict[str, str]]]:
        """Return the filters of a call per value, for an endpoint without ANY_OF."""
        return [self._with("TERM_MATCH", value) for value in self.values]

    def _with(self, kind: str, value: str) -> list[dict[str, str]]:
        filters = [
            {"Type": "TERM_MATCH", "Field": field, "Value": each} for field, each in self.fixed
        ]
        if self.field is not None:
            filters.append({"Type": kind, "Field": self.field, "Value": value})
        return filters


def questions(wanted: Wanted) -> tuple[Question, ...]:
    """Return what to ask GetProducts; spot prices and Savings Plans are asked elsewhere."""
    region = (("regionCode", wanted.region),)
    types = tuple(name for name in wanted.types if not name.startswith("db."))
    classes = tuple(name for name in wanted.types if name.startswith("db."))
    found: list[Question] = []
    if machines := _of(wanted, {Subject.EC2, Subject.RESERVED}):
        base = Question(
            service_code="AmazonEC2", fixed=(*region, *LINUX.items()), subjects=machines
        )
        found += _chunks(base, types) if wanted.types else [base]
    if Subject.EBS in wanted.subjects:
        base = Question(service_code="AmazonEC2", fixed=region, subjects=(Subject.EBS,))
        found.append(_any_of(base, "productFamily", _VOLUME_FAMILIES))
    if managed := _of(wanted, _CLASSES):
        fixed = (
            *region,
            ("productFamily", "Database Instance"),
            ("licenseModel", NO_LICENSE),
        )
        base = Question(service_code="AmazonRDS", fixed=fixed, subjects=managed)
        by_engine = _any_of(base, "databaseEngine", _engines(managed))
        found += _chunks(base, classes) if wanted.types else [by_engine]
    if stored := _of(wanted, _STORAGE_FAMILIES):
        families = sorted({each for subject in stored for each in _STORAGE_FAMILIES[subject]})
        base = Question(service_code="AmazonRDS", fixed=region, subjects=stored)
        found.append(_any_of(base, "productFamily", tuple(families)))
    return tuple(found)


def _of(wanted: Wanted, subjects: Collection[Subject]) -> tuple[Subject, ...]:
    return tuple(subject for subject in wanted.subjects if subject in subjects)


def _engines(subjects: Collection[Subject]) -> tuple[str, ...]:
    rds = tuple(RDS_LABELS.values()) if {Subject.RDS, Subject.RESERVED} & set(subjects) else ()
    return rds + (tuple(AURORA_LABELS.values()) if set(subjects) != {Subject.RDS} else ())


def _chunks(base: Question, names: tuple[str, ...]) -> list[Question]:
    """Return questions for ``names``; none when the short-list has none of that kind."""
    return [
        _any_of(base, "instanceType", names[n : n + CHUNK]) for n in range(0, len(names), CHUNK)
    ]


def _any_of(base: Question, field: str, values: tuple[str, ...]) -> Question:
    return replaced(base, field=field, values=values)
