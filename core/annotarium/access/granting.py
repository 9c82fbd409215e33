"""Who may assign which role or permission to whom (threats T15): nobody can grant what they do not hold.

The permission `assignRole:{role}` is the right to assign a role. Anyone but a user administrator of the platform must
also hold every permission of the role, the role must not be restricted, and the role of a group stays in the group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy.orm import Session

from annotarium.access import repository, rights_revision
from annotarium.access.account_powers import AccountPowers, first_missing_power
from annotarium.access.permissions import is_permission
from annotarium.access.rights import Access
from annotarium.db.models import Role
from annotarium.errors import AccessDenied, Conflict, InvalidInput
from annotarium_schemas.messages import message


def administered_groups(access: Access) -> frozenset[str] | None:
    """Names of the groups whose users the caller manages, None for all groups."""
    return None if access.is_platform_user_administrator else access.names_of("createUserIn")


def may_grant_role(access: Access, role: Role) -> bool:
    """Whether the caller may assign the role to, and remove it from, a user they manage."""
    if not access.can(f"assignRole:{role.rolename}"):
        return False
    if access.is_platform_user_administrator:
        return True
    if role.restricted or (role.group_id is not None and role.group_id not in access.group_ids):
        return False
    return all(access.can(permission) for permission in role.permissions)


def require_may_grant_roles(access: Access, roles: Iterable[Role]) -> None:
    """Raise `AccessDenied` naming the first role that the caller may not assign."""
    for role in roles:
        if not may_grant_role(access, role):
            raise AccessDenied(
                f"You may not give or take the role {role.label}.",
                cause=f"It needs assignRole:{role.rolename} and every right of the role",
            )


def require_may_delete_role(caller: AccountPowers, role: Role, group_name: str | None) -> None:
    """Raise `AccessDenied` if a role about to be deleted grants a right that the caller does not cover."""
    permissions = frozenset(one.replace("{group}", group_name or "*") for one in role.permissions)
    gap = first_missing_power(caller, AccountPowers(permissions=permissions))
    if gap is not None:
        raise AccessDenied(
            message("denied.take", "You cannot remove rights that you do not have"),
            cause=message("denied.permission", "You do not have the permission {name}", name=gap.permission or ""),
        )


def require_may_grant_permissions(access: Access, permissions: Iterable[str]) -> None:
    """Raise `InvalidInput` for unknown permissions and `AccessDenied` for one the caller does not hold."""
    for permission in permissions:
        if not is_permission(permission):
            message = f"{permission[:80]} is not a permission"
            raise InvalidInput(
                message, fix="Take one of GET /permissions", details=[{"field": "permissions", "message": message}]
            )
        if not access.can(permission):
            raise AccessDenied(f"You may not give or take {permission}.", cause="You do not hold it yourself")


def require_platform_administrator(session: Session) -> None:
    """Raise `Conflict` if this transaction's changes leave no platform user administrator who can sign in.

    To be called after the changes, in every operation that can take access away from a user. Such transactions are
    serialised here by locking the rights revision: two concurrent ones would each still see the administrator that the
    other removes.
    """
    session.flush()
    rights_revision.note_rights_change(session)
    session.flush()
    if not repository.platform_administrators(session):
        raise Conflict(
            message(
                "account.lastAdministrator",
                "The last platform user administrator cannot be removed, disabled or deprived of this right",
            ),
            fix=message(
                "account.lastAdministratorFix",
                "First give the role Platform User Admin to another user who can sign in",
            ),
        )


class SignInEligibilityChanges:
    """Compares, before and after a change, which users cannot sign in because none of their groups allows it.

    changes = SignInEligibilityChanges(call.session, user_ids)
    ...
    changes.shut_out(), changes.let_in()
    """

    def __init__(self, session: Session, user_ids: Collection[int]) -> None:
        session.flush()
        self._session, self._ids = session, user_ids
        self._before = repository.users_shut_out_by_groups(session, user_ids)

    def shut_out(self) -> set[int]:
        """Ids of the users who could sign in before the change and cannot any more."""
        return self._now() - self._before

    def let_in(self) -> set[int]:
        """Ids of the users whose groups prevented sign-in before the change and do not any more."""
        return self._before - self._now()

    def _now(self) -> set[int]:
        self._session.flush()
        return repository.users_shut_out_by_groups(self._session, self._ids)
