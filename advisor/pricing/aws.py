"""Calls to AWS's APIs through boto3, with credentials and endpoints as every AWS tool finds them.

Profile, SSO, environment, container and instance role, AWS_ENDPOINT_URL*, CA bundle and proxies are
boto3's to find. Every wait ends with the deadline, and every fault is a PricingError in words.
Must not be imported by what runs without the network: boto3 costs 0.2 s.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import boto3
import botocore.exceptions as faults
from botocore.config import Config
from botocore.parsers import ResponseParserError
from botocore.session import Session

from advisor import __version__
from advisor.domain.record import record
from advisor.errors import PricingError
from advisor.pricing.aws_reasons import Asking, heard, reason_of
from advisor.pricing.server_clock import date_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from botocore.client import BaseClient

    from advisor.pricing.provider import Deadline

T = TypeVar("T")
Service = Literal["pricing", "ec2", "savingsplans"]
#: Longest wait for a connection, and for the next bytes, s.
CONNECT_S, READ_S = 3.0, 15.0
#: Tries of one call, the first included.
ATTEMPTS = 5
#: Wait after a body that was cut short, times the tries so far, s.
CUT_WAIT_S = 0.05
#: More pages than any question here has.
MOST_PAGES = 500
#: The only regions with a Price List endpoint; boto3 would make up an address in any other.
PRICING_REGIONS = ("us-east-1", "eu-central-1", "ap-south-1")
_SSO_KEYS = ("sso_session", "sso_start_url")
_FAULTS = (faults.BotoCoreError, faults.ClientError, ResponseParserError, OSError, ValueError)


@record
class Identity:
    """Whose credentials are used, and where they are at home."""

    profile: str | None
    """Given by the user; None: AWS_PROFILE, the environment, the default, as boto3 looks."""
    home_region: str
    """Where credentials are fetched: AWS_REGION, which boto3 does not read, or what stands in."""
    clock: Callable[[], datetime]
    """This machine's time, aware of its zone."""


class RefusedError(PricingError):
    """AWS answered that it will not; ``code`` is AWS's word for why."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class Aws:
    """Signs in, calls and counts until a deadline. Not for use by two threads at once."""

    def __init__(self, identity: Identity, deadline: Deadline) -> None:
        self.requests = 0
        self.wire_bytes = 0
        self._identity = identity
        self._deadline = deadline
        self._clients: dict[tuple[Service, str], BaseClient] = {}
        self._stated: datetime | None = None
        self._last_code = ""
        self._is_cut = False
        self._profile = identity.profile or "default"
        self._sso_profile: str | None = None
        self._session: boto3.Session | None = None

    @property
    def today(self) -> str:
        """ISO date by the clock of AWS's last answer; before the first by this machine's."""
        return (self._stated or self._identity.clock()).date().isoformat()

    def sign_in(self) -> None:
        """Find credentials and fetch what they need (SSO, assumed role).

        Raises PricingError when there are none or they cannot be had.
        """
        self._asked("sign-in", self._sign_in)

    def call(
        self, service: Service, region: str, method: str, **parameters: object
    ) -> dict[str, Any]:
        """Return the answer of boto3's ``method``; raises PricingError, RefusedError by AWS."""
        action = f"{service}:{''.join(part.title() for part in method.split('_'))}"

        def ask() -> dict[str, Any]:
            answer = getattr(self._client(service, region), method)(**parameters)
            if self._is_cut:
                raise PricingError("the connection to AWS was cut")
            return cast("dict[str, Any]", answer)

        return self._asked(action, ask)

    def pages(
        self, service: Service, region: str, method: str, **parameters: object
    ) -> Iterator[dict[str, Any]]:
        """Yield each page of an answer; raises PricingError, also when the pages do not end."""
        token = "nextToken" if service == "savingsplans" else "NextToken"
        seen: set[str] = set()
        for _ in range(MOST_PAGES):
            page = self.call(service, region, method, **parameters)
            yield page
            following = page.get(token)
            if not following:
                return
            if following in seen:
                break
            seen.add(following)
            parameters[token] = following
        raise PricingError("the pages of AWS's answer do not end")

    def _asked(self, action: str, work: Callable[[], T]) -> T:
        self._last_code = ""
        try:
            return bounded(self._deadline, work)
        except TimeoutError:
            words = heard(self._last_code, self._asking(action))
            raise PricingError(words or "no answer from AWS in time") from None
        except faults.ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            raise RefusedError(reason_of(error, self._asking(action)), code) from error
        except _FAULTS as error:
            raise PricingError(reason_of(error, self._asking(action))) from error

    def _asking(self, action: str) -> Asking:
        now = self._identity.clock()
        return Asking(action=action, profile=self._profile, sso_profile=self._sso_profile, now=now)

    def _sign_in(self) -> None:
        core = session_of(self._identity)
        self._profile = core.get_config_variable("profile") or "default"
        self._sso_profile = _sso_profile(core, self._profile)
        credentials = core.get_credentials()
        if credentials is None:
            raise faults.NoCredentialsError
        credentials.get_frozen_credentials()
        self._session = boto3.Session(botocore_session=core)

    def _client(self, service: Service, region: str) -> BaseClient:
        key = (service, region)
        if key not in self._clients:
            if self._session is None:
                self._sign_in()
            session = cast("boto3.Session", self._session)
            config = _config(self._deadline)
            client: BaseClient = session.client(service, region_name=region, config=config)
            events = cast("Any", client.meta.events)
            events.register_first("before-send", self._on_request)
            events.register_first("response-received", self._on_answer)
            events.register_first("needs-retry", self._on_judgement)
            self._clients[key] = client
        return self._clients[key]

    def _on_request(self, **_: object) -> None:
        if self._deadline.is_over:
            raise TimeoutError
        self.requests += 1

    def _on_answer(
        self,
        response_dict: Mapping[str, Any] | None,
        parsed_response: Mapping[str, Any] | None,
        **_: object,
    ) -> None:
        self._is_cut = False
        if response_dict is None or parsed_response is None:
            return
        received, headers = len(response_dict["body"]), response_dict["headers"]
        self._is_cut = received < int(headers.get("Content-Length") or 0)
        self.wire_bytes += received
        self._last_code = str(parsed_response.get("Error", {}).get("Code", ""))
        self._stated = date_of(headers) or self._stated

    def _on_judgement(self, attempts: int, **_: object) -> float | None:
        """Return the wait before another try, s: botocore takes a body cut short for a whole."""
        return CUT_WAIT_S * attempts if self._is_cut and attempts < ATTEMPTS else None


def has_credentials(identity: Identity, deadline: Deadline) -> bool:
    """Return whether credentials are there to try, without a call to AWS.

    On a machine of AWS its metadata service is asked, elsewhere that look-up ends after about 2 s
    (1 s a try, one try) and is left out when AWS_EC2_METADATA_DISABLED is true.
    """
    try:
        return bounded(deadline, lambda: session_of(identity).get_credentials() is not None)
    except (TimeoutError, *_FAULTS):
        return False


def session_of(identity: Identity) -> Session:
    """Return a session that never prompts: a code for MFA cannot be typed into a refresh."""
    session = Session(profile=identity.profile)
    session.set_config_variable("region", identity.home_region)
    chain = session.get_component("credential_provider")
    chain.get_provider("assume-role")._prompter = _refuse_prompt
    return session


def pricing_region(home_region: str) -> str:
    """Return a region with a Price List endpoint: the user's own if it has one."""
    return home_region if home_region in PRICING_REGIONS else PRICING_REGIONS[0]


def bounded(deadline: Deadline, work: Callable[[], T]) -> T:
    """Return what ``work`` returns, or raise TimeoutError at the deadline.

    boto3's timeouts bound one read; retries, a slow drip, SSO and a credential process wait longer.
    Work that is given up ends by itself in a daemon thread and starts no further request.
    """
    if deadline.is_over:
        raise TimeoutError
    answers: SimpleQueue[tuple[T, None] | tuple[None, Exception]] = SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(), None))
        except Exception as error:  # noqa: BLE001 (the thread's boundary; raised again below)
            answers.put((None, error))

    Thread(target=run, name="advisor-aws", daemon=True).start()
    try:
        answer, error = answers.get(timeout=deadline.left_s)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return cast("T", answer)


def _config(deadline: Deadline) -> Config:
    most = max(0.001, deadline.left_s)
    return Config(
        connect_timeout=min(CONNECT_S, most),
        read_timeout=min(READ_S, most),
        retries={"mode": "adaptive", "total_max_attempts": ATTEMPTS},
        user_agent_extra=f"advisor/{__version__}",
    )


def _sso_profile(session: Session, profile: str) -> str | None:
    """Return the profile with the SSO settings that ``profile`` rests on; None: it does not."""
    profiles = session.full_config.get("profiles", {})
    passed: set[str] = set()
    while profile not in passed:
        passed.add(profile)
        settings = profiles.get(profile, {})
        if any(key in settings for key in _SSO_KEYS):
            return profile
        profile = settings.get("source_profile", profile)
    return None


def _refuse_prompt(_: str) -> str:
    raise PricingError(
        "the AWS profile asks for an MFA code; put a session of yours into the environment: "
        "aws sts get-session-token"
    )
