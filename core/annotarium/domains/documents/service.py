"""Rules of documents."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotarium.access.call import Call, ProjectCall, require_permission
from annotarium.content import validation
from annotarium.content.layouts.service import has_layout
from annotarium.content.plans.active import active_conversion_plan
from annotarium.content.repository import delete_documents as delete_rows
from annotarium.content.segmentation import default_policy
from annotarium.content.training_data import training_data_changed
from annotarium.content.versions import check_version
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Document, History, Job
from annotarium.domains.components.service import require_component
from annotarium.domains.documents import repository
from annotarium.domains.documents.dataset import dataset_segments
from annotarium.domains.documents.loader import DocumentJson, load_documents
from annotarium.domains.documents.schemas import CleanText, Policy, SimpleMetadata
from annotarium.domains.imports import uploads
from annotarium.domains.imports.converters import validated_parameters
from annotarium.domains.imports.receiving import plain_folder
from annotarium.errors import InvalidInput, NotFound
from annotarium.importing.repository import find_group_id
from annotarium.jobs.queue import start_job
from annotarium_schemas.answers import Ack
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from fastapi.responses import StreamingResponse

LONG_IMPORT_BYTES = 4_000_000
"""Bytes of files beyond which an import lets shorter jobs that wait go first."""
SHOWN_ARGUMENTS = (
    "segmentation_policy",
    "ignore_labelling",
    "split_corpus",
    "clean_text",
    "categories_from_folder",
    "converter",
    "converters",
    "distinct_texts",
    "metadata_split",
)

"""Arguments of an import that people are shown with its job."""


@dataclass(frozen=True)
class ImportRequest:
    """The options of an import call, as they travel."""

    segmentation_policy: Policy | None = None
    """None = what is usual for the nature of the project (C-059)."""
    ignore_labelling: bool = False
    split_corpus: bool = False
    clean_text: CleanText = "default"
    categories_from_folder: bool = False
    group_name: str | None = None
    idp_group_identifier: str | None = None
    converter_parameters: str = ""
    converter: str = ""
    skip_duplicates: bool = False
    dry_run: bool = False
    use_plan: bool = True
    """Files are read as the active conversion plan says, unless a converter is named."""
    metadata_split: bool = True
    """Documents go to the part that their metadata `split` tells."""
    empty_reviewed: bool = False
    """Documents with an empty list of labels count as annotated to the end."""


def start_import(
    call: ProjectCall, upload_ids: Sequence[str], request: ImportRequest, folders: Mapping[str, str] | None = None
) -> Job:
    """Start a job that imports uploads of the caller, or, with `dry_run`, one that says what the import would do.

    Args:
        folders: where the sender had the files, by the ids of their uploads.

    Raises:
        NotFound: an upload is not there, or not the caller's.
        InvalidInput: nothing to import, no such originating group (V-013, V-037), wrong parameters of a converter, or
            the active conversion plan cannot work.
    """
    require_permission(call, "importDocuments")
    converters = validated_parameters(call.access, request.converter_parameters)
    if request.converter:
        require_component(call.access, "converter", request.converter)
    if not upload_ids:
        raise InvalidInput(message("none.file", "There is no file to import"), fix="Upload a file first")
    files = uploads.require_uploads(call, list(dict.fromkeys(upload_ids)))
    uploads.keep_for_job(call, files)
    named = bool(request.converter) or not request.use_plan
    plan = None if named else active_conversion_plan(call)
    arguments = {
        "project_name": call.project.name,
        "upload_ids": [file.id for file in files],
        "segmentation_policy": request.segmentation_policy or default_policy(call.project.nature),
        "ignore_labelling": request.ignore_labelling,
        "split_corpus": request.split_corpus and not request.ignore_labelling,  # V-014
        "clean_text": call.project.clean_html if request.clean_text == "default" else request.clean_text == "true",
        "categories_from_folder": request.categories_from_folder,
        "converters": converters,
        "converter": request.converter,
        "distinct_texts": request.skip_duplicates,
        "metadata_split": request.metadata_split,
        "empty_reviewed": request.empty_reviewed,
        "folders": {file.id: folder for file in files if (folder := plain_folder((folders or {}).get(file.id, "")))},
        "origin_group_id": _origin_group(call, request),
        "plan": plan.arguments() if plan else None,
    }
    names = ", ".join(file.filename for file in files[:3]) + (", ..." if len(files) > 3 else "")
    return start_job(
        call.unit,
        # A check changes no document: C-084 must not take it for an import.
        type="UNSPECIFIED" if request.dry_run else "DOC_IMPORT",
        function="check_import" if request.dry_run else "import_documents",
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=(
            message("start.check", "Check of {files}", files=names)
            if request.dry_run
            else message("start.import", "Import of {files}", files=names)
        ),
        upload_ids=[file.id for file in files],
        queue="long" if sum(file.size for file in files) > LONG_IMPORT_BYTES else "default",
        parameters={name: arguments[name] for name in SHOWN_ARGUMENTS} | ({"plan": plan.label} if plan else {}),
    )


def _origin_group(call: ProjectCall, request: ImportRequest) -> int | None:
    """The group that sees the documents: one of the caller's, by name or by the identity provider's identifier."""
    if not request.group_name and not request.idp_group_identifier:
        return None
    group_id = find_group_id(
        call.session, name=request.group_name or None, identifier=request.idp_group_identifier or None
    )
    if group_id is None or (group_id not in call.access.group_ids and not call.access.reads_all_projects):
        given = request.group_name or request.idp_group_identifier
        raise InvalidInput(
            message("none.origin", "There is no originating group {name} among yours", name=given),
            fix="Choose one of your groups",
        )
    return group_id


def require_document(call: ProjectCall, identifier: str) -> Document:
    """The document within the caller's reach, or `NotFound`."""
    document = repository.find_document(call, identifier)
    if document is None:
        raise NotFound(
            message("none.document", "There is no document {name} in this project", name=identifier),
            fix="It may have been deleted: reload",
        )
    return document


def read_document(call: ProjectCall, identifier: str, fields: Collection[str]) -> DocumentJson:
    """One document as it travels, its long lists written already."""
    document_id = repository.find_document_id(call, identifier)
    if document_id is None:
        raise NotFound(
            message("none.document", "There is no document {name} in this project", name=identifier),
            fix="It may have been deleted: reload",
        )
    document = load_documents(call, [document_id], fields, serialized=True)[document_id]
    if "text" in fields:
        document["hasLayout"] = has_layout(call.session, call.project, document_id)
    return document


def index_document(call: ProjectCall, identifier: str, indexes: Collection[str]) -> Ack:
    """Have a document and its segments read again into the index; `term` alone has nothing of a document."""
    document = require_document(call, identifier)
    if {"document", "segment"} & set(indexes):
        call.unit.touch(call.project.id, "document", document_id=document.id)
    return Ack()


def export_documents(call: ProjectCall, *, limit: int, fields: Collection[str]) -> StreamingResponse:
    """All documents as one JSON array, streamed; `limit` 0 = all."""
    from annotarium.domains.documents.streaming import stream_items  # brings the web framework; workers do without

    require_permission(call, "exportDocuments")

    def items(own: ProjectCall, ids: list[int]) -> list[Any]:
        documents = load_documents(own, ids, fields, serialized=True)
        return [documents[document_id] for document_id in ids if document_id in documents]

    return stream_items(call, items, filename=f"{call.project.name}.json", limit=limit)


def sample_documents(call: ProjectCall, size: int) -> list[DocumentJson]:
    """Some documents drawn at random."""
    require_permission(call, "exportDocuments")
    ids = repository.random_ids(call, max(0, min(size, 1_000)))
    documents = load_documents(call, ids)
    return [documents[document_id] for document_id in ids if document_id in documents]


def export_dataset(call: ProjectCall) -> StreamingResponse:
    """The dataset as one JSON array, streamed."""
    from annotarium.domains.documents.streaming import stream_items  # see above

    require_permission(call, "exportDataset")
    return stream_items(call, dataset_segments, filename=f"{call.project.name}-dataset.json")


def delete_documents(call: ProjectCall, identifiers: Sequence[str]) -> int:
    """Delete documents with what hangs on them, in a way that can be undone; how many there were."""
    found = [repository.find_document_id(call, identifier) for identifier in identifiers]
    return delete_by_ids(call, [document_id for document_id in found if document_id is not None])


def delete_by_ids(call: ProjectCall, document_ids: Sequence[int]) -> int:
    """`delete_documents` by id; those out of reach or gone are passed over."""
    require_permission(call, "deleteDocuments")
    rows = repository.metadata_rows(call, document_ids)
    if rows:
        ids = [row.id for row in rows]
        delete_rows(call.session, ids, timestamp=now_ms(), actor=call.username)
        for row in rows:
            _append_history(call, row.id, "deleted", before={"identifier": row.identifier}, after=None)
            call.unit.touch(call.project.id, "delete", document_id=row.id)
        training_data_changed(call)
        arg = {"type": "deleted", "count": len(ids), "by": call.username}
        call.unit.emit("documents", arg, project=call.project.name)
    return len(rows)


def _append_history(
    call: ProjectCall, document_id: int, action: str, before: dict[str, Any] | None, after: dict[str, Any] | None
) -> None:
    values = {"project_id": call.project.id, "document_id": document_id, "entity": "document"}
    values |= {"entity_id": document_id, "action": action, "actor": call.username, "job_id": call.job_id}
    call.unit.append(History, values | {"before": before, "after": after})


def delete_document(call: ProjectCall, identifier: str) -> Ack:
    """Delete one document."""
    _check_version(call, require_document(call, identifier))
    delete_documents(call, [identifier])
    return Ack()


def _check_version(call: Call, document: Document) -> None:
    current = {"identifier": document.identifier, "version": document.version}
    check_version(call, document.version, "The document was changed by somebody else", lambda: current)


def tag_document(call: ProjectCall, identifier: str, body: SimpleMetadata) -> None:
    """Set a metadata value of a document; an empty one removes it."""
    require_permission(call, "modifyMetadata")
    document = require_document(call, identifier)
    _check_version(call, document)
    tag_documents(call, [document.id], body)


def check_metadata(body: SimpleMetadata) -> None:
    """Raise `InvalidInput` for a name or value that may not be stored."""
    try:
        validation.check_name(body.name, "The name of the metadata")
        validation.check_value(body.value, "The value")
    except validation.InvalidContent as error:
        raise InvalidInput(error.message) from error


def _same_values(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Equal, and of the same types: `1` is not `true`, and not "1"."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def tag_documents(call: ProjectCall, document_ids: Sequence[int], body: SimpleMetadata) -> int:
    """Set a metadata value of documents, or remove it when it is empty; how many changed. History keeps what was."""
    require_permission(call, "modifyMetadata")
    check_metadata(body)
    changed: list[dict[str, Any]] = []
    timestamp = now_ms()
    for row in repository.metadata_rows(call, document_ids):
        before = row.metadata_ or {}
        after = {name: value for name, value in before.items() if name != body.name}
        if not body.removes:
            after[body.name] = body.value
        if _same_values(after, before):
            continue
        changed.append(
            {"id": row.id, "metadata_": after, "version": row.version + 1}
            | {"modified_at": timestamp, "modified_by": call.username}
        )
        old = {"name": body.name, "metadata": {body.name: before[body.name]} if body.name in before else {}}
        new = {"name": body.name, "metadata": {} if body.removes else {body.name: body.value}}
        _append_history(call, row.id, "tagged", before=old, after=new)
        call.unit.touch(call.project.id, "facets", document_id=row.id)
    repository.update_documents(call.session, changed)
    if changed:
        arg: dict[str, Any] = {"type": "tagged", "count": len(changed), "by": call.username}
        if len(document_ids) == 1:
            arg["documentIdentifier"] = repository.identifier_of(call.session, document_ids[0])
        call.unit.emit("documents", arg, project=call.project.name)
    return len(changed)
