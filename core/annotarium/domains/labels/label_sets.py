"""Rules of label sets."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labels import DEFAULT_SET, label_slug
from annotarium.content.repository import find_label_set
from annotarium.content.training_data import training_data_changed
from annotarium.content.version_check import check_version
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Label, LabelSet
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.labels import bulk_operations, repository
from annotarium.domains.labels.labelling_filter import LabellingFilter
from annotarium.domains.labels.schemas import DeleteResponse, LabelRead, LabelSetRead, LabelSetWrite
from annotarium.domains.labels.service import (
    check_exclusive_after_move,
    count_matching_rows,
    label_list_text,
    list_labels,
    require_label_set,
)
from annotarium.errors import AccessDenied, Conflict, InvalidInput
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.messages import message


def _build_label_set_read_model(label_set: LabelSet, labels: list[LabelRead] | None) -> LabelSetRead:
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
        version=label_set.version,
        labels=labels,
    )


def list_label_sets(call: ProjectCall, *, include_labels: bool, include_count: bool) -> list[LabelSetRead]:
    by_set: dict[str, list[LabelRead]] = {}
    if include_labels:
        for label in list_labels(call, label_set_name=None, include_count=include_count):
            by_set.setdefault(label.label_set_name or "", []).append(label)
    return convert_readable_rows(
        repository.list_label_sets(call.session, call.project),
        lambda label_set: _build_label_set_read_model(
            label_set, by_set.get(label_set.name, []) if include_labels else None
        ),
    )


def read_label_set(call: ProjectCall, name: str, *, include_labels: bool, include_count: bool) -> LabelSetRead:
    label_set = require_label_set(call, name)
    labels = list_labels(call, label_set_name=name, include_count=include_count) if include_labels else None
    return _build_label_set_read_model(label_set, labels)


def _require_exclusive_permission(call: ProjectCall) -> None:
    if not call.access.can("changeProjectConfig"):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.exclusive", "Exclusive labels require the permission changeProjectConfig"),
        )


def create_label_set(call: ProjectCall, body: LabelSetWrite) -> LabelSetRead:
    """Create a label set; without a name, one is derived from the label."""
    words = body.label or body.name
    if not words:
        raise InvalidInput(
            message("wrong.labelSetName", "The label set has no name"),
            details=[{"field": "label", "message": message("field.labelSetName", "A label set needs a name")}],
        )
    if body.exclusive_classes:
        _require_exclusive_permission(call)
    name = label_slug(body.name or words)
    if find_label_set(call.session, call.project.id, name) is not None:
        raise Conflict(
            message("taken.labelSet", "The label set {name} already exists", name=name),
            fix=message("fix.otherName", "Choose another name"),
        )
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
    bulk_operations.write_label_history(call, label_set, "created", after=bulk_operations.label_set_snapshot(label_set))
    bulk_operations.notify_labels_changed(call)
    return _build_label_set_read_model(label_set, None)


def update_label_set(call: ProjectCall, name: str, body: LabelSetWrite) -> LabelSetRead:
    """Change a label set; its name cannot be changed."""
    label_set = require_label_set(call, name)
    check_version(
        call,
        label_set.version,
        "The label set was changed by somebody else",
        lambda: _build_label_set_read_model(label_set, None).model_dump(mode="json", by_alias=True),
    )
    before = bulk_operations.label_set_snapshot(label_set)
    if body.exclusive_classes is not None and body.exclusive_classes != label_set.exclusive_classes:
        _require_exclusive_permission(call)
        training_data_changed.send(call)
    for field in body.model_fields_set - {"name"}:
        value = getattr(body, field)
        if value is not None:
            setattr(label_set, field, value)
    mark_modified(label_set, call.username)
    bulk_operations.write_label_history(
        call, label_set, "updated", before, bulk_operations.label_set_snapshot(label_set)
    )
    bulk_operations.notify_labels_changed(call)
    return _build_label_set_read_model(label_set, None)


def _labels_of_sets(call: ProjectCall, sets: Sequence[LabelSet]) -> list[Label]:
    return [
        label for label_set in sets for label in repository.list_labels(call.session, call.project, label_set=label_set)
    ]


def delete_label_set(call: ProjectCall, name: str) -> DeleteResponse:
    """Delete a label set with its labels, annotations and categories. The default set is only emptied."""
    label_set = require_label_set(call, name)
    labels = _labels_of_sets(call, [label_set])
    rows = count_matching_rows(call, LabellingFilter([label.id for label in labels]))
    gone = [] if label_set.name == DEFAULT_SET else [label_set.name]
    arguments = {"labels": [label.name for label in labels], "sets": gone}
    words = message("start.deleteSet", "Deleting the label set {name}", name=label_set.label)
    job = bulk_operations.run_operation(call, "delete_labels", words, arguments, rows=rows, type="DELETE_LABELS")
    return DeleteResponse(removed_count=len(labels), remove_job=job_to_json(job, call.project))


def merge_label_sets(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Move the labels of the other sets into the first one and delete those sets; the default set is not deleted."""
    if len(set(names)) < 2:
        raise InvalidInput(
            message("wrong.twoLabelSets", "Merging needs at least two label sets"),
            fix="Name the set to keep first, then the others",
        )
    target, *others = [require_label_set(call, name) for name in dict.fromkeys(names)]
    labels = _labels_of_sets(call, others)
    check_exclusive_after_move(call, labels, target)
    gone = [label_set.name for label_set in others if label_set.name != DEFAULT_SET]
    arguments = {"labels": [label.name for label in labels], "target": target.name, "sets": gone}
    words = message(
        "start.mergeSets",
        "Merging the label sets {labels} into {into}",
        labels=label_list_text(others),
        into=target.label,
    )
    job = bulk_operations.run_operation(call, "move_labels", words, arguments, rows=0, type="DELETE_LABELS")
    return DeleteResponse(removed_count=len(gone), remove_job=job_to_json(job, call.project))
