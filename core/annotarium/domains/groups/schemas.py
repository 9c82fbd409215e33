"""Published request and response models of groups."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from annotarium_schemas.shape import Command, Damaged, Shape

UNLIMITED = -1
Discriminator = Literal["label", "identifier"]
Limit = Annotated[int, Field(ge=UNLIMITED, le=2_147_483_647, strict=True)]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255, pattern=r"^[^\x00]*$")]
ExternalId = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255, pattern=r"^[^\x00]*$")]


def _without_role_prefix(value: Any) -> Any:
    return value.removeprefix("role:") if isinstance(value, str) else value


RoleNames = list[Annotated[str, BeforeValidator(_without_role_prefix), StringConstraints(max_length=255)]]


class GroupName(Shape):
    """The generated name of a new group."""

    name: str


class GroupDeleted(Shape):
    """How many projects and users were removed with the group."""

    removed_projects: int = 0
    removed_users: int = 0


class GroupRead(Shape):
    """A group. Limits are counts; -1 means unlimited (C-041)."""

    name: str
    label: str
    identifier: str | None = None
    mapping_discriminator: Discriminator | None = None
    login_allowed: bool
    max_users: int
    max_docs_per_project: int
    max_projects: int
    max_projects_per_user: int
    attached_roles: list[str]
    system_attached_roles: list[str]
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    damaged: Damaged = None


class GroupCreate(Command):
    """A new group; without `name`, its name is derived from the label."""

    label: Label
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_\-]{0,99}$")] | None = None
    identifier: ExternalId | None = None
    mapping_discriminator: Discriminator | None = None
    login_allowed: bool = True
    max_users: Limit = UNLIMITED
    max_docs_per_project: Limit = UNLIMITED
    max_projects: Limit = UNLIMITED
    max_projects_per_user: Limit = UNLIMITED
    attached_roles: RoleNames = Field(default_factory=list)
    system_attached_roles: RoleNames = Field(default_factory=list)


class GroupPatch(Command):
    """Changes of a group; absent fields stay unchanged. Only the mapping to the identity provider can be null."""

    label: Label = ""
    identifier: ExternalId | None = None
    mapping_discriminator: Discriminator | None = None
    login_allowed: bool = True
    max_users: Limit = UNLIMITED
    max_docs_per_project: Limit = UNLIMITED
    max_projects: Limit = UNLIMITED
    max_projects_per_user: Limit = UNLIMITED
    attached_roles: RoleNames = Field(default_factory=list)
    system_attached_roles: RoleNames = Field(default_factory=list)
