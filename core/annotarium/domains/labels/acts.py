"""Acts that change much labelling at once: deleting and merging labels and sets, moving annotations and labels.

Each is a chain of steps over some documents. Small ones are done within the request, large ones as a job; either way
a job is kept whose history rows take all of it back (`domains.bulk.undo`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import Change, record_changes, snapshot, write_history
from annotarium.corpus.labels import ensure_default_set
from annotarium.corpus.relations.moving import moved_ends
from annotarium.db.dataset import is_confirmed
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Job, Label, LabelSet
from annotarium.domains.labels import repository
from annotarium.domains.labels.choosing import Choice
from annotarium.errors import Conflict
from annotarium.jobs.queue import record_job, start_job
from annotarium_schemas.said import say

DIRECT_MAX = 2_000
"""Annotations and categories that are changed within the request; beyond it is a job."""
STEP = 100
"""Documents at once."""

Row = Annotation | Category


@dataclass(frozen=True)
class Act:
    """The parts of an act; each takes the arguments of its job.

    Attributes:
        choice: what is to be changed; what was changed is not chosen any more.
        change: changes what is chosen on some documents.
        end: what is done once nothing is left.
    """

    choice: Callable[..., Choice]
    change: Callable[..., None]
    end: Callable[..., None]


def label_state(label: Label) -> dict[str, Any]:
    """The fields of a label that history keeps."""
    names = ("name", "label", "color", "identifier", "guideline", "label_set_id")
    return {name: getattr(label, name) for name in names}


def set_state(label_set: LabelSet) -> dict[str, Any]:
    """The fields of a label set that history keeps."""
    names = ("name", "label", "nature", "exclusive_classes", "guideline", "tags", "created_at", "created_by")
    return {name: getattr(label_set, name) for name in names}


def record(
    call: ProjectCall,
    row: Label | LabelSet,
    action: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write the history row of a change of a label or a label set."""
    entity = "label" if isinstance(row, Label) else "label_set"
    write_history(call, 0, entity, row.id, action, before=before, after=after)


def tell(call: ProjectCall) -> None:
    """The live event of changed labels and sets."""
    call.unit.emit("labels", {"type": "changed", "by": call.username}, project=call.project.name)


# --- running ----------------------------------------------------------------------------------------------------------


def perform(
    call: ProjectCall, function: str, description: str, arguments: dict[str, Any], *, rows: int, type: str
) -> Job:
    """Do it now when few rows are concerned, else start the job. The job answers for it in both cases."""
    named = {"project_name": call.project.name} | arguments
    if rows > DIRECT_MAX:
        return start_job(
            call.unit,
            type=type,
            function=function,
            arguments=named,
            project=call.project,
            created_by=call.username,
            description=description,
            total_steps=rows,
            undoable=True,
        )
    inner = replace(call, job_id=uuid4().hex)
    documents_left = documents_of(inner, function, **arguments)
    for begin in range(0, len(documents_left), STEP):
        ACTS[function].change(inner, documents_left[begin : begin + STEP], **arguments)
    ended(inner, function, **arguments)
    call.session.flush()
    call.unit.write_appended()
    assert inner.job_id is not None
    documents, changes = repository.count_changed_documents(call.session, inner.job_id)
    return record_job(
        call.unit,
        id=inner.job_id,
        type=type,
        function=function,
        arguments=named,
        project=call.project,
        created_by=call.username,
        description=description,
        result={"documents": documents, "changes": changes},
    )


def documents_of(call: ProjectCall, function: str, **arguments: Any) -> array[int]:
    """Documents on which something is to be changed: looked up once, for each look reads all that is chosen."""
    return repository.documents_with(call, ACTS[function].choice(call, **arguments))


def ended(call: ProjectCall, function: str, **arguments: Any) -> bool:
    """End the act, unless somebody labelled so meanwhile."""
    if repository.is_left(call, ACTS[function].choice(call, **arguments)):
        return False
    ACTS[function].end(call, **arguments)
    return True


# --- parts ------------------------------------------------------------------------------------------------------------


def _chosen_for_deletion(call: ProjectCall, labels: Sequence[str], sets: Sequence[str] = ()) -> Choice:
    return Choice([row.id for row in _known(call, labels)])


def _delete_chosen(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], sets: Sequence[str] = ()
) -> None:
    choice = _chosen_for_deletion(call, labels)
    changes: list[Change] = []
    for table in choice.tables:
        changes += [_delete(call, row) for row in repository.chosen_rows(call, table, choice, documents)]
    record_changes(call, changes)


def _end_deletion(call: ProjectCall, labels: Sequence[str], sets: Sequence[str] = ()) -> None:
    _end_labels(call, _known(call, labels))
    _end_sets(call, sets)


def _chosen_for_merging(call: ProjectCall, keep: str, others: Sequence[str]) -> Choice:
    return Choice([row.id for row in _known(call, others)])


def _merge_chosen(call: ProjectCall, documents: Sequence[int], keep: str, others: Sequence[str]) -> None:
    _move(call, _chosen_for_merging(call, keep, others), documents, keep)


def _end_merging(call: ProjectCall, keep: str, others: Sequence[str]) -> None:
    _end_labels(call, _known(call, others))


def _chosen_for_moving(call: ProjectCall, labels: Sequence[str], target: str, chosen: dict[str, Any]) -> Choice:
    return Choice([row.id for row in _known(call, labels)], visible_only=True, **chosen)


def _move_chosen(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], target: str, chosen: dict[str, Any]
) -> None:
    _move(call, _chosen_for_moving(call, labels, target, chosen), documents, target)


def _end_moving(call: ProjectCall, labels: Sequence[str], target: str, chosen: dict[str, Any]) -> None:
    """No label goes."""


def _move_labels(call: ProjectCall, labels: Sequence[str], target: str, sets: Sequence[str] = ()) -> None:
    """Move labels to another set and delete the sets they came from, when named. No labelling is touched."""
    label_set = repository.find_label_set(call.session, call.project, target)
    if label_set is None:
        raise Conflict(say("gone.labelSet", "The label set {name} is not there any more", name=target))
    for label in _known(call, labels):
        if label.label_set_id != label_set.id and label.deleted_at is None:
            before = label_state(label)
            label.label_set_id = label_set.id
            _touch(call, label)
            record(call, label, "updated", before, label_state(label))
    _end_sets(call, sets)
    tell(call)


def _nothing_chosen(call: ProjectCall, labels: Sequence[str], target: str, sets: Sequence[str] = ()) -> Choice:
    return Choice([])


def _change_nothing(
    call: ProjectCall, documents: Sequence[int], labels: Sequence[str], target: str, sets: Sequence[str] = ()
) -> None:
    """Only labels move."""


ACTS: dict[str, Act] = {
    "delete_labels": Act(_chosen_for_deletion, _delete_chosen, _end_deletion),
    "merge_labels": Act(_chosen_for_merging, _merge_chosen, _end_merging),
    "move_labelling": Act(_chosen_for_moving, _move_chosen, _end_moving),
    "move_labels": Act(_nothing_chosen, _change_nothing, _move_labels),
}


def _known(call: ProjectCall, names: Sequence[str]) -> list[Label]:
    found = (repository.find_label(call.session, call.project, name, deleted=True) for name in names)
    return [label for label in found if label is not None]


def _touch(call: ProjectCall, row: Row | Label) -> None:
    row.modified_at, row.modified_by, row.version = now_ms(), call.username, row.version + 1


def _delete(call: ProjectCall, row: Row) -> Change:
    before = snapshot(row)
    row.deleted_at, row.deleted_by, row.version = now_ms(), call.username, row.version + 1
    return row, "deleted", before, None


def _move(call: ProjectCall, choice: Choice, documents: Sequence[int], name: str) -> None:
    """Give rows on some documents to a label. What would then stand twice at one place stays once: what somebody
    confirmed, else what was rejected, else what is suggested."""
    target = repository.find_label(call.session, call.project, name)
    if target is None:
        raise Conflict(
            say("gone.label", "The label {name} is not there any more", name=name),
            fix=say("fix.undoOrMerge", "Undo this job, or merge into another label"),
        )
    changes: list[Change] = []
    for table in choice.tables:
        there = repository.labelled_so(call, table, target, documents, visible_only=choice.visible_only)
        standing = {_place(row): row for row in there}
        instead: dict[int, int] = {}
        for row in repository.chosen_rows(call, table, choice, documents):
            place = _place(row)
            other = standing.get(place)
            if other is not None and _weight(other) >= _weight(row):
                changes.append(_delete(call, row))
                instead[row.id] = other.id
                continue
            if other is not None:
                changes.append(_delete(call, other))
                instead |= {gone: row.id for gone, stays in instead.items() if stays == other.id} | {other.id: row.id}
            standing[place] = row
            before = snapshot(row)
            row.label_id = target.id
            _touch(call, row)
            changes.append((row, "updated", before, snapshot(row)))
        if table is Annotation:  # first in the history: they are taken back once their annotations are
            changes = [*moved_ends(call, instead), *changes]
    call.session.flush()
    record_changes(call, changes)


def _place(row: Row) -> tuple[Any, ...]:
    """What two rows with one label must not share: of annotations the creator counts too, of categories nobody's."""
    place = (row.document_id, row.start, row.end)
    if isinstance(row, Category):
        return place
    return (*place, row.created_by, str(row.fragments or ""))


def _weight(row: Row) -> int:
    """Which of two rows at one place says more."""
    if is_confirmed(row.status, row.creation_mode):
        return 2
    return 1 if row.status == "KO" else 0


def _end_labels(call: ProjectCall, labels: Sequence[Label]) -> None:
    for label in labels:
        if label.deleted_at is None:
            before = label_state(label)
            label.deleted_at, label.deleted_by, label.version = now_ms(), call.username, label.version + 1
            record(call, label, "deleted", before)
    tell(call)


def _end_sets(call: ProjectCall, names: Sequence[str]) -> None:
    """Delete sets. Their deleted labels move to the default set, so that they can still be restored."""
    for name in names:
        label_set = repository.find_label_set(call.session, call.project, name)
        if label_set is None:
            continue
        call.session.flush()
        default = ensure_default_set(call.session, call.project, call.username)
        for label in repository.deleted_labels(call.session, label_set):
            label.label_set_id = default.id
        record(call, label_set, "deleted", set_state(label_set))
        call.session.flush()
        call.session.delete(label_set)
        call.session.flush()
