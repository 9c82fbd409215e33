"""Endpoints of the knowledge base."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.knowledge import service
from annotarium.domains.knowledge.schemas import ConceptRead
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["knowledge"])


@router.get("/service/kb/concept/{identifier}", response_model_exclude_none=True)
@guarded(write=False)
def read_concept(
    call: Call,
    identifier: str,
    lang: Annotated[str, Query(max_length=20)] = "en",
    project: Annotated[
        str, Query(max_length=255, description="Project whose lexicons are searched too (extension)")
    ] = "",
) -> ConceptRead:
    """A concept by its identifier in the knowledge base, by the identifier of its page in the encyclopedia, or by the
    identifier of a term of the project.
    """
    return service.read_concept(call, identifier, lang, project=project)


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
