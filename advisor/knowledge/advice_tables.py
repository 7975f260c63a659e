"""The tables below ``data/advice/``: what failures lose, which versions live, what is contested."""

from __future__ import annotations

from dataclasses import replace

from advisor.domain.advice import Failure, Layout, Rpo, Rto, Standing
from advisor.domain.vocabulary import Dialect, Durability, Engine, Platform
from advisor.knowledge.schema import (
    AS_OF,
    REGION,
    SOURCE,
    Column,
    Table,
    count,
    key,
    measure,
    money,
    text,
)

#: Stands for every word of a column.
ANY = "any"
_PLATFORMS = tuple(each.value for each in Platform)
_DATE = Column(name="support_until", is_required=True, is_date=True)


def _optional_date(name: str) -> Column:
    return replace(_DATE, name=name, is_required=False)


def _side(side: str) -> tuple[Column, ...]:
    """Return the columns of one side of a contested claim."""
    return (
        key(f"{side}_text"),
        replace(SOURCE, name=f"{side}_source_id"),
        key(f"{side}_standing", *(each.value for each in Standing)),
        count(f"{side}_cells", 10_000),
        count(f"{side}_of", 10_000),
        measure(f"{side}_weight", 1.0, is_required=True),
    )


ADVICE_TABLES: tuple[Table, ...] = (
    Table(
        name="durability_facts",
        files="advice/durability.csv",
        key=("platform", "layout", "storage", "dialect", "durability", "failure"),
        columns=(
            key("platform", *_PLATFORMS),
            key("layout", *(each.value for each in Layout)),
            key("storage", "ebs", "nvme", "aurora", ANY),
            key("dialect", Dialect.MYSQL, Dialect.POSTGRESQL, ANY),
            key("durability", *(each.value for each in Durability), ANY),
            key("failure", *(each.value for each in Failure)),
            key("lost"),
            key("rpo", *(each.value for each in Rpo)),
            key("rto", *(each.value for each in Rto)),
            key("recovery"),
            AS_OF,
            SOURCE,
        ),
    ),
    Table(
        name="engine_versions",
        files="advice/engine_versions.csv",
        key=("platform", "engine", "version"),
        columns=(
            key("platform", *_PLATFORMS),
            key("engine", *(each.value for each in Engine)),
            key("version"),
            _DATE,
            _optional_date("charged_from"),
            _optional_date("dearer_from"),
            _optional_date("charged_until"),
            AS_OF,
            SOURCE,
            text("note"),
        ),
    ),
    Table(
        name="extended_support",
        files="advice/extended_support.csv",
        key=("region", "period"),
        columns=(
            REGION,
            key("period", "first-years", "last-year"),
            money("usd_per_vcpu_hour"),
            AS_OF,
            SOURCE,
        ),
    ),
    Table(
        name="contested",
        files="advice/contested.csv",
        key=("claim",),
        columns=(
            key("claim"),
            key("statement"),
            key("platform", *_PLATFORMS, ANY),
            text("engines"),
            text("families"),
            text("storage"),
            key("load", "write", ANY),
            count("most_threads", 100_000),
            *_side("a"),
            *_side("b"),
            key("belief"),
            AS_OF,
        ),
    ),
)
