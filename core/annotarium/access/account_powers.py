"""Which accounts may administer which: the powers of accounts as a partial order. Pure functions;
`access.account_powers_loading` reads the powers from the database.

`AccountPowers` is everything an account may do: its permissions, its groups and its rights on projects. An account
*covers* another if it may do, or governs, everything the other may do:

- a permission that reaches beyond projects (`is_administrative_permission`) must be held, or be part of a role that
  the account may assign to itself (a user administrator of the platform with `assignRole`);
- any other permission has no effect without a project and is governed by whoever administers the users of a group;
- a right on a project must be held, at least at that level, or belong to a group whose users the account administers:
  the project's own group or a group the project is shared with.

An account *administers* another if it covers it and administers the users of each of its groups; an account without a
group is administered only by user administrators of the platform. Covering is reflexive and transitive, so nobody gains
power by taking over an account that they administer. Services check before and after a change: the powers taken away
and the powers granted must both be covered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

ADMINISTRATIVE_FAMILIES = frozenset({"createUserIn", "writeGroup", "assignRole"})
PLATFORM_WIDE = frozenset(
    {
        "readProject:*",
        "readTheme:*",
        "seeGlobalJobs",
        "testMailTemplates",
        "useProduction",
        "writeGlobalMessage",
        "writeProject:*",
    }
)
PROJECT_FAMILIES = ("readProject:", "writeProject:")
_USERS_OF = "createUserIn:"


class ProjectRightLevel(IntEnum):
    """Level of a right on a project; each level includes the lower ones."""

    READ = 1
    WRITE = 2
    OWN = 3


@dataclass(frozen=True)
class ProjectRight:
    """A right on one project.

    Attributes:
        groups: names of the groups whose user administrators govern this right: the project's own group, and the groups
            that the project is shared with at this level.
        own_group: name of the project's own group, None without one.
    """

    project: int
    level: ProjectRightLevel
    groups: frozenset[str] = frozenset()
    own_group: str | None = None


@dataclass(frozen=True)
class AccountPowers:
    """Everything an account may do.

    Attributes:
        permissions: permission strings held, with roles expanded. Permissions that name an existing project are not
            included; they are in `projects`.
        groups: names of the groups the account belongs to.
        projects: rights on projects through ownership, shares and named permissions.
        project_groups: names of the groups whose projects it administers.
        grantable: permissions of the roles that the account may assign to itself.
    """

    permissions: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    projects: frozenset[ProjectRight] = frozenset()
    project_groups: frozenset[str] = frozenset()
    grantable: frozenset[str] = frozenset()

    def can(self, permission: str) -> bool:
        """Whether the account holds the permission or can assign it to itself, exactly or through `family:*`."""
        family, colon, _ = permission.partition(":")
        every = f"{family}:{'all' if family == 'readModeAnnot' else '*'}" if colon else permission
        return any(one in held for held in (self.permissions, self.grantable) for one in (permission, every))

    @property
    def is_superuser(self) -> bool:
        """Whether the account administers all users and may assign every role."""
        return {"createUserIn:*", "assignRole:*"} <= self.permissions

    @property
    def administers_users(self) -> bool:
        """Whether the account administers the users of at least one group."""
        return any(one.startswith(_USERS_OF) for one in self.permissions)

    def administers_group(self, group: str | None) -> bool:
        """Whether the account administers the users of the group; None stands for users without a group."""
        return f"{_USERS_OF}*" in self.permissions or (group is not None and f"{_USERS_OF}{group}" in self.permissions)

    @cached_property
    def levels(self) -> dict[int, ProjectRightLevel]:
        """Highest level of the account's own rights on each project, by project id; without platform permissions."""
        found: dict[int, ProjectRightLevel] = {}
        for right in self.projects:
            found[right.project] = max(right.level, found.get(right.project, right.level))
        return found

    def level_on(self, project: int) -> int:
        """The level of the account's right on a project, platform permissions included; 0 without a right."""
        level: int = self.levels.get(project, 0)
        if self.can("writeProject:*"):
            level = max(level, ProjectRightLevel.OWN if self.can("shareProject") else ProjectRightLevel.WRITE)
        return max(level, ProjectRightLevel.READ) if self.can("readProject:*") else level


@dataclass(frozen=True)
class MissingPower:
    """Something that one account may do and another does not cover. Exactly one of the fields is set."""

    permission: str | None = None
    project: int | None = None
    group: str | None = None


def is_administrative_permission(permission: str) -> bool:
    """Whether the permission has an effect beyond the projects that its holder can open through other rights."""
    return (
        permission in PLATFORM_WIDE
        or permission.partition(":")[0] in ADMINISTRATIVE_FAMILIES
        or permission.startswith(PROJECT_FAMILIES)
    )


def _covers_permission(holder: AccountPowers, permission: str) -> bool:
    if holder.can(permission):
        return True
    return holder.administers_users and not is_administrative_permission(permission)


def _covers_project_right(holder: AccountPowers, right: ProjectRight) -> bool:
    if holder.administers_group(None) or any(holder.administers_group(group) for group in right.groups):
        return True
    if right.own_group is not None and right.own_group in holder.project_groups:
        return True
    return holder.level_on(right.project) >= right.level


def first_missing_power(holder: AccountPowers, other: AccountPowers) -> MissingPower | None:
    """The first permission, project or group of `other` that `holder` does not cover; None if there is none."""
    if holder.is_superuser:
        return None
    for permission in sorted(other.permissions):
        if not _covers_permission(holder, permission):
            return MissingPower(permission=permission)
    for right in sorted(other.projects, key=lambda one: one.project):
        if not _covers_project_right(holder, right):
            return MissingPower(project=right.project)
    for group in sorted(other.project_groups):
        if group not in holder.project_groups and not holder.administers_group(group):
            return MissingPower(group=group)
    return None


def covers_account_powers(holder: AccountPowers, other: AccountPowers) -> bool:
    """Whether the holder may do, or governs, everything the other account may do. Reflexive and transitive."""
    return first_missing_power(holder, other) is None


def administers_users_of_groups(holder: AccountPowers, groups: Iterable[str]) -> bool:
    """Whether the holder administers the users of all these groups; for an empty list: the users without a group."""
    names = list(groups)
    return all(holder.administers_group(name) for name in names) if names else holder.administers_group(None)


def administers_account(holder: AccountPowers, other: AccountPowers) -> bool:
    """Whether the holder may set the other account's password, disable or delete it, or change its groups."""
    return administers_users_of_groups(holder, other.groups) and covers_account_powers(holder, other)


def lost_powers(before: AccountPowers, after: AccountPowers) -> AccountPowers:
    """What an account could do before and cannot do afterwards."""
    levels_after = after.levels
    return replace(
        before,
        permissions=frozenset(one for one in before.permissions if not after.can(one)),
        groups=before.groups - after.groups,
        projects=frozenset(right for right in before.projects if levels_after.get(right.project, 0) < right.level),
        project_groups=before.project_groups - after.project_groups,
    )


def combined_powers(*parts: AccountPowers) -> AccountPowers:
    """The union of several accounts' powers."""
    return AccountPowers(
        permissions=frozenset().union(*(part.permissions for part in parts)),
        groups=frozenset().union(*(part.groups for part in parts)),
        projects=frozenset().union(*(part.projects for part in parts)),
        project_groups=frozenset().union(*(part.project_groups for part in parts)),
        grantable=frozenset().union(*(part.grantable for part in parts)),
    )
