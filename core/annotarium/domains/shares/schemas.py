"""Schemas of shares."""

from __future__ import annotations

from annotarium_schemas.shape import Command, Shape


class ShareMode(Command):
    """The rights of a share; writing implies reading."""

    read: bool
    write: bool


class UserShareRead(Shape):
    """A share with a user; `sharedBy`: the user who created it."""

    username: str
    mode: ShareMode
    can_revoke: bool
    shared_by: str | None = None


class GroupShareRead(Shape):
    """A share with a group; `sharedBy`: the user who created it."""

    group_name: str
    mode: ShareMode
    can_revoke: bool
    shared_by: str | None = None


class UserGroupRef(Shape):
    """Owner and group of a project."""

    username: str
    group_name: str
