"""Documents as JSON objects, read in few queries: one for the rows and one for each requested part.

The results are plain dicts, ready for orjson. All access rules of the caller are applied here: origin groups,
`readUserAnnot`, `readModeAnnot`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.access.rights import Access
from annotarium.content.layouts.service import html_versions, layouts_of
from annotarium.content.output_fields import DOCUMENT_FIELDS
from annotarium.content.relations.repository import relations_of_documents
from annotarium.content.relations.serializers import relation_row_to_json
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Project
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.comments.service import threads_of_documents
from annotarium.domains.documents import repository
from annotarium.domains.documents.serializers import AnnotationAndCategorySerializer, segment_to_json

DocumentJson = dict[str, Any]
ALL_FIELDS = frozenset(DOCUMENT_FIELDS)
_BATCH = 200
_IDS_BATCH = 100


def load_documents(
    call: ProjectCall, ids: Sequence[int], fields: Collection[str] = ALL_FIELDS
) -> dict[int, DocumentJson]:
    """Load the readable documents among the ids; returns them by id.

    Args:
        ids: database ids, a few hundred at most.
        fields: names of `output_fields.DOCUMENT_FIELDS`; `identifier` is always included.

    Returns:
        Dicts in the published shape (camelCase). Parts without a value are absent; lists are never null.
        Annotations are sorted by start, then end. `relations` is present only if there are relations between readable
        annotations.
    """
    found: dict[int, DocumentJson] = {}
    texts: dict[int, str] = {}
    shown = {"layout", "html"} & set(fields)
    for row in repository.document_rows(call, ids, with_text="text" in fields or bool(shown)):
        found[row.id] = _document(row, fields)
        if shown:
            texts[row.id] = row.text or ""
    if not found:
        return found
    serializer = AnnotationAndCategorySerializer(repository.label_names(call))
    if "annotations" in fields:
        _add_annotations(call, found, serializer)
    if "sentences" in fields or "categories" in fields:
        _add_categories(call, found, serializer, fields)
    for name, add in _PARTS.items():
        if name in fields:
            add(call, found)
    if shown:
        _add_layouts(call, found, texts, shown)
    return found


def _add_alt_texts(call: ProjectCall, found: dict[int, DocumentJson]) -> None:
    for document in found.values():
        document["altTexts"] = []
    for document_id, name, text in repository.alt_text_rows(call, list(found)):
        found[document_id]["altTexts"].append({"name": name, "text": text})


def _add_relations(call: ProjectCall, found: dict[int, DocumentJson]) -> None:
    for relation in relations_of_documents(call, list(found)):
        found[relation.document_id].setdefault("relations", []).append(relation_row_to_json(relation))


def _add_annotation_counts(call: ProjectCall, found: dict[int, DocumentJson]) -> None:
    counts = repository.annotation_counts(call, list(found))
    for document_id, document in found.items():
        document["annotationCount"] = counts.get(document_id, 0)


def _add_comments(call: ProjectCall, found: dict[int, DocumentJson]) -> None:
    identifiers = {document_id: document["identifier"] for document_id, document in found.items()}
    for document_id, threads in threads_of_documents(call, identifiers).items():
        found[document_id]["comments"] = threads


_PARTS: dict[str, Callable[[ProjectCall, dict[int, DocumentJson]], None]] = {
    "altTexts": _add_alt_texts,
    "relations": _add_relations,
    "annotationCount": _add_annotation_counts,
    "comments": _add_comments,
}
"""What adds a field to documents, for fields that are read by a query of their own."""


def _add_layouts(
    call: ProjectCall, found: dict[int, DocumentJson], texts: dict[int, str], shown: Collection[str]
) -> None:
    if "layout" in shown:
        for document_id, marks in layouts_of(call.session, call.project, list(found), texts).items():
            found[document_id]["layout"] = marks
    if "html" in shown:
        pieces = html_versions(call.session, call.project, [(one, 0, texts[one]) for one in found])
        for document, html in zip(found.values(), pieces, strict=True):
            document["html"] = html


def iterate_documents(
    call: ProjectCall, *, limit: int = 0, fields: Collection[str] = ALL_FIELDS
) -> Iterator[DocumentJson]:
    """Iterate over all readable documents in import order, with one batch in memory at a time; `limit` 0 = all."""
    for ids in repository.iterate_ids(call, limit=limit, batch=_BATCH):
        documents = load_documents(call, ids, fields)
        for document_id in ids:
            if document_id in documents:
                yield documents[document_id]


@dataclass(frozen=True)
class ProjectReadAccess:
    """A user's access to a project, for reading documents outside a transaction."""

    access: Access
    project_id: int


def iterate_by_ids(
    reader: ProjectReadAccess, ids: Iterable[int], fields: Collection[str] = ALL_FIELDS
) -> Iterator[DocumentJson]:
    """Iterate over the readable documents among the ids, in their order; reads batches, each in its own transaction."""
    iterator = iter(ids)
    while batch := list(islice(iterator, _IDS_BATCH)):
        with unit_of_work(actor=reader.access.username, write=False) as unit:
            project = unit.session.get_one(Project, reader.project_id)
            call = ProjectCall(unit=unit, access=reader.access, project=project)
            documents = load_documents(call, batch, fields)
        yield from (documents[document_id] for document_id in batch if document_id in documents)


def _document(row: repository.DocumentRow, fields: Collection[str]) -> DocumentJson:
    document: DocumentJson = {"identifier": row.identifier}
    if "title" in fields:
        document["title"] = row.title
    if "text" in fields:
        document["text"] = row.text
    if "metadata" in fields:
        document["metadata"] = row.metadata
    if "createdBy" in fields and row.created_by:
        document["createdBy"] = remove_imported_prefix(row.created_by)
        if row.imported_by is not None:
            document |= {"importedBy": row.imported_by, "importedDate": iso(row.imported_at)}
    if "createdDate" in fields:
        document["createdDate"] = iso(row.created_at)
    if "modifiedDate" in fields:
        document["modifiedDate"] = iso(row.modified_at)
    if "group" in fields and row.group is not None:
        document["group"] = row.group
    if "reviewed" in fields:
        document["reviewed"] = row.reviewed
    if "version" in fields:
        document["version"] = row.version
    if "length" in fields:
        document["length"] = row.length
    return document


def _add_annotations(
    call: ProjectCall, found: dict[int, DocumentJson], serializer: AnnotationAndCategorySerializer
) -> None:
    for document in found.values():
        document["annotations"] = []
    for row in repository.annotation_rows(call, list(found)):
        found[row[1]]["annotations"].append(serializer.annotation(row))


def _add_categories(
    call: ProjectCall,
    found: dict[int, DocumentJson],
    serializer: AnnotationAndCategorySerializer,
    fields: Collection[str],
) -> None:
    """Add the categories: those of a requested sentence to that sentence, all others to the document."""
    rows = repository.category_rows(call, list(found))
    sentences: dict[tuple[int, int, int], dict[str, Any]] = {}
    if "sentences" in fields:
        _add_sentences(call, found)
        for document_id in {row[1] for row in rows if row[3] is not None}:
            sentences |= {(document_id, one["start"], one["end"]): one for one in found[document_id]["sentences"]}
    if "categories" in fields:
        for document in found.values():
            document["categories"] = []
    for row in rows:
        item = serializer.category(row)
        owner_sentence = sentences.get((row[1], row[3], row[4]))
        if owner_sentence is not None:
            owner_sentence.setdefault("categories", []).append(
                {key: item[key] for key in item if key not in ("start", "end")}
            )
        elif "categories" in fields:
            found[row[1]]["categories"].append(item)


def _add_sentences(call: ProjectCall, found: dict[int, DocumentJson]) -> None:
    for document in found.values():
        document["sentences"] = []
    for document_id, start, end, metadata in repository.segment_rows(call, list(found)):
        found[document_id]["sentences"].append(segment_to_json(start, end, metadata))
