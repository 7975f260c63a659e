"""Finds the constants of ``advisor.prediction.kernel`` again, by marginal likelihood.

A search along one constant at a time, in plain Python, from the constants in use. ``--nested``
searches without each silicon generation in turn and predicts it with what was found: the error of
new silicon when nothing at all was set with it in view.
"""

from __future__ import annotations

import argparse
import sys
from math import exp, sqrt
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import duckdb

from advisor.knowledge.fit_rows import fit_input
from advisor.prediction.calibration import Hold, groups_of
from advisor.prediction.compute import Compute
from advisor.prediction.kernel import Layers

if TYPE_CHECKING:
    from advisor.prediction.fit_input import FitInput

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "advisor" / "knowledge" / "advisor.duckdb"
#: First step, as a factor on a constant, and where the search ends.
_STEP, _LEAST = 1.25, 1.02


def main() -> int:
    """Print the constants in use and the likeliest ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nested", action="store_true", help="search without each generation")
    if parser.parse_args().nested:
        return _nested()
    found, before, after = search("")
    sys.stdout.write(f"log likelihood {before:.1f} in use, {after:.1f} where the search ends\n")
    for name, used in Layers()._asdict().items():
        sys.stdout.write(f"{name:24} {used:8.3f} {getattr(found, name):8.3f}\n")
    return 0


def _nested() -> int:
    silicon = sorted(_compute(_data(), "", Layers()).silicon)
    with Pool() as pool:
        outcomes = pool.map(_held_out, silicon)
    for name, (layers, errors) in zip(silicon, outcomes, strict=True):
        sys.stdout.write(
            f"{name:16} median {median(errors):6.1%}  silicon_sigma {layers.silicon_sigma:.3f}  "
            f"score_sigma {layers.score_sigma:.3f}\n"
        )
    every = sorted(error for _, errors in outcomes for error in errors)
    sys.stdout.write(f"all: median {median(every):.1%}, p90 {every[int(0.9 * len(every))]:.1%}\n")
    return 0


def _held_out(silicon: str) -> tuple[Layers, list[float]]:
    """Return the constants found without a generation, and the errors of predicting it."""
    layers, _, _ = search(silicon)
    whole = _compute(_data(), "", layers)
    left_out = dict(groups_of(whole, Hold.SILICON))[silicon]
    return layers, [abs(exp(error) - 1.0) for error in whole.errors_without(left_out)]


def search(without: str) -> tuple[Layers, float, float]:
    """Return the likeliest constants, and the log likelihood in use and reached."""
    data = _data()

    def likelihood(layers: Layers) -> float:
        return _compute(data, without, layers).log_likelihood()

    best, before = Layers(), likelihood(Layers())
    value, factor = before, _STEP
    while factor >= _LEAST:
        is_better = False
        for name in Layers._fields:
            for step in (factor, 1.0 / factor):
                tried = best._replace(**{name: getattr(best, name) * step})
                found = likelihood(tried)
                if found > value:
                    best, value, is_better = tried, found, True
        if not is_better:
            factor = sqrt(factor)
    return best, before, value


def _data() -> FitInput:
    with duckdb.connect(str(DATABASE), read_only=True) as connection:
        return fit_input(connection)


def _compute(data: FitInput, without: str, layers: Layers) -> Compute:
    """Return the field of the measured points, without a silicon generation."""
    hidden = {item.name for item in data.types if item.silicon == without}
    points = [point for point in data.curve_points if point.instance_type not in hidden]
    return Compute(data.types, points, data.scores, layers)


if __name__ == "__main__":
    raise SystemExit(main())
