"""Counts and deletes annotations or categories by label and creator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.changes import (
    Change,
    history_snapshot_of_row,
    notify_bulk_change,
    record_changes,
)
from annotarium.content.labelling.repository import Labelled
from annotarium.content.repository import insert_outbox
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category
from annotarium_schemas.answers import CreatorCount, OperationCount


def labelling_kind_of_table(table: Labelled) -> str:
    """Return `annotation` or `category`."""
    return "annotation" if table is Annotation else "category"


def delete_rows_with_history(call: ProjectCall, table: Labelled, ids: Sequence[int]) -> int:
    """Delete rows found by `repository.matching_ids`, each with a history row, and return how many were still live.

    Relations of deleted annotations are no longer live either; their versions are incremented.
    """
    timestamp = now_ms()
    count = 0
    documents: dict[int, None] = {}
    for begin in range(0, len(ids), CLEARED):
        states = repository.lock_and_read_live_rows(call, table, ids[begin : begin + CLEARED])
        deleted_ids = [identifier for identifier, *_ in states]
        documents |= dict.fromkeys(document for _, document, _ in states)
        repository.write_deletion_history(call, labelling_kind_of_table(table), states, timestamp)
        repository.soft_delete(call, table, deleted_ids, timestamp)
        if table is Annotation:
            repository.increment_relation_versions(call, deleted_ids)
        count += len(states)
    call.unit.touched += insert_outbox(call.session, call.project.id, list(documents), "facets")
    if count:
        notify_bulk_change(call, "deleted", count)
    return count


def count_with_labels_and_creators(
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]
) -> OperationCount:
    """Count the live rows that have one of the labels and one of the creators (empty = any)."""
    number = repository.count_matching(call, table, labels, creators)
    return OperationCount(count=number, operation="count", unit=labelling_kind_of_table(table))


def count_rows_per_creator(call: ProjectCall, table: Labelled) -> list[CreatorCount]:
    """Return the number of live rows per creator, most first."""
    return [
        CreatorCount(created_by=name, count=number) for name, number in repository.count_rows_per_creator(call, table)
    ]


RangesByDocument = dict[int, list[tuple[int, int, bool]]]
"""Per document: start and end of ranges, and whether the range is the whole document."""
_IDS = 500
CLEARED = 5_000
"""Rows that `delete_rows_with_history` holds in memory at a time."""


def delete_labelling(
    call: ProjectCall,
    document_ids: Sequence[int],
    labels: Sequence[str],
    creators: Sequence[str],
    ranges: RangesByDocument | None = None,
) -> int:
    """Delete annotations and categories on some documents, each with a history row, and return their number.

    Args:
        labels, creators: restrict what is deleted; empty = any.
        ranges: delete only what overlaps one of these ranges. A category of the whole document counts only when one of
            the ranges is the whole document. None = no restriction.
    """
    timestamp = now_ms()
    changes: list[Change] = []
    for table in (Annotation, Category):
        found = repository.labelling_rows_on_documents(call, table, document_ids, labels, creators, lock=True)
        rows = [row for row in found if _row_touches_ranges(row, ranges)]
        changes += [Change(row, "deleted", history_snapshot_of_row(row), None) for row in rows]
        ids = [row.id for row in rows]
        for begin in range(0, len(ids), _IDS):
            repository.soft_delete(call, table, ids[begin : begin + _IDS], timestamp)
    record_changes(call, changes)
    return len(changes)


def count_deletable_rows_per_creator(
    call: ProjectCall,
    table: Labelled,
    document_ids: Sequence[int],
    labels: Sequence[str],
    ranges: RangesByDocument | None = None,
) -> Counter[str]:
    """Count per creator what `delete_labelling` would delete from one table."""
    if ranges is None:
        return Counter(dict(repository.count_on_documents_per_creator(call, table, document_ids, labels)))
    rows = repository.labelling_rows_on_documents(call, table, document_ids, labels)
    return Counter(row.created_by for row in rows if _row_touches_ranges(row, ranges))


def _row_touches_ranges(row: Annotation | Category, ranges: RangesByDocument | None) -> bool:
    return touches_ranges(row.document_id, row.start, row.end, ranges)


def touches_ranges(document_id: int, start: int | None, end: int | None, ranges: RangesByDocument | None) -> bool:
    """Return whether [start, end) overlaps one of the document's ranges.

    `start` or `end` None = the document as a whole; `ranges` None = always true.
    """
    if ranges is None:
        return True
    if start is None or end is None:
        return any(whole for _, _, whole in ranges.get(document_id, ()))
    return any(start < past and end > first for first, past, _ in ranges.get(document_id, ()))
