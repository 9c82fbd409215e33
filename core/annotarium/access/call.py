"""`Call`: everything a service needs to know about a request: the caller, the rights and the open transaction.

Endpoints and jobs create one and pass it to service functions; repositories take what they need from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.db.unit_of_work import UnitOfWork, unit_of_work
from annotarium.errors import AccessDenied
from annotarium_schemas.messages import message


@dataclass
class Call:
    """A call outside any project.

    `idempotency_key` and `if_match` come from request headers and are None elsewhere. `address` is the client's IP
    address; `secure` is True for requests over https.
    """

    unit: UnitOfWork
    access: Access
    idempotency_key: str | None = None
    if_match: int | None = None
    request_id: str | None = None
    job_id: str | None = None
    address: str = ""
    secure: bool = False
    prepared: Any = None
    """What the endpoint's `prepare` found in a reading transaction before this one; may be out of date."""

    @property
    def session(self) -> Session:
        return self.unit.session

    @property
    def username(self) -> str:
        """The caller's user name."""
        return self.access.username


@dataclass
class ProjectCall(Call):
    """A call within a project that the caller may read (and write, if the route requires it)."""

    project: Project = None  # type: ignore[assignment]  # always set; has a default only because base fields have


def require_permission(call: ProjectCall, permission: str) -> None:
    """Raise `AccessDenied` unless the caller owns the project or holds the permission."""
    if not (call.access.rights_on(call.project).owner or call.access.can(permission)):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.permission", "You do not have the permission {name}", name=permission),
        )


@contextmanager
def reopen_call_for_writing(call: Call) -> Iterator[Call]:
    """Open a writing transaction for a call with a read-only one, after slow work (a password hash)."""
    with unit_of_work(actor=call.username, write=True) as unit:
        unit.restriction = call.access.restriction_text
        yield replace(call, unit=unit)
