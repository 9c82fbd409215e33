"""The live events of relations, sent only to users who may read both annotations."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.live_event_fields import live_event_payload, restricting_group_of_document
from annotarium.content.relations import repository
from annotarium.content.relations.repository import RelationWithName
from annotarium.content.relations.serializers import relation_to_json
from annotarium.db.models import Annotation, Relation
from annotarium.db.unit_of_work import EventVisibility

SINGLE_EVENTS_MAX = 50
"""Relations with single events when their annotation is deleted or restored; beyond, clients request them anew."""
_EVENT = "relations"


def notify_relation_change(call: ProjectCall, row: Relation, action: str, document_identifier: str) -> None:
    """Emit the event of one change of a relation, with its new state."""
    name = repository.name_of(call.session, row.name_id)
    _notify_relations(call, [RelationWithName(row, name, document_identifier)], action)


def increment_versions_of_relations(call: ProjectCall, annotation_ids: Sequence[int]) -> list[RelationWithName]:
    """Increment the versions of relations that are deleted or restored with annotations, and return them.

    With the new version clients that still have the old state accept the change.
    """
    found = repository.relations_of_annotations(call.session, annotation_ids)
    for one in found:
        one.row.version += 1
    return found


def notify_relations_of_annotation(
    call: ProjectCall, annotation: Annotation, action: str, document_identifier: str
) -> None:
    """Emit an event for each relation that is deleted or restored with an annotation (`deleted`, `restored`)."""
    found = increment_versions_of_relations(call, [annotation.id])
    if len(found) > SINGLE_EVENTS_MAX:
        arg = {"type": "changed", "documentIdentifier": document_identifier, "by": call.username}
        call.unit.emit(_EVENT, arg, project=call.project.name)
    elif found:
        _notify_relations(call, found, action)


def notify_relation_names_changed(call: ProjectCall) -> None:
    """Emit the event that names of relations changed."""
    call.unit.emit("relation_names", {"type": "changed", "by": call.username}, project=call.project.name)


def _notify_relations(call: ProjectCall, found: Sequence[RelationWithName], action: str) -> None:
    ends = repository.annotations_by_id(
        call.session, [end for one in found for end in (one.row.source_id, one.row.target_id)]
    )
    group = restricting_group_of_document(call, found[0].row.document_id)
    for row, name, document in found:
        arg = live_event_payload(call, row, action, document)
        if action != "deleted":
            arg["state"] = relation_to_json(row, name, document)
        others = [(ends[end].created_by, ends[end].creation_mode) for end in (row.source_id, row.target_id)]
        call.unit.emit(_EVENT, arg, project=call.project.name, about=EventVisibility(group=group, others=others))
