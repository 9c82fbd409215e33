"""Documents as they travel, read in few queries: one for the rows and one for each part that is asked for.

Plain dicts, ready for orjson: a document with thousands of spans is built in milliseconds. Rights are applied here,
once: origin groups, `readUserAnnot`, `readModeAnnot`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Row

from annotarium.access.call import ProjectCall
from annotarium.db.times import iso
from annotarium.domains.documents import repository
from annotarium.domains.documents.fields import DOCUMENT_FIELDS

WireDocument = dict[str, Any]
ALL_FIELDS = frozenset(DOCUMENT_FIELDS)
_BATCH = 200


def load_documents(
    call: ProjectCall, ids: Sequence[int], fields: Collection[str] = ALL_FIELDS
) -> dict[int, WireDocument]:
    """The readable documents among the ids, by id.

    Args:
        ids: database ids, a few hundred at most.
        fields: names of `fields.DOCUMENT_FIELDS`; `identifier` is always there.

    Returns:
        Dicts in the published shape (camelCase); parts without a value are absent, lists are never null. Annotations
        are ordered by start, then end.
    """
    found: dict[int, WireDocument] = {}
    for row in repository.document_rows(call, ids, with_text="text" in fields):
        found[row.id] = _document(row, fields)
    if not found:
        return found
    labels = repository.label_names(call)
    if "annotations" in fields:
        _add_annotations(call, found, labels)
    if "sentences" in fields or "categories" in fields:
        _add_categories(call, found, labels, fields)
    if "altTexts" in fields:
        for document in found.values():
            document["altTexts"] = []
        for document_id, name, text in repository.alt_text_rows(call, list(found)):
            found[document_id]["altTexts"].append({"name": name, "text": text})
    return found


def iterate_documents(
    call: ProjectCall, *, limit: int = 0, fields: Collection[str] = ALL_FIELDS
) -> Iterator[WireDocument]:
    """All readable documents in the order of their import, a batch in memory at a time; `limit` 0 = all."""
    for ids in repository.iterate_ids(call, limit=limit, batch=_BATCH):
        documents = load_documents(call, ids, fields)
        for document_id in ids:
            if document_id in documents:
                yield documents[document_id]


def _document(row: Row[Any], fields: Collection[str]) -> WireDocument:
    document: WireDocument = {"identifier": row.identifier}
    if "title" in fields:
        document["title"] = row.title
    if "text" in fields:
        document["text"] = row.text
    if "metadata" in fields:
        document["metadata"] = row.metadata_ or {}
    if "createdBy" in fields and row.created_by:
        document["createdBy"] = row.created_by
    if "createdDate" in fields:
        document["createdDate"] = iso(row.created_at)
    if "modifiedDate" in fields:
        document["modifiedDate"] = iso(row.modified_at)
    if "group" in fields and row.group_name is not None:
        document["group"] = row.group_name
    if "version" in fields:
        document["version"] = row.version
    return document


class _Dates:
    """`iso` with a memory: what is imported together has the same moment."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def __call__(self, moment: int) -> str:
        text = self._known.get(moment)
        if text is None:
            text = self._known[moment] = iso(moment) or ""
        return text


def _labelled(row: Row[Any], label: str, dates: _Dates) -> dict[str, Any]:
    """What annotations and categories have in common. A creation mode `imported` is not of the published ones."""
    item: dict[str, Any] = {"identifier": str(row.id), "labelName": label}
    if row.status is not None:
        item["status"] = row.status
    if row.creation_mode != "imported":
        item["creationMode"] = row.creation_mode
    if row.score is not None:
        item["score"] = row.score
    if row.properties is not None:
        item["properties"] = row.properties
    if row.created_by:
        item["createdBy"] = row.created_by
    item["createdDate"] = dates(row.created_at)
    item["modifiedDate"] = dates(row.modified_at)
    item["version"] = row.version
    return item


def _add_annotations(call: ProjectCall, found: dict[int, WireDocument], labels: dict[int, str]) -> None:
    dates = _Dates()
    for document in found.values():
        document["annotations"] = []
    for row in repository.annotation_rows(call, list(found)):
        item = _labelled(row, labels.get(row.label_id, ""), dates)
        item["start"], item["end"], item["text"] = row.start, row.end, row.text
        if row.terms is not None:
            item["terms"] = row.terms
        found[row.document_id]["annotations"].append(item)


def _add_categories(
    call: ProjectCall, found: dict[int, WireDocument], labels: dict[int, str], fields: Collection[str]
) -> None:
    dates = _Dates()
    sentences: dict[tuple[int, int, int], dict[str, Any]] = {}
    if "sentences" in fields:
        for document in found.values():
            document["sentences"] = []
        for document_id, start, end, metadata in repository.segment_rows(call, list(found)):
            sentence: dict[str, Any] = {"start": start, "end": end}
            if metadata:
                sentence["metadata"] = metadata
            sentences[document_id, start, end] = sentence
            found[document_id]["sentences"].append(sentence)
    if "categories" in fields:
        for document in found.values():
            document["categories"] = []
    for row in repository.category_rows(call, list(found)):
        item = _labelled(row, labels.get(row.label_id, ""), dates)
        home = sentences.get((row.document_id, row.start, row.end)) if row.start is not None else None
        if home is not None:
            home.setdefault("categories", []).append(item)
        elif "categories" in fields:
            if row.start is not None:
                item["start"], item["end"] = row.start, row.end
            found[row.document_id]["categories"].append(item)
