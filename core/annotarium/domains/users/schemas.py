"""Schemas of users, as published."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from annotarium.access.restriction import AccessMode
from annotarium_schemas.shape import Command, Damaged, Shape


def _to_group_name(value: Any) -> Any:
    return value.get("name") if isinstance(value, dict) else value


def _without_role_prefix(value: Any) -> Any:
    return value.removeprefix("role:") if isinstance(value, str) else value


def _none_if_empty(value: Any) -> Any:
    return (value.strip() or None) if isinstance(value, str) else value


Username = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w@+\-][\w.@+\-]{0,127}$")]
DisplayName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=4096)]
Email = Annotated[
    str | None, Field(max_length=255, pattern=r"^[^@\s\x00]+@[^@\s\x00]+$"), BeforeValidator(_none_if_empty)
]
RoleNames = list[Annotated[str, BeforeValidator(_without_role_prefix), StringConstraints(max_length=255)]]
Permissions = list[Annotated[str, StringConstraints(max_length=200)]]
GroupNames = list[Annotated[str, BeforeValidator(_to_group_name), StringConstraints(max_length=255)]]


class GroupReference(Shape):
    """A group of a user."""

    name: str
    label: str


class GroupSummary(GroupReference):
    """A group of a user, with its mapping to the identity provider."""

    identifier: str | None = None
    mapping_discriminator: str | None = None


class UserRead(Shape):
    """A user. Fields reserved for administrators and the user are absent for other callers.

    `administered`: whether the caller may change the account; `whyNot`: the reason if not.
    """

    username: str
    profilename: str
    email: str | None = None
    roles: list[str] | None = None
    permissions: list[str] | None = None
    groups: list[GroupReference] | None = None
    disabled: bool | None = None
    created_at: str | None = None
    created_by: str | None = None
    administered: bool | None = None
    why_not: str | None = None
    said: dict[str, Any] | None = None
    damaged: Damaged = None


class UserList(Shape):
    """Users, ordered by name."""

    users: list[UserRead]


class UserCreate(Command):
    """A new account."""

    username: Username
    password: Password
    profilename: DisplayName | None = None
    email: Email = None
    roles: RoleNames = Field(default_factory=list)
    permissions: Permissions = Field(default_factory=list)
    groups: GroupNames = Field(default_factory=list)


class UserPatch(Command):
    """Changes of access data; absent fields stay unchanged, null is refused."""

    disabled: bool = False
    roles: RoleNames = Field(default_factory=list)
    permissions: Permissions = Field(default_factory=list)


class ProfileRead(Shape):
    """A profile; `email` only for the user and administrators of the account."""

    username: str
    profilename: str
    email: str | None = None


class ProfilePatch(Command):
    """Changes of a profile; null removes the email. Changing one's own password requires `currentPassword`.

    A new password revokes the API keys of the account, unless `revokeKeys` is false.
    """

    profilename: DisplayName = ""
    email: Email = None
    password: Password = ""
    current_password: Annotated[str | None, Field(max_length=4096)] = None
    revoke_keys: bool = True


class SignInRead(Shape):
    """An open sign-in session. Timestamps are ISO 8601; `current`: this call belongs to it."""

    identifier: str
    created_at: str
    expires_at: str | None = None
    address: str
    agent: str
    current: bool
    damaged: Damaged = None


class ApiKeyCreate(Command):
    """A new API key. The restrictions are those of tokens (`POST /auth/login`); without any it may do what its user
    may.

    `permissions`: limits the key to these, as far as the user holds them. `expiresAt` is an ISO 8601 timestamp.
    """

    label: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    project_filter: str | None = None
    project_access_mode: AccessMode | None = None
    annotate_only: bool = False
    no_permissions: bool = False
    permissions: Permissions | None = None
    expires_at: str | None = Field(default=None, max_length=40)


class ApiKeyRead(Shape):
    """An API key without the secret key. `lastUsedAt` is accurate to an hour; absent = never used."""

    identifier: str
    label: str
    created_at: str
    created_by: str
    expires_at: str | None = None
    expired: bool
    last_used_at: str | None = None
    project_filter: str | None = None
    project_access_mode: AccessMode | None = None
    annotate_only: bool
    no_permissions: bool
    permissions: list[str] | None = None


class ApiKeyCreated(ApiKeyRead):
    """A new API key with the secret to send as `X-Kairntech-key`; it cannot be read again."""

    key: str
