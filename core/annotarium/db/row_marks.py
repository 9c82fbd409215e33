"""Marking rows as modified, deleted or restored. Each gives the row its next version (`If-Match`)."""

from __future__ import annotations

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import SoftDeleted, Tracked


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
