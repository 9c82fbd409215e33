"""A small installation for sequences of calls, and the rights of each account, computed from the tables alone.

The oracle does not use `access.account_powers`: it implements the contract a second time, with plain sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from annotarium.access import rights_revision
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.models import (
    AuditEntry,
    Group,
    GroupShare,
    Membership,
    Outbox,
    Project,
    Role,
    SignInSession,
    User,
    UserRole,
    UserShare,
)
from annotarium.db.unit_of_work import unit_of_work

READ, WRITE, OWN = 1, 2, 3
GROUPS = ("g1", "g2", "g3", "closed")
PROJECTS = ("p1", "p2", "p3", "p4")
BEYOND_PROJECTS = ("createUserIn", "writeGroup", "assignRole")
PLATFORM_WIDE = frozenset(
    {
        "readProject:*",
        "writeProject:*",
        "readTheme:*",
        "seeGlobalJobs",
        "testMailTemplates",
        "useProduction",
        "writeGlobalMessage",
    }
)


@dataclass(frozen=True)
class Account:
    """A generated account: grants are names of predefined roles or permissions."""

    name: str
    grants: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProjectSetup:
    """A generated project: shares as `(name, write)`."""

    name: str
    owner: str | None = None
    group: str | None = None
    users: tuple[tuple[str, bool], ...] = ()
    groups: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class GroupRole:
    """A role that belongs to a group, with its holders."""

    name: str
    group: str
    permissions: tuple[str, ...]
    holders: tuple[str, ...] = ()


def build_rights(accounts: Iterable[Account], places: Iterable[ProjectSetup], roles: Iterable[GroupRole]) -> None:
    """Replace all accounts, groups, custom roles and projects by these."""
    with unit_of_work(actor="tests", write=True) as unit:
        session = unit.session
        for table in (UserShare, GroupShare, UserRole, Membership, SignInSession, AuditEntry, Outbox, Project, User):
            session.execute(delete(table))
        session.execute(delete(Role).where(Role.predefined.is_(False)))
        session.execute(delete(Group))
        session.execute(
            insert(Group), [{"name": name, "label": name, "login_allowed": name != "closed"} for name in GROUPS]
        )
        groups = {row[0]: row[1] for row in session.execute(select(Group.name, Group.id))}
        accounts = list(accounts)
        session.execute(
            insert(User),
            [
                {
                    "username": one.name,
                    "password_hash": "x",
                    "permissions": [grant for grant in one.grants if grant not in PREDEFINED_BY_NAME],
                }
                for one in accounts
            ],
        )
        users = {row[0]: row[1] for row in session.execute(select(User.username, User.id))}
        roles = list(roles)
        if roles:
            rows = [{"rolename": one.name, "label": one.name, "group_id": groups[one.group]} for one in roles]
            values = [row | {"permissions": list(one.permissions)} for row, one in zip(rows, roles, strict=True)]
            session.execute(insert(Role), values)
        ids = {row[0]: row[1] for row in session.execute(select(Role.rolename, Role.id))}
        held = {(one.name, grant) for one in accounts for grant in one.grants if grant in PREDEFINED_BY_NAME}
        held |= {(holder, one.name) for one in roles for holder in one.holders}
        _insert(session, UserRole, [{"user_id": users[user], "role_id": ids[role]} for user, role in held])
        memberships = [
            {"user_id": users[one.name], "group_id": groups[name]} for one in accounts for name in one.groups
        ]
        _insert(session, Membership, memberships)
        _insert_projects(session, list(places), users, groups)
        rights_revision.note_rights_change(session)


def _insert(session: Session, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        session.execute(insert(table), rows)


def _insert_projects(
    session: Session, places: list[ProjectSetup], users: dict[str, int], groups: dict[str, int]
) -> None:
    values = [
        {
            "name": one.name,
            "label": one.name,
            "nature": "sequence_labelling",
            "owner_id": users.get(one.owner or ""),
            "group_id": groups.get(one.group or ""),
            "created_by": one.owner or "",
        }
        for one in places
    ]
    _insert(session, Project, values)
    ids = {row[0]: row[1] for row in session.execute(select(Project.name, Project.id))}
    shares = [
        {"project_id": ids[one.name], "user_id": users[name], "write": write}
        for one in places
        for name, write in one.users
    ]
    _insert(session, UserShare, shares)
    through = [
        {"project_id": ids[one.name], "group_id": groups[name], "write": write}
        for one in places
        for name, write in one.groups
    ]
    _insert(session, GroupShare, through)


@dataclass
class RightsState:
    """The state of the tables: per account its permissions, groups, rights on projects, and whether it can sign in."""

    permissions: dict[str, frozenset[str]] = field(default_factory=dict)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)
    rights: dict[str, dict[str, int]] = field(default_factory=dict)
    signs_in: set[str] = field(default_factory=set)
    homes: dict[str, str | None] = field(default_factory=dict)
    group_shares: dict[str, dict[str, int]] = field(default_factory=dict)
    """Per project: the groups it is shared with, and the level."""
    roles: dict[str, frozenset[str]] = field(default_factory=dict)
    """Per role: the permissions, with `{group}` for any group."""


def _raise_level(rights: dict[str, int], project: str, level: int) -> None:
    rights[project] = max(level, rights.get(project, 0))


def _values_by_first_column(session: Session, key: Any, *values: Any) -> dict[int, list[Any]]:
    """Return the rows of an association table by their first column."""
    found: dict[int, list[Any]] = {}
    for row in session.execute(select(key, *values)):
        found.setdefault(row[0], []).append(row[1] if len(values) == 1 else tuple(row[1:]))
    return found


class _RightsTables:
    """The rows from which rights are computed."""

    def __init__(self, session: Session) -> None:
        self.groups = {row.id: row for row in session.execute(select(Group.id, Group.name, Group.login_allowed))}
        columns = (Role.id, Role.rolename, Role.group_id, Role.permissions)
        self.roles = {row.id: row for row in session.execute(select(*columns))}
        self.member = _values_by_first_column(session, Membership.user_id, Membership.group_id)
        self.holds = _values_by_first_column(session, UserRole.user_id, UserRole.role_id)
        self.direct = _values_by_first_column(session, UserShare.user_id, UserShare.project_id, UserShare.write)
        self.through = _values_by_first_column(session, GroupShare.group_id, GroupShare.project_id, GroupShare.write)
        live = select(Project.id, Project.name, Project.owner_id, Project.group_id).where(Project.deleted_at.is_(None))
        self.projects = {row.id: row for row in session.execute(live)}
        self.users = list(session.execute(select(User.id, User.username, User.disabled, User.permissions)))

    def permissions_of(self, user: Any) -> set[str]:
        """Return permissions granted directly and by roles in force; `{group}` is each group, or the role's own."""
        own = self.member.get(user.id, [])
        permissions = set(user.permissions)
        for role in self.roles_of(user):
            names = [self.groups[one].name for one in ([role.group_id] if role.group_id is not None else own)]
            for permission in role.permissions:
                several = "{group}" in permission
                permissions |= {permission.replace("{group}", name) for name in names} if several else {permission}
        return permissions

    def roles_of(self, user: Any) -> list[Any]:
        """Return roles in force: a role that belongs to a group is in force for its members only."""
        held = [self.roles[one] for one in self.holds.get(user.id, [])]
        return [role for role in held if role.group_id is None or role.group_id in self.member.get(user.id, [])]

    def rights_of(self, user: Any, permissions: set[str]) -> dict[str, int]:
        """Return rights on projects that are not deleted, by name."""
        own = self.member.get(user.id, [])
        administers = any(role.rolename == "GroupProjectAdmin" for role in self.roles_of(user))
        rights: dict[str, int] = {}
        for project in self.projects.values():
            if project.owner_id == user.id or (administers and project.group_id in own):
                _raise_level(rights, project.name, OWN)
            for family, level in (("writeProject", WRITE), ("readProject", READ)):
                if {f"{family}:*", f"{family}:{project.name}"} & permissions:
                    _raise_level(rights, project.name, level)
        for project_id, write in self.direct.get(user.id, []) + [
            one for id_ in own for one in self.through.get(id_, [])
        ]:
            if project_id in self.projects:
                _raise_level(rights, self.projects[project_id].name, WRITE if write else READ)
        return rights


def read_state(session: Session) -> RightsState:
    """Return the state of all accounts, in eight queries."""
    tables, state = _RightsTables(session), RightsState()
    state.roles = {row.rolename: frozenset(row.permissions) for row in tables.roles.values()}
    for project in tables.projects.values():
        state.homes[project.name] = None if project.group_id is None else tables.groups[project.group_id].name
    for group_id, rows in tables.through.items():
        for project_id, write in rows:
            if project_id in tables.projects:
                shared = state.group_shares.setdefault(tables.projects[project_id].name, {})
                shared[tables.groups[group_id].name] = WRITE if write else READ
    for user in tables.users:
        own = tables.member.get(user.id, [])
        permissions = tables.permissions_of(user)
        state.permissions[user.username] = frozenset(permissions)
        state.groups[user.username] = frozenset(tables.groups[one].name for one in own)
        state.rights[user.username] = tables.rights_of(user, permissions)
        if not user.disabled and (not own or any(tables.groups[one].login_allowed for one in own)):
            state.signs_in.add(user.username)
    return state


def current_state() -> RightsState:
    """Return the current state."""
    with unit_of_work(actor="tests", write=False) as unit:
        return read_state(unit.session)


def reaches_beyond_projects(permission: str) -> bool:
    """Whether a permission reaches beyond projects, or opens one by its name."""
    family = permission.partition(":")[0]
    return permission in PLATFORM_WIDE or family in BEYOND_PROJECTS or family in ("readProject", "writeProject")


class RightsLimits:
    """The rights that some users may reach together from the initial state; later states are compared with it."""

    def __init__(self, state: RightsState, people: Iterable[str]) -> None:
        self.state = state
        people = list(people)
        held = set().union(*(state.permissions[name] for name in people))
        while "createUserIn:*" in held:  # such a user can assign every role that he may assign to himself
            more = {
                permission.replace("{group}", "*")
                for role, permissions in state.roles.items()
                if {"assignRole:*", f"assignRole:{role}"} & held
                for permission in permissions
            }
            if more <= held:
                break
            held |= more
        self.held = held
        self.levels = {name: max(state.rights[one].get(name, 0) for one in people) for name in state.homes}

    def manages(self, group: str | None) -> bool:
        """Whether one of them manages the users of the group; None: users without a group."""
        return bool({"createUserIn:*", f"createUserIn:{group}"} & self.held)

    def holds(self, permission: str) -> bool:
        """Whether one of them holds the permission, or may grant it by managing users."""
        family = permission.partition(":")[0]
        if {permission, f"{family}:*"} & self.held or (family == "readModeAnnot" and "readModeAnnot:all" in self.held):
            return True
        return not reaches_beyond_projects(permission) and any(one.startswith("createUserIn:") for one in self.held)

    def level(self, project: str) -> int:
        """Return the highest level they may reach on a project of the initial state."""
        level = self.levels[project]
        if "createUserIn:*" in self.held or (self.state.homes[project] and self.manages(self.state.homes[project])):
            return OWN
        if "writeProject:*" in self.held:
            level = max(level, OWN if self.holds("shareProject") else WRITE)
        if "readProject:*" in self.held:
            level = max(level, READ)
        for group, shared in self.state.group_shares.get(project, {}).items():
            if self.manages(group):
                level = max(level, shared)
        return level

    def excess(self, state: RightsState, name: str) -> list[str]:
        """Return the rights of the account in a later state that exceed these limits."""
        named = {f"{family}:{project}" for project in self.state.homes for family in ("readProject", "writeProject")}
        found = [one for one in state.permissions[name] if one not in named and not self.holds(one)]
        rights = {project: level for project, level in state.rights[name].items() if project in self.state.homes}
        return found + [
            f"{project} at level {level}" for project, level in rights.items() if level > self.level(project)
        ]

    def within(self, name: str) -> bool:
        """Whether they could administer the account in the initial state."""
        groups = self.state.groups[name]
        charge = all(self.manages(group) for group in groups) if groups else self.manages(None)
        return charge and not self.excess(self.state, name)
