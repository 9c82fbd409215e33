"""Endpoints of comments (not part of the published API)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.comments import service
from annotarium.domains.comments.schemas import (
    CommentCreate,
    CommentPatch,
    CommentThreadRead,
    CommentThreads,
    Resolution,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["comments"])

DocumentIdentifier = Annotated[str, Query(alias="documentIdentifier")]


@router.get("/projects/{project_name}/comments", response_model_exclude_none=True)
@guarded(project="read")
def list_comments(call: ProjectCall, document_identifier: DocumentIdentifier) -> CommentThreads:
    """The threads of a document that the caller may read."""
    return service.list_threads(call, document_identifier)


@router.post("/projects/{project_name}/comments", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def create_comment(call: ProjectCall, body: CommentCreate) -> CommentThreadRead:
    """Comment on a document, a span, an annotation or a suggestion, or reply in a thread."""
    return service.create_comment(call, body)


@router.patch("/projects/{project_name}/comments/{comment_id}", response_model_exclude_none=True)
@guarded(project="write", idempotent=True, versioned=True)
def update_comment(call: ProjectCall, comment_id: str, body: CommentPatch) -> CommentThreadRead:
    """Change the text of one's own comment."""
    return service.update_comment(call, comment_id, body)


@router.delete("/projects/{project_name}/comments/{comment_id}", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def delete_comment(call: ProjectCall, comment_id: str) -> CommentThreadRead:
    """Delete one's own comment; it can be restored."""
    return service.delete_comment(call, comment_id)


@router.post("/projects/{project_name}/comments/{comment_id}/_restore", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def restore_comment(call: ProjectCall, comment_id: str) -> CommentThreadRead:
    """Restore one's own deleted comment."""
    return service.restore_comment(call, comment_id)


@router.post("/projects/{project_name}/comment_threads/{thread_id}/_resolve", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def resolve_thread(call: ProjectCall, thread_id: str, body: Resolution) -> CommentThreadRead:
    """Resolve a thread, or open it again."""
    return service.resolve_thread(call, thread_id, body)
