"""Which versions of an engine to run, from the dated table ``data/advice/engine_versions.csv``.

The day that decides is passed in: the date of the data, never that of the clock, so that the same
data give the same words. Dates are printed, not days counted.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from advisor.domain.cost import HOURS_PER_MONTH
from advisor.domain.vocabulary import Engine, Platform

if TYPE_CHECKING:
    from advisor.domain.advice import Advice, EngineVersion

#: A version whose support ends within a year is near its end: an upgrade takes months to prepare.
NEAR = timedelta(days=365)
_NAMES = {
    Engine.MYSQL: "MySQL",
    Engine.PERCONA_SERVER: "Percona Server",
    Engine.MARIADB: "MariaDB",
    Engine.MYROCKS: "Percona Server (MyRocks)",
    Engine.PXC: "Percona XtraDB Cluster",
    Engine.POSTGRESQL: "PostgreSQL",
    Engine.AURORA_MYSQL: "Aurora MySQL",
    Engine.AURORA_POSTGRESQL: "Aurora PostgreSQL",
}
_MONTHS_IN_YEAR = 12
_YEAR_MONTH = 2


def versions_as_of(advice: Advice) -> date:
    """Return the day that the table of versions was last checked: the ``today`` of its caveats."""
    return max((_first_day(each.as_of) for each in advice.versions), default=date.min)


def version_caveats(
    platform: Platform, engine: Engine, today: date, advice: Advice, vcpu: int | None = None
) -> tuple[str, ...]:
    """Return which versions ended or end within a year of ``today``, and which to run instead.

    ``vcpu`` counts those of all nodes, standbys included: with it the charge of extended support is
    given per month.
    """
    known = [
        each
        for each in advice.versions
        if each.platform == platform.value and each.engine == engine.value
    ]
    old = [each for each in known if _last_day(each.support_until) <= today + NEAR]
    lasting = [each for each in known if each not in old]
    if not old:
        return ()
    run = max(lasting, key=lambda each: _last_day(each.support_until), default=None)
    name = _NAMES[engine]
    kind = "standard" if platform.is_managed else "community"
    newest = _newest_first(old)
    parts = [
        f"{each.version} leaves {kind} support on {each.support_until}{_charged(each)}"
        for each in newest
        if _last_day(each.support_until) >= today
    ]
    ended = [
        f"{each.version} on {each.support_until}{_charged(each)}"
        for each in newest
        if _last_day(each.support_until) < today
    ]
    if ended:
        parts.append(f"out of {kind} support: {', '.join(ended)}")
    advised = f"run {run.version}, supported until {run.support_until}; " if run else ""
    charge = _charge(newest, today, advice, vcpu)
    return (f"{name}: {advised}{'; '.join(parts)}", *((charge,) if charge is not None else ()))


def _newest_first(versions: list[EngineVersion]) -> list[EngineVersion]:
    return sorted(versions, key=lambda each: _last_day(each.support_until), reverse=True)


def _charged(version: EngineVersion) -> str:
    """Return when extended support is charged, in parentheses; empty without one."""
    if version.charged_from is None:
        return ""
    until = f" to {version.charged_until}" if version.charged_until is not None else ""
    return f" (charged from {version.charged_from}{until})"


def _charge(old: list[EngineVersion], today: date, advice: Advice, vcpu: int | None) -> str | None:
    """Return what extended support costs; None where no old version is charged."""
    charged = [each for each in old if each.charged_from is not None]
    rates = {each.period: each for each in advice.charges}
    if not charged or "first-years" not in rates:
        return None
    first = rates["first-years"]
    text = (
        f"extended support costs ${first.usd_per_vcpu_hour:.3f} per vCPU-hour in {first.region} "
        f"(as of {first.as_of}), on every node and standby"
    )
    if vcpu is not None:
        month = first.usd_per_vcpu_hour * HOURS_PER_MONTH * vcpu
        text += f": ${month:,.0f} a month for {vcpu} vCPU"
    last = rates.get("last-year")
    dearer = [each for each in charged if each.dearer_from is not None]
    if last is not None and dearer:
        text += f"; ${last.usd_per_vcpu_hour:.3f} " + ", ".join(
            f"{'since' if _first_day(each.dearer_from or '') <= today else 'from'} "
            f"{each.dearer_from} for {each.version}"
            for each in dearer
        )
    return text


def _first_day(text: str) -> date:
    """Return the first day of an ISO date or of its known prefix."""
    year, month, day = (*(int(part) for part in text.split("-")), 1, 1)[:3]
    return date(year, month, day)


def _last_day(text: str) -> date:
    """Return the last day of an ISO date or of its known prefix."""
    first = _first_day(text)
    parts = text.count("-") + 1
    if parts > _YEAR_MONTH:
        return first
    if parts < _YEAR_MONTH:
        return date(first.year, _MONTHS_IN_YEAR, 31)
    over, month = divmod(first.month, _MONTHS_IN_YEAR)
    return date(first.year + over, month + 1, 1) - timedelta(days=1)
