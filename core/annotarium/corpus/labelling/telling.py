"""The live event of one labelling change: the new state, and what a reader must be allowed to read to hear of it."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository
from annotarium.corpus.labelling.wire import annotation_wire, category_wire
from annotarium.db.models import Annotation, Category
from annotarium.db.unit import About
from annotarium.settings import get_settings

STATE_TEXT_MAX = 20_000
"""Code points of annotated text that still travel with an event; beyond, readers ask for the state themselves."""


def tell_change(call: ProjectCall, row: Annotation | Category, action: str, document_identifier: str) -> None:
    """Emit the event of one change; `key` tells the browser that made it, by the `Idempotency-Key` it sent."""
    entity = "annotations" if isinstance(row, Annotation) else "categories"
    arg: dict[str, Any] = {
        "type": action,
        "documentIdentifier": document_identifier,
        "identifier": str(row.id),
        "version": row.version,
        "by": call.username,
    }
    if call.idempotency_key is not None:
        arg["key"] = call.idempotency_key
    if action != "deleted":
        state = _state(call, row)
        if state is not None:
            arg["state"] = state
    call.unit.emit(entity, arg, project=call.project.name, about=_about(call, row))


def _state(call: ProjectCall, row: Annotation | Category) -> dict[str, Any] | None:
    label = repository.label_name(call.session, row.label_id)
    if isinstance(row, Category):
        return category_wire(row, label)
    return annotation_wire(row, label) if row.end - row.start <= STATE_TEXT_MAX else None


def _about(call: ProjectCall, row: Annotation | Category) -> About:
    group = None
    if get_settings().document_level_access:
        group = repository.origin_group(call.session, row.document_id)
    return About(creator=row.created_by, mode=row.creation_mode, group=group)
