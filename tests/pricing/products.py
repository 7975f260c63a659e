"""Products in the shape of the Price List, made for the test at hand. Prices are invented."""

from __future__ import annotations

from itertools import count
from typing import Any

Item = dict[str, Any]
_number = count(1)
REGION = "eu-west-1"


def product(
    family: str, attributes: dict[str, str], price: str, unit: str = "Hrs", **extra: Any
) -> Item:
    """Return a product with one on-demand price; ``extra``: reserved, service, published."""
    sku = f"SKU{next(_number):05}"
    rate = {"unit": unit, "beginRange": "0", "endRange": "Inf", "pricePerUnit": {"USD": price}}
    return {
        "product": {
            "productFamily": family,
            "attributes": {"locationType": "AWS Region", "regionCode": REGION, **attributes},
            "sku": sku,
        },
        "serviceCode": extra.get("service", "AmazonEC2"),
        "terms": {
            "OnDemand": {
                f"{sku}.JRTCKXETXF": {
                    "priceDimensions": {f"{sku}.JRTCKXETXF.6YS6EN2CT7": rate},
                    "offerTermCode": "JRTCKXETXF",
                    "termAttributes": {},
                }
            },
            **({"Reserved": extra["reserved"]} if "reserved" in extra else {}),
        },
        "publicationDate": extra.get("published", "2026-11-20T08:00:00Z"),
    }


def machine(name: str, price: str, reserved: Item | None = None, **attributes: Any) -> Item:
    """Return an EC2 type at list price for Linux, or what ``attributes`` make of it."""
    stated = {
        "instanceType": name,
        "operatingSystem": "Linux",
        "tenancy": "Shared",
        "preInstalledSw": "NA",
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
        "licenseModel": "No License required",
        "operation": "RunInstances",
        "usagetype": f"EU-BoxUsage:{name}",
    }
    more: dict[str, Any] = {"reserved": reserved} if reserved else {}
    return product("Compute Instance", stated | attributes, price, **more)


def db_class(engine: str, name: str, price: str, usage: str = "InstanceUsage", **more: Any) -> Item:
    """Return an RDS or Aurora class; sizes are short in usage types, as AWS has them."""
    multi = usage.startswith("Multi-AZ")
    attributes = {
        "instanceType": name,
        "databaseEngine": engine,
        "deploymentOption": "Multi-AZ" if multi else "Single-AZ",
        "licenseModel": "No license required",
        "usagetype": f"EU-{usage}:{name.replace('xlarge', 'xl')}",
    }
    attributes |= more.pop("attributes", {})
    return product("Database Instance", attributes, price, service="AmazonRDS", **more)


def volume(usage: str, price: str, unit: str, family: str = "Storage") -> Item:
    """Return an item of EBS."""
    return product(family, {"usagetype": f"EU-EBS:{usage}"}, price, unit)


def storage(
    usage: str, price: str, unit: str, engine: str = "Any", family: str = "Database Storage"
) -> Item:
    """Return an item of RDS or Aurora storage."""
    attributes = {"usagetype": f"EU-{usage}", "databaseEngine": engine}
    return product(family, attributes, price, unit, service="AmazonRDS")


def lease(years: int, option: str, hourly: str | None, upfront: str | None = None) -> Item:
    """Return one reserved term under its key."""
    offer = f"T{next(_number)}"
    rates: Item = {}
    if upfront is not None:
        rates[f"{offer}.2TG2D8R56U"] = {"unit": "Quantity", "pricePerUnit": {"USD": upfront}}
    if hourly is not None:
        rates[f"{offer}.6YS6EN2CT7"] = {"unit": "Hrs", "pricePerUnit": {"USD": hourly}}
    terms = {
        "LeaseContractLength": f"{years}yr",
        "OfferingClass": "standard",
        "PurchaseOption": option,
    }
    return {offer: {"priceDimensions": rates, "termAttributes": terms}}


def rate(name: str, usd: str, *, years: int = 1, option: str = "No Upfront", **more: Any) -> Item:
    """Return a Compute Savings Plan rate of a Linux machine."""
    return {
        "savingsPlanOffering": {
            "offeringId": "00000000-0000-0000-0000-000000000001",
            "paymentOption": option,
            "planType": more.get("plan", "Compute"),
            "durationSeconds": years * 31_536_000,
            "currency": "USD",
        },
        "rate": usd,
        "unit": "Hrs",
        "productType": "EC2",
        "serviceCode": "AmazonEC2",
        "usageType": more.get("usage", f"EU-BoxUsage:{name}"),
        "operation": more.get("operation", "RunInstances"),
        "properties": [
            {"name": "region", "value": REGION},
            {"name": "instanceType", "value": name},
            {"name": "productDescription", "value": more.get("product", "Linux/UNIX")},
            {"name": "tenancy", "value": more.get("tenancy", "shared")},
        ],
    }
