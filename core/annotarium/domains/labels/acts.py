"""Acts that change much labelling at once: deleting and merging labels and sets, moving annotations and labels.

Each is a chain of steps over some documents. Small ones are done within the request, large ones as a job; either way
a job is kept whose history rows take all of it back (`domains.bulk.undo`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import Change, record_changes, snapshot, write_history
from annotarium.corpus.labels import ensure_default_set
from annotarium.corpus.relations.moving import moved_ends
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Job, Label, LabelSet
from annotarium.domains.labels import repository
from annotarium.domains.labels.choosing import Choice
from annotarium.jobs.queue import record_job, start_job

DIRECT_MAX = 2_000
"""Annotations and categories that are changed within the request; beyond it is a job."""
STEP = 100
"""Documents at once."""

Row = Annotation | Category
Step = Callable[..., bool]
"""One step of an act; whether anything is left."""


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
    while STEPS[function](inner, **arguments):
        pass
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


# --- steps ------------------------------------------------------------------------------------------------------------


def delete_step(call: ProjectCall, labels: Sequence[str], sets: Sequence[str] = ()) -> bool:
    """Delete what carries the labels; at the end the labels, and the sets."""
    rows = _known(call, labels)
    choice = Choice([row.id for row in rows])
    documents = repository.documents_with(call, choice, STEP)
    changes: list[Change] = []
    for table in choice.tables if documents else ():
        changes += [_delete(call, row) for row in repository.chosen_rows(call, table, choice, documents)]
    record_changes(call, changes)
    if changes:
        return True
    _end_labels(call, rows)
    _end_sets(call, sets)
    return False


def merge_step(call: ProjectCall, keep: str, others: Sequence[str]) -> bool:
    """Give what carries the other labels to the kept one; at the end delete the others."""
    rows = _known(call, others)
    if _move(call, Choice([row.id for row in rows]), keep):
        return True
    _end_labels(call, rows)
    return False


def move_step(call: ProjectCall, labels: Sequence[str], target: str, chosen: dict[str, Any]) -> bool:
    """Give what was chosen to another label; no label goes."""
    ids = [row.id for row in _known(call, labels)]
    return _move(call, Choice(ids, visible_only=True, **chosen), target)


def move_labels_step(call: ProjectCall, labels: Sequence[str], target: str, sets: Sequence[str] = ()) -> bool:
    """Move labels to another set; at the end delete the sets they came from, when named. One step."""
    label_set = repository.find_label_set(call.session, call.project, target)
    assert label_set is not None
    for label in _known(call, labels):
        if label.label_set_id != label_set.id and label.deleted_at is None:
            before = label_state(label)
            label.label_set_id = label_set.id
            _touch(call, label)
            record(call, label, "updated", before, label_state(label))
    _end_sets(call, sets)
    tell(call)
    return False


STEPS: dict[str, Step] = {
    "delete_labels": delete_step,
    "merge_labels": merge_step,
    "move_labelling": move_step,
    "move_labels": move_labels_step,
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


def _move(call: ProjectCall, choice: Choice, name: str) -> bool:
    """One step of giving rows to a label. What would then stand twice at one place stays once."""
    target = repository.find_label(call.session, call.project, name)
    documents = repository.documents_with(call, choice, STEP)
    if target is None or not documents:
        return False
    changes: list[Change] = []
    for table in choice.tables:
        standing = {_place(row): row.id for row in repository.labelled_so(call, table, target, documents)}
        instead: dict[int, int] = {}
        for row in repository.chosen_rows(call, table, choice, documents):
            place = _place(row)
            if place in standing:
                changes.append(_delete(call, row))
                instead[row.id] = standing[place]
                continue
            standing[place] = row.id
            before = snapshot(row)
            row.label_id = target.id
            _touch(call, row)
            changes.append((row, "updated", before, snapshot(row)))
        if table is Annotation:  # first in the history: they are taken back once their annotations are
            changes = [*moved_ends(call, instead), *changes]
    call.session.flush()
    record_changes(call, changes)
    return True


def _place(row: Row) -> tuple[Any, ...]:
    """What two rows with one label must not share: of annotations the creator counts too, of categories nobody's."""
    place = (row.document_id, row.start, row.end, row.status)
    if isinstance(row, Category):
        return place
    return (*place, row.created_by, str(row.fragments or ""))


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
