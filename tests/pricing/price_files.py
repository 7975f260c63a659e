"""Small Price List files in the shape of AWS's: header, units and usage types are real."""

from __future__ import annotations

from scripts.measure_price_list import COLUMNS

REGION = "eu-west-1"
METADATA = """"FormatVersion","v1.0"
"Disclaimer","This list is for tests, ""only"" for them."
"Publication Date","2026-11-19T17:07:46Z"
"Version","20261119170746"
"OfferCode","{offer}"
"""
RDS_COLUMNS = [
    *COLUMNS[: COLUMNS.index("Volume Type") + 1],
    *("Min Volume Size", "Max Volume Size", "Engine Code", "Database Engine", "Database Edition"),
    *("License Model", "Deployment Option", "Group", "Group Description", "usageType", "operation"),
    *("ACU", "Dedicated EBS Throughput", "Deployment Model", "Engine Major Version"),
    *("Engine Media Type", "Extended Support Pricing Year", "LimitlessPreview", "Region Code"),
    *("serviceName", "Volume Name"),
]
SAVINGS_COLUMNS = [
    *("SKU", "RateCode", "Unit", "EffectiveDate", "DiscountedRate", "Currency", "DiscountedSKU"),
    *("DiscountedServiceCode", "DiscountedUsageType", "DiscountedOperation", "PurchaseOption"),
    *("LeaseContractLength", "LeaseContractLengthUnit", "ServiceCode", "UsageType", "Operation"),
    *("Description", "Instance Family", "Location", "Location Type", "Granularity"),
    *("Product Family", "DiscountedRegionCode", "DiscountedInstanceType"),
]
Row = dict[str, str]
ON_DEMAND = {
    "OfferTermCode": "JRTCKXETXF",
    "TermType": "OnDemand",
    "StartingRange": "0",
    "EndingRange": "Inf",
    "Unit": "Hrs",
    "Currency": "USD",
    "Location": "EU (Ireland)",
    "Location Type": "AWS Region",
    "Region Code": REGION,
}
LINUX = {
    "Product Family": "Compute Instance",
    "vCPU": "2",
    "Memory": "8 GiB",
    "Physical Processor": "AWS Graviton3 Processor",
    "Storage": "EBS only",
    "Network Performance": "Up to 12500 Megabit",
    "Processor Architecture": "64-bit",
    "Tenancy": "Shared",
    "Operating System": "Linux",
    "License Model": "No License required",
    "operation": "RunInstances",
    "CapacityStatus": "Used",
    "Dedicated EBS Throughput": "Up to 10000 Mbps",
    "MarketOption": "OnDemand",
    "Pre Installed S/W": "NA",
}


def instance(name: str, usd: str, **other: str) -> Row:
    """Return the on-demand row of shared Linux; ``other`` replaces columns by their names."""
    row = {"SKU": f"SKU{name}", "Instance Type": name, "usageType": f"EU-BoxUsage:{name}"}
    return ON_DEMAND | LINUX | row | {"PricePerUnit": usd} | named(other)


def volume(usage: str, usd: str, unit: str, **other: str) -> Row:
    """Return the row of something paid otherwise than by the hour."""
    return (
        ON_DEMAND
        | {"SKU": usage, "usageType": usage, "PricePerUnit": usd, "Unit": unit}
        | named(other)
    )


def reserved(
    product: Row, offered: str, usd: str | None, upfront: str | None, kind: str = "standard"
) -> list[Row]:
    """Return the rows of a reserved offer of a product: by the hour, and at once.

    ``offered``: ``1yr No Upfront``.
    """
    lease, _, payment = offered.partition(" ")
    offer = product | {
        "TermType": "Reserved",
        "OfferTermCode": f"{offered}{kind}",
        "LeaseContractLength": lease,
        "PurchaseOption": payment,
        "OfferingClass": kind,
    }
    rows = [offer | {"PricePerUnit": usd, "Unit": "Hrs"}] if usd else []
    return rows + ([offer | {"PricePerUnit": upfront, "Unit": "Quantity"}] if upfront else [])


def db_class(engine: str, name: str, usd: str, **other: str) -> Row:
    """Return the on-demand row of a class in one zone."""
    row = {
        "SKU": f"{engine}{name}{usd}",
        "Product Family": "Database Instance",
        "Instance Type": name,
        "usageType": f"EU-InstanceUsage:{name}",
        "Database Engine": engine,
        "License Model": "No license required",
        "Deployment Option": "Single-AZ",
        "PricePerUnit": usd,
    }
    return ON_DEMAND | row | named(other)


def saving(usage: str, usd: str, *, operation: str = "RunInstances", **other: str) -> Row:
    """Return a rate of a Compute Savings Plan, three years, all upfront."""
    row = {
        "SKU": "PLAN",
        "Unit": "Hrs",
        "DiscountedRate": usd,
        "Currency": "USD",
        "DiscountedServiceCode": "AmazonEC2",
        "DiscountedUsageType": usage,
        "DiscountedOperation": operation,
        "PurchaseOption": "All Upfront",
        "LeaseContractLength": "3",
        "LeaseContractLengthUnit": "year",
        "Location": "Any",
        "Location Type": "AWS Region",
        "Product Family": "ComputeSavingsPlans",
        "DiscountedRegionCode": REGION,
    }
    return row | named(other)


def named(other: dict[str, str]) -> Row:
    """Return columns by AWS's names: ``Instance_Type`` is ``Instance Type``."""
    return {name.replace("_", " "): word for name, word in other.items()}


def csv_file(offer: str, columns: list[str], rows: list[Row]) -> bytes:
    """Return the file; absent values are empty, all others quoted, as AWS writes them."""
    lines = [",".join(f'"{name}"' for name in columns)]
    lines += [
        ",".join(f'"{row[name]}"' if row.get(name) else "" for name in columns) for row in rows
    ]
    return (METADATA.format(offer=offer) + "\n".join(lines) + "\n").encode()


def ec2_file(*rows: Row) -> bytes:
    """Return a file of AmazonEC2."""
    return csv_file("AmazonEC2", COLUMNS, list(rows))


def rds_file(*rows: Row) -> bytes:
    """Return a file of AmazonRDS."""
    return csv_file("AmazonRDS", RDS_COLUMNS, list(rows))


def savings_file(*rows: Row) -> bytes:
    """Return a file of a Savings Plan."""
    return csv_file("AmazonComputeSavingsPlan", SAVINGS_COLUMNS, list(rows))
