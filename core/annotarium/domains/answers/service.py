"""Rules of answers: running answers are their asker's alone; people change their own verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement

from annotarium.access.call import ProjectCall
from annotarium.content import validation
from annotarium.content.version_check import check_version
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import new_id, parse_id
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import AnswerFeedback
from annotarium.db.row_marks import creation_marks, mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.answers import repository
from annotarium.domains.answers.schemas import (
    FeedbackCreate,
    FeedbackDetails,
    FeedbackList,
    FeedbackPatch,
    FeedbackRead,
)
from annotarium.errors import AccessDenied, Conflict, DeletedOrUnknown, InvalidInput, NotFound
from annotarium.search.answer_states import AnswerState, get_answer_states
from annotarium_schemas.messages import message

MAX_FEEDBACK = 5_000
"""Maximum number of verdicts of a person in a project."""
_SHORTEST_RESULT_ID, _LONGEST_RESULT_ID = 16, 64


def read_answer(call: ProjectCall, result_id: str) -> dict[str, Any]:
    """The present state of an answer that the caller asked for, as `AnswerRead` in JSON.

    Raises:
        NotFound: there is none, it is too old, or another user or project asked.
    """
    return _require_answer(call, result_id).details


def stop_answer(call: ProjectCall, result_id: str) -> dict[str, Any]:
    """End an answer; nothing happens if it has ended. Returns its present state. Raises as `read_answer`."""
    state = _require_answer(call, result_id)
    if state.details["status"] == "running":
        get_answer_states().stop(result_id)
    return state.details


def is_feedback_visible_to(call: ProjectCall) -> ColumnElement[bool]:
    """SQL condition for the verdicts that the caller sees, for queries of other packages."""
    return repository.is_visible(call)


def list_feedback(call: ProjectCall, from_: int, size: int) -> FeedbackList:
    """A page of the verdicts that the caller sees, newest first."""
    rows, total = repository.list_feedback(call, from_, size)
    return FeedbackList(feedback=_build_feedback(call, rows), total=total)


def give_feedback(call: ProjectCall, body: FeedbackCreate) -> FeedbackRead:
    """Store a verdict.

    Raises:
        InvalidInput: a passage is in no document that the caller may read; a text may not be stored.
        Conflict: the caller has given `MAX_FEEDBACK` verdicts.
    """
    for name, text in (("question", body.question), ("answer", body.answer), ("comment", body.comment)):
        _check_text(name, text)
    _check_passages(call, body)
    if repository.count_own(call) >= MAX_FEEDBACK:
        text = "You have given feedback on {number:,} answers in this project already"
        raise Conflict(message("limit.feedback", text, number=MAX_FEEDBACK), fix="Delete old ones")
    row = AnswerFeedback(
        id=new_id(),
        project_id=call.project.id,
        question=body.question,
        answer=body.answer,
        verdict=body.verdict,
        answerer=body.answerer,
        comment=body.comment,
        details=FeedbackDetails(passages=body.passages).model_dump(by_alias=True),
        **creation_marks(call.username),
    )
    call.session.add(row)
    call.session.flush()
    return _finish(call, row, "created")


def change_feedback(call: ProjectCall, identifier: str, body: FeedbackPatch) -> FeedbackRead:
    """Change one's own verdict, if its version matches `If-Match`.

    Raises:
        NotFound: there is no such verdict, or the caller does not see it.
        AccessDenied: another person gave it.
        InvalidInput: there is no such saved question; the comment may not be stored.
    """
    row = _require_feedback(call, identifier)
    if row.created_by != call.username:
        raise _denied(row)
    current = {"id": identifier, "version": row.version}
    check_version(call, row.version, "The feedback was changed meanwhile", lambda: current)
    if body.verdict is not None:
        row.verdict = body.verdict
    if body.comment is not None:
        _check_text("comment", body.comment)
        row.comment = body.comment
    if body.question_identifier is not None:
        row.question_identifier = _require_question(call, body.question_identifier)
    mark_modified(row, call.username)
    call.session.flush()
    return _finish(call, row, "changed")


def delete_feedback(call: ProjectCall, identifier: str) -> None:
    """Delete one's own verdict; who may write to the project deletes those of others too. Raises `NotFound`."""
    row = _require_feedback(call, identifier)
    call.session.delete(row)
    _notify(call, row, "deleted")


def _require_answer(call: ProjectCall, result_id: str) -> AnswerState:
    known = _SHORTEST_RESULT_ID <= len(result_id) <= _LONGEST_RESULT_ID and result_id.isalnum()
    state = get_answer_states().find(result_id) if known else None
    if state is None or state.user_id != call.access.user_id or state.project_id != call.project.id:
        raise NotFound(
            message("none.answer", "There is no such answer any more"), fix=message("fix.askAgain", "Ask again")
        )
    return state


def _require_feedback(call: ProjectCall, identifier: str) -> AnswerFeedback:
    number = parse_id(identifier)
    row = repository.find_feedback(call, number) if number is not None else None
    if row is None:
        raise DeletedOrUnknown(message("none.feedback", "There is no such feedback on an answer"))
    return row


def _denied(row: AnswerFeedback) -> AccessDenied:
    who = remove_imported_prefix(row.created_by)
    return AccessDenied(
        message("denied.feedback", "This feedback was given by {who}", who=who), fix="Give your own feedback"
    )


def _require_question(call: ProjectCall, identifier: str) -> str | None:
    if identifier and not repository.readable_identifiers(call, {identifier}):
        problem = message("none.document", "There is no document {name} in this project", name=identifier)
        raise InvalidInput(problem, details=[{"field": "questionIdentifier", "message": problem}])
    return identifier or None


def _check_text(field: str, text: str) -> None:
    try:
        validation.check_text(text, field)
    except validation.InvalidContent as error:
        raise InvalidInput(error.message, details=[{"field": field, "message": error.message}]) from error


def _check_passages(call: ProjectCall, body: FeedbackCreate) -> None:
    """A passage names a document that the caller may read: otherwise verdicts would tell which documents exist."""
    readable = repository.readable_identifiers(call, {one.document_identifier for one in body.passages})
    for number, one in enumerate(body.passages):
        if one.document_identifier not in readable:
            name = one.document_identifier
            problem = message("none.document", "There is no document {name} in this project", name=name)
            details = [{"field": f"passages.{number}.documentIdentifier", "message": problem}]
            raise InvalidInput(problem, details=details)


def _finish(call: ProjectCall, row: AnswerFeedback, action: str) -> FeedbackRead:
    _notify(call, row, action)
    return _build_feedback(call, [row])[0]


def _notify(call: ProjectCall, row: AnswerFeedback, action: str) -> None:
    """The event tells no content: not everyone who gets it may read the verdict."""
    call.unit.emit("answer_feedback", {"type": action, "id": str(row.id)}, project=call.project.name)


def _build_feedback(call: ProjectCall, rows: Sequence[AnswerFeedback]) -> list[FeedbackRead]:
    details = {row.id: FeedbackDetails.model_validate(row.details or {}) for row in rows}
    named = {one.document_identifier for found in details.values() for one in found.passages}
    questions = {row.question_identifier for row in rows if row.question_identifier is not None}
    readable = repository.readable_identifiers(call, named | questions)

    def build(row: AnswerFeedback) -> FeedbackRead:
        passages = details[row.id].passages
        hidden = not {one.document_identifier for one in passages} <= readable and row.created_by != call.username
        return FeedbackRead(
            id=str(row.id),
            question=row.question,
            answer="" if hidden else row.answer,
            verdict=row.verdict,
            answerer=row.answerer,
            comment=row.comment,
            passages=[one for one in passages if one.document_identifier in readable] if not hidden else [],
            hidden=hidden,
            question_identifier=row.question_identifier if row.question_identifier in readable else None,
            created_by=remove_imported_prefix(row.created_by),
            created_date=iso(row.created_at),
            modified_date=iso(row.modified_at),
            imported_by=row.imported_by,
            imported_date=iso(row.imported_at) if row.imported_at is not None else None,
            version=row.version,
            mine=row.created_by == call.username,
        )

    return convert_readable_rows(rows, build)
