"""Regenerates what the documents show of the program. Run through ``scripts/examples``.

An example is three things in a row in README.md or a file of ``docs/``: a marker, the command in a
``sh`` block, its output in a ``text`` block:

    <!-- example: NAME; exit 6; sections: What limits it, Caveats -->

``exit`` (0 if left out) is the exit code; ``sections`` name the parts of the answer shown after
headline and table. The complete output is kept as ``tests/examples/NAME.txt``. Tables of the fitted
parameters stand between ``<!-- table: NAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.hatch_build import DATABASE  # noqa: E402 (needs the path above)
from scripts.model_tables import model_tables  # noqa: E402 (needs the path above)

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path("tests") / "examples"
RUN = "import sys; sys.argv[0] = 'advisor'; from advisor.cli.main import run; run()"
#: Stands for lines that an excerpt leaves out.
GAP = "[...]"
_EXAMPLE = re.compile(
    r"<!-- example: (?P<name>[a-z0-9-]+)"
    r"(?:; exit (?P<code>\d+))?(?:; sections: (?P<sections>[^>]+?))? -->\n"
    r"```sh\n(?P<command>.*?)```\n\n```text\n(?P<shown>.*?)```\n",
    re.DOTALL,
)
_TABLE = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_STARTS = re.compile(r"^(?=advisor )", re.MULTILINE)
_EXIT = re.compile(r"#\s*exit (\d+)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One command of the documents with what they show of its output."""

    name: str
    document: Path
    arguments: tuple[str, ...]
    """What follows ``advisor``."""
    code: int
    sections: tuple[str, ...]
    shown: str

    @property
    def golden(self) -> Path:
        """Where the complete output is kept, from the root."""
        return GOLDEN / f"{self.name}.txt"

    def excerpt(self, output: str) -> str:
        """Return the part of the complete ``output`` that the document shows."""
        if self.code:
            return output
        blocks = output.rstrip("\n").split("\n\n")
        kept = [
            block if number < 2 or block.partition("\n")[0] in self.sections else GAP  # noqa: PLR2004 (headline and table)
            for number, block in enumerate(blocks)
        ]
        shown = [
            block
            for number, block in enumerate(kept)
            if block != GAP or number == 0 or kept[number - 1] != GAP
        ]
        return "\n\n".join(shown) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A command line shown in a ``sh`` block, with the exit code that it ends with."""

    document: Path
    arguments: tuple[str, ...]
    code: int


def documents(root: Path) -> list[Path]:
    """Return the documents that may hold examples, in a fixed order."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def examples(root: Path) -> list[Example]:
    """Return every example of the documents, in their order."""
    return [_example(path, match) for path in documents(root) for match in _matches(path)]


def command_lines(root: Path) -> Iterator[CommandLine]:
    """Yield every ``advisor`` line of the ``sh`` blocks; ``# exit N`` after one states its code."""
    stated = {(each.document, each.arguments): each.code for each in examples(root)}
    for path in documents(root):
        for block in _SHELL.findall(path.read_text(encoding="utf-8")):
            for command in _STARTS.split(block)[1:]:
                arguments = _arguments(command)
                said = _EXIT.search(command)
                code = int(said[1]) if said else stated.get((path, arguments), 0)
                yield CommandLine(document=path, arguments=arguments, code=code)


def _matches(path: Path) -> Iterator[re.Match[str]]:
    return _EXAMPLE.finditer(path.read_text(encoding="utf-8"))


def _arguments(command: str) -> tuple[str, ...]:
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    if words[0] != "advisor":
        raise SystemExit(f"an example runs {words[0]}, not advisor")
    return tuple(words[1:])


def _example(path: Path, match: re.Match[str]) -> Example:
    return Example(
        name=match["name"],
        document=path,
        arguments=_arguments(match["command"]),
        code=int(match["code"] or 0),
        sections=tuple(part.strip() for part in (match["sections"] or "").split(",")),
        shown=match["shown"],
    )


def complete_output(example: Example, database: Path) -> str:
    """Return stdout of an example, or stderr of one that fails, from a clean environment.

    Raises SystemExit when it ends with another code or writes to the other stream.
    """
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, "-c", RUN, *example.arguments],
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=home,
            env={
                "PATH": os.defpath,
                "HOME": home,
                "LANG": "C.UTF-8",
                "TZ": "UTC",
                "COLUMNS": "80",
                "PYTHONPATH": str(ROOT),
                "ADVISOR_DATABASE": str(database),
            },
        )
    output, other = done.stdout, done.stderr
    if example.code:
        output, other = other, output
    if done.returncode != example.code or other:
        said = (done.stderr or done.stdout).strip()
        raise SystemExit(f"{example.name} ends with exit code {done.returncode}: {said}")
    return output


def modules_table(root: Path) -> str:
    """Return the modules of the package with the first sentence of each docstring."""
    lines = ["| module | what it is |", "|---|---|"]
    for path in sorted((root / "advisor").rglob("*.py")):
        if path.name != "__init__.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            said = " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())
            said = said.replace("``", "`")
            lines.append(f"| `{path.relative_to(root / 'advisor').with_suffix('')}` | {said} |")
    return "\n".join(lines) + "\n"


def regenerated(root: Path, database: Path) -> dict[Path, str]:
    """Return the text that every document and golden file should have."""
    files: dict[Path, str] = {}
    outputs = {each.name: complete_output(each, database) for each in examples(root)}
    tables = {**model_tables(database), "modules": modules_table(root)}
    for path in documents(root):
        text = path.read_text(encoding="utf-8")
        for match in _matches(path):
            example = _example(path, match)
            output = outputs[example.name]
            files[root / example.golden] = output
            block = match[0].removesuffix(f"{example.shown}```\n")
            text = text.replace(match[0], f"{block}{example.excerpt(output)}```\n")
        files[path] = _TABLE.sub(lambda found: found[1] + tables[found[2]] + found[3], text)
    return files


def main() -> int:
    """Write the documents and golden files, or with ``--check`` return 1 when one differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    is_check = parser.parse_args().check
    files = regenerated(ROOT, ROOT / DATABASE)
    strangers = set((ROOT / GOLDEN).glob("*.txt")) - set(files)
    changed = sorted(
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    )
    for path in (*changed, *sorted(strangers)):
        print(path.relative_to(ROOT), "differs" if is_check else "written or removed")
    if is_check:
        return 1 if changed or strangers else 0
    for path in changed:
        path.write_text(files[path], encoding="utf-8")
    for path in strangers:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
