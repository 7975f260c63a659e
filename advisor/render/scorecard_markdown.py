"""A scorecard as Markdown: the tables of the text, and every group that was held out.

``docs/accuracy.md`` and the README are cut from this document by ``scripts/accuracy``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.render.choice_sheets import every_choice
from advisor.render.markdown import bullets, escaped, section, table
from advisor.render.scorecard_sheets import groups, headline, noise_sentence, sheets

if TYPE_CHECKING:
    from advisor.domain.scorecard import Evaluation, Scorecard
    from advisor.render.sheet import Sheet


def scorecard_markdown(found: Evaluation) -> str:
    """Return the evaluation as a document that ends with a newline."""
    card = found.scorecard
    blocks = [f"**{escaped(' '.join(headline(card)))}**"]
    for sheet in document_sheets(card):
        blocks += section(sheet.title, sheet_blocks(sheet))
    blocks += section("Noise", [escaped(noise_sentence(card))])
    blocks.append(f"Data `{found.data_version}`, model `{found.model_version}`.")
    return "\n\n".join(blocks) + "\n"


def document_sheets(card: Scorecard) -> tuple[Sheet, ...]:
    """Return the tables of the document: those of the text, then what is too long for a page."""
    long = (every_choice(card), groups(card))
    return (*sheets(card), *(sheet for sheet in long if sheet.rows))


def sheet_blocks(sheet: Sheet) -> list[str]:
    """Return the lead, the table and the notes of a sheet; an empty block for what is not said."""
    return [
        escaped(sheet.lead),
        table(sheet.columns, sheet.rows, sheet.figures),
        *bullets(sheet.notes),
    ]
