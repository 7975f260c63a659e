"""``advisor evaluate``: how accurate the model is on groups that were held out whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsJson, OutputFile, one_form
from advisor.cli.progress import Progress
from advisor.cli.registry import new_app
from advisor.cli.words import completion, known, split
from advisor.domain.names import INSTANCE_TYPES
from advisor.errors import UsageError

if TYPE_CHECKING:
    from advisor.domain.scorecard import Evaluation, FitPlot

app = new_app()


@app.command()
def evaluate(
    *,
    plots: Annotated[
        bool,
        typer.Option("--plots", help="Draw predictions without a type against its measurements."),
    ] = False,
    instance_types: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="TYPE,…",
            help="Types to draw; repeatable. [the middle size of each measured family]",
            autocompletion=completion(INSTANCE_TYPES),
        ),
    ] = None,
    as_json: AsJson = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="To paste into a ticket; with every held-out group.")
    ] = False,
    output: OutputFile = None,
) -> None:
    """Score the model on data it has not seen: throughput, intervals, choices, ties, parts.

    Groups are left out whole, and what is tested calibrates nothing. Takes some seconds.
    """
    form = one_form(plots=plots, json=as_json, markdown=as_markdown)
    names = _names(instance_types)
    if names and not plots:
        raise UsageError("--type names what --plots draws", hint="add --plots, or leave --type out")
    settings = current_settings()
    from advisor.session import evaluate as session

    with Progress() as progress:
        drawn = session.fits(settings.database, names) if plots else ()
        found = session.evaluate(settings.database, progress)
    _write(found, drawn, output, form, is_coloured=settings.uses_color and _is_seen(output))


def _names(texts: list[str] | None) -> tuple[str, ...]:
    return tuple(known("--type", word, INSTANCE_TYPES) for word in split("--type", texts))


def _is_seen(output: Path | None) -> bool:
    """Return whether the result goes to a terminal."""
    return output is None and sys.stdout is not None and sys.stdout.isatty()


def _write(
    found: Evaluation,
    drawn: tuple[FitPlot, ...],
    output: Path | None,
    form: str,
    *,
    is_coloured: bool,
) -> None:
    """Render and write the scorecard."""
    if form == "json":
        from advisor.render.scorecard_json import scorecard_json

        write_result(scorecard_json(found), output)
        return
    if form == "markdown":
        from advisor.render.scorecard_markdown import scorecard_markdown

        write_text(scorecard_markdown(found), output)
        return
    from advisor.render.scorecard import scorecard_text

    text = scorecard_text(found)
    if drawn:
        from advisor.render.fit_chart import fit_charts

        text = f"{text}\n{fit_charts(drawn, is_coloured=is_coloured)}"
    write_text(text, output)
