"""Prices as AWS states them today, before an answer uses them; and where they belong.

A *market* is a platform, a region and the way of buying; the same names stand in the bundled
snapshot and in the cache of live prices:

    ec2/REGION/TERM/PAYMENT                 instance type                      USD per hour
    rds/REGION/DEPLOYMENT/TERM/PAYMENT      engine/class                       USD per hour
    aurora/REGION/TERM/PAYMENT              engine/class/mode                  USD per hour
    volumes/REGION                          type/item/tier                     by item
    storage/REGION/ENGINE/DEPLOYMENT        type/item/tier                     by item
    spot/REGION                             instance type                      USD per hour
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from advisor.domain.record import record
from advisor.domain.vocabulary import Payment, Term

#: Hours over which an upfront payment is spread.
HOURS_OF = {
    Term.ON_DEMAND: None,
    Term.RESERVED_1Y: 8_760,
    Term.RESERVED_3Y: 26_280,
    Term.SAVINGS_1Y: 8_760,
    Term.SAVINGS_3Y: 26_280,
}


class Subject(StrEnum):
    """What a refresh may be asked for."""

    EC2 = "ec2"
    """On-demand prices of instances."""
    EBS = "ebs"
    """Volumes on EC2."""
    RDS = "rds"
    """On-demand prices of classes, and their storage."""
    AURORA = "aurora"
    """On-demand prices of classes under both storage modes, storage and requests."""
    RESERVED = "reserved"
    """Reserved instances of EC2 and RDS: both terms, each payment, standard class."""
    SAVINGS = "savings"
    """Compute Savings Plans for EC2, Database Savings Plans for RDS and Aurora."""
    SPOT = "spot"


class Origin(StrEnum):
    """Who stated a price; also the id under which an answer names its source."""

    FEEDS = "aws-price-feeds"
    BULK = "aws-price-list"
    API = "aws-pricing-api"
    SPOT_ADVISOR = "aws-spot-advisor"
    SPOT_HISTORY = "aws-spot-history"
    SNAPSHOT = "bundled-snapshot"
    """Not live: what came with the package."""


@record
class Quote:
    """One price."""

    market: str
    name: str
    usd: Decimal
    """Per unit, above 0; beside an upfront payment what is still paid by the hour, may be 0."""
    unit: str
    """``hour``, ``GiB-month``, ``IOPS-month``, ``MiB/s-month``, ``million-requests``."""
    origin: Origin
    as_of: str
    """ISO date on which AWS's server stated it."""
    upfront_usd: Decimal = Decimal(0)
    """Paid once per term."""
    interruptions: str | None = None
    """Share of such spot instances that AWS took back in a month, ``<5%`` … ``>20%``; None: not
    stated, or not a spot price."""


@record
class Trouble:
    """An item without exactly one price; it is shown, and the next provider is asked."""

    market: str
    name: str
    reason: str
    """``two prices: 0.096 and 0.115``."""


@record
class TypeFacts:
    """An instance type as a provider describes it; None: it does not say."""

    name: str
    vcpu: int
    memory_gib: float
    architecture: str | None = None
    threads_per_core: int | None = None
    cpu_maker: str | None = None
    ebs_baseline_iops: int | None = None
    ebs_max_iops: int | None = None
    ebs_baseline_mib_per_s: float | None = None
    ebs_max_mib_per_s: float | None = None
    network_baseline_gbps: float | None = None
    disk_count: int | None = None
    disk_total_gb: float | None = None
    is_burstable: bool | None = None
    is_bare_metal: bool | None = None


def ec2_market(region: str, term: Term, payment: Payment = Payment.NONE) -> str:
    """Return the market of EC2 instances."""
    return f"ec2/{region}/{term}/{payment}"


def rds_market(region: str, deployment: str, term: Term, payment: Payment = Payment.NONE) -> str:
    """Return the market of RDS classes; ``deployment``: ``single-az`` or ``multi-az``."""
    return f"rds/{region}/{deployment}/{term}/{payment}"


def aurora_market(region: str, term: Term, payment: Payment = Payment.NONE) -> str:
    """Return the market of Aurora classes."""
    return f"aurora/{region}/{term}/{payment}"


def volume_market(region: str) -> str:
    """Return the market of EBS volumes on EC2."""
    return f"volumes/{region}"


def storage_market(region: str, engine: str, deployment: str) -> str:
    """Return the market of RDS storage, or of Aurora's (``aurora`` and ``regional``)."""
    return f"storage/{region}/{engine}/{deployment}"


def spot_market(region: str) -> str:
    """Return the market of spot instances."""
    return f"spot/{region}"


def path_of(market: str, name: str) -> str:
    """Return market and name without the region, for where that is said already."""
    kind, _, *rest = market.split("/")
    return "/".join((kind, *rest, name))


def region_of(market: str) -> str:
    """Return the region of a market."""
    return market.split("/")[1]
