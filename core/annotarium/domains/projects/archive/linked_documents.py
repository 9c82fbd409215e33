"""Restores rows that refer to several documents: judgements refer to a question and to the document of a passage.

Such rows are read twice: before the documents, to know whose ids have to be kept, and after them, to be written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotarium.content.questions import is_question
from annotarium.content.validation import InvalidContent
from annotarium.db.models import Document
from annotarium.domains.projects.archive.archive_format import ArchivedTable, referred_table
from annotarium.domains.projects.archive.row_encoding import IdMap, MissingReference
from annotarium_schemas.messages import message

DOCUMENTS = Document.__tablename__
JUDGEMENTS = "passage_judgements"


class LinkedDocuments:
    """The documents that rows of linked tables refer to."""

    def __init__(self) -> None:
        self._wanted: set[int] = set()
        self._ids: dict[int, int] = {}
        self._facts: dict[int, tuple[int, bool]] = {}
        self._judged: set[tuple[int, ...]] = set()

    def want(self, archived: ArchivedTable, rows: Iterable[Any]) -> None:
        """Keep the ids of the documents that these rows of an archive refer to."""
        columns = [column.name for column in archived.table.c if referred_table(column) == DOCUMENTS]
        for row in rows:
            if isinstance(row, dict):
                self._wanted.update(number for name in columns if isinstance(number := row.get(name), int))

    def note(self, old_id: Any, row: dict[str, Any]) -> None:
        """Note a document that is restored: its id in the archive and its new row."""
        if isinstance(old_id, int) and old_id in self._wanted:
            self._ids[old_id] = row["id"]
            self._facts[row["id"]] = (len(row["text"]), is_question(row["metadata"]))

    def add_to(self, known: IdMap) -> None:
        """Add the ids to the map from archived to new ids."""
        for old_id, new_id in self._ids.items():
            known.add(DOCUMENTS, old_id, new_id)

    def check_judgement(self, row: dict[str, Any]) -> None:
        """Check a judgement with new ids.

        Raises:
            InvalidContent: its passage is outside the document, or is judged twice.
            MissingReference: it is not about a passage of a document for a question. Both can become something else
                when their metadata change; the judgement has no meaning then.
        """
        length, is_a_question = self._facts[row["document_id"]]
        passage = (row["question_id"], row["document_id"], row["start"], row["end"])
        if is_a_question or not self._facts[row["question_id"]][1]:
            raise MissingReference
        if not row["start"] < row["end"] <= length:
            raise InvalidContent(
                message(
                    "wrong.outside",
                    "{start}-{end} is outside the document of {length:,} characters",
                    start=row["start"],
                    end=row["end"],
                    length=length,
                )
            )
        if passage in self._judged:
            raise InvalidContent(message("archive.judgedTwice", "A passage has two judgements for one question"))
        self._judged.add(passage)
