"""Annotations, categories and sentences as JSON, written straight from the rows of the driver.

A document has thousands: a dict for each and a writer that walks over all of them cost as much as reading the rows.
Who wants objects reads the text back (`parse_items`); both come from here, so that there is one shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Any

import orjson

from annotarium.content.labelling.fragments import fragments_to_json
from annotarium.db.authors import plain_author
from annotarium.db.plain_rows import json_value
from annotarium.db.timestamps import IsoCache


class LabelledSerializer:
    """Writes rows of `repository.LABELLED_COLUMNS`. What most rows share is written once."""

    def __init__(self, labels: dict[int, str]) -> None:
        """`labels`: id -> stable name."""
        self._labels = labels
        self._names: dict[int, str] = {}
        self._provenances: dict[tuple[Any, ...], str] = {}
        self._dates = IsoCache()

    def annotation(self, row: Sequence[Any]) -> str:
        """An annotation: the columns, then text, terms and fragments."""
        written = f'{self._common_json(row)},"text":{encode_basestring(row[15])}'
        terms, fragments = row[16], row[17]
        if terms is not None:
            written += f',"terms":{_json(json_value(terms))}'
        if fragments is not None:
            more = fragments_to_json(json_value(fragments), row[15], row[3])
            written += "".join(f',"{name}":{_json(value)}' for name, value in more.items())
        return written + "}"

    def category(self, row: Sequence[Any]) -> str:
        """A category: the columns alone."""
        return self._common_json(row) + "}"

    def _common_json(self, row: Sequence[Any]) -> str:
        """What both have in common, without the end of the object."""
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
        name = self._names.get(label_id)
        if name is None:
            name = self._names[label_id] = f'"labelName":{encode_basestring(self._labels.get(label_id, ""))}'
        made = self._provenances.get((status, mode, creator))
        if made is None:
            made = self._provenances[status, mode, creator] = _provenance_json(status, mode, creator)
        place = "" if start is None else f',"start":{start},"end":{end}'
        dates = self._dates
        written = (
            f'{{"identifier":"{identifier}",{name}{place}{made},"createdDate":"{dates[created]}"'
            f',"modifiedDate":"{dates[modified]}","version":{version}'
        )
        if score is not None:
            written += f',"score":{_json(score)}'
        if properties is not None:
            written += f',"properties":{_json(json_value(properties))}'
        if imported_by is not None:
            written += f',"importedBy":{encode_basestring(imported_by)},"importedDate":"{dates[imported_at]}"'
        return written


def _provenance_json(status: str | None, mode: str, creator: str) -> str:
    """A creation mode `imported` is not of the published ones: it is left out."""
    given = {"status": status, "creationMode": None if mode == "imported" else mode, "createdBy": plain_author(creator)}
    given["createdBy"] = given["createdBy"] or None
    return "".join(f',"{name}":{encode_basestring(value)}' for name, value in given.items() if value is not None)


def sentence_json(start: int, end: int, metadata: Any) -> str:
    """A segment of a document."""
    known = json_value(metadata) if metadata else None
    return f'{{"start":{start},"end":{end}{f""","metadata":{_json(known)}""" if known else ""}}}'


def json_fragment(items: Iterable[str]) -> orjson.Fragment:
    """Written items as a list for who writes it out with `orjson`."""
    return orjson.Fragment(f"[{','.join(items)}]")


def parse_items(items: Iterable[str]) -> list[dict[str, Any]]:
    """Written items as objects."""
    found: list[dict[str, Any]] = orjson.loads(f"[{','.join(items)}]")
    return found


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
