"""Annotations, categories and sentences as JSON, written straight from the rows of the driver.

A document has thousands: a dict for each and a writer that walks over all of them cost as much as reading the rows.
Who wants objects reads the text back (`listed`); both come from here, so that there is one shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Any

import orjson

from annotarium.corpus.labelling.fragments import pieces_wire
from annotarium.db.authors import plain_author
from annotarium.db.rows import json_value
from annotarium.db.times import IsoMemory


class LabelledWriter:
    """Writes rows of `repository.LABELLED_COLUMNS`. What most rows share is written once."""

    def __init__(self, labels: dict[int, str]) -> None:
        """`labels`: id -> stable name."""
        self._labels = labels
        self._names: dict[int, str] = {}
        self._makers: dict[tuple[Any, ...], str] = {}
        self._dates = IsoMemory()

    def annotation(self, row: Sequence[Any]) -> str:
        """An annotation: the columns, then text, terms and fragments."""
        written = f'{self._begun(row)},"text":{encode_basestring(row[15])}'
        terms, pieces = row[16], row[17]
        if terms is not None:
            written += f',"terms":{_json(json_value(terms))}'
        if pieces is not None:
            more = pieces_wire(json_value(pieces), row[15], row[3])
            written += "".join(f',"{name}":{_json(value)}' for name, value in more.items())
        return written + "}"

    def category(self, row: Sequence[Any]) -> str:
        """A category: the columns alone."""
        return self._begun(row) + "}"

    def _begun(self, row: Sequence[Any]) -> str:
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
            bringer,
            brought,
            *_,
        ) = row
        name = self._names.get(label_id)
        if name is None:
            name = self._names[label_id] = f'"labelName":{encode_basestring(self._labels.get(label_id, ""))}'
        made = self._makers.get((status, mode, creator))
        if made is None:
            made = self._makers[status, mode, creator] = _made(status, mode, creator)
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
        if bringer is not None:
            written += f',"importedBy":{encode_basestring(bringer)},"importedDate":"{dates[brought]}"'
        return written


def _made(status: str | None, mode: str, creator: str) -> str:
    """A creation mode `imported` is not of the published ones: it is left out."""
    given = {"status": status, "creationMode": None if mode == "imported" else mode, "createdBy": plain_author(creator)}
    given["createdBy"] = given["createdBy"] or None
    return "".join(f',"{name}":{encode_basestring(value)}' for name, value in given.items() if value is not None)


def sentence(start: int, end: int, metadata: Any) -> str:
    """A segment of a document."""
    known = json_value(metadata) if metadata else None
    return f'{{"start":{start},"end":{end}{f""","metadata":{_json(known)}""" if known else ""}}}'


def as_list(items: Iterable[str]) -> orjson.Fragment:
    """Written items as a list for who writes it out with `orjson`."""
    return orjson.Fragment(f"[{','.join(items)}]")


def listed(items: Iterable[str]) -> list[dict[str, Any]]:
    """Written items as objects."""
    found: list[dict[str, Any]] = orjson.loads(f"[{','.join(items)}]")
    return found


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
