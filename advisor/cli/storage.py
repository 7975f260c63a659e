"""``advisor storage``: volumes alone at a wanted size, IOPS, throughput, threads and mix."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import space_flags as space
from advisor.cli.environment import current_settings
from advisor.cli.output import write_result, write_text
from advisor.cli.output_flags import AsCsv, AsJson, OutputFile, one_form
from advisor.cli.price_flags import Need, Offline, Refresh, refuse_both, say, sources_for
from advisor.cli.registry import new_app
from advisor.cli.words import completion, known, members, parsed
from advisor.domain.description import profile_named
from advisor.domain.names import INSTANCE_TYPES
from advisor.domain.quote import Subject
from advisor.domain.record import record
from advisor.domain.units import (
    format_size,
    is_decimal_size,
    parse_count,
    parse_number,
    parse_volume_gib,
)
from advisor.domain.vocabulary import StorageType
from advisor.domain.volumes import PAGE_KIB, PAGES_PER_MIB, VolumeAnswer, VolumeRequest
from advisor.domain.workload import Assumption
from advisor.errors import UsageError

app = new_app()

EXAMPLE = "advisor storage --size 500GiB --iops 3000"
DEFAULT_THREADS = 16
DEFAULT_RW = "read"
MAX_THREADS = 100_000
#: Beyond any volume by far; larger numbers are not worth a look at the limits.
_TOO_LARGE = 10**9
_NO_VOLUME = dict.fromkeys(("standard", "io-optimized"), "is Aurora's, which has no volumes")


@app.command()
def storage(  # noqa: PLR0913 (one parameter per flag is how typer declares them)
    *,
    size: Annotated[
        str | None,
        typer.Option(
            "--size", metavar="SIZE", help="Capacity: 500GiB; GB is read as AWS's GB, a GiB."
        ),
    ] = None,
    iops: Annotated[
        str | None, typer.Option("--iops", metavar="N", help="I/Os of 16 KiB per second to reach.")
    ] = None,
    throughput: Annotated[
        str | None,
        typer.Option("--throughput", metavar="MIB/S", help="MiB/s to reach. [what the IOPS carry]"),
    ] = None,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="N", help="I/Os that wait at the same time. [16]"),
    ] = None,
    rw: Annotated[
        str | None,
        typer.Option(
            "--rw",
            metavar="MIX",
            help="read, mixed, write, or the share of reads: 0.8 or 80%. [read]",
            autocompletion=completion(("read", "mixed", "write")),
        ),
    ] = None,
    instance: Annotated[
        str | None,
        typer.Option(
            "--instance",
            metavar="TYPE",
            help="Hold the volumes against its EBS limits; adds its local NVMe.",
            autocompletion=completion(INSTANCE_TYPES),
        ),
    ] = None,
    storage_type: space.StorageTypes = None,
    region: space.Region = None,
    offline: Offline = False,
    refresh: Refresh = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    output: OutputFile = None,
) -> None:
    """Compare EBS volumes alone: cost, IOPS, latency, tail, steadiness and burst.

    Needs --size and --iops; every other value is decided and printed as an assumption.
    """
    form = one_form(json=as_json, csv=as_csv)
    refuse_both(offline=offline, refresh=refresh)
    settings = current_settings()
    chosen_region, assumed = space.region_of(settings, region)
    request = _request(
        _Flags(size=size, iops=iops, throughput=throughput, threads=threads, rw=rw),
        instance_type=(None if instance is None else known("--instance", instance, INSTANCE_TYPES)),
        storage_types=members("--storage", storage_type, StorageType, _NO_VOLUME),
        region=chosen_region,
        assumed=assumed,
    )
    if StorageType.NVME in request.storage_types and request.instance_type is None:
        raise UsageError(
            "--storage nvme needs --instance: local disks come with an instance type",
            hint="name the instance type with --instance",
        )
    from advisor.session.storage import storage as answer

    need = Need((Subject.EBS,), lambda _: ())
    sources = sources_for(settings, chosen_region, need, offline=offline, refresh=refresh)
    found = answer(request, sources)
    _write(found, output, form)
    say(found.price_notes, found.price_as_of if form == "text" else None)


@record
class _Flags:
    """What the volumes are asked to be, as typed; None: not given."""

    size: str | None
    iops: str | None
    throughput: str | None
    threads: str | None
    rw: str | None


def _request(
    flags: _Flags,
    *,
    instance_type: str | None,
    storage_types: tuple[StorageType, ...],
    region: str,
    assumed: tuple[Assumption, ...],
) -> VolumeRequest:
    size = parsed("--size", flags.size, parse_volume_gib)
    iops = parsed("--iops", flags.iops, parse_count)
    if size is None or iops is None:
        missing = [flag for flag, value in (("--size", size), ("--iops", iops)) if value is None]
        raise UsageError(f"missing {' and '.join(missing)}; for example: {EXAMPLE}")
    profile = profile_named(DEFAULT_RW)
    if flags.rw is not None:
        profile = parsed("--rw", flags.rw, profile_named) or profile
    if profile.name == "point":
        raise UsageError(
            "--rw point is a transaction, not a mix of I/Os", hint="--rw takes read, mixed, write"
        )
    threads = parsed("--threads", flags.threads, parse_count)
    throughput = parsed("--throughput", flags.throughput, parse_number)
    _check("--size", size, "GiB")
    _check("--iops", iops, "")
    if throughput is not None:
        _check("--throughput", throughput, "MiB/s")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"--threads {threads:,} must be from 1 to {MAX_THREADS:,}")
    return VolumeRequest(
        size_gib=size,
        iops=iops,
        throughput_mib_per_s=None if throughput is None else -int(-throughput // 1),
        threads=DEFAULT_THREADS if threads is None else threads,
        rw=profile.name,
        read_ratio=profile.read_ratio,
        storage_types=storage_types,
        instance_type=instance_type,
        region=region,
        assumed=(*_assumptions(flags, size, iops), *assumed),
    )


def _check(flag: str, value: float, unit: str) -> None:
    if value <= 0:
        raise UsageError(f"{flag} must be above 0")
    if value > _TOO_LARGE:
        raise UsageError(f"{flag} is beyond any volume: more than {_TOO_LARGE:,} {unit}".rstrip())


def _assumptions(flags: _Flags, size_gib: int, iops: int) -> tuple[Assumption, ...]:
    """Return what was decided for the user."""
    found = []
    if flags.size is not None and is_decimal_size(flags.size):
        found.append(
            Assumption(
                name="size",
                value=format_size(size_gib),
                reason=f"{flags.size.strip()[:20]}: AWS sells and bills GiB under the name GB",
            )
        )
    if flags.throughput is None:
        found.append(
            Assumption(
                name="throughput",
                value=f"{iops / PAGES_PER_MIB:,.1f} MiB/s",
                reason=f"what the IOPS carry in I/Os of {PAGE_KIB} KiB",
            )
        )
    if flags.threads is None:
        found.append(Assumption(name="threads", value=str(DEFAULT_THREADS), reason="default"))
    if flags.rw is None:
        found.append(Assumption(name="rw", value=DEFAULT_RW, reason="default"))
    found.append(
        Assumption(
            name="io-size", value=f"{PAGE_KIB}KiB", reason="the page of InnoDB, as it was measured"
        )
    )
    return tuple(found)


def _write(answer: VolumeAnswer, output: Path | None, form: str) -> None:
    """Render and write the answer."""
    if form == "json":
        from advisor.render.storage_json import storage_json

        write_result(storage_json(answer), output)
        return
    if form == "csv":
        from advisor.render.storage_json import storage_csv

        write_result(storage_csv(answer), output)
        return
    from advisor.render.storage import storage_text

    text = storage_text(answer)
    write_text(text, output)
