"""The audit log: who did what to which object. Contains no passwords and no document text."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from annotarium.db.models import AuditEntry


def add_entry(
    session: Session, actor: str, action: str, target: str = "", *, result: str = "ok", **details: Any
) -> None:
    """Add an entry in this transaction.

    Args:
        action: `<object>.<verb>`, for instance `user.roles`.
        details: short facts such as names and counts; JSON values only.
    """
    session.add(AuditEntry(actor=actor, action=action, target=target[:255], result=result, details=details))
