"""Rules of judgements: how relevant a passage is for a question, one judgement for the project."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.live_event_fields import restricting_group_of_document
from annotarium.content.questions import is_question
from annotarium.db.identifiers import new_id
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import PassageJudgement
from annotarium.db.row_marks import creation_marks, mark_modified
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import EventVisibility
from annotarium.domains.questions import repository, service
from annotarium.domains.questions.repository import PassageDocument, QuestionRow
from annotarium.domains.questions.schemas import (
    JudgementPut,
    JudgementRead,
    PassageRef,
    QuestionCreate,
    QuestionFromAnswer,
    QuestionPatch,
    QuestionRead,
)
from annotarium.errors import Conflict, DeletedOrUnknown, InvalidInput
from annotarium_schemas.answers import Ack
from annotarium_schemas.messages import message

MAX_JUDGEMENTS = 10_000
"""Judged passages of a question."""


def list_judgements(call: ProjectCall, identifier: str) -> list[JudgementRead]:
    """The judged passages of a question in documents that the caller may read: the best first."""
    question = service.require_question(call, identifier)
    return [_read_judgement(*row) for row in repository.judgements_of_question(call, question.id)]


def judge_passage(call: ProjectCall, identifier: str, body: JudgementPut) -> JudgementRead:
    """Judge a passage, or change its judgement.

    Raises:
        NotFound: there is no such question or document that the caller may read.
        InvalidInput: the passage is outside the document's text, or in a question.
        Conflict: the question has too many judged passages.
    """
    question = service.require_question(call, identifier)
    document_id = _judge(call, question, body)
    _notify_judged(call, question, [document_id])
    passage = (document_id, body.start, body.end)
    (row,) = repository.judgements_of_question(call, question.id, passage=passage)
    return _read_judgement(*row)


def delete_judgement(call: ProjectCall, identifier: str, body: PassageRef) -> Ack:
    """Take the judgement of a passage back; raises `NotFound` if it has none."""
    question = service.require_question(call, identifier)
    document = _require_document(call, body)
    row = repository.find_judgement(call, question.id, document.id, body.start, body.end)
    if row is None:
        raise DeletedOrUnknown(
            message("none.judgement", "The passage {start}-{end} is not judged", start=body.start, end=body.end)
        )
    call.session.delete(row)
    call.session.flush()
    _notify_judged(call, question, [document.id])
    return Ack()


def save_from_answer(call: ProjectCall, body: QuestionFromAnswer) -> QuestionRead:
    """Save a question that was asked, with known answers and judged passages.

    The saved question of the same text, if there is one, gets the answers and passages it does not have yet.
    """
    question = repository.find_question_of_text(call, body.question)
    if question is None:
        made = service.create_question(call, QuestionCreate(text=body.question, answers=body.answers))
        question = service.require_question(call, made.identifier)
    elif body.answers:
        answers = [*service.read_question(call, question.identifier).answers, *body.answers]
        call.if_match = None  # a version is that of one row, and this call names none
        service.change_question(call, question.identifier, QuestionPatch(answers=answers))
    judged = [_judge(call, question, passage, place=number) for number, passage in enumerate(body.passages)]
    if judged:
        _notify_judged(call, question, judged)
    return service.read_question(call, question.identifier)


def _judge(call: ProjectCall, question: QuestionRow, body: JudgementPut, place: int | None = None) -> int:
    """Write a judgement; returns the id of the document. `place`: position in the list of passages, for errors."""
    document = _require_document(call, body, place)
    row = repository.find_judgement(call, question.id, document.id, body.start, body.end)
    if row is None:
        if repository.count_all_judgements(call, question.id) >= MAX_JUDGEMENTS:
            raise Conflict(
                message("limit.judgements", "The question has {count:,} judged passages already", count=MAX_JUDGEMENTS),
                fix=message("fix.judgements", "Take judgements back first"),
            )
        row = PassageJudgement(
            id=new_id(),
            project_id=call.project.id,
            question_id=question.id,
            document_id=document.id,
            start=body.start,
            end=body.end,
            grade=body.grade,
            **creation_marks(call.username),
        )
        call.session.add(row)
    elif row.grade != body.grade:
        row.grade = body.grade
        mark_modified(row, call.username)
    call.session.flush()
    return document.id


def _require_document(call: ProjectCall, passage: PassageRef, place: int | None = None) -> PassageDocument:
    name = passage.document_identifier
    document = repository.find_passage_document(call, name)
    prefix = "" if place is None else f"passages.{place}."
    if document is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=name))
    if is_question(document.metadata):
        problem = message("wrong.judgedQuestion", "{name} is a saved question, not a document to judge", name=name)
        raise InvalidInput(problem, details=[{"field": f"{prefix}documentIdentifier", "message": problem}])
    if passage.end > document.length:
        problem = message(
            "wrong.outside",
            "{start}-{end} is outside the document of {length:,} characters",
            start=passage.start,
            end=passage.end,
            length=document.length,
        )
        raise InvalidInput(problem, details=[{"field": f"{prefix}end", "message": problem}])
    return document


def _notify_judged(call: ProjectCall, question: QuestionRow, document_ids: list[int]) -> None:
    """Tell those who may read question and document; the event names no document."""
    groups = {restricting_group_of_document(call, one) for one in [question.id, *document_ids]} - {None}
    if len(groups) > 1:
        return  # nobody is known to read all of them; others see it when they load the question again
    arg = {"type": "judged", "identifier": question.identifier, "by": call.username}
    about = EventVisibility(group=groups.pop() if groups else None)
    call.unit.emit("questions", arg, project=call.project.name, about=about)


def _read_judgement(row: PassageJudgement, identifier: str, title: str, text: str) -> JudgementRead:
    return JudgementRead(
        document_identifier=identifier,
        document_title=title,
        start=row.start,
        end=row.end,
        text=text,
        grade=row.grade,
        created_by=remove_imported_prefix(row.created_by),
        modified_by=remove_imported_prefix(row.modified_by),
        modified_date=iso(row.modified_at) or "",
        imported_by=row.imported_by,
        imported_date=iso(row.imported_at),
    )
