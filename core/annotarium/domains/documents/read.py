"""Documents as they travel, read in few queries: one for the rows and one for each part that is asked for.

Plain dicts, ready for orjson: a document with thousands of spans is built in milliseconds. Rights are applied here,
once: origin groups, `readUserAnnot`, `readModeAnnot`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Row

from annotarium.access.call import ProjectCall
from annotarium.access.rights import Access
from annotarium.corpus.labelling.fragments import pieces_wire
from annotarium.corpus.layouts.service import html_pieces, layouts_of
from annotarium.corpus.relations.repository import relations_of_documents
from annotarium.corpus.relations.wire import standing_wire
from annotarium.db.models import Project
from annotarium.db.rows import json_value
from annotarium.db.times import IsoMemory, iso
from annotarium.db.unit import unit_of_work
from annotarium.domains.documents import repository
from annotarium.domains.documents.fields import DOCUMENT_FIELDS

WireDocument = dict[str, Any]
ALL_FIELDS = frozenset(DOCUMENT_FIELDS)
_BATCH = 200
_FOUND = 100


def load_documents(
    call: ProjectCall, ids: Sequence[int], fields: Collection[str] = ALL_FIELDS
) -> dict[int, WireDocument]:
    """The readable documents among the ids, by id.

    Args:
        ids: database ids, a few hundred at most.
        fields: names of `fields.DOCUMENT_FIELDS`; `identifier` is always there.

    Returns:
        Dicts in the published shape (camelCase); parts without a value are absent, lists are never null. Annotations
        are ordered by start, then end. `relations` are there when there are any between annotations that are readable.
    """
    found: dict[int, WireDocument] = {}
    texts: dict[int, str] = {}
    shown = {"layout", "html"} & set(fields)
    for row in repository.document_rows(call, ids, with_text="text" in fields or bool(shown)):
        found[row.id] = _document(row, fields)
        if shown:
            texts[row.id] = row.text
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
    if "relations" in fields:
        for relation in relations_of_documents(call, list(found)):
            found[relation.document_id].setdefault("relations", []).append(standing_wire(relation))
    if shown:
        _add_looks(call, found, texts, shown)
    return found


def _add_looks(
    call: ProjectCall, found: dict[int, WireDocument], texts: dict[int, str], shown: Collection[str]
) -> None:
    if "layout" in shown:
        for document_id, marks in layouts_of(call.session, call.project, list(found), texts).items():
            found[document_id]["layout"] = marks
    if "html" in shown:
        pieces = html_pieces(call.session, call.project, [(one, 0, texts[one]) for one in found])
        for document, html in zip(found.values(), pieces, strict=True):
            document["html"] = html


def iterate_documents(
    call: ProjectCall, *, limit: int = 0, fields: Collection[str] = ALL_FIELDS
) -> Iterator[WireDocument]:
    """All readable documents in the order of their import, a batch in memory at a time; `limit` 0 = all."""
    for ids in repository.iterate_ids(call, limit=limit, batch=_BATCH):
        documents = load_documents(call, ids, fields)
        for document_id in ids:
            if document_id in documents:
                yield documents[document_id]


@dataclass(frozen=True)
class Reader:
    """Who reads the documents of a project, when no transaction is open."""

    access: Access
    project_id: int


def read_found(reader: Reader, ids: Iterable[int], fields: Collection[str] = ALL_FIELDS) -> Iterator[WireDocument]:
    """The readable documents among the ids, in their order: a batch at a time, each in a transaction of its own."""
    iterator = iter(ids)
    while batch := list(islice(iterator, _FOUND)):
        with unit_of_work(actor=reader.access.username, write=False) as unit:
            project = unit.session.get_one(Project, reader.project_id)
            call = ProjectCall(unit=unit, access=reader.access, project=project)
            documents = load_documents(call, batch, fields)
        yield from (documents[document_id] for document_id in batch if document_id in documents)


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
    if "reviewed" in fields:
        document["reviewed"] = row.reviewed
    if "version" in fields:
        document["version"] = row.version
    return document


def _labelled(row: Sequence[Any], labels: dict[int, str], dates: IsoMemory) -> dict[str, Any]:
    """What annotations and categories have in common: the first columns of `repository.LABELLED_COLUMNS`.

    A creation mode `imported` is not of the published ones: it is left out.
    """
    identifier, _, label_id, start, end, status, mode, score, properties, creator, created, modified, version = row[:13]
    # Most have all of these: a dict that is made whole and loses a key costs less than one that grows.
    item: dict[str, Any] = {
        "identifier": str(identifier),
        "labelName": labels.get(label_id, ""),
        "start": start,
        "end": end,
        "status": status,
        "creationMode": mode,
        "createdBy": creator,
        "createdDate": dates[created],
        "modifiedDate": dates[modified],
        "version": version,
    }
    if start is None:
        del item["start"], item["end"]
    if status is None:
        del item["status"]
    if mode == "imported":
        del item["creationMode"]
    if not creator:
        del item["createdBy"]
    if score is not None:
        item["score"] = score
    if properties is not None:
        item["properties"] = json_value(properties)
    return item


def _add_annotations(call: ProjectCall, found: dict[int, WireDocument], labels: dict[int, str]) -> None:
    dates = IsoMemory()
    lists: dict[int, list[dict[str, Any]]] = {}
    for document_id, document in found.items():
        lists[document_id] = document["annotations"] = []
    for row in repository.annotation_rows(call, list(found)):
        item = _labelled(row, labels, dates)
        item["text"] = row[13]
        if row[14] is not None:
            item["terms"] = json_value(row[14])
        if row[15] is not None:
            item |= pieces_wire(json_value(row[15]), row[13], row[3])
        lists[row[1]].append(item)


def _add_categories(
    call: ProjectCall, found: dict[int, WireDocument], labels: dict[int, str], fields: Collection[str]
) -> None:
    rows = repository.category_rows(call, list(found))
    sentences: dict[tuple[int, int, int], dict[str, Any]] = {}
    if "sentences" in fields:
        _add_sentences(call, found)
        # Looked up by place only where one of them may have a category of its own.
        for document_id in {row[1] for row in rows if row[3] is not None}:
            for one in found[document_id]["sentences"]:
                sentences[document_id, one["start"], one["end"]] = one
    if "categories" in fields:
        for document in found.values():
            document["categories"] = []
    dates = IsoMemory()
    for row in rows:
        item = _labelled(row, labels, dates)
        home = sentences.get((row[1], row[3], row[4]))
        if home is not None:
            home.setdefault("categories", []).append({key: item[key] for key in item if key not in ("start", "end")})
        elif "categories" in fields:
            found[row[1]]["categories"].append(item)


def _add_sentences(call: ProjectCall, found: dict[int, WireDocument]) -> None:
    lists: dict[int, list[dict[str, Any]]] = {}
    for document_id, document in found.items():
        lists[document_id] = document["sentences"] = []
    for document_id, start, end, metadata in repository.segment_rows(call, list(found)):
        sentence: dict[str, Any] = {"start": start, "end": end}
        if metadata and (known := json_value(metadata)):
            sentence["metadata"] = known
        lists[document_id].append(sentence)
