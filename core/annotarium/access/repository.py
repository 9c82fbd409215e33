"""Database queries for the caller's identity and rights."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select, true, update
from sqlalchemy.orm import Session, aliased

from annotarium.access.rights import Access
from annotarium.access.rights_revision import KEY
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.corruption import replace_corrupt_values
from annotarium.db.database import Database
from annotarium.db.models import (
    ApiKey,
    Group,
    GroupShare,
    InstanceFact,
    Job,
    LeftShare,
    Membership,
    Project,
    Role,
    SignInSession,
    User,
    UserRole,
    UserShare,
)

PLATFORM_PERMISSION = "createUserIn:*"


# Built once: these run with every request, and building a statement takes longer than running it.
_PROJECT = select(Project).where(Project.name == bindparam("name"), Project.deleted_at.is_(None))
_PROJECT_COLUMNS = tuple(column.name for column in Project.__table__.columns)
_PROJECT_ROW = CompiledStatement(
    select(*Project.__table__.columns).where(Project.name == bindparam("name"), Project.deleted_at.is_(None))
)
_project_cache: dict[str, tuple[tuple[Any, ...], Project]] = {}
_PROJECT_CACHE_MAX = 256
_FACTS, _SIGN_INS = InstanceFact.__table__, SignInSession.__table__
_SIGN_IN_IS_OPEN = and_(_SIGN_INS.c.id == bindparam("sign_in"), _SIGN_INS.c.ended_at.is_(None))
_REVISION = CompiledStatement(
    select(
        select(_FACTS.c.value).where(_FACTS.c.key == KEY).scalar_subquery(),
        select(_SIGN_INS.c.restriction).where(_SIGN_IN_IS_OPEN).scalar_subquery(),
    )
)


def find_project(session: Session, name: str) -> Project | None:
    """The project of that name that is not deleted, None without one."""
    if "\0" in name:
        return None
    return session.scalar(_PROJECT, {"name": name})


PENDING_PROJECT_ID = 0
"""Id of a project that is not created yet."""


def find_pending_project(session: Session, access: Access, name: str) -> Project | None:
    """A placeholder for a project that the caller is restoring, or failed to restore, from an archive: it has only
    jobs.

    The object belongs to no session and has the id `PENDING_PROJECT_ID`. None if the caller started no such job, or
    may not open a project of that name.
    """
    if "\0" in name or not access.opens(name):
        return None
    label = session.scalar(
        select(Job.arguments["project_label"].as_string())
        .where(
            Job.created_by == access.username,
            Job.type == "PROJECT_RESTORATION",
            Job.project_id.is_(None),
            Job.arguments["project_name"].as_string() == name,
        )
        .limit(1)
    )
    if label is None:
        return None
    return Project(id=PENDING_PROJECT_ID, name=name, label=label, owner_id=access.user_id, properties={})


def find_project_cached(session: Session, name: str) -> Project | None:
    """Like `find_project`, but read-only: the same detached object as long as its row is unchanged."""
    if "\0" in name:
        return None
    row = _PROJECT_ROW.first(session, {"name": name})
    if row is None:
        return None
    kept = _project_cache.get(name)
    if kept is None or kept[0] != row:
        if len(_project_cache) >= _PROJECT_CACHE_MAX:
            _project_cache.clear()
        project = Project(**dict(zip(_PROJECT_COLUMNS, row, strict=True)))
        replace_corrupt_values(project)
        kept = _project_cache[name] = (row, project)
    return kept[1]


def read_rights_revision(database: Database, sign_in_id: int | None) -> tuple[int, str | None]:
    """The current revision of rights, and the restriction of a sign-in. One query.

    The restriction is a text, empty for no restriction or if `sign_in_id` is None, and None if the sign-in has ended.
    """
    row = _REVISION.look_up(database, {"sign_in": sign_in_id})
    assert row is not None
    return _revision_number(row[0]), "" if sign_in_id is None else row[1]


def _revision_number(value: dict[str, Any] | None) -> int:
    return int(value["revision"]) if value else 0


def find_user_id(session: Session, username: str) -> int | None:
    """The id of a user by name."""
    if "\0" in username:
        return None  # PostgreSQL rejects the character; no name contains it
    return session.scalar(select(User.id).where(User.username == username))


@dataclass(frozen=True)
class ApiKeyFacts:
    """The facts of an API key for identification. `expires_at` is in ms since the Unix epoch, None = never."""

    id: int
    user_id: int
    restriction: str
    expires_at: int | None


def find_api_key(session: Session, key_sha256: str) -> ApiKeyFacts | None:
    """The API key with that digest, None without one."""
    columns = (ApiKey.id, ApiKey.user_id, ApiKey.restriction, ApiKey.expires_at)
    row = session.execute(select(*columns).where(ApiKey.key_sha256 == key_sha256)).one_or_none()
    return None if row is None else ApiKeyFacts(*row)


def find_api_key_by_id(session: Session, key_id: int) -> ApiKeyFacts | None:
    """An API key, None when it was revoked."""
    row = session.get(ApiKey, key_id)
    return None if row is None else ApiKeyFacts(row.id, row.user_id, row.restriction, row.expires_at)


def update_api_key_usage(session: Session, key_id: int, used_at: int) -> None:
    """Set the time an API key was last used (milliseconds since the Unix epoch)."""
    session.execute(update(ApiKey).where(ApiKey.id == key_id).values(last_used_at=used_at))


@dataclass(frozen=True)
class GrantedRights:
    """A user's roles, groups and shares as stored, before expansion."""

    user: User
    roles: list[Role]
    groups: list[Group]
    shares: list[tuple[int, bool]]


def read_granted_rights(session: Session, user_id: int) -> GrantedRights | None:
    """User, roles, groups and shares (project id, may write); None for an unknown user.

    A role that belongs to a group applies only to members of the group.
    """
    return read_granted_rights_of_users(session, [user_id]).get(user_id)


def read_granted_rights_of_users(session: Session, user_ids: Collection[int]) -> dict[int, GrantedRights]:
    """`read_granted_rights` for several users, by id; unknown users are absent. The number of queries is constant."""
    users = session.scalars(select(User).where(User.id.in_(user_ids)))
    granted = {user.id: GrantedRights(user, [], [], []) for user in users}
    member_of = select(Membership.user_id, Group).join(Group, Membership.group_id == Group.id)
    for user_id, group in session.execute(member_of.where(Membership.user_id.in_(granted))):
        granted[user_id].groups.append(group)
    held = select(UserRole.user_id, Role).join(Role, UserRole.role_id == Role.id)
    for user_id, role in session.execute(held.where(UserRole.user_id.in_(granted))):
        if role.group_id is None or any(group.id == role.group_id for group in granted[user_id].groups):
            granted[user_id].roles.append(role)
    own = select(UserShare.user_id, UserShare.project_id, UserShare.write).where(UserShare.user_id.in_(granted))
    left = exists().where(LeftShare.user_id == Membership.user_id, LeftShare.project_id == GroupShare.project_id)
    through_groups = (
        select(Membership.user_id, GroupShare.project_id, GroupShare.write)
        .join(Membership, Membership.group_id == GroupShare.group_id)
        .where(Membership.user_id.in_(granted), ~left)
    )
    for query in (own, through_groups):
        for user_id, project_id, write in session.execute(query):
            granted[user_id].shares.append((project_id, write))
    return granted


def read_all_roles(session: Session) -> dict[str, Role]:
    """All roles by technical name."""
    return {role.rolename: role for role in session.scalars(select(Role))}


def platform_administrators(session: Session) -> set[int]:
    """Ids of the users who hold `createUserIn:*` and can sign in: not disabled and not prevented by their groups."""
    holding = [role.id for role in session.scalars(select(Role)) if PLATFORM_PERMISSION in role.permissions]
    enabled = select(User.id).where(User.disabled.is_(False), ~_user_is_shut_out_by_groups())
    in_force = or_(
        Role.group_id.is_(None), _user_belongs_to_groups(Group.id == Role.group_id)
    )  # the role of a group applies to its members only
    through_roles = (
        enabled.join(UserRole, UserRole.user_id == User.id)
        .join(Role, Role.id == UserRole.role_id)
        .where(Role.id.in_(holding), in_force)
    )
    found = set(session.scalars(through_roles))
    direct = session.execute(enabled.add_columns(User.permissions))
    return found | {row[0] for row in direct if PLATFORM_PERMISSION in row[1]}


def count_api_keys(session: Session, user: User) -> int:
    """Number of API keys of a user. Locks the user's row, so that concurrent calls do not exceed the maximum."""
    session.execute(select(User.id).where(User.id == user.id).with_for_update())
    return session.scalar(select(func.count()).select_from(ApiKey).where(ApiKey.user_id == user.id)) or 0


def list_api_keys(session: Session, user: User | None) -> list[tuple[ApiKey, str]]:
    """API keys of a user, or of all users, with the user's name, ordered by name and id."""
    query = select(ApiKey, User.username).join(User, User.id == ApiKey.user_id)
    if user is not None:
        query = query.where(ApiKey.user_id == user.id)
    return [(row[0], row[1]) for row in session.execute(query.order_by(User.username, ApiKey.id))]


def _user_belongs_to_groups(groups: ColumnElement[bool]) -> ColumnElement[bool]:
    """True for users who belong to one of the groups."""
    return exists(
        select(Membership.user_id)
        .join(Group, Group.id == Membership.group_id)
        .where(Membership.user_id == User.id, groups)
        .correlate(User, Role)
    )


def _user_is_shut_out_by_groups() -> ColumnElement[bool]:
    """True for users with groups none of which allows sign-in."""
    return _user_belongs_to_groups(true()) & ~_user_belongs_to_groups(Group.login_allowed.is_(True))


def users_shut_out_by_groups(session: Session, user_ids: Collection[int]) -> set[int]:
    """The ids of those users, disabled or not, who cannot sign in because of their groups."""
    return set(session.scalars(select(User.id).where(User.id.in_(user_ids), _user_is_shut_out_by_groups())))


def member_ids_of_group(session: Session, group_id: int) -> list[int]:
    return list(session.scalars(select(Membership.user_id).where(Membership.group_id == group_id)))


def visible_users_clause(access: Access) -> ColumnElement[bool]:
    """True for users whom the caller may see: the own account and members of groups the caller shares or manages.

    Administrators of all users or of all projects of the platform see everybody. An account without a group is visible
    to nobody else. With the role Minimal only the own account is visible, except to owners of projects, who may share
    them.
    """
    if access.is_platform_user_administrator or access.can("writeProject:*"):
        return true()
    known = _user_belongs_to_groups(
        or_(Group.id.in_(access.group_ids), Group.name.in_(access.names_of("createUserIn")))
    )
    if access.is_minimal:
        known &= exists().where(Project.owner_id == access.user_id, Project.deleted_at.is_(None)).correlate(User)
    return or_(User.id == access.user_id, known)


def visible_groups_clause(access: Access) -> ColumnElement[bool]:
    """True for groups the caller may see: their own, and those whose users or settings they manage."""
    if access.can_any(("createUserIn:*", "writeGroup:*", "writeProject:*")):
        return true()
    named = access.names_of("createUserIn") | access.names_of("writeGroup")
    return or_(Group.id.in_(access.group_ids), Group.name.in_(named))


def visible_roles_clause(access: Access) -> ColumnElement[bool]:
    """True for roles the caller may see: roles without a group, and roles of groups the caller belongs to or manages.

    With the role Minimal only the caller's own roles.
    """
    if access.is_platform_user_administrator:
        return true()
    if access.is_minimal:
        return Role.rolename.in_(access.roles)
    managed = access.names_of("createUserIn")
    groups = select(Group.id).where(or_(Group.id.in_(access.group_ids), Group.name.in_(managed)))
    return or_(Role.group_id.is_(None), Role.group_id.in_(groups))


def find_visible_user(session: Session, access: Access, username: str) -> User | None:
    """The user of that name if the caller may see it, else None."""
    if "\0" in username:
        return None
    return session.scalar(select(User).where(User.username == username, visible_users_clause(access)))


def find_visible_group(session: Session, access: Access, name: str) -> Group | None:
    """The group of that name if the caller may see it, else None."""
    if "\0" in name:
        return None
    return session.scalar(select(Group).where(Group.name == name, visible_groups_clause(access)))


def projects_named(session: Session, names: Collection[str]) -> dict[str, tuple[int, str | None]]:
    """Projects that are not deleted, by name: id and the name of their group."""
    query = select(Project.name, Project.id, Group.name).outerjoin(Group, Group.id == Project.group_id)
    found = session.execute(query.where(Project.name.in_(names), Project.deleted_at.is_(None)))
    return {row[0]: (row[1], row[2]) for row in found}


ProjectGrant = tuple[int, str | None, bool, bool, str | None]
"""`(project id, name of its group, owned, may write, name of the group it is shared through)`."""


def project_grants_of_users(session: Session, user_ids: Collection[int]) -> dict[int, list[ProjectGrant]]:
    """Projects, not deleted, that users own or that are shared with them or their groups; one entry per path."""
    home = select(Project.id, Group.name).outerjoin(Group, Group.id == Project.group_id)
    home = home.where(Project.deleted_at.is_(None))
    rows: dict[int, list[ProjectGrant]] = {user_id: [] for user_id in user_ids}
    for project, name, owner in session.execute(home.add_columns(Project.owner_id).where(Project.owner_id.in_(rows))):
        rows[owner].append((project, name, True, True, None))
    direct = home.join(UserShare, UserShare.project_id == Project.id).add_columns(UserShare.user_id, UserShare.write)
    for project, name, user_id, write in session.execute(direct.where(UserShare.user_id.in_(rows))):
        rows[user_id].append((project, name, False, write, None))
    through = aliased(Group)
    by_group = (
        home.join(GroupShare, GroupShare.project_id == Project.id)
        .join(Membership, Membership.group_id == GroupShare.group_id)
        .join(through, through.id == GroupShare.group_id)
        .add_columns(Membership.user_id, GroupShare.write, through.name)
    )
    for project, name, user_id, write, shared in session.execute(by_group.where(Membership.user_id.in_(rows))):
        rows[user_id].append((project, name, False, write, shared))
    return rows
