"""Rules of labels."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labels import (
    DEFAULT_SET,
    ensure_default_set,
    label_name_in_existing_spelling,
    new_label_name_for_text,
)
from annotarium.content.palette import next_color
from annotarium.content.relations.repository import count_with_labels
from annotarium.content.repository import find_label_set
from annotarium.content.training_data import training_data_changed
from annotarium.content.version_check import check_version
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation, Category, Job, Label, LabelSet
from annotarium.db.row_marks import mark_modified
from annotarium.domains.labels import bulk_operations, repository
from annotarium.domains.labels.generated_sets import (
    GeneratedLabel,
    drop_unused_labels,
    ensure_generated_labels,
    ensure_generated_set,
)
from annotarium.domains.labels.label_uses import label_use_query, mentions
from annotarium.domains.labels.labelling_filter import LabellingFilter
from annotarium.domains.labels.schemas import (
    DeleteResponse,
    LabelConsequences,
    LabelCreate,
    LabellingMove,
    LabellingMoved,
    LabelList,
    LabelListCreated,
    LabelMove,
    LabelRead,
    LabelUpdate,
)
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.messages import message

__all__ = [
    "GeneratedLabel",
    "drop_unused_labels",
    "ensure_generated_labels",
    "ensure_generated_set",
    "label_use_query",
    "mentions",
]


def require_label(call: ProjectCall, name: str) -> Label:
    """The label of that name, or `NotFound`."""
    label = repository.find_label(call.session, call.project, name)
    if label is None:
        raise NotFound(
            message("none.label", "There is no label {name} in this project", name=name),
            fix="Create the label first, or check its name",
        )
    return label


def require_label_set(call: ProjectCall, name: str) -> LabelSet:
    """The label set of that name, or `NotFound`."""
    label_set = find_label_set(call.session, call.project.id, name)
    if label_set is None:
        raise NotFound(message("none.labelSet", "There is no label set {name} in this project", name=name))
    return label_set


def _build_label_read_model(label: Label, label_set: str | None, count: int | None = None) -> LabelRead:
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


def _label_set_names(call: ProjectCall) -> dict[int, str]:
    return {label_set.id: label_set.name for label_set in repository.list_label_sets(call.session, call.project)}


def list_labels(call: ProjectCall, *, label_set_name: str | None, include_count: bool) -> list[LabelRead]:
    """Labels of the project, or of one set."""
    label_set = require_label_set(call, label_set_name) if label_set_name else None
    names = _label_set_names(call)
    counts = repository.count_uses(call) if include_count else None
    return convert_readable_rows(
        repository.list_labels(call.session, call.project, label_set=label_set),
        lambda label: _build_label_read_model(
            label, names.get(label.label_set_id), counts.get(label.id, 0) if counts is not None else None
        ),
    )


def read_label(call: ProjectCall, name: str, *, include_count: bool = False) -> LabelRead:
    label = require_label(call, name)
    count = repository.count_uses(call).get(label.id, 0) if include_count else None
    return _build_label_read_model(label, _label_set_names(call).get(label.label_set_id), count)


def create_label(call: ProjectCall, body: LabelCreate) -> LabelRead:
    """Create a label. Without a name, one is derived from the label; without a colour, it gets the least used one
    (C-031).
    """
    created = _add_label(call, body)
    bulk_operations.notify_labels_changed(call)
    return created


def create_labels(call: ProjectCall, body: LabelList) -> LabelListCreated:
    """Create the labels of a list, all or none. A label that the project has under the same text is left unchanged.

    Raises:
        InvalidInput: a label has no text. NotFound: a label set does not exist.
    """
    created, known = [], []
    for wanted in body.labels:
        label = wanted.model_copy(update={"label_set_name": wanted.label_set_name or body.label_set_name})
        words = label.label or label.name
        name = new_label_name_for_text(call.session, call.project, words) if words else ""
        if name and repository.find_label(call.session, call.project, name) is not None:
            known.append(read_label(call, name))
        else:
            created.append(_add_label(call, label))
    if created:
        bulk_operations.notify_labels_changed(call)
    return LabelListCreated(created=created, known=known)


def _add_label(call: ProjectCall, body: LabelCreate) -> LabelRead:
    words = body.label or body.name
    if not words:
        raise InvalidInput(
            message("wrong.labelText", "The label has no text"),
            details=[{"field": "label", "message": message("field.labelText", "A label needs a text")}],
        )
    find = label_name_in_existing_spelling if body.name else new_label_name_for_text
    name = find(call.session, call.project, body.name or words)
    known = repository.find_label(call.session, call.project, name, deleted=True)
    if known is not None and known.deleted_at is None:
        raise Conflict(
            message("taken.label", "The label {name} already exists", name=name),
            fix=message("fix.otherName", "Choose another name"),
        )
    label_set = label_set_or_default(call, body.label_set_name)
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
    bulk_operations.write_label_history(call, label, "created", after=bulk_operations.label_snapshot(label))
    return _build_label_read_model(label, label_set.name)


def label_set_or_default(call: ProjectCall, name: str | None) -> LabelSet:
    if name and name != DEFAULT_SET:
        return require_label_set(call, name)
    return ensure_default_set(call.session, call.project, call.username)


def update_label(call: ProjectCall, name: str, body: LabelUpdate) -> LabelRead:
    """Change text, colour, set, identifier or guideline. The name cannot be changed, so references to it stay valid."""
    label = require_label(call, name)
    names = _label_set_names(call)
    check_version(
        call,
        label.version,
        "The label was changed by somebody else",
        lambda: _build_label_read_model(label, names.get(label.label_set_id)).model_dump(mode="json", by_alias=True),
    )
    before = bulk_operations.label_snapshot(label)
    given = body.model_fields_set
    if "label_set_name" in given:
        label_set = label_set_or_default(call, body.label_set_name)
        check_exclusive_after_move(call, [label], label_set)
        label.label_set_id = label_set.id
    for field in ("label", "color"):
        if field in given and getattr(body, field) is not None:
            setattr(label, field, getattr(body, field))
    if "identifier" in given:
        label.identifier = body.identifier or None
    if "guideline" in given:
        label.guideline = body.guideline or ""
    mark_modified(label, call.username)
    bulk_operations.write_label_history(call, label, "updated", before, bulk_operations.label_snapshot(label))
    bulk_operations.notify_labels_changed(call)
    if before["label_set_id"] != label.label_set_id:
        training_data_changed.send(call)
    return _build_label_read_model(label, _label_set_names(call).get(label.label_set_id))


def check_exclusive_after_move(
    call: ProjectCall, moving: Sequence[Label], label_set: LabelSet, target: Label | None = None
) -> None:
    """Raise `Conflict` if moving labels would leave two labels of an exclusive set on one document or segment.

    Args:
        target: the label that all of them become when they are merged.
    """
    if not label_set.exclusive_classes:
        return
    ids = [label.id for label in moving if label.label_set_id != label_set.id]
    own = repository.list_labels(call.session, call.project, label_set=label_set)
    remaining = [label.id for label in own if label.id not in ids and (target is None or label.id != target.id)]
    clashes = repository.count_exclusivity_clashes(
        call.session, ids, remaining if target is not None else [*remaining, *ids]
    )
    if clashes:
        raise Conflict(
            message(
                "taken.exclusive",
                "{count:,} documents would have two labels of {what}, which is exclusive",
                one="{count:,} document would have two labels of {what}, which is exclusive",
                count=clashes,
                what=label_set.label,
            ),
            fix="Clear those categories first, or let the set have several classes at a time",
            details=[{"documents": clashes}],
        )


# --- bulk operations --------------------------------------------------------------------------------------------------


def count_consequences(call: ProjectCall, names: Sequence[str]) -> LabelConsequences:
    """What deleting or merging the labels would change, as far as the caller may read it, and what else uses them."""
    labels = [require_label(call, name) for name in dict.fromkeys(names)]
    row_filter = LabellingFilter([label.id for label in labels], visible_only=True)
    spans, categories = (repository.count_matching_rows(call, table, row_filter) for table in (Annotation, Category))
    return LabelConsequences(
        labels=len(labels),
        annotations=spans,
        categories=categories,
        relations=count_with_labels(call, row_filter.label_ids),
        documents=repository.count_matching_documents(call, row_filter),
        creators=[CreatorCount(created_by=who, count=n) for who, n in repository.count_creators(call, row_filter)],
        used_by=label_use_query.ask(call, [label.name for label in labels]),
        hidden=repository.is_any_use_hidden(call, row_filter.label_ids),
    )


def count_matching_rows(call: ProjectCall, row_filter: LabellingFilter) -> int:
    """Count the annotations and categories that match the filter."""
    return sum(repository.count_matching_rows(call, table, row_filter) for table in row_filter.tables)


def _build_delete_response(call: ProjectCall, removed: int, job: Job) -> DeleteResponse:
    return DeleteResponse(removed_count=removed, remove_job=job_to_json(job, call.project))


def delete_labels(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete labels with their annotations and categories. The job in the response can be undone."""
    labels = [require_label(call, name) for name in dict.fromkeys(names)]
    if not labels:
        raise InvalidInput(
            message("wrong.noLabel", "No label is specified"),
            details=[{"field": "names", "message": message("field.oneLabel", "Specify at least one label")}],
        )
    rows = count_matching_rows(call, LabellingFilter([label.id for label in labels]))
    arguments = {"labels": [label.name for label in labels]}
    words = message("start.deleteLabels", "Deleting {labels}", labels=label_list_text(labels))
    return _build_delete_response(
        call,
        len(labels),
        bulk_operations.run_operation(call, "delete_labels", words, arguments, rows=rows, type="DELETE_LABELS"),
    )


def merge_labels(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Merge labels into the first one: it gets the annotations and categories of the others. The job can be undone.

    Of duplicates, which one user labelled at the same offsets with two of the labels, only one is kept.
    """
    if len(set(names)) < 2:
        raise InvalidInput(
            message("wrong.twoLabels", "Merging needs at least two labels"),
            fix="Name the label to keep first, then the others",
        )
    target, *others = [require_label(call, name) for name in dict.fromkeys(names)]
    label_set = call.session.get_one(LabelSet, target.label_set_id)
    check_exclusive_after_move(call, others, label_set, target)
    rows = count_matching_rows(call, LabellingFilter([label.id for label in others]))
    arguments = {"keep": target.name, "others": [label.name for label in others]}
    words = message(
        "start.mergeLabels", "Merging {labels} into {into}", labels=label_list_text(others), into=target.label
    )
    return _build_delete_response(
        call,
        len(others),
        bulk_operations.run_operation(call, "merge_labels", words, arguments, rows=rows, type="DELETE_LABELS"),
    )


def move_labelling(call: ProjectCall, name: str, body: LabellingMove) -> LabellingMoved:
    """Move a selection of a label's annotations and categories to another label. The job can be undone.

    With `dry_run` in the body, they are only counted.
    """
    label, target = require_label(call, name), require_label(call, body.target)
    if label.id == target.id:
        raise InvalidInput(
            message("wrong.sameLabels", "Both labels are the same"),
            details=[{"field": "target", "message": message("field.otherLabel", "Choose another label")}],
        )
    chosen = body.model_dump(include={"created_by", "creation_modes", "statuses", "text"}, by_alias=False)
    rows = count_matching_rows(call, LabellingFilter([label.id], visible_only=True, **chosen))
    if body.dry_run:
        return LabellingMoved(count=rows, operation="count", unit="annotation")
    if not rows:
        raise Conflict(message("wrong.nothingToMove", "There is nothing to move"), fix="Widen the choice")
    check_exclusive_after_move(call, [label], call.session.get_one(LabelSet, target.label_set_id), target)
    arguments = {"labels": [label.name], "target": target.name, "chosen": chosen}
    words = message(
        "start.moveLabelling",
        "Moving {count:,} from {label} to {into}",
        count=rows,
        label=label.label,
        into=target.label,
    )
    job = bulk_operations.run_operation(call, "move_labelling", words, arguments, rows=rows, type="UNSPECIFIED")
    return LabellingMoved(count=rows, operation="move", unit="annotation", job=job_to_json(job, call.project))


def move_labels(call: ProjectCall, body: LabelMove) -> DeleteResponse:
    """Move labels to another set. The job can be undone."""
    label_set = label_set_or_default(call, body.label_set_name)
    labels = [require_label(call, name) for name in dict.fromkeys(body.names)]
    check_exclusive_after_move(call, labels, label_set)
    arguments = {"labels": [label.name for label in labels], "target": label_set.name}
    words = message(
        "start.moveLabels", "Moving {labels} to {into}", labels=label_list_text(labels), into=label_set.label
    )
    return _build_delete_response(
        call, 0, bulk_operations.run_operation(call, "move_labels", words, arguments, rows=0, type="UNSPECIFIED")
    )


def label_list_text(rows: Sequence[Label | LabelSet]) -> str:
    """Some of the names as text, for the description of a job."""
    words = [row.label for row in rows[:3]]
    more = len(rows) - len(words)
    return ", ".join(words) + (f" and {more} more" if more else "")
