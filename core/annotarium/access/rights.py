"""`Access`: what one caller may do, read from the database and cached until rights change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from annotarium.access.permissions import OWN_ACCOUNT_PERMISSIONS
from annotarium.access.restriction import Restriction
from annotarium.db.models import Project
from annotarium.errors import AccessDenied
from annotarium_schemas.messages import message


@dataclass(frozen=True)
class ProjectRights:
    """What the caller may do with one project, in addition to named permissions."""

    read: bool = False
    write: bool = False
    owner: bool = False


@dataclass(frozen=True)
class Access:
    """The caller's rights. Repositories take it as an argument: there is no query without it.

    `permissions` are the expanded permission strings of the user and of the user's roles; `name:*` covers `name:{x}`.
    `shared_read` and `shared_write` are ids of projects reached through shares, `group_ids` the user's groups,
    `administered_group_ids` the groups whose projects the user administers. `credential` is the kind of credential
    used. `restriction` is the most that the token or key of the call may do; the rights in this object already respect
    it.
    """

    user_id: int
    username: str
    permissions: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    group_ids: frozenset[int] = frozenset()
    group_names: frozenset[str] = frozenset()
    shared_read: frozenset[int] = frozenset()
    shared_write: frozenset[int] = frozenset()
    administered_group_ids: frozenset[int] = frozenset()
    session_id: int | None = None
    credential: Literal["", "cookie", "bearer", "basic", "key", "job"] = ""
    sso_login: bool = False
    locked_project_ids: frozenset[int] = field(default_factory=frozenset)
    key_id: int | None = None
    restriction: Restriction | None = None
    hidden_facets: frozenset[str] = frozenset()
    """Facets hidden by a role of the caller, regardless of permissions; a restriction does not reveal them."""
    opening: frozenset[str] | None = None
    """`readProject:` and `writeProject:` within a restriction, see `Restriction.narrowed`; None = use `permissions`."""

    def can(self, permission: str) -> bool:
        """Whether the permission is held, exactly or through `name:*` (for modes: `readModeAnnot:all`)."""
        if permission in self.permissions:
            return True
        family, colon, _ = permission.partition(":")
        every = "all" if family == "readModeAnnot" else "*"
        return bool(colon) and f"{family}:{every}" in self.permissions

    def require(self, permission: str) -> None:
        """Raise `AccessDenied` unless the permission is held. For permissions that depend on the request's content."""
        if not self.can(permission):
            raise AccessDenied(
                "Authorization has been denied.",
                cause=message("denied.permission", "You do not have the permission {name}", name=permission),
            )

    def can_any(self, permissions: Iterable[str]) -> bool:
        """Whether at least one of the permissions is held."""
        return any(self.can(permission) for permission in permissions)

    def holds_family(self, family: str) -> bool:
        """Whether any permission starting with `family:` is held (`createUserIn`: a user administrator)."""
        prefix = f"{family}:"
        return any(permission.startswith(prefix) for permission in self.permissions)

    def narrowed(self, restriction: Restriction) -> Access:
        """These rights within a restriction; the result never has more rights."""
        permissions, opening = restriction.narrowed(self.permissions)
        roles = self.roles if restriction.permissions is None else frozenset()
        return replace(self, permissions=permissions, opening=opening, roles=roles, restriction=restriction)

    @property
    def restriction_text(self) -> str:
        """The restriction as stored, empty if there is none."""
        return self.restriction.text if self.restriction is not None else ""

    def opens(self, project_name: str) -> bool:
        """Whether the restriction allows a project of that name."""
        return self.restriction is None or self.restriction.opens(project_name)

    def require_opens(self, project_name: str) -> None:
        """Raise `AccessDenied` if the restriction does not allow that name for a new project."""
        if not self.opens(project_name):
            raise AccessDenied(
                message(
                    "denied.projectName",
                    "The token or API key gives no access to projects named {name}",
                    name=project_name,
                ),
                fix=message("fix.projectName", "Choose a name that matches its project filter"),
            )

    def names_of(self, family: str) -> frozenset[str]:
        """The names in the permissions of a family: `press` for `createUserIn:press`."""
        prefix = f"{family}:"
        return frozenset(one.removeprefix(prefix) for one in self.permissions if one.startswith(prefix))

    @property
    def is_minimal(self) -> bool:
        """Whether the caller has no permission beyond the own account (role Minimal)."""
        return self.permissions <= OWN_ACCOUNT_PERMISSIONS

    @property
    def is_user_administrator(self) -> bool:
        """Manages the users of at least one group."""
        return self.holds_family("createUserIn")

    @property
    def is_platform_user_administrator(self) -> bool:
        """Manages all users."""
        return "createUserIn:*" in self.permissions

    @property
    def reads_all_projects(self) -> bool:
        """Whether the caller administers all projects of the platform; with a restriction, all that it allows."""
        return "readProject:*" in self.project_permissions

    @property
    def project_permissions(self) -> frozenset[str]:
        """The permissions in which to look for `readProject:` and `writeProject:`."""
        return self.permissions if self.opening is None else self.opening

    def _opens_by_name(self, family: str, project: Project) -> bool:
        held = self.project_permissions
        return f"{family}:{project.name}" in held or f"{family}:*" in held

    def rights_on(self, project: Project) -> ProjectRights:
        """Rights on one project: ownership, shares, group administration, named and platform permissions."""
        restriction = self.restriction
        if restriction is not None and not restriction.opens(project.name):
            return ProjectRights()
        owner = self.user_id != 0 and project.owner_id == self.user_id
        full = owner or (project.group_id in self.administered_group_ids)
        write = full or project.id in self.shared_write or self._opens_by_name("writeProject", project)
        read = write or project.id in self.shared_read or self._opens_by_name("readProject", project)
        writes = write and project.id not in self.locked_project_ids
        if restriction is not None and restriction.effect in ("annotate", "read"):
            writes = False
        return ProjectRights(read=read, write=writes, owner=full)
