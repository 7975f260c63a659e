"""Which rows of a Price List file are the price of what, in SQL over the table ``listed``.

Every filter is here: shared Linux without software or licence, used capacity, no capacity blocks,
no dedicated hosts; RDS in one zone or two, no readable standbys; Aurora's two storage modes by
usage type, no previews; no Outposts, no Local Zones. Usage types lose the prefix of their region.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from advisor.domain.quote import (
    Subject,
    aurora_market,
    ec2_market,
    rds_market,
    storage_market,
    volume_market,
)
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.price_list_table import Layout
from advisor.pricing.usage_types import (
    ANY_ENGINE,
    AURORA_ITEMS,
    AURORA_LABELS,
    CLASS_WORDS,
    DEPLOYMENTS,
    ENGINES,
    RDS_LABELS,
    SHORT_SIZE,
    STORAGE_ITEMS,
    VOLUME_ITEMS,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_HERE = "currency = 'USD' AND location_type = 'AWS Region' AND coalesce(region, $region) = $region"
_STATED = {
    "sku": "sku",
    "offer_code": "offertermcode",
    "term_type": "termtype",
    "unit": "unit",
    "usd": "priceperunit",
    "currency": "currency",
    "location_type": "location type",
    "usage_type": "usagetype",
}
_SOMETIMES = {
    "region": "region code",
    "lease": "leasecontractlength",
    "purchase": "purchaseoption",
    "class": "offeringclass",
    "instance_type": "instance type",
    "license": "license model",
    "database_engine": "database engine",
    "deployment": "deployment option",
}
#: Products of which Linux instances are told, and how a product describes the type.
_INSTANCE = {
    "tenancy": "tenancy",
    "os": "operating system",
    "software": "pre installed s/w",
    "capacity": "capacitystatus",
    "market_option": "marketoption",
    "vcpu": "vcpu",
    "memory": "memory",
    "processor": "physical processor",
    "disks": "storage",
    "network": "network performance",
    "ebs": "dedicated ebs throughput",
}
EC2 = Layout(
    required=_STATED,
    optional=_SOMETIMES | _INSTANCE,
    keep=f"""
        {_HERE} AND (term_type = 'OnDemand' OR lower(class) = 'standard') AND (
            usage_type LIKE '%EBS:%' OR (
                usage_type LIKE '%BoxUsage%' AND tenancy = 'Shared' AND os = 'Linux'
                AND software = 'NA' AND lower(license) = 'no license required'
                AND capacity = 'Used' AND coalesce(market_option, 'OnDemand') = 'OnDemand'
            )
        )
    """,
)
RDS = Layout(
    required=_STATED,
    optional=_SOMETIMES,
    keep=f"""
        {_HERE} AND (term_type = 'OnDemand' OR lower(class) = 'standard') AND (
            usage_type LIKE '%RDS:%' OR usage_type LIKE '%Aurora:%'
            OR (usage_type LIKE '%Usage%:db.%' AND lower(license) = 'no license required')
        )
    """,
)
SAVINGS = Layout(
    required={
        "unit": "unit",
        "usd": "discountedrate",
        "currency": "currency",
        "usage_type": "discountedusagetype",
        "operation": "discountedoperation",
        "service": "discountedservicecode",
        "region": "discountedregioncode",
        "family": "product family",
        "purchase": "purchaseoption",
        "lease": "leasecontractlength",
    },
    optional={"instance_type": "discountedinstancetype"},
    keep="""
        currency = 'USD' AND region = $region AND lower(unit) = 'hrs' AND (
            (service = 'AmazonEC2' AND family = 'ComputeSavingsPlans'
                AND operation = 'RunInstances' AND usage_type LIKE '%BoxUsage%')
            OR (service = 'AmazonRDS' AND family = 'DatabaseSavingsPlans'
                AND usage_type LIKE '%Usage%:db.%')
        )
    """,
)


def markets(region: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield (kind, deployment, term, payment, market) of all that is paid by the hour."""
    for term in Term:
        for payment in (Payment.NONE,) if term is Term.ON_DEMAND else Payment:
            yield "ec2", "single-az", term, payment, ec2_market(region, term, payment)
            yield "aurora", "single-az", term, payment, aurora_market(region, term, payment)
            for deployment in DEPLOYMENTS:
                market = rds_market(region, deployment, term, payment)
                yield "rds", deployment, term, payment, market


def engines() -> Iterator[tuple[str, str, str, str]]:
    """Yield (AWS's name, operation, ours, kind) of each engine."""
    for each in ENGINES:
        yield each.label, each.operation, each.engine, each.kind


def classes() -> Iterator[tuple[str, str, str, str]]:
    """Yield (kind, word of the usage type, deployment, end of the name) of what a class is."""
    for (kind, word), (deployment, mode) in CLASS_WORDS.items():
        yield kind, word, deployment, f"/{mode}" if mode else ""


def items(region: str) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Yield (subject, usage, engine by AWS's name, market, name, unit) of what else is paid."""
    volumes, aurora = volume_market(region), storage_market(region, "aurora", "regional")
    for usage, name in VOLUME_ITEMS.items():
        yield Subject.EBS, f"EBS:{usage}", "", volumes, name, unit_of(name)
    for label, (usage, name) in product(
        (*AURORA_LABELS.values(), ANY_ENGINE), AURORA_ITEMS.items()
    ):
        yield Subject.AURORA, f"Aurora:{usage}", label, aurora, name, unit_of(name)
    for engine, own_label in RDS_LABELS.items():
        single = storage_market(region, engine, "single-az")
        multi = storage_market(region, engine, "multi-az")
        for label, (usage, name) in product((own_label, ANY_ENGINE), STORAGE_ITEMS.items()):
            yield Subject.RDS, f"RDS:{usage}", label, single, name, unit_of(name)
            yield Subject.RDS, f"RDS:Multi-AZ-{usage}", label, multi, name, unit_of(name)


#: Words of AWS to ours; Savings Plans at times name a family in place of a type.
MACROS = (
    """CREATE MACRO paid(purchase) AS
        coalesce(replace(replace(lower(purchase), ' upfront', ''), 'no', 'none'), 'none')""",
    f"""CREATE MACRO named(instance_type, usage) AS
        CASE WHEN contains(instance_type, '.') THEN instance_type
        ELSE regexp_replace(split_part(usage, ':', 2), '{SHORT_SIZE[0]}', '{SHORT_SIZE[1]}') END""",
    "CREATE MACRO one(stated) AS CASE WHEN count(DISTINCT stated) = 1 THEN min(stated) END",
)
EC2_RATES = """
    CREATE VIEW rate AS
    SELECT CASE term_type WHEN 'OnDemand' THEN 'ec2' ELSE 'reserved' END AS subject,
        'ec2' AS kind, 'single-az' AS deployment, instance_type AS name,
        CASE term_type WHEN 'OnDemand' THEN 'on-demand'
            ELSE 'reserved-' || left(lease, 1) || 'y' END AS term,
        paid(purchase) AS payment, sku || offer_code AS offer, unit, usd
    FROM listed WHERE usage LIKE 'BoxUsage:%' OR usage = 'BoxUsage'
"""
RDS_RATES = """
    CREATE VIEW rate AS
    SELECT CASE term_type WHEN 'OnDemand' THEN kind ELSE 'reserved' END AS subject,
        kind, class.deployment, engine.name || '/' || named(instance_type, usage) || mode AS name,
        CASE term_type WHEN 'OnDemand' THEN 'on-demand'
            ELSE 'reserved-' || left(lease, 1) || 'y' END AS term,
        paid(purchase) AS payment, sku || offer_code AS offer, unit, usd
    FROM listed
    JOIN engine ON engine.label = listed.database_engine
    JOIN class USING (kind)
    WHERE usage LIKE word || ':db.%'
        AND coalesce(lower(listed.deployment), 'single-az') = class.deployment
"""
SAVINGS_RATES = """
    CREATE VIEW rate AS
    SELECT 'savings' AS subject, kind, deployment,
        engine.name || '/' || named(instance_type, usage) || mode AS name,
        'savings-' || left(lease, 1) || 'y' AS term,
        paid(purchase) AS payment, '' AS offer, unit, usd
    FROM listed JOIN engine USING (operation) JOIN class USING (kind)
    WHERE service = 'AmazonRDS' AND usage LIKE word || ':db.%'
    UNION ALL
    SELECT 'savings', 'ec2', 'single-az', named(instance_type, usage),
        'savings-' || left(lease, 1) || 'y', paid(purchase), '', unit, usd
    FROM listed WHERE service = 'AmazonEC2' AND usage LIKE 'BoxUsage:%'
"""
#: (subject, market, name, whether something is paid at once, hourly and upfront prices of an offer)
HOURLY = """
    SELECT subject, market, name, subject = 'reserved' AND payment <> 'none',
        list(DISTINCT usd) FILTER (lower(unit) = 'hrs'),
        list(DISTINCT usd) FILTER (lower(unit) = 'quantity')
    FROM rate JOIN market USING (kind, deployment, term, payment)
    GROUP BY subject, market, name, payment, offer ORDER BY ALL
"""
#: (subject, market, name, unit, price, the unit that it is for)
ITEMS = """
    SELECT DISTINCT subject, market, name, item.unit, usd, listed.unit
    FROM listed JOIN item
        ON item.usage = listed.usage AND item.label = coalesce(listed.database_engine, '')
    WHERE term_type = 'OnDemand'
    ORDER BY ALL
"""
TYPES = """
    SELECT instance_type, one(vcpu), one(memory), one(processor), one(disks), one(network), one(ebs)
    FROM listed
    WHERE (usage LIKE 'BoxUsage:%' OR usage = 'BoxUsage') AND instance_type IS NOT NULL
    GROUP BY instance_type ORDER BY instance_type
"""
#: Tables that rows are matched with, and their rows.
MARKETS = (
    "CREATE TABLE market (kind TEXT, deployment TEXT, term TEXT, payment TEXT, market TEXT)",
    "INSERT INTO market VALUES (?, ?, ?, ?, ?)",
)
ENGINE = (
    "CREATE TABLE engine (label TEXT, operation TEXT, name TEXT, kind TEXT)",
    "INSERT INTO engine VALUES (?, ?, ?, ?)",
)
CLASS = (
    "CREATE TABLE class (kind TEXT, word TEXT, deployment TEXT, mode TEXT)",
    "INSERT INTO class VALUES (?, ?, ?, ?)",
)
ITEM = (
    "CREATE TABLE item (subject TEXT, usage TEXT, label TEXT, market TEXT, name TEXT, unit TEXT)",
    "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
)
