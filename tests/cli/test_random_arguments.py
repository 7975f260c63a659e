"""Whatever is typed, there is an exit code of the table and never a traceback."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.cli.main import main
from advisor.errors import ExitCode
from scripts.reference import commands
from tests.render.scorecards import usual

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: They write files or the shell's start-up file.
WRITING = {"--output", "-o", "--install-completion"}
COMMANDS = dict(commands())
VALUES = st.one_of(
    st.sampled_from(
        ("", "-", "--", "0", "-1", "1.5", "16", "1e999", "nan", "100GiB", "mixed", "mysql", "30%")
    ),
    st.integers().map(str),
    st.text(max_size=12),
).filter(lambda text: not text.startswith(("-o", "--o", "--i")))


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Draw a command and a mixture of its flags and of values."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    flags = {flag for parameter in COMMANDS[name].params for flag in parameter.opts} - WRITING
    flags = {flag for flag in flags if flag.startswith("-")} | {"--help", "--nonsense"}
    words = st.one_of(st.sampled_from(sorted(flags)), VALUES)
    return [*name.split()[1:], *draw(st.lists(words, max_size=6))]


@pytest.fixture(scope="module", autouse=True)
def _in_use(database: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADVISOR_DATABASE", str(database))
        # it takes seconds, and no argument reaches it
        patch.setattr("advisor.session.evaluate.evaluate", lambda *_: usual())
        yield


@given(arguments=command_lines())
@settings(max_examples=150, deadline=None)
def test_no_command_line_ends_in_a_traceback(arguments: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    assert code in set(ExitCode) - {ExitCode.INTERNAL}, err.getvalue()
    assert "Traceback" not in err.getvalue()
    assert (code == 0) or any(line.startswith("error: ") for line in err.getvalue().splitlines())
