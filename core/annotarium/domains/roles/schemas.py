"""Schemas of roles, as published; `description` and `groupName` are additions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Command, Damaged, Shape

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255, pattern=r"^[^\x00]*$")]
Description = Annotated[str, StringConstraints(max_length=4_000, pattern=r"^[^\x00]*$")]
Rolename = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][\w\-]{0,127}$")]
Permissions = Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=5_000)]
RoleType = Literal["system", "functional"]


class RoleRead(Shape):
    """A role."""

    rolename: str
    label: str
    description: str = ""
    type: str
    group_name: str | None = None
    permissions: list[str]
    predefined: bool = False
    restricted: bool = False
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    damaged: Damaged = None


class RoleCreate(Command):
    """A new role; its technical name is derived from the label unless given."""

    label: Words
    permissions: Permissions
    rolename: Rolename | None = None
    description: Description = ""
    type: RoleType = "functional"
    group_name: str | None = None


class RolePatch(Command):
    """Changes of a role; absent fields stay unchanged, null is refused."""

    label: Words = ""
    permissions: Permissions = Field(default_factory=list)
    description: Description = ""
