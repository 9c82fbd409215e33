"""Counting and clearing annotations or categories by label and creator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository
from annotarium.corpus.labelling.changes import (
    Change,
    record_changes,
    snapshot,
    tell_bulk,
    touch_ranges,
    write_history,
)
from annotarium.corpus.labelling.repository import Labelled
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category
from annotarium_schemas.answers import CreatorCount, OperationCount


def unit_of(table: Labelled) -> str:
    """`annotation` or `category`."""
    return "annotation" if table is Annotation else "category"


def clear(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> OperationCount:
    """Delete all rows with one of the labels and one of the creators (empty = any), each with its history row."""
    moment = now_ms()
    count = 0
    documents: dict[int, None] = {}
    ids = repository.matching_ids(call, table, labels, creators)
    for begin in range(0, len(ids), _IDS):
        rows = repository.live_rows(call, table, ids[begin : begin + _IDS])
        for row in rows:
            before = snapshot(row)
            write_history(call, row.document_id, unit_of(table), row.id, "deleted", before=before, after=None)
            documents[row.document_id] = None
        repository.soft_delete(call, table, [row.id for row in rows], moment)
        for row in rows:
            call.session.expunge(row)
        call.unit.write_appended()  # a project may hold millions
        count += len(rows)
    for document_id in documents:
        touch_ranges(call, document_id, [])
    if count:
        tell_bulk(call, "deleted", count)
    return OperationCount(count=count, operation="delete", unit=unit_of(table))


def count(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> OperationCount:
    """How many rows `clear` would delete."""
    number = repository.count_matching(call, table, labels, creators)
    return OperationCount(count=number, operation="count", unit=unit_of(table))


def count_creators(call: ProjectCall, table: Labelled) -> list[CreatorCount]:
    """Live rows per creator."""
    return [CreatorCount(created_by=name, count=number) for name, number in repository.count_creators(call, table)]


Places = dict[int, list[tuple[int, int, bool]]]
"""By document: start and end of pieces, and whether the piece is the whole document."""
_IDS = 500


def delete_labelling(
    call: ProjectCall,
    document_ids: Sequence[int],
    labels: Sequence[str],
    creators: Sequence[str],
    places: Places | None = None,
) -> int:
    """Delete annotations and categories on some documents, each with its history row; how many.

    Args:
        labels, creators: which ones; empty = any.
        places: only what touches one of these pieces. What is on a document as a whole belongs to a piece only when
            the piece is all of it.
    """
    moment = now_ms()
    changes: list[Change] = []
    for table in (Annotation, Category):
        found = repository.rows_on(call, table, document_ids, labels, creators, hold=True)
        rows = [row for row in found if _inside(row, places)]
        changes += [(row, "deleted", snapshot(row), None) for row in rows]
        ids = [row.id for row in rows]
        for begin in range(0, len(ids), _IDS):
            repository.soft_delete(call, table, ids[begin : begin + _IDS], moment)
    record_changes(call, changes)
    return len(changes)


def creators_on(
    call: ProjectCall,
    table: Labelled,
    document_ids: Sequence[int],
    labels: Sequence[str],
    places: Places | None = None,
) -> Counter[str]:
    """Who made how many of what `delete_labelling` would delete."""
    if places is None:
        return Counter(dict(repository.count_by_creator(call, table, document_ids, labels)))
    rows = repository.rows_on(call, table, document_ids, labels)
    return Counter(row.created_by for row in rows if _inside(row, places))


def _inside(row: Annotation | Category, places: Places | None) -> bool:
    return inside(row.document_id, row.start, row.end, places)


def inside(document_id: int, start: int | None, end: int | None, places: Places | None) -> bool:
    """Whether [start, end) touches one of the pieces; None stands for the document as a whole, and for any piece."""
    if places is None:
        return True
    if start is None or end is None:
        return any(whole for _, _, whole in places.get(document_id, ()))
    return any(start < past and end > first for first, past, _ in places.get(document_id, ()))
