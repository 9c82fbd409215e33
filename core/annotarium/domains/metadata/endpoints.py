"""Metadata, origins and alternative texts across the documents of a project, and flushing its index."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.metadata import service
from annotarium.domains.metadata.schemas import (
    AltTextCount,
    DeleteManyResponse,
    ItemRef,
    MetadataDefinition,
    OriginRead,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["documents"])


@router.get("/projects/{project_name}/metadata", tags=["projects"])
@guarded(project="read")
def list_metadata(call: ProjectCall) -> list[MetadataDefinition]:
    """Metadata names of the project's documents, with values and counts."""
    return service.list_metadata(call)


@router.get("/projects/{project_name}/origins", tags=["projects"], response_model_exclude_none=True)
@guarded(project="read")
def list_origins(call: ProjectCall) -> list[OriginRead]:
    """Groups that the project's documents originate from."""
    return service.list_origins(call)


@router.post("/projects/{project_name}/_generateFacets", tags=["projects"], status_code=204)
@guarded(project="write")
def generate_facets(call: ProjectCall, mode: service.Mode) -> None:
    """Configure the metadata that are useful as facets."""
    service.generate_facets(call, mode)


@router.post("/projects/{project_name}/_flush", tags=["projects"], status_code=204)
@guarded(project="write", write=False)
def flush_index(
    call: ProjectCall, indices: str = "*", timeout_millis: Annotated[int, Query(alias="timeoutMillis", ge=0)] = 1500
) -> None:
    """Wait until searches see what was committed. `indices` and `timeoutMillis` are accepted, but ignored."""
    service.flush_index(call)


@router.get("/projects/{project_name}/alt_texts")
@guarded(project="read")
def list_alt_texts(call: ProjectCall) -> list[AltTextCount]:
    """Names of alternative texts with the number of documents."""
    return service.list_alt_texts(call)


@router.post("/projects/{project_name}/alt_texts/_delete", response_model_exclude_none=True)
@guarded(project="write")
def delete_alt_texts(
    call: ProjectCall,
    body: list[ItemRef],
    everything: Annotated[bool, Query(alias="all")] = False,
    details: Annotated[bool, Query(alias="withDetails")] = False,
) -> DeleteManyResponse:
    """Delete alternative texts by name, or all of them."""
    return service.delete_alt_texts(call, body, everything=everything, details=details)
