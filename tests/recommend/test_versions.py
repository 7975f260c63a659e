"""Caveats on versions: by the date that is passed in, in dates, with the charge per month."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.domain.vocabulary import ENGINES_ON, Engine, Platform
from advisor.recommend.versions import version_caveats, versions_as_of
from tests.advice import advice

NOW = date(2026, 11, 20)


def test_mysql_on_rds_names_dates_and_the_charge() -> None:
    said = version_caveats(Platform.RDS, Engine.MYSQL, NOW, advice(), vcpu=16)
    assert said == (
        (
            "MySQL: run 8.4, supported until 2029-07-31; out of standard support: "
            "8.0 on 2026-07-31 (charged from 2026-08-01 to 2029-07-31), "
            "5.7 on 2024-02-29 (charged from 2024-03-01 to 2027-02-28)"
        ),
        (
            "extended support costs $0.100 per vCPU-hour in us-east-1 (as of 2026-03), on every "
            "node and standby: $1,168 a month for 16 vCPU; $0.200 from 2028-08-01 for 8.0, "
            "since 2026-03-01 for 5.7"
        ),
    )


def test_what_counts_is_the_day_passed_in() -> None:
    assert version_caveats(Platform.EC2, Engine.MYSQL, date(2022, 1, 1), advice()) == ()
    early = version_caveats(Platform.EC2, Engine.MYSQL, date(2026, 1, 1), advice())[0]
    assert "8.0 leaves community support on 2026-04-30" in early
    late = version_caveats(Platform.EC2, Engine.MYSQL, NOW, advice())
    assert len(late) == 1
    assert "out of community support: 8.0 on 2026-04-30, 5.7 on 2023-10-31" in late[0]
    last = version_caveats(Platform.EC2, Engine.MYSQL, date(2040, 1, 1), advice())[0]
    assert last.startswith("MySQL: out of community support: 8.4")


def test_aurora_version_3_outlives_mysql_8_0() -> None:
    said = version_caveats(Platform.AURORA, Engine.AURORA_MYSQL, NOW, advice())
    assert said[0].startswith("Aurora MySQL: run 8.4, supported until 2032-04;")
    assert "3 (MySQL 8.0)" not in said[0]


def test_the_table_dates_itself() -> None:
    assert versions_as_of(advice()) == NOW
    assert versions_as_of(advice()._replace(versions=())) == date.min


@pytest.mark.parametrize("platform", Platform)
def test_every_engine_of_a_platform_has_a_version_in_support(platform: Platform) -> None:
    for engine in ENGINES_ON[platform]:
        for said in version_caveats(platform, engine, NOW, advice())[:1]:
            assert ": run " in said


def test_known_prefixes_of_dates_end_with_their_month_or_year() -> None:
    versions = (
        advice()
        .versions[0]
        ._replace(platform="ec2", engine="mysql", support_until="2026-12", charged_from=None),
        advice()
        .versions[0]
        ._replace(platform="ec2", engine="mysql", support_until="2025", charged_from=None),
    )
    said = version_caveats(
        Platform.EC2, Engine.MYSQL, date(2026, 12, 31), advice()._replace(versions=versions)
    )
    assert "leaves community support on 2026-12" in said[0]
    assert "on 2025" in said[0]


def test_a_charge_that_does_not_rise_and_one_that_is_unknown() -> None:
    flat = tuple(each._replace(dearer_from=None) for each in advice().versions)
    said = version_caveats(Platform.RDS, Engine.MYSQL, NOW, advice()._replace(versions=flat))
    assert said[1].endswith("on every node and standby")
    assert len(version_caveats(Platform.RDS, Engine.MYSQL, NOW, advice()._replace(charges=()))) == 1
    undated = tuple(each._replace(charged_until=None) for each in advice().versions)
    said = version_caveats(Platform.RDS, Engine.MYSQL, NOW, advice()._replace(versions=undated))
    assert "(charged from 2026-08-01)" in said[0]
