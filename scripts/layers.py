"""Finds the constants of ``advisor.prediction.kernel`` again, by marginal likelihood.

A search along one constant at a time, in plain Python, from the constants in use. ``--without``
leaves a silicon generation out, to see how much the constants depend on it.
"""

from __future__ import annotations

import argparse
import sys
from math import exp, log
from pathlib import Path

import duckdb

from advisor.knowledge.fit_rows import fit_input
from advisor.prediction.compute import Compute
from advisor.prediction.kernel import Layers

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "advisor" / "knowledge" / "advisor.duckdb"
#: First step, as a factor on a constant, and where the search ends.
_STEP, _LEAST = 1.25, 1.02


def main() -> int:
    """Print the constants in use and the best ones with their log likelihood."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", default="", help="silicon generation to leave out")
    chosen = parser.parse_args()
    with duckdb.connect(str(DATABASE), read_only=True) as connection:
        data = fit_input(connection)
    left_out = {item.name for item in data.types if item.silicon == chosen.without}
    points = [point for point in data.curve_points if point.instance_type not in left_out]

    def likelihood(layers: Layers) -> float:
        return Compute(data.types, points, data.scores, layers).log_likelihood()

    best, value = Layers(), likelihood(Layers())
    sys.stdout.write(f"in use: {value:.2f}\n")
    factor = _STEP
    while factor >= _LEAST:
        improved = False
        for name in Layers._fields:
            for step in (factor, 1.0 / factor):
                tried = best._replace(**{name: getattr(best, name) * step})
                found = likelihood(tried)
                if found > value:
                    best, value, improved = tried, found, True
        sys.stdout.write(f"steps of {factor:.3f}: {value:.2f}\n")
        sys.stdout.flush()
        if not improved:
            factor = exp(log(factor) / 2.0)
    for name, used in Layers()._asdict().items():
        sys.stdout.write(f"{name:24} {used:8.3f} {getattr(best, name):8.3f}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
