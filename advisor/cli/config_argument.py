"""The CONFIG argument and the request around it, shared by every command that takes a CONFIG."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.space_flags import market_of
from advisor.cli.words import completion
from advisor.cli.workload_flags import WorkloadFlags, described_workload
from advisor.domain.config import Config, parse_config
from advisor.domain.names import INSTANCE_TYPES
from advisor.domain.recommendation import Constraints, Request
from advisor.domain.vocabulary import ENGINES_ON, Platform
from advisor.settings import Settings

EXAMPLE = "mysql/m7g.2xlarge/gp3:200GiB:6000:250"


def complete_config(incomplete: str) -> list[str]:
    """Return what may follow: an engine of EC2, then an instance type."""
    head, slash, last = incomplete.rpartition("/")
    words = INSTANCE_TYPES if slash else (*Platform, *ENGINES_ON[Platform.EC2])
    if head in tuple(Platform):
        words = ENGINES_ON[Platform(head)]
    return [f"{head}{slash}{word}/" for word in completion(words)(last)]


OneConfig = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help=f"[platform/]engine/instance/storage[/xN], such as {EXAMPLE}.",
        autocompletion=complete_config,
    ),
]
SeveralConfigs = Annotated[
    list[str],
    typer.Argument(
        metavar="CONFIG...",
        help=f"Two to four of [platform/]engine/instance/storage[/xN], such as {EXAMPLE}.",
        autocompletion=complete_config,
    ),
]


def stated_config(text: str, flag: str = "CONFIG") -> Config:
    """Return the configuration that ``text`` writes; types that live prices brought count too."""
    return parse_config(text, flag, newer_types_here)


def newer_types_here() -> tuple[str, ...]:
    """Return the instance types that the cache of live prices knows beyond the bundled ones."""
    from advisor.session.sources import CACHE_NAME, newer_types
    from advisor.settings import user_directories

    return newer_types(user_directories().cache / CACHE_NAME)


def request_of(  # noqa: PLR0913 (a request in parts)
    flags: WorkloadFlags,
    settings: Settings,
    *,
    example: str,
    region: str | None,
    term: str | None,
    payment: str | None,
) -> Request:
    """Return the request about stated configurations: nothing is ranked, so no objective counts.

    ``example`` is the command line to show when flags are missing.
    """
    workload = described_workload(flags, settings, example=example)
    market = market_of(settings, region=region, term=term, payment=payment)
    return Request(
        workload=workload,
        constraints=Constraints(),
        region=market.region,
        term=market.term,
        payment=market.payment,
        assumed=market.assumed,
    )
