from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli.output import write_result
from advisor.errors import UsageError


def test_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    write_result("new × line", target)
    assert target.read_text(encoding="utf-8") == "new × line\n"
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_symbolic_link_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    target.write_text("old", encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_result("new", link)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new\n"


def test_dash_is_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    write_result("line", Path("-"))
    assert capsys.readouterr().out == "line\n"


def test_device_is_written_through() -> None:
    write_result("line", Path("/dev/null"))
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("name", ["absent/answer.txt", ".", "a\0b", "x" * 300])
def test_impossible_targets_are_refused_and_leave_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        write_result("line", tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_write_protected_file_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "answer.txt"
    target.write_text("old", encoding="utf-8")
    # root may write everything, so the answer of the system is given here
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UsageError, match="write-protected"):
        write_result("new", target)
    assert target.read_text(encoding="utf-8") == "old"


def test_disk_that_fills_up_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    target.write_text("old", encoding="utf-8")
    script = (
        "import resource, sys, pathlib\n"
        "from advisor.cli.output import write_result\n"
        "from advisor.errors import UsageError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try:\n"
        "    write_result('x' * 10000, pathlib.Path(sys.argv[1]))\n"
        "except UsageError as error:\n"
        "    print(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(target)], check=True, capture_output=True, text=True
    )
    assert "cannot write" in done.stdout
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]
