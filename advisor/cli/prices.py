"""``advisor prices``: live prices fetched, accepted, looked at; their age and gaps."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsJson, OutputFile
from advisor.cli.progress import Progress
from advisor.cli.registry import new_app
from advisor.cli.space_flags import Region, region_of
from advisor.cli.words import completion, known, member, members
from advisor.domain.names import INSTANCE_TYPES, REGIONS
from advisor.domain.price_report import Outcome, Route
from advisor.domain.quote import Subject
from advisor.domain.spelling import did_you_mean
from advisor.domain.vocabulary import EBS_TYPES
from advisor.errors import PricingError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from advisor.domain.price_report import RefreshReport
    from advisor.session.prices import LivePrices
    from advisor.settings import Settings

app = new_app("Live prices: fetch, accept, look at; how old they are and what they lack.")

#: Every commercial region.
ALL = "all"
#: What a refresh fetches without --what: on-demand prices of all that can be recommended.
_USUAL = (Subject.EC2, Subject.EBS, Subject.RDS, Subject.AURORA)
_CLASS = re.compile(r"db\.[a-z0-9-]+\.[a-z0-9-]+")
_TYPE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+")

Regions = Annotated[
    list[str] | None,
    typer.Option(
        "--region",
        metavar="REGION",
        help="Regions, or all. [that of the settings]",
        autocompletion=completion((ALL, *REGIONS)),
    ),
]


@app.command()
def refresh(  # noqa: PLR0913 (one parameter per flag is how typer declares them)
    *,
    region: Regions = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="WORD",
            help="auto, feeds, bulk or api. [auto: feeds, api with credentials, bulk]",
            autocompletion=completion(("auto", "feeds", "bulk", "api")),
        ),
    ] = None,
    what: Annotated[
        list[str] | None,
        typer.Option(
            "--what",
            metavar="WORD",
            help="ec2, ebs, rds, aurora, spot, reserved, savings. [ec2, ebs, rds, aurora]",
            autocompletion=completion(tuple(Subject)),
        ),
    ] = None,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Use prices that were kept apart, or would be."),
    ] = False,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Fetch live prices, say what changed, and use them from now on.

    Prices that moved too far are kept apart until they are accepted.
    """
    settings = current_settings()
    route = member("--source", source, Route) or Route.AUTO
    subjects = members("--what", what, Subject) or _USUAL
    regions = _regions(settings, region)
    prices = _prices(settings)
    if accept and source is None and what is None:
        reports = _accepted(prices, regions)
    else:
        reports = tuple(_fetched(prices, regions, subjects, route, accepts=accept))
    from advisor.render.price_refresh import refresh_json, refresh_text

    if as_json:
        write_result(refresh_json(reports), output)
    else:
        write_text("\n".join(refresh_text(each) for each in reports), output)
    _end(reports, route)


@app.command()
def status(*, region: Region = None, as_json: AsJson = False, output: OutputFile = None) -> None:
    """Show source, age, coverage and gaps of live and bundled prices."""
    from advisor.render.price_status import status_json, status_text

    settings = current_settings()
    chosen, _ = region_of(settings, region)
    found = _prices(settings).status()
    if as_json:
        write_result(status_json(found), output)
    else:
        write_text(status_text(found, (chosen,), datetime.now(UTC)), output)


@app.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="TYPE|VOLUME|CLASS",
            help="Instance type (m7g.large), class (db.m7g.large) or volume (gp3).",
            autocompletion=completion((*INSTANCE_TYPES, *EBS_TYPES)),
        ),
    ],
    *,
    region: Region = None,
    history: Annotated[
        bool, typer.Option("--history", help="Add how live prices changed.")
    ] = False,
    as_json: AsJson = False,
    output: OutputFile = None,
) -> None:
    """Show every price of a name under each term and payment, with source and day.

    An upfront payment is spread over the hours of its term, and shown beside.
    """
    from advisor.render.price_listing import listing_json, listing_text

    settings = current_settings()
    chosen, _ = region_of(settings, region)
    found = _prices(settings).listing(name, chosen)
    if not (found.live.prices or found.bundled or found.own):
        raise _unknown(name, chosen)
    if as_json:
        write_result(listing_json(found), output)
    else:
        write_text(listing_text(found, has_history=history), output)


def _regions(settings: Settings, said: list[str] | None) -> tuple[str, ...]:
    from advisor.session.prices import regions_of_feeds

    if not said:
        chosen, _ = region_of(settings, None)
        return (chosen,)
    every = regions_of_feeds()
    words = [part for word in said for part in word.split(",") if part]
    if ALL in words:
        return every
    return tuple(dict.fromkeys(known("--region", word, (*every, ALL)) for word in words))


def _prices(settings: Settings) -> LivePrices:
    from advisor.session.prices import LivePrices
    from advisor.session.sources import sources_of
    from advisor.settings import user_directories

    return LivePrices(settings, sources_of(settings, user_directories(), is_offline=False))


def _accepted(prices: LivePrices, regions: Sequence[str]) -> tuple[RefreshReport, ...]:
    found = (prices.accept(each) for each in regions)
    reports = tuple(report for report in found if report is not None)
    if not reports:
        raise UsageError(
            f"no prices are kept apart for {', '.join(regions)}",
            hint="advisor prices status lists what is; advisor prices refresh fetches",
        )
    return reports


def _fetched(
    prices: LivePrices,
    regions: Sequence[str],
    subjects: Sequence[Subject],
    route: Route,
    *,
    accepts: bool,
) -> Iterator[RefreshReport]:
    for number, each in enumerate(regions, 1):
        where = f"{each} ({number} of {len(regions)}) " if regions[1:] else ""
        with Progress() as progress:
            yield prices.refresh(each, subjects, route, _heard(progress, where), accepts=accepts)


def _heard(progress: Progress, where: str) -> Callable[[str, int, int | None], None]:
    def heard(what: str, done: int, total: int | None) -> None:
        progress(f"{where}{what}", done, total)

    return heard


def _other_way(report: RefreshReport, route: Route) -> str:
    """Return what to try after a refresh that brought nothing."""
    if report.outcome is Outcome.NOT_STORED:
        return "advisor info names the cache; make its directory writable, or set XDG_CACHE_HOME"
    if route in (Route.FEEDS, Route.API):
        return "advisor prices refresh --source bulk needs neither feeds nor credentials"
    return "answers go on with the prices of before; a proxy is taken from HTTPS_PROXY"


def _end(reports: Sequence[RefreshReport], route: Route) -> None:
    """Raise PricingError unless every region has new prices in use."""
    held = [each.region for each in reports if each.outcome is Outcome.HELD]
    failed = [each for each in reports if each.outcome in (Outcome.NOTHING, Outcome.NOT_STORED)]
    if failed:
        raise PricingError(
            f"no new prices for {', '.join(each.region for each in failed)}: {failed[0].problem}",
            hint=_other_way(failed[0], route),
        )
    if held:
        regions = " ".join(f"--region {each}" for each in held)
        raise PricingError(
            f"new prices for {', '.join(held)} moved too far and are not used",
            hint=f"advisor prices refresh {regions} --accept",
        )


def _unknown(name: str, region: str) -> UsageError:
    is_name = _CLASS.fullmatch(name) or _TYPE.fullmatch(name) or name in EBS_TYPES
    if is_name and (name in INSTANCE_TYPES or name in EBS_TYPES or name.startswith("db.")):
        return UsageError(
            f"{name} has no known price in {region}",
            hint="advisor prices refresh fetches live ones; name another region with --region",
        )
    return UsageError(
        f"{name!r} is no instance type, class or volume type"
        f"{did_you_mean(name, (*INSTANCE_TYPES, *EBS_TYPES))}",
        hint="such as m7g.large, db.m7g.large or gp3",
    )
