"""Label sets that a machine makes of what it found: a set of its own, so that people's sets stay theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotarium.access.call import ProjectCall
from annotarium.content.labels import label_slug
from annotarium.content.palette import next_color
from annotarium.content.repository import find_label_set
from annotarium.db.models import CLASSIFICATION, Label, LabelSet
from annotarium.db.row_marks import mark_deleted, mark_modified
from annotarium.domains.labels import bulk_operations, repository


@dataclass(frozen=True)
class GeneratedLabel:
    """A label that something is to be called by: the name it should have, the words shown."""

    name: str
    words: str


def ensure_generated_set(call: ProjectCall, *, name: str, words: str, tag: str) -> LabelSet:
    """The exclusive set of categories of that name and tag, made when it is missing.

    A set of that name without the tag is somebody's own: the made one gets the next free name.
    """
    base, number = label_slug(name), 2
    free = base
    while (found := find_label_set(call.session, call.project.id, free)) is not None:
        if tag in found.tags:
            return found
        free, number = f"{base}_{number}", number + 1
    label_set = LabelSet(
        project_id=call.project.id,
        name=free,
        label=words,
        nature=CLASSIFICATION,
        exclusive_classes=True,
        tags=[tag],
        created_by=call.username,
        modified_by=call.username,
    )
    call.session.add(label_set)
    call.session.flush()
    bulk_operations.write_label_history(call, label_set, "created", after=bulk_operations.label_set_snapshot(label_set))
    return label_set


def ensure_generated_labels(call: ProjectCall, label_set: LabelSet, requested: Sequence[GeneratedLabel]) -> list[Label]:
    """A label of the set for each of the wanted ones, each another; one that is there stays as people made it.

    A name that belongs to another set is left to it; the next free one is taken.
    """
    labels: list[Label] = []
    colors = [label.color for label in repository.list_labels(call.session, call.project)]
    taken: set[int] = set()
    for one in requested:
        label = _ensure_generated_label(call, label_set, one, taken, colors)
        taken.add(label.id)
        labels.append(label)
    bulk_operations.notify_labels_changed(call)
    return labels


def _ensure_generated_label(
    call: ProjectCall, label_set: LabelSet, one: GeneratedLabel, taken: set[int], colors: list[str]
) -> Label:
    base, number = label_slug(one.name), 2
    name = base
    while (found := repository.find_label(call.session, call.project, name, deleted=True)) is not None:
        if found.label_set_id == label_set.id and found.id not in taken:
            return found if found.deleted_at is None else _restore_generated_label(call, found, one, colors)
        name, number = f"{base}_{number}", number + 1
    label = Label(project_id=call.project.id, name=name, created_by=call.username, modified_by=call.username)
    label.label, label.color, label.label_set_id = one.words[:255], next_color(colors), label_set.id
    colors.append(label.color)
    call.session.add(label)
    call.session.flush()
    bulk_operations.write_label_history(call, label, "created", after=bulk_operations.label_snapshot(label))
    return label


def _restore_generated_label(call: ProjectCall, label: Label, one: GeneratedLabel, colors: list[str]) -> Label:
    label.label, label.deleted_at, label.deleted_by = one.words[:255], None, None
    mark_modified(label, call.username)
    colors.append(label.color)
    bulk_operations.write_label_history(call, label, "created", after=bulk_operations.label_snapshot(label))
    return label


def drop_unused_labels(call: ProjectCall, label_set: LabelSet, keep: Collection[str]) -> int:
    """Delete labels of a made set that nobody changed and nothing carries, but those of the names to keep; how many."""
    call.session.flush()
    used = repository.labels_in_use(call.session, label_set)
    unused = [
        label
        for label in repository.list_labels(call.session, call.project, label_set=label_set)
        if label.name not in keep and label.id not in used and label.version == 1
    ]
    for label in unused:
        before = bulk_operations.label_snapshot(label)
        mark_deleted(label, call.username)
        bulk_operations.write_label_history(call, label, "deleted", before)
    if unused:
        bulk_operations.notify_labels_changed(call)
    return len(unused)
