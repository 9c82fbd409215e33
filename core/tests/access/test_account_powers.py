"""The partial order of account powers, tested alone: no database, no services."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.access.account_powers import (
    AccountPowers,
    MissingPower,
    ProjectRight,
    ProjectRightLevel,
    administers_account,
    administers_users_of_groups,
    combined_powers,
    covers_account_powers,
    first_missing_power,
    is_administrative_permission,
    lost_powers,
)

GROUPS = ("g1", "g2")
PERMISSIONS = (
    "useSearch",
    "shareProject",
    "seeGlobalJobs",
    "readProject:*",
    "writeProject:*",
    "readModeAnnot:all",
    "readModeAnnot:manual",
    "createUserIn:g1",
    "createUserIn:g2",
    "createUserIn:*",
    "writeGroup:g1",
    "writeGroup:*",
    "assignRole:Reader",
    "assignRole:*",
)
HOMES = {1: "g1", 2: "g2", 3: None}


@st.composite
def rights(draw: st.DrawFn) -> ProjectRight:
    project = draw(st.sampled_from(sorted(HOMES)))
    home = HOMES[project]
    through = draw(st.sampled_from((None, *GROUPS)))
    groups = frozenset(name for name in (home, through) if name is not None)
    return ProjectRight(project, draw(st.sampled_from(ProjectRightLevel)), groups, home)


powers = st.builds(
    AccountPowers,
    permissions=st.frozensets(st.sampled_from(PERMISSIONS), max_size=4),
    groups=st.frozensets(st.sampled_from(GROUPS)),
    projects=st.frozensets(rights(), max_size=2),
    project_groups=st.frozensets(st.sampled_from(GROUPS), max_size=1),
)


@settings(max_examples=300, deadline=None)
@given(powers, powers, powers)
def test_covering_is_reflexive_and_transitive(one: AccountPowers, two: AccountPowers, three: AccountPowers) -> None:
    """Taking over an account that one administers gives no powers beyond those one already governs."""
    assert covers_account_powers(one, one)
    if covers_account_powers(one, two) and covers_account_powers(two, three):
        assert covers_account_powers(one, three)
    if administers_account(one, two) and administers_account(two, three):
        assert covers_account_powers(one, three)


@settings(max_examples=300, deadline=None)
@given(powers, powers)
def test_combined_powers_cover_each_account_and_missing_power_is_exact(one: AccountPowers, two: AccountPowers) -> None:
    both = combined_powers(one, two)
    assert covers_account_powers(both, one)
    assert covers_account_powers(both, two)
    assert (first_missing_power(one, two) is None) == covers_account_powers(one, two)
    if covers_account_powers(one, both):
        assert covers_account_powers(one, two)


@settings(max_examples=300, deadline=None)
@given(powers, powers)
def test_lost_and_remaining_powers_together_cover_the_original(one: AccountPowers, holder: AccountPowers) -> None:
    """An account that covers both the remaining and the lost powers of another one covered it before."""
    left = replace(one, permissions=frozenset(sorted(one.permissions)[1:]), projects=frozenset())
    gone = lost_powers(one, left)
    if covers_account_powers(holder, left) and covers_account_powers(holder, gone):
        assert covers_account_powers(holder, one)


@pytest.mark.parametrize(
    "permission", ["createUserIn:g1", "useProduction", "readProject:*", "readProject:p", "assignRole:x"]
)
def test_administrative_permissions(permission: str) -> None:
    assert is_administrative_permission(permission)
    assert not is_administrative_permission("exportProject")


def test_users_without_a_group_are_administered_by_platform_administrators() -> None:
    of_group, of_all = AccountPowers(frozenset({"createUserIn:g1"})), AccountPowers(frozenset({"createUserIn:*"}))
    assert administers_users_of_groups(of_group, ["g1"])
    assert not administers_users_of_groups(of_group, ["g1", "g2"])
    assert not administers_users_of_groups(of_group, [])
    assert administers_users_of_groups(of_all, [])


def test_covering_of_project_rights() -> None:
    """A project right is covered by the same level, or by administering its group's users or its group's projects."""
    outside = AccountPowers(projects=frozenset({ProjectRight(2, ProjectRightLevel.WRITE, frozenset({"g2"}), "g2")}))
    for permissions, gap in (
        ({"createUserIn:g1"}, MissingPower(project=2)),
        ({"createUserIn:g2"}, None),
        ({"readProject:*"}, MissingPower(project=2)),
        ({"writeProject:*"}, None),
    ):
        assert first_missing_power(AccountPowers(frozenset(permissions)), outside) == gap
    reader = AccountPowers(projects=frozenset({ProjectRight(2, ProjectRightLevel.READ, frozenset({"g2"}), "g2")}))
    assert first_missing_power(reader, outside) == MissingPower(project=2)
    assert first_missing_power(AccountPowers(project_groups=frozenset({"g2"})), outside) is None
    assert first_missing_power(reader, AccountPowers(project_groups=frozenset({"g2"}))) == MissingPower(group="g2")


def test_ordinary_permissions_are_covered_by_user_administrators_only() -> None:
    ordinary = AccountPowers(frozenset({"exportProject"}))
    assert covers_account_powers(AccountPowers(frozenset({"createUserIn:g1"})), ordinary)
    assert first_missing_power(AccountPowers(frozenset({"writeGroup:g1"})), ordinary) == MissingPower(
        permission="exportProject"
    )
    assert first_missing_power(AccountPowers(), AccountPowers(frozenset({"seeGlobalJobs"}))) == MissingPower(
        permission="seeGlobalJobs"
    )


def test_administering_all_users_and_assigning_every_role_covers_everything() -> None:
    """Both permissions are necessary, and together they are sufficient."""
    both = frozenset({"createUserIn:*", "assignRole:*"})
    other = AccountPowers(
        frozenset({"seeGlobalJobs"}),
        frozenset({"g1"}),
        frozenset({ProjectRight(1, ProjectRightLevel.OWN)}),
        frozenset({"g2"}),
    )
    assert AccountPowers(both).is_superuser and AccountPowers(both | {"useSearch"}).is_superuser
    assert covers_account_powers(AccountPowers(both), other) and administers_account(AccountPowers(both), other)
    for one in both:
        assert not AccountPowers(frozenset({one})).is_superuser
        assert not covers_account_powers(AccountPowers(frozenset({one, "assignRole:Reader"})), other)


def test_lost_powers_are_listed_individually() -> None:
    """A lower level on a project counts as the loss of the higher one; a right that is still held another way does
    not.
    """
    own, write, read = (
        ProjectRight(1, level) for level in (ProjectRightLevel.OWN, ProjectRightLevel.WRITE, ProjectRightLevel.READ)
    )
    second = ProjectRight(2, ProjectRightLevel.READ)
    before = AccountPowers(
        frozenset({"useSearch", "readFacet:label", "writeLabel"}),
        frozenset({"g1", "g2"}),
        frozenset({own, write, second}),
        frozenset({"g1", "g2"}),
        frozenset({"useProduction"}),
    )
    after = AccountPowers(
        frozenset({"readFacet:*", "writeLabel"}), frozenset({"g2"}), frozenset({read, second}), frozenset({"g2"})
    )
    assert lost_powers(before, after) == AccountPowers(
        frozenset({"useSearch"}),
        frozenset({"g1"}),
        frozenset({own, write}),
        frozenset({"g1"}),
        frozenset({"useProduction"}),
    )
    assert lost_powers(before, before) == AccountPowers(grantable=before.grantable)


def test_combined_powers_are_the_union() -> None:
    parts = [
        AccountPowers(
            frozenset({f"p{n}"}),
            frozenset({f"g{n}"}),
            frozenset({ProjectRight(n, ProjectRightLevel.READ)}),
            frozenset({f"h{n}"}),
            frozenset({f"q{n}"}),
        )
        for n in (1, 2)
    ]
    both = combined_powers(*parts)
    for name in ("permissions", "groups", "projects", "project_groups", "grantable"):
        assert getattr(both, name) == getattr(parts[0], name) | getattr(parts[1], name)
    assert combined_powers() == AccountPowers()


@pytest.mark.parametrize(
    ("permissions", "level"),
    [
        ((), ProjectRightLevel.WRITE),
        (("readProject:*",), ProjectRightLevel.WRITE),
        (("writeProject:*",), ProjectRightLevel.WRITE),
        (("writeProject:*", "shareProject"), ProjectRightLevel.OWN),
        (("shareProject",), ProjectRightLevel.WRITE),
    ],
)
def test_the_project_level_is_the_highest_of_all_rights(permissions: tuple[str, ...], level: ProjectRightLevel) -> None:
    rights = frozenset({ProjectRight(1, ProjectRightLevel.READ), ProjectRight(1, ProjectRightLevel.WRITE)})
    holder = AccountPowers(frozenset(permissions), projects=rights)
    assert holder.level_on(1) == level
    elsewhere = {(): 0, ("shareProject",): 0, ("readProject:*",): 1, ("writeProject:*",): 2}
    assert holder.level_on(2) == elsewhere.get(permissions, 3)


def test_a_permission_that_can_be_self_assigned_counts_as_held() -> None:
    holder = AccountPowers(frozenset({"readModeAnnot:all"}), grantable=frozenset({"readFacet:*", "useProduction"}))
    assert holder.can("useProduction") and holder.can("readFacet:label") and holder.can("readModeAnnot:manual")
    assert not holder.can("readFacet") and not holder.can("useSearch")
    assert not AccountPowers(frozenset({"readModeAnnot:*"})).can("readModeAnnot:manual")


def test_group_administrators_and_user_administrators() -> None:
    of_group, of_all, none = (
        AccountPowers(frozenset({one})) for one in ("createUserIn:g1", "createUserIn:*", "writeGroup:g1")
    )
    assert [one.administers_users for one in (of_group, of_all, none)] == [True, True, False]
    assert [one.administers_group("g1") for one in (of_group, of_all, none)] == [True, True, False]
    assert [one.administers_group("g2") for one in (of_group, of_all)] == [False, True]
    assert [one.administers_group(None) for one in (of_group, of_all)] == [False, True]
    assert not AccountPowers(frozenset({"createUserIn:None"})).administers_group(None), "a group may have that name"


def test_the_first_missing_power_is_a_permission_if_any_is_missing() -> None:
    other = AccountPowers(
        frozenset({"seeGlobalJobs", "useProduction", "useSearch"}),
        projects=frozenset(
            {ProjectRight(2, ProjectRightLevel.READ), ProjectRight(1, ProjectRightLevel.WRITE, frozenset({"g1"}), "g1")}
        ),
        project_groups=frozenset({"g2", "g1"}),
    )
    held = {"createUserIn:g3"}
    assert first_missing_power(AccountPowers(frozenset(held)), other) == MissingPower(permission="seeGlobalJobs")
    held |= {"seeGlobalJobs", "useProduction"}
    assert first_missing_power(AccountPowers(frozenset(held)), other) == MissingPower(project=1)
    holder = AccountPowers(frozenset(held), project_groups=frozenset({"g1"}))
    assert first_missing_power(holder, other) == MissingPower(project=2)
    holder = replace(holder, projects=frozenset({ProjectRight(2, ProjectRightLevel.READ)}))
    assert first_missing_power(holder, other) == MissingPower(group="g2")
    assert first_missing_power(replace(holder, project_groups=frozenset({"g1", "g2"})), other) is None
