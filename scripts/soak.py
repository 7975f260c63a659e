"""Kills a process that refreshes prices at seeded moments: the cache is the old or the new one.

Every refresh writes prices that all equal its number, in several markets. After each kill the cache
must open without a warning, hold one number alone, none older than the last one that was reported
as written, and take the next refresh. Every fifth kill meets a cache that is just being made.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from advisor.domain.price_report import Outcome
from advisor.domain.quote import Origin, Quote, Subject, ec2_market, volume_market
from advisor.domain.vocabulary import Payment, Term
from advisor.pricing.cache import Cache
from advisor.pricing.cache_status import status
from advisor.pricing.cached import cached_documents
from advisor.pricing.provider import Deadline, Delivery, Wanted
from advisor.pricing.refresh import Job, refresh
from advisor.pricing.responses import Responses
from advisor.pricing.stored import Stored

if TYPE_CHECKING:
    from advisor.pricing.provider import Progress

KILLS, SEED = 100, 20261121
REGION = "eu-test-1"
TERMS = (Term.ON_DEMAND, Term.RESERVED_1Y, Term.RESERVED_3Y)
TYPES_PER_MARKET = 400
SUBJECTS = (Subject.EC2, Subject.RESERVED, Subject.EBS)
#: Seconds after the first refresh began within which a process is killed: several refreshes.
LONGEST_LIFE_S = 0.4
NEW_EVERY = 5


class Survey(NamedTuple):
    """What the kills met."""

    kills: int
    journals: int
    """Kills in the middle of a transaction that had begun to write."""
    refreshes: int
    """Written by the processes before they were killed."""
    faults: tuple[str, ...]


class Generation:
    """A provider all of whose prices are one number."""

    origin = Origin.FEEDS

    def __init__(self, number: int) -> None:
        self._number = number

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:
        """Return the prices at once."""
        del deadline
        progress("prices", 1, 1)
        return Delivery(
            origin=self.origin,
            delivered=wanted.subjects,
            failures=(),
            quotes=tuple(self._quotes()),
            troubles=(),
            types=(),
            published=None,
            requests=0,
            wire_bytes=0,
        )

    def _quotes(self) -> list[Quote]:
        markets = [ec2_market(REGION, term, Payment.NONE) for term in TERMS]
        names = [(market, f"m{n}.large") for market in markets for n in range(TYPES_PER_MARKET)]
        names += [(volume_market(REGION), "gp3/capacity/0"), (volume_market(REGION), "gp3/iops/0")]
        return [
            Quote(
                market=market,
                name=name,
                usd=Decimal(self._number),
                unit="hour",
                origin=self.origin,
                as_of="2026-11-21",
            )
            for market, name in names
        ]


def write(cache: Cache, number: int) -> None:
    """Refresh the cache to a number; raises RuntimeError when that does not become current."""
    wanted = Wanted(region=REGION, subjects=SUBJECTS)
    job = Job(wanted=wanted, providers=(Generation(number),), accepts=True)
    report = refresh(job, cache, Deadline(60), lambda *_: None, lambda: datetime.now(UTC))
    if report.outcome is not Outcome.CURRENT or report.warning:
        raise RuntimeError(f"refresh {number}: {report.warning or report.problem}")


def refresh_for_ever(path: Path, number: int) -> None:
    """Write one number after the other and report each, until killed."""
    cache = Cache(path)
    responses = Responses(cache, lambda: datetime.now(UTC))
    body = random.Random(number).randbytes(50_000)  # noqa: S311 (no secret)
    while True:
        print(f"begin {number}", flush=True)
        responses.put(
            f"http://127.0.0.1/{number % 7}", Stored(etag="", last_modified="", body=body)
        )
        write(cache, number)
        print(f"written {number}", flush=True)
        number += 1


def kill_refreshes(directory: Path, kills: int, seed: int) -> Survey:
    """Kill a refreshing process at seeded moments and return what was found after each."""
    draw = random.Random(seed)  # noqa: S311 (no secret)
    path = directory / "cache" / "prices.sqlite3"
    faults, journals, refreshes, number = [], 0, 0, 1
    for kill in range(kills):
        if kill % NEW_EVERY == 0 and path.parent.exists():
            shutil.rmtree(path.parent)
        reported = _killed(path, number, draw.uniform(0, LONGEST_LIFE_S))
        refreshes += len(reported)
        journals += path.with_name(f"{path.name}-journal").exists()
        is_new = kill % NEW_EVERY == 0
        fault, number = _judged(path, max(reported, default=None if is_new else number - 1))
        if fault:
            faults.append(f"kill {kill} after refresh {number}: {fault}")
            shutil.rmtree(path.parent, ignore_errors=True)
        write(Cache(path), number)
        number += 1
    return Survey(kills, journals, refreshes, tuple(faults))


def _killed(path: Path, number: int, life_s: float) -> list[int]:
    """Run and kill a process; return the numbers that it reported as written."""
    command = [sys.executable, "-m", "scripts.soak", "--refresh", str(path), str(number)]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise RuntimeError("the process has no output")
        process.stdout.readline()
        time.sleep(life_s)
        process.kill()
        lines = process.stdout.read().split("\n")
    return [int(line.split()[1]) for line in lines[:-1] if line.startswith("written ")]


def _judged(path: Path, least: int | None) -> tuple[str, int]:
    """Return what is wrong with the cache, if anything, and the next number to write.

    ``least``: the last number known to be written; None: none is.
    """
    next_number = (least or 0) + 2
    found = cached_documents(path, REGION)
    numbers = {usd for market in found.markets() for usd in _amounts(found.get(market))}
    if found.warnings and (least is not None or path.stat().st_size):
        return found.warnings[0], next_number
    if len(numbers) > 1:
        return f"a mixture of {sorted(numbers)}", next_number
    if least is not None and numbers not in ({str(least)}, {str(least + 1)}):
        return f"{numbers} after {least} was written", next_number
    if numbers and len(found.markets()) != len(TERMS) + 1:
        return f"prices of {found.markets()} alone", next_number
    return _structure(path), next_number


def _amounts(market: object) -> list[str]:
    groups = getattr(market, "body", [])
    if groups and isinstance(groups[0][2], dict):
        return [usd for _, _, amounts in groups for usd in amounts.values()]
    return [row[3] for row in groups]


def _structure(path: Path) -> str:
    if not path.exists() or not path.stat().st_size:
        return ""
    with closing(sqlite3.connect(path)) as connection:
        ((verdict,),) = connection.execute("PRAGMA integrity_check")
    return status(Cache(path)).warning or ("" if verdict == "ok" else verdict)


def main() -> int:
    """Run the kills and print what they met; 1 when a cache was not whole."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--refresh", nargs=2, metavar=("PATH", "NUMBER"), help="the process to kill"
    )
    arguments = parser.parse_args()
    if arguments.refresh:
        refresh_for_ever(Path(arguments.refresh[0]), int(arguments.refresh[1]))
    with tempfile.TemporaryDirectory(prefix="advisor-soak-") as directory:
        began = time.perf_counter()
        survey = kill_refreshes(Path(directory), arguments.kills, arguments.seed)
        seconds = time.perf_counter() - began
    print(
        f"{survey.kills} kills (seed {arguments.seed}, {seconds:.0f} s): "
        f"{survey.refreshes} refreshes, "
        f"{survey.journals} killed while writing, {len(survey.faults)} faults"
    )
    for fault in survey.faults:
        print(fault)
    return bool(survey.faults)


if __name__ == "__main__":
    sys.exit(main())
