"""What is stored reads exactly as the bundled documents do."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest

from advisor.domain.quote import (
    Origin,
    Quote,
    Subject,
    aurora_market,
    ec2_market,
    rds_market,
    spot_market,
    storage_market,
    volume_market,
)
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.documents import (
    documents_of,
    effective_usd,
    quotes_of,
    subject_of,
    text_of,
    type_of,
)
from tests.pricing.stubs import REGION, quote

if TYPE_CHECKING:
    from pathlib import Path

PARTIAL = rds_market(REGION, "single-az", Term.RESERVED_3Y, Payment.PARTIAL)


@pytest.mark.parametrize(
    ("market", "subject"),
    [
        (ec2_market(REGION, Term.ON_DEMAND), Subject.EC2),
        (ec2_market(REGION, Term.RESERVED_1Y, Payment.ALL), Subject.RESERVED),
        (rds_market(REGION, "multi-az", Term.ON_DEMAND), Subject.RDS),
        (rds_market(REGION, "multi-az", Term.RESERVED_3Y), Subject.RESERVED),
        (rds_market(REGION, "multi-az", Term.SAVINGS_1Y), Subject.SAVINGS),
        (aurora_market(REGION, Term.ON_DEMAND), Subject.AURORA),
        (aurora_market(REGION, Term.SAVINGS_1Y), Subject.SAVINGS),
        (volume_market(REGION), Subject.EBS),
        (storage_market(REGION, "mysql", "multi-az"), Subject.RDS),
        (storage_market(REGION, "aurora", "regional"), Subject.AURORA),
        (spot_market(REGION), Subject.SPOT),
        ("ec2/us-east-1/reserved-1y-convertible/none", None),
        ("snow/us-east-1", None),
    ],
)
def test_every_market_belongs_to_the_subject_that_refreshes_it(
    market: str, subject: Subject | None
) -> None:
    assert subject_of(market) is subject


def test_names_tell_the_type() -> None:
    assert type_of(ec2_market(REGION, Term.ON_DEMAND), "m7g.large") == "m7g.large"
    assert type_of(PARTIAL, "mysql/db.m7g.large") == "db.m7g.large"
    market = aurora_market(REGION, Term.ON_DEMAND)
    assert type_of(market, "aurora-mysql/db.r6g.large/standard") == "db.r6g.large"
    assert type_of(volume_market(REGION), "gp3/iops/0") is None


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0.2040000000", "0.204"), ("10.00", "10"), ("1E+2", "100"), ("2E-7", "0.0000002")],
)
def test_amounts_are_their_shortest_text(amount: str, text: str) -> None:
    assert text_of(Decimal(amount)) == text


def test_an_upfront_payment_is_spread_over_its_term() -> None:
    one = quote("m7g.large", "0", ec2_market(REGION, Term.RESERVED_1Y, Payment.ALL), upfront="876")
    assert effective_usd(one) == Decimal("0.1")
    three = quote("mysql/db.m7g.large", "0.05", PARTIAL, upfront="1000")
    assert effective_usd(three) == Decimal("0.0880517504")
    with pytest.raises(ValueError, match="upfront payment"):
        effective_usd(quote("m7g.large", "1", upfront="1"))


def test_hourly_prices_are_grouped_by_source_and_date() -> None:
    later = quote("a1.large", "0.050", origin=Origin.BULK)
    (document,) = documents_of([quote("b1.large", "0.10"), later, quote("a2.large", "0.2")])
    assert json.loads(document.body) == [
        ["aws-price-feeds", "2026-11-21", {"a2.large": "0.2", "b1.large": "0.1"}],
        ["aws-price-list", "2026-11-21", {"a1.large": "0.05"}],
    ]
    assert (document.paid, document.prices, document.origin) == (None, 3, Origin.FEEDS)


def test_quotes_come_back_as_they_went() -> None:
    given = (
        quote("mysql/db.m7g.large", "0.05", PARTIAL, upfront="1000"),
        quote("mysql/db.r7g.large", "0", PARTIAL, upfront="2000"),
    )
    (document,) = documents_of(given)
    amounts = json.loads(document.body)[0][2]
    assert amounts["mysql/db.r7g.large"] == "0.0761035008"
    assert quotes_of(PARTIAL, document.body, document.paid) == given


def test_bundled_documents_come_back_amount_for_amount(database: Path) -> None:
    """Every bundled document of us-east-1, read as quotes and written, has the same prices."""
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(
            "SELECT name, body FROM price_documents WHERE name LIKE '%/us-east-1%' ORDER BY name"
        ).fetchall()
    assert len(rows) > 15
    for market, body in rows:
        if subject_of(market) is None:
            continue
        documents = documents_of(bundled(market, json.loads(body)))
        assert [document.market for document in documents] == [market]
        assert amounts_of(documents[0].body) == amounts_of(body)


def bundled(market: str, groups: list[list[object]]) -> list[Quote]:
    """Bundled sources are no origins, so the text is read under one that is."""
    found: list[Quote] = []
    for group in json.loads(json.dumps(groups)):
        position = 0 if isinstance(group[2], dict) else 5
        group[position] = Origin.BULK.value
        found += quotes_of(market, json.dumps([group]), None)
    return found


def amounts_of(body: str) -> object:
    groups = json.loads(body)
    if isinstance(groups[0][2], dict):
        return {name: usd for _, _, amounts in groups for name, usd in amounts.items()}
    return sorted(row[:5] + row[6:] for row in groups)
