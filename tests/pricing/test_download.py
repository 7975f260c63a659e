"""A large file: resumed after a cut, checked for length, and never mixed with another version."""

from __future__ import annotations

import errno
import gzip
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from advisor.errors import PricingError
from advisor.pricing.download import download
from advisor.pricing.provider import Deadline
from advisor.pricing.transfer import Wire
from advisor.pricing.web import web_client
from advisor.pricing.work_folder import work_folder
from tests.servers.web import Asked, Reply, Server, running, squeezed, with_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BODY = b"".join(b"%07d\n" % line for line in range(50_000))
OTHER = BODY[::-1]
PATH = "/list.csv"
LEFT = ["body.json", "body.part"]


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        yield started


def fetched(
    server: Server, folder: Path, *, seconds: float = 5.0, heard: list[Any] | None = None
) -> tuple[bytes, Wire]:
    """Download it as the provider does, and return the body as it was in the folder."""
    deadline = Deadline(seconds)
    with web_client(deadline) as client, work_folder(folder, "list") as work:
        wire = Wire(client, deadline)
        path = download(wire, server.url + PATH, work, lambda *each: (heard or []).append(each))
        return path.read_bytes(), wire


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def cutting(body: bytes, etag: str, after: int, times: int = 1) -> Callable[[Asked], Reply]:
    """Return a route with ranges that cuts the first answers short after some bytes."""
    whole, cuts = with_ranges(body, etag), [after] * times

    def answer(asked: Asked) -> Reply:
        reply = whole(asked)
        return reply._replace(cut_after=cuts.pop()) if cuts else reply

    return answer


def refused(server: Server, folder: Path, seconds: float = 5.0) -> str:
    with pytest.raises(PricingError) as raised:
        fetched(server, folder, seconds=seconds)
    assert server.url not in raised.value.message
    return raised.value.message


def ranges(server: Server) -> list[str | None]:
    return [asked.headers.get("range") for asked in server.asked]


# One go


def test_a_whole_file_leaves_nothing_behind(server: Server, tmp_path: Path) -> None:
    server.serve(PATH, BODY)
    heard: list[tuple[int, int | None]] = [(0, None)]
    body, wire = fetched(server, tmp_path, heard=heard)
    assert body == BODY
    assert (wire.requests, wire.wire_bytes) == (1, len(BODY))
    assert heard[-1] == (len(BODY), len(BODY))
    assert wire.stated_on is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_compressed_file_is_unpacked(server: Server, tmp_path: Path, is_declared: bool) -> None:
    """Fewer bytes come over the wire, whether AWS says so or not."""
    server.serve(PATH, squeezed(BODY, is_declared=is_declared))
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.wire_bytes < len(BODY) / 2
    assert server.asked[0].headers["accept-encoding"] == "gzip"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("date", ["", "yesterday", "Fri, 31 Dec 9999 23:59:59 -2300"])
def test_a_server_without_a_clock_states_no_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, date: str
) -> None:
    monkeypatch.setattr(BaseHTTPRequestHandler, "date_time_string", lambda *_: date)
    with running() as server:
        server.serve(PATH, BODY)
        _, wire = fetched(server, tmp_path)
    assert wire.stated_on is None


# A cut


def test_a_cut_is_followed_by_the_rest(server: Server, tmp_path: Path) -> None:
    server.routes[PATH] = cutting(BODY, '"one"', after=100_000)
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.requests == 2
    assert wire.wire_bytes == len(BODY)
    assert ranges(server)[0] is None
    assert server.asked[1].headers["if-range"] == '"one"'


def test_the_next_run_goes_on_where_the_last_was_cut(server: Server, tmp_path: Path) -> None:
    server.routes[PATH] = cutting(BODY, '"one"', after=50_000, times=4)
    assert refused(server, tmp_path) == "the connection was cut"
    assert left(tmp_path) == LEFT
    kept = (tmp_path / "list/body.part").stat().st_size
    assert kept == 200_000
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert ranges(server)[-1] == "bytes=200000-"
    assert wire.wire_bytes == len(BODY) - kept
    assert list(tmp_path.iterdir()) == []


def test_a_compressed_part_goes_on_in_compressed_bytes(server: Server, tmp_path: Path) -> None:
    packed, coding = gzip.compress(BODY), ("Content-Encoding", "gzip")
    route = cutting(packed, '"one"', after=10_000)

    def answer(asked: Asked) -> Reply:
        reply = route(asked)
        return reply._replace(headers=(*reply.headers, coding))

    server.routes[PATH] = answer
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.wire_bytes == len(packed)


def test_a_range_of_other_bytes_starts_anew(server: Server, tmp_path: Path) -> None:
    """A server that packs whole answers but not parts of them must not be trusted."""
    packed = gzip.compress(BODY)
    first = Reply(
        body=packed,
        headers=(("ETag", '"one"'), ("Content-Encoding", "gzip")),
        cut_after=10_000,
    )
    span = f"bytes 10000-{len(BODY) - 1}/{len(BODY)}"
    plain = Reply(206, BODY[10_000:], (("ETag", '"one"'), ("Content-Range", span)))
    server.serve(PATH, first, plain, Reply(body=BODY))
    body, _ = fetched(server, tmp_path)
    assert body == BODY
    assert ranges(server) == [None, "bytes=10000-", None]


def test_a_changed_file_is_not_mixed_with_the_old(server: Server, tmp_path: Path) -> None:
    server.routes[PATH] = cutting(BODY, '"one"', after=50_000, times=4)
    refused(server, tmp_path)
    server.routes[PATH] = with_ranges(OTHER, '"two"')
    body, _ = fetched(server, tmp_path)
    assert body == OTHER


def test_without_ranges_it_starts_anew(server: Server, tmp_path: Path) -> None:
    strong = (("ETag", '"one"'),)
    server.serve(PATH, Reply(body=BODY, headers=strong, cut_after=9_000), Reply(body=BODY))
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.wire_bytes == len(BODY) + 9_000


@pytest.mark.parametrize("headers", [(), (("ETag", 'W/"weak"'),)])
def test_without_a_strong_validator_no_range_is_asked(
    server: Server, tmp_path: Path, headers: tuple[tuple[str, str], ...]
) -> None:
    server.serve(PATH, Reply(body=BODY, headers=headers, cut_after=9_000), Reply(body=BODY))
    body, _ = fetched(server, tmp_path)
    assert body == BODY
    assert ranges(server) == [None, None]


def test_a_date_of_change_serves_as_well(server: Server, tmp_path: Path) -> None:
    date = "Thu, 19 Nov 2026 17:07:46 GMT"
    span = f"bytes 9000-{len(BODY) - 1}/{len(BODY)}"
    server.serve(
        PATH,
        Reply(body=BODY, headers=(("Last-Modified", date),), cut_after=9_000),
        Reply(206, BODY[9_000:], (("Content-Range", span),)),
    )
    body, _ = fetched(server, tmp_path)
    assert body == BODY
    assert server.asked[1].headers["if-range"] == date


def test_a_complete_part_asks_for_its_last_byte_only(server: Server, tmp_path: Path) -> None:
    """Killed between the last byte and its use: the server still vouches for it."""
    server.routes[PATH] = cutting(BODY, '"one"', after=50_000, times=4)
    refused(server, tmp_path)
    (tmp_path / "list/body.part").write_bytes(BODY)
    server.routes[PATH] = with_ranges(BODY, '"one"')
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.wire_bytes == 1


def test_a_part_longer_than_the_file_is_dropped(server: Server, tmp_path: Path) -> None:
    server.routes[PATH] = cutting(BODY, '"one"', after=50_000, times=4)
    refused(server, tmp_path)
    server.serve(PATH, Reply(status=416), Reply(body=BODY[:1000]))
    body, _ = fetched(server, tmp_path)
    assert body == BODY[:1000]


def test_a_server_that_sends_parts_only_is_given_up(server: Server, tmp_path: Path) -> None:
    server.serve(PATH, Reply(206, BODY[:10], (("Content-Range", "bytes 0-9/10"),)))
    assert refused(server, tmp_path) == "the server sends parts that do not fit"
    server.serve(PATH, Reply(status=416))
    assert refused(server, tmp_path).startswith("HTTP 416")


def test_a_damaged_note_on_the_part_starts_anew(server: Server, tmp_path: Path) -> None:
    server.routes[PATH] = cutting(BODY, '"one"', after=50_000, times=4)
    refused(server, tmp_path)
    (tmp_path / "list/body.json").write_text('{"url": ')
    body, _ = fetched(server, tmp_path)
    assert body == BODY
    assert ranges(server)[-1] is None


# Faults


def test_fewer_bytes_than_declared_are_no_file(server: Server, tmp_path: Path) -> None:
    server.serve(PATH, Reply(body=BODY, declared_length=len(BODY) + 10))
    assert refused(server, tmp_path) == "the connection was cut"


def test_a_range_of_another_length_starts_anew(server: Server, tmp_path: Path) -> None:
    strong = (("ETag", '"one"'),)
    span = (("Content-Range", f"bytes 9000-{len(BODY) + 4}/{len(BODY) + 5}"),)
    server.serve(
        PATH,
        Reply(body=BODY, headers=strong, cut_after=9_000),
        Reply(206, BODY[9_000:] + b"extra", span),
        Reply(body=BODY),
    )
    body, _ = fetched(server, tmp_path)
    assert body == BODY


def test_a_range_that_stops_short_is_no_file(server: Server, tmp_path: Path) -> None:
    strong = (("ETag", '"one"'),)
    span = (("Content-Range", f"bytes 9000-99999/{len(BODY)}"),)
    server.serve(
        PATH,
        Reply(body=BODY, headers=strong, cut_after=9_000),
        Reply(206, BODY[9_000:100_000], span),
    )
    assert refused(server, tmp_path) == f"100000 bytes came of {len(BODY)}"
    assert left(tmp_path) == LEFT


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
def test_a_refusal_is_said_and_not_asked_again(server: Server, tmp_path: Path, status: int) -> None:
    server.serve(PATH, Reply(status=status))
    assert refused(server, tmp_path).startswith(f"HTTP {status}")
    assert len(server.asked) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=BODY, drip_s=0.05),
        Reply(body=BODY, wait_s=1.0),
        Reply(body=BODY[:20], declared_length=len(BODY), drip_s=0.3),
    ],
    ids=["drips", "waits", "stalls"],
)
def test_it_ends_with_the_deadline(server: Server, tmp_path: Path, reply: Reply) -> None:
    server.serve(PATH, reply)
    started = time.monotonic()
    assert refused(server, tmp_path, seconds=0.2) == "no answer in time"
    assert time.monotonic() - started < 0.8


def test_a_damaged_compressed_body_is_dropped(server: Server, tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(BODY))
    packed[5_000] ^= 0xFF
    server.serve(PATH, Reply(body=bytes(packed), headers=(("ETag", '"one"'),)))
    assert refused(server, tmp_path) == "a compressed body that is damaged or cut short"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_frees_what_it_took(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    class Full:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, piece: bytes) -> int:
            self.file.write(piece[:100])
            raise OSError(errno.ENOSPC, "No space left on device")

    def limited(path: Path, mode: str = "r", **given: Any) -> Any:
        file = opened(path, mode, **given)
        return Full(file) if path.name == "body.part" and "w" in mode else file

    monkeypatch.setattr(Path, "open", limited)
    server.serve(PATH, BODY)
    assert refused(server, tmp_path).startswith("the disk is full: ")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_said(server: Server, tmp_path: Path) -> None:
    server.serve(PATH, BODY)
    (tmp_path / "file").touch()
    assert refused(server, tmp_path / "file").startswith("cannot write to ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_must_not_be_written_is_said(server: Server, tmp_path: Path) -> None:
    server.serve(PATH, BODY)
    tmp_path.chmod(0o500)
    assert refused(server, tmp_path).endswith("Permission denied")


# Processes


def test_two_refreshes_do_not_write_the_same_part(tmp_path: Path) -> None:
    with (
        work_folder(tmp_path, "list"),
        pytest.raises(PricingError, match="another refresh"),
        work_folder(tmp_path, "list"),
    ):
        pytest.fail("both have it")
    with work_folder(tmp_path, "list") as again:
        assert again.is_dir()


def test_a_file_that_vanishes_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(PricingError, match="No such file"),
        work_folder(tmp_path, "list") as work,
    ):
        (work / "body.csv").read_bytes()


def test_what_a_killed_reader_left_is_removed(tmp_path: Path) -> None:
    spill = tmp_path / "list/duckdb/spill"
    spill.parent.mkdir(parents=True)
    spill.touch()
    (tmp_path / "list/body.csv").touch()
    with work_folder(tmp_path, "list") as work:
        assert list(work.iterdir()) == []


def test_an_old_part_is_given_up(tmp_path: Path) -> None:
    part = tmp_path / "other/body.part"
    part.parent.mkdir()
    part.touch()
    with work_folder(tmp_path, "list"):
        assert part.exists()
    os.utime(part, (0, 0))
    with work_folder(tmp_path, "list"):
        assert not part.parent.exists()


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_download_is_gone_on_with(
    server: Server, tmp_path: Path, blow: signal.Signals
) -> None:
    whole = with_ranges(BODY, '"one"')
    server.routes[PATH] = lambda asked: whole(asked)._replace(drip_s=0.1)
    program = f"""
from pathlib import Path
from advisor.pricing.download import download
from advisor.pricing.provider import Deadline
from advisor.pricing.transfer import Wire
from advisor.pricing.web import web_client
from advisor.pricing.work_folder import work_folder
deadline = Deadline(30)
with web_client(deadline) as client, work_folder(Path({str(tmp_path)!r}), "list") as work:
    heard = lambda done, total: print(done, flush=True)
    download(Wire(client, deadline), {server.url + PATH!r}, work, heard)
"""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(4):
            assert process.stdout.readline()
        process.send_signal(blow)
        process.communicate(timeout=10)
    assert process.returncode != 0
    assert left(tmp_path) == LEFT
    kept = (tmp_path / "list/body.part").stat().st_size
    server.routes[PATH] = whole
    body, wire = fetched(server, tmp_path)
    assert body == BODY
    assert wire.wire_bytes == len(BODY) - kept
    assert ranges(server)[-1] == (f"bytes={kept}-" if kept else None)
    assert list(tmp_path.iterdir()) == []
