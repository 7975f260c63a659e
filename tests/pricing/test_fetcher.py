"""Requests one by one, and tasks side by side."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import httpx
import pytest

from advisor.pricing.fetcher import Fetcher
from advisor.pricing.parallel import run_until
from advisor.pricing.provider import Deadline
from advisor.pricing.stored import Stored
from advisor.pricing.web import WebError, web_client
from tests.servers.web import Reply, running, with_validators

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.web import Asked, Server


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    deadline = Deadline(2.0)
    with web_client(deadline) as client:
        yield Fetcher(client, deadline, lambda: datetime.now(UTC), jitter=lambda: 0.5)


def nothing() -> None:
    """Do nothing."""


def hear(count: int) -> None:
    """Hear nothing."""


def test_validators_of_either_kind_make_the_next_request_conditional(
    server: Server, fetcher: Fetcher
) -> None:
    stamp = "Fri, 20 Nov 2026 22:41:22 GMT"

    def answer(asked: Asked) -> Reply:
        if asked.headers.get("if-modified-since") == stamp:
            return Reply(status=304)
        return Reply(body=b"{}", headers=(("Last-Modified", stamp),))

    server.routes["/dated"] = answer
    server.routes["/tagged"] = with_validators(b"[]", '"1"')
    for path in ("/dated", "/tagged"):
        first = fetcher.get(server.url + path, None)
        again = fetcher.get(server.url + path, first.stored)
        assert (first.is_unchanged, again.is_unchanged) == (False, True)
        assert again.stored is first.stored
    assert fetcher.requests == 4
    assert fetcher.wire_bytes == 4


def test_a_body_without_validators_is_asked_for_again(server: Server, fetcher: Fetcher) -> None:
    server.serve("/plain", b"new")
    held = Stored(etag=None, last_modified=None, body=b"old")
    assert fetcher.get(f"{server.url}/plain", held).stored.body == b"new"


def test_not_modified_without_a_stored_body_is_an_error(server: Server, fetcher: Fetcher) -> None:
    server.serve("/odd", Reply(304))
    with pytest.raises(WebError) as caught:
        fetcher.get(f"{server.url}/odd", None)
    assert caught.value.status == 304


def test_a_redirect_is_followed(server: Server, fetcher: Fetcher) -> None:
    server.serve("/old", Reply(301, headers=(("Location", "/new"),)))
    server.serve("/new", b"{}")
    assert fetcher.get(f"{server.url}/old", None).stored.body == b"{}"


def test_waits_double_and_end_with_the_deadline(
    server: Server, monkeypatch: pytest.MonkeyPatch, fetcher: Fetcher
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    server.serve("/down", Reply(500))
    with pytest.raises(WebError, match="HTTP 500"):
        fetcher.get(f"{server.url}/down", None)
    assert [wait for wait in waits if wait] == [0.2, 0.4]


def test_nothing_is_asked_after_the_deadline(server: Server) -> None:
    with httpx.Client() as client:
        late = Fetcher(client, Deadline(0.0), lambda: datetime.now(UTC))
        with pytest.raises(WebError, match="the time was up"):
            late.get(server.url, None)
    assert not server.asked


@pytest.mark.parametrize("date", ["yesterday", "Fri, 20 Nov 2026 22:41:22 -0000"])
def test_a_date_that_is_none_says_nothing_of_the_clock(date: str) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"Date": date}, stream=httpx.ByteStream(b"{}"))

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        other = Fetcher(client, Deadline(1.0), lambda: datetime.now(UTC))
        other.get("http://127.0.0.1/", None)
    assert other.skews == []


def test_results_stand_in_the_order_of_the_tasks() -> None:
    ended = threading.Event()

    def wait(wait_s: float) -> float:
        time.sleep(wait_s)
        return wait_s

    tasks = [partial(wait, wait_s) for wait_s in (0.05, 0.0, 0.02)]
    assert run_until(Deadline(1.0), tasks, 3, hear, ended.set) == [0.05, 0.0, 0.02]
    assert ended.wait(1.0)


def test_a_task_that_hangs_is_left_behind() -> None:
    release, ended = threading.Event(), threading.Event()
    started: list[int] = []

    def hang(which: int) -> bool:
        started.append(which)
        return release.wait(5.0)

    start = time.monotonic()
    tasks = [partial(hang, which) for which in range(3)]
    assert run_until(Deadline(0.1), tasks, 1, hear, ended.set) == [None, None, None]
    assert time.monotonic() - start < 0.5
    release.set()
    assert ended.wait(1.0)
    assert started == [0]


def test_a_fault_of_ours_is_raised_where_it_was_asked() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_until(Deadline(1.0), [fail], 1, hear, nothing)
