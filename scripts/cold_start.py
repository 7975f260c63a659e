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
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "advisor" / "knowledge" / "advisor.duckdb"
FLOOR = "floor: import duckdb, open"
OPEN = "import sys, duckdb; duckdb.connect(sys.argv[1], read_only=True)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One command whose start is timed."""

    name: str
    command: tuple[str, ...]
    goal_ratio: float | None
    """Goal as a ratio to the floor; None: it is the floor."""
    environment: dict[str, str] = field(default_factory=dict)


def probes(advisor: str) -> tuple[Probe, ...]:
    """Return the floor and the commands held against it."""
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
        Probe(name="advisor recommend", command=recommend, goal_ratio=1.6),
    )


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
    measured = probes(arguments.advisor)
    codes = {probe.name: run_once(probe)[1] for probe in measured}  # warm-up: bytecode, page cache
    times: dict[str, list[float]] = {probe.name: [] for probe in measured}
    for _ in range(rounds):
        for probe in measured:
            times[probe.name].append(run_once(probe)[0])
    floor_ms = statistics.median(times[FLOOR])
    print(f"{rounds} rounds, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs")
    print(f"{'':<28} {'median':>9} {'min':>9} {'ratio':>7} {'goal':>6}")
    for probe in measured:
        median_ms = statistics.median(times[probe.name])
        goal = "" if probe.goal_ratio is None else f"{probe.goal_ratio:.1f}"
        line = f"{probe.name:<28} {median_ms:>6.0f} ms {min(times[probe.name]):>6.0f} ms"
        line += f" {median_ms / floor_ms:>7.2f} {goal:>6}"
        if codes[probe.name]:
            line += f"  exit code {codes[probe.name]}"
        elif probe.goal_ratio is not None:
            line += "  met" if median_ms <= probe.goal_ratio * floor_ms else "  NOT MET"
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
