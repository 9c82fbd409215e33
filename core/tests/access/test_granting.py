"""Who may assign which role or permission: the rules alone, then who is reported as locked out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access.account_powers import AccountPowers
from annotarium.access.granting import (
    SignInEligibilityChanges,
    administered_groups,
    may_grant_role,
    require_may_delete_role,
    require_may_grant_permissions,
    require_may_grant_roles,
    require_platform_administrator,
)
from annotarium.access.rights import Access
from annotarium.db.models import Group, Membership, Role, User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import AccessDenied, Conflict, InvalidInput

CHIEF = Access(
    1,
    "chief",
    permissions=frozenset({"assignRole:*", "createUserIn:press", "useSearch", "writeLabel"}),
    group_ids=frozenset({7}),
)
PLATFORM = Access(2, "platform", permissions=frozenset({"assignRole:*", "createUserIn:*"}))


def role(*permissions: str, restricted: bool = False, group_id: int | None = None) -> Role:
    return Role(rolename="Some", label="Some", permissions=list(permissions), restricted=restricted, group_id=group_id)


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        (role("useSearch", "writeLabel"), True),
        (role(), True),
        (role("useSearch", "shareProject"), False),
        (role("shareProject", "useSearch"), False),
        (role("useSearch", restricted=True), False),
        (role("useSearch", group_id=7), True),
        (role("useSearch", group_id=8), False),
        (role("useSearch", group_id=7, restricted=True), False),
    ],
    ids=["all held", "empty", "one lacks", "the first lacks", "restricted", "own group", "foreign group", "both"],
)
def test_group_administrators_assign_only_roles_they_hold_and_their_group_may_use(given: Role, allowed: bool) -> None:
    """V-031: one permission of a role is not enough; a restricted role or one of another group is never assigned."""
    assert may_grant_role(CHIEF, given) is allowed
    assert not may_grant_role(replace(CHIEF, permissions=CHIEF.permissions - {"assignRole:*"}), given)
    assert may_grant_role(PLATFORM, given), "user administrators of the platform need assignRole alone"
    assert not may_grant_role(replace(PLATFORM, permissions=frozenset({"createUserIn:*"})), given)


def test_every_assigned_role_must_be_assignable() -> None:
    require_may_grant_roles(CHIEF, [role("useSearch"), role()])
    for roles in ([role("useSearch"), role("deleteProject")], [role("deleteProject"), role("useSearch")]):
        with pytest.raises(AccessDenied):
            require_may_grant_roles(CHIEF, roles)


def test_every_assigned_permission_must_exist_and_be_held() -> None:
    require_may_grant_permissions(CHIEF, ["useSearch", "writeLabel"])
    with pytest.raises(AccessDenied):
        require_may_grant_permissions(CHIEF, ["useSearch", "deleteProject"])
    with pytest.raises(InvalidInput) as refused:
        require_may_grant_permissions(CHIEF, ["useSearch", "everything" * 20])
    assert refused.value.details and refused.value.details[0]["field"] == "permissions"
    assert len(refused.value.message) < 120, "what was sent is cut"


def test_a_role_is_revoked_by_an_account_that_covers_it() -> None:
    """A permission over the role's group counts for that group."""
    chief = AccountPowers(permissions=frozenset({"useSearch", "createUserIn:press"}))
    require_may_delete_role(chief, role("useSearch", "createUserIn:{group}"), "press")
    for given, group in (
        (role("createUserIn:{group}"), "radio"),
        (role("createUserIn:{group}"), None),
        (role("writeProject:*"), "press"),
    ):
        with pytest.raises(AccessDenied):
            require_may_delete_role(chief, given, group)


def test_groups_administered_by_an_account() -> None:
    assert administered_groups(PLATFORM) is None
    assert administered_groups(CHIEF) == {"press"}
    assert administered_groups(replace(CHIEF, permissions=frozenset())) == frozenset()


def user_id(session: Any, name: str) -> int:
    return session.scalars(select(User.id).where(User.username == name)).one()  # type: ignore[no-any-return]


def test_group_changes_report_users_who_lose_or_regain_sign_in(client: Any, as_user: Any) -> None:
    """Uncommitted changes of the transaction count, whether made before the first check or after it."""
    as_user(client, "closed-in", "Reader", groups=("open", "shut"))
    as_user(client, "other", "Reader", groups=("shut",))
    with unit_of_work(actor="", write=True) as work:
        session = work.session
        opened, shut = (session.scalars(select(Group).where(Group.name == name)).one() for name in ("open", "shut"))
        shut.login_allowed = False
        ids = {user_id(session, "closed-in"), user_id(session, "other")}
        changes = SignInEligibilityChanges(session, ids)
        session.delete(session.get_one(Membership, (user_id(session, "closed-in"), opened.id)))
        assert changes.shut_out() == {user_id(session, "closed-in")}
        session.add(Membership(user_id=user_id(session, "other"), group_id=opened.id))
        assert changes.let_in() == {user_id(session, "other")}
        assert changes.shut_out() == {user_id(session, "closed-in")}


def test_a_platform_without_an_administrator_is_refused_before_the_commit(client: Any, as_user: Any) -> None:
    as_user(client, "only", "PlatformUserAdmin")
    with unit_of_work(actor="", write=True) as work:
        require_platform_administrator(work.session)
    with unit_of_work(actor="", write=True) as work:
        work.session.scalars(select(User).where(User.username == "only")).one().disabled = True
        with pytest.raises(Conflict):
            require_platform_administrator(work.session)
        work.session.rollback()
