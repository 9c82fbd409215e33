"""Endpoints of roles and of the catalogue of permissions."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.roles import service
from annotarium.domains.roles.schemas import RoleCreate, RolePatch, RoleRead
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(tags=["roles"])


@router.get("/permissions")
@guarded("createUserIn:", write=False)
def list_permissions(call: Call) -> list[str]:
    """All permissions that exist."""
    return service.list_permissions()


@router.get("/roles", response_model_exclude_none=True)
@guarded(write=False)
def list_roles(call: Call) -> list[RoleRead]:
    """Roles visible to the caller."""
    return service.list_roles(call)


@router.post("/roles", response_model_exclude_none=True)
@guarded("createUserIn:", "writeGroup:", any_of=True, idempotent=True, effect="account")
def create_role(
    call: Call,
    body: RoleCreate,
    group_name: Annotated[str, Query(alias="groupName")] = "",
    restricted: Annotated[bool, Query()] = False,
) -> RoleRead:
    """Create a role."""
    return service.create_role(call, body, group_name, restricted=restricted)


@router.get("/roles/{rolename}", response_model_exclude_none=True)
@guarded(write=False)
def read_role(call: Call, rolename: str) -> RoleRead:
    """One role."""
    return service.read_role(call, rolename)


@router.patch("/roles/{rolename}")
@guarded("createUserIn:", "writeGroup:", any_of=True, effect="account")
def update_role(call: Call, rolename: str, body: RolePatch) -> Ack:
    """Change a role."""
    service.update_role(call, rolename, body)
    return Ack()


@router.delete("/roles/{rolename}")
@guarded("createUserIn:", "writeGroup:", any_of=True, effect="account")
def delete_role(call: Call, rolename: str) -> Ack:
    """Delete a role."""
    service.delete_role(call, rolename)
    return Ack()
