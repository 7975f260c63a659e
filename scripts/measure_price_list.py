"""What reading a Price List file of 300 MB takes: seconds and peak memory.

    python scripts/measure_price_list.py [--megabytes 300]

Makes a file of the size and shape of AmazonEC2 in us-east-1 in a temporary folder, and reads it in
a fresh process each time: DuckDB alone counts its rows, which is the floor; `advisor` reads it;
`advisor` also downloads it from a server of this machine first.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from advisor.domain.quote import Subject
from advisor.pricing.price_list import PriceList
from advisor.pricing.price_list_rows import Offer, read
from advisor.pricing.price_list_table import head_of
from advisor.pricing.provider import Deadline, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

REGION = "us-east-1"
METADATA = (
    '"FormatVersion","v1.0"\n"Disclaimer","generated"\n"Publication Date","2026-11-20T12:00:00Z"\n'
    '"Version","20261120120000"\n"OfferCode","AmazonEC2"\n'
)
#: The columns of AmazonEC2 as AWS had them in September 2025, in their order.
COLUMNS = re.split(
    r",\s+",
    """SKU, OfferTermCode, RateCode, TermType, PriceDescription, EffectiveDate, StartingRange,
    EndingRange, Unit, PricePerUnit, Currency, RelatedTo, LeaseContractLength, PurchaseOption,
    OfferingClass, Product Family, serviceCode, Location, Location Type, Instance Type,
    Current Generation, Instance Family, vCPU, Physical Processor, Clock Speed, Memory, Storage,
    Network Performance, Processor Architecture, Storage Media, Volume Type, Max Volume Size,
    Max IOPS/volume, Max IOPS Burst Performance, Max throughput/volume, Provisioned, Tenancy,
    EBS Optimized, Operating System, License Model, Group, Group Description, Transfer Type,
    From Location, From Location Type, To Location, To Location Type, usageType, operation,
    AvailabilityZone, CapacityStatus, ClassicNetworkingSupport, Dedicated EBS Throughput, ECU,
    Elastic Graphics Type, Enhanced Networking Supported, From Region Code, GPU, GPU Memory,
    Instance, Instance Capacity - 10xlarge, Instance Capacity - 12xlarge,
    Instance Capacity - 16xlarge, Instance Capacity - 18xlarge, Instance Capacity - 24xlarge,
    Instance Capacity - 2xlarge, Instance Capacity - 32xlarge, Instance Capacity - 4xlarge,
    Instance Capacity - 8xlarge, Instance Capacity - 9xlarge, Instance Capacity - large,
    Instance Capacity - medium, Instance Capacity - metal, Instance Capacity - xlarge, instanceSKU,
    Intel AVX2 Available, Intel AVX Available, Intel Turbo Available, MarketOption,
    Normalization Size Factor, Physical Cores, Pre Installed S/W, Processor Features, Product Type,
    Region Code, Resource Type, serviceName, SnapshotArchiveFeeType, To Region Code,
    Volume API Name, VPCNetworkingSupport""",
)
SIZES = ("large", "xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge", "24xlarge")
SYSTEMS = ("Linux", "Windows", "RHEL", "SUSE", "Ubuntu Pro")
SOFTWARE = ("NA", "SQL Web", "SQL Std", "SQL Ent")
TENANCIES = ("Shared", "Dedicated", "Host")
STATES = ("Used", "UnusedCapacityReservation", "AllocatedCapacityReservation")
OFFERS = (
    ("JRTCKXETXF", "OnDemand", "", "", ""),
    *(
        (
            f"{length}{payment[:2]}{made[:2]}".upper().replace(" ", ""),
            "Reserved",
            length,
            payment,
            made,
        )
        for length in ("1yr", "3yr")
        for payment in ("No Upfront", "Partial Upfront", "All Upfront")
        for made in ("standard", "convertible")
    ),
)


def generate(path: Path, megabytes: int) -> None:
    """Write a file of at least ``megabytes``; families of types follow until it is full."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(METADATA)
        file.write(",".join(f'"{name}"' for name in COLUMNS) + "\n")
        family = 0
        while file.tell() < megabytes * 1_000_000:
            for size in SIZES:
                file.write("".join(_rows(f"m{family}g.{size}", family)))
            family += 1


def _rows(name: str, family: int) -> list[str]:
    written = []
    for system in SYSTEMS:
        for software in SOFTWARE:
            for tenancy in TENANCIES:
                for state in STATES:
                    product = {
                        "SKU": "".join((name, system, software, tenancy, state)).upper(),
                        "Instance Type": name,
                        "Operating System": system,
                        "Pre Installed S/W": software,
                        "Tenancy": tenancy,
                        "CapacityStatus": state,
                        "usageType": f"{'Box' if state == 'Used' else 'Unused'}Usage:{name}",
                    }
                    written += _prices(product, family, state == "Used")
    return written


def _prices(product: dict[str, str], family: int, is_used: bool) -> list[str]:
    written = []
    for code, term, lease, payment, made in OFFERS if is_used else OFFERS[:1]:
        row = (
            FIXED
            | product
            | {
                "OfferTermCode": code,
                "TermType": term,
                "LeaseContractLength": lease,
                "PurchaseOption": payment,
                "OfferingClass": made,
                "RateCode": f"{product['SKU']}.{code}.6YS6EN2CT7",
                "Unit": "Hrs",
                "PriceDescription": f"{product['Instance Type']} instance hour",
                "PricePerUnit": "0.0000000000"
                if payment == "All Upfront"
                else f"0.{family + 1:04d}000000",
            }
        )
        written.append(_line(row))
        if payment in ("Partial Upfront", "All Upfront"):
            written.append(_line(row | {"Unit": "Quantity", "PricePerUnit": f"{family + 1000}"}))
    return written


FIXED = {
    "EffectiveDate": "2026-11-01",
    "StartingRange": "0",
    "EndingRange": "Inf",
    "Currency": "USD",
    "Product Family": "Compute Instance",
    "serviceCode": "AmazonEC2",
    "Location": "US East (N. Virginia)",
    "Location Type": "AWS Region",
    "Current Generation": "Yes",
    "Instance Family": "General purpose",
    "vCPU": "8",
    "Physical Processor": "AWS Graviton3 Processor",
    "Clock Speed": "2.6 GHz",
    "Memory": "32 GiB",
    "Storage": "EBS only",
    "Network Performance": "Up to 15 Gigabit",
    "Processor Architecture": "64-bit",
    "License Model": "No License required",
    "operation": "RunInstances",
    "AvailabilityZone": "NA",
    "ClassicNetworkingSupport": "false",
    "Dedicated EBS Throughput": "Up to 10000 Mbps",
    "ECU": "NA",
    "Enhanced Networking Supported": "Yes",
    "GPU Memory": "NA",
    "Intel AVX2 Available": "No",
    "Intel AVX Available": "No",
    "Intel Turbo Available": "No",
    "MarketOption": "OnDemand",
    "Normalization Size Factor": "16",
    "Processor Features": "AWS Graviton",
    "Region Code": REGION,
    "serviceName": "Amazon Elastic Compute Cloud",
    "VPCNetworkingSupport": "true",
}


def _line(row: dict[str, str]) -> str:
    return ",".join(f'"{row[name]}"' if row.get(name) else "" for name in COLUMNS) + "\n"


def _read(path: Path) -> None:
    started = time.perf_counter()
    found = read(
        path,
        head_of(path),
        offer=Offer.EC2,
        region=REGION,
        as_of="2026-11-21",
        deadline=Deadline(600),
    )
    taken = time.perf_counter() - started
    counts = ", ".join(f"{len(each)} {subject}" for subject, each in found.quotes.items())
    _say(f"advisor: {counts}, {len(found.types)} types", taken)


def _count(path: Path) -> None:
    import duckdb

    started = time.perf_counter()
    relation = duckdb.read_csv(str(path), skiprows=5, header=True, all_varchar=True)
    rows = relation.aggregate("count(*)").fetchall()[0][0]
    _say(f"DuckDB alone counts {rows} rows", time.perf_counter() - started)


def _fetch(path: Path, url: str) -> None:
    started = time.perf_counter()
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))
    provider = PriceList(path.parent / "work", url)
    delivery = provider.fetch(wanted, Deadline(600), lambda *_: None)
    what = f"advisor downloads it: {len(delivery.quotes)} prices, {delivery.wire_bytes} bytes"
    _say(what, time.perf_counter() - started)


def _say(what: str, taken: float) -> None:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    mib = most / (2**20 if sys.platform == "darwin" else 2**10)
    print(f"{what}: {taken:.2f} s, {mib:.0f} MiB at most")


def main() -> None:
    """Generate, then measure each way in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--only", choices=("read", "count", "fetch"), help=argparse.SUPPRESS)
    parser.add_argument("file", nargs="?", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("url", nargs="?", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only == "fetch":
        _fetch(options.file, options.url)
        return
    if options.only:
        {"read": _read, "count": _count}[options.only](options.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"offers/v1.0/aws/AmazonEC2/current/{REGION}/index.csv"
        path.parent.mkdir(parents=True)
        generate(path, options.megabytes)
        print(f"a file of {path.stat().st_size / 1e6:.0f} MB", flush=True)
        with _serving(Path(folder)) as url:
            for only in ("count", "read", "fetch") * 2:
                command = [sys.executable, __file__, "--only", only, str(path), url]
                subprocess.run(command, check=True)


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    handler = partial(_Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base names it so)
        pass


if __name__ == "__main__":
    main()
