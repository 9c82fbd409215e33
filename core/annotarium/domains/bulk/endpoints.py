"""Endpoints of bulk operations on search results (S-012, S-021), and of undoing them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from fastapi.responses import FileResponse, StreamingResponse

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.bulk import labelling_clearing, service
from annotarium.domains.bulk.schemas import (
    AnnotateSearch,
    BulkCount,
    BulkSearch,
    CategoryAction,
    Cleared,
    CountSearch,
    ExportParameters,
    ExportSearch,
    LabellingSearch,
)
from annotarium.domains.documents.schemas import SimpleMetadata
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.http.parameters import CreatorFilter, LabelFilter
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.corpus import DocumentRead

router = DomainRouter()

JOB: dict[str, Any] = {"response_model": SherpaJobBean, "response_model_exclude_none": True}
DOCUMENTS = "/projects/{project_name}/documents"
SEGMENTS = "/projects/{project_name}/segments"


@router.post(f"{DOCUMENTS}/_search_and_count", tags=["documents"], response_model_exclude_none=True)
@guarded(project="read")
def count_documents(call: ProjectCall, search: Annotated[CountSearch, Query()]) -> BulkCount:
    """Count what an operation on the found documents would affect (extension)."""
    return service.count_effect_on_documents(call, search)


@router.post(f"{SEGMENTS}/_search_and_count", tags=["segments"], response_model_exclude_none=True)
@guarded(project="read")
def count_segments(call: ProjectCall, search: Annotated[CountSearch, Query()]) -> BulkCount:
    """Count what an operation on the found segments would affect (extension)."""
    return service.count_effect_on_segments(call, search)


@router.post(f"{DOCUMENTS}/_search_and_tag", tags=["documents"], **JOB)
@guarded("modifyMetadata", project="write", owner=True)
def tag_documents(call: ProjectCall, search: Annotated[BulkSearch, Query()], body: SimpleMetadata) -> dict[str, Any]:
    """Set or remove a metadata value of the documents found; returns the job."""
    return job_to_json(service.start_tagging(call, search, body), call.project)


@router.post(f"{DOCUMENTS}/_search_and_categorize", tags=["documents"], **JOB)
@guarded("annotateCorpus", project="write", owner=True)
def categorise_documents(
    call: ProjectCall, search: Annotated[BulkSearch, Query()], body: CategoryAction
) -> dict[str, Any]:
    """Assign a category to the documents found, or remove it; returns the job."""
    return job_to_json(service.start_categorising(call, search, body), call.project)


@router.post(f"{DOCUMENTS}/_search_and_annotate", tags=["documents"], **JOB)
@guarded("annotateCorpus", project="write", owner=True)
def annotate_documents(
    call: ProjectCall, search: Annotated[AnnotateSearch, Query()], language: Language = "en"
) -> dict[str, Any]:
    """Annotate the documents found; returns the job."""
    return job_to_json(service.start_annotation(call, search, language), call.project)


@router.post(f"{DOCUMENTS}/_search_and_delete", tags=["documents"], **JOB)
@guarded("deleteDocuments", project="write", owner=True)
def delete_documents(call: ProjectCall, search: Annotated[BulkSearch, Query()]) -> dict[str, Any]:
    """Delete the documents found; returns the job, which can be undone."""
    return job_to_json(service.start_deletion(call, search), call.project)


@router.post(f"{DOCUMENTS}/_search_and_delete_labelling", tags=["documents"], **JOB)
@guarded("annotateCorpus", project="write", owner=True)
def delete_labelling(call: ProjectCall, search: Annotated[LabellingSearch, Query()]) -> dict[str, Any]:
    """Delete annotations and categories of the documents found, by label and creator; returns the job."""
    return job_to_json(service.start_deletion_of_labelling(call, search), call.project)


@router.post(f"{SEGMENTS}/_search_and_delete_labelling", tags=["segments"], **JOB)
@guarded("annotateCorpus", project="write", owner=True)
def delete_segment_labelling(call: ProjectCall, search: Annotated[LabellingSearch, Query()]) -> dict[str, Any]:
    """Delete annotations and categories on the segments found, by label and creator; returns the job."""
    return job_to_json(service.start_deletion_of_labelling(call, search, on_segments=True), call.project)


@router.post("/projects/{project_name}/annotations/_clear", tags=["annotations"], response_model_exclude_none=True)
@guarded("annotateCorpus", project="write")
def clear_annotations(call: ProjectCall, labels: LabelFilter = None, created_by: CreatorFilter = None) -> Cleared:
    """Delete annotations by label and creator, together with their relations; many as a job, which can be undone."""
    return labelling_clearing.clear_labelling_or_start_job(call, "annotation", labels or [], created_by or [])


@router.post("/projects/{project_name}/categories/_clear", tags=["categories"], response_model_exclude_none=True)
@guarded("annotateCorpus", project="write")
def clear_categories(call: ProjectCall, labels: LabelFilter = None, created_by: CreatorFilter = None) -> Cleared:
    """Delete categories by label and creator; many as a job, which can be undone."""
    return labelling_clearing.clear_labelling_or_start_job(call, "category", labels or [], created_by or [])


@router.post(
    f"{DOCUMENTS}/_search_and_export",
    tags=["documents"],
    response_class=StreamingResponse,
    responses={200: {"model": list[DocumentRead]}},
)
@guarded("exportDocuments", project="read", owner=True)
def export_documents(
    call: ProjectCall, search: Annotated[ExportSearch, Query()], body: ExportParameters | None = None
) -> StreamingResponse:
    """Stream the documents found as one JSON array, or as written by a formatter."""
    file, chunks = service.export_found(call, search, body.parameters if body else {})
    headers = {"content-disposition": f'attachment; filename="{file.filename}"'}
    return StreamingResponse(chunks, media_type=file.content_type, headers=headers)


@router.post(f"{DOCUMENTS}/_search_and_export_async", tags=["documents"], **JOB)
@guarded("exportDocuments", project="read", write=True, owner=True, effect="read")
def start_export(
    call: ProjectCall, search: Annotated[ExportSearch, Query()], body: ExportParameters | None = None
) -> dict[str, Any]:
    """Export the documents found as a job, whose result names the file."""
    return job_to_json(service.start_export(call, search, body.parameters if body else {}), call.project)


@router.get("/projects/{project_name}/job/{job_id}/_download", tags=["jobs"], response_class=FileResponse)
@guarded("exportDocuments", project="read", owner=True)
def download_export(call: ProjectCall, job_id: str) -> FileResponse:
    """Download the file of an export job (extension)."""
    path, filename, content_type = service.exported_file(call, job_id)
    return FileResponse(path, filename=filename, media_type=content_type)


@router.post("/projects/{project_name}/job/{job_id}/_undo", tags=["jobs"], **JOB)
@guarded(project="write")
def undo_job(call: ProjectCall, job_id: str) -> dict[str, Any]:
    """Undo a bulk operation (extension). Items that were changed later stay and are listed in the report."""
    return job_to_json(service.start_undo(call, job_id), call.project)
