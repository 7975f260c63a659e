"""A workload as described: what was said is checked, what was not is decided and written down.

Owns the defaults of DESIGN.md section 5 and the limits of sane input. Messages name a value as its
flag is spelled, which every front end uses as its label.
"""

from __future__ import annotations

from advisor.domain.record import record, replaced
from advisor.domain.spelling import did_you_mean
from advisor.domain.units import format_ratio, format_size, parse_ratio
from advisor.domain.vocabulary import Availability, Client, Durability, Objective
from advisor.domain.workload import (
    PROFILES,
    Assumption,
    TransactionProfile,
    Workload,
    profile_of_read_ratio,
)
from advisor.errors import UsageError

DEFAULT_DATA_GIB = 100.0
DEFAULT_HOT_RATIO = 0.2
DEFAULT_HEADROOM_RATIO = 0.3
#: More busy threads than any MySQL server runs; above it a typing error is likelier.
MAX_THREADS = 100_000
#: A million times what the largest instance reaches.
MAX_RATE_PER_S = 1e12
#: 1 MiB: less is a typing error, not a database.
MIN_DATA_GIB = 1.0 / 1024.0
#: An exbibyte, beyond every volume; the volume limits refuse smaller impossibilities by name.
MAX_DATA_GIB = 2.0**30
_DEFAULT = "default"
#: A share from here to 100 without a % sign was meant as a percentage.
_LEAST_PERCENT = 2.0


@record
class Description:
    """What somebody said about a workload; None: not said."""

    threads: int
    profile: TransactionProfile
    data_gib: float | None = None
    hot_gib: float | None = None
    hot_ratio: float | None = None
    """Hot share of the data, instead of ``hot_gib``."""
    target_tps: float | None = None
    target_qps: float | None = None
    """Statements per second, BEGIN and COMMIT included, instead of ``target_tps``."""
    headroom_ratio: float | None = None
    max_p95_ms: float | None = None
    connections: int | None = None
    durability: Durability | None = None
    availability: Availability | None = None
    client: Client | None = None
    has_proxysql: bool = False
    settled_headroom: tuple[float, str] = (DEFAULT_HEADROOM_RATIO, _DEFAULT)
    """(headroom, origin) in force when none is said."""
    settled_client: tuple[Client, str] = (Client.SAME_AZ, _DEFAULT)
    """(client, origin) in force when none is said."""


def profile_named(text: str) -> TransactionProfile:
    """Return the transaction of a preset, or of a read share: ``0.8`` or ``80%``.

    ValueError says what is wrong, after the text.
    """
    name = text.strip().lower()
    if name in PROFILES:
        return PROFILES[name]
    try:
        ratio = parse_ratio(name)
    except ValueError as error:
        if "negative" in str(error):
            raise
        presets = ", ".join(PROFILES)
        guess = did_you_mean(name, PROFILES)
        raise ValueError(f"is not {presets} or a share such as 0.8{guess}") from None
    if ratio > 1.0:
        raise ValueError(f"is not a read share between 0 and 1{_percent_meant(name, ratio)}")
    return profile_of_read_ratio(ratio)


def headroom_named(text: str) -> float:
    """Return the share that ``text`` keeps free; ValueError where it forgot its % sign."""
    ratio = parse_ratio(text)
    guess = _percent_meant(text, ratio)
    if guess and ratio < 100.0:  # noqa: PLR2004 (the whole, in percent)
        raise ValueError(f"leaves nothing to run on{guess}")
    return ratio


def _percent_meant(text: str, ratio: float) -> str:
    """Return the question whether a share far above 1 was meant in percent; else nothing."""
    is_likely = _LEAST_PERCENT <= ratio <= 100.0 and "%" not in text  # noqa: PLR2004
    return f"; did you mean {ratio:g}%?" if is_likely else ""


def workload_of(said: Description) -> Workload:
    """Return the workload with every undecided value decided and noted in ``assumed``.

    Raises UsageError for a value out of range or two that contradict each other.
    """
    assumed: list[Assumption] = []
    _check(said)
    data_gib = said.data_gib
    if data_gib is None:
        data_gib = DEFAULT_DATA_GIB
        assumed.append(_assume("data-size", format_size(data_gib), _DEFAULT))
    hot_gib = _hot_gib(said, data_gib, assumed)
    target_tps, headroom_ratio = _target(said, assumed)
    durability, availability = said.durability, said.availability
    if durability is None:
        durability = Durability.FULL
        reason = "default: every commit is on disk before it is acknowledged"
        assumed.append(_assume("durability", durability.value, reason))
    if availability is None:
        availability = Availability.SINGLE
        assumed.append(_assume("availability", availability.value, "default: one node"))
    client = said.client
    if client is None:
        client, origin = said.settled_client
        assumed.append(_assume("client", client.value, origin))
    workload = Workload(
        threads=said.threads,
        profile=said.profile,
        data_gib=data_gib,
        hot_gib=hot_gib,
        durability=durability,
        availability=availability,
        client=client,
        target_tps=target_tps,
        headroom_ratio=headroom_ratio,
        max_p95_ms=said.max_p95_ms,
        connections=said.connections,
        has_proxysql=said.has_proxysql,
    )
    return replaced(workload, assumed=(*assumed, *_derived(workload)))


def _derived(workload: Workload) -> tuple[Assumption, ...]:
    """Return the decisions that follow from the workload and have no flag of their own."""
    profile = workload.profile
    statements = " + ".join(
        f"{count:.4g} {name}{'' if count == 1.0 else 's'}"
        for name, count in (("read", profile.reads), ("write", profile.writes))
        if count > 0.0
    )
    is_autocommit = profile.statements <= profile.reads + profile.writes
    shape = "autocommit" if is_autocommit else "plus BEGIN and COMMIT, as sysbench"
    return (
        _assume("transaction", statements, f"of {profile.name}: {shape}"),
        _assume(
            "volume-size",
            format_size(float(workload.volume_gib)),
            "1.3 x data + 20 GiB: growth, logs, temporary files",
        ),
    )


def _hot_gib(said: Description, data_gib: float, assumed: list[Assumption]) -> float:
    """Return the hot size; a default is noted."""
    if said.hot_ratio is not None:
        return data_gib * said.hot_ratio
    if said.hot_gib is None:
        hot_gib = data_gib * DEFAULT_HOT_RATIO
        share = format_ratio(DEFAULT_HOT_RATIO)
        reason = f"default: {share} of the data, touched uniformly"
        assumed.append(_assume("hot-size", format_size(hot_gib), reason))
        return hot_gib
    if said.hot_gib > data_gib:
        origin = "" if said.data_gib is not None else " (the default)"
        raise UsageError(
            f"--hot-size {format_size(said.hot_gib)} is larger than --data-size "
            f"{format_size(data_gib)}{origin}",
            hint="the hot part is what the workload touches: at most all of the data",
        )
    return said.hot_gib


def _target(said: Description, assumed: list[Assumption]) -> tuple[float | None, float]:
    """Return (target in transactions/s, headroom); a default headroom is noted."""
    target = said.target_tps
    if said.target_qps is not None:
        target = said.target_qps / said.profile.statements
        reason = f"--target-qps over {said.profile.statements:g} statements per transaction"
        assumed.append(_assume("target-tps", f"{target:,.6g}", reason))
    if said.headroom_ratio is not None:
        return target, said.headroom_ratio
    headroom, origin = said.settled_headroom
    where = "every part at the target rate" if target is not None else "the IOPS and MiB/s bought"
    assumed.append(_assume("headroom", format_ratio(headroom), f"{origin}: kept free of {where}"))
    return target, headroom


def _check(said: Description) -> None:
    """Raise UsageError for the first value that cannot be meant."""
    if said.target_tps is not None and said.target_qps is not None:
        raise UsageError(
            "--target-tps and --target-qps exclude each other",
            hint=f"one transaction is {said.profile.statements:g} statements here; keep one",
        )
    _between("--threads", said.threads, 1, MAX_THREADS)
    _between("--connections", said.connections, 1, None)
    _between("--data-size", said.data_gib, MIN_DATA_GIB, MAX_DATA_GIB, is_size=True)
    if said.hot_ratio is not None and not 0.0 < said.hot_ratio <= 1.0:
        raise UsageError(
            f"--hot-size {format_ratio(said.hot_ratio)} must be above 0% and at most 100%"
        )
    _positive("--hot-size", said.hot_gib)
    for flag, rate in (("--target-tps", said.target_tps), ("--target-qps", said.target_qps)):
        _positive(flag, rate)
        _between(flag, rate, 0, MAX_RATE_PER_S)
    _positive("--max-p95-ms", said.max_p95_ms)
    if said.headroom_ratio is not None and not 0.0 <= said.headroom_ratio < 1.0:
        raise UsageError(
            f"--headroom {format_ratio(said.headroom_ratio)} leaves nothing to run on",
            hint="it is the share kept free, from 0% to below 100%, such as 30%",
        )
    if said.connections is not None and said.connections < said.threads:
        raise UsageError(
            f"--connections {said.connections:,} cannot keep --threads {said.threads:,} busy",
            hint="a busy thread holds a connection: give at least as many, or leave it out",
        )


def _positive(flag: str, value: float | None) -> None:
    if value is not None and value <= 0:
        raise UsageError(f"{flag} {value:g} must be above 0")


def _between(
    flag: str, value: float | None, least: float, most: float | None, *, is_size: bool = False
) -> None:
    if value is None or (value >= least and (most is None or value <= most)):
        return

    def text(number: float) -> str:
        return format_size(number) if is_size else f"{number:,.15g}"

    limits = f"at least {text(least)}" if most is None else f"from {text(least)} to {text(most)}"
    raise UsageError(f"{flag} {text(value)} must be {limits}")


def _assume(name: str, value: str, reason: str) -> Assumption:
    return Assumption(name=name, value=value, reason=reason)


def objective_of(target_tps: float | None) -> Objective:
    """Return the objective nobody stated: cheapest that meets a target, balanced without one."""
    return Objective.BALANCED if target_tps is None else Objective.COST
