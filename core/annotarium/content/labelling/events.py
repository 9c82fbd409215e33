"""The live event of one labelling change: the new state, and what a reader must be allowed to read to hear of it."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository
from annotarium.content.labelling.serializers import annotation_to_json, category_to_json
from annotarium.content.live_events import event_arg, group_of
from annotarium.db.models import Annotation, Category
from annotarium.db.unit_of_work import About

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


def _state(row: Annotation | Category, label: str) -> dict[str, Any] | None:
    if isinstance(row, Category):
        return category_to_json(row, label)
    return annotation_to_json(row, label) if row.end - row.start <= STATE_TEXT_MAX else None


def _about(call: ProjectCall, row: Annotation | Category) -> About:
    return About(creator=row.created_by, mode=row.creation_mode, group=group_of(call, row.document_id))
