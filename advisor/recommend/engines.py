"""Which engines compete, and which are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import INNODB_FAMILY
from advisor.prediction.demand import Demand, demand_of

if TYPE_CHECKING:
    from advisor.domain.recommendation import Constraints
    from advisor.domain.vocabulary import Engine
    from advisor.domain.workload import Workload
    from advisor.prediction.parameters import ModelParameters

#: CPU costs nearer than this are one: the repeat noise of the runs (p90) and twice the error of the
#: ratio itself.
SAME_WITHIN = 0.10


def competing(
    workload: Workload, constraints: Constraints, parameters: ModelParameters
) -> tuple[dict[Engine, Demand], tuple[Engine, ...]]:
    """Return the demands of the engines that compete.

    And the engines that stand behind the first of them.

    Engines whose CPU cost cannot be told from the first one's are not candidates of their own:
    their difference is noise, and an answer that chose between them would pretend otherwise.
    """
    engines = constraints.engines or INNODB_FAMILY
    first = engines[0]
    demands = {first: demand_of(workload, first, parameters)}
    alike = []
    for engine in engines[1:]:
        demand = demand_of(workload, engine, parameters)
        if abs(demand.cpu_cost / demands[first].cpu_cost - 1.0) <= SAME_WITHIN:
            alike.append(engine)
        else:
            demands[engine] = demand
    return demands, tuple(alike)
