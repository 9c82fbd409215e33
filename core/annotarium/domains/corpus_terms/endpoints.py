"""Endpoints of terms from the corpus.

This router precedes that of lexicons, whose `/lexicons/{lexicon_name}` would match these paths too: routers are in the
alphabetical order of their domains.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.corpus_terms import service
from annotarium.domains.corpus_terms.schemas import (
    AcceptedCandidate,
    CandidateAcceptance,
    CandidateRefusal,
    Candidates,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["lexicons"])


@router.post("/projects/{project_name}/lexicons/_candidates", response_model_exclude_none=True)
@guarded("importTerms", project="write")
def list_candidates(
    call: ProjectCall,
    source: Literal["annotations", "phrases", "all"] = "all",
    from_: Annotated[int, Query(alias="from", ge=0, le=1_000_000)] = 0,
    size: Annotated[int, Query(ge=0, le=200)] = 25,
    refresh: Annotated[bool, Query(description="Search the corpus again, as a job")] = False,
) -> Candidates:
    """List candidates for new terms and synonyms; the first call starts the job that finds them (extension)."""
    return service.list_candidates(call, source, first=from_, size=size, refresh=refresh)


@router.post("/projects/{project_name}/lexicons/_accept_candidate", response_model_exclude_none=True)
@guarded("importTerms", project="write", idempotent=True)
def accept_candidate(call: ProjectCall, body: CandidateAcceptance) -> AcceptedCandidate:
    """Accept a candidate as a new term, or as a form of an existing one (extension)."""
    return service.accept_candidate(call, body)


@router.post("/projects/{project_name}/lexicons/_refuse_candidate", status_code=204)
@guarded("importTerms", project="write", idempotent=True)
def refuse_candidate(call: ProjectCall, body: CandidateRefusal) -> None:
    """Refuse a candidate, or take the refusal back (extension)."""
    service.refuse_candidate(call, body)
