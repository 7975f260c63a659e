"""From an exception to one helpful line and an exit code: the process boundary's table."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from advisor import __version__
from advisor.domain.record import record
from advisor.domain.spelling import did_you_mean
from advisor.errors import AdvisorError, ExitCode, NoCandidateError

if TYPE_CHECKING:
    from pathlib import Path

    from typer.exceptions import TyperException

DEBUG_VARIABLE = "ADVISOR_DEBUG"
_NOT_ONE_OF = re.compile(r"'([^']*)' is not one of (.*)")


@record
class Failure:
    """What a failed run says and returns."""

    message: str
    hint: str | None
    exit_code: int


def failure_of_advisor_error(error: AdvisorError) -> Failure:
    """Return the failure of an error of ours; the nearest miss becomes part of the hint."""
    hint = error.hint
    if isinstance(error, NoCandidateError) and hint is None:
        parts = [f"nearest miss: {error.nearest}"] if error.nearest else []
        if error.relax:
            parts.append(f"to relax: {', or '.join(error.relax)}")
        hint = "; ".join(parts) or None
    return Failure(message=error.message, hint=hint, exit_code=int(error.exit_code))


def failure_of_usage(error: TyperException) -> Failure:
    """Return the failure of a command line that typer refused, naming the nearest right word."""
    context = getattr(error, "ctx", None)
    name = context.command_path if context is not None else "advisor"
    return Failure(
        message=_usage_message(error, context),
        hint=f"{name} --help",
        exit_code=int(ExitCode.USAGE),
    )


def _usage_message(error: TyperException, context: object) -> str:
    option = getattr(error, "option_name", None)
    possibilities = getattr(error, "possibilities", None)
    message = error.message if possibilities else error.format_message()
    message = message[:1].lower() + message[1:].rstrip(".")
    if option and message.startswith("no such option"):
        return message + did_you_mean(option, _option_names(context) or possibilities or ())
    if message == "missing command":
        commands = getattr(getattr(context, "command", None), "commands", {})
        return f"missing command: {', '.join(commands)}"
    message = message.replace(". Did you mean", "; did you mean")
    wrong = _NOT_ONE_OF.search(message)
    if wrong:
        return message + did_you_mean(wrong[1], re.findall(r"'([^']*)'", wrong[2]))
    return message


def _option_names(context: object) -> list[str]:
    parameters = getattr(getattr(context, "command", None), "params", ())
    return [name for parameter in parameters for name in parameter.opts if name.startswith("--")]


def failure_of_bug(error: BaseException) -> Failure:
    """Return the failure of an unexpected exception; its traceback goes to a file or is shown."""
    import traceback

    from advisor.cli.output import note

    message = f"unexpected {type(error).__name__}: {error}"
    text = "".join(traceback.format_exception(error))
    if os.environ.get(DEBUG_VARIABLE):
        note(text.rstrip())
        return Failure(message=message, hint=None, exit_code=int(ExitCode.INTERNAL))
    log = _keep(text)
    hint = f"the traceback is in {log}" if log else f"run again with {DEBUG_VARIABLE}=1"
    return Failure(
        message=f"{message} (a fault of advisor, not of your input)",
        hint=hint,
        exit_code=int(ExitCode.INTERNAL),
    )


def _keep(text: str) -> Path | None:
    """Write the last traceback to the user's state directory; None: it cannot be written."""
    from advisor.settings import user_directories

    try:
        path = user_directories().state / "last-error.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        path.write_text(f"advisor {__version__} {moment}\n{text}", encoding="utf-8")
    except (OSError, ValueError, RuntimeError):
        return None
    return path
