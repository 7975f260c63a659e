"""Who leads at how many threads, where the lead changes, and what is a tie."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from advisor.domain.comparison import Crossover, Rung
from advisor.prediction.draws import drawn_rates
from advisor.recommend.leaders import DUPLICATE_WITHIN, is_tie, win_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.domain.prediction import Prediction
    from advisor.prediction.uncertainty import Factor

#: A ladder reaches at least this many threads: as far as the CPU runs measured.
LADDER_TO = 128


def ladder_threads(threads: int) -> tuple[int, ...]:
    """Return 1, 2, 4 … up to 128 or past ``threads``, and ``threads`` among them."""
    octaves = max(LADDER_TO.bit_length(), (threads - 1).bit_length() + 1)
    return tuple(sorted({threads, *(2**octave for octave in range(octaves))}))


def rung(
    threads: int, predictions: Sequence[Prediction], factors: Sequence[Sequence[Factor]]
) -> Rung:
    """Return two or more configurations at ``threads``, compared draw by draw.

    The leader ties with the runner-up when it is ahead by no more than repeat noise (5 %), or when
    either wins in 10 % to 90 % of the draws, as in a ranking.
    """
    order = sorted(
        range(len(predictions)),
        key=lambda place: (-predictions[place].transactions_per_s.value, place),
    )
    leader, runner_up = order[:2]
    first, second = drawn_rates([factors[leader], factors[runner_up]])
    ahead = (
        predictions[leader].transactions_per_s.value
        / predictions[runner_up].transactions_per_s.value
    )
    share = win_share(first, second)
    return Rung(
        threads=threads,
        predictions=tuple(predictions),
        leader=leader,
        runner_up=runner_up,
        probability=share,
        is_tie=ahead <= 1.0 + DUPLICATE_WITHIN or is_tie(share),
    )


def crossovers(ladder: Sequence[Rung]) -> tuple[Crossover, ...]:
    """Return where one configuration's clear lead gives way to another's.

    Between the two the higher predicted throughput may change several times within the errors; the
    last change counts.
    """
    found = []
    clear = [place for place, each in enumerate(ladder) if not each.is_tie]
    for start, end in pairwise(clear):
        before, after = ladder[start].leader, ladder[end].leader
        if before == after:
            continue
        turn = max(
            place
            for place in range(start, end)
            if ladder[place].rate(before) >= ladder[place].rate(after)
        )
        found.append(
            Crossover(
                before=before,
                after=after,
                from_threads=ladder[turn].threads,
                to_threads=ladder[turn + 1].threads,
                leads_until=ladder[start].threads,
                leads_from=ladder[end].threads,
            )
        )
    return tuple(found)
