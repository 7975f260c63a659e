"""A server whose certificate nobody vouches for."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from advisor.domain.quote import Subject
from advisor.pricing.feeds import Feeds
from advisor.pricing.price_list import PriceList
from advisor.pricing.provider import Deadline, Wanted
from tests.pricing import feed_world as world
from tests.pricing.stubs import silent
from tests.servers.web import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from advisor.pricing.provider import Provider
    from tests.servers.web import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(self_signed(tmp_path / "server.pem")) as started:
        world.serve_all(started)
        yield started


def self_signed(path: Path) -> ssl.SSLContext:
    """Return the settings of a server with a certificate of 127.0.0.1, made now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(alternative, critical=False)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def providers(server: Server, folder: Path) -> tuple[Provider, ...]:
    return (
        Feeds(world.Memory(), world.now, server.url),
        PriceList(folder / "work", server.url),
    )


def test_it_is_said_and_not_asked_again(server: Server, tmp_path: Path) -> None:
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS,))
    for provider in providers(server, tmp_path):
        delivery = provider.fetch(wanted, Deadline(5.0), silent)
        (failure,) = delivery.failures
        assert failure.reason.endswith(": the certificate of the server is not trusted")
        assert delivery.requests == 1
    assert server.asked == []


def test_a_certificate_that_the_user_trusts_is_taken(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "server.pem"))
    feeds, _ = providers(server, tmp_path)
    wanted = Wanted(region="eu-west-1", subjects=(Subject.EBS,))
    assert feeds.fetch(wanted, Deadline(5.0), silent).delivered == (Subject.EBS,)
