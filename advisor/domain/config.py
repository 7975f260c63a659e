"""CONFIG: one configuration as every command prints and takes it.

``[platform/]engine/instance/storage[/xN|/multi-az]``, such as
``ec2/mysql/c6g.2xlarge/gp3:200GiB:6000:250``; storage is ``[Nx]type[:size[:IOPS[:MiB/s]]]`` with
figures per volume. Owns the grammar and the check of names, without I/O; whether a volume can have
such figures is for ``stated_storage``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from advisor.domain.names import DB_CLASSES, INSTANCE_TYPES
from advisor.domain.record import record
from advisor.domain.spelling import did_you_mean, nearest
from advisor.domain.units import parse_count, parse_volume_gib
from advisor.domain.vocabulary import (
    ENGINES_ON,
    STORAGE_ON,
    Availability,
    Engine,
    Platform,
    StorageType,
)
from advisor.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from advisor.domain.candidate import Candidate

    NewerTypes = Callable[[], Collection[str]]

GRAMMAR = "[platform/]engine/instance/storage[/xN]"
EXAMPLE = "ec2/mysql/c6g.2xlarge/gp3:200GiB:6000:250"
_MULTI_AZ = "multi-az"
#: Volumes that AWS attaches to one instance, at most.
MAX_VOLUMES = 128
#: Aurora's writer and 15 readers; no deployment that this program knows has more.
MAX_NODES = 16
#: Beyond every volume; the limits of the type refuse smaller impossibilities by name.
_MAX_FIGURE = 2**40
#: Characters of a wrong CONFIG that are shown.
_SHOWN = 80
#: Twice what the longest names with all figures take.
_LONGEST = 200
#: engine/instance/storage, before and after the optional parts.
_LEAST_PARTS = 3
_T = TypeVar("_T")


@record
class Config:
    """A configuration as written; None: left out, or no property of the storage type."""

    platform: Platform
    engine: Engine
    instance_type: str
    """EC2 instance type, or DB instance class on RDS and Aurora."""
    storage_type: StorageType
    size_gib: int | None = None
    """Of one volume; None on local disks and Aurora."""
    iops: int | None = None
    """Of one volume, gp3, io1 and io2 only."""
    throughput_mib_per_s: int | None = None
    """Of one volume, gp3 only."""
    count: int = 1
    """Volumes striped together (RAID0)."""
    nodes: int = 1
    """Database nodes; an RDS Multi-AZ deployment is one."""
    is_multi_az: bool = False
    """Whether it is an RDS Multi-AZ deployment."""

    def __str__(self) -> str:
        parts = [self.platform.value, self.engine.value, self.instance_type, self.storage]
        if self.is_multi_az:
            parts.append(_MULTI_AZ)
        elif self.nodes > 1:
            parts.append(f"x{self.nodes}")
        return "/".join(parts)

    @property
    def storage(self) -> str:
        """The storage part: ``2xgp3:500GiB:6000:250``."""
        copies = f"{self.count}x" if self.count > 1 else ""
        parts = [f"{copies}{self.storage_type.value}"]
        if self.size_gib is not None:
            parts.append(f"{self.size_gib}GiB")
            figures = (self.iops, self.throughput_mib_per_s)
            parts += [str(figure) for figure in figures if figure is not None]
        return ":".join(parts)

    @property
    def availability(self) -> Availability:
        """The availability that so many nodes of the engine give."""
        if self.is_multi_az:
            return Availability.MULTI_AZ
        if self.nodes == 1:
            return Availability.SINGLE
        is_pair = self.platform is Platform.AURORA and self.nodes == 2  # noqa: PLR2004 (writer and reader)
        if self.engine is Engine.PXC or (self.platform is Platform.AURORA and not is_pair):
            return Availability.CLUSTER
        return Availability.MULTI_AZ


def parse_config(text: str, flag: str = "CONFIG", newer: NewerTypes = tuple) -> Config:
    """Return the configuration that ``text`` writes; UsageError names the nearest right name.

    ``flag`` is what the message calls it; ``newer`` gives the EC2 types that came after the bundled
    catalogue, and is asked for a name that is not in it.
    """
    try:
        return _parse(text, newer)
    except ValueError as error:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise UsageError(
            f"{flag} {shown!r}: {error}", hint=f"CONFIG is {GRAMMAR}, such as {EXAMPLE}"
        ) from error


def config_of(candidate: Candidate) -> Config:
    """Return the configuration of a candidate, with every figure that its storage type has."""
    storage = candidate.storage
    kind = storage.type
    has_size = kind is not StorageType.NVME and not kind.is_aurora
    return Config(
        platform=candidate.platform,
        engine=candidate.engine,
        instance_type=candidate.instance.name,
        storage_type=kind,
        size_gib=storage.size_gib if has_size else None,
        iops=storage.iops if kind.is_provisioned else None,
        throughput_mib_per_s=storage.throughput_mib_per_s if kind is StorageType.GP3 else None,
        count=storage.count if has_size else 1,
        nodes=candidate.nodes,
        is_multi_az=candidate.is_multi_az,
    )


def _parse(text: str, newer: NewerTypes) -> Config:
    if len(text) > _LONGEST:
        raise ValueError(f"is longer than {_LONGEST} characters")
    parts = [part.strip().lower() for part in text.split("/")]
    platform = Platform.EC2
    if parts[0] in tuple(Platform):
        platform, parts = Platform(parts[0]), parts[1:] or [""]
    elif len(parts) > 1 and parts[1] in tuple(Engine):
        raise ValueError(
            f"platform {parts[0]!r} is not known{did_you_mean(parts[0], tuple(Platform))}"
        )
    if not parts:
        raise ValueError("an engine, an instance and storage are missing")
    engine = _engine(platform, parts[0])
    if len(parts) < _LEAST_PARTS:
        missing = "an instance and storage" if len(parts) == 1 else "storage"
        raise ValueError(f"{missing} are missing" if len(parts) == 1 else f"{missing} is missing")
    if len(parts) > _LEAST_PARTS + 1:
        raise ValueError(f"nothing may follow {'/'.join(parts[: _LEAST_PARTS + 1])}")
    instance_type = _instance(platform, parts[1], newer)
    config = replace(_storage(platform, parts[2]), engine=engine, instance_type=instance_type)
    return _copies(config, parts[3]) if len(parts) > _LEAST_PARTS else config


def _engine(platform: Platform, word: str) -> Engine:
    on_platform = ENGINES_ON[platform]
    if word in on_platform:
        return Engine(word)
    if f"{platform}-{word}" in on_platform:
        raise ValueError(f"{platform} runs {platform}-{word}, not {word}")
    if word in tuple(Engine):
        homes = [other.value for other in Platform if word in ENGINES_ON[other]]
        raise ValueError(f"{platform} does not run {word}; write {' or '.join(homes)}/{word}/…")
    if not word:
        raise ValueError("an engine is missing")
    if word in INSTANCE_TYPES or word in DB_CLASSES:
        raise ValueError(f"an engine is missing before {word}")
    elsewhere = {
        engine.value: f"{other}/{engine}"
        for other in Platform
        for engine in ENGINES_ON[other]
        if engine not in on_platform
    }
    name = nearest(word, [*on_platform, *Platform, *elsewhere])
    if f"{platform}-{name}" in on_platform:
        name = f"{platform}-{name}"
    guess = f"; did you mean {elsewhere.get(name, name)}?" if name else ""
    raise ValueError(f"engine {word!r} is not known on {platform}{guess}")


def _instance(platform: Platform, word: str, newer: NewerTypes) -> str:
    names = INSTANCE_TYPES if platform is Platform.EC2 else DB_CLASSES
    if word in names or (platform is Platform.EC2 and word and word in newer()):
        return word
    what = "instance type" if platform is Platform.EC2 else "DB instance class"
    if not word:
        raise ValueError(f"an {what} is missing" if what[0] == "i" else f"a {what} is missing")
    if platform is Platform.EC2 and word in DB_CLASSES:
        raise ValueError(f"{word} is a class of RDS and Aurora, not an EC2 instance type")
    if platform is not Platform.EC2 and f"db.{word}" in names:
        raise ValueError(f"{what} {word!r} is not known; did you mean db.{word}?")
    raise ValueError(f"{what} {word!r} is not known{did_you_mean(word, names)}")


def _storage(platform: Platform, text: str) -> Config:
    """Return a configuration of the storage alone; engine and instance are put in by the caller."""
    first, *figures = (part.strip() for part in text.split(":"))
    copies, sign, word = first.partition("x")
    if sign and copies.isdigit():
        count = _figure("volumes", copies, parse_count, 1, MAX_VOLUMES)
    else:
        count, word = 1, first
    kind = _storage_type(platform, word)
    if kind is StorageType.NVME or kind.is_aurora:
        if figures or count > 1:
            what = "all local disks" if kind is StorageType.NVME else "storage that grows by itself"
            raise ValueError(f"{kind} means {what}; it takes no figures")
        return _storage_config(platform, kind)
    return _volume(platform, kind, count, figures)


def _volume(platform: Platform, kind: StorageType, count: int, figures: list[str]) -> Config:
    names = ["size", "IOPS", "MiB/s"]
    taken = 3 if kind is StorageType.GP3 else 2 if kind.is_provisioned else 1
    if len(figures) > taken:
        reason = {1: "its size gives IOPS and MiB/s", 2: "its IOPS give MiB/s", 3: "no more"}[taken]
        raise ValueError(f"{kind} takes {', '.join(names[:taken])}: {reason}")
    if platform is Platform.RDS and count > 1:
        raise ValueError("RDS stripes volumes by itself; leave out the number of volumes")
    size = _figure("size", figures[0], parse_volume_gib, 1, _MAX_FIGURE) if figures else None
    iops, throughput = (
        _figure(name, figures[index], parse_count, 1, _MAX_FIGURE) if len(figures) > index else None
        for index, name in ((1, "IOPS"), (2, "MiB/s"))
    )
    if kind in (StorageType.IO1, StorageType.IO2) and iops is None:
        sized = f"{size}GiB" if size is not None else "200GiB"
        raise ValueError(f"{kind} needs its IOPS, such as {kind}:{sized}:6000")
    return replace(
        _storage_config(platform, kind),
        size_gib=size,
        iops=iops,
        throughput_mib_per_s=throughput,
        count=count,
    )


def _storage_config(platform: Platform, kind: StorageType) -> Config:
    return Config(
        platform=platform, engine=ENGINES_ON[platform][0], instance_type="", storage_type=kind
    )


def _storage_type(platform: Platform, word: str) -> StorageType:
    kinds = tuple(kind.value for kind in STORAGE_ON[platform])
    if word in kinds:
        return StorageType(word)
    if word in tuple(StorageType):
        raise ValueError(f"{platform} has no {word} storage; it has {', '.join(kinds)}")
    if not word:
        raise ValueError("storage is missing")
    raise ValueError(f"storage type {word!r} is not known{did_you_mean(word, kinds)}")


def _copies(config: Config, word: str) -> Config:
    """Return ``config`` with the nodes that its last part says."""
    platform = config.platform
    if word == _MULTI_AZ:
        if platform is not Platform.RDS:
            nodes = 3 if platform is Platform.EC2 else 2
            raise ValueError(f"multi-az is a deployment of RDS; on {platform} write x{nodes}")
        return replace(config, is_multi_az=True)
    if not (word.startswith("x") and word[1:].isdigit()):
        raise ValueError(f"{word!r} is no number of nodes such as x3")
    nodes = _figure("nodes", word[1:], parse_count, 1, MAX_NODES)
    if platform is Platform.RDS and nodes > 1:
        raise ValueError("RDS takes multi-az instead of a number of nodes")
    return replace(config, nodes=nodes)


def _figure(name: str, text: str, parse: Callable[[str], int], least: int, most: int) -> int:
    try:
        value = parse(text)
    except ValueError as error:
        raise ValueError(f"{name} {text!r} {error}") from None
    if not least <= value <= most:
        raise ValueError(f"{name} {text!r} must be from {least:,} to {most:,}")
    return value
