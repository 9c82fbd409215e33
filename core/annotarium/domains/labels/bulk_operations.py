"""Bulk operations on labels: deleting and merging labels and sets, moving annotations and labels.

Each operation works through documents in steps. Small ones run within the request, large ones as a job. Either way a
job is stored, whose history rows allow undoing the whole operation (`domains.bulk.undo`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import (
    Change,
    delete_row,
    history_snapshot_of_row,
    record_changes,
    write_history,
)
from annotarium.content.labelling.operation_jobs import run_or_start_job
from annotarium.content.labels import ensure_default_set
from annotarium.content.repository import find_label_set
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.models import Annotation, Category, Job, Label, LabelSet
from annotarium.db.row_marks import mark_deleted, mark_modified
from annotarium.domains.labels import repository
from annotarium.domains.labels.labelling_filter import LabellingFilter
from annotarium.domains.labels.relation_redirects import redirect_relations
from annotarium.errors import Conflict
from annotarium_schemas.messages import message

DIRECT_MAX = 2_000
"""Maximum number of annotations and categories changed within the request; more are changed by a job."""
STEP = 100
"""Number of documents per step."""

Row = Annotation | Category


@dataclass(frozen=True)
class LabelOperation:
    """The functions of an operation; each takes the arguments of its job.

    Attributes:
        row_filter: returns the filter of the rows to change; rows that were changed no longer match it.
        change: changes the matching rows on some documents.
        end: finishes the operation when no row matches any more.
    """

    row_filter: Callable[..., LabellingFilter]
    change: Callable[..., None]
    end: Callable[..., None]


def label_snapshot(label: Label) -> dict[str, Any]:
    """The fields of a label that history stores."""
    names = ("name", "label", "color", "identifier", "guideline", "label_set_id")
    return {name: getattr(label, name) for name in names}


def label_set_snapshot(label_set: LabelSet) -> dict[str, Any]:
    """The fields of a label set that history stores."""
    names = ("name", "label", "nature", "exclusive_classes", "guideline", "tags", "created_at", "created_by")
    return {name: getattr(label_set, name) for name in names}


def write_label_history(
    call: ProjectCall,
    row: Label | LabelSet,
    action: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write the history row of a change of a label or a label set."""
    entity = "label" if isinstance(row, Label) else "label_set"
    write_history(call, 0, entity, row.id, action, before=before, after=after)


def notify_labels_changed(call: ProjectCall) -> None:
    """Notify the clients of the project that labels or sets changed."""
    call.unit.emit("labels", {"type": "changed", "by": call.username}, project=call.project.name)


# --- running ----------------------------------------------------------------------------------------------------------


def run_operation(
    call: ProjectCall, function: str, description: str, arguments: dict[str, Any], *, rows: int, type: str
) -> Job:
    """Do it now when few rows are concerned, else start the job. The job answers for it in both cases."""

    def run(inner: ProjectCall) -> None:
        documents_left = documents_to_change(inner, function, **arguments)
        for begin in range(0, len(documents_left), STEP):
            OPERATIONS[function].change(inner, documents_left[begin : begin + STEP], **arguments)
        finish_if_nothing_left(inner, function, **arguments)

    return run_or_start_job(
        call,
        run,
        rows=rows,
        direct_max=DIRECT_MAX,
        type=type,
        function=function,
        arguments=arguments,
        description=description,
    )


def documents_to_change(call: ProjectCall, function: str, **arguments: Any) -> array[int]:
    """Ids of the documents with rows to change. Computed once, because each query reads all matching rows."""
    return repository.documents_with_matching_rows(call, OPERATIONS[function].row_filter(call, **arguments))


def finish_if_nothing_left(call: ProjectCall, function: str, **arguments: Any) -> bool:
    """Finish the operation if no row matches any more; returns False if users have added such rows meanwhile."""
    if repository.has_matching_rows(call, OPERATIONS[function].row_filter(call, **arguments)):
        return False
    OPERATIONS[function].end(call, **arguments)
    return True


# --- parts ------------------------------------------------------------------------------------------------------------


def _deletion_filter(call: ProjectCall, labels: Sequence[str], sets: Sequence[str] = ()) -> LabellingFilter:
    return LabellingFilter([row.id for row in _labels_by_name(call, labels)])


def _delete_matching(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], sets: Sequence[str] = ()
) -> None:
    row_filter = _deletion_filter(call, labels)
    changes: list[Change] = []
    for table in row_filter.tables:
        changes += [delete_row(call, row) for row in repository.matching_rows(call, table, row_filter, documents)]
    record_changes(call, changes)


def _finish_deletion(call: ProjectCall, labels: Sequence[str], sets: Sequence[str] = ()) -> None:
    _delete_labels(call, _labels_by_name(call, labels))
    _delete_sets(call, sets)


def _merge_filter(call: ProjectCall, keep: str, others: Sequence[str]) -> LabellingFilter:
    return LabellingFilter([row.id for row in _labels_by_name(call, others)])


def _merge_matching(call: ProjectCall, documents: Sequence[int], keep: str, others: Sequence[str]) -> None:
    _move_rows_to_label(call, _merge_filter(call, keep, others), documents, keep)


def _finish_merging(call: ProjectCall, keep: str, others: Sequence[str]) -> None:
    _delete_labels(call, _labels_by_name(call, others))


def _move_filter(call: ProjectCall, labels: Sequence[str], target: str, chosen: dict[str, Any]) -> LabellingFilter:
    return LabellingFilter([row.id for row in _labels_by_name(call, labels)], visible_only=True, **chosen)


def _move_matching(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], target: str, chosen: dict[str, Any]
) -> None:
    _move_rows_to_label(call, _move_filter(call, labels, target, chosen), documents, target)


def _finish_moving(call: ProjectCall, labels: Sequence[str], target: str, chosen: dict[str, Any]) -> None:
    """Nothing to do: the labels stay."""


def _move_labels(call: ProjectCall, labels: Sequence[str], target: str, sets: Sequence[str] = ()) -> None:
    """Move labels to another set and delete the sets they came from, when named. No labelling is touched."""
    label_set = find_label_set(call.session, call.project.id, target)
    if label_set is None:
        raise Conflict(message("gone.labelSet", "The label set {name} no longer exists", name=target))
    for label in _labels_by_name(call, labels):
        if label.label_set_id != label_set.id and label.deleted_at is None:
            before = label_snapshot(label)
            label.label_set_id = label_set.id
            _mark_modified(call, label)
            write_label_history(call, label, "updated", before, label_snapshot(label))
    _delete_sets(call, sets)
    notify_labels_changed(call)


def _empty_filter(call: ProjectCall, labels: Sequence[str], target: str, sets: Sequence[str] = ()) -> LabellingFilter:
    return LabellingFilter([])


def _change_nothing(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], target: str, sets: Sequence[str] = ()
) -> None:
    """Nothing to do: no annotation or category is changed."""


OPERATIONS: dict[str, LabelOperation] = {
    "delete_labels": LabelOperation(_deletion_filter, _delete_matching, _finish_deletion),
    "merge_labels": LabelOperation(_merge_filter, _merge_matching, _finish_merging),
    "move_labelling": LabelOperation(_move_filter, _move_matching, _finish_moving),
    "move_labels": LabelOperation(_empty_filter, _change_nothing, _move_labels),
}


def _labels_by_name(call: ProjectCall, names: Sequence[str]) -> list[Label]:
    found = (repository.find_label(call.session, call.project, name, deleted=True) for name in names)
    return [label for label in found if label is not None]


def _mark_modified(call: ProjectCall, row: Row | Label) -> None:
    mark_modified(row, call.username)


def _move_rows_to_label(call: ProjectCall, row_filter: LabellingFilter, documents: Sequence[int], name: str) -> None:
    """Move rows on some documents to another label. Of two rows that would then be duplicates, one is deleted: a
    confirmed one is kept first, then a rejected one, then a suggested one.
    """
    target = repository.find_label(call.session, call.project, name)
    if target is None:
        raise Conflict(
            message("gone.label", "The label {name} no longer exists", name=name),
            fix=message("fix.undoOrMerge", "Undo this job, or merge into another label"),
        )
    changes: list[Change] = []
    for table in row_filter.tables:
        there = repository.rows_with_label(call, table, target, documents, visible_only=row_filter.visible_only)
        remaining = {_position_key(row): row for row in there}
        replacements: dict[int, int] = {}
        for row in repository.matching_rows(call, table, row_filter, documents):
            position = _position_key(row)
            other = remaining.get(position)
            if other is not None and _status_precedence(other) >= _status_precedence(row):
                changes.append(delete_row(call, row))
                replacements[row.id] = other.id
                continue
            if other is not None:
                changes.append(delete_row(call, other))
                replacements |= {gone: row.id for gone, stays in replacements.items() if stays == other.id} | {
                    other.id: row.id
                }
            remaining[position] = row
            before = history_snapshot_of_row(row)
            row.label_id = target.id
            _mark_modified(call, row)
            changes.append(Change(row, "updated", before, history_snapshot_of_row(row)))
        if table is Annotation:  # first in the history: they are taken back once their annotations are
            changes = [*redirect_relations(call, replacements), *changes]
    call.session.flush()
    record_changes(call, changes)


def _position_key(row: Row) -> tuple[Any, ...]:
    """Rows with equal keys are duplicates if they have the same label. The creator matters for annotations only."""
    position = (row.document_id, row.start, row.end)
    if isinstance(row, Category):
        return position
    return (*position, row.created_by, str(row.fragments or ""))


def _status_precedence(row: Row) -> int:
    """Which of two duplicates to keep: the one with the greater value."""
    if is_confirmed(row.status, row.creation_mode):
        return 2
    return 1 if row.status == "KO" else 0


def _delete_labels(call: ProjectCall, labels: Sequence[Label]) -> None:
    for label in labels:
        if label.deleted_at is None:
            before = label_snapshot(label)
            mark_deleted(label, call.username)
            write_label_history(call, label, "deleted", before)
    notify_labels_changed(call)


def _delete_sets(call: ProjectCall, names: Sequence[str]) -> None:
    """Delete sets. Their deleted labels move to the default set, so that they can still be restored."""
    for name in names:
        label_set = find_label_set(call.session, call.project.id, name)
        if label_set is None:
            continue
        call.session.flush()
        default = ensure_default_set(call.session, call.project, call.username)
        for label in repository.deleted_labels(call.session, label_set):
            label.label_set_id = default.id
        write_label_history(call, label_set, "deleted", label_set_snapshot(label_set))
        call.session.flush()
        call.session.delete(label_set)
        call.session.flush()
