"""A machine whose AWS settings are the test's alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from botocore.loaders import create_loader

from advisor.pricing.aws import Identity

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

#: boto3 reads its models, 0.2 s for EC2, once for all tests.
MODELS = create_loader()
#: Made up; no message may ever hold them.
KEY, SECRET = "AKIAMADEUPFORTEST000", "made-up/secret+of+the+test"


def empty_machine(patch: pytest.MonkeyPatch, home: Path) -> None:
    """No credentials, no settings, no metadata service."""
    patch.setattr("botocore.session.create_loader", lambda _: MODELS)
    patch.setenv("HOME", str(home))
    patch.setenv("AWS_CONFIG_FILE", str(home / "config"))
    patch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(home / "credentials"))
    patch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def with_keys(patch: pytest.MonkeyPatch) -> None:
    """Put credentials into the environment."""
    patch.setenv("AWS_ACCESS_KEY_ID", KEY)
    patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)


def identity(
    profile: str | None = None, home_region: str = "eu-west-1", now: datetime | None = None
) -> Identity:
    """Return who asks."""
    return Identity(
        profile=profile, home_region=home_region, clock=lambda: now or datetime.now(UTC)
    )
