"""Endpoints of users."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.auth import service as auth
from annotarium.domains.auth.schemas import Principal, UserAgent
from annotarium.domains.users import api_keys, service, sign_ins
from annotarium.domains.users.schemas import (
    ApiKeyCreate,
    ApiKeyCreated,
    ApiKeyRead,
    GroupSummary,
    ProfilePatch,
    ProfileRead,
    SignInRead,
    UserCreate,
    UserList,
    UserPatch,
    UserRead,
)
from annotarium.errors import NotFound
from annotarium.http.routing import DomainRouter
from annotarium_schemas.answers import Ack

router = DomainRouter(tags=["users"])

AdminData = Annotated[bool, Query(alias="adminData")]
GroupNames = Annotated[list[str], Query(alias="groupName")]
OptionalGroups = Annotated[list[str] | None, Query(alias="groupName")]


@router.get("/users", response_model_exclude_none=True)
@guarded(write=False)
def list_users(
    call: Call,
    group_name: Annotated[str | None, Query(alias="groupName")] = None,
    admin_data: AdminData = False,
) -> UserList:
    """Users visible to the caller."""
    return service.list_users(call, group_name=group_name, admin_data=admin_data)


@router.post("/users", response_model_exclude_none=True)
@guarded("createUserIn:", write=False, effect="account")
def create_user(call: Call, body: UserCreate, group_name: OptionalGroups = None) -> UserRead:
    """Create an account."""
    return service.create_user(call, body, group_name or [])


@router.get("/users/{username}", response_model_exclude_none=True)
@guarded(write=False)
def read_user(
    call: Call,
    username: str,
    response: Response,
    admin_data: AdminData = True,
    jwt_format: Annotated[bool, Query(alias="jwtFormat")] = False,
    user_agent: UserAgent = "",
) -> UserRead | Principal:
    """One user. `jwtFormat=true` with Basic credentials is the sign-in of the web app: it sets the session cookie."""
    if not jwt_format:
        return service.read_user(call, username, admin_data=admin_data)
    if username != call.username:
        raise NotFound(f"You are not signed in as {username}")
    auth.open_browser_session(call, response, user_agent)
    return auth.read_principal(call)


@router.patch("/users/{username}")
@guarded("createUserIn:", effect="account")
def update_user(call: Call, username: str, body: UserPatch) -> Ack:
    """Change access data: disabled, roles, permissions."""
    service.update_user(call, username, body)
    return Ack()


@router.delete("/users/{username}")
@guarded("createUserIn:", effect="account")
def delete_user(call: Call, username: str, cascade: Annotated[bool, Query()] = True) -> Ack:
    """Delete an account."""
    service.delete_user(call, username, cascade=cascade)
    return Ack()


@router.get("/users/{username}/groups", response_model_exclude_none=True)
@guarded(write=False)
def list_groups(call: Call, username: str) -> list[GroupSummary]:
    """Groups of a user."""
    return service.list_groups(call, username)


@router.post("/users/{username}/groups")
@guarded("createUserIn:", effect="account")
def add_groups(
    call: Call,
    username: str,
    group_name: GroupNames,
    replace_existing: Annotated[bool, Query(alias="replaceExisting")] = False,
) -> Ack:
    """Add a user to groups."""
    service.add_groups(call, username, group_name, replace_existing=replace_existing)
    return Ack()


@router.delete("/users/{username}/groups")
@guarded("createUserIn:", effect="account")
def remove_groups(call: Call, username: str, group_name: GroupNames) -> Ack:
    """Remove a user from groups."""
    service.remove_groups(call, username, group_name)
    return Ack()


@router.get("/users/{username}/profile", response_model_exclude_none=True)
@guarded(write=False)
def read_profile(
    call: Call, username: str, private_data: Annotated[bool, Query(alias="privateData")] = True
) -> ProfileRead:
    """The profile of a user."""
    return service.read_profile(call, username, private_data=private_data)


@router.patch("/users/{username}/profile")
@guarded(write=False, effect="account")
def update_profile(call: Call, username: str, body: ProfilePatch) -> Ack:
    """Change a profile."""
    service.update_profile(call, username, body)
    return Ack()


@router.get("/users/{username}/sign_ins", response_model_exclude_none=True)
@guarded(write=False, effect="account")
def list_sign_ins(call: Call, username: str) -> list[SignInRead]:
    """Open sign-in sessions of a user."""
    return sign_ins.list_sign_ins(call, username)


@router.delete("/users/{username}/sign_ins")
@guarded(effect="account")
def end_other_sign_ins(call: Call, username: str) -> Ack:
    """End all sign-in sessions of a user, except that of the caller."""
    sign_ins.end_other_sign_ins(call, username)
    return Ack()


@router.delete("/users/{username}/sign_ins/{identifier}")
@guarded(effect="account")
def end_sign_in(call: Call, username: str, identifier: str) -> Ack:
    """End one sign-in session."""
    sign_ins.end_sign_in(call, username, identifier)
    return Ack()


@router.get("/users/{username}/keys", response_model_exclude_none=True)
@guarded(write=False, effect="account")
def list_keys(call: Call, username: str) -> list[ApiKeyRead]:
    """API keys of a user, without the secret keys (extension)."""
    return api_keys.list_keys(call, username)


@router.post("/users/{username}/keys", response_model_exclude_none=True)
@guarded(effect="account")
def create_key(call: Call, username: str, body: ApiKeyCreate) -> ApiKeyCreated:
    """Create an API key for the own account; only this response contains the key (extension)."""
    return api_keys.create_key(call, username, body)


@router.delete("/users/{username}/keys/{identifier}")
@guarded(effect="account")
def revoke_key(call: Call, username: str, identifier: str) -> Ack:
    """Revoke an API key (extension)."""
    api_keys.revoke_key(call, username, identifier)
    return Ack()
