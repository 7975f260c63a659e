"""Prices from the Price List Query API, for the short-list and what the question needs.

Questions go to AWS one after the other (its bucket refills 5 a second), a page of 100 at a time.
Spot prices, Savings Plans and the description of types come from the APIs that have them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Subject, Trouble, ec2_market
from advisor.domain.vocabulary import Term
from advisor.errors import PricingError
from advisor.pricing.aws import Aws, RefusedError, pricing_region
from advisor.pricing.ec2_types import described
from advisor.pricing.provider import Delivery, Failure
from advisor.pricing.query_questions import questions
from advisor.pricing.query_rows import read_product
from advisor.pricing.savings_rates import savings_rates
from advisor.pricing.spot_history import spot_prices
from advisor.pricing.stated import Stated

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from advisor.domain.quote import TypeFacts
    from advisor.pricing.aws import Identity
    from advisor.pricing.provider import Deadline, Progress, Wanted
    from advisor.pricing.query_questions import Question
    from advisor.pricing.stated import Row

#: What an endpoint says that does not know a filter type; AWS's own has known ANY_OF since 2025.
_NO_ANY_OF = {"InvalidParameterException", "ValidationException"}
_PAGE = 100


class QueryApi:
    """The provider that asks AWS's APIs with the user's credentials."""

    origin = Origin.API

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        """Return what AWS answered until ``deadline``; failures are values.

        A type that cannot be described in time stays undescribed: prices do not wait for it.
        """
        aws = Aws(self._identity, deadline)
        errand = _Errand(aws, wanted, pricing_region(self._identity.home_region), progress)
        try:
            aws.sign_in()
        except PricingError as error:
            errand.fail(wanted.subjects, error.message)
            return errand.delivery()
        for question in questions(wanted):
            errand.run(question.subjects, partial(errand.ask, question))
        errand.run((Subject.SPOT,), lambda: errand.ask_spot(self._identity.clock()))
        errand.run((Subject.SAVINGS,), errand.ask_savings)
        errand.describe()
        return errand.delivery()


class _Errand:
    """What has been found so far for one request."""

    def __init__(self, aws: Aws, wanted: Wanted, endpoint: str, progress: Progress) -> None:
        self._aws = aws
        self._wanted = wanted
        self._endpoint = endpoint
        self._progress = progress
        self._knows_any_of = True
        self._asked: set[Subject] = set()
        self._failed: dict[Subject, str] = {}
        self._rows: list[Row] = []
        self._troubles: list[Trouble] = []
        self._types: tuple[TypeFacts, ...] = ()
        self._published: str | None = None
        self._products = 0

    def run(self, subjects: tuple[Subject, ...], work: Callable[[], None]) -> None:
        """Do one part of the work; its fault fails the subjects that need it, not the others."""
        waiting = tuple(
            each for each in subjects if each in self._wanted.subjects and each not in self._failed
        )
        if not waiting:
            return
        self._asked.update(waiting)
        try:
            work()
        except PricingError as error:
            self.fail(waiting, error.message)

    def fail(self, subjects: tuple[Subject, ...], reason: str) -> None:
        """Note why subjects cannot be delivered; the first reason stays."""
        for subject in subjects:
            self._failed.setdefault(subject, reason)

    def ask(self, question: Question) -> None:
        """Ask in one series of calls, or value by value where the endpoint has no ANY_OF."""
        if self._knows_any_of or question.field is None:
            try:
                self._ask_products(question, question.filters())
            except RefusedError as error:
                if question.field is None or error.code not in _NO_ANY_OF:
                    raise
                self._knows_any_of = False
            else:
                return
        for filters in question.filters_one_by_one():
            self._ask_products(question, filters)

    def _ask_products(self, question: Question, filters: list[dict[str, str]]) -> None:
        pages = self._aws.pages(
            "pricing",
            self._endpoint,
            "get_products",
            ServiceCode=question.service_code,
            Filters=filters,
            FormatVersion="aws_v1",
            MaxResults=_PAGE,
        )
        for page in pages:
            if not isinstance(page.get("PriceList"), list):
                raise PricingError("an answer without a price list: a proxy may be in between")
            for text in page["PriceList"]:
                read = read_product(text, self._wanted.region, question.subjects)
                self._rows += read.rows
                self._troubles += read.troubles
                self._published = max(filter(None, (self._published, read.published)), default=None)
            self._products += len(page["PriceList"])
            self._progress(f"{question.service_code} products", self._products, None)

    def ask_spot(self, now: datetime) -> None:
        """Ask for spot prices of the short-list's types."""
        types = self._short_list()
        if types or not self._wanted.types:
            found = spot_prices(self._aws, self._wanted.region, types, now, self._progress)
            self._rows += found

    def ask_savings(self) -> None:
        """Ask for Savings Plan rates of the short-list."""
        wanted = self._wanted
        self._rows += savings_rates(self._aws, wanted.region, wanted.types, self._progress)

    def describe(self) -> None:
        """Describe the types whose prices were asked for, if there is time and permission."""
        types = self._short_list()
        if Subject.EC2 not in self._asked - self._failed.keys():
            return
        with suppress(PricingError):
            self._types = described(self._aws, self._wanted.region, types)

    def _short_list(self) -> tuple[str, ...]:
        return tuple(name for name in self._wanted.types if not name.startswith("db."))

    def delivery(self) -> Delivery:
        """Return what came of it all."""
        rows = [row for row in self._rows if row.subject not in self._failed]
        found = {row.subject for row in rows}
        region = self._wanted.region
        for subject in self._asked - found:
            self.fail((subject,), f"AWS states no prices of {subject} for {region}")
        listed = Stated(Origin.API, self._aws.today)
        spot = Stated(Origin.SPOT_HISTORY, self._aws.today)
        for row in rows:
            stated = spot if row.subject is Subject.SPOT else listed
            stated.add(row.market, row.name, row.unit, row.charge)
        for trouble in (*self._troubles, *self._unpriced(rows)):
            listed.refuse(trouble.market, trouble.name, trouble.reason)
        return Delivery(
            origin=Origin.API,
            delivered=tuple(each for each in self._wanted.subjects if each not in self._failed),
            failures=tuple(
                Failure(subject=each, reason=self._failed[each])
                for each in self._wanted.subjects
                if each in self._failed
            ),
            quotes=listed.quotes() + spot.quotes(),
            troubles=listed.troubles() + spot.troubles(),
            types=self._types,
            published=self._published,
            requests=self._aws.requests,
            wire_bytes=self._aws.wire_bytes,
        )

    def _unpriced(self, rows: list[Row]) -> list[Trouble]:
        """Return the types of the short-list that AWS sells at no on-demand price."""
        if Subject.EC2 not in self._asked - self._failed.keys():
            return []
        market = ec2_market(self._wanted.region, Term.ON_DEMAND)
        priced = {row.name for row in rows if row.market == market}
        priced |= {each.name for each in self._troubles if each.market == market}
        return [
            Trouble(market=market, name=name, reason="no price")
            for name in self._short_list()
            if name not in priced
        ]
