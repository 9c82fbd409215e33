"""Marking rows as modified, deleted or restored. Each gives the row its next version (`If-Match`)."""

from __future__ import annotations

from typing import Any

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import SoftDeleted, Tracked


def creation_marks(username: str) -> dict[str, Any]:
    """The columns of `Tracked` for a row that is made now."""
    now = now_ms()
    return {"created_by": username, "modified_by": username, "created_at": now, "modified_at": now, "version": 1}


def mark_modified(row: Tracked, username: str) -> None:
    """Note who changed the row, and that it was changed now."""
    row.modified_at, row.modified_by, row.version = now_ms(), username, row.version + 1


def mark_deleted(row: SoftDeleted, username: str) -> None:
    """Note who deleted the row, and that it was deleted now. The row stays."""
    row.deleted_at, row.deleted_by = now_ms(), username
    if isinstance(row, Tracked):
        row.version += 1


def mark_restored(row: SoftDeleted) -> None:
    """The row is not deleted any more."""
    row.deleted_at = row.deleted_by = None
    if isinstance(row, Tracked):
        row.version += 1
