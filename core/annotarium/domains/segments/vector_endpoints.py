"""Endpoints to compute, list and delete the vectors of a project; this router is included in that of the domain."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Path, Request

from annotarium.access.call import ProjectCall
from annotarium.access.guard import Rule, guarded, with_access_rule
from annotarium.access.request_limits import WAITS
from annotarium.domains.jobs.job_responses import Wait, answer_with_job
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.segments import vectorization
from annotarium.domains.segments.schemas import Vectorizations, VectorizeRequest
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["segments"])
VECTORIZE = Rule(project="write")
ProjectPath = Annotated[str, Path(description="Name of the project")]


@router.post("/projects/{project_name}/segments/_vectorize", responses={200: {"model": SherpaJobBean}})
@with_access_rule(VECTORIZE, WAITS)
async def vectorize_segments(
    request: Request, project_name: ProjectPath, body: VectorizeRequest | None = None, wait: Wait = False
) -> dict[str, Any]:
    """Recompute the vectors of all documents and segments; the body may choose the vectorizer and its parameters."""
    asked = body or VectorizeRequest()
    return await answer_with_job(
        request, VECTORIZE, lambda call: vectorization.start_vectorization(call, asked), wait=wait
    )


@router.get("/projects/{project_name}/vectorizers")
@guarded(project="read")
def list_vectorizers(
    call: ProjectCall, accept_language: Annotated[str, Header(alias="accept-language")] = "en"
) -> Vectorizations:
    """The vectors of the project and the available vectorizers."""
    return vectorization.read_vectorizations(call, "fr" if accept_language.lower().startswith("fr") else "en")


@router.delete("/projects/{project_name}/vectorizers/{vectorizer}", status_code=204)
@guarded(project="write")
def delete_vectorizer(call: ProjectCall, vectorizer: str) -> None:
    """Delete a set of vectors."""
    vectorization.delete_vectorization(call, vectorizer)
