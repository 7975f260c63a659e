"""The tables of ``docs/model.md``: fitted parameters from the database, constants from the code."""

from __future__ import annotations

from math import exp
from statistics import median
from typing import TYPE_CHECKING, Any

import duckdb

from advisor.knowledge.fit_rows import fit_input
from advisor.prediction import (
    age,
    answer,
    calibration,
    curve,
    draws,
    fit_engines,
    fit_mix,
    fit_scores,
    kernel,
    performance,
    uncertainty,
    volume,
)
from advisor.prediction.calibration import Hold, groups_of, residuals_of
from advisor.prediction.compute import Compute
from advisor.recommend import crossovers, engines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from advisor.prediction.fit_input import FitInput

_STORAGE = ("gp2", "gp3", "io1", "io2", "nvme", "aurora")
#: (where, name, what it is): numbers that no fit gives.
_CONSTANTS: tuple[tuple[Any, str, str], ...] = (
    (curve, "THREADS", "thread counts of a compute curve"),
    (curve, "MOST_THREADS", "threads beyond which a curve is extrapolated"),
    (kernel, "SIZE_EXPONENT", "power of vCPU with which loaded throughput is expected to grow"),
    (kernel, "LOAD_REACH", "octaves of threads per vCPU beyond which nothing changes"),
    (fit_scores, "SINGLE_SCORES", "scores of one thread"),
    (fit_scores, "LOADED_SCORES", "scores of all threads"),
    (calibration, "FEWEST_GROUPS", "independent groups that validate an interval"),
    (age, "FRESH_YEARS", "age from which intervals widen, years before the newest measurement"),
    (age, "WIDER_PER_YEAR", "share by which σ grows with each year more"),
    (fit_mix, "BUSY_THREADS", "threads at which the cost of a write is read off"),
    (fit_mix, "LADDER_TOP", "threads up to which engines are compared"),
    (fit_mix, "HOST_SIGMA", "least log error of the cost of a write on another host"),
    (fit_engines, "MOST_VCPU", "largest class whose peak gives the cost of a write, vCPU"),
    (fit_engines, "SWEEP_IOPS", "IOPS between which the sweep of 2018 is used"),
    (crossovers, "OCTAVES", "octaves of threads and data on either side of the stated"),
    (crossovers, "SHARE_STEP", "step of the read share that is looked at"),
    (engines, "SAME_WITHIN", "CPU costs nearer than this are one engine"),
    (performance, "RESERVED_GIB", "memory kept beside the buffer pool, GiB"),
    (performance, "INNER_PAGES_RATIO", "inner index pages ÷ data"),
    (performance, "LOG_WRITES", "log writes per durable commit group"),
    (performance, "LOG_KIB", "log bytes per commit, KiB"),
    (volume, "GP2_BUCKET", "credits of a full gp2 bucket"),
    (volume, "GP2_BURST_IOPS", "burst IOPS of gp2"),
    (uncertainty, "LIMIT_SIGMA", "log error of an EBS limit"),
    (uncertainty, "MEASURED_HOT_RATIO", "largest measured ratio of hot data to page cache"),
    (uncertainty, "RESULT_BYTES_SIGMA", "log error of the bytes that a query returns"),
    (answer, "TAIL_SIGMA", "log error that a p95 has beyond that of the mean"),
    (draws, "DRAWS", "paired draws of the errors"),
)


def model_tables(database: Path) -> dict[str, str]:
    """Return each generated table of the document by its name, ending in a line break."""
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(
            "SELECT name, value, unit, sigma, basis, row_count, sources FROM model_parameters "
            "ORDER BY name"
        ).fetchall()
        data = fit_input(connection)
        curves = connection.execute(
            "SELECT basis, count(*), min(sigma), max(sigma) FROM (SELECT basis, instance_type, "
            "unnest([sqrt(silicon_sigma[band] ^ 2 + type_sigma[band] ^ 2) FOR band IN [1, 2, 3]]) "
            "AS sigma FROM compute_curves) GROUP BY ALL ORDER BY 3, 4"
        ).fetchall()
        contested = connection.execute(
            "SELECT statement, a_weight, a_source_id, b_weight, b_source_id, belief FROM contested "
            "ORDER BY claim"
        ).fetchall()
    fitted: dict[str, Sequence[Any]] = {row[0]: row for row in rows}
    parts = {
        name: [row for row in rows if row[0].startswith(prefixes)]
        for name, prefixes in (
            ("demand", ("mix.", "client.", "network.")),
            ("engines", ("engine.",)),
            ("platforms", ("platform.", "aurora.", "era.", "proxysql.")),
            ("memory", ("memory.", "nvme.", "commit.")),
        )
    }
    return {
        "hold-out": _hold_out(data, fitted),
        "layers": _table(
            ("constant", "value"),
            [(f"`{name}`", _number(value)) for name, value in kernel.Layers()._asdict().items()],
        ),
        "contested": _table(
            ("claim", "for", "against", "what the model does"),
            [
                (claim, f"{one:.0%} `{first}`", f"{other:.0%} `{second}`", belief)
                for claim, one, first, other, second, belief in contested
            ],
        ),
        "curves": _table(
            ("basis", "instance types", "80 % interval of the curve"),
            [
                (basis, f"{count // len(curve.Band):,}", _span(_wide(low), _wide(high)))
                for basis, count, low, high in curves
            ],
        ),
        **{name: _parameters(part) for name, part in parts.items()},
        "volumes": _volumes(fitted),
        "constants": _table(
            ("name", "value", "what it is"),
            [(f"`{name}`", _shown(getattr(where, name)), what) for where, name, what in _CONSTANTS],
        ),
    }


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _number(value: float) -> str:
    return f"{value:.4g}"


def _span(low: float, high: float) -> str:
    low_text, high_text = (f"±{share:.0%}" for share in (low, high))
    return low_text if low_text == high_text else f"{low_text} to {high_text}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_shown(item) for item in value)
    if isinstance(value, float):
        return f"{value:,g}" if value < 1e6 else f"{value:,.0f}"  # noqa: PLR2004 (digits of g)
    return f"{value:,}" if isinstance(value, int) else f"`{value}`"


def _parameters(rows: Iterable[Sequence[Any]]) -> str:
    return _table(
        ("parameter", "value", "σ", "basis", "rows", "source"),
        [
            (f"`{name}`", f"{_number(value)} {unit}", _number(sigma), basis, str(count), source)
            for name, value, unit, sigma, basis, count, source in (
                (*row[:6], f"`{row[6]}`" if row[6] else "judgement") for row in rows
            )
        ],
    )


def _wide(sigma: float) -> float:
    """Return how far the 80 % interval reaches above the value, as a share."""
    return exp(uncertainty.Z_80 * sigma) - 1.0


def _hold_out(data: FitInput, fitted: dict[str, Sequence[Any]]) -> str:
    """Return one row for each thing held out: its errors, and the interval in each band."""
    compute = Compute(data.types, data.curve_points, data.scores)
    lines = []
    for hold in Hold:
        found = residuals_of(compute, groups_of(compute, hold))
        met = sorted(abs(exp(each.error) - 1.0) for each in found)
        wide = (_wide(fitted[f"curve.{hold}.{band}_sigma"][1]) for band in curve.Band)
        lines.append(
            (
                f"`curve.{hold}.BAND_sigma`",
                str(len({each.group for each in found})),
                str(len(found)),
                f"{median(met):.1%}",
                f"{met[int(0.9 * len(met))]:.1%}",
                *(f"±{share:.1%}" for share in wide),
            )
        )
    bands = (f"80 %, {band}" for band in curve.Band)
    return _table(("parameter", "groups", "cells", "median", "90 % below", *bands), lines)


def _volumes(fitted: dict[str, Sequence[Any]]) -> str:
    names = [name.split(".")[2] for name in fitted if name.startswith("volume.gp3.")]
    rows: list[Sequence[str]] = [
        (f"`{name}`", *(_number(fitted[f"volume.{kind}.{name}"][1]) for kind in _STORAGE))
        for name in names
    ]
    rows += [
        (head, *(str(fitted[f"volume.{kind}.read_ms"][column]) for kind in _STORAGE))
        for head, column in (("σ", 3), ("basis of `read_ms`", 4), ("rows of `read_ms`", 5))
    ]
    return _table(("`volume.TYPE.`", *_STORAGE), rows)
