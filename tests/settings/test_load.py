from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from advisor.domain.vocabulary import Client, Objective, Term
from advisor.errors import UsageError
from advisor.settings import KEYS, Directories, Settings, load_settings


@pytest.fixture
def directories(tmp_path: Path) -> Directories:
    return Directories(
        home=tmp_path,
        config=tmp_path / "config",
        state=tmp_path / "state",
        cache=tmp_path / "cache",
    )


def write_config(directories: Directories, text: str) -> Path:
    directories.config.mkdir(exist_ok=True)
    path = directories.config / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_when_nothing_is_said(directories: Directories) -> None:
    settings = load_settings({}, directories)
    assert settings == Settings()
    assert {settings.origin(key.name) for key in KEYS} == {"default"}


def test_every_key_is_read_with_its_origin(directories: Directories) -> None:
    path = write_config(
        directories,
        """
        region = "eu-west-1"
        term = "reserved-1y"
        objective = "cost"
        client = "cross-az"
        headroom = "25%"
        database = "/data/k.duckdb"
        price-feed-url = "https://mirror.example/feeds/"
        price-list-url = "http://127.0.0.1:8080"
        spot-advisor-url = "https://mirror.example/spot.json"
        price-max-age = "7d"
        refresh-timeout = "1.5s"
        discounts = {ec2 = "12%", ebs = 0.05}
        negotiated = {"ec2/eu-west-1/on-demand/none/m7g.large" = 0.07}
        """,
    )
    settings = load_settings({}, directories)
    assert settings.region == "eu-west-1"
    assert settings.term is Term.RESERVED_1Y
    assert settings.objective is Objective.COST
    assert settings.client is Client.CROSS_AZ
    assert settings.headroom_ratio == 0.25
    assert settings.database == Path("/data/k.duckdb")
    assert settings.price_feed_url == "https://mirror.example/feeds"
    assert settings.price_list_url == "http://127.0.0.1:8080"
    assert settings.spot_advisor_url == "https://mirror.example/spot.json"
    assert settings.price_max_age_s == 7 * 86_400.0
    assert settings.refresh_timeout_s == 1.5
    assert settings.discounts == (("ebs", Decimal("0.05")), ("ec2", Decimal("0.12")))
    assert settings.negotiated == (("ec2/eu-west-1/on-demand/none/m7g.large", Decimal("0.07")),)
    assert settings.config_file == path
    assert {settings.origin(key.name) for key in KEYS} == {str(path)}


def test_region_precedence(directories: Directories) -> None:
    environment = {
        "ADVISOR_REGION": "eu-north-1",
        "AWS_REGION": "us-west-1",
        "AWS_DEFAULT_REGION": "us-west-2",
    }
    aws = directories.home / ".aws"
    aws.mkdir()
    (aws / "config").write_text("[default]\nregion = sa-east-1\n", encoding="utf-8")
    config = write_config(directories, 'region = "eu-west-1"\n')
    seen = []
    for name in ("ADVISOR_REGION", None, "AWS_REGION", "AWS_DEFAULT_REGION", None):
        settings = load_settings(environment, directories)
        seen.append((settings.region, settings.origin("region")))
        if name is None:
            config.unlink(missing_ok=True)
        else:
            del environment[name]
    assert seen == [
        ("eu-north-1", "ADVISOR_REGION"),
        ("eu-west-1", str(config)),
        ("us-west-1", "AWS_REGION"),
        ("us-west-2", "AWS_DEFAULT_REGION"),
        ("sa-east-1", f"profile default in {aws / 'config'}"),
    ]


def test_region_of_the_named_aws_profile(directories: Directories, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.write_text(
        "[default]\nregion = us-west-1\n[profile work]\nregion=ap-south-1\n", encoding="utf-8"
    )
    environment = {"AWS_CONFIG_FILE": str(shared), "AWS_PROFILE": "work"}
    assert load_settings(environment, directories).region == "ap-south-1"
    environment["AWS_PROFILE"] = "absent"
    assert load_settings(environment, directories).region == "us-east-1"


@pytest.mark.parametrize("content", [b"no section", b"\xff\xfe", b"[default]\nregion\n"])
def test_unusable_aws_config_counts_as_absent(
    directories: Directories, tmp_path: Path, content: bytes
) -> None:
    shared = tmp_path / "shared"
    shared.write_bytes(content)
    assert load_settings({"AWS_CONFIG_FILE": str(shared)}, directories).region == "us-east-1"


def test_empty_variables_count_as_unset(directories: Directories) -> None:
    names = ("ADVISOR_CONFIG", "ADVISOR_REGION", "AWS_REGION", "NO_COLOR", "ADVISOR_DATABASE")
    assert load_settings(dict.fromkeys(names, ""), directories) == Settings()


def test_no_color(directories: Directories) -> None:
    assert not load_settings({"NO_COLOR": "1"}, directories).uses_color


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('regoin = "eu-west-1"', "did you mean region?"),
        ('region = "Ireland"', "not a region with"),
        ("region = 5", "not a region with"),
        ('term = "reserved1y"', "did you mean reserved-1y?"),
        ('objective = "costs"', "did you mean cost?"),
        ('client = "sameaz"', "did you mean same-az?"),
        ("headroom = 1.5", "not a share"),
        ("headroom = nan", "not a share"),
        ("price-max-age = 24", "not a duration"),
        ('refresh-timeout = "0s"', "not a duration"),
        ('price-feed-url = "mirror.example"', "not an address"),
        ('discounts = "12%"', "not a table"),
        ('discounts = {s3 = "12%"}', "'s3', which is not one of ec2, ebs, rds, aurora"),
        ("discounts = {ec2 = 1.0}", "not a share"),
        ('negotiated = {"m7g.large" = 0.07}', "a name begins with ec2, rds"),
        ('negotiated = {"ec2/eu-west-1/on-demand/m7g.large" = 1}', "which no price is called"),
        ('negotiated = {"ec2/nowhere/on-demand/none/m7g.large" = 1}', "which no price is called"),
        ('negotiated = {"volumes/eu-west-1/gp3/capacity" = 1}', "gp3/capacity/0"),
        ('price-feed-url = "htp://user:SECRET@h/"', "is not an address"),
        ('price-feed-url = "https://h:port/"', "is not an address"),
        ('negotiated = {"ec2/us-east-1/on-demand/none/m7g.large" = 0}', "no price in USD above 0"),
        ('negotiated = {"ec2/us-east-1/on-demand/none/m7g.large" = "x"}', "no price in USD"),
        ("headroom = true", "not a share"),
        ('headroom = "-5%"', "not a share"),
        ('headroom = "lots"', "not a share"),
        ('database = ""', "not a path"),
        ("[region]\nname = 1", "not a region with"),
        ("region = ", "not valid TOML"),
    ],
)
def test_wrong_config_is_one_line_with_the_way_out(
    directories: Directories, text: str, named: str
) -> None:
    path = write_config(directories, text)
    with pytest.raises(UsageError) as caught:
        load_settings({}, directories)
    assert named in caught.value.message
    assert str(path) in caught.value.message


def test_misspelt_region_is_answered_with_the_nearest_known_one(directories: Directories) -> None:
    with pytest.raises(UsageError, match="did you mean us-east-1"):
        load_settings({"ADVISOR_REGION": "us-esat-1"}, directories)


def test_aws_settings_may_name_any_region(directories: Directories) -> None:
    """A flag can still say another one; the command that needs its prices refuses it."""
    settings = load_settings({"AWS_REGION": "xx-nowhere-1"}, directories)
    assert settings.region == "xx-nowhere-1"


def test_wrong_variable_is_named(directories: Directories) -> None:
    with pytest.raises(UsageError, match="ADVISOR_REGION: region 'mars'"):
        load_settings({"ADVISOR_REGION": "mars"}, directories)


def test_named_config_must_exist(directories: Directories, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        load_settings({"ADVISOR_CONFIG": str(tmp_path / "absent.toml")}, directories)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"#" * 1_000_001])
def test_config_that_is_not_text(directories: Directories, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"odd\.toml"):
        load_settings({"ADVISOR_CONFIG": str(path)}, directories)


def test_config_that_is_a_directory(directories: Directories, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load_settings({"ADVISOR_CONFIG": str(tmp_path)}, directories)
