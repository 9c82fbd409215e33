"""The live event of one labelling change: the new state, and which users may receive it."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.serializers import annotation_to_json, category_to_json
from annotarium.content.live_event_fields import live_event_payload, restricting_group_of_document
from annotarium.db.models import Annotation, Category
from annotarium.db.unit_of_work import EventVisibility

STATE_TEXT_MAX = 20_000
"""Code points of annotated text up to which an event contains the annotation; for longer ones clients request it."""


def notify_change(
    call: ProjectCall, row: Annotation | Category, action: str, document_identifier: str, label_name: str | None = None
) -> None:
    """Emit the event of one change.

    `label_name` is the stable name of the row's label, read from the database when it is not passed.
    """
    entity = "annotations" if isinstance(row, Annotation) else "categories"
    arg = live_event_payload(call, row, action, document_identifier)
    if action != "deleted":
        state = _labelling_as_json(row, label_name or repository.label_name(call.session, row.label_id))
        if state is not None:
            arg["state"] = state
    call.unit.emit(entity, arg, project=call.project.name, about=_event_visibility(call, row))


def _labelling_as_json(row: Annotation | Category, label: str) -> dict[str, Any] | None:
    if isinstance(row, Category):
        return category_to_json(row, label)
    return annotation_to_json(row, label) if row.end - row.start <= STATE_TEXT_MAX else None


def _event_visibility(call: ProjectCall, row: Annotation | Category) -> EventVisibility:
    return EventVisibility(
        creator=row.created_by, mode=row.creation_mode, group=restricting_group_of_document(call, row.document_id)
    )
