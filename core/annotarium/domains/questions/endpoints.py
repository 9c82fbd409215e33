"""Endpoints of saved questions and judgements (not part of the published API).

Identifiers may contain slashes, so the routes with a longer path come first.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request
from fastapi.responses import StreamingResponse

from annotarium.access.call import ProjectCall
from annotarium.access.guard import Rule, guarded, with_access_rule
from annotarium.access.request_limits import LISTS
from annotarium.content.segmentation import Policy
from annotarium.domains.imports.schemas import UploadRef
from annotarium.domains.jobs.job_responses import Wait, answer_with_job
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.questions import judgements, service
from annotarium.domains.questions.export import CONTENT_TYPES, FILENAMES, Format
from annotarium.domains.questions.schemas import (
    JudgementPut,
    JudgementRead,
    PassageRef,
    QuestionCreate,
    QuestionFromAnswer,
    QuestionPatch,
    QuestionRead,
    Questions,
    QuestionsDeleted,
)
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(tags=["questions"])

PAGE_MAX = 1_000
QUESTIONS = "/projects/{project_name}/questions"
QUESTION = f"{QUESTIONS}/{{question_id:path}}"
JOB: dict[int | str, dict[str, Any]] = {200: {"model": SherpaJobBean}}
FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "application/json": {},
            "application/zip": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}
IMPORT = Rule(project="write")
SEGMENTS = "Of the documents. By default the paragraphs of SQuAD files, and short documents of BEIR files as a whole"
SEEN = ("useSearch", "seeDocuments", "seeQuestionAnswering")


@router.get(QUESTIONS)
@guarded(*SEEN, any_of=True, project="read")
def list_questions(
    call: ProjectCall,
    find: Annotated[str, Query(max_length=1_000)] = "",
    from_: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0,
    size: Annotated[int, Query(ge=0, le=PAGE_MAX)] = 50,
) -> Questions:
    """The saved questions, oldest first; `find`: words that they contain, the last one possibly incomplete."""
    return service.list_questions(call, find, from_, size)


@router.post(QUESTIONS)
@guarded("importDocuments", project="write", owner=True, idempotent=True)
def create_question(call: ProjectCall, body: QuestionCreate) -> QuestionRead:
    """Save a question with its known answers."""
    return service.create_question(call, body)


@router.post(f"{QUESTIONS}/_delete_all", response_model_exclude_none=True)
@guarded("deleteDocuments", project="write", owner=True)
def delete_all_questions(call: ProjectCall) -> QuestionsDeleted:
    """Delete all saved questions, as a job that can be undone."""
    return service.delete_all_questions(call)


@router.post(f"{QUESTIONS}/_from_answer")
@guarded("importDocuments", project="write", owner=True, idempotent=True)
def save_from_answer(call: ProjectCall, body: QuestionFromAnswer) -> QuestionRead:
    """Save a question that was asked, with known answers and judged passages; adds to the one of the same text."""
    return judgements.save_from_answer(call, body)


@router.post(f"{QUESTIONS}/_import", responses=JOB)
@with_access_rule(IMPORT, LISTS)
async def import_questions(
    request: Request,
    project_name: Annotated[str, Path(description="Name of the project")],
    body: list[UploadRef],
    *,
    wait: Wait = False,
    segmentation_policy: Annotated[Policy | None, Query(alias="segmentationPolicy", description=SEGMENTS)] = None,
) -> dict[str, Any]:
    """Import uploaded files of questions (lists in JSON, SQuAD, BEIR) with their documents and judgements."""

    def start(call: ProjectCall) -> Any:
        return service.start_question_import(call, [file.id for file in body], segmentation_policy)

    return await answer_with_job(request, IMPORT, start, wait=wait)


@router.get(f"{QUESTIONS}/_export", response_class=StreamingResponse, responses=FILE)
@guarded("exportDocuments", project="read", owner=True)
def export_questions(call: ProjectCall, format: Format = "json") -> StreamingResponse:
    """Export the saved questions with known answers and judgements; `squad` and `beir` contain the documents too."""
    export = service.export_questions(call)
    name = f"{call.project.name}-{FILENAMES[format]}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(export.chunks(format), media_type=CONTENT_TYPES[format], headers=headers)


@router.get(f"{QUESTION}/judgements")
@guarded(*SEEN, any_of=True, project="read")
def list_judgements(call: ProjectCall, question_id: str) -> list[JudgementRead]:
    """The judged passages of a question, best first."""
    return judgements.list_judgements(call, question_id)


@router.put(f"{QUESTION}/judgements")
@guarded(project="write", idempotent=True)
def judge_passage(call: ProjectCall, question_id: str, body: JudgementPut) -> JudgementRead:
    """Judge how relevant a passage is for the question, or change the judgement."""
    return judgements.judge_passage(call, question_id, body)


@router.post(f"{QUESTION}/judgements/_delete")
@guarded(project="write", idempotent=True)
def delete_judgement(call: ProjectCall, question_id: str, body: PassageRef) -> Ack:
    """Take the judgement of a passage back."""
    return judgements.delete_judgement(call, question_id, body)


@router.post(f"{QUESTION}/_restore")
@guarded("deleteDocuments", project="write", owner=True, idempotent=True)
def restore_question(call: ProjectCall, question_id: str) -> QuestionRead:
    """Restore a deleted question, with its judgements."""
    return service.restore_question(call, question_id)


@router.get(QUESTION)
@guarded(*SEEN, any_of=True, project="read")
def read_question(call: ProjectCall, question_id: str) -> QuestionRead:
    """Read one saved question."""
    return service.read_question(call, question_id)


@router.patch(QUESTION)
@guarded("importDocuments", project="write", owner=True, idempotent=True, versioned=True)
def change_question(call: ProjectCall, question_id: str, body: QuestionPatch) -> QuestionRead:
    """Change the text or the known answers of a question; its judgements stay."""
    return service.change_question(call, question_id, body)


@router.delete(QUESTION)
@guarded("deleteDocuments", project="write", owner=True, versioned=True)
def delete_question(call: ProjectCall, question_id: str) -> Ack:
    """Delete a saved question; it can be restored."""
    return service.delete_question(call, question_id)
