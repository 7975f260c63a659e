"""Credentials, settings and faults of AWS's APIs, through the real boto3 clients."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from advisor.domain.quote import Subject
from advisor.pricing.aws import has_credentials, pricing_region
from advisor.pricing.provider import Deadline, Wanted
from advisor.pricing.query_api import QueryApi
from tests.pricing.aws_world import KEY, SECRET, empty_machine, identity, with_keys
from tests.pricing.products import REGION, machine, volume
from tests.pricing.stubs import silent
from tests.servers.pricing import PricingServer, pricing_server, refusal
from tests.servers.web import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from advisor.pricing.aws import Identity
    from advisor.pricing.provider import Delivery

ACCOUNT = "123456789012"
ARN = f"arn:aws:iam::{ACCOUNT}:user/made-up"
OTHER_KEY = "AKIAOTHERMADEUP00000"
MOST_S = 3.0


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PricingServer]:
    empty_machine(monkeypatch, tmp_path)
    with pricing_server() as running:
        running.products = [volume("VolumeUsage.gp2", "0.088", "GB-Mo")]
        monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", running.url)
        yield running


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_keys(monkeypatch)


def fetch(who: Identity | None = None, seconds: float = MOST_S) -> Delivery:
    wanted = Wanted(region=REGION, subjects=(Subject.EBS,))
    return QueryApi(who or identity()).fetch(wanted, Deadline(seconds), silent)


def reason(who: Identity | None = None, seconds: float = MOST_S) -> str:
    """Return why nothing came, and check what holds for every reason."""
    started = time.monotonic()
    delivery = fetch(who, seconds)
    assert time.monotonic() - started < seconds + 1
    assert (delivery.delivered, delivery.quotes) == ((), ())
    (failure,) = delivery.failures
    assert "\n" not in failure.reason
    for secret in (KEY, SECRET, OTHER_KEY, ACCOUNT, "arn:", "http:"):
        assert secret not in failure.reason
    return failure.reason


def signed_with(server: PricingServer) -> tuple[str, str]:
    """Return key and region of the last request."""
    (credential,) = [
        part.removeprefix("Credential=")
        for part in server.web.asked[-1].headers["authorization"].replace(",", " ").split()
        if part.startswith("Credential=")
    ]
    key, _, region, *_ = credential.split("/")
    return key, region


def write_profiles(home: Path, config: str, credentials: str = "") -> None:
    (home / "config").write_text(config)
    (home / "credentials").write_text(credentials)


def write_sso_token(home: Path, name: str, expires: datetime) -> None:
    cache = home / ".aws" / "sso" / "cache"
    cache.mkdir(parents=True)
    token = {
        "startUrl": "https://made-up.awsapps.com/start",
        "region": "eu-west-1",
        "accessToken": SECRET,
        "expiresAt": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    digest = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()
    (cache / f"{digest}.json").write_text(json.dumps(token))


# Credentials and settings


@pytest.mark.usefixtures("keys")
def test_credentials_of_the_environment(server: PricingServer) -> None:
    assert has_credentials(identity(), Deadline(2))
    assert len(fetch().quotes) == 1
    assert signed_with(server) == (KEY, "us-east-1")


@pytest.mark.usefixtures("keys")
def test_a_profile_named_by_the_user_beats_the_environment(
    server: PricingServer, tmp_path: Path
) -> None:
    profile = f"[work]\naws_access_key_id={OTHER_KEY}\naws_secret_access_key={SECRET}\n"
    write_profiles(tmp_path, "", profile)
    fetch(identity(profile="work"))
    assert signed_with(server)[0] == OTHER_KEY


def test_a_profile_named_by_the_environment(
    server: PricingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = f"[work]\naws_access_key_id={OTHER_KEY}\naws_secret_access_key={SECRET}\n"
    write_profiles(tmp_path, "", profile)
    monkeypatch.setenv("AWS_PROFILE", "work")
    fetch()
    assert signed_with(server)[0] == OTHER_KEY


def test_the_endpoint_of_a_profile(
    server: PricingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL_PRICING")
    services = f"[services mirror]\npricing =\n  endpoint_url = {server.url}\n"
    keys = f"aws_access_key_id={OTHER_KEY}\naws_secret_access_key={SECRET}\n"
    write_profiles(tmp_path, f"[profile work]\nservices = mirror\n{keys}{services}")
    assert len(fetch(identity(profile="work")).quotes) == 1


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    ("home_region", "asked"),
    [("eu-west-1", "us-east-1"), ("eu-central-1", "eu-central-1"), ("mars-1", "us-east-1")],
)
def test_prices_are_asked_where_there_is_an_endpoint(
    server: PricingServer, monkeypatch: pytest.MonkeyPatch, home_region: str, asked: str
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    monkeypatch.setenv("AWS_REGION", "sa-east-1")
    fetch(identity(home_region=home_region))
    assert signed_with(server)[1] == asked == pricing_region(home_region)


def test_no_credentials(server: PricingServer) -> None:
    assert not has_credentials(identity(), Deadline(2))
    assert reason() == "no AWS credentials found; run: aws configure, or aws sso login"
    assert server.web.asked == []


def test_half_of_the_credentials(server: PricingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    assert reason() == "the AWS credentials are incomplete: a key or secret lacks"
    assert not has_credentials(identity(), Deadline(2))
    assert server.web.asked == []


@pytest.mark.usefixtures("keys", "server")
def test_a_missing_profile() -> None:
    assert reason(identity(profile="elsewhere")).startswith("there is no AWS profile elsewhere;")
    assert not has_credentials(identity(profile="elsewhere"), Deadline(2))


@pytest.mark.usefixtures("keys", "server")
def test_a_missing_profile_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "gone")
    assert reason().startswith("there is no AWS profile gone;")


@pytest.mark.usefixtures("server")
def test_settings_that_are_no_settings(tmp_path: Path) -> None:
    write_profiles(tmp_path, "[profile work\nregion ? 1")
    assert reason() == "the AWS config or credentials file cannot be read as such"


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("kind", ["session", "legacy"])
def test_an_expired_sso_token(tmp_path: Path, kind: str) -> None:
    start = "https://made-up.awsapps.com/start"
    role = f"sso_account_id = {ACCOUNT}\nsso_role_name = Reader\n"
    if kind == "session":
        place = "sso_session = corp\n"
        extra = f"[sso-session corp]\nsso_region = eu-west-1\nsso_start_url = {start}\n"
    else:
        place, extra = f"sso_start_url = {start}\nsso_region = eu-west-1\n", ""
    write_profiles(tmp_path, f"[profile work]\n{place}{role}{extra}")
    name = "corp" if kind == "session" else start
    write_sso_token(tmp_path, name, datetime.now(UTC) - timedelta(days=1))
    expected = "the SSO session has expired; run: aws sso login --profile work"
    assert reason(identity(profile="work")) == expected


def test_an_expired_session_names_the_profile_that_logs_in(
    server: PricingServer, tmp_path: Path
) -> None:
    """A role that rests on an SSO profile cannot be logged in itself."""
    base = "[profile base]\nsso_start_url = https://made-up.awsapps.com/start\n"
    keys = f"aws_access_key_id={OTHER_KEY}\naws_secret_access_key={SECRET}\n"
    write_profiles(tmp_path, f"[profile work]\nsource_profile = base\n{keys}{base}")
    server.faults = [refusal("ExpiredTokenException")]
    expected = "the AWS credentials have expired; run: aws sso login --profile base"
    assert reason(identity(profile="work")) == expected


@pytest.mark.usefixtures("server")
def test_a_profile_without_a_login_yet(tmp_path: Path) -> None:
    start = "sso_start_url = https://made-up.awsapps.com/start\nsso_region = eu-west-1\n"
    role = f"sso_account_id = {ACCOUNT}\nsso_role_name = Reader\n"
    write_profiles(tmp_path, f"[profile work]\n{start}{role}")
    assert reason(identity(profile="work")).endswith("run: aws sso login --profile work")


@pytest.mark.usefixtures("server")
def test_a_credential_process_that_hangs_ends_with_the_deadline(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'import time; time.sleep(1.5)'"
    write_profiles(tmp_path, f"[profile slow]\ncredential_process = {command}\n")
    assert reason(identity(profile="slow"), seconds=0.3) == "no answer from AWS in time"
    assert not has_credentials(identity(profile="slow"), Deadline(0.2))


@pytest.mark.usefixtures("server")
def test_nobody_is_asked_for_an_mfa_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    role = f"role_arn = arn:aws:iam::{ACCOUNT}:role/Reader\nsource_profile = base\n"
    device = f"mfa_serial = arn:aws:iam::{ACCOUNT}:mfa/me\n"
    base = f"[profile base]\naws_access_key_id={OTHER_KEY}\naws_secret_access_key={SECRET}\n"
    write_profiles(tmp_path, f"[profile work]\n{role}{device}{base}")
    assert reason(identity(profile="work")).startswith("the AWS profile asks for an MFA code;")
    assert capsys.readouterr() == ("", "")


def test_the_metadata_service_is_asked_unless_it_is_switched_off(
    server: PricingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", f"{server.url}/imds")
    server.web.routes["/imds/latest/api/token"] = lambda _: Reply(200, b"token", wait_s=0.4)
    assert not has_credentials(identity(), Deadline(2))
    assert server.web.asked == []
    monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
    started = time.monotonic()
    assert not has_credentials(identity(), Deadline(0.2))
    assert time.monotonic() - started < 0.4
    assert server.web.paths() == ["/imds/latest/api/token"]


# Faults


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (refusal("ExpiredTokenException"), "the AWS credentials have expired; renew those of"),
        (refusal("ExpiredToken", status=403), "the AWS credentials have expired; renew those of"),
        (
            refusal("AccessDeniedException", f"User: {ARN} is not authorized to perform: x"),
            "these AWS credentials may not use pricing:GetProducts; allow that action in IAM",
        ),
        (refusal("UnrecognizedClientException"), "AWS does not accept these credentials;"),
        (refusal("NotFoundException", ARN), "AWS refuses pricing:GetProducts (NotFoundException)"),
        (refusal(f"x {ARN}"), "AWS refuses pricing:GetProducts (HTTP 400)"),
        (Reply(200, b"<html>log in</html>"), "an answer without a price list"),
        (Reply(200, b'{"PriceList": ["{\\"prod'), "an answer without a price list"),
        (Reply(200, b"{}"), "an answer without a price list"),
        (Reply(403, b"<html>blocked</html>"), "AWS refuses pricing:GetProducts (HTTP 403)"),
        (Reply(404, b"not found"), "AWS refuses pricing:GetProducts (HTTP 404)"),
    ],
)
def test_a_refusal_in_words(server: PricingServer, fault: Reply, words: str) -> None:
    server.faults = [fault]
    assert reason().startswith(words)
    assert len(server.web.asked) == 1, "not worth another try"


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Reply(500, b""), "AWS answers pricing:GetProducts with HTTP 500; ask again later"),
        (Reply(503, b"<html>busy</html>"), "AWS answers pricing:GetProducts with HTTP 503;"),
        (Reply(200, b"{}" * 50, cut_after=3), "the connection to AWS was cut"),
        (Reply(200, b"{}", declared_length=500), "the connection to AWS was cut"),
    ],
)
def test_what_stays_broken_is_tried_again_and_given_up(
    server: PricingServer, fault: Reply, words: str
) -> None:
    server.faults = [fault] * 9
    assert reason().startswith(words)
    assert len(server.web.asked) > 1


@pytest.mark.usefixtures("keys")
def test_throttled_once(server: PricingServer) -> None:
    server.faults = [refusal("ThrottlingException")]
    delivery = fetch()
    assert len(delivery.quotes) == 1
    assert delivery.requests == 2


@pytest.mark.usefixtures("keys")
def test_throttled_for_ever(server: PricingServer) -> None:
    server.faults = [refusal("ThrottlingException")] * 50
    assert reason(seconds=0.6) == "AWS throttles pricing:GetProducts; ask again in a minute"


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    "fault",
    [Reply(200, b"{}", wait_s=1.5), Reply(200, b" " * 400, drip_s=0.1)],
    ids=["silent", "drip"],
)
def test_a_slow_server_ends_with_the_deadline(server: PricingServer, fault: Reply) -> None:
    server.faults = [fault] * 9
    assert reason(seconds=0.6).startswith("no answer from AWS in time")


@pytest.mark.usefixtures("keys", "server")
def test_nothing_is_asked_when_the_time_is_up() -> None:
    assert reason(seconds=0) == "no answer from AWS in time"


@pytest.mark.usefixtures("keys")
def test_a_clock_that_is_off(server: PricingServer) -> None:
    server.faults = [refusal("InvalidSignatureException", "Signature expired")]
    ahead = identity(now=datetime.now(UTC) + timedelta(minutes=21))
    assert reason(ahead) == "this machine's clock is 21 min ahead of AWS's; set it right"
    server.faults = [refusal("InvalidSignatureException", "Signature not yet current")]
    behind = identity(now=datetime.now(UTC) - timedelta(minutes=9))
    assert reason(behind) == "this machine's clock is 9 min behind AWS's; set it right"


@pytest.mark.usefixtures("keys")
def test_a_ca_bundle_that_is_not_there(
    server: PricingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", server.url.replace("http:", "https:"))
    monkeypatch.setenv("AWS_CA_BUNDLE", "/not/here.pem")
    assert (
        reason()
        == "the certificate of the server is not trusted; check AWS_CA_BUNDLE and the proxy"
    )


@pytest.mark.usefixtures("keys", "server")
def test_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", "http://127.0.0.1:9")
    assert reason() == "no connection to AWS"


@pytest.mark.usefixtures("keys", "server")
def test_an_endpoint_that_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", "not an address")
    assert "address" in reason()


@pytest.mark.usefixtures("keys")
def test_a_certificate_that_is_not_trusted(
    server: PricingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server speaks plain HTTP: the handshake fails as with a foreign certificate."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", server.url.replace("http:", "https:"))
    assert reason().startswith("the certificate of the server is not trusted")


@pytest.mark.usefixtures("keys", "server")
def test_a_proxy_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_PRICING", "http://pricing.invalid")
    monkeypatch.setenv("HTTP_PROXY", "http://me:hidden@127.0.0.1:9")
    words = reason()
    assert words == "no connection to the proxy in HTTPS_PROXY"


@pytest.mark.usefixtures("keys")
def test_half_of_the_pages_is_no_delivery(server: PricingServer) -> None:
    """A series that breaks off midway leaves nothing that could pass for all of it."""
    server.page = 1
    server.products = [machine(f"m{n}.large", "0.1") for n in range(3)]
    wanted = Wanted(region=REGION, subjects=(Subject.EC2,))

    def break_it(what: str, done: int, total: int | None) -> None:  # noqa: ARG001 (a Progress)
        server.faults = [refusal("AccessDeniedException")]

    delivery = QueryApi(identity()).fetch(wanted, Deadline(3), break_it)
    assert delivery.quotes == ()
    assert len(delivery.failures) == 1
