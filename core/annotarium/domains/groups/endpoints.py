"""Endpoints of groups."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.groups import service
from annotarium.domains.groups.schemas import GroupCreate, GroupDeleted, GroupName, GroupPatch, GroupRead
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(tags=["groups"])

Name = Annotated[str, Path(alias="groupName")]


@router.get("/groups", response_model_exclude_none=True)
@guarded(write=False)
def list_groups(call: Call, mapped: Annotated[bool, Query()] = False) -> list[GroupRead]:
    """List the groups that are visible to the caller; `mapped`: only those mapped to an identity provider."""
    return service.list_groups(call, mapped=mapped)


@router.post("/groups")
@guarded("writeGroup:*", idempotent=True, effect="account")
def create_group(call: Call, body: GroupCreate) -> GroupName:
    """Create a group."""
    return GroupName(name=service.create_group(call, body).name)


@router.get("/groups/{groupName}", response_model_exclude_none=True)
@guarded(write=False)
def read_group(call: Call, group_name: Name) -> GroupRead:
    """Read one group."""
    return service.to_group_read(service.get_group(call, group_name))


@router.patch("/groups/{groupName}")
@guarded("writeGroup:", effect="account")
def update_group(call: Call, group_name: Name, body: GroupPatch) -> Ack:
    """Change a group; absent fields stay unchanged."""
    service.update_group(call, group_name, body)
    return Ack()


@router.delete("/groups/{groupName}")
@guarded("writeGroup:*", effect="account")
def delete_group(call: Call, group_name: Name, cascade: Annotated[bool, Query()] = False) -> GroupDeleted:
    """Delete a group; with `cascade` also its projects and the users who are in no other group."""
    return service.delete_group(call, group_name, cascade=cascade)
