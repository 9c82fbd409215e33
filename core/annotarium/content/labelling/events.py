"""The live event of one labelling change: the new state, and what a reader must be allowed to read to hear of it."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.serializers import annotation_to_json, category_to_json
from annotarium.db.models import Annotation, Category, Relation
from annotarium.db.unit_of_work import About
from annotarium.settings import get_settings

STATE_TEXT_MAX = 20_000
"""Code points of annotated text that still travel with an event; beyond, readers ask for the state themselves."""


def notify_change(
    call: ProjectCall, row: Annotation | Category, action: str, document_identifier: str, label_name: str | None = None
) -> None:
    """Emit the event of one change.

    `label_name` is the stable name of the row's label, read from the record when it is not given.
    """
    entity = "annotations" if isinstance(row, Annotation) else "categories"
    arg = event_arg(call, row, action, document_identifier)
    if action != "deleted":
        state = _state(row, label_name or repository.label_name(call.session, row.label_id))
        if state is not None:
            arg["state"] = state
    call.unit.emit(entity, arg, project=call.project.name, about=_about(call, row))


def event_arg(
    call: ProjectCall, row: Annotation | Category | Relation, action: str, document_identifier: str
) -> dict[str, Any]:
    """What was done to which row; `key` tells the browser that did it, by the `Idempotency-Key` it sent."""
    arg: dict[str, Any] = {
        "type": action,
        "documentIdentifier": document_identifier,
        "identifier": str(row.id),
        "version": row.version,
        "by": call.username,
    }
    return arg if call.idempotency_key is None else arg | {"key": call.idempotency_key}


def _state(row: Annotation | Category, label: str) -> dict[str, Any] | None:
    if isinstance(row, Category):
        return category_to_json(row, label)
    return annotation_to_json(row, label) if row.end - row.start <= STATE_TEXT_MAX else None


def _about(call: ProjectCall, row: Annotation | Category) -> About:
    return About(creator=row.created_by, mode=row.creation_mode, group=group_of(call, row.document_id))


def group_of(call: ProjectCall, document_id: int) -> int | None:
    """The group whose members alone see the document, None where everybody does."""
    return repository.origin_group(call.session, document_id) if get_settings().document_level_access else None
