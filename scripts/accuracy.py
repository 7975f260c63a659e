"""Writes what ``advisor evaluate`` finds into the documents. Run through ``scripts/accuracy``.

A generated part stands between ``<!-- accuracy: NAME -->`` and ``<!-- end -->``: a section of the
command's Markdown without its heading, or ``summary``, the headline with the short goals.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from advisor.render.markdown import escaped, table  # noqa: E402 (needs the path above)
from advisor.render.scorecard_markdown import document_sheets, sheet_blocks  # noqa: E402
from advisor.render.scorecard_sheets import (  # noqa: E402
    headline,
    noise_sentence,
    short_goals,
)
from advisor.session.evaluate import evaluate  # noqa: E402
from scripts.hatch_build import DATABASE  # noqa: E402

if TYPE_CHECKING:
    from advisor.domain.scorecard import Evaluation

DOCUMENTS = (Path("README.md"), Path("docs") / "accuracy.md")
_PART = re.compile(r"(<!-- accuracy: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def parts(found: Evaluation) -> dict[str, str]:
    """Return the generated parts by name, each ending in a line break."""
    card = found.scorecard
    short = short_goals(card)
    blocks = {sheet.key: sheet_blocks(sheet) for sheet in document_sheets(card)}
    blocks["summary"] = [
        escaped(" ".join(headline(card))),
        table(short.columns, short.rows, short.figures),
    ]
    blocks["noise"] = [escaped(noise_sentence(card))]
    return {
        name: "\n\n".join(block for block in found_blocks if block) + "\n"
        for name, found_blocks in blocks.items()
    }


def shown(root: Path) -> dict[Path, set[str]]:
    """Return the names of the generated parts that each document shows."""
    return {
        path: {match[2] for match in _PART.finditer((root / path).read_text(encoding="utf-8"))}
        for path in DOCUMENTS
    }


def regenerated(root: Path, found: Evaluation) -> dict[Path, str]:
    """Return the text that every document should have; KeyError for a part that nobody makes."""
    made = parts(found)
    return {
        path: _PART.sub(
            lambda match: match[1] + made[match[2]] + match[3],
            (root / path).read_text(encoding="utf-8"),
        )
        for path in DOCUMENTS
    }


def main() -> int:
    """Write the documents, or with ``--check`` return 1 when one differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    is_check = parser.parse_args().check
    texts = regenerated(ROOT, evaluate(ROOT / DATABASE, lambda *_: None))
    changed = [
        path for path, text in texts.items() if (ROOT / path).read_text(encoding="utf-8") != text
    ]
    for path in changed:
        print(path, "differs" if is_check else "written")
        if not is_check:
            (ROOT / path).write_text(texts[path], encoding="utf-8")
    return 1 if is_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
