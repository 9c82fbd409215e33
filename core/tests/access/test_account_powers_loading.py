"""Account powers as read from the database: permissions with their groups, and each right on a project separately."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access import rights_revision
from annotarium.access.account_powers import AccountPowers, ProjectRight, ProjectRightLevel
from annotarium.access.account_powers_loading import caller_powers, read_account_powers, read_powers_of_accounts
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.access.restriction import Restriction
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Group, Project, Role, User, UserRole
from annotarium.db.unit_of_work import unit_of_work

pytestmark = pytest.mark.usefixtures("client")


def powers(*names: str) -> list[AccountPowers]:
    """Return the powers of the named users, read together; checks that reading them one at a time gives the same."""
    with unit_of_work(actor="", write=False) as unit:
        ids = [unit.session.scalars(select(User.id).where(User.username == name)).one() for name in names]
        found = read_powers_of_accounts(unit.session, ids)
        assert [read_account_powers(unit.session, user_id) for user_id in ids] == [found[user_id] for user_id in ids]
        return [found[user_id] for user_id in ids]


def add_role(rolename: str, *permissions: str, group: str | None = None, to: tuple[str, ...] = ()) -> None:
    with unit_of_work(actor="", write=True) as unit:
        session = unit.session
        group_id = session.scalars(select(Group.id).where(Group.name == group)).one() if group else None
        role = Role(rolename=rolename, label=rolename, permissions=list(permissions), group_id=group_id)
        session.add(role)
        session.flush()
        for name in to:
            user_id = session.scalars(select(User.id).where(User.username == name)).one()
            session.add(UserRole(user_id=user_id, role_id=role.id))
        rights_revision.note_rights_change(session)


def test_each_source_of_project_access_is_a_separate_right(client: Any, as_user: Any, make_project: Any) -> None:
    """Ownership, shares with the account or one of its groups, and named permissions, each with the group that governs
    it.
    """
    as_user(client, "multi", groups=("press", "law"))
    own, read, write = (make_project(owner="multi"), make_project(readers=("multi",)), make_project(writers=("multi",)))
    home = make_project(owner="multi", group="press")
    shared = make_project(group="radio", group_readers=("press",), group_writers=("law",))
    named = make_project(group="radio")
    plain = make_project()
    deleted = make_project(owner="multi", name="was-there")
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Project, deleted.id).deleted_at = now_ms()
    grants = (f"readProject:{named.name}", f"writeProject:{plain.name}", "readProject:was-there", "writeProject:absent")
    grants += (f"readTheme:{own.name}",)  # another permission family: no right on the project of that name
    as_user(client, "multi", *grants, "useSearch", groups=("press", "law"))
    (found,) = powers("multi")
    none: frozenset[str] = frozenset()
    assert found.projects == {
        ProjectRight(own.id, ProjectRightLevel.OWN, none, None),
        ProjectRight(read.id, ProjectRightLevel.READ, none, None),
        ProjectRight(write.id, ProjectRightLevel.WRITE, none, None),
        ProjectRight(home.id, ProjectRightLevel.OWN, frozenset({"press"}), "press"),
        ProjectRight(shared.id, ProjectRightLevel.READ, frozenset({"press", "radio"}), "radio"),
        ProjectRight(shared.id, ProjectRightLevel.WRITE, frozenset({"law", "radio"}), "radio"),
        ProjectRight(named.id, ProjectRightLevel.READ, frozenset({"radio"}), "radio"),
        ProjectRight(plain.id, ProjectRightLevel.WRITE, none, None),
    }
    assert found.permissions == {
        "useSearch",
        "readProject:was-there",
        "writeProject:absent",
        f"readTheme:{own.name}",
    }
    assert (found.groups, found.project_groups, found.grantable) == ({"press", "law"}, none, none)


def test_powers_of_several_accounts_are_separate(client: Any, as_user: Any, make_project: Any) -> None:
    first, second = make_project(owner="one-of"), make_project(owner="two-of")
    as_user(client, "one-of", "Minimal", "useSearch", f"readProject:{second.name}", groups=("apart",))
    as_user(client, "two-of", "writeLabel", "readProject:*", "Reader", "GroupProjectAdmin", groups=("north", "south"))
    one, two = powers("one-of", "two-of")
    assert {(right.project, right.level) for right in one.projects} == {
        (first.id, ProjectRightLevel.OWN),
        (second.id, ProjectRightLevel.READ),
    }
    assert {(right.project, right.level) for right in two.projects} == {(second.id, ProjectRightLevel.OWN)}
    assert (one.groups, one.project_groups, one.permissions) == (
        {"apart"},
        set(),
        {"useSearch", *PREDEFINED_BY_NAME["Minimal"].permissions},
    )
    assert (two.groups, two.project_groups) == ({"north", "south"}, {"north", "south"})
    assert {"writeLabel", "readProject:*"} <= two.permissions


def test_an_absent_account_has_no_powers() -> None:
    with unit_of_work(actor="", write=False) as unit:
        assert read_powers_of_accounts(unit.session, [999_999_999]) == {999_999_999: AccountPowers()}
        assert read_account_powers(unit.session, 999_999_999) == AccountPowers()
        assert read_powers_of_accounts(unit.session, []) == {}


def test_group_placeholder_of_a_role_expands_to_the_groups_of_its_holder(client: Any, as_user: Any) -> None:
    """`{group}` stands for each group of the holder; in a role that belongs to a group, for that group."""
    as_user(client, "in-two", groups=("press", "law"))
    as_user(client, "in-none")
    add_role("Everywhere", "writeGroup:{group}", "seeTour", to=("in-two", "in-none"))
    add_role("OfLaw", "createUserIn:{group}", group="law", to=("in-two",))
    two, none = powers("in-two", "in-none")
    assert two.permissions == {"writeGroup:press", "writeGroup:law", "seeTour", "createUserIn:law"}
    assert none.permissions == {"seeTour"}


def test_an_administrator_of_all_users_holds_what_he_can_assign_to_himself(client: Any, as_user: Any) -> None:
    """Through `assignRole`, and through roles that grant more of it; for any group. No other account can do this."""
    add_role("Step1", "seeGlobalJobs", "assignRole:Step2", "createUserIn:{group}")
    add_role("Step2", "assignRole:Step3", "writeGlobalMessage")
    add_role("Step3", "useProduction")
    add_role("Aside", "testMailTemplates")
    as_user(client, "climber", "createUserIn:*", "assignRole:Step1")
    as_user(client, "middle", "createUserIn:*", "assignRole:Step3")
    as_user(client, "giver-of-none", "createUserIn:*")
    as_user(client, "of-a-group", "createUserIn:press", "assignRole:*", groups=("press",))
    climber, middle, none, group = powers("climber", "middle", "giver-of-none", "of-a-group")
    steps = {"assignRole:Step2", "assignRole:Step3"}
    assert climber.grantable == steps | {"seeGlobalJobs", "createUserIn:*", "writeGlobalMessage", "useProduction"}
    assert middle.grantable == {"useProduction"}
    assert (none.grantable, group.grantable) == (frozenset(), frozenset())
    as_user(client, "gives-all", "createUserIn:*", "assignRole:*")
    (every,) = powers("gives-all")
    for role in PREDEFINED_BY_NAME.values():
        assert {one.replace("{group}", "*") for one in role.permissions} <= every.grantable
    assert "testMailTemplates" in every.grantable


def test_a_restricted_token_limits_the_powers_of_its_caller(
    client: Any, as_user: Any, make_project: Any, open_as: Any
) -> None:
    as_user(client, "callee", "useSearch", "createUserIn:calls", groups=("calls",))
    own = make_project(owner="callee")
    with open_as("callee") as call:
        assert caller_powers(call) == read_account_powers(call.session, call.access.user_id)
        object.__setattr__(call, "access", call.access.narrowed(Restriction(access_mode="read")))
        left = caller_powers(call)
    assert left.permissions == {"useSearch"}
    assert {right.project for right in left.projects} == {own.id}
