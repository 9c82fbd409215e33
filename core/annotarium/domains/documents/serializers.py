"""Annotations, categories and segments as JSON objects, made of rows of the driver (`db.compiled_statements`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.content.labelling.fragments import fragments_to_json
from annotarium.db.corruption import parse_raw_json
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.timestamps import IsoCache


class AnnotationAndCategorySerializer:
    """Converts rows of `repository.LABELLED_COLUMNS` to the published shape; fields without a value are absent."""

    def __init__(self, labels: dict[int, str]) -> None:
        """`labels`: stable names by label id."""
        self._labels = labels
        self._dates = IsoCache()
        self._authors: dict[str, str] = {}

    def annotation(self, row: Sequence[Any]) -> dict[str, Any]:
        """Convert a row with the labelled columns followed by text, terms and fragments."""
        item = self.category(row)
        item["text"] = row[15]
        terms, fragments = row[16], row[17]
        if terms is not None:
            item["terms"] = parse_raw_json(terms)
        if fragments is not None:
            item |= fragments_to_json(parse_raw_json(fragments), row[15], row[3])
        return item

    def category(self, row: Sequence[Any]) -> dict[str, Any]:
        """Convert a row with the labelled columns. The creation mode `imported` is internal and left out."""
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
            author = self._authors[creator] = remove_imported_prefix(creator) or ""
        if author:
            item["createdBy"] = author
        item["createdDate"] = self._dates[created]
        item["modifiedDate"] = self._dates[modified]
        item["version"] = version
        if score is not None:
            item["score"] = score
        if properties is not None:
            item["properties"] = parse_raw_json(properties)
        if imported_by is not None:
            item["importedBy"] = imported_by
            item["importedDate"] = self._dates[imported_at]
        return item


def segment_to_json(start: int, end: int, metadata: Any) -> dict[str, Any]:
    """A segment as JSON; `metadata` as the driver returned it."""
    item: dict[str, Any] = {"start": start, "end": end}
    values = parse_raw_json(metadata) if metadata else None
    if values:
        item["metadata"] = values
    return item
