"""Exports: streamed JSON arrays, and the dataset (segments labelled by people).

Documents are read in batches, each in its own transaction, so that memory use does not grow with the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.fragments import fragments_to_json, merge_fragments
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.documents import repository
from annotarium.domains.documents.loader import DocumentJson, load_documents
from annotarium.search.index_entries import segment_id

if TYPE_CHECKING:
    from fastapi.responses import StreamingResponse

BATCH = 100
"""Documents per batch."""
Items = Callable[[ProjectCall, list[int]], Iterable[Any]]
"""Makes the items of the array from a batch of document ids."""
_FIELDS = frozenset({"identifier", "title", "text", "metadata", "annotations", "categories", "sentences"})
_OFFSETS = ("start", "end")
_FRAGMENT_FIELDS = ("fragments", "fragmentsText")


def stream_json_array(
    call: ProjectCall, items: Items, *, filename: str, limit: int = 0, ids: Sequence[int] | None = None
) -> StreamingResponse:
    """Stream a JSON array over the readable documents of the project.

    Args:
        items: makes the array's items from a batch of document ids.
        filename: file name proposed by `Content-Disposition`.
        limit: maximum number of documents, 0 = all.
        ids: the documents, in order; None = all of the project.
    """
    from fastapi.responses import StreamingResponse  # imported here because workers run without the web framework

    access, project_id = call.access, call.project.id

    def batches() -> Iterator[bytes]:
        left, after, position = limit, 0, 0
        separator = b"["
        while limit <= 0 or left > 0:
            size = min(BATCH, left) if limit > 0 else BATCH
            with unit_of_work(actor=access.username, write=False) as unit:
                project = unit.session.get_one(Project, project_id)
                own = ProjectCall(unit=unit, access=access, project=project)
                if ids is not None:
                    batch = list(ids[position : position + size])
                else:
                    batch = list(repository.page_of_ids(own, after, size))
                if not batch:
                    break
                body = bytearray()
                for item in items(own, batch):
                    body += separator + orjson.dumps(item)
                    separator = b",\n"
            after, position, left = batch[-1], position + len(batch), left - len(batch)
            if body:
                yield bytes(body)
        yield b"[]" if separator == b"[" else b"]"

    headers = {"content-disposition": f'attachment; filename="{filename}"'}
    return StreamingResponse(batches(), media_type="application/json", headers=headers)


def dataset_segments(call: ProjectCall, document_ids: list[int]) -> Iterator[dict[str, Any]]:
    """The segments of these documents that belong to the dataset, in order.

    A segment belongs to it if a confirmed annotation or category overlaps it or is on its whole document
    (`db.confirmed_labelling`). A document without segments counts as one segment. `shift` is the segment's start, to be
    added to the offsets of its annotations to get document offsets.
    """
    documents = load_documents(call, document_ids, _FIELDS)
    for document_id in document_ids:
        if document_id in documents:
            yield from _confirmed_segments(document_id, documents[document_id])


def _confirmed(item: dict[str, Any]) -> bool:
    return is_confirmed(item.get("status"), item.get("creationMode", "imported"))


def _confirmed_segments(document_id: int, document: DocumentJson) -> Iterator[dict[str, Any]]:
    text: str = document["text"]
    general = [item for item in document["categories"] if "start" not in item]
    loose = [item for item in document["categories"] if "start" in item]
    for sentence in document["sentences"] or [{"start": 0, "end": len(text)}]:
        start, end = sentence["start"], sentence["end"]
        annotations = [item for item in document["annotations"] if item["start"] < end and item["end"] > start]
        own = [
            *sentence.get("categories", ()),
            *(item for item in loose if item["start"] < end and item["end"] > start),
        ]
        categories = [*own, *general]
        if not any(_confirmed(item) for item in (*annotations, *categories)):
            continue
        yield {
            "identifier": segment_id(document_id, start),
            "documentIdentifier": document["identifier"],
            "documentTitle": document["title"],
            "start": start,
            "end": end,
            "shift": start,
            "text": text[start:end],
            "metadata": document["metadata"] | sentence.get("metadata", {}),
            "annotations": [_annotation_cut_to_segment(item, start, end, text) for item in annotations],
            "categories": [_category_without_offsets(item) for item in categories],
        }


def _annotation_cut_to_segment(annotation: dict[str, Any], start: int, end: int, text: str) -> dict[str, Any]:
    """Cut an annotation to the segment, with offsets relative to it; keep only the fragments inside."""
    first, past = max(annotation["start"], start), min(annotation["end"], end)
    whole = {key: value for key, value in annotation.items() if key not in _FRAGMENT_FIELDS}
    fragments = merge_fragments((max(one[0], first), min(one[1], past)) for one in annotation.get("fragments", ()))
    if fragments:
        first, past = fragments[0][0], fragments[-1][1]
    cut = whole | {"start": first - start, "end": past - start, "text": text[first:past]}
    if len(fragments) > 1:
        cut |= fragments_to_json([[one - start, other - start] for one, other in fragments], cut["text"], first - start)
    return cut


def _category_without_offsets(category: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in category.items() if key not in _OFFSETS}
