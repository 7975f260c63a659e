"""The product's own ground for tests of the core: a knowledge base built once per test process.

Hypothesis runs inside these tests, so the ground is a cached function rather than a fixture.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from advisor.domain.description import Description, objective_of, profile_named, workload_of
from advisor.domain.recommendation import Constraints, Request
from advisor.domain.storage import StorageSpec
from advisor.domain.vocabulary import (
    EBS_TYPES,
    ENGINES_ON,
    STORAGE_ON,
    Availability,
    Client,
    Dialect,
    Durability,
    Engine,
    Objective,
    Platform,
    StorageType,
    Term,
)
from advisor.domain.workload import PROFILES, Workload, profile_of_read_ratio
from advisor.knowledge.build import build_database
from advisor.knowledge.database import open_database
from advisor.knowledge.fit_rows import fit_input
from advisor.prediction.demand import demand_of
from advisor.prediction.parameters import ModelParameters
from advisor.prediction.performance import (
    OperatingPoint,
    Settled,
    operating_point,
    part_of,
    settle,
)
from advisor.prediction.volume import limits_of
from advisor.recommend.engines import era_wait_ms
from advisor.recommend.storage_grid import aurora_storage, local_disks
from advisor.session.recommend import gather
from advisor.session.sources import Sources, bundled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

    from advisor.prediction.curve import SpaceEntry
    from advisor.prediction.fit_input import FitInput
    from advisor.recommend.ground import Ground

ROOT = Path(__file__).resolve().parent.parent
REGION = "us-east-1"
#: Removed when the process ends.
_DIRECTORY = tempfile.TemporaryDirectory(prefix="advisor-ground-")

#: The same examples at every run, and few enough for the suite.
PROPERTY = settings(derandomize=True, max_examples=150, deadline=None, database=None)
#: For properties whose every example costs a whole answer.
FEW = settings(derandomize=True, max_examples=25, deadline=None, database=None)


T = TypeVar("T")


def changed(record: T, /, **fields: object) -> T:
    """Return a record with other fields, whichever kind of record it is."""
    make = getattr(record, "_replace", None)
    made: T = make(**fields) if make else replace(record, **fields)  # type: ignore[type-var]
    return made


@cache
def database() -> Path:
    """Return a knowledge base built from this tree's data by this tree's code."""
    path = Path(_DIRECTORY.name) / "advisor.duckdb"
    build_database(ROOT / "data", path)
    return path


def sources() -> Sources:
    """Return the sources of an answer without live prices and without terms of its own."""
    return bundled(database())


@cache
def fit_data() -> FitInput:
    """Return the observations that the bundled model is fitted on."""
    with open_database(database()) as connection:
        return fit_input(connection)


def workload(threads: int, rw: str = "mixed", **said: object) -> Workload:
    """Return a workload as the command line makes it from flags."""
    description = Description(threads=threads, profile=profile_named(rw))
    return workload_of(changed(description, **said))


def request(load: Workload, objective: Objective | None = None, **fields: object) -> Request:
    """Return a request on demand in us-east-1; the objective is decided as the CLI does.

    It asks for EC2 unless its constraints name platforms: most promises are about one platform.
    """
    made = Request(
        workload=load,
        constraints=Constraints(),
        region=REGION,
        objective=objective or objective_of(load.target_tps),
    )
    asked = changed(made, **fields)
    if asked.constraints.platforms:
        return asked
    return changed(asked, constraints=changed(asked.constraints, platforms=(Platform.EC2,)))


@cache
def ground(
    region: str = REGION, term: Term = Term.ON_DEMAND, families: tuple[str, ...] = ()
) -> Ground:
    """Return what an answer stands on; naming families adds their types."""
    load = workload(1)
    asked = request(load, region=region, term=term, constraints=Constraints(families=families))
    return gather(asked, sources())


@cache
def everywhere(availability: Availability = Availability.SINGLE, **said: object) -> Ground:
    """Return what an answer over all platforms stands on; RDS prices follow the availability."""
    load = changed(workload(1), availability=availability)
    asked = request(load, constraints=Constraints(platforms=tuple(Platform), **said))  # type: ignore[arg-type]
    return gather(asked, sources())


@cache
def catalogue() -> dict[str, SpaceEntry]:
    """Return every type that has a curve, by name, default candidate or not."""
    families = tuple(sorted({item.family for item in fit_data().types}))
    return {entry.instance.name: entry for entry in ground(families=families).entries}


@cache
def sold_on(platform: Platform) -> dict[str, SpaceEntry]:
    """Return every type or class of a platform that has a curve, by name."""
    if platform is Platform.EC2:
        return catalogue()
    families = tuple(sorted({entry.instance.family for entry in catalogue().values()}))
    entries = everywhere(families=families, dialect=Dialect.ANY).entries
    return {entry.instance.name: entry for entry in entries if entry.platform is platform}


def volume(
    kind: StorageType = StorageType.GP3,
    *,
    size_gib: int = 500,
    iops: int = 3000,
    mib_per_s: int = 125,
    count: int = 1,
) -> StorageSpec:
    """Return an EBS volume, or several striped."""
    return StorageSpec(
        type=kind, size_gib=size_gib, iops=iops, throughput_mib_per_s=mib_per_s, count=count
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A candidate's operating point and what it settled from."""

    settled: Settled
    point: OperatingPoint

    @property
    def rate(self) -> float:
        """Predicted transactions/s."""
        return self.point.transactions_per_s

    @property
    def is_past_peak(self) -> bool:
        """Whether more threads are at the CPU than its curve can use: it falls, as measured."""
        from advisor.prediction.curve import peak, throughput

        log_tps, at_cpu = self.settled.part.log_tps, self.settled.balance.threads_at_cpu
        return throughput(log_tps, at_cpu) < peak(log_tps, at_cpu) * (1.0 - 1e-9)


def perform(
    entry: SpaceEntry,
    load: Workload,
    storage: StorageSpec | None = None,
    engine: Engine = Engine.MYSQL,
    parameters: ModelParameters | None = None,
) -> Outcome:
    """Return what a candidate does under a workload, by the path that the ranking takes."""
    parameters = parameters or ground().parameters
    spec = storage or volume(size_gib=2000, iops=80_000, mib_per_s=2000)
    waited_ms = era_wait_ms(parameters, entry.instance.family, engine)
    part = part_of(entry, load, demand_of(load, entry.platform, engine, parameters), waited_ms)
    settled = settle(part, parameters.volume(spec.type))
    limits = limits_of(spec, entry.instance, parameters)
    return Outcome(settled=settled, point=operating_point(settled, limits))


class System(NamedTuple):
    """What is bought, on any platform."""

    entry: SpaceEntry
    storage: StorageSpec
    engine: Engine

    def under(self, load: Workload, parameters: ModelParameters | None = None) -> Outcome:
        """Return what it does under a workload."""
        return perform(self.entry, load, self.storage, self.engine, parameters)

    @property
    def latency(self) -> str:
        """The parameters of its storage: ``volume.gp3`` and the like."""
        kind = self.storage.type
        return f"volume.{'aurora' if kind.is_aurora else kind.value}"


@st.composite
def systems(draw: st.DrawFn, *, on_ebs: bool = False) -> System:
    """Draw any type or class, storage and engine of any platform; ``on_ebs``: with a volume."""
    platforms = [each for each in Platform if not (on_ebs and each is Platform.AURORA)]
    platform = draw(st.sampled_from(platforms))
    known = sold_on(platform)
    entry = known[draw(st.sampled_from(sorted(known)))]
    disks = local_disks(entry.instance) if platform is Platform.EC2 else None
    kinds = [
        kind
        for kind in STORAGE_ON[platform]
        if kind in EBS_TYPES or (not on_ebs and (kind.is_aurora or disks is not None))
    ]
    kind = draw(st.sampled_from(kinds))
    engine = draw(st.sampled_from(ENGINES_ON[platform]))
    if kind.is_aurora:
        return System(entry, aurora_storage(kind, 1000), engine)
    if kind is StorageType.NVME and disks is not None:
        return System(entry, disks, engine)
    counts = st.sampled_from([1, 2, 4]) if platform is Platform.EC2 else st.just(1)
    return System(entry, draw(volumes(kind, counts)), engine)


def scaled_parameters(name: str, ratio: float) -> ModelParameters:
    """Return the fitted parameters with one of them multiplied."""
    parameters = ground().parameters
    known = parameters.by_name
    scaled = changed(known[name], value=known[name].value * ratio)
    return ModelParameters(by_name={**known, name: scaled})


def volumes(kind: StorageType, counts: SearchStrategy[int]) -> SearchStrategy[StorageSpec]:
    """Any EBS volume of a type, within loose limits."""
    return st.builds(
        volume,
        st.just(kind),
        size_gib=st.integers(min_value=20, max_value=16_000),
        iops=st.sampled_from([100, 1000, 3000, 6000, 16_000, 64_000]),
        mib_per_s=st.sampled_from([125, 250, 500, 1000]),
        count=counts,
    )


def workloads(**fixed: object) -> SearchStrategy[Workload]:
    """Any workload without a target; ``fixed`` sets fields."""
    profiles = st.one_of(
        st.sampled_from(sorted(PROFILES)).map(PROFILES.__getitem__),
        st.floats(min_value=0.0, max_value=1.0).map(profile_of_read_ratio),
    )

    def build(hot_ratio: float, data_gib: float, **fields: object) -> Workload:
        made = Workload(data_gib=data_gib, hot_gib=data_gib * hot_ratio, **fields)  # type: ignore[arg-type]
        return changed(made, **fixed)

    return st.builds(
        build,
        hot_ratio=st.floats(min_value=0.01, max_value=1.0),
        data_gib=st.floats(min_value=1.0, max_value=16_384.0),
        threads=st.integers(min_value=1, max_value=2000),
        profile=profiles,
        durability=st.sampled_from(Durability),
        client=st.sampled_from(Client),
        availability=st.sampled_from((Availability.SINGLE, Availability.MULTI_AZ)),
    )


def numbers(value: object) -> Iterator[float | Decimal]:
    """Yield every float and every amount in a value, however deep."""
    if isinstance(value, float | Decimal):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from numbers(each)
    else:
        for name in getattr(value, "_names", ()):
            yield from numbers(getattr(value, name))
