"""The typer application and the process boundary.

Importing this module loads none of duckdb, textual, boto3, httpx, plotext and pydantic: the module
of a command is imported when that command runs (``advisor.cli.registry``).
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from advisor import __version__
from advisor.cli import failure, output
from advisor.cli.registry import LazyGroup
from advisor.errors import AdvisorError, ExitCode, UsageError

PROGRAM = "advisor"
INSTALL_COMPLETION = "--install-completion"
HEADLESS = "advisor recommend --threads 16 --rw mixed"

app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, value: bool) -> None:
    if value:
        output.write_result(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def advisor(
    ctx: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 (its callback answers)
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
) -> None:
    """Which instance, storage and engine for a database workload on AWS."""
    if ctx.invoked_subcommand is not None or ctx.resilient_parsing:
        return
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None:
        raise UsageError(f"the terminal UI is not part of this version; use: {HEADLESS}")
    raise UsageError(f"there is no terminal here; use: {HEADLESS}")


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return the exit code; everything raised ends here as one line."""
    output.prepare_streams()
    try:
        return _dispatch(arguments)
    except AdvisorError as error:
        failed = failure.failure_of_advisor_error(error)
    except TyperException as error:
        failed = failure.failure_of_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return int(ExitCode.INTERRUPTED)
    except Exception as error:  # noqa: BLE001 (the process boundary: STYLE E5)
        failed = failure.failure_of_bug(error)
    output.report_error(failed.message, failed.hint)
    return failed.exit_code


def run() -> NoReturn:
    """Run the command line of this process and end it with its code.

    A command is over before cyclic garbage matters, so none is looked for; and what is written is
    flushed, so the interpreter is not taken down piece by piece. Both are a tenth of an answer.
    """
    gc.disable()
    code = main(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(code)


def _dispatch(arguments: Sequence[str]) -> int:
    _make_completion_light()
    try:
        code = get_command(app).main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as error:
        code = _code_of_typer_exit(error)
    except OSError as error:
        if INSTALL_COMPLETION not in arguments:
            raise
        raise UsageError(
            f"cannot install completion: {error.strerror} ({error.filename})",
            hint=f"{PROGRAM} --show-completion prints the script",
        ) from error
    return code if isinstance(code, int) else int(ExitCode.DONE)


def _code_of_typer_exit(error: SystemExit) -> int:
    """Return our code where typer ended the process: with 1 for what it refuses."""
    if isinstance(error.__context__, BrokenPipeError):
        return int(ExitCode.DONE)  # the reader has had what it wanted
    return int(ExitCode.USAGE if error.code == 1 else ExitCode.DONE)


def _make_completion_light() -> None:
    """Keep rich (100 ms) out of shell completion; typer loads it to strip markup we do not use."""
    if f"_{PROGRAM.upper()}_COMPLETE" in os.environ:
        import typer._completion_classes as classes

        classes._sanitize_help_text = str  # type: ignore[assignment]
