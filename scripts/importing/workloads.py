"""Names of engines, workloads and instance types as the project spells them."""

from __future__ import annotations

import re

READ_RATIOS = {
    "oltp_read_only": "1",
    "oltp_read_write": "0.7778",
    "oltp_write_only": "0",
    "oltp_update_index": "0",
    "oltp_update_non_index": "0",
    "oltp_insert": "0",
    "select_only": "1",
    "tpcb": "0.2",
    "fileio_rndrd": "1",
    "fileio_rndrw": "0.6",
    "fileio_rndwr": "0",
}
"""Reads / (reads + writes), without BEGIN and COMMIT.

oltp_read_write has 14 reads and 4 writes; pgbench tpcb 1 select, 3 updates, 1 insert; fileio
rndrw sysbench's default 3:2. TPC-C, TPC-H and TATP are left unknown.
"""

ENGINES = {
    "Aurora MySQL": "aurora-mysql",
    "Aurora PostgreSQL": "aurora-postgresql",
    "PostgreSQL": "postgresql",
    "POSTGRESQL": "postgresql",
    "MYSQL": "mysql",
    "RDS MySQL": "mysql",
    "MySQL Community": "mysql",
    "MySQL (own build)": "mysql",
    "MySQL 8.0": "mysql",
    "MariaDB": "mariadb",
    "MariaDB 10.5": "mariadb",
    "Percona Server": "percona-server",
    "Percona Server 8.0": "percona-server",
    "InnoDB (Percona Server 5.7.22)": "percona-server",
    "MyRocks (Percona Server 5.7.22)": "myrocks",
    "Percona XtraDB Cluster 8.0 (Kubernetes operator)": "pxc",
    "Percona XtraDB Cluster 5.7.18 (3 nodes, 3 AZs)": "pxc",
    "PostgreSQL 12": "postgresql",
    "see file": "",
}
"""Published engine label → engine; an unknown label is a KeyError, so that none slips through."""


def version_of(label: str) -> str:
    """The version without packaging: ``10.11.16-MariaDB-ubu2204`` is ``10.11.16``."""
    return re.sub(r"(-MariaDB-.*| \(.*\))$", "", label)


def instance_type_of(label: str) -> tuple[str, str]:
    """The instance type behind a published label, and a note where the two differ.

    ``i3.ALL`` becomes ``i3.*``, the types of a family that have no row of their own. A label
    that names no type gives an empty instance type.
    """
    if label.endswith(".ALL"):
        return label.removesuffix("ALL") + "*", "rest of the family: types without an own row"
    if label.startswith("db.R"):
        return label.lower(), ""
    name, _, remark = label.partition(" (")
    if not remark:
        return label, ""
    if re.fullmatch(r"[a-z0-9]+\.[a-z0-9-]+", name):
        return name, "instance type from the set-up of an earlier post, not restated by the source"
    return "", f"instance type not stated ({name})"
