"""What AWS or botocore objected, in words for a user: the cause and the next step.

Messages of AWS are never passed on: they hold account numbers, ARNs and encoded authorizations.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import botocore.exceptions as faults
from botocore.parsers import ResponseParserError

from advisor.domain.record import record
from advisor.pricing.server_clock import date_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

#: Signatures are valid for five minutes around AWS's clock.
MOST_SKEW_S = 300
_EXPIRED = {"ExpiredToken", "ExpiredTokenException", "RequestExpired"}
_UNKNOWN_KEYS = {
    "AuthFailure",
    "InvalidAccessKeyId",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "MissingAuthenticationToken",
    "SignatureDoesNotMatch",
    "UnrecognizedClientException",
}
_SKEWED = {"RequestTimeTooSkewed", "RequestInTheFuture", "RequestExpired"} | _UNKNOWN_KEYS
_DENIED = {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "NotAuthorized"}
_THROTTLED = {
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "TooManyRequestsException",
}
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9.]{0,59}")


@record
class Asking:
    """Who asked what: all that a message may name."""

    action: str
    """IAM's name of the call, ``pricing:GetProducts``; for credentials ``sign-in``."""
    profile: str
    sso_profile: str | None
    """The profile that holds the SSO settings, maybe by way of an assumed role; None: no SSO."""
    now: datetime
    """This machine's clock."""


def reason_of(error: Exception, asking: Asking) -> str:
    """Return one line without addresses, account numbers, ARNs and secrets."""
    if isinstance(error, faults.ClientError):
        return _refusal(error.response, asking)
    profile = asking.sso_profile or asking.profile
    if isinstance(error, faults.ProfileNotFound):
        profile = error.kwargs["profile"]
    for kind, words in _REASONS:
        if isinstance(error, kind):
            return words.format(profile=profile)
    return "the AWS settings hold an address or a value that is not one"


def heard(code: str, asking: Asking) -> str | None:
    """Return the words for an error code of AWS; None: it is not known here."""
    if code in _EXPIRED:
        return f"the AWS credentials have expired; {_renew(asking)}"
    if code in _DENIED:
        return f"these AWS credentials may not use {asking.action}; allow that action in IAM"
    if code in _THROTTLED:
        return f"AWS throttles {asking.action}; ask again in a minute"
    if code in _UNKNOWN_KEYS:
        return f"AWS does not accept these credentials; {_renew(asking)}"
    if code == "OptInRequired":
        return "this region is not enabled in the AWS account"
    return None


def _refusal(response: Mapping[str, Any], asking: Asking) -> str:
    code = str(response.get("Error", {}).get("Code", ""))
    metadata = response.get("ResponseMetadata", {})
    if code in _SKEWED or metadata.get("HTTPStatusCode") in (401, 403):
        skew = _skew(metadata.get("HTTPHeaders", {}), asking.now)
        if skew is not None:
            return skew
    words = heard(code, asking)
    if words is not None:
        return words
    status = int(metadata.get("HTTPStatusCode") or 0)
    if status >= 500:  # noqa: PLR2004 (HTTP: the server's fault)
        return f"AWS answers {asking.action} with HTTP {status}; ask again later"
    shown = code if _CODE.fullmatch(code) else f"HTTP {status}"
    return f"AWS refuses {asking.action} ({shown})"


def _skew(headers: Mapping[str, str], now: datetime) -> str | None:
    stated = date_of(headers)
    if stated is None:
        return None
    seconds = (now - stated).total_seconds()
    if abs(seconds) <= MOST_SKEW_S:
        return None
    side = "ahead of" if seconds > 0 else "behind"
    return f"this machine's clock is {abs(seconds) / 60:.0f} min {side} AWS's; set it right"


def _renew(asking: Asking) -> str:
    if asking.sso_profile is not None:
        return f"run: aws sso login --profile {asking.sso_profile}"
    return f"renew those of profile {asking.profile} or of the environment"


#: The first that fits speaks; what remains is a ValueError of botocore about a setting.
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (faults.NoCredentialsError, "no AWS credentials found; run: aws configure, or aws sso login"),
    (faults.PartialCredentialsError, "the AWS credentials are incomplete: a key or secret lacks"),
    (faults.ProfileNotFound, "there is no AWS profile {profile}; see: aws configure list-profiles"),
    (faults.SSOError, "the SSO session has expired; run: aws sso login --profile {profile}"),
    (
        faults.TokenRetrievalError,
        "the SSO session has expired; run: aws sso login --profile {profile}",
    ),
    (faults.LoginError, "the AWS login has expired; run: aws login --profile {profile}"),
    (
        faults.CredentialRetrievalError,
        "the credentials of profile {profile} cannot be fetched; try: aws sts get-caller-identity",
    ),
    (faults.MetadataRetrievalError, "the credentials of this container cannot be fetched"),
    (faults.ConfigParseError, "the AWS config or credentials file cannot be read as such"),
    (faults.InvalidRegionError, "that is not the name of an AWS region"),
    (
        faults.SSLError,
        "the certificate of the server is not trusted; check AWS_CA_BUNDLE and the proxy",
    ),
    (faults.ConnectTimeoutError, "no connection to AWS in time"),
    (faults.ProxyConnectionError, "no connection to the proxy in HTTPS_PROXY"),
    (faults.EndpointConnectionError, "no connection to AWS"),
    (faults.ReadTimeoutError, "no answer from AWS in time"),
    (faults.ConnectionError, "no connection to AWS"),
    (faults.HTTPClientError, "the connection to AWS was cut"),
    (ResponseParserError, "an answer that is not from AWS: a proxy may be in between"),
    (faults.BotoCoreError, "the AWS settings cannot be used; try: aws sts get-caller-identity"),
    (OSError, "the AWS config or credentials file cannot be read"),
)
