"""What RDS and Aurora let one set, and where: parameter groups, fixed parameters, no file.

Facts from the parameter tables of the RDS and Aurora user guides (source ids in
``data/sources/advice.csv``); "set by" marks what cannot be changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Engine, Platform

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.recommend.settings import Row, Server

#: Parameter group family of the version that ``data/advice/engine_versions.csv`` advises.
FAMILIES = {
    Engine.MYSQL: "mysql8.4",
    Engine.POSTGRESQL: "postgres17",
    Engine.AURORA_MYSQL: "aurora-mysql8.4",
    Engine.AURORA_POSTGRESQL: "aurora-postgresql17",
}
#: Parameters that RDS fixes, with what stands behind them.
_FIXED_ON_RDS = {
    "innodb_flush_method": "RDS uses O_DIRECT",
    "innodb_doublewrite": "on, unless the class and version have Optimized Writes",
    "log_bin": "on while automated backups are kept",
    "binlog_expire_logs_seconds": "retained by mysql.rds_set_configuration instead",
    "fsync": "RDS keeps it on",
    "full_page_writes": "RDS keeps it on",
    "huge_pages": "on, but for the smallest classes",
    "synchronous_standby_names": "the standby is a copy of the volume",
    "wal_level": "set by rds.logical_replication",
}
#: Parameters without a meaning on Aurora's storage: no page is written, no checkpoint taken.
_WITHOUT_MEANING = frozenset(
    {
        "innodb_redo_log_capacity", "innodb_log_buffer_size", "innodb_io_capacity",
        "innodb_io_capacity_max", "innodb_flush_method", "innodb_flush_neighbors",
        "innodb_doublewrite", "innodb_buffer_pool_instances", "fsync", "full_page_writes",
        "wal_buffers", "max_wal_size", "checkpoint_timeout", "checkpoint_completion_target",
        "wal_compression", "effective_io_concurrency", "huge_pages", "log_bin",
        "binlog_expire_logs_seconds", "sync_binlog",
    }
)  # fmt: skip
#: Aurora sizes its caches by the class; these values differ from a server's on EBS.
_AURORA_DEFAULTS = {
    "innodb_buffer_pool_size": "3/4 of memory; it survives a restart of the server",
    "shared_buffers": "about 3/4 of memory: there is no cache of the operating system below",
    "effective_cache_size": "follows the class",
}
#: Units of parameter groups: bytes of one, and its name. Values without one are plain numbers.
_UNITS = {
    "innodb_buffer_pool_size": (1, "bytes"),
    "innodb_redo_log_capacity": (1, "bytes"),
    "innodb_log_buffer_size": (1, "bytes"),
    "shared_buffers": (8 * 2**10, "pages of 8 KiB"),
    "effective_cache_size": (8 * 2**10, "pages of 8 KiB"),
    "wal_buffers": (8 * 2**10, "pages of 8 KiB"),
    "work_mem": (2**10, "KiB"),
    "maintenance_work_mem": (2**10, "KiB"),
    "max_wal_size": (2**20, "MiB"),
    "checkpoint_timeout": (1, "seconds"),
}
_SUFFIXES = {"K": 2**10, "M": 2**20, "G": 2**30, "min": 60}


def managed_rows(server: Server, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows as RDS or Aurora take them, after the parameter group that holds them."""
    family = FAMILIES[server.engine]
    if server.candidate.platform is Platform.RDS:
        yield (
            "DB parameter group",
            family,
            "a group of your own: the default one cannot be changed",
        )
        yield from _rds(rows)
        return
    yield (
        "DB cluster parameter group",
        family,
        "a group of your own; parameters of single instances go to a DB parameter group",
    )
    yield from _aurora(server, rows)


def _rds(rows: Iterable[Row]) -> Iterator[Row]:
    for name, value, reason in rows:
        fixed = _FIXED_ON_RDS.get(name)
        if fixed is not None:
            yield name, "set by RDS", fixed
        elif not name.startswith("rpl_semi_sync"):
            yield name, *_in_units(name, value, reason)


def _in_units(name: str, value: str, reason: str) -> tuple[str, str]:
    """Return value and reason as a parameter group takes them: whole numbers of a fixed unit."""
    unit = _UNITS.get(name)
    if unit is None:
        return value, reason
    number = value.rstrip("KMGBmin")
    size = int(number) * _SUFFIXES[value[len(number) :].removesuffix("B")]
    return str(size // unit[0]), f"in {unit[1]}; {reason}"


def _aurora(server: Server, rows: Iterable[Row]) -> Iterator[Row]:
    dropped = []
    for name, value, reason in rows:
        if name in _WITHOUT_MEANING:
            dropped.append(name)
        elif name in _AURORA_DEFAULTS:
            yield name, "Aurora's default", _AURORA_DEFAULTS[name]
        elif name in ("innodb_flush_log_at_trx_commit", "synchronous_commit"):
            yield name, "1" if name.startswith("innodb") else "on", _commit_reason(server)
        else:
            yield name, *_in_units(name, value, reason)
    if server.engine is Engine.AURORA_MYSQL:
        yield (
            "binlog_format",
            "OFF",
            "readers share the storage; with ROW, for replication outside, commits wait for it",
        )
    yield "without effect", ", ".join(dropped), "Aurora writes no pages and takes no checkpoints"


def _commit_reason(server: Server) -> str:
    if server.is_full:
        return "full durability: a commit waits for 4 of 6 copies"
    return (
        "left durable although relaxed was asked: the storage confirms commits in groups, and the "
        "vendor advises against less"
    )
