"""The flags that say in which form a result is written, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.errors import UsageError


def _named_file(text: str) -> Path:
    """Return the path that ``text`` names; an empty one would be the current directory."""
    if not text.strip():
        raise typer.BadParameter("the name of the file is empty; - is standard output")
    return Path(text)


AsJson = Annotated[bool, typer.Option("--json", help="Machine-readable.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Comma-separated values.")]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to this file.", parser=_named_file),
]


def one_form(**asked: bool) -> str:
    """Return the form that was asked for, ``text`` if none; UsageError for more than one."""
    forms = [name for name, is_asked in asked.items() if is_asked]
    if len(forms) > 1:
        raise UsageError(f"{' and '.join(f'--{name}' for name in forms)} exclude each other")
    return forms[0] if forms else "text"
