"""The catalogue against the traps of its sources, and against published figures of AWS."""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
SHARED = ROOT.parent / "shared"

Row = dict[str, str]


def read(path: str) -> list[Row]:
    with (DATA / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def types() -> dict[str, Row]:
    return {row["instance_type"]: row for row in read("catalogue/instance_types.csv")}


@pytest.fixture(scope="module")
def limits() -> dict[tuple[str, str, str], Row]:
    rows = read("catalogue/volume_limits.csv")
    return {(row["platform"], row["volume_type"], row["from_gib"]): row for row in rows}


# Units


@pytest.mark.parametrize(
    ("name", "iops", "mbps"),
    [
        ("m6i.2xlarge", (12000, 40000), (2500, 10000)),
        ("m6g.large", (3600, 20000), (630, 4750)),
        ("i4i.xlarge", (5000, 40000), (1250, 10000)),
    ],
)
def test_ebs_limits_are_aws_megabits_in_mebibytes(
    types: dict[str, Row], name: str, iops: tuple[int, int], mbps: tuple[int, int]
) -> None:
    row = types[name]
    assert (int(row["ebs_baseline_iops"]), int(row["ebs_max_iops"])) == iops
    for column, megabits in zip(("baseline", "max"), mbps, strict=True):
        found = float(row[f"ebs_{column}_mib_per_s"])
        assert found * 2**20 * 8 / 1e6 == pytest.approx(megabits, rel=1e-5)


def test_local_disks_are_all_disks_together(types: dict[str, Row]) -> None:
    row = types["i7ie.2xlarge"]
    assert (row["disk_count"], row["disk_total_gb"]) == ("2", "5000")
    assert (row["disk_read_iops"], row["disk_write_iops"]) == ("216666", "173332")


@pytest.mark.parametrize("name", ["r3.xlarge", "x1.16xlarge", "d3.xlarge", "m3.large"])
def test_sata_and_magnetic_disks_are_no_nvme(types: dict[str, Row], name: str) -> None:
    row = types[name]
    assert row["other_disk_type"]
    assert not any(row[column] for column in row if column.startswith("disk_"))


def test_unknown_is_empty_and_never_zero() -> None:
    for file in ("instance_types", "volume_limits", "rds_classes"):
        for row in read(f"catalogue/{file}.csv"):
            zeros = [name for name, value in row.items() if value in {"0", "0.0"}]
            assert zeros in ([], ["from_gib"]), (file, row)
    classes = {row["db_class"]: row for row in read("catalogue/rds_classes.csv")}
    assert classes["db.x2iezn.12xlarge"]["vcpu"] == ""


# Candidates


@pytest.mark.parametrize("name", ["r6i.large", "r7g.large", "c7g.large", "m7g.large", "r6g.large"])
def test_types_that_aws_no_longer_calls_current_stay_candidates(
    types: dict[str, Row], name: str
) -> None:
    """Trap 2: currentGeneration is False for r6i and r7g and says nothing about their use."""
    assert types[name]["exclusion"] == ""


def test_generations_are_counted_per_class_as_they_exist(types: dict[str, Row]) -> None:
    kept: dict[str, set[str]] = {}
    for row in types.values():
        if not row["exclusion"] and row["family"][0] in "mcri":
            kept.setdefault(row["family"][0], set()).add(row["generation"])
    assert kept["m"] == kept["c"] == {"7", "8", "9"}
    assert kept["r"] == {"6", "7", "8", "9"}
    assert kept["i"] == {"4", "7", "8"}


def test_m6i_is_kept_or_dropped_by_generation_only(types: dict[str, Row]) -> None:
    """Trap 2: m6i and m6g leave for the same reason, whatever AWS calls them."""
    exclusions = {types[name]["exclusion"] for name in ("m6i.large", "m6g.large", "m6a.large")}
    assert exclusions == {"old-generation"}


@pytest.mark.parametrize(
    ("name", "exclusion"),
    [
        ("t3.large", "burstable"),
        ("t8i.small", "burstable"),
        ("m7g.metal", "bare-metal"),
        ("i3.metal", "bare-metal"),
        ("mac2.metal", "mac"),
        ("g5.xlarge", "accelerator"),
        ("p5.48xlarge", "accelerator"),
        ("f2.6xlarge", "accelerator"),
        ("hpc7g.4xlarge", "hpc"),
        ("m4.large", "pre-nitro"),
        ("i3.large", "pre-nitro"),
        ("m5.large", "old-generation"),
        ("c6g.large", "old-generation"),
        ("a1.large", "old-generation"),
        ("u-12tb1.112xlarge", "incomplete"),
    ],
)
def test_each_exclusion_has_its_types(types: dict[str, Row], name: str, exclusion: str) -> None:
    assert types[name]["exclusion"] == exclusion


def test_every_metal_name_is_flagged(types: dict[str, Row]) -> None:
    named = {name for name in types if ".metal" in name}
    assert named <= {name for name, row in types.items() if row["is_bare_metal"] == "true"}


def test_default_candidates_lack_nothing(types: dict[str, Row]) -> None:
    needed = ("vcpu", "memory_gib", "threads_per_core", "ebs_baseline_iops", "ebs_max_mib_per_s")
    for row in types.values():
        if not row["exclusion"]:
            assert all(row[name] for name in (*needed, "network_baseline_gbps")), row


# CPUs


@pytest.mark.parametrize(
    ("name", "silicon", "threads_per_core"),
    [
        ("m6g.large", "graviton2", "1"),
        ("c6g.large", "graviton2", "1"),
        ("c7gn.large", "graviton3", "1"),
        ("m8g.large", "graviton4", "1"),
        ("m9g.large", "graviton5", "1"),
        ("m5.large", "intel-skylake", "2"),
        ("c5.large", "intel-skylake", "2"),
        ("r6i.large", "intel-icelake", "2"),
        ("m7i.large", "intel-sapphire-rapids", "2"),
        ("r8i.large", "intel-granite-rapids", "2"),
        ("m5a.large", "amd-zen1", "2"),
        ("c5a.large", "amd-zen2", "2"),
        ("m6a.large", "amd-zen3", "2"),
        ("m7a.large", "amd-zen4", "1"),
        ("m8a.large", "amd-zen5", "1"),
    ],
)
def test_silicon_is_shared_by_relatives(
    types: dict[str, Row], name: str, silicon: str, threads_per_core: str
) -> None:
    assert types[name]["silicon"] == silicon
    assert types[name]["threads_per_core"] == threads_per_core


def test_silicon_agrees_with_the_cpu_models_seen(types: dict[str, Row]) -> None:
    """A CPU model belongs to one silicon, except models that AWS serves under two."""
    by_model: dict[str, set[str]] = {}
    for row in read("share-alike/cpu_models.csv"):
        if row["instance_type"] in types:
            label = types[row["instance_type"]]["silicon"]
            by_model.setdefault(row["cpu_model"], set()).add(label)
    shared = {model: labels - {"other"} for model, labels in by_model.items()}
    ambiguous = [model for model, labels in shared.items() if len(labels) > 1]
    assert all("E5-2676 v3" in model for model in ambiguous)


@pytest.mark.parametrize(
    ("name", "ratio"),
    [
        ("t3.nano", "0.05"),
        ("t3a.micro", "0.1"),
        ("t4g.small", "0.2"),
        ("t3.medium", "0.2"),
        ("t4g.large", "0.3"),
        ("t3.xlarge", "0.4"),
        ("t3.2xlarge", "0.4"),
        ("t2.xlarge", "0.225"),
        ("t2.2xlarge", "0.16875"),
        ("t8i.small", ""),
        ("m7g.large", "1"),
    ],
)
def test_burst_baselines(types: dict[str, Row], name: str, ratio: str) -> None:
    """Trap 11: the baselines of T types are in no table; t8i is unknown, not 0."""
    assert types[name]["cpu_baseline_ratio"] == ratio
    is_published = name.startswith("t") and bool(ratio)
    assert types[name]["cpu_baseline_source_id"] == ("aws-t-baselines" if is_published else "")


# Volumes


def test_gp3_limits_are_those_since_late_2025(limits: dict[tuple[str, str, str], Row]) -> None:
    """Trap 5: 80,000 IOPS, 2,000 MiB/s, 64 TiB; not 16,000, 1,000, 16 TiB."""
    row = limits["ec2", "gp3", "0"]
    assert (row["max_iops"], row["max_throughput_mib_per_s"], row["max_gib"]) == (
        "80000",
        "2000",
        "65536",
    )
    assert (row["min_iops"], row["min_throughput_mib_per_s"]) == ("3000", "125")
    assert (row["iops_per_gib"], row["throughput_per_iops"]) == ("500", "0.25")


def test_rds_gp3_includes_more_from_400_gib_on(limits: dict[tuple[str, str, str], Row]) -> None:
    """Trap 4: 3,000 / 125 below 400 GiB, 12,000 / 500 from there."""
    small, large = limits["rds", "gp3", "0"], limits["rds", "gp3", "400"]
    assert (small["min_iops"], small["min_throughput_mib_per_s"]) == ("3000", "125")
    assert (small["max_gib"], large["min_gib"]) == ("399", "400")
    assert (large["min_iops"], large["min_throughput_mib_per_s"]) == ("12000", "500")


def test_limits_differ_by_platform(limits: dict[tuple[str, str, str], Row]) -> None:
    """Trap 11: RDS volumes have limits of their own."""
    for kind in ("gp2", "io1"):
        assert limits["ec2", kind, "0"]["max_iops"] != limits["rds", kind, "0"]["max_iops"]
        assert limits["ec2", kind, "0"]["min_gib"] != limits["rds", kind, "0"]["min_gib"]


@pytest.mark.parametrize(
    ("kind", "iops", "mib_per_s"),
    [
        ("io1", 3000, 500),
        ("io1", 32000, 500),
        ("io1", 48000, 750),
        ("io1", 64000, 1000),
        ("io2", 4000, 1024),
        ("io2", 16000, 4000),
        ("gp3", 3000, 750),
        ("gp3", 16000, 2000),
    ],
)
def test_throughput_follows_iops_as_published(
    limits: dict[tuple[str, str, str], Row], kind: str, iops: int, mib_per_s: float
) -> None:
    row = limits["ec2", kind, "0"]
    least, most = (float(row[f"{end}_throughput_mib_per_s"]) for end in ("min", "max"))
    assert min(most, max(least, iops * float(row["throughput_per_iops"]))) == mib_per_s


def test_io2_is_block_express_only(limits: dict[tuple[str, str, str], Row]) -> None:
    """The collected row of the historical io2 is shifted by an unquoted comma."""
    assert {kind for platform, kind, _ in limits if platform == "ec2"} == {
        *("gp2", "gp3", "io1", "io2", "st1", "sc1")
    }
    assert limits["ec2", "io2", "0"]["max_iops"] == "256000"


def test_gp2_carries_its_burst_bucket(limits: dict[tuple[str, str, str], Row]) -> None:
    row = limits["ec2", "gp2", "0"]
    assert (row["burst_iops"], row["burst_credits"]) == ("3000", "5400000")
    assert (row["min_iops"], row["iops_per_gib"], row["max_iops"]) == ("100", "3", "16000")


# RDS classes


def test_rds_baselines_come_from_the_class_or_its_twin() -> None:
    """Trap 11: db.x2g has no EC2 twin, so what it sustains is unknown unless the class says it."""
    classes = {row["db_class"]: row for row in read("catalogue/rds_classes.csv")}
    twin = classes["db.m6g.2xlarge"]
    assert (twin["ebs_limits_source"], twin["instance_type"]) == ("ec2-twin", "m6g.2xlarge")
    assert float(twin["ebs_baseline_mib_per_s"]) < float(twin["ebs_max_mib_per_s"])
    lonely = classes["db.x2g.large"]
    assert (lonely["instance_type"], lonely["ebs_baseline_mib_per_s"]) == ("", "")
    gaps = {row["key"] for row in read("known_gaps.csv") if row["table"] == "rds_classes"}
    assert {name for name, row in classes.items() if not row["instance_type"]} <= gaps


# The import


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not here")
def test_the_import_gives_the_committed_bytes(tmp_path: Path) -> None:
    """Imports of catalogue and prices are deterministic and were not edited by hand."""
    copy = tmp_path / "data"
    for name in ("catalogue", "share-alike"):
        (copy / name).mkdir(parents=True)
        for path in (DATA / name).glob("*.csv"):
            (copy / name / path.name).write_bytes(path.read_bytes())
    for module in ("import_catalogue", "import_prices"):
        subprocess.run(
            [
                *(sys.executable, "-m", f"scripts.{module}"),
                *("--shared", str(SHARED), "--data", str(copy)),
            ],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
    for path in copy.rglob("*.csv"):
        committed = DATA / path.relative_to(copy)
        digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (path, committed)]
        assert digests[0] == digests[1], path.name
