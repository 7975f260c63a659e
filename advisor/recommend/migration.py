"""How to get to a pick, in one line; ``docs/migrate.md`` tells the steps, checks and ways back.

Owns which way fits which pair of platforms. Must never claim a duration: it depends on the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Architecture, Dialect, Engine, Platform, StorageType

if TYPE_CHECKING:
    from advisor.domain.candidate import Candidate

#: Where the steps stand.
GUIDE = "docs/migrate.md"
_POSTGRESQL_WAYS = {
    (Platform.EC2, Platform.EC2): "stream to a standby on the new instance and promote it",
    (Platform.EC2, Platform.RDS): (
        "load the schema, replicate logically (publication on EC2, subscription on RDS), switch "
        "when the lag is nil"
    ),
    (Platform.EC2, Platform.AURORA): (
        "load the schema, replicate logically or with DMS, switch when the lag is nil"
    ),
    (Platform.RDS, Platform.RDS): "change the class in a window, or with a blue/green deployment",
    (Platform.RDS, Platform.AURORA): (
        "make an Aurora read replica of the instance, promote it when the lag is nil"
    ),
    (Platform.RDS, Platform.EC2): (
        "load the schema, replicate logically out of RDS, switch when the lag is nil"
    ),
    (Platform.AURORA, Platform.AURORA): "add a reader of the new class and fail over to it",
    (Platform.AURORA, Platform.RDS): (
        "load the schema, replicate logically or with DMS, switch when the lag is nil"
    ),
    (Platform.AURORA, Platform.EC2): (
        "load the schema, replicate logically or with DMS, switch when the lag is nil"
    ),
}
_MYSQL_WAYS = {
    (Platform.EC2, Platform.EC2): (
        "copy with XtraBackup or the clone plugin to the new instance, replicate, switch when the "
        "lag is nil"
    ),
    (Platform.EC2, Platform.RDS): (
        "restore a physical backup from S3, or a dump, replicate by binary log, switch when the "
        "lag is nil"
    ),
    (Platform.EC2, Platform.AURORA): (
        "restore a physical backup from S3 into Aurora (small data: a dump), replicate by binary "
        "log or DMS, switch when the lag is nil"
    ),
    (Platform.RDS, Platform.RDS): "change the class in a window, or with a blue/green deployment",
    (Platform.RDS, Platform.AURORA): (
        "make an Aurora read replica of the instance, promote it when the lag is nil; a snapshot "
        "if writes can stop"
    ),
    (Platform.RDS, Platform.EC2): (
        "dump from a read replica, replicate by binary log out of RDS, switch when the lag is nil"
    ),
    (Platform.AURORA, Platform.AURORA): "add a reader of the new class and fail over to it",
    (Platform.AURORA, Platform.RDS): (
        "dump from a clone, replicate by binary log out of Aurora, switch when the lag is nil"
    ),
    (Platform.AURORA, Platform.EC2): (
        "dump from a clone, replicate by binary log out of Aurora, switch when the lag is nil"
    ),
}


def how_to_get_there(pick: Candidate, current: Candidate | None = None) -> str:
    """Return one line: from ``current``, or from a server of the same dialect elsewhere."""
    if current is None:
        return f"From another server: {_way(Platform.EC2, pick)} ({GUIDE})."
    if current.config == pick.config:
        return "Nothing to move: it is what runs now."
    if current.engine.dialect is not pick.engine.dialect:
        return (
            f"From {current.engine} to {pick.engine}: convert the schema and test every query, "
            f"then load and replicate with DMS; a project, not a move ({GUIDE})."
        )
    if _is_in_place(pick, current):
        return f"{_in_place(pick, current)} ({GUIDE})."
    steps = [_way(current.platform, pick, current), *_extras(pick, current)]
    return f"From {current.platform}: {'; '.join(steps)} ({GUIDE})."


def _way(origin: Platform, pick: Candidate, current: Candidate | None = None) -> str:
    if pick.engine.dialect is Dialect.POSTGRESQL:
        return _POSTGRESQL_WAYS[origin, pick.platform]
    files_differ = current is not None and _files(current.engine) != _files(pick.engine)
    if pick.engine is Engine.MYROCKS and (current is None or files_differ):
        return "dump and load into MyRocks (files differ), replicate, switch when the lag is nil"
    if files_differ and pick.platform is Platform.EC2:
        return "dump and load (files differ), replicate by binary log, switch when the lag is nil"
    if pick.engine is Engine.PXC:
        way = _MYSQL_WAYS[origin, pick.platform]
        return f"{way}; then let the other two nodes join and copy from the first (SST)"
    return _MYSQL_WAYS[origin, pick.platform]


def _files(engine: Engine) -> str:
    """Return the family whose files a server reads: physical copies work within one."""
    if engine in (Engine.MARIADB, Engine.MYROCKS):
        return engine.value
    return "innodb"


def _is_in_place(pick: Candidate, current: Candidate) -> bool:
    """Return whether only volume or instance change, on EC2 with EBS, in the same engine."""
    return (
        pick.platform is current.platform is Platform.EC2
        and pick.engine is current.engine
        and pick.nodes == current.nodes
        and StorageType.NVME not in (pick.storage.type, current.storage.type)
        and pick.storage.count == current.storage.count
        and pick.instance.architecture is current.instance.architecture
        and pick.storage.size_gib >= current.storage.size_gib
    )


def _in_place(pick: Candidate, current: Candidate) -> str:
    """Return what to change on the running server."""
    steps = []
    if str(pick.storage) != str(current.storage):
        steps.append(
            f"modify the volume from {current.storage.type} to {pick.storage} while it serves "
            "(slower while it is optimised; AWS limits how often)"
        )
    if pick.instance.name != current.instance.name:
        steps.append(
            f"stop the instance, change its type to {pick.instance.name}, start it: minutes of "
            "downtime, cold caches"
        )
    text = "; ".join(steps) or "change the configuration on the running server"
    return text[0].upper() + text[1:]


def _extras(pick: Candidate, current: Candidate) -> list[str]:
    """Return what the change of architecture and storage asks for beside the copy."""
    found = []
    if pick.instance.architecture is not current.instance.architecture:
        found.append(_architecture(pick))
    if pick.storage.type is StorageType.NVME and current.storage.type is not StorageType.NVME:
        found.append("bring up replicas and a stream of the log off the hosts before the switch")
    if pick.storage.size_gib < current.storage.size_gib and pick.platform is current.platform:
        found.append("a volume cannot shrink: the copy goes to a new one")
    return found


def _architecture(pick: Candidate) -> str:
    """Return what a move between x86 and Arm checks."""
    if pick.platform is not Platform.EC2:
        return "AWS runs the same engine on both architectures"
    arm = pick.instance.architecture is Architecture.ARM64
    return (
        f"the data files are the same on {'Arm' if arm else 'x86'}; check packages, plugins, "
        "agents and backup tools first"
    )
