"""A local Price List Query API and Savings Plans API: what boto3 meets in tests of prices.

Speaks JSON 1.1 GetProducts and DescribeServices with filters and pages, and rest-json rates; faults
are replies that stand in a queue before the true ones.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.servers.web import Asked, Reply, Server, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Item = Mapping[str, Any]

_JSON = ("Content-Type", "application/x-amz-json-1.1")


class PricingServer:
    """Holds products and rates, and serves them under one address."""

    def __init__(self, web: Server) -> None:
        self.products: list[Item] = []
        self.rates: list[Item] = []
        self.faults: list[Reply] = []
        """Served first, one per request."""
        self.page = 100
        self.knows_any_of = True
        self.url = web.url
        self.web = web
        web.routes["/"] = self._answer
        web.routes["/DescribeSavingsPlansOfferingRates"] = self._answer_rates

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What was asked, as JSON, in order."""
        return [json.loads(asked.body) for asked in self.web.asked]

    def _answer(self, asked: Asked) -> Reply:
        if self.faults:
            return self.faults.pop(0)
        wanted = json.loads(asked.body)
        if asked.headers["x-amz-target"].endswith(".DescribeServices"):
            codes = sorted({item["serviceCode"] for item in self.products})
            return _reply({"Services": [{"ServiceCode": code} for code in codes]})
        filters = wanted.get("Filters", [])
        if not self.knows_any_of and any(each["Type"] != "TERM_MATCH" for each in filters):
            return refusal("InvalidParameterException", "Invalid filter type")
        found = [
            item
            for item in self.products
            if item["serviceCode"] == wanted["ServiceCode"]
            and all(_matches(item["product"], each) for each in filters)
        ]
        size = min(self.page, wanted.get("MaxResults", 100))
        start = int(wanted.get("NextToken", 0))
        body: dict[str, Any] = {
            "FormatVersion": "aws_v1",
            "PriceList": [json.dumps(item) for item in found[start : start + size]],
        }
        if start + size < len(found):
            body["NextToken"] = str(start + size)
        return _reply(body)

    def _answer_rates(self, asked: Asked) -> Reply:
        if self.faults:
            return self.faults.pop(0)
        wanted = json.loads(asked.body)
        found = [
            rate
            for rate in self.rates
            if rate["savingsPlanOffering"]["planType"] in wanted["savingsPlanTypes"]
        ]
        start = int(wanted.get("nextToken", 0))
        body: dict[str, Any] = {"searchResults": found[start : start + self.page]}
        if start + self.page < len(found):
            body["nextToken"] = str(start + self.page)
        return _reply(body)


def refusal(code: str, message: str = "no", status: int = 400) -> Reply:
    """Return an error as AWS words it."""
    return Reply(status, json.dumps({"__type": code, "message": message}).encode(), (_JSON,))


def _reply(body: Item) -> Reply:
    return Reply(200, json.dumps(body).encode(), (_JSON,))


def _matches(product: Item, condition: Mapping[str, str]) -> bool:
    fields = {"productFamily": product["productFamily"], **product["attributes"]}
    stated = fields.get(condition["Field"])
    if condition["Type"] == "ANY_OF":
        return stated in condition["Value"].split(",")
    return bool(stated == condition["Value"])


@contextmanager
def pricing_server() -> Iterator[PricingServer]:
    """Run the API on a free port of 127.0.0.1 until the block ends."""
    with running() as web:
        yield PricingServer(web)
