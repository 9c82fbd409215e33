"""Endpoints for the shares, owner and group of a project."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.shares import batch_changes, service
from annotarium.domains.shares.batch_changes import BatchChownChmod, BatchChownChmodResult
from annotarium.domains.shares.schemas import GroupShareRead, ShareMode, UserGroupRef, UserShareRead
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["project-shares"])


@router.get("/projects/{project_name}/shares/users")
@guarded(project="read")
def list_user_shares(call: ProjectCall) -> list[UserShareRead]:
    """Users the project is shared with."""
    return service.list_user_shares(call)


@router.post("/projects/{project_name}/shares/users", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def share_with_user(call: ProjectCall, body: ShareMode, username: str) -> None:
    """Share with a user. Allowed for the owner, and for users who may write the project and have `shareProject`."""
    service.share_with_user(call, username, body)


@router.delete("/projects/{project_name}/shares/users/{username}", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def unshare_with_user(call: ProjectCall, username: str) -> None:
    """End a share with a user."""
    service.unshare_with_user(call, username)


@router.post("/projects/{project_name}/shares/_leave", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def leave(call: ProjectCall) -> None:
    """Leave a project shared with the caller or with one of the caller's groups; the shares of other users stay."""
    service.leave_shared_project(call)


@router.get("/projects/{project_name}/shares/groups")
@guarded(project="read")
def list_group_shares(call: ProjectCall) -> list[GroupShareRead]:
    """Groups the project is shared with."""
    return service.list_group_shares(call)


@router.post("/projects/{project_name}/shares/groups", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def share_with_group(
    call: ProjectCall, body: ShareMode, group_name: Annotated[str | None, Query(alias="groupName")] = None
) -> None:
    """Share with a group; by default the project's own group."""
    service.share_with_group(call, group_name, body)


@router.delete("/projects/{project_name}/shares/groups/{group_name}", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def unshare_with_group(call: ProjectCall, group_name: str) -> None:
    """End a share with a group."""
    service.unshare_with_group(call, group_name)


@router.post("/projects/_batch_chown_and_share")
@guarded("writeProject:*", "shareProject", effect="chmod")
def change_many(
    call: Call, body: BatchChownChmod, dry_run: Annotated[bool, Query(alias="dryRun")] = False
) -> BatchChownChmodResult:
    """Change owners and shares of many projects; `dryRun` only reports the changes."""
    return batch_changes.change_owners_and_shares(call, body, dry_run=dry_run)


@router.post("/projects/{project_name}/_chown")
@guarded(project="read", write=True, effect="chmod")
def change_owner(
    call: ProjectCall, username: str, dry_run: Annotated[bool, Query(alias="dryRun")] = False
) -> UserGroupRef:
    """Change the owner of the project; `dryRun` only reports the change."""
    return service.change_owner(call, username, dry_run=dry_run)


@router.post("/projects/{project_name}/_chgrp")
@guarded(project="read", write=True, effect="chmod")
def change_group(
    call: ProjectCall,
    group_name: Annotated[str, Query(alias="groupName")],
    delete_group_shares: Annotated[bool, Query(alias="deleteExistingGroupShares")] = False,
    delete_user_shares: Annotated[bool, Query(alias="deleteExistingUserShares")] = False,
    share_with_new: Annotated[bool, Query(alias="shareWithNewGroup")] = False,
    read_only: Annotated[bool, Query(alias="readOnlyShare")] = False,
) -> UserGroupRef:
    """Move the project to another group."""
    return service.change_group(
        call,
        group_name,
        delete_user_shares=delete_user_shares,
        delete_group_shares=delete_group_shares,
        share_with_new=share_with_new,
        read_only=read_only,
    )
