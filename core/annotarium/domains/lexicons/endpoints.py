"""Endpoints of lexicons and terms."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Response

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.access.request_limits import LISTS
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.lexicons import searching, service, term_imports, terms
from annotarium.http.responses import unvalidated_json_response
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json
from annotarium.search.params import params_from_query
from annotarium_schemas.answers import Ack
from annotarium_schemas.lexicons import (
    LexiconCreate,
    LexiconRead,
    LexiconUpdate,
    TermHits,
    TermIdentifier,
    TermImport,
    TermNodes,
    TermRead,
    TermUpdate,
    TermWrite,
)
from annotarium_schemas.search import SearchQuery

router = DomainRouter(tags=["lexicons"])

ComputeMetrics = Annotated[bool, Query(alias="computeMetrics")]
First = Annotated[int, Query(alias="from", ge=0, le=2**31 - 1)]
Size = Annotated[int, Query(ge=1, le=terms.MAX_TREE_PAGE)]
HITS: dict[int | str, dict[str, Any]] = {200: {"model": TermHits}}
JOB: dict[int | str, dict[str, Any]] = {200: {"model": SherpaJobBean}}


@router.get("/projects/{project_name}/lexicons", response_model_exclude_none=True)
@guarded(project="read")
def list_lexicons(call: ProjectCall, compute_metrics: ComputeMetrics = False) -> list[LexiconRead]:
    """Lexicons of the project, with the number of their terms on request."""
    return service.list_lexicons(call, compute_metrics=compute_metrics)


@router.post("/projects/{project_name}/lexicons", response_model_exclude_none=True)
@guarded("importTerms", project="write", idempotent=True)
def create_lexicon(call: ProjectCall, body: LexiconCreate) -> LexiconRead:
    """Create a lexicon."""
    return service.create_lexicon(call, body)


@router.post("/projects/{project_name}/lexicons/_search", responses=HITS)
@guarded("useSearch", project="read")
def search_terms(call: ProjectCall, query: Annotated[SearchQuery, Query()]) -> Response:
    """Search the terms of all lexicons."""
    found = searching.search_terms(call, params_from_query(query), with_highlights=query.highlight)
    return unvalidated_json_response(found)


@router.post("/projects/{project_name}/lexicons/_preview", responses=JOB)
@guarded("importTerms", project="write")
def preview_terms(call: ProjectCall, body: TermImport) -> dict[str, Any]:
    """Start a job that reads the first rows of an uploaded file; its result is a `TermPreview` (extension)."""
    return job_to_json(term_imports.start_preview(call, body), call.project)


@router.get("/projects/{project_name}/lexicons/{lexicon_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_lexicon(call: ProjectCall, lexicon_name: str, compute_metrics: ComputeMetrics = False) -> LexiconRead:
    """One lexicon."""
    return service.read_lexicon(call, lexicon_name, compute_metrics=compute_metrics)


@router.patch("/projects/{project_name}/lexicons/{lexicon_name}", response_model_exclude_none=True)
@guarded("importTerms", project="write", versioned=True)
def update_lexicon(call: ProjectCall, lexicon_name: str, body: LexiconUpdate) -> LexiconRead:
    """Change a lexicon; its name cannot be changed."""
    return service.update_lexicon(call, lexicon_name, body)


@router.delete("/projects/{project_name}/lexicons/{lexicon_name}")
@guarded("importTerms", project="write", versioned=True)
def delete_lexicon(call: ProjectCall, lexicon_name: str) -> Ack:
    """Delete a lexicon with its terms; it can be restored. Annotations that point to them are not changed."""
    service.delete_lexicon(call, lexicon_name)
    return Ack()


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_restore", response_model_exclude_none=True)
@guarded("importTerms", project="write")
def restore_lexicon(call: ProjectCall, lexicon_name: str) -> LexiconRead:
    """Restore a lexicon that was deleted, or the terms of one that was cleared, in the last 30 days (extension)."""
    return service.restore_lexicon(call, lexicon_name)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}", response_model_exclude_none=True)
@guarded("importTerms", project="write", idempotent=True, bounds=LISTS)
def create_term(call: ProjectCall, lexicon_name: str, body: TermWrite, overwrite: bool = False) -> TermRead:
    """Create a term."""
    return terms.create_term(call, lexicon_name, body, overwrite=overwrite)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_clear")
@guarded("importTerms", project="write")
def clear_lexicon(call: ProjectCall, lexicon_name: str) -> Ack:
    """Delete all terms of a lexicon; they can be restored (`_restore`)."""
    service.clear_lexicon(call, lexicon_name)
    return Ack()


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_delete_term", status_code=204)
@guarded("importTerms", project="write", versioned=True)
def delete_term(call: ProjectCall, lexicon_name: str, body: TermIdentifier) -> None:
    """Delete a term; it can be restored."""
    terms.delete_term(call, lexicon_name, body.identifier)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_restore_term", response_model_exclude_none=True)
@guarded("importTerms", project="write")
def restore_term(call: ProjectCall, lexicon_name: str, body: TermIdentifier) -> TermRead:
    """Create a term again that was deleted by hand in the last 30 days, as it was (extension)."""
    return terms.restore_term(call, lexicon_name, body.identifier)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_get_term")
@guarded(project="read")
def get_term(
    call: ProjectCall,
    lexicon_name: str,
    body: TermIdentifier,
    term_only: Annotated[bool, Query(alias="termOnly")] = False,
) -> dict[str, Any]:
    """A term; without `termOnly` also the terms around it, and label and colour of the lexicon."""
    return terms.read_term(call, lexicon_name, body.identifier, term_only=term_only)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_update_term", response_model_exclude_none=True)
@guarded("importTerms", project="write", versioned=True, bounds=LISTS)
def update_term(call: ProjectCall, lexicon_name: str, body: TermUpdate) -> TermRead:
    """Change a term (extension)."""
    return terms.update_term(call, lexicon_name, body)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_load", responses=JOB)
@guarded("importTerms", project="write", idempotent=True)
def load_terms(call: ProjectCall, lexicon_name: str, body: TermImport) -> dict[str, Any]:
    """Start a job that imports uploaded files into a lexicon."""
    return job_to_json(term_imports.start_import(call, lexicon_name, body), call.project)


@router.post("/projects/{project_name}/lexicons/{name}/_export", responses={200: {"model": list[TermRead]}})
@guarded(project="read")
def export_terms(call: ProjectCall, name: str, format: str = "json") -> Response:
    """Download the terms of a lexicon as a JSON array, or as `csv`, `tsv`, `skos` or `obo` (extension)."""
    return term_imports.export_terms(call, name, format)


@router.get("/projects/{project_name}/lexicons/{lexicon_name}/_roots")
@guarded(project="read")
def list_roots(call: ProjectCall, lexicon_name: str, first: First = 0, size: Size = 100) -> TermNodes:
    """A page of the terms that have no broader term (extension)."""
    return terms.list_roots(call, lexicon_name, first=first, size=size)


@router.post("/projects/{project_name}/lexicons/{lexicon_name}/_children")
@guarded(project="read")
def list_children(
    call: ProjectCall, lexicon_name: str, body: TermIdentifier, first: First = 0, size: Size = 100
) -> TermNodes:
    """A page of the terms directly below a term (extension)."""
    return terms.list_children(call, lexicon_name, body.identifier, first=first, size=size)
