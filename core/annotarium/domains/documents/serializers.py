"""Annotations, categories and segments as JSON objects, made of rows of the driver (`db.plain_rows`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.content.labelling.fragments import fragments_to_json
from annotarium.db.authors import plain_author
from annotarium.db.plain_rows import json_value
from annotarium.db.timestamps import IsoCache


class LabelledSerializer:
    """Turns rows of `repository.LABELLED_COLUMNS` into objects of the published shape; what has no value is absent."""

    def __init__(self, labels: dict[int, str]) -> None:
        """`labels`: database id -> stable name."""
        self._labels = labels
        self._dates = IsoCache()
        self._authors: dict[str, str] = {}

    def annotation(self, row: Sequence[Any]) -> dict[str, Any]:
        """An annotation: the labelled columns, then text, terms and fragments."""
        item = self.category(row)
        item["text"] = row[15]
        terms, fragments = row[16], row[17]
        if terms is not None:
            item["terms"] = json_value(terms)
        if fragments is not None:
            item |= fragments_to_json(json_value(fragments), row[15], row[3])
        return item

    def category(self, row: Sequence[Any]) -> dict[str, Any]:
        """A category: the labelled columns alone. A creation mode `imported` is not published."""
        (
            identifier,
            _,
            label_id,
            start,
            end,
            status,
            mode,
            score,
            properties,
            creator,
            created,
            modified,
            version,
            imported_by,
            imported_at,
            *_,
        ) = row
        item: dict[str, Any] = {"identifier": str(identifier), "labelName": self._labels.get(label_id, "")}
        if start is not None:
            item["start"] = start
            item["end"] = end
        if status is not None:
            item["status"] = status
        if mode != "imported":
            item["creationMode"] = mode
        author = self._authors.get(creator)
        if author is None:
            author = self._authors[creator] = plain_author(creator) or ""
        if author:
            item["createdBy"] = author
        item["createdDate"] = self._dates[created]
        item["modifiedDate"] = self._dates[modified]
        item["version"] = version
        if score is not None:
            item["score"] = score
        if properties is not None:
            item["properties"] = json_value(properties)
        if imported_by is not None:
            item["importedBy"] = imported_by
            item["importedDate"] = self._dates[imported_at]
        return item


def segment_to_json(start: int, end: int, metadata: Any) -> dict[str, Any]:
    """A segment of a document; `metadata` as the driver returned it."""
    item: dict[str, Any] = {"start": start, "end": end}
    values = json_value(metadata) if metadata else None
    if values:
        item["metadata"] = values
    return item
