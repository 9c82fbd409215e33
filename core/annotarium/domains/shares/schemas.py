"""Shapes of shares."""

from __future__ import annotations

from annotarium_schemas.shape import Command, Shape


class ShareMode(Command):
    """What a share opens; writing implies reading."""

    read: bool
    write: bool


class UserShareRead(Shape):
    """A share with a user; `sharedBy` = who made it."""

    username: str
    mode: ShareMode
    can_revoke: bool
    shared_by: str | None = None


class GroupShareRead(Shape):
    """A share with a group; `sharedBy` = who made it."""

    group_name: str
    mode: ShareMode
    can_revoke: bool
    shared_by: str | None = None


class UserGroupRef(Shape):
    """Owner and group of a project."""

    username: str
    group_name: str
