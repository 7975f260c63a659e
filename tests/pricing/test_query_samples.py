"""Real products of the Query API, where they are at hand."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from advisor.domain.quote import Subject
from advisor.errors import PricingError
from advisor.pricing.query_rows import read_product
from tests.pricing.samples import SAMPLES, needs_samples


@needs_samples
def test_a_machine_of_2021_with_its_twelve_terms() -> None:
    """Six of the twelve are convertible. Products of that time name no region code."""
    (path,) = (SAMPLES / "query_api").glob("*m5.large*")
    read = read_product(path.read_text(), "us-east-1", (Subject.EC2, Subject.RESERVED))
    assert read.troubles == ()
    prices = {
        row.market.split("/", 2)[2]: (row.charge.price, row.charge.upfront) for row in read.rows
    }
    assert prices["on-demand/none"] == ("0.0960000000", 0)
    assert prices["reserved-1y/none"] == ("0.0600000000", 0)
    assert len(prices) == 7
    assert prices["reserved-1y/all"][0] == "0.0000000000"
    assert Decimal(str(prices["reserved-1y/all"][1])) > 0


@needs_samples
def test_reserved_but_unused_capacity_is_no_price() -> None:
    (path,) = (SAMPLES / "query_api").glob("*grafana*")
    texts = json.loads(path.read_text())["PriceList"]
    rows = [row for text in texts for row in read_product(text, "af-south-1", tuple(Subject)).rows]
    assert [(row.market, row.name, row.charge.price) for row in rows] == [
        ("volumes/af-south-1", "gp3/capacity/0", "0.1047000000")
    ]


@needs_samples
def test_the_example_of_the_model() -> None:
    """It is of another region, so nothing of it belongs here; it must still be a product."""
    (path,) = (SAMPLES / "query_api").glob("botocore*")
    (example,) = json.loads(path.read_text())["examples"]["GetProducts"]
    for text in example["output"]["PriceList"]:
        (row,) = read_product(text, "ca-central-1", tuple(Subject)).rows
        assert (row.name, row.unit) == ("io1/capacity/0", "GiB-month")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"product": []}', "null", '{"product": {"at'])
def test_what_is_no_product(text: str) -> None:
    with pytest.raises(PricingError, match="another shape"):
        read_product(text, "us-east-1", tuple(Subject))
