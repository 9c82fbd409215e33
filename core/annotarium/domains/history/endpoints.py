"""Endpoints of a document's history: changes, undo, redo, restore (extension of the published API)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.history import service
from annotarium.domains.history.schemas import HistoryPage, HistoryState, ProjectHistoryState, UndoRequest, UndoResult
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["history"])

HISTORY = "/projects/{project_name}/documents/{identifier:path}/_history"
People = Annotated[list[str] | None, Query(alias="by", description="Only changes of these people")]
Of = Annotated[str | None, Query(alias="of", description="Only changes of this annotation or category")]
Before = Annotated[str | None, Query(description="`next` of the page before")]
Size = Annotated[int, Query(ge=1, le=500)]


@router.get(HISTORY, response_model_exclude_none=True)
@guarded(project="read")
def read_history(
    call: ProjectCall, identifier: str, by: People = None, of: Of = None, before: Before = None, size: Size = 50
) -> HistoryPage:
    """List the changes of a document, newest first, as far as the caller may read what was changed."""
    return service.read_history(call, identifier, people=by or [], of=of, before=before, size=size)


@router.get(f"{HISTORY}/_state", response_model_exclude_none=True)
@guarded(project="read")
def read_state(call: ProjectCall, identifier: str) -> HistoryState:
    """Return what the caller can undo and redo on the document."""
    return service.read_undo_state(call, identifier)


@router.get("/projects/{project_name}/_history/_state", response_model_exclude_none=True)
@guarded(project="read")
def read_project_state(call: ProjectCall) -> ProjectHistoryState:
    """Return what the caller can undo and redo next in the project, and on which document."""
    return service.read_project_undo_state(call)


@router.post(f"{HISTORY}/_undo", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def undo(call: ProjectCall, identifier: str, body: UndoRequest | None = None) -> UndoResult:
    """Undo the caller's last operation on the document."""
    return service.undo(call, identifier, body or UndoRequest())


@router.post(f"{HISTORY}/_redo", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def redo(call: ProjectCall, identifier: str, body: UndoRequest | None = None) -> UndoResult:
    """Redo the operation that the caller undid last on the document."""
    return service.redo(call, identifier, body or UndoRequest())


@router.post(f"{HISTORY}/{{entry}}/_restore", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def restore(
    call: ProjectCall,
    identifier: str,
    entry: str,
    body: UndoRequest | None = None,
    whole: Annotated[bool, Query(alias="act", description="All changes of its act on the document")] = False,
) -> UndoResult:
    """Restore an annotation, category or relation to its state before a change, whoever made the change."""
    return service.restore(call, identifier, entry, body or UndoRequest(), whole=whole)
