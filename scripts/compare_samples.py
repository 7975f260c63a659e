#!/usr/bin/env python3
"""Compares the parsers of the price feeds, run on large samples, with the bundled snapshot.

Run as ``python -m scripts.compare_samples --samples FOLDER``: prints per sample how many prices are
equal, and every difference with both dates.
"""

from __future__ import annotations

import argparse
import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb

from advisor.domain.quote import Origin, ec2_market, rds_market
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing import feed_rows, feed_storage
from advisor.pricing.bodies import plain
from advisor.pricing.fetcher import MOST_BYTES
from advisor.pricing.locations import REGION_LOCATIONS
from advisor.pricing.stated import Charge, Stated

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWLEDGE = Path("advisor/knowledge/advisor.duckdb")
_NAME = re.compile(
    r"(?P<region>[a-z]+-[a-z]+-\d)-(?:(?P<previous>previousgen-)?ondemand"
    r"|(?:rds-(?P<engine>[a-z]+)-)?reservedinstance(?:-(?P<deployment>[a-z]+-az))?-(?P<years>\d)y)"
)
#: Samples under the names of their addresses → the name they would have among the others.
_RENAMED = {
    "ec2-ondemand-without-sec-sel_us-east-1_Linux": "us-east-1-ondemand",
    "ec2-reservedinstance_1year_NoUpfront_us-east-1_Linux_Shared": "us-east-1-reservedinstance-1y",
    "rds-postgresql-reservedinstance_Single-AZ_1year_NoUpfront_us-east-1": (
        "us-east-1-rds-postgresql-reservedinstance-single-az-1y"
    ),
}
_PARTIAL = "rds-mysql-reservedinstance_Multi-AZ_1year_PartialUpfront_us-east-1"
_TERMS = {"1": Term.RESERVED_1Y, "3": Term.RESERVED_3Y}
#: Price, upfront amount, date.
Bundled = tuple[Decimal, Decimal, str]

_BUNDLED = """
    SELECT concat_ws('/', 'ec2', region, term, 'none'), instance_type, usd_per_hour, NULL, as_of
    FROM ec2_prices
    UNION ALL
    SELECT concat_ws('/', 'rds', region, deployment, term, payment), engine || '/' || db_class,
           usd_per_hour, upfront_usd, as_of
    FROM rds_prices
    UNION ALL
    SELECT 'volumes/' || region, concat_ws('/', volume_type, item, tier_from), usd, NULL, as_of
    FROM volume_prices
"""


class Difference(NamedTuple):
    """One item that the sample and the snapshot price otherwise."""

    market: str
    name: str
    sample: str
    sample_date: str
    bundled: str
    bundled_date: str


class Outcome(NamedTuple):
    """What came of one sample."""

    sample: str
    equal: int
    differences: tuple[Difference, ...]
    only_sample: tuple[str, ...]
    """Items without a bundled price."""
    troubles: tuple[str, ...]


def compare(samples: Path, database: Path) -> tuple[Outcome, ...]:
    """Return the outcome of each feed under ``samples`` that the snapshot also holds."""
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(_BUNDLED).fetchall()
    bundled = {
        (market, name): (usd, upfront or Decimal(0), as_of)
        for market, name, usd, upfront, as_of in rows
    }
    return tuple(_outcome(name, date, read, bundled) for name, date, read in _read(samples))


def _outcome(
    sample: str, date: str, stated: Stated, bundled: dict[tuple[str, str], Bundled]
) -> Outcome:
    equal = 0
    differences: list[Difference] = []
    only: list[str] = []
    for quote in stated.quotes():
        found = bundled.get((quote.market, quote.name))
        if found is None:
            only.append(f"{quote.market} {quote.name}")
        elif (quote.usd, quote.upfront_usd) == found[:2]:
            equal += 1
        else:
            here = f"{quote.usd} + {quote.upfront_usd}"
            there = f"{found[0]} + {found[1]}"
            differences.append(Difference(quote.market, quote.name, here, date, there, found[2]))
    troubles = tuple(f"{each.market} {each.name}: {each.reason}" for each in stated.troubles())
    return Outcome(sample, equal, tuple(differences), tuple(only), troubles)


def _read(samples: Path) -> Iterator[tuple[str, str, Stated]]:
    """Yield the name of each sample, its date and what is stated in it."""
    for path in sorted(samples.glob("*.json")):
        body = plain(path.read_bytes(), MOST_BYTES)
        if path.stem == "ebs":
            yield from _read_ebs(body)
            continue
        payment = Payment.PARTIAL if path.stem == _PARTIAL else Payment.NONE
        known = "us-east-1-rds-mysql-reservedinstance-multi-az-1y"
        name = known if path.stem == _PARTIAL else _RENAMED.get(path.stem, path.stem)
        found = _NAME.fullmatch(name)
        if found is None:
            continue
        feed = feed_rows.feed_of(body, REGION_LOCATIONS[found["region"]])
        stated = Stated(Origin.FEEDS, "")
        if not found["years"]:
            feed_rows.read_ec2(feed, stated, ec2_market(found["region"], Term.ON_DEMAND))
        elif not found["engine"]:
            market = ec2_market(found["region"], _TERMS[found["years"]], payment)
            feed_rows.read_ec2_reserved(feed, stated, market, payment)
        else:
            sold = found["engine"], found["deployment"]
            market = rds_market(found["region"], sold[1], _TERMS[found["years"]], payment)
            feed_rows.read_rds_reserved(feed, stated, market, sold, payment)
            on_demand = rds_market(found["region"], sold[1], Term.ON_DEMAND)
            for row in feed.rows.values():
                name, price = f"{sold[0]}/{row['Instance Type']}", row["OnDemand:PricePerUnit"]
                stated.add(on_demand, name, "hour", Charge(price=price))
        yield path.stem, (feed.published or "2025-04-05")[:10], stated


def _read_ebs(body: bytes) -> Iterator[tuple[str, str, Stated]]:
    listed = feed_rows.document_of(body)["regions"]
    stated = Stated(Origin.FEEDS, "")
    for region, location in REGION_LOCATIONS.items():
        if location in listed:
            feed_storage.read_ebs(feed_rows.feed_of(body, location), stated, region)
    yield "ebs", "2024-07-18", stated


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=Path, required=True, help="folder of feed bodies")
    parser.add_argument("--database", type=Path, default=KNOWLEDGE)
    arguments = parser.parse_args()
    for outcome in compare(arguments.samples, arguments.database):
        counts = (
            f"equal {outcome.equal}, different {len(outcome.differences)}, "
            f"only in the sample {len(outcome.only_sample)}, troubles {len(outcome.troubles)}"
        )
        print(f"{outcome.sample}: {counts}")
        for line in (*outcome.differences, *outcome.only_sample, *outcome.troubles):
            print("   ", *(line if isinstance(line, tuple) else (line,)))


if __name__ == "__main__":
    main()
