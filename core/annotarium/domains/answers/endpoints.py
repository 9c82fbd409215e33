"""Endpoints of answers (not part of the published API): questions are asked in searches of segments."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.answers import service
from annotarium.domains.answers.schemas import FeedbackCreate, FeedbackList, FeedbackPatch, FeedbackRead
from annotarium.http.responses import unvalidated_json_response
from annotarium.http.routing import DomainRouter
from annotarium_schemas.question_answers import AnswerRead

router = DomainRouter(tags=["answers"])
ANSWER: dict[int | str, dict[str, Any]] = {200: {"model": AnswerRead}}


@router.get("/projects/{project_name}/answers/_feedback")
@guarded("useSearch", project="read")
def list_answer_feedback(
    call: ProjectCall,
    from_: Annotated[int, Query(alias="from", ge=0, le=1_000_000)] = 0,
    size: Annotated[int, Query(ge=0, le=1_000)] = 50,
) -> FeedbackList:
    """Verdicts on answers, newest first: all for users who may write to the project, else the caller's own."""
    return service.list_feedback(call, from_, size)


@router.post("/projects/{project_name}/answers/_feedback")
@guarded("useSearch", project="read", write=True, idempotent=True)
def give_answer_feedback(call: ProjectCall, body: FeedbackCreate) -> FeedbackRead:
    """Say whether an answer is right."""
    return service.give_feedback(call, body)


@router.patch("/projects/{project_name}/answers/_feedback/{feedback_id}")
@guarded("useSearch", project="read", write=True, versioned=True)
def change_answer_feedback(call: ProjectCall, feedback_id: str, body: FeedbackPatch) -> FeedbackRead:
    """Change one's own verdict."""
    return service.change_feedback(call, feedback_id, body)


@router.delete("/projects/{project_name}/answers/_feedback/{feedback_id}", status_code=204)
@guarded("useSearch", project="read", write=True)
def delete_answer_feedback(call: ProjectCall, feedback_id: str) -> None:
    """Delete one's own verdict; users who may write to the project delete those of others too."""
    service.delete_feedback(call, feedback_id)


@router.get("/projects/{project_name}/answers/{result_id}", responses=ANSWER)
@guarded("useSearch", project="read")
def read_answer(call: ProjectCall, result_id: str) -> Response:
    """An answer requested with `asyncAnswer`, for its asker: as far as it has grown, and for ten minutes afterwards."""
    return unvalidated_json_response(service.read_answer(call, result_id))


@router.post("/projects/{project_name}/answers/{result_id}/_stop", responses=ANSWER)
@guarded("useSearch", project="read", write=False, effect="read")
def stop_answer(call: ProjectCall, result_id: str) -> Response:
    """Stop an answer; the part that has arrived is kept. The response is its state before."""
    return unvalidated_json_response(service.stop_answer(call, result_id))
