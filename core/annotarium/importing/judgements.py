"""What becomes of the judgements of documents that an import replaces.

The new document gets copies; those of the old one stay with it, so that an undone import brings them back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy.orm import Session

from annotarium.content.questions import is_question
from annotarium.db.bulk_insert import insert_rows
from annotarium.db.identifiers import new_ids
from annotarium.db.models import PassageJudgement
from annotarium.importing import repository
from annotarium.importing.document_preparation import PreparedDocument
from annotarium_schemas.messages import Message, message

_COLUMNS = (
    *("id", "project_id", "question_id", "document_id", "start", "end", "grade"),
    *("created_at", "created_by", "modified_at", "modified_by", "version", "imported_at", "imported_by"),
)


class Replacement(NamedTuple):
    """The document that takes the place of another one."""

    id: int
    document: PreparedDocument


def copy_judgements(session: Session, replaced: Mapping[int, Replacement]) -> Counter[int]:
    """Copy the judgements of replaced questions and documents to those in their place.

    A judgement of a passage is kept where the new text has the passage at the same offsets, or exactly once elsewhere.

    Args:
        replaced: replacements by the id of the document they replace.

    Returns:
        How many judgements were left out, by id of the new document.
    """
    left_out: Counter[int] = Counter()
    copies: dict[tuple[int, int, int, int], PassageJudgement] = {}
    for row, passage in repository.judgements_of_documents(session, list(replaced)):
        question, document = replaced.get(row.question_id), replaced.get(row.document_id)
        start: int | None = row.start
        if question is not None and not is_question(question.document.metadata):
            left_out[question.id] += 1
            continue
        if document is not None:
            start = _find(document.document, passage, row.start)
            if start is None:
                left_out[document.id] += 1
                continue
        assert start is not None
        place = (question.id if question else row.question_id, document.id if document else row.document_id)
        copies[*place, start, start + row.end - row.start] = row
    columns = _COLUMNS[7:]
    rows = [
        (number, row.project_id, *key, row.grade, *(getattr(row, name) for name in columns))
        for number, (key, row) in zip(new_ids(len(copies)), copies.items(), strict=True)
    ]
    insert_rows(session, PassageJudgement, _COLUMNS, rows)
    return left_out


def _find(document: PreparedDocument, passage: str, start: int) -> int | None:
    """Return where a passage is in a document: at `start`, else at its only occurrence; None in questions."""
    text = document.text
    if is_question(document.metadata):
        return None
    if text.startswith(passage, start):
        return start
    first = text.find(passage)
    return first if first >= 0 and text.find(passage, first + 1) < 0 else None


def judgements_left_out_message(count: int) -> Message:
    """The message about judgements of passages that the new text does not have."""
    return message(
        "note.judgements",
        "{count:,} judged passages are not in the new text: their judgements were left out",
        one="{count:,} judged passage is not in the new text: its judgement was left out",
        count=count,
    )
