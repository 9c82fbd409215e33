"""Call: everything a service needs to know about who asks, for what, in which transaction.

Endpoints and jobs make one and hand it to service functions; repositories take what they need from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.db.unit import UnitOfWork


@dataclass
class Call:
    """A call outside any project. `idempotency_key` and `if_match` come from the request's headers, None elsewhere."""

    unit: UnitOfWork
    access: Access
    idempotency_key: str | None = None
    if_match: int | None = None
    request_id: str | None = None
    job_id: str | None = None

    @property
    def session(self) -> Session:
        """The session of the open transaction."""
        return self.unit.session

    @property
    def username(self) -> str:
        """Who asks."""
        return self.access.username


@dataclass
class ProjectCall(Call):
    """A call within a project that the caller may read (and write, when the route says so)."""

    project: Project = None  # type: ignore[assignment]  # always given; a default only because the base has some
