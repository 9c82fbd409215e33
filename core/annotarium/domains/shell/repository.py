"""SQL of the shell."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from annotarium.db.models import InstanceFact


def ping_database(session: Session) -> None:
    """Raise if the database does not respond."""
    session.execute(select(InstanceFact.key).limit(1))
