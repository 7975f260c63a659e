"""Measures start-up against the floor, interleaved in one run (DESIGN.md section 7).

The floor is a fresh interpreter that imports duckdb and opens the bundled database read-only. Each
round starts every command once, so that a change in the machine's speed meets all of them alike.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.domain.quote import Origin, Quote, Subject
from advisor.knowledge.database import open_database
from advisor.pricing.bundled import bundled_prices
from advisor.pricing.cache import Cache
from advisor.pricing.provider import Deadline, Delivery, Wanted
from advisor.pricing.refresh import Job, refresh
from advisor.session.sources import CACHE_NAME

if TYPE_CHECKING:
    from advisor.pricing.provider import Progress

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "advisor" / "knowledge" / "advisor.duckdb"
FLOOR = "floor: import duckdb, open"
OFFLINE = "recommend --offline"
OPEN = "import sys, duckdb; duckdb.connect(sys.argv[1], read_only=True)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One command whose start is timed."""

    name: str
    command: tuple[str, ...]
    goal_ratio: float | None
    """Goal as a ratio to ``base``; None: it is the floor."""
    base: str = FLOOR
    environment: dict[str, str] = field(default_factory=dict)


def probes(advisor: str, cache: Path) -> tuple[Probe, ...]:
    """Return the floor and the commands held against it; ``cache`` holds live prices."""
    completion = {
        "_ADVISOR_COMPLETE": "complete_bash",
        "COMP_WORDS": "advisor recommend --th",
        "COMP_CWORD": "2",
    }
    recommend = (advisor, "recommend", "--threads", "16", "--rw", "mixed")
    return (
        Probe(name=FLOOR, command=(sys.executable, "-c", OPEN, str(DATABASE)), goal_ratio=None),
        Probe(name="advisor --version", command=(advisor, "--version"), goal_ratio=1.0),
        Probe(name="advisor --help", command=(advisor, "--help"), goal_ratio=1.0),
        Probe(name="completion", command=(advisor,), goal_ratio=1.0, environment=completion),
        Probe(name=OFFLINE, command=(*recommend, "--offline"), goal_ratio=1.6),
        Probe(
            name="… with a warm cache",
            command=recommend,
            goal_ratio=1.2,
            base=OFFLINE,
            environment={"XDG_CACHE_HOME": str(cache)},
        ),
    )


class Snapshot:
    """Delivers the bundled prices of a region as live ones: a cache of the true size."""

    origin = Origin.FEEDS

    def __init__(self, quotes: tuple[Quote, ...]) -> None:
        """Keep what is delivered."""
        self._quotes = quotes

    def fetch(self, wanted: Wanted, deadline: Deadline, progress: Progress) -> Delivery:  # noqa: ARG002 (a Provider's)
        """Return all of it."""
        return Delivery(
            origin=self.origin,
            delivered=wanted.subjects,
            failures=(),
            quotes=self._quotes,
            troubles=(),
            types=(),
            published=None,
            requests=0,
            wire_bytes=0,
        )


def warm(cache: Path) -> None:
    """Write live prices of us-east-1 where the program looks for them."""
    today = datetime.now(UTC)
    with open_database(DATABASE) as connection:
        quotes = tuple(
            Quote(
                market=each.market,
                name=each.name,
                usd=each.usd,
                unit=each.unit,
                origin=Origin.FEEDS,
                as_of=today.date().isoformat(),
            )
            for each in bundled_prices(connection, "us-east-1")
        )
    subjects = (Subject.EC2, Subject.EBS, Subject.RDS, Subject.AURORA, Subject.RESERVED)
    job = Job(wanted=Wanted(region="us-east-1", subjects=subjects), providers=(Snapshot(quotes),))
    file = Cache(cache / "advisor" / CACHE_NAME)
    report = refresh(job, file, Deadline(60.0), lambda *_: None, lambda: today)
    print(f"{report.prices:,} live prices in the cache: {report.outcome}")


def run_once(probe: Probe) -> tuple[float, int]:
    """Return (wall time in ms, exit code) of one fresh process."""
    environment = {**os.environ, **probe.environment}
    start = time.perf_counter()
    done = subprocess.run(probe.command, env=environment, capture_output=True, check=False)
    return (time.perf_counter() - start) * 1000.0, done.returncode


def compile_package() -> None:
    """Compile the package to bytecode, as pip does when it installs a wheel.

    An editable install otherwise measures the compiler where PYTHONDONTWRITEBYTECODE is set.
    """
    compileall.compile_dir(str(ROOT / "advisor"), quiet=1)


def main() -> int:
    """Print the medians and ratios; always 0, the numbers are for people."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--rounds", type=int, default=20, help="starts of each command")
    parser.add_argument(
        "--advisor", default=str(Path(sys.executable).with_name("advisor")), help="the program"
    )
    arguments = parser.parse_args()
    rounds = max(arguments.rounds, 1)
    compile_package()
    with tempfile.TemporaryDirectory() as folder:
        warm(Path(folder))
        _measure(probes(arguments.advisor, Path(folder)), rounds)
    return 0


def _measure(measured: tuple[Probe, ...], rounds: int) -> None:
    codes = {probe.name: run_once(probe)[1] for probe in measured}  # warm-up: bytecode, page cache
    times: dict[str, list[float]] = {probe.name: [] for probe in measured}
    for _ in range(rounds):
        for probe in measured:
            times[probe.name].append(run_once(probe)[0])
    medians = {name: statistics.median(found) for name, found in times.items()}
    print(f"{rounds} rounds, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs")
    print(f"{'':<28} {'median':>9} {'min':>9} {'ratio':>7} {'goal':>6}")
    for probe in measured:
        median_ms, base_ms = medians[probe.name], medians[probe.base]
        goal = "" if probe.goal_ratio is None else f"{probe.goal_ratio:.1f}"
        line = f"{probe.name:<28} {median_ms:>6.0f} ms {min(times[probe.name]):>6.0f} ms"
        line += f" {median_ms / base_ms:>7.2f} {goal:>6}"
        if codes[probe.name]:
            line += f"  exit code {codes[probe.name]}"
        elif probe.goal_ratio is not None:
            line += "  met" if median_ms <= probe.goal_ratio * base_ms else "  NOT MET"
        print(line)


if __name__ == "__main__":
    sys.exit(main())
