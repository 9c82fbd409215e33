"""SQL of the shell."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import InstanceFact


def ping_database(session: Session) -> None:
    """Raise when the record does not answer."""
    session.execute(select(InstanceFact.key).limit(1))
