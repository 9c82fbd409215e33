"""Common parts of the live events of annotations, categories and relations."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content import repository
from annotarium.db.models import Annotation, Category, Relation
from annotarium.settings import get_settings


def live_event_payload(
    call: ProjectCall, row: Annotation | Category | Relation, action: str, document_identifier: str
) -> dict[str, Any]:
    """Return the fields of an event that tell what was done to which row.

    `key` is the `Idempotency-Key` of the request, by which the browser that sent it recognises its own change.
    """
    arg: dict[str, Any] = {
        "type": action,
        "documentIdentifier": document_identifier,
        "identifier": str(row.id),
        "version": row.version,
        "by": call.username,
    }
    return arg if call.idempotency_key is None else arg | {"key": call.idempotency_key}


def restricting_group_of_document(call: ProjectCall, document_id: int) -> int | None:
    """Return the id of the group whose members alone may see the document, None when there is no restriction."""
    return repository.origin_group(call.session, document_id) if get_settings().document_level_access else None
