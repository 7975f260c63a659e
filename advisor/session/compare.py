"""One comparison: opens the knowledge base and puts stated configurations side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.comparison import Comparison, TermCosts
from advisor.domain.vocabulary import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.config import Config
    from advisor.domain.recommendation import Request
    from advisor.recommend.ground import Ground
    from advisor.session.candidate import Resolved
    from advisor.session.sources import Sources

#: Terms that are set side by side, the asked one added.
TERMS = (Term.ON_DEMAND, Term.RESERVED_1Y, Term.RESERVED_3Y)


def compare(configs: Sequence[Config], request: Request, sources: Sources) -> Comparison:
    """Return ``configs`` side by side under the workload of ``request``; raises as ``predict``."""
    from advisor.recommend.comparison import crossovers, ladder_threads, rung
    from advisor.session.candidate import assess, grounds_of, perform, resolve

    grounds = grounds_of(configs, request, sources)
    found = [
        resolve(config, request.workload, ground)
        for config, ground in zip(configs, grounds, strict=True)
    ]
    ladder = []
    for threads in ladder_threads(request.workload.threads):
        done = [perform(each, ground, threads) for each, ground in zip(found, grounds, strict=True)]
        ladder.append(
            rung(threads, [each.prediction for each in done], [each.factors for each in done])
        )
    return Comparison(
        request=request,
        assessments=tuple(
            assess(config, request, ground) for config, ground in zip(configs, grounds, strict=True)
        ),
        ladder=tuple(ladder),
        crossovers=crossovers(ladder),
        terms=tuple(_terms(configs, found, grounds, request, sources)),
    )


def _terms(
    configs: Sequence[Config],
    found: Sequence[Resolved],
    grounds: Sequence[Ground],
    request: Request,
    sources: Sources,
) -> list[TermCosts]:
    """Return the costs under each term, unpriced ones as None; ``grounds`` price the asked one."""
    from advisor.session.candidate import cost_under, repriced, under

    terms = []
    for term in (*TERMS, *({request.term} - set(TERMS))):
        priced = grounds
        if term is not request.term:
            priced = repriced(configs, grounds, under(request, term), sources)
        costs = tuple(
            cost_under(each, ground)[0] for each, ground in zip(found, priced, strict=True)
        )
        terms.append(TermCosts(term=term, costs=costs))
    return terms
