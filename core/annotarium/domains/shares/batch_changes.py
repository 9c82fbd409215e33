"""Bulk changes of owners and shares, for administrators who move projects between accounts.

An operation selects users by a filter and lists the names of the projects they receive. Filters are a subset of the
published ones (`{"username": "marie"}`, `{"groups": {"$in": ["press", "radio"]}}`). Ownership needs a single user, read
and write access can go to several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from annotarium.access import rights_revision
from annotarium.access.call import Call
from annotarium.content import group_limits
from annotarium.db.models import Project, User
from annotarium.db.row_marks import mark_modified
from annotarium.domains.shares import repository
from annotarium.domains.shares.schemas import ShareMode, UserGroupRef
from annotarium.domains.shares.service import notify_user_of_project_visibility
from annotarium.errors import InvalidInput
from annotarium_schemas.messages import message
from annotarium_schemas.shape import Shape

_FIELDS = ("username", "email", "profilename", "groups")


class BatchMigrationReceive(Shape):
    """Names of projects that the users of an operation will own, read or write."""

    ownership: list[str] = Field(default_factory=list, max_length=10_000)
    read_access: list[str] = Field(default_factory=list, max_length=10_000)
    write_access: list[str] = Field(default_factory=list, max_length=10_000)


class BatchMigrationOperation(Shape):
    """An operation: the filter of users, and the projects they receive."""

    users: dict[str, Any]
    receive: BatchMigrationReceive


class BatchChownChmodMigration(Shape):
    """Operations, executed in order."""

    operations: list[BatchMigrationOperation] = Field(max_length=1_000)
    share_project_with_previous_owner: bool = True


class BatchChownChmod(Shape):
    """A migration; `virtualTargetUsers` would be assumed instead of the existing accounts, and are refused."""

    migration: BatchChownChmodMigration
    virtual_target_users: list[dict[str, Any]] | None = None
    virtual_target_users_from_migration: bool = False
    warn_non_chowned_projects: bool = False


class OwnershipChange(Shape):
    """A change of the owner of a project."""

    project_name: str
    from_: UserGroupRef = Field(alias="from")
    to: UserGroupRef


class NamedUserShare(Shape):
    """A share with a user."""

    username: str
    mode: ShareMode


class ProjectUserShare(Shape):
    """A share that was created or changed."""

    project_name: str
    share: NamedUserShare


class BatchErrors(Shape):
    """Projects that do not exist, or have no new owner or group."""

    missing_project: list[str]
    missing_project_group: list[str]
    missing_project_owner: list[str]


class BatchChownChmodResult(Shape):
    """The changes made, or those that a dry run would make."""

    errors: BatchErrors
    non_chowned_projects: list[str]
    ownership_changes: list[OwnershipChange]
    project_user_shares: list[ProjectUserShare]


class _BatchRun:
    def __init__(self, call: Call, body: BatchChownChmod, *, dry_run: bool) -> None:
        self.call, self.body, self.dry_run = call, body, dry_run
        errors = BatchErrors(missing_project=[], missing_project_group=[], missing_project_owner=[])
        self.result = BatchChownChmodResult(
            errors=errors, non_chowned_projects=[], ownership_changes=[], project_user_shares=[]
        )
        self.accounts = repository.list_visible_accounts(call.session, call.access)

    def run(self) -> BatchChownChmodResult:
        """Execute all operations in order."""
        for operation in self.body.migration.operations:
            users = [user for user, facts in self.accounts if user_matches_condition(operation.users, facts)]
            self._own(operation.receive.ownership, users)
            for names, write in ((operation.receive.read_access, False), (operation.receive.write_access, True)):
                for project in self._projects(names):
                    for user in users:
                        self._share(project, user, write=write)
        if self.body.warn_non_chowned_projects:
            moved = {change.project_name for change in self.result.ownership_changes}
            present = repository.live_project_names(self.call.session)
            self.result.non_chowned_projects = [one for one in present if one not in moved]
        if not self.dry_run:
            rights_revision.note_rights_change(self.call.session)
        return self.result

    def _projects(self, names: Sequence[str]) -> list[Project]:
        found = []
        for name in names:
            project = repository.find_project(self.call.session, name)
            if project is not None:
                found.append(project)
            elif name not in self.result.errors.missing_project:
                self.result.errors.missing_project.append(name)
        return found

    def _own(self, names: Sequence[str], users: Sequence[User]) -> None:
        for project in self._projects(names):
            if len(users) != 1:
                self.result.errors.missing_project_owner.append(project.name)
                continue
            self._give(project, users[0])

    def _give(self, project: Project, user: User) -> None:
        groups = repository.groups_of_user(self.call.session, self.call.access, user.id, project)
        kept = next((group for group in groups if group.id == project.group_id), None)
        group = kept or (groups[0] if groups else None)
        if project.group_id is not None and group is None:
            self.result.errors.missing_project_group.append(project.name)
        former = self.call.session.get(User, project.owner_id) if project.owner_id is not None else None
        former_group = repository.group_name(self.call.session, project.group_id)
        if former is not None and former.id == user.id:
            return
        group_limits.check_group_limits(self.call.session, group, project.created_by, moved=project)
        change = {
            "projectName": project.name,
            "from": UserGroupRef(username=former.username if former else "", group_name=former_group),
            "to": UserGroupRef(username=user.username, group_name=group.name if group else ""),
        }
        self.result.ownership_changes.append(OwnershipChange.model_validate(change))
        if not self.dry_run:
            project.owner_id, project.group_id = user.id, group.id if group else None
            mark_modified(project, self.call.username)
            notify_user_of_project_visibility(self.call.unit, project, user.username)
        if former is not None and self.body.migration.share_project_with_previous_owner:
            self._share(project, former, write=True)

    def _share(self, project: Project, user: User, *, write: bool) -> None:
        share = NamedUserShare(username=user.username, mode=ShareMode(read=True, write=write))
        self.result.project_user_shares.append(ProjectUserShare(project_name=project.name, share=share))
        if not self.dry_run:
            repository.save_user_share(self.call.session, project, user, write=write, actor=self.call.username)
            notify_user_of_project_visibility(self.call.unit, project, user.username)


def user_matches_condition(condition: dict[str, Any], facts: dict[str, Any]) -> bool:
    """Whether a user matches a filter. An empty filter matches nobody.

    Raises:
        InvalidInput: the filter is not supported; it is not ignored, since that would give projects to the wrong users.
    """
    for field, wanted in condition.items():
        if field not in _FIELDS:
            raise InvalidInput(
                message("wrong.usersBy", "Users cannot be selected by {name}", name=field),
                fix=f"Use {', '.join(_FIELDS)}",
            )
        if isinstance(wanted, dict):
            if set(wanted) != {"$in"} or not isinstance(wanted["$in"], list):
                raise InvalidInput(
                    message("wrong.condition", "The condition on {name} is not understood", name=field),
                    fix='Use a value or {"$in": [...]}',
                )
            values = wanted["$in"]
        else:
            values = [wanted]
        own = facts[field] if isinstance(facts[field], list) else [facts[field]]
        if not any(value in own for value in values):
            return False
    return bool(condition)


def change_owners_and_shares(call: Call, body: BatchChownChmod, *, dry_run: bool) -> BatchChownChmodResult:
    """Change owners and shares of many projects.

    Args:
        dry_run: only report the changes.

    Raises:
        InvalidInput: a filter is not supported, or the migration has virtual users.
    """
    if body.virtual_target_users or body.virtual_target_users_from_migration:
        raise InvalidInput(
            message("wrong.accountsHere", "Projects can be transferred only to accounts of this installation"),
            fix="Create the accounts, then run the migration",
        )
    return _BatchRun(call, body, dry_run=dry_run).run()
