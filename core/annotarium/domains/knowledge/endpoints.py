"""Endpoints of the knowledge base."""

from __future__ import annotations

from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import Query, Request, Response
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import Call
from annotarium.access.guard import Rule, guarded, open_call, with_access_rule
from annotarium.domains.knowledge import host, service
from annotarium.domains.knowledge.schemas import ConceptRead
from annotarium.errors import NotFound
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["knowledge"])
CONCEPT = Rule(write=False)
_host_limiter = CapacityLimiter(host.AT_ONCE)


@router.get("/service/kb/concept/{identifier}", response_model_exclude_none=True)
@with_access_rule(CONCEPT)
async def read_concept(
    request: Request,
    identifier: str,
    lang: Annotated[str, Query(max_length=20)] = "en",
    project: Annotated[
        str, Query(max_length=255, description="Project whose lexicons are searched too (extension)")
    ] = "",
) -> ConceptRead:
    """A concept by its identifier in the knowledge base, by the identifier of its page in the encyclopedia, or by the
    identifier of a term of the project.
    """

    def find() -> ConceptRead | None:
        with open_call(request, CONCEPT) as call:
            return service.find_concept(call, identifier, lang, project=project)

    def refuse() -> NotFound:
        with open_call(request, CONCEPT) as call:
            return service.unknown_concept_error(call, identifier)

    concept = await run_in_threadpool(find)
    if concept is None and host.is_host_used():  # no transaction is open while the server is asked
        concept = await to_thread.run_sync(host.fetch_concept, identifier, lang, limiter=_host_limiter)
    if concept is None:
        raise await run_in_threadpool(refuse)
    return concept


@router.get(
    "/service/kb/concept/{identifier}/image",
    response_class=Response,
    responses={200: {"content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}}},
)
@guarded(write=False)
def read_concept_image(call: Call, identifier: str) -> Response:
    """The picture of a concept."""
    image, kind = service.read_image(call, identifier)
    return Response(image, media_type=kind, headers={"cache-control": "private, max-age=3600"})
