"""Rules of labels and label sets."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import record_bulk
from annotarium.corpus.labels import DEFAULT_SET, ensure_default_set, label_slug
from annotarium.corpus.palette import next_color
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Label, LabelSet
from annotarium.db.times import iso
from annotarium.domains.labels import repository
from annotarium.domains.labels.schemas import (
    DeleteResponse,
    LabelCreate,
    LabelRead,
    LabelSetRead,
    LabelSetWrite,
    LabelUpdate,
)
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound


def require_label(call: ProjectCall, name: str) -> Label:
    """The label of that name, or `NotFound`."""
    label = repository.find_label(call.session, call.project, name)
    if label is None:
        raise NotFound(f"There is no label {name} in this project", fix="Create the label first, or check its name")
    return label


def require_label_set(call: ProjectCall, name: str) -> LabelSet:
    """The label set of that name, or `NotFound`."""
    label_set = repository.find_label_set(call.session, call.project, name)
    if label_set is None:
        raise NotFound(f"There is no label set {name} in this project")
    return label_set


def _read(label: Label, label_set: str | None, count: int | None = None) -> LabelRead:
    return LabelRead(
        name=label.name,
        label=label.label,
        color=label.color,
        label_set_name=label_set,
        identifier=label.identifier,
        guideline=label.guideline or None,
        count=count,
        version=label.version,
    )


def _set_names(call: ProjectCall) -> dict[int, str]:
    return {label_set.id: label_set.name for label_set in repository.list_label_sets(call.session, call.project)}


def list_labels(call: ProjectCall, *, label_set_name: str | None, include_count: bool) -> list[LabelRead]:
    """Labels of the project, or of one set."""
    label_set = require_label_set(call, label_set_name) if label_set_name else None
    names = _set_names(call)
    counts = repository.count_uses(call.session, call.project) if include_count else None
    return [
        _read(label, names.get(label.label_set_id), counts.get(label.id, 0) if counts is not None else None)
        for label in repository.list_labels(call.session, call.project, label_set=label_set)
    ]


def read_label(call: ProjectCall, name: str, *, include_count: bool = False) -> LabelRead:
    """One label."""
    label = require_label(call, name)
    count = repository.count_uses(call.session, call.project).get(label.id, 0) if include_count else None
    return _read(label, _set_names(call).get(label.label_set_id), count)


def _changed(call: ProjectCall) -> None:
    call.unit.emit("labels", {"type": "changed", "by": call.username}, project=call.project.name)


def create_label(call: ProjectCall, body: LabelCreate) -> LabelRead:
    """Create a label; an absent name comes from the label, an absent colour is the least used one (C-031)."""
    words = body.label or body.name
    if not words:
        raise InvalidInput("The label has no text", details=[{"field": "label", "message": "A label needs a text"}])
    name = label_slug(body.name or words)
    known = repository.find_label(call.session, call.project, name, deleted=True)
    if known is not None and known.deleted_at is None:
        raise Conflict(f"The label {name} exists already", fix="Choose another name")
    label_set = _set_or_default(call, body.label_set_name)
    used = [label.color for label in repository.list_labels(call.session, call.project)]
    label = known or Label(project_id=call.project.id, name=name, created_by=call.username)
    label.label, label.color = words, body.color or next_color(used)
    label.label_set_id, label.identifier = label_set.id, body.identifier
    label.guideline = body.guideline or ""
    if known is not None:
        label.deleted_at = label.deleted_by = None
        label.modified_at, label.version = now_ms(), label.version + 1
    label.modified_by = call.username
    call.session.add(label)
    call.session.flush()
    _changed(call)
    return _read(label, label_set.name)


def _set_or_default(call: ProjectCall, name: str | None) -> LabelSet:
    if name and name != DEFAULT_SET:
        return require_label_set(call, name)
    return ensure_default_set(call.session, call.project, call.username)


def update_label(call: ProjectCall, name: str, body: LabelUpdate) -> LabelRead:
    """Change text, colour, set, identifier or guideline; the name stays, so nothing that refers to it breaks."""
    label = require_label(call, name)
    given = body.model_fields_set
    if "label_set_name" in given:
        label.label_set_id = _set_or_default(call, body.label_set_name).id
    for field in ("label", "color"):
        if field in given and getattr(body, field) is not None:
            setattr(label, field, getattr(body, field))
    if "identifier" in given:
        label.identifier = body.identifier
    if "guideline" in given:
        label.guideline = body.guideline or ""
    label.modified_at, label.modified_by, label.version = now_ms(), call.username, label.version + 1
    _changed(call)
    return _read(label, _set_names(call).get(label.label_set_id))


def delete_labels(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete labels with everything that carries them; restorable, since nothing is erased."""
    labels = [require_label(call, name) for name in dict.fromkeys(names)]
    ids = [label.id for label in labels]
    documents = repository.documents_using(call.session, ids)
    moment = now_ms()
    removed = repository.delete_uses(call.session, ids, moment=moment, actor=call.username)
    for label in labels:
        label.deleted_at, label.deleted_by = moment, call.username
    record_bulk(call, documents, "delete_labels", count=removed, arg={"labels": list(names), "moment": moment})
    _changed(call)
    return DeleteResponse(removed_count=len(labels))


def merge_labels(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Merge into the first label: the others' annotations and categories become its own.

    What somebody labelled twice at one place, with two of the labels, stays once.
    """
    if len(set(names)) < 2:
        raise InvalidInput("Merging needs at least two labels", fix="Name the label to keep first, then the others")
    target, *others = [require_label(call, name) for name in dict.fromkeys(names)]
    ids = [label.id for label in others]
    documents = repository.documents_using(call.session, ids)
    moment = now_ms()
    doubled = repository.delete_doubles(call.session, target, ids, moment=moment, actor=call.username)
    moved = doubled + repository.move_uses(call.session, ids, target, moment=moment, actor=call.username)
    for label in others:
        label.deleted_at, label.deleted_by = moment, call.username
    record_bulk(call, documents, "merge_labels", count=moved, arg={"labels": list(names), "moment": moment})
    _changed(call)
    return DeleteResponse(removed_count=len(others))


def _read_set(label_set: LabelSet, labels: list[LabelRead] | None) -> LabelSetRead:
    return LabelSetRead(
        name=label_set.name,
        label=label_set.label,
        nature=label_set.nature,
        exclusive_classes=label_set.exclusive_classes,
        guideline=label_set.guideline,
        tags=label_set.tags,
        created_at=iso(label_set.created_at),
        created_by=label_set.created_by,
        modified_at=iso(label_set.modified_at),
        modified_by=label_set.modified_by,
        labels=labels,
    )


def list_label_sets(call: ProjectCall, *, include_labels: bool, include_count: bool) -> list[LabelSetRead]:
    """Label sets, with their labels when asked."""
    by_set: dict[str, list[LabelRead]] = {}
    if include_labels:
        for label in list_labels(call, label_set_name=None, include_count=include_count):
            by_set.setdefault(label.label_set_name or "", []).append(label)
    return [
        _read_set(label_set, by_set.get(label_set.name, []) if include_labels else None)
        for label_set in repository.list_label_sets(call.session, call.project)
    ]


def read_label_set(call: ProjectCall, name: str, *, include_labels: bool, include_count: bool) -> LabelSetRead:
    """One label set."""
    label_set = require_label_set(call, name)
    labels = list_labels(call, label_set_name=name, include_count=include_count) if include_labels else None
    return _read_set(label_set, labels)


def _may_be_exclusive(call: ProjectCall) -> None:
    if not call.access.can("changeProjectConfig"):
        raise AccessDenied(
            "Authorization has been denied.", cause="Exclusive classes need the permission changeProjectConfig"
        )


def create_label_set(call: ProjectCall, body: LabelSetWrite) -> LabelSetRead:
    """Create a label set; the name comes from the label when absent."""
    words = body.label or body.name
    if not words:
        raise InvalidInput(
            "The label set has no name", details=[{"field": "label", "message": "A label set needs a name"}]
        )
    if body.exclusive_classes:
        _may_be_exclusive(call)
    name = label_slug(body.name or words)
    if repository.find_label_set(call.session, call.project, name) is not None:
        raise Conflict(f"The label set {name} exists already", fix="Choose another name")
    label_set = LabelSet(
        project_id=call.project.id,
        name=name,
        label=words,
        nature=body.nature or call.project.nature,
        exclusive_classes=bool(body.exclusive_classes),
        guideline=body.guideline or "",
        tags=body.tags or [],
        created_by=call.username,
        modified_by=call.username,
    )
    call.session.add(label_set)
    call.session.flush()
    _changed(call)
    return _read_set(label_set, None)


def update_label_set(call: ProjectCall, name: str, body: LabelSetWrite) -> LabelSetRead:
    """Change a label set; its name stays."""
    label_set = require_label_set(call, name)
    if body.exclusive_classes is not None and body.exclusive_classes != label_set.exclusive_classes:
        _may_be_exclusive(call)
    for field in body.model_fields_set - {"name"}:
        value = getattr(body, field)
        if value is not None:
            setattr(label_set, field, value)
    label_set.modified_at, label_set.modified_by, label_set.version = now_ms(), call.username, label_set.version + 1
    _changed(call)
    return _read_set(label_set, None)


def delete_label_set(call: ProjectCall, name: str) -> DeleteResponse:
    """Delete a label set with its labels and what carries them. The default set stays, empty."""
    label_set = require_label_set(call, name)
    labels = repository.list_labels(call.session, call.project, label_set=label_set)
    if labels:
        delete_labels(call, [label.name for label in labels])
    if label_set.name != DEFAULT_SET:
        call.session.flush()
        repository.empty_label_set(call.session, label_set, _set_or_default(call, None))
        call.session.delete(label_set)
    _changed(call)
    return DeleteResponse(removed_count=len(labels))
