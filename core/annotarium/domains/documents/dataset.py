"""The dataset: segments that a person labelled, with offsets that count from the segment's start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.fragments import fragments_to_json, merge_fragments
from annotarium.db.confirmed import is_confirmed
from annotarium.domains.documents.loader import DocumentJson, load_documents
from annotarium.search.entries import segment_id

_FIELDS = frozenset({"identifier", "title", "text", "metadata", "annotations", "categories", "sentences"})
_OFFSETS = ("start", "end")
_FRAGMENT_FIELDS = ("fragments", "fragmentsText")


def dataset_segments(call: ProjectCall, document_ids: list[int]) -> Iterator[dict[str, Any]]:
    """Segments in the dataset of some documents, in order.

    A segment is in it when a confirmed annotation or category touches it or is on its document (`db.confirmed`). A
    document without segments counts as one. `shift` is the segment's start: what has to be added to the offsets of its
    annotations to find them in the document.
    """
    documents = load_documents(call, document_ids, _FIELDS)
    for document_id in document_ids:
        if document_id in documents:
            yield from _segments(document_id, documents[document_id])


def _confirmed(item: dict[str, Any]) -> bool:
    return is_confirmed(item.get("status"), item.get("creationMode", "imported"))


def _segments(document_id: int, document: DocumentJson) -> Iterator[dict[str, Any]]:
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
            "annotations": [_within(item, start, end, text) for item in annotations],
            "categories": [_plain(item) for item in categories],
        }


def _within(annotation: dict[str, Any], start: int, end: int, text: str) -> dict[str, Any]:
    """An annotation cut to the segment, its offsets counted from there; of one in pieces the pieces of the segment."""
    first, past = max(annotation["start"], start), min(annotation["end"], end)
    whole = {key: value for key, value in annotation.items() if key not in _FRAGMENT_FIELDS}
    fragments = merge_fragments((max(one[0], first), min(one[1], past)) for one in annotation.get("fragments", ()))
    if fragments:
        first, past = fragments[0][0], fragments[-1][1]
    cut = whole | {"start": first - start, "end": past - start, "text": text[first:past]}
    if len(fragments) > 1:
        cut |= fragments_to_json([[one - start, other - start] for one, other in fragments], cut["text"], first - start)
    return cut


def _plain(category: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in category.items() if key not in _OFFSETS}
