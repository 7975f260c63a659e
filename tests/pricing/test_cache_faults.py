"""What the disk, other programs and other processes do to the cache, and what the user hears."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import pytest

from advisor.domain.price_report import Outcome
from advisor.domain.quote import Subject, TypeFacts
from advisor.errors import PricingError
from advisor.pricing.cache import Cache
from advisor.pricing.cache_file import CacheFile
from advisor.pricing.cache_status import lookup, status
from advisor.pricing.cached import cached_documents
from advisor.pricing.responses import Responses
from advisor.pricing.stored import Stored
from tests.pricing.stubs import EC2, NOON, REGION, Stub, quote, quotes, refreshed, wanted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRICE = quote("m7g.large", "0.0816")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "advisor" / "prices.sqlite3", busy_s=0.2)


@pytest.fixture
def filled(cache: Cache) -> Cache:
    refreshed(cache, Stub(PRICE))
    return cache


def noise_of(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 (no secret)


def lines(cache: Cache) -> list[str]:
    return cached_documents(cache.file.path, REGION).warnings


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def noise(path: Path) -> None:
    path.write_bytes(noise_of(20_000, 5))


def header_alone(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def another_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")


def another_application(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE documents (mine)")


def a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "mine").touch()


FAULTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "half": (half, "prices.sqlite3.old"),
    "noise": (noise, "prices.sqlite3.foreign"),
    "header alone": (header_alone, "prices.sqlite3.old"),
    "another version": (another_version, "prices.sqlite3.old"),
    "another application": (another_application, "prices.sqlite3.foreign"),
    "a directory": (a_directory, "prices.sqlite3.foreign"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_file_that_is_no_sound_cache_is_set_aside(filled: Cache, name: str) -> None:
    spoil, aside = FAULTS[name]
    path = filled.file.path
    spoil(path)
    (warning,) = lines(filled)
    assert warning.startswith("the price cache is not used: ")
    assert "\n" not in warning
    assert status(filled).warning is not None
    assert lookup(filled, "m7g.large", REGION).warning is not None
    report = refreshed(filled, Stub(quote("r7g.large", "0.1")))
    assert report.outcome is Outcome.CURRENT
    assert report.warning is not None
    assert f"kept as {aside}" in report.warning
    assert path.with_name(aside).exists()
    assert [each.name for each in filled.quotes(REGION)] == ["r7g.large"]
    assert lines(filled) == []
    assert refreshed(filled, Stub(quote("r7g.large", "0.1"))).warning is None


def test_an_empty_file_becomes_a_cache(filled: Cache) -> None:
    """A kill right after the file was made leaves one: it holds nothing that could be lost."""
    filled.file.path.write_bytes(b"")
    assert len(lines(filled)) == 1
    report = refreshed(filled, Stub(PRICE))
    assert (report.outcome, report.warning) == (Outcome.CURRENT, None)
    assert filled.quotes(REGION) == (PRICE,)


def test_files_of_others_are_never_overwritten(filled: Cache) -> None:
    path = filled.file.path
    for _ in range(3):
        another_application(path)
        refreshed(filled, Stub(PRICE))
    names = {each.name for each in path.parent.iterdir()}
    ours = "prices.sqlite3"
    assert names == {ours, f"{ours}.foreign", f"{ours}.foreign-2", f"{ours}.foreign-3"}


def test_a_changed_digit_is_noticed(filled: Cache) -> None:
    path = filled.file.path
    content = path.read_bytes()
    assert content.count(b"0.0816") == 1
    path.write_bytes(content.replace(b"0.0816", b"0.0016"))
    found = cached_documents(path, REGION)
    assert found.get(EC2) is None
    assert found.warnings == [f"the cached prices of {EC2} are damaged and are not used"]
    assert filled.quotes(REGION) == ()
    assert "damaged" in str(lookup(filled, "m7g.large", REGION).warning)
    assert refreshed(filled, Stub(PRICE)).outcome is Outcome.CURRENT
    assert filled.quotes(REGION) == (PRICE,)


def test_noise_anywhere_never_raises_and_never_lies(filled: Cache) -> None:
    """Each reader survives a run of random bytes at 60 seeded places of the file."""
    path, draw = filled.file.path, random.Random(11)  # noqa: S311 (no secret)
    refreshed(filled, Stub(*quotes(300, "1")), accepts=True)
    sound = path.read_bytes()
    good = {f"m{number}.large": "1" for number in range(300)}
    for _ in range(60):
        start = draw.randrange(len(sound) - 64)
        path.write_bytes(sound[:start] + draw.randbytes(64) + sound[start + 64 :])
        found = cached_documents(path, REGION)
        market = found.get(EC2)
        assert market is None or market.body[0][2] == good
        found.types()
        status(filled)
        lookup(filled, "m1.large", REGION)
        report = refreshed(filled, Stub(*quotes(300, "1")))
        assert report.outcome in (Outcome.CURRENT, Outcome.HELD, Outcome.NOT_STORED)


def test_a_changed_digit_of_a_type_is_noticed(filled: Cache) -> None:
    facts = TypeFacts(name="m9g.large", vcpu=2, memory_gib=8.25)
    refreshed(filled, Stub(PRICE, types=[facts]))
    path = filled.file.path
    assert cached_documents(path, REGION).types() == (facts,)
    path.write_bytes(path.read_bytes().replace(b"8.25", b"9.25"))
    found = cached_documents(path, REGION)
    assert found.types() == ()
    assert found.warnings == ["the new instance types in the price cache are damaged"]


def test_a_missing_file_is_no_warning(cache: Cache) -> None:
    found = cached_documents(cache.file.path, REGION)
    assert (len(found), found.warnings, found.get(EC2), found.types()) == (0, [], None, ())


def test_without_a_file_sqlite_is_not_even_loaded(root: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from advisor.pricing.cached import cached_documents;"
        "assert not len(cached_documents(Path('none'), 'eu-test-1'));"
        "print('sqlite3' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"


def test_the_file_is_the_users_own(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "a" / "b" / "prices.sqlite3")
    refreshed(cache, Stub(PRICE))
    path = cache.file.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["prices.sqlite3"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_without_permission_is_a_line(filled: Cache) -> None:
    directory = filled.file.path.parent
    filled.file.path.chmod(0o400)
    directory.chmod(0o500)
    try:
        assert cached_documents(filled.file.path, REGION).get(EC2) is not None
        report = refreshed(filled, Stub(*quotes(3, "1")))
    finally:
        directory.chmod(0o700)
    assert report.outcome is Outcome.NOT_STORED
    assert "write-protected" in str(report.problem)
    assert filled.quotes(REGION) == (PRICE,)


def test_a_write_protected_file_is_still_read(
    filled: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root no mode protects a file, so the connection is opened for reading alone."""
    real = CacheFile._connected

    def protected(file: CacheFile) -> sqlite3.Connection:
        real(file).close()
        return sqlite3.connect(f"{file.path.as_uri()}?mode=ro", uri=True, isolation_level=None)

    monkeypatch.setattr(CacheFile, "_connected", protected)
    report = refreshed(filled, Stub(*quotes(3, "1")))
    assert report.outcome is Outcome.NOT_STORED
    assert report.problem == (
        "the price cache cannot be written: the file or its directory is write-protected"
    )
    assert filled.quotes(REGION) == (PRICE,)
    assert status(filled).coverage


def test_a_directory_that_cannot_be_made_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "advisor").touch()
    cache = Cache(tmp_path / "advisor" / "prices.sqlite3")
    report = refreshed(cache, Stub(PRICE))
    assert report.outcome is Outcome.NOT_STORED
    assert str(report.problem).startswith("the price cache cannot be written: ")
    assert lines(cache) in ([], ["the price cache is not used: it cannot be read"])
    Responses(cache, lambda: NOON).put("http://x", Stored(etag=None, last_modified=None, body=b""))


def test_a_full_disk_keeps_the_old_prices(filled: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    real = CacheFile._connected

    def full(file: CacheFile) -> sqlite3.Connection:
        connection = real(file)
        ((pages,),) = connection.execute("PRAGMA page_count")
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(CacheFile, "_connected", full)
        report = refreshed(filled, Stub(PRICE, *quotes(4000, "1")))
    assert report.outcome is Outcome.NOT_STORED
    assert report.problem == (
        "the price cache cannot be written: the disk is full; the prices it held stay"
    )
    assert filled.quotes(REGION) == (PRICE,)
    assert refreshed(filled, Stub(PRICE, *quotes(4000, "1"))).outcome is Outcome.CURRENT


def stored(size: int, seed: int = 0) -> Stored:
    return Stored(etag='"1"', last_modified=None, body=noise_of(size, seed))


def test_web_answers_come_back(filled: Cache) -> None:
    responses = Responses(filled, lambda: NOON)
    assert responses.get("http://x/a?token=secret") is None
    responses.put("http://x/a?token=secret", stored(5000))
    assert responses.get("http://x/a?token=secret") == stored(5000)
    assert responses.get("http://x/a") is None
    assert b"secret" not in filled.file.path.read_bytes()


def test_a_web_answer_without_a_cache_is_not_kept(cache: Cache) -> None:
    responses = Responses(cache, lambda: NOON)
    responses.put("http://x/a", stored(10))
    assert responses.get("http://x/a") is None


def test_the_oldest_web_answers_go_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "prices.sqlite3", most_bytes=600_000)
    refreshed(cache, Stub(*quotes(50, "1")))
    for number in range(20):
        Responses(cache, partial(NOON.replace, minute=number)).put(
            f"http://x/{number}", stored(100_000, number)
        )
        assert cache.file.path.stat().st_size <= 600_000
    kept = [n for n in range(20) if Responses(cache, lambda: NOON).get(f"http://x/{n}")]
    assert kept in ([16, 17, 18, 19], [15, 16, 17, 18, 19])
    assert len(cache.quotes(REGION)) == 50


def test_a_smaller_bound_costs_answers_then_history_then_other_regions(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "prices.sqlite3")
    refreshed(cache, Stub(*quotes(2000, "1")))
    refreshed(cache, Stub(*quotes(2000, "1.1")))
    Responses(cache, lambda: NOON).put("http://x/a", stored(300_000))
    whole = cache.file.path.stat().st_size
    bounded = Cache(cache.file.path, most_bytes=whole - 200_000)
    refreshed(bounded, Stub(*quotes(2000, "1.2")))
    assert Responses(cache, lambda: NOON).get("http://x/a") is None
    assert lookup(cache, "m1.large", REGION).history
    assert cache.file.path.stat().st_size <= whole - 200_000
    bounded = Cache(cache.file.path, most_bytes=160_000)
    refreshed(bounded, Stub(*quotes(2000, "1.2")))
    assert cache.file.path.stat().st_size <= 160_000
    assert not lookup(cache, "m1.large", REGION).history
    assert len(cache.quotes(REGION)) == 2000


def test_a_region_beyond_the_bound_is_a_line(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "prices.sqlite3", most_bytes=100_000)
    report = refreshed(cache, Stub(*quotes(9000, "1")))
    assert report.outcome is Outcome.NOT_STORED
    assert "its bound of 100000 bytes" in str(report.problem)
    assert cache.file.path.stat().st_size <= 100_000


def test_a_reader_during_a_refresh_sees_the_old_prices(filled: Cache) -> None:
    with filled.file.writing() as connection:
        connection.execute("DELETE FROM documents")
        found = cached_documents(filled.file.path, REGION)
        assert (found.warnings, found.get(EC2) is not None) == ([], True)
        assert filled.quotes(REGION) == (PRICE,)


def test_a_large_refresh_keeps_its_pages_to_itself_until_it_ends(filled: Cache) -> None:
    """More than SQLite's own page cache, which would lock readers out before the commit."""
    with filled.file.writing() as connection:
        rows = [(f"{n}", None, None, "x", noise_of(10**6, n)) for n in range(16)]
        connection.executemany("INSERT INTO responses VALUES (?, ?, ?, ?, ?)", rows)
        assert cached_documents(filled.file.path, REGION).get(EC2) is not None


def test_a_locked_file_costs_a_reader_a_tenth_of_a_second(filled: Cache) -> None:
    with closing(sqlite3.connect(filled.file.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.perf_counter()
        found = cached_documents(filled.file.path, REGION)
        taken = time.perf_counter() - began
    assert found.warnings == ["the price cache is not used: a refresh is writing it"]
    assert len(found) == 0
    assert taken < 1.0


def test_a_second_writer_waits_for_the_first(cache: Cache) -> None:
    patient = Cache(cache.file.path, busy_s=10.0)
    refreshed(patient, Stub(PRICE))
    holds, reports = threading.Event(), []

    def second() -> None:
        holds.wait()
        reports.append(refreshed(patient, Stub(quote("m7g.large", "0.09"))))

    thread = threading.Thread(target=second)
    thread.start()
    with patient.file.writing():
        holds.set()
        time.sleep(0.2)
    thread.join()
    assert [each.outcome for each in reports] == [Outcome.CURRENT]
    assert [str(each.usd) for each in patient.quotes(REGION)] == ["0.09"]


def test_a_writer_that_waits_too_long_says_who_writes(filled: Cache) -> None:
    with closing(sqlite3.connect(filled.file.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        report = refreshed(filled, Stub(quote("m7g.large", "0.09")))
    assert report.problem == ("the price cache cannot be written: another refresh is writing it")
    assert filled.quotes(REGION) == (PRICE,)


@pytest.mark.parametrize("seconds", [0.3, 0.0])
def test_a_locked_file_does_not_outlast_the_deadline(filled: Cache, seconds: float) -> None:
    patient = Cache(filled.file.path, busy_s=10.0)
    asked = Stub(quote("m7g.large", "0.09"))
    with closing(sqlite3.connect(filled.file.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.perf_counter()
        report = refreshed(patient, asked, seconds=seconds)
        taken = time.perf_counter() - began
    assert bool(asked.asked) is bool(seconds), "the source comes before the cache"
    assert report.problem is not None
    assert taken < seconds + 0.6


def test_stored_web_answers_are_not_waited_for(filled: Cache) -> None:
    responses = Responses(Cache(filled.file.path, busy_s=10.0), lambda: NOON)
    responses.put("http://x/a", stored(100))
    with closing(sqlite3.connect(filled.file.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.perf_counter()
        assert responses.get("http://x/a") is None
        responses.put("http://x/b", stored(100))
        taken = time.perf_counter() - began
    assert taken < 0.5
    assert responses.get("http://x/a") is not None
    assert responses.get("http://x/b") is None


WRITER = """
import sys
from pathlib import Path
from advisor.pricing.cache import Cache
from tests.pricing.stubs import Stub, quotes, refreshed
cache = Cache(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), 100, 4):
    report = refreshed(cache, Stub(*quotes(50, f"{number + 1}")), accepts=True)
    assert report.outcome == "current" and report.warning is None, report
    assert len({quote.usd for quote in cache.quotes(report.region)}) == 1
"""


@pytest.mark.slow
def test_four_processes_from_the_first_moment_on(cache: Cache, root: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(cache.file.path)]
    writers = [
        subprocess.Popen([*command, f"{start}"], cwd=root, stderr=subprocess.PIPE)
        for start in range(60, 64)
    ]
    assert [(each.communicate()[1], each.returncode) for each in writers] == [(b"", 0)] * 4
    assert len(cache.quotes(REGION)) == 50
    assert [each.name for each in cache.file.path.parent.iterdir()] == ["prices.sqlite3"]


def test_what_a_killed_refresh_left_half_done_is_undone_by_the_next_reader(
    filled: Cache, tmp_path: Path
) -> None:
    """The journal of a transaction that reached the file but did not end: copied alive."""
    path = tmp_path / "copy" / "prices.sqlite3"
    path.parent.mkdir()
    with filled.file.writing() as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("PRAGMA cache_spill = 1")
        connection.execute("DELETE FROM documents")
        blob = noise_of(2**20, 1)
        connection.execute("INSERT INTO responses VALUES ('x', NULL, NULL, 'x', ?)", (blob,))
        for name in ("prices.sqlite3", "prices.sqlite3-journal"):
            shutil.copyfile(filled.file.path.with_name(name), path.with_name(name))
    assert path.stat().st_size > 2**19, "nothing was half done"
    found = cached_documents(path, REGION)
    assert (found.warnings, found.get(EC2) is not None) == ([], True)
    assert not path.with_name("prices.sqlite3-journal").exists()


def test_a_damaged_held_refresh_is_a_line(filled: Cache) -> None:
    refreshed(filled, Stub(*quotes(40, "1")), accepts=True)
    refreshed(filled, Stub(*quotes(40, "2")))
    with filled.file.writing() as connection:
        connection.execute("UPDATE held SET batch = x'00'")
    with pytest.raises(PricingError, match="kept apart is damaged"):
        filled.accept(REGION)
    assert {str(each.usd) for each in filled.quotes(REGION)} == {"1"}
    refreshed(filled, Stub(*quotes(40, "1")), asked=wanted(Subject.EC2))
    assert status(filled).held == ()
