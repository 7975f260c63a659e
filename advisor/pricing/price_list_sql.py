"""Which rows of a Price List file are the price of what, in SQL over the table ``listed``.

Every filter is here: shared Linux without software or licence, used capacity, no capacity blocks,
no dedicated hosts; RDS in one zone or two, no readable standbys; Aurora's two storage modes by
usage type, no previews; no Outposts, no Local Zones. Usage types lose the prefix of their region.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.quote import (
    Subject,
    aurora_market,
    ec2_market,
    rds_market,
    storage_market,
    volume_market,
)
from advisor.domain.vocabulary import Engine, Payment, Term
from advisor.pricing.price_list_table import Layout

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

#: AWS's name of an engine, the operation that creates one (in Savings Plans), ours, and its kind.
ENGINES = (
    ("MySQL", "CreateDBInstance:0002", Engine.MYSQL, "rds"),
    ("PostgreSQL", "CreateDBInstance:0014", Engine.POSTGRESQL, "rds"),
    ("MariaDB", "CreateDBInstance:0018", Engine.MARIADB, "rds"),
    ("Aurora MySQL", "CreateDBInstance:0016", Engine.AURORA_MYSQL, "aurora"),
    ("Aurora PostgreSQL", "CreateDBInstance:0021", Engine.AURORA_POSTGRESQL, "aurora"),
)
#: Usage type → item of a volume type / unit of its price.
_VOLUME_ITEMS = {
    "EBS:VolumeUsage.gp2": ("gp2/capacity/0", "GiB-month"),
    "EBS:VolumeUsage.gp3": ("gp3/capacity/0", "GiB-month"),
    "EBS:VolumeP-IOPS.gp3": ("gp3/iops/0", "IOPS-month"),
    "EBS:VolumeP-Throughput.gp3": ("gp3/throughput/0", "MiB/s-month"),
    "EBS:VolumeUsage.piops": ("io1/capacity/0", "GiB-month"),
    "EBS:VolumeP-IOPS.piops": ("io1/iops/0", "IOPS-month"),
    "EBS:VolumeUsage.io2": ("io2/capacity/0", "GiB-month"),
    "EBS:VolumeP-IOPS.io2": ("io2/iops/0", "IOPS-month"),
    "EBS:VolumeP-IOPS.io2.tier2": ("io2/iops/32000", "IOPS-month"),
    "EBS:VolumeP-IOPS.io2.tier3": ("io2/iops/64000", "IOPS-month"),
    "EBS:VolumeUsage.sc1": ("sc1/capacity/0", "GiB-month"),
    "EBS:VolumeUsage.st1": ("st1/capacity/0", "GiB-month"),
    "EBS:VolumeUsage": ("standard/capacity/0", "GiB-month"),
    "EBS:VolumeIOUsage": ("standard/requests/0", "request"),
    "EBS:SnapshotUsage": ("snapshot/capacity/0", "GiB-month"),
}
_STORAGE_ITEMS = {
    "GP2-Storage": ("gp2/capacity/0", "GiB-month"),
    "GP3-Storage": ("gp3/capacity/0", "GiB-month"),
    "GP3-PIOPS": ("gp3/iops/0", "IOPS-month"),
    "GP3-Throughput": ("gp3/throughput/0", "MiB/s-month"),
    "PIOPS-Storage": ("io1/capacity/0", "GiB-month"),
    "PIOPS": ("io1/iops/0", "IOPS-month"),
    "PIOPS-Storage-IO2": ("io2/capacity/0", "GiB-month"),
    "IO2-PIOPS-Storage": ("io2/capacity/0", "GiB-month"),
    "IO2-PIOPS": ("io2/iops/0", "IOPS-month"),
}
_AURORA_ITEMS = {
    "Aurora:StorageUsage": ("aurora-standard/capacity/0", "GiB-month"),
    "Aurora:StorageIOUsage": ("aurora-standard/requests/0", "million-requests"),
    "Aurora:ServerlessV2Usage": ("aurora-standard/serverless-v2/0", "ACU-hour"),
    "Aurora:IO-OptimizedStorageUsage": ("aurora-io-optimized/capacity/0", "GiB-month"),
    "Aurora:ServerlessV2IOOptimizedUsage": ("aurora-io-optimized/serverless-v2/0", "ACU-hour"),
    "Aurora:BackupUsage": ("backup/capacity/0", "GiB-month"),
}


def markets(region: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield (kind, deployment, term, payment, market) of all that is paid by the hour."""
    for term in Term:
        for payment in (Payment.NONE,) if term is Term.ON_DEMAND else Payment:
            yield "ec2", "single-az", term, payment, ec2_market(region, term, payment)
            yield "aurora", "single-az", term, payment, aurora_market(region, term, payment)
            for deployment in ("single-az", "multi-az"):
                market = rds_market(region, deployment, term, payment)
                yield "rds", deployment, term, payment, market


def items(region: str) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Yield (subject, usage, engine by AWS's name, market, name, unit) of what else is paid."""
    volumes, aurora = volume_market(region), storage_market(region, "aurora", "regional")
    for usage, (name, unit) in _VOLUME_ITEMS.items():
        yield Subject.EBS, usage, "", volumes, name, unit
    for usage, (name, unit) in _AURORA_ITEMS.items():
        for label in ("Aurora MySQL", "Aurora PostgreSQL", "Any"):
            yield Subject.AURORA, usage, label, aurora, name, unit
    for engine_label, _, engine, kind in ENGINES:
        if kind == "aurora":
            continue
        single = storage_market(region, engine, "single-az")
        multi = storage_market(region, engine, "multi-az")
        for label in (engine_label, "Any"):
            backup = ("RDS:ChargedBackupUsage", label, single, "backup/capacity/0", "GiB-month")
            yield Subject.RDS, *backup
            for usage, (name, unit) in _STORAGE_ITEMS.items():
                yield Subject.RDS, f"RDS:{usage}", label, single, name, unit
                yield Subject.RDS, f"RDS:Multi-AZ-{usage}", label, multi, name, unit


#: Words of AWS to ours; RDS cuts sizes short in usage types (db.r7g.2xl), and Savings Plans at
#: times name a family in place of a type.
MACROS = (
    """CREATE MACRO paid(purchase) AS
        coalesce(replace(replace(lower(purchase), ' upfront', ''), 'no', 'none'), 'none')""",
    r"""CREATE MACRO named(instance_type, usage) AS
        CASE WHEN contains(instance_type, '.') THEN instance_type
        ELSE regexp_replace(split_part(usage, ':', 2), '\.([0-9]*)xl$', '.\1xlarge') END""",
    """CREATE MACRO mode(kind, usage) AS
        CASE WHEN coalesce(kind, '') <> 'aurora' THEN ''
        WHEN usage LIKE 'InstanceUsageIOOptimized:%' THEN '/io-optimized' ELSE '/standard' END""",
    """CREATE MACRO zones(usage) AS
        CASE WHEN usage LIKE 'Multi-AZUsage:%' THEN 'Multi-AZ' ELSE 'Single-AZ' END""",
    r"""CREATE MACRO is_class(kind, usage) AS
        regexp_matches(usage, CASE kind WHEN 'rds' THEN '^(InstanceUsage|Multi-AZUsage):db\.'
        ELSE '^InstanceUsage(IOOptimized)?:db\.' END)""",
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
        kind, lower(zones(usage)) AS deployment,
        engine.name || '/' || named(instance_type, usage) || mode(kind, usage) AS name,
        CASE term_type WHEN 'OnDemand' THEN 'on-demand'
            ELSE 'reserved-' || left(lease, 1) || 'y' END AS term,
        paid(purchase) AS payment, sku || offer_code AS offer, unit, usd
    FROM listed JOIN engine ON engine.label = listed.database_engine
    WHERE is_class(kind, usage) AND coalesce(deployment, 'Single-AZ') = zones(usage)
"""
SAVINGS_RATES = """
    CREATE VIEW rate AS
    SELECT 'savings' AS subject, coalesce(kind, 'ec2') AS kind,
        lower(zones(usage)) AS deployment,
        coalesce(engine.name || '/', '') || named(instance_type, usage) || mode(kind, usage)
            AS name,
        'savings-' || left(lease, 1) || 'y' AS term,
        paid(purchase) AS payment, '' AS offer, unit, usd
    FROM listed LEFT JOIN engine USING (operation)
    WHERE CASE service WHEN 'AmazonEC2' THEN usage LIKE 'BoxUsage:%'
        ELSE kind IS NOT NULL AND is_class(kind, usage) END
"""
#: (subject, market, name, whether something is paid at once, offers of hourly and upfront prices)
HOURLY = """
    WITH offers AS (
        SELECT subject, kind, deployment, term, payment, name, struct_pack(
            hourly := list(DISTINCT usd) FILTER (lower(unit) = 'hrs'),
            upfront := list(DISTINCT usd) FILTER (lower(unit) = 'quantity')
        ) AS price
        FROM rate
        GROUP BY subject, kind, deployment, term, payment, name, offer
    )
    SELECT subject, market, name, subject = 'reserved' AND payment <> 'none',
        list(DISTINCT price)
    FROM offers JOIN market USING (kind, deployment, term, payment)
    GROUP BY ALL ORDER BY ALL
"""
#: (subject, market, name, unit, prices in the unit that AWS states)
ITEMS = """
    SELECT subject, market, name, item.unit,
        list(DISTINCT struct_pack(usd := usd, unit := lower(listed.unit)))
    FROM listed JOIN item
        ON item.usage = listed.usage AND item.label = coalesce(listed.database_engine, '')
    WHERE term_type = 'OnDemand'
    GROUP BY ALL ORDER BY ALL
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
ITEM = (
    "CREATE TABLE item (subject TEXT, usage TEXT, label TEXT, market TEXT, name TEXT, unit TEXT)",
    "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)",
)
