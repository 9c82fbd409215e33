"""Documents: import, export, reading, tagging, deletion; the dataset."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from annotarium.access.bounds import FILES, JSON_FILE, LISTS
from annotarium.access.call import ProjectCall, require_permission
from annotarium.access.guard import Rule, declared, guarded, open_call
from annotarium.content.output_fields import EXPORTED_FIELDS, parse_fields, with_html
from annotarium.domains.documents import search_endpoints, service
from annotarium.domains.documents.schemas import CleanText, Policy, SimpleMetadata, UploadRef
from annotarium.domains.documents.service import ImportRequest
from annotarium.domains.imports import uploads
from annotarium.domains.imports.receiving import Received, receive_body, receive_form
from annotarium.domains.jobs.schemas import SherpaJobBean
from annotarium.domains.jobs.waiting import Wait, answer_with_job
from annotarium.http.etags import tagged_json
from annotarium.http.routing import DomainRouter
from annotarium.settings import get_settings
from annotarium_schemas.answers import Ack
from annotarium_schemas.corpus import DocumentRead, Segment

router = DomainRouter(tags=["documents"], routes=[*search_endpoints.router.routes])

JOB: dict[int | str, dict[str, Any]] = {200: {"model": SherpaJobBean}}
DOCUMENTS: dict[int | str, dict[str, Any]] = {200: {"model": list[DocumentRead]}}
IMPORT = Rule(project="write")
CHECK = Rule(project="write", write=False)
BODY_NAME = "documents.json"
CONVERTERS = 'Parameters of converters as JSON, by their names: `{"csv": {"text_columns": ["body"]}}`'
SEGMENTATION = "By default `no_segmentation` in projects for classification, `compute_if_missing` in others"
CONVERTER = "Reads all files, whatever their types; otherwise the converter that declares the type"
DUPLICATES = "Leave out new documents whose text the project has already"
USE_PLAN = "Files are read as the active conversion plan says, when there is one and no converter is named"
METADATA_SPLIT = "Documents whose metadata `split` says `train` or `test` go to that part of the corpus"
EMPTY_REVIEWED = (
    "Documents whose list of labels is empty were read, and nothing was found: they count as annotated to the end. "
    "Without it an empty list says nothing; `reviewed` of a document goes before both"
)
DRY_RUN = "Only report what the import would do: the job writes nothing"
Index = Literal["document", "segment", "term"]
ProjectPath = Annotated[str, Path(description="Name of the project")]
HTML_VERSION = "Adds `html`: the text as it looked. Its text nodes are the text, so that offsets count in them"
HtmlVersion = Annotated[bool, Query(alias="htmlVersion", description=HTML_VERSION)]
OutputFields = Annotated[list[str] | None, Query(alias="outputFields", description="`a,b` or `!a,!b`")]


def import_request(
    segmentation_policy: Annotated[Policy | None, Query(alias="segmentationPolicy", description=SEGMENTATION)] = None,
    ignore_labelling: Annotated[bool, Query(alias="ignoreLabelling")] = False,
    split_corpus: Annotated[bool, Query(alias="splitCorpus")] = False,
    clean_text: Annotated[CleanText, Query(alias="cleanText")] = "default",
    categories_from_folder: Annotated[bool, Query(alias="generateCategoriesFromSourceFolder")] = False,
    group_name: Annotated[str | None, Query(alias="groupName")] = None,
    idp_group_identifier: Annotated[str | None, Query(alias="idpGroupIdentifier")] = None,
    converter_parameters: Annotated[str, Query(alias="converterParameters", description=CONVERTERS)] = "",
    converter: Annotated[str, Query(description=CONVERTER)] = "",
    skip_duplicates: Annotated[bool, Query(alias="skipDuplicates", description=DUPLICATES)] = False,
    dry_run: Annotated[bool, Query(alias="dryRun", description=DRY_RUN)] = False,
    use_plan: Annotated[bool, Query(alias="useActivePlan", description=USE_PLAN)] = True,
    metadata_split: Annotated[bool, Query(alias="metadataSplit", description=METADATA_SPLIT)] = True,
    empty_reviewed: Annotated[bool, Query(alias="emptyListsReviewed", description=EMPTY_REVIEWED)] = False,
) -> ImportRequest:
    """The options of an import."""
    return ImportRequest(
        segmentation_policy,
        ignore_labelling,
        split_corpus,
        clean_text,
        categories_from_folder,
        group_name,
        idp_group_identifier,
        converter_parameters,
        converter,
        skip_duplicates,
        dry_run,
        use_plan,
        metadata_split,
        empty_reviewed,
    )


Options = Annotated[ImportRequest, Depends(import_request)]


def _check_import(request: Request) -> None:
    with open_call(request, CHECK) as call:
        assert isinstance(call, ProjectCall)
        require_permission(call, "importDocuments")


async def _import_received(
    request: Request, received: list[Received], options: ImportRequest, wait: bool
) -> dict[str, Any]:
    started = False

    def start(call: ProjectCall) -> Any:
        nonlocal started
        refs = uploads.register(call, received)
        call.session.flush()
        job = service.start_import(call, [ref.id for ref in refs], options)
        started = True
        return job

    try:
        return await answer_with_job(request, IMPORT, start, wait=wait)
    finally:
        if not started:
            await run_in_threadpool(uploads.discard, received)


@router.post(
    "/projects/{project_name}/documents",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}
                }
            },
        }
    },
    responses=JOB,
)
@declared(IMPORT, FILES)
async def import_files(
    request: Request, project_name: ProjectPath, options: Options, wait: Wait = False
) -> dict[str, Any]:
    """Import files sent with the call (multipart parts `file`)."""
    await run_in_threadpool(_check_import, request)
    limit = get_settings().upload_limit
    received = await receive_form(request.headers.get("content-type", ""), request.stream(), limit)
    return await _import_received(request, received, options, wait)


@router.post(
    "/projects/{project_name}/documents/_import_documents",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"type": "array", "items": {"$ref": "#/components/schemas/ImportedDocument"}}
                }
            },
        }
    },
    responses=JOB,
)
@declared(IMPORT, JSON_FILE)
async def import_documents(
    request: Request, project_name: ProjectPath, options: Options, wait: Wait = False
) -> dict[str, Any]:
    """Import the documents of the body (JSON); the job reads it item by item. No plan is used: plans read files."""
    options = replace(options, use_plan=False)
    await run_in_threadpool(_check_import, request)
    received = await receive_body(BODY_NAME, "application/json", request.stream(), get_settings().body_limit)
    return await _import_received(request, [received], options, wait)


@router.post("/projects/{project_name}/documents/_load", responses=JOB)
@declared(IMPORT, LISTS)
async def load_documents(
    request: Request, project_name: ProjectPath, body: list[UploadRef], options: Options, wait: Wait = False
) -> dict[str, Any]:
    """Import files uploaded before."""

    def start(call: ProjectCall) -> Any:
        folders = {file.id: file.folder for file in body if file.folder}
        return service.start_import(call, [file.id for file in body], options, folders)

    return await answer_with_job(request, IMPORT, start, wait=wait)


@router.get("/projects/{project_name}/documents", response_class=StreamingResponse, responses=DOCUMENTS)
@guarded(project="read")
def export_documents(call: ProjectCall, limit: int = 0, output_fields: OutputFields = None) -> StreamingResponse:
    """All documents, streamed as one JSON array; `limit` 0 = all."""
    return service.export_documents(call, limit=limit, fields=parse_fields(output_fields, EXPORTED_FIELDS))


@router.post("/projects/{project_name}/documents/_sample", responses=DOCUMENTS)
@guarded(project="read")
def sample_documents(
    call: ProjectCall, sample_size: Annotated[int, Query(alias="sampleSize", ge=0, le=1_000)] = 25
) -> list[dict[str, Any]]:
    """Some documents drawn at random, a thousand at most."""
    return service.sample_documents(call, sample_size)


@router.post("/projects/{project_name}/documents/_tag", status_code=204)
@guarded(project="write", versioned=True)
def tag_document(call: ProjectCall, identifier: str, body: SimpleMetadata) -> None:
    """Set or remove a metadata value of a document."""
    service.tag_document(call, identifier, body)


@router.get(
    "/projects/{project_name}/dataset",
    tags=["projects"],
    response_class=StreamingResponse,
    responses={200: {"model": list[Segment]}},
)
@guarded(project="read")
def export_dataset(call: ProjectCall) -> StreamingResponse:
    """Segments that a person labelled, streamed as one JSON array; offsets count from the segment's start."""
    return service.export_dataset(call)


@router.get(
    "/projects/{project_name}/documents/{document_id:path}",
    responses={200: {"model": DocumentRead}, 304: {"description": "`If-None-Match` named the document as it is"}},
)
@guarded(project="read")
def read_document(
    call: ProjectCall,
    request: Request,
    document_id: str,
    output_fields: OutputFields = None,
    html_version: HtmlVersion = False,
) -> Response:
    """One document; its identifier is percent-encoded in the path."""
    document = service.read_document(call, document_id, with_html(parse_fields(output_fields), html_version))
    return tagged_json(document, request.headers.get("if-none-match"))


@router.post("/projects/{project_name}/documents/{document_id:path}/_index")
@guarded(project="write")
def index_document(call: ProjectCall, document_id: str, indexes: Annotated[list[Index] | None, Query()] = None) -> Ack:
    """Bring the search index in step with one document and its segments; it is, before searches answer again."""
    return service.index_document(call, document_id, indexes or ["document"])


@router.delete("/projects/{project_name}/documents/{document_id:path}")
@guarded(project="write", versioned=True)
def delete_document(call: ProjectCall, document_id: str) -> Ack:
    """Delete a document; it can be restored."""
    return service.delete_document(call, document_id)
