"""Measures what an answer costs, step by step, beside a floor in one run (DESIGN.md section 7).

Each round computes every case once in this process, so that a change in the machine's speed meets
all of them alike. The goal counts from the open database to the rendered text: within it a front
end ranks the whole space anew after a changed field. It is held against the least time: more than
that was spent on other processes, as a floor whose median is far above its least tells.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from contextlib import ExitStack, contextmanager
from functools import wraps
from pkgutil import resolve_name
from time import perf_counter
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from unittest.mock import patch

from advisor.domain.description import Description, workload_of
from advisor.domain.recommendation import Constraints, Request
from advisor.domain.record import replaced
from advisor.domain.vocabulary import Availability, Dialect, Objective, Platform
from advisor.domain.workload import PROFILES
from advisor.knowledge.database import bundled_path, open_database
from advisor.render.recommendation import recommendation_text
from advisor.session.recommend import recommend
from advisor.session.sources import bundled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
T = TypeVar("T")

#: Milliseconds from the open database to the rendered text.
GOAL_MS = 100.0
LOOP, OPEN = "a loop of 100,000", "the database opened"
OPENED, RENDERED = "opened", "render"
#: Step → functions that begin it; a step inside another counts for itself alone.
STEPS = {
    OPENED: ("advisor.knowledge.database.open_database",),
    "documents read": (
        "advisor.knowledge.space.Documents.__init__",
        "advisor.knowledge.database.data_version",
        "advisor.pricing.snapshot.fetched",
    ),
    "ground gathered": ("advisor.session.recommend.gather",),
    "search": ("advisor.recommend.recommend.recommend", "advisor.recommend.leaders.best_of"),
    "leaders, draws": ("advisor.recommend.recommend.leaders",),
    "alternatives": (
        "advisor.recommend.recommend.kinds_beside",
        "advisor.recommend.recommend.knee_of",
    ),
    "bill, advice": (
        "advisor.recommend.recommend._ranked",
        "advisor.recommend.recommend._notes",
    ),
}
SHOWN = (*(step for step in STEPS if step != OPENED), RENDERED)


class Clock:
    """Adds up time for the innermost step that runs."""

    def __init__(self) -> None:
        """Start with nothing spent."""
        self.spent_ms: dict[str, float] = {}
        self._running: list[str] = []
        self._since = 0.0

    def _turn(self) -> None:
        now = perf_counter()
        if self._running:
            step = self._running[-1]
            self.spent_ms[step] = self.spent_ms.get(step, 0.0) + (now - self._since) * 1000.0
        self._since = now

    @contextmanager
    def counting(self, step: str) -> Iterator[None]:
        """Count what runs inside for ``step``."""
        self._turn()
        self._running.append(step)
        try:
            yield
        finally:
            self._turn()
            self._running.pop()

    def counted(self, step: str, function: Callable[P, T]) -> Callable[P, T]:
        """Return ``function`` counted for ``step``."""

        @wraps(function)
        def timed(*args: P.args, **kwargs: P.kwargs) -> T:
            with self.counting(step):
                return function(*args, **kwargs)

        return timed


def cases() -> dict[str, Request]:
    """Return the timed requests: the whole space as asked most, then harder ones."""
    usual = Description(threads=16, profile=PROFILES["mixed"])
    multi_az = replaced(usual, availability=Availability.MULTI_AZ)
    large = replaced(multi_az, threads=256, data_gib=10_240.0, hot_gib=4096.0)
    managed = Constraints(platforms=(Platform.RDS, Platform.AURORA))
    either = Constraints(dialect=Dialect.ANY)
    asked = {
        "default": (usual, Constraints()),
        "any dialect": (usual, either),
        "16 TiB": (replaced(usual, data_gib=16_384.0), Constraints()),
        "RDS, Aurora": (multi_az, managed),
        "large": (large, either),
    }
    return {
        name: Request(
            workload=workload_of(described),
            constraints=constraints,
            region="us-east-1",
            objective=Objective.BALANCED,
        )
        for name, (described, constraints) in asked.items()
    }


def steps_of(request: Request) -> dict[str, float]:
    """Return the milliseconds of each step of one answer."""
    clock = Clock()
    with ExitStack() as stack:
        for step, targets in STEPS.items():
            for target in targets:
                timed = clock.counted(step, resolve_name(target))
                stack.enter_context(patch(target, timed))
        answer = recommend(request, bundled(None))
        with clock.counting(RENDERED):
            recommendation_text(answer)
    return clock.spent_ms


def floors() -> dict[str, float]:
    """Return the milliseconds of what no answer can go below, and of the machine itself."""
    start = perf_counter()
    total = 0
    for number in range(100_000):
        total += number
    looped = perf_counter()
    open_database(bundled_path()).close()
    return {LOOP: (looped - start) * 1000.0, OPEN: (perf_counter() - looped) * 1000.0}


def _cell(samples_ms: list[float]) -> str:
    return f"{statistics.median(samples_ms):.1f} ({min(samples_ms):.1f})"


def main() -> int:
    """Print medians and least times; always 0, the numbers are for people."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--rounds", type=int, default=20, help="answers of each case")
    rounds = max(parser.parse_args().rounds, 1)
    asked = cases()
    for request in asked.values():
        steps_of(request)  # warm-up: imports, page cache
    floor: list[dict[str, float]] = []
    found: dict[str, list[dict[str, float]]] = {name: [] for name in asked}
    for _ in range(rounds):
        floor.append(floors())
        for name, request in asked.items():
            found[name].append(steps_of(request))
    print(f"{rounds} rounds, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs")
    print("milliseconds, median (least); goal: the first case within 100 once opened")
    print("large: 10 TiB, 4 TiB hot, 256 threads, multi-az, any dialect; RDS, Aurora: multi-az")
    for name in (LOOP, OPEN):
        print(f"floor: {name:<20} {_cell([each[name] for each in floor])}")
    print(f"\n{'':<16}" + "".join(f" {name:>15}" for name in asked))
    for step in (OPENED, *SHOWN):
        cells = (_cell([each.get(step, 0.0) for each in mine]) for mine in found.values())
        print(f"{step:<16}" + "".join(f" {cell:>15}" for cell in cells))
    totals = {
        name: [sum(each.get(step, 0.0) for step in SHOWN) for each in mine]
        for name, mine in found.items()
    }
    print(f"{'once opened':<16}" + "".join(f" {_cell(mine):>15}" for mine in totals.values()))
    is_met = min(next(iter(totals.values()))) <= GOAL_MS
    print("goal met" if is_met else "goal NOT MET")
    return 0


if __name__ == "__main__":
    sys.exit(main())
