"""Fits against their data as charts of characters; the only module that loads plotext.

plotext costs 30 ms more than the command line itself, so nothing else may import it: a front end
imports this module when a chart is asked for.
"""

from __future__ import annotations

from math import floor, log, log2, log10
from typing import TYPE_CHECKING

import plotext

from advisor.domain.scorecard import error_score
from advisor.render.figures import figure
from advisor.render.page import WIDTH
from advisor.render.sheet import share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.scorecard import FitPlot

HEIGHT = 16
#: Told apart by their letters, so that colour adds nothing that a plain page lacks.
_MEASURED, _HELD_OUT = "o", "."
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 4
#: Room above the highest point.
_MARGIN = 1.08


def fit_charts(plots: Iterable[FitPlot], *, is_coloured: bool) -> str:
    """Return one chart per type under its title, 80 columns wide; empty without any."""
    return "\n\n".join(_chart(plot, is_coloured=is_coloured) for plot in plots)


def _chart(plot: FitPlot, *, is_coloured: bool) -> str:
    points = sorted(zip(plot.threads, plot.measured, plot.held_out, strict=True))
    places = [log2(threads) for threads, _, _ in points]
    top = max(max(measured, held_out) for _, measured, held_out in points) * _MARGIN
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.limit_size(False, False)
    plotext.plot_size(WIDTH, HEIGHT)
    plotext.plot(
        places,
        [held_out for _, _, held_out in points],
        marker=_HELD_OUT,
        color="blue",
        label="predicted without it",
    )
    plotext.scatter(
        places,
        [measured for _, measured, _ in points],
        marker=_MEASURED,
        color="red",
        label="measured",
    )
    plotext.xticks(places, [f"{threads:g}" for threads, _, _ in points])
    ticks = _ticks(top)
    plotext.yticks(ticks, [figure(tick) for tick in ticks])
    plotext.ylim(0.0, top)
    drawn = plotext.build()
    if not is_coloured:
        drawn = plotext.uncolorize(drawn)
    return "\n".join([_title(plot), *(line.rstrip() for line in drawn.rstrip().split("\n"))])


def _title(plot: FitPlot) -> str:
    """Return the axes and how far the prediction is off."""
    error = error_score(
        [log(ours / theirs) for ours, theirs in zip(plot.held_out, plot.measured, strict=True)]
    )
    off = f"off by {share(error.median)} in the median"
    return f"{plot.instance_type}: transactions/s by threads, {off}"


def _ticks(top: float) -> list[float]:
    """Return round values from 0 to ``top``."""
    size = 10.0 ** floor(log10(top / _TICKS))
    step = next(size * each for each in _STEPS if size * each * _TICKS >= top / 1.25)
    return [step * number for number in range(_TICKS + 2) if step * number <= top]
