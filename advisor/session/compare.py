"""One comparison: opens the knowledge base and puts stated configurations side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.domain.comparison import Comparison, TermCosts
from advisor.domain.vocabulary import Term

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from advisor.domain.config import Config
    from advisor.domain.recommendation import Request
    from advisor.recommend.ground import Ground
    from advisor.session.candidate import Resolved

#: Terms that are set side by side, the asked one added.
TERMS = (Term.ON_DEMAND, Term.RESERVED_1Y, Term.RESERVED_3Y)


def compare(configs: Sequence[Config], request: Request, database: Path | None) -> Comparison:
    """Return ``configs`` side by side under the workload of ``request``; raises as ``predict``."""
    from advisor.recommend.comparison import crossovers, ladder_threads, rung
    from advisor.session.candidate import assess, ground_of, perform, resolve

    ground = ground_of(configs, request, database)
    found = [resolve(config, request.workload, ground) for config in configs]
    ladder = []
    for threads in ladder_threads(request.workload.threads):
        done = [perform(each, ground, threads) for each in found]
        ladder.append(
            rung(threads, [each.prediction for each in done], [each.factors for each in done])
        )
    return Comparison(
        request=request,
        assessments=tuple(assess(config, request, ground) for config in configs),
        ladder=tuple(ladder),
        crossovers=crossovers(ladder),
        terms=tuple(_terms(configs, found, request, ground, database)),
    )


def _terms(
    configs: Sequence[Config],
    found: Sequence[Resolved],
    request: Request,
    ground: Ground,
    database: Path | None,
) -> list[TermCosts]:
    """Return the costs under each term, unpriced ones as None."""
    from advisor.session.candidate import cost_under, ground_of

    terms = []
    for term in (*TERMS, *({request.term} - set(TERMS))):
        market = (
            ground
            if term is request.term
            else ground_of(configs, replace(request, term=term), database)
        )
        costs = tuple(cost_under(each, market)[0] for each in found)
        terms.append(TermCosts(term=term, costs=costs))
    return terms
