"""The flags that narrow the space of candidates and name the market: engines to purchase term."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from advisor.cli.words import completion, known, member, members, parsed, split
from advisor.domain.names import FAMILIES, INSTANCE_TYPES, REGIONS
from advisor.domain.recommendation import Constraints
from advisor.domain.record import record
from advisor.domain.spelling import did_you_mean
from advisor.domain.units import format_size, format_usd, parse_count, parse_size_gib, parse_usd
from advisor.domain.vocabulary import (
    ENGINES_ON,
    STORAGE_ON,
    Architecture,
    Dialect,
    Engine,
    Objective,
    Payment,
    Platform,
    StorageType,
    Term,
)
from advisor.domain.workload import Assumption
from advisor.errors import UsageError
from advisor.settings import Settings

_REFUSED_TERMS = {
    "spot": "AWS may take a spot instance away with its database; `advisor prices show` has spot "
    "prices"
}

DialectWord = Annotated[
    str | None,
    typer.Option(
        "--dialect", metavar="WORD", help="SQL that competes: mysql, postgresql or any. [mysql]"
    ),
]
Engines = Annotated[
    list[str] | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Engine such as mysql, myrocks, pxc or aurora-mysql; repeatable.",
        autocompletion=completion(tuple(Engine)),
    ),
]
Platforms = Annotated[
    list[str] | None,
    typer.Option("--platform", metavar="NAME", help="ec2, rds or aurora; repeatable."),
]
Families = Annotated[
    list[str] | None,
    typer.Option(
        "--family",
        metavar="NAME",
        help="Instance family such as m7g; repeatable.",
        autocompletion=completion(FAMILIES),
    ),
]
Architectures = Annotated[
    list[str] | None,
    typer.Option(
        "--arch",
        metavar="NAME",
        help="arm64 or x86_64; repeatable.",
        autocompletion=completion(tuple(Architecture)),
    ),
]
StorageTypes = Annotated[
    list[str] | None,
    typer.Option(
        "--storage",
        metavar="TYPE",
        help="gp2, gp3, io1, io2, nvme; standard, io-optimized on Aurora.",
        autocompletion=completion(tuple(StorageType)),
    ),
]
MinVcpu = Annotated[
    str | None, typer.Option("--min-vcpu", metavar="N", help="Least vCPU of an instance.")
]
MaxVcpu = Annotated[
    str | None, typer.Option("--max-vcpu", metavar="N", help="Most vCPU of an instance.")
]
MinMemory = Annotated[
    str | None, typer.Option("--min-memory", metavar="SIZE", help="Least memory of an instance.")
]
MaxMemory = Annotated[
    str | None, typer.Option("--max-memory", metavar="SIZE", help="Most memory of an instance.")
]
Budget = Annotated[
    str | None, typer.Option("--budget", metavar="USD", help="Most US dollars a month.")
]
AllowEphemeral = Annotated[
    bool,
    typer.Option("--allow-ephemeral", help="Let volatile local NVMe hold the data of one node."),
]
Region = Annotated[
    str | None,
    typer.Option(
        "--region",
        metavar="REGION",
        help="AWS region of the prices. [settings, AWS settings, us-east-1]",
        autocompletion=completion(REGIONS),
    ),
]
TermWord = Annotated[
    str | None,
    typer.Option(
        "--term",
        metavar="TERM",
        help="on-demand, reserved-1y, reserved-3y, savings-1y or savings-3y. [on-demand]",
        autocompletion=completion(tuple(Term)),
    ),
]
PaymentWord = Annotated[
    str | None,
    typer.Option(
        "--payment",
        metavar="WORD",
        help="Upfront of a reserved term or Savings Plan: none, partial or all. [none]",
    ),
]
ObjectiveWord = Annotated[
    str | None,
    typer.Option(
        "--objective",
        metavar="WORD",
        help="balanced, cost, throughput or value. [cost with a target, else balanced]",
        autocompletion=completion(tuple(Objective)),
    ),
]


@record
class SpaceFlags:
    """The flags that narrow the space, as typed; None: not given."""

    dialect: str | None
    engines: Sequence[str] | None
    platforms: Sequence[str] | None
    families: Sequence[str] | None
    architectures: Sequence[str] | None
    storage_types: Sequence[str] | None
    min_vcpu: str | None
    max_vcpu: str | None
    min_memory: str | None
    max_memory: str | None
    budget: str | None
    allow_ephemeral: bool


def constraints_of(flags: SpaceFlags, newer: Callable[[], Sequence[str]] = tuple) -> Constraints:
    """Return what the flags allow; every name is checked here, before any I/O.

    ``newer`` gives the instance types that live prices brought, for a family that is not bundled.
    """
    dialect, engines = _engines(flags)
    platforms = members("--platform", flags.platforms, Platform)
    _check_platforms(platforms, engines)
    min_vcpu = _at_least_one("--min-vcpu", flags.min_vcpu)
    max_vcpu = _at_least_one("--max-vcpu", flags.max_vcpu)
    min_memory = _memory("--min-memory", flags.min_memory)
    max_memory = _memory("--max-memory", flags.max_memory)
    if min_vcpu is not None and max_vcpu is not None and min_vcpu > max_vcpu:
        raise UsageError(f"--min-vcpu {min_vcpu:,} is more than --max-vcpu {max_vcpu:,}")
    if min_memory is not None and max_memory is not None and min_memory > max_memory:
        raise UsageError(
            f"--min-memory {format_size(min_memory)} is more than "
            f"--max-memory {format_size(max_memory)}"
        )
    budget = parsed("--budget", flags.budget, parse_usd)
    if budget is not None and budget <= 0:
        raise UsageError(f"--budget {format_usd(budget)} must be above $0 a month")
    storage_types = members("--storage", flags.storage_types, StorageType)
    _check_storage(storage_types, platforms, engines)
    families = tuple(_family(word, newer) for word in split("--family", flags.families))
    return Constraints(
        platforms=platforms,
        dialect=dialect,
        engines=engines,
        families=tuple(dict.fromkeys(families)),
        architectures=members("--arch", flags.architectures, Architecture),
        storage_types=storage_types,
        min_vcpu=min_vcpu,
        max_vcpu=max_vcpu,
        min_memory_gib=min_memory,
        max_memory_gib=max_memory,
        budget_usd_per_month=budget,
        allow_ephemeral=flags.allow_ephemeral,
    )


def _engines(flags: SpaceFlags) -> tuple[Dialect, tuple[Engine, ...]]:
    """Return the dialect and the named engines, which must speak it."""
    engines = members("--engine", flags.engines, Engine)
    said = member("--dialect", flags.dialect, Dialect)
    spoken = {engine.dialect for engine in engines}
    if said is not None and said is not Dialect.ANY:
        other = next((engine for engine in engines if engine.dialect is not said), None)
        if other is not None:
            raise UsageError(
                f"--engine {other} does not speak --dialect {said}", hint="drop one of the two"
            )
    if said is None and len(spoken) > 1:
        raise UsageError(
            "the named engines speak different dialects",
            hint="compare them with --dialect any, if the application can use either",
        )
    return said or next(iter(spoken), Dialect.MYSQL), engines


def _check_platforms(platforms: tuple[Platform, ...], engines: tuple[Engine, ...]) -> None:
    """Refuse engines that none of the named platforms runs."""
    offered = [
        engine for platform in platforms or tuple(Platform) for engine in ENGINES_ON[platform]
    ]
    stray = next((engine for engine in engines if engine not in offered), None)
    if stray is not None:
        runs = next(each for each in Platform if stray in ENGINES_ON[each])
        raise UsageError(
            f"--engine {stray} does not run on --platform {', '.join(platforms)}",
            hint=f"{stray} runs on {runs}; drop one of the two",
        )


def platforms_left(wanted: Constraints) -> tuple[Platform, ...]:
    """Return the platforms that have an engine and a storage type of those asked for."""
    kinds = wanted.storage_types
    return tuple(
        platform
        for platform in _running(wanted.engines, wanted.platforms)
        if not kinds or any(kind in STORAGE_ON[platform] for kind in kinds)
    )


def _running(engines: tuple[Engine, ...], platforms: tuple[Platform, ...]) -> tuple[Platform, ...]:
    """Return the platforms, of those named, that run one of the engines."""
    return tuple(
        platform
        for platform in platforms or Platform
        if not engines or any(engine in ENGINES_ON[platform] for engine in engines)
    )


def _check_storage(
    kinds: tuple[StorageType, ...], platforms: tuple[Platform, ...], engines: tuple[Engine, ...]
) -> None:
    """Refuse storage types that no platform of those left by the other flags has."""
    left = _running(engines, platforms)
    stray = next(
        (kind for kind in kinds if all(kind not in STORAGE_ON[platform] for platform in left)), None
    )
    if stray is None:
        return
    other = f"--platform {', '.join(platforms)}" if platforms else f"--engine {', '.join(engines)}"
    offers = "; ".join(f"{platform} has {', '.join(STORAGE_ON[platform])}" for platform in left)
    homes = " and ".join(each for each in Platform if stray in STORAGE_ON[each])
    raise UsageError(
        f"--storage {stray} does not go with {other}",
        hint=f"{offers}; {stray} goes with {homes}",
    )


def _family(text: str, newer: Callable[[], Sequence[str]]) -> str:
    word = text.lower()
    if word in INSTANCE_TYPES:
        raise UsageError(
            f"--family {text} is an instance type, not a family",
            hint=f"write --family {word.partition('.')[0]}; --min-vcpu and --max-vcpu pick a size",
        )
    if "." in word:
        guess = did_you_mean(word, INSTANCE_TYPES)
        raise UsageError(
            f"--family {text[:60]} is neither a family nor a known instance type{guess}",
            hint="a family is the part before the dot, such as m7g",
        )
    if word not in FAMILIES:
        words = {name.partition(".")[0] for name in newer()}
        if word in words:
            return word
    return known("--family", text, FAMILIES)


def _at_least_one(flag: str, text: str | None) -> int | None:
    count = parsed(flag, text, parse_count)
    if count is not None and count < 1:
        raise UsageError(f"{flag} {count:,} must be at least 1")
    return count


def _memory(flag: str, text: str | None) -> float | None:
    size = parsed(flag, text, parse_size_gib)
    if size is not None and size <= 0.0:
        raise UsageError(f"{flag} must be above 0")
    return size


@record
class Market:
    """Region, term and payment in force."""

    region: str
    term: Term
    payment: Payment
    assumed: tuple[Assumption, ...]


def market_of(
    settings: Settings, *, region: str | None, term: str | None, payment: str | None
) -> Market:
    """Return where and how the candidates are bought, with the origin of what was not said."""
    paid = member("--payment", payment, Payment) or Payment.NONE
    chosen_term = member("--term", term, Term, _REFUSED_TERMS)
    if paid is not Payment.NONE and (chosen_term or settings.term) is Term.ON_DEMAND:
        raise UsageError(
            f"--payment {paid} is for a term with a commitment",
            hint="add --term reserved-1y, reserved-3y, savings-1y or savings-3y",
        )
    chosen_region, origins = region_of(settings, region)
    assumed = [*origins]
    if chosen_term is None:
        chosen_term = settings.term
        assumed.append(
            Assumption(name="term", value=chosen_term.value, reason=settings.origin("term"))
        )
    if chosen_term is not Term.ON_DEMAND and payment is None:
        assumed.append(Assumption(name="payment", value="none", reason="default: No Upfront"))
    return Market(region=chosen_region, term=chosen_term, payment=paid, assumed=tuple(assumed))


def region_of(settings: Settings, region: str | None) -> tuple[str, tuple[Assumption, ...]]:
    """Return the region in force, and its origin where it was not said."""
    if region is not None:
        return known("--region", region, REGIONS), ()
    settled, origin = settings.region, settings.origin("region")
    _check_settled_region(settled, origin)
    return settled, (Assumption(name="region", value=settled, reason=origin),)


def _check_settled_region(region: str, origin: str) -> None:
    """Refuse a region of the AWS settings that has no bundled prices."""
    if region not in REGIONS:
        raise UsageError(
            f"region {region} (from {origin}) has no bundled prices{did_you_mean(region, REGIONS)}",
            hint="name one that has them with --region",
        )
