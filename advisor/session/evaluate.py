"""One evaluation: opens the knowledge base and scores the model on groups held out whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.scorecard import Evaluation
from advisor.domain.spelling import did_you_mean
from advisor.domain.vocabulary import Payment, Term
from advisor.errors import PricingError, UsageError
from advisor.session.status import knowledge_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from advisor.domain.scorecard import FitPlot
    from advisor.prediction.fit_input import FitInput

#: Where choices per dollar are priced.
REGION = "us-east-1"


def evaluate(database: Path | None, progress: Callable[[str, int, int], None]) -> Evaluation:
    """Return the scorecard of the knowledge base; takes seconds.

    ``progress`` is told (step, done, total). Raises KnowledgeError, PricingError.
    """
    from advisor.evaluation.scorecard import evaluate as scored
    from advisor.knowledge.database import data_version, open_database
    from advisor.knowledge.fit_rows import fit_input
    from advisor.prediction import MODEL_VERSION
    from advisor.pricing.book import Book

    with open_database(knowledge_path(database)) as connection:
        data = fit_input(connection)
        version = data_version(connection)
        prices = {
            name: float(price.usd)
            for name, price in Book(connection).ec2(REGION, Term.ON_DEMAND, Payment.NONE).items()
        }
    if not prices:
        raise PricingError(f"the knowledge base has no on-demand prices of {REGION}")
    return Evaluation(
        scorecard=scored(data, prices, progress),
        data_version=version,
        model_version=MODEL_VERSION,
    )


def fits(database: Path | None, names: Sequence[str] = ()) -> tuple[FitPlot, ...]:
    """Return the fit of each named type against its data; without names, one type per family.

    Raises UsageError for a type without runs that the fit uses, KnowledgeError.
    """
    from advisor.evaluation.plots import fit_plots
    from advisor.knowledge.database import open_database
    from advisor.knowledge.fit_rows import fit_input

    with open_database(knowledge_path(database)) as connection:
        data = fit_input(connection)
    _check_measured(data, names)
    return fit_plots(data, tuple(dict.fromkeys(names)))


def _check_measured(data: FitInput, names: Sequence[str]) -> None:
    run = {point.instance_type for point in data.curve_points}
    # bursts are no throughput: the fit leaves them out
    types = {each.name: each for each in data.types if each.name in run and not each.is_burstable}
    for name in names:
        if name not in types:
            families = sorted({each.family for each in types.values()})
            raise UsageError(
                f"no run of {name} is fitted, so there is nothing to draw"
                f"{did_you_mean(name, tuple(types))}",
                hint=f"measured families: {', '.join(families)}",
            )
