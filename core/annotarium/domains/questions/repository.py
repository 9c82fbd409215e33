"""SQL of saved questions and judgements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, select, update

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import (
    readable_documents,
    readable_documents_by_id,
    visible_documents_with_deleted,
)
from annotarium.content.questions import is_answer_name, is_question
from annotarium.db.bulk_insert import insert_rows
from annotarium.db.identifiers import new_ids, now_ms
from annotarium.db.models import AltText, Document, PassageJudgement

_IDS = 500
"""Values per `IN` list."""
SHOWN_TEXT = 1_000
"""Longest part of a passage that is read, in code points."""


class QuestionRow(NamedTuple):
    """A question without its answers."""

    id: int
    identifier: str
    text: str
    title: str
    metadata: dict[str, Any]
    created_by: str
    created_at: int
    modified_at: int
    version: int
    origin_group_id: int | None


_QUESTION_COLUMNS = (
    *(Document.id, Document.identifier, Document.text, Document.title, Document.metadata_, Document.created_by),
    *(Document.created_at, Document.modified_at, Document.version, Document.origin_group_id),
)


def questions_by_id(call: ProjectCall, ids: Sequence[int]) -> dict[int, QuestionRow]:
    """The readable questions among the ids."""
    found: dict[int, QuestionRow] = {}
    for first in range(0, len(ids), _IDS):
        part = Document.id.in_(ids[first : first + _IDS])
        query = select(*_QUESTION_COLUMNS).where(readable_documents_by_id(call.access, call.project), part)
        for row in map(QuestionRow._make, call.session.execute(query)):
            if is_question(row.metadata):
                found[row.id] = row
    return found


def find_question(call: ProjectCall, identifier: str) -> QuestionRow | None:
    """The readable question with this identifier, or None; locked for an update."""
    query = select(*_QUESTION_COLUMNS).where(
        readable_documents(call.access, call.project), Document.identifier == identifier
    )
    row = call.session.execute(query.with_for_update()).first()
    return QuestionRow._make(row) if row is not None and is_question(row[4]) else None


def find_question_of_text(call: ProjectCall, text: str) -> QuestionRow | None:
    """The first readable question with exactly this text; uses the index on the length of texts."""
    query = select(*_QUESTION_COLUMNS).where(
        readable_documents(call.access, call.project), Document.length == len(text), Document.text == text
    )
    rows = map(QuestionRow._make, call.session.execute(query.order_by(Document.id)))
    return next((row for row in rows if is_question(row.metadata)), None)


def identifier_exists(call: ProjectCall, identifier: str) -> bool:
    """Whether a document of the project, readable or not, has this identifier."""
    query = select(Document.id).where(
        Document.project_id == call.project.id, Document.identifier == identifier, Document.deleted_at.is_(None)
    )
    return call.session.execute(query.limit(1)).first() is not None


def alt_texts_of(call: ProjectCall, document_ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """The alternative texts, as (name, text), by document id."""
    found: dict[int, list[tuple[str, str]]] = {}
    for first in range(0, len(document_ids), _IDS):
        query = select(AltText.document_id, AltText.name, AltText.text).where(
            AltText.document_id.in_(document_ids[first : first + _IDS])
        )
        for document_id, name, text in call.session.execute(query):
            found.setdefault(document_id, []).append((name, text))
    return found


def replace_answers(
    call: ProjectCall,
    question: QuestionRow,
    alt_texts: Sequence[tuple[str, str]],
    metadata: dict[str, Any],
    timestamp: int,
) -> None:
    """Give a question other known answers and metadata, and its row the next version."""
    query = select(AltText.name).where(AltText.document_id == question.id)
    old = [name for name in call.session.scalars(query) if is_answer_name(name)]
    for first in range(0, len(old), _IDS):
        part = AltText.name.in_(old[first : first + _IDS])
        call.session.execute(delete(AltText).where(AltText.document_id == question.id, part))
    rows: list[tuple[Any, ...]] = [(question.id, name, call.project.id, text, {}) for name, text in alt_texts]
    insert_rows(call.session, AltText, ("document_id", "name", "project_id", "text", "properties"), rows)
    values: dict[Any, Any] = {"version": Document.version + 1, "modified_at": timestamp, "modified_by": call.username}
    values[Document.metadata_] = metadata
    call.session.execute(
        update(Document).where(Document.id == question.id).values(values).execution_options(synchronize_session=False)
    )


# --- judgements -------------------------------------------------------------------------------------------------------


def count_judgements(call: ProjectCall, question_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Number of judged passages and of relevant ones, of readable documents, by question; zeros are left out."""
    relevant = func.count(case((PassageJudgement.grade > 0, 1)))
    found: dict[int, tuple[int, int]] = {}
    for first in range(0, len(question_ids), _IDS):
        query = (
            select(PassageJudgement.question_id, func.count(), relevant)
            .join(Document, Document.id == PassageJudgement.document_id)
            .where(
                PassageJudgement.question_id.in_(question_ids[first : first + _IDS]),
                readable_documents_by_id(call.access, call.project),
            )
        )
        for question_id, judged, positive in call.session.execute(query.group_by(PassageJudgement.question_id)):
            found[question_id] = (judged, positive)
    return found


def count_all_judgements(call: ProjectCall, question_id: int) -> int:
    """Number of judged passages of a question, of documents that the caller may not read too."""
    query = select(func.count()).select_from(PassageJudgement).where(PassageJudgement.question_id == question_id)
    return call.session.scalar(query) or 0


def judgements_of_question(call: ProjectCall, question_id: int, *, passage: tuple[int, int, int] | None = None) -> Any:
    """Rows (judgement, document identifier, title, beginning of the passage) of readable documents, by grade, document
    and place.

    Args:
        passage: only the judgement of this passage: document id, start, end.
    """
    length = PassageJudgement.end - PassageJudgement.start
    shown = func.substr(
        Document.text, PassageJudgement.start + 1, case((length > SHOWN_TEXT, SHOWN_TEXT), else_=length)
    )
    query = (
        select(PassageJudgement, Document.identifier, Document.title, shown)
        .join(Document, Document.id == PassageJudgement.document_id)
        .where(PassageJudgement.question_id == question_id, readable_documents_by_id(call.access, call.project))
    )
    if passage is not None:
        query = query.where(*_passage_clauses(*passage))
    order = (PassageJudgement.grade.desc(), Document.id, PassageJudgement.start, PassageJudgement.end)
    return call.session.execute(query.order_by(*order)).all()


def _passage_clauses(document_id: int, start: int, end: int) -> Sequence[Any]:
    return (
        PassageJudgement.document_id == document_id,
        PassageJudgement.start == start,
        PassageJudgement.end == end,
    )


def find_judgement(call: ProjectCall, question_id: int, document_id: int, start: int, end: int) -> Any:
    """The judgement of a passage, or None; locked for an update."""
    query = select(PassageJudgement).where(
        PassageJudgement.question_id == question_id, *_passage_clauses(document_id, start, end)
    )
    return call.session.scalar(query.with_for_update())


class PassageDocument(NamedTuple):
    """A document with passages to judge; `length` counts code points."""

    id: int
    length: int
    metadata: dict[str, Any]


def find_passage_document(call: ProjectCall, identifier: str) -> PassageDocument | None:
    """The readable document with this identifier, or None."""
    query = select(Document.id, Document.length, Document.metadata_).where(
        readable_documents(call.access, call.project), Document.identifier == identifier
    )
    row = call.session.execute(query).first()
    return None if row is None else PassageDocument._make(row)


def judgements_with_documents(call: ProjectCall, question_ids: Collection[int]) -> Any:
    """Rows (question id, document identifier, start, end, grade) of readable documents, by question and place."""
    columns = (PassageJudgement.question_id, Document.identifier, PassageJudgement.start)
    query = (
        select(*columns, PassageJudgement.end, PassageJudgement.grade)
        .join(Document, Document.id == PassageJudgement.document_id)
        .where(PassageJudgement.question_id.in_(question_ids), readable_documents_by_id(call.access, call.project))
    )
    order = (PassageJudgement.question_id, Document.id, PassageJudgement.start, PassageJudgement.end)
    return call.session.execute(query.order_by(*order)).all()


def last_deleted_question(call: ProjectCall, identifier: str) -> QuestionRow | None:
    """The question with this identifier that was deleted last, if the caller could read it; locked for an update."""
    query = select(*_QUESTION_COLUMNS).where(
        visible_documents_with_deleted(call.access, call.project),
        Document.identifier == identifier,
        Document.deleted_at.is_not(None),
    )
    order = (Document.deleted_at.desc(), Document.id.desc())
    row = call.session.execute(query.order_by(*order).limit(1).with_for_update()).first()
    return QuestionRow._make(row) if row is not None and is_question(row[4]) else None


def restore_document(call: ProjectCall, document_id: int) -> None:
    """Make a deleted document live again, with its next version."""
    values = {"deleted_at": None, "deleted_by": None, "version": Document.version + 1}
    call.session.execute(
        update(Document).where(Document.id == document_id).values(values).execution_options(synchronize_session=False)
    )


# --- judgements of imports --------------------------------------------------------------------------------------------

_JUDGEMENT = (
    *("id", "project_id", "question_id", "document_id", "start", "end", "grade"),
    *("created_at", "created_by", "modified_at", "modified_by", "version", "imported_at", "imported_by"),
)


def passage_documents(call: ProjectCall, identifiers: Sequence[str]) -> dict[str, PassageDocument]:
    """The readable documents with these identifiers, questions too, by identifier."""
    found: dict[str, PassageDocument] = {}
    for first in range(0, len(identifiers), _IDS):
        query = select(Document.identifier, Document.id, Document.length, Document.metadata_).where(
            readable_documents(call.access, call.project), Document.identifier.in_(identifiers[first : first + _IDS])
        )
        for identifier, *values in call.session.execute(query):
            found[identifier] = PassageDocument._make(values)
    return found


def grades_of_passages(
    call: ProjectCall, question_ids: Sequence[int]
) -> dict[tuple[int, int, int, int], tuple[int, int]]:
    """Id and grade of the judgements of questions, by question, document, start and end."""
    found: dict[tuple[int, int, int, int], tuple[int, int]] = {}
    columns = (PassageJudgement.question_id, PassageJudgement.document_id, PassageJudgement.start)
    for first in range(0, len(question_ids), _IDS):
        query = select(*columns, PassageJudgement.end, PassageJudgement.id, PassageJudgement.grade).where(
            PassageJudgement.question_id.in_(question_ids[first : first + _IDS])
        )
        for *key, number, grade in call.session.execute(query):
            found[key[0], key[1], key[2], key[3]] = (number, grade)
    return found


def update_grades(call: ProjectCall, grades: dict[int, int]) -> None:
    """Change grades by the id of the judgement."""
    timestamp = now_ms()
    for number, grade in grades.items():
        values = {"grade": grade, "modified_at": timestamp, "modified_by": call.username}
        statement = update(PassageJudgement).where(PassageJudgement.id == number)
        call.session.execute(
            statement.values(version=PassageJudgement.version + 1, **values).execution_options(
                synchronize_session=False
            )
        )


def insert_judgements(call: ProjectCall, grades: dict[tuple[int, int, int, int], int]) -> None:
    """Insert judgements by the caller, given by question, document, start and end."""
    timestamp, author = now_ms(), call.username
    tracked = (timestamp, author, timestamp, author, 1, None, None)
    rows = [
        (number, call.project.id, *key, grade, *tracked)
        for number, (key, grade) in zip(new_ids(len(grades)), grades.items(), strict=True)
    ]
    insert_rows(call.session, PassageJudgement, _JUDGEMENT, rows)


# --- export -----------------------------------------------------------------------------------------------------------


class ExportedDocument(NamedTuple):
    """A document as SQuAD and BEIR contain it."""

    id: int
    identifier: str
    title: str
    text: str
    metadata: dict[str, Any]


def page_of_documents(call: ProjectCall, after: int, size: int) -> list[ExportedDocument]:
    """Readable documents, questions too, with an id above `after`, ascending."""
    query = select(Document.id, Document.identifier, Document.title, Document.text, Document.metadata_).where(
        readable_documents(call.access, call.project), Document.id > after
    )
    return [ExportedDocument._make(row) for row in call.session.execute(query.order_by(Document.id).limit(size))]
