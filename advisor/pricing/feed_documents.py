"""Which addresses hold which prices: AWS's public price feeds by subject and region.

Undocumented and without a promise: the addresses are those that AWS's own price pages and
calculator read (2026). Knows nothing of the network.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import quote

from advisor.domain.quote import Subject, ec2_market, rds_market
from advisor.domain.record import record
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing import feed_rows, feed_storage
from advisor.pricing.usage_types import DEPLOYMENTS, PAYMENTS, RDS_LABELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.pricing.feed_rows import Feed
    from advisor.pricing.stated import Stated

#: Where AWS serves the feeds, and the spot advisor.
FEEDS_URL = "https://b0.p.awsstatic.com/pricing/2.0/meteredUnitMaps"
SPOT_URL = "https://spot-bid-advisor.s3.amazonaws.com/spot-advisor-data.json"

_RESERVED = {Term.RESERVED_1Y: "1 year", Term.RESERVED_3Y: "3 year"}
_SAVINGS = {Term.SAVINGS_1Y: "1 year", Term.SAVINGS_3Y: "3 year"}
_SPELT = {payment: spelt for spelt, payment in PAYMENTS.items()}
#: RDS sells no three years without a payment in advance.
_NOT_SOLD_BY_RDS = (Term.RESERVED_3Y, Payment.NONE)
_RESERVED_ENGINES = ("mysql", "postgresql")


@record
class FeedDocument:
    """One feed of a region and how its rows are read."""

    path: str
    """Below the base address, quoted."""
    group: str
    """What the documents of a subject are about: a group none of which exists is a failure."""
    read: Callable[[Feed, Stated], None]
    may_be_absent: bool = False
    """Whether a region may have no such feed, because nothing of the kind is sold there."""
    describes_types: bool = False

    @property
    def name(self) -> str:
        """The feed's own name."""
        return self.path.split("/")[3].removesuffix(".json")


def documents_of(subject: Subject, region: str, location: str) -> tuple[FeedDocument, ...]:
    """Return the feeds of a subject in their order; none for spot, which is no such feed."""
    listed = _LISTED.get(subject)
    return listed(region, location) if listed else ()


def _ec2(region: str, location: str) -> tuple[FeedDocument, ...]:
    return tuple(
        FeedDocument(
            path=_path("ec2", feed, location, "Linux", "index.json"),
            group="instances",
            read=partial(feed_rows.read_ec2, market=ec2_market(region, Term.ON_DEMAND)),
            may_be_absent=is_previous,
            describes_types=True,
        )
        for feed, is_previous in (
            ("ec2-ondemand-without-sec-sel", False),
            ("previousgen-ondemand", True),
        )
    )


def _ebs(region: str, _location: str) -> tuple[FeedDocument, ...]:
    return (
        FeedDocument(
            path=_path("ec2", "ebs.json"),
            group="volumes",
            read=partial(feed_storage.read_ebs, region=region),
        ),
    )


def _rds(region: str, _location: str) -> tuple[FeedDocument, ...]:
    classes = tuple(
        FeedDocument(
            path=_path("rds", f"rds-{engine}-ondemand.json"),
            group="classes",
            read=partial(feed_rows.read_rds, region=region, engine=engine),
        )
        for engine in RDS_LABELS
    )
    storage = FeedDocument(
        path=_path("rds", "rds-storage.json"),
        group="storage",
        read=partial(feed_storage.read_rds_storage, region=region),
    )
    return (*classes, storage)


def _aurora(region: str, _location: str) -> tuple[FeedDocument, ...]:
    return (
        FeedDocument(
            path=_path("rds", "rds-aurora-ondemand.json"),
            group="classes",
            read=partial(feed_rows.read_aurora, region=region),
        ),
        FeedDocument(
            path=_path("rds", "rds-aurora-storage.json"),
            group="storage",
            read=partial(feed_storage.read_aurora_storage, region=region),
        ),
    )


def _reserved(region: str, location: str) -> tuple[FeedDocument, ...]:
    instances = tuple(
        FeedDocument(
            path=_path(
                "ec2",
                "ec2-reservedinstance",
                *(_RESERVED[term], _SPELT[payment], location, "Linux", "Shared", "index.json"),
            ),
            group="reserved instances",
            read=partial(
                feed_rows.read_ec2_reserved,
                market=ec2_market(region, term, payment),
                payment=payment,
            ),
            may_be_absent=True,
        )
        for term, payment in product(_RESERVED, _SPELT)
    )
    classes = tuple(
        FeedDocument(
            path=_path(
                "rds",
                f"rds-{engine}-reservedinstance",
                DEPLOYMENTS[deployment],
                *(_RESERVED[term], _SPELT[payment], location, "index.json"),
            ),
            group=f"reserved classes of {engine}",
            read=partial(
                feed_rows.read_rds_reserved,
                market=rds_market(region, deployment, term, payment),
                sold=(engine, deployment),
                payment=payment,
            ),
            may_be_absent=True,
        )
        for engine, deployment, term, payment in product(
            _RESERVED_ENGINES, DEPLOYMENTS, _RESERVED, _SPELT
        )
        if (term, payment) != _NOT_SOLD_BY_RDS
    )
    return instances + classes


def _savings(region: str, location: str) -> tuple[FeedDocument, ...]:
    return tuple(
        FeedDocument(
            path=_path(
                "computesavingsplan",
                "compute-savings-plan-ec2",
                *(_SAVINGS[term], _SPELT[payment], location, "Linux", "Shared", "index.json"),
            ),
            group="Compute Savings Plans",
            read=partial(feed_rows.read_savings, market=ec2_market(region, term, payment)),
        )
        for term, payment in product(_SAVINGS, _SPELT)
    )


def _path(service: str, feed: str, *parts: str) -> str:
    return "/".join(quote(part, safe="()") for part in (service, "USD", "current", feed, *parts))


_LISTED = {
    Subject.EC2: _ec2,
    Subject.EBS: _ebs,
    Subject.RDS: _rds,
    Subject.AURORA: _aurora,
    Subject.RESERVED: _reserved,
    Subject.SAVINGS: _savings,
}
