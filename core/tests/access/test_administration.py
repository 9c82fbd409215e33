"""The partial order of what accounts may do, by itself: no database, no services."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.access.administration import (
    Gap,
    Level,
    Powers,
    ProjectRight,
    administers,
    administers_groups,
    combined_powers,
    covers,
    first_gap,
    is_administrative,
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
    return ProjectRight(project, draw(st.sampled_from(Level)), groups, home)


powers = st.builds(
    Powers,
    permissions=st.frozensets(st.sampled_from(PERMISSIONS), max_size=4),
    groups=st.frozensets(st.sampled_from(GROUPS)),
    projects=st.frozensets(rights(), max_size=2),
    project_groups=st.frozensets(st.sampled_from(GROUPS), max_size=1),
)


@settings(max_examples=300, deadline=None)
@given(powers, powers, powers)
def test_covering_is_a_preorder(one: Powers, two: Powers, three: Powers) -> None:
    """Who takes over an account that he administers governs no more than before."""
    assert covers(one, one)
    if covers(one, two) and covers(two, three):
        assert covers(one, three)
    if administers(one, two) and administers(two, three):
        assert covers(one, three)


@settings(max_examples=300, deadline=None)
@given(powers, powers)
def test_together_people_cover_each_other_and_no_gap_is_missed(one: Powers, two: Powers) -> None:
    both = combined_powers(one, two)
    assert covers(both, one)
    assert covers(both, two)
    assert (first_gap(one, two) is None) == covers(one, two)
    if covers(one, both):
        assert covers(one, two)


@settings(max_examples=300, deadline=None)
@given(powers, powers)
def test_what_is_lost_and_what_is_left_make_up_the_whole(one: Powers, holder: Powers) -> None:
    """Somebody who covers what an account keeps and what it lost covered it before."""
    left = replace(one, permissions=frozenset(sorted(one.permissions)[1:]), projects=frozenset())
    gone = lost_powers(one, left)
    if covers(holder, left) and covers(holder, gone):
        assert covers(holder, one)


@pytest.mark.parametrize(
    "permission", ["createUserIn:g1", "useProduction", "readProject:*", "readProject:p", "assignRole:x"]
)
def test_what_reaches_beyond_open_projects(permission: str) -> None:
    assert is_administrative(permission)
    assert not is_administrative("exportProject")


def test_the_users_of_no_group_are_the_platforms() -> None:
    of_group, of_all = Powers(frozenset({"createUserIn:g1"})), Powers(frozenset({"createUserIn:*"}))
    assert administers_groups(of_group, ["g1"])
    assert not administers_groups(of_group, ["g1", "g2"])
    assert not administers_groups(of_group, [])
    assert administers_groups(of_all, [])


def test_rights_on_projects() -> None:
    """Held at the level, or of a group whose users are administered, or of a group whose projects are."""
    outside = Powers(projects=frozenset({ProjectRight(2, Level.WRITE, frozenset({"g2"}), "g2")}))
    for permissions, gap in (
        ({"createUserIn:g1"}, Gap(project=2)),
        ({"createUserIn:g2"}, None),
        ({"readProject:*"}, Gap(project=2)),
        ({"writeProject:*"}, None),
    ):
        assert first_gap(Powers(frozenset(permissions)), outside) == gap
    reader = Powers(projects=frozenset({ProjectRight(2, Level.READ, frozenset({"g2"}), "g2")}))
    assert first_gap(reader, outside) == Gap(project=2)
    assert first_gap(Powers(project_groups=frozenset({"g2"})), outside) is None
    assert first_gap(reader, Powers(project_groups=frozenset({"g2"}))) == Gap(group="g2")


def test_ordinary_rights_are_governed_by_who_administers_users_only() -> None:
    ordinary = Powers(frozenset({"exportProject"}))
    assert covers(Powers(frozenset({"createUserIn:g1"})), ordinary)
    assert first_gap(Powers(frozenset({"writeGroup:g1"})), ordinary) == Gap(permission="exportProject")
    assert first_gap(Powers(), Powers(frozenset({"seeGlobalJobs"}))) == Gap(permission="seeGlobalJobs")


def test_nothing_is_out_of_reach_of_who_administers_all_users_and_gives_every_role() -> None:
    """Both rights, and no more than these, make it; one alone does not."""
    both = frozenset({"createUserIn:*", "assignRole:*"})
    other = Powers(
        frozenset({"seeGlobalJobs"}), frozenset({"g1"}), frozenset({ProjectRight(1, Level.OWN)}), frozenset({"g2"})
    )
    assert Powers(both).is_superuser and Powers(both | {"useSearch"}).is_superuser
    assert covers(Powers(both), other) and administers(Powers(both), other)
    for one in both:
        assert not Powers(frozenset({one})).is_superuser
        assert not covers(Powers(frozenset({one, "assignRole:Reader"})), other)


def test_what_an_account_lost_is_named_one_by_one() -> None:
    """A lower level on a project is a loss of the higher one; what is held another way is none."""
    own, write, read = (ProjectRight(1, level) for level in (Level.OWN, Level.WRITE, Level.READ))
    second = ProjectRight(2, Level.READ)
    before = Powers(
        frozenset({"useSearch", "readFacet:label", "writeLabel"}),
        frozenset({"g1", "g2"}),
        frozenset({own, write, second}),
        frozenset({"g1", "g2"}),
        frozenset({"useProduction"}),
    )
    after = Powers(
        frozenset({"readFacet:*", "writeLabel"}), frozenset({"g2"}), frozenset({read, second}), frozenset({"g2"})
    )
    assert lost_powers(before, after) == Powers(
        frozenset({"useSearch"}),
        frozenset({"g1"}),
        frozenset({own, write}),
        frozenset({"g1"}),
        frozenset({"useProduction"}),
    )
    assert lost_powers(before, before) == Powers(grantable=before.grantable)


def test_together_is_all_of_each() -> None:
    parts = [
        Powers(
            frozenset({f"p{n}"}),
            frozenset({f"g{n}"}),
            frozenset({ProjectRight(n, Level.READ)}),
            frozenset({f"h{n}"}),
            frozenset({f"q{n}"}),
        )
        for n in (1, 2)
    ]
    both = combined_powers(*parts)
    for name in ("permissions", "groups", "projects", "project_groups", "grantable"):
        assert getattr(both, name) == getattr(parts[0], name) | getattr(parts[1], name)
    assert combined_powers() == Powers()


@pytest.mark.parametrize(
    ("permissions", "level"),
    [
        ((), Level.WRITE),
        (("readProject:*",), Level.WRITE),
        (("writeProject:*",), Level.WRITE),
        (("writeProject:*", "shareProject"), Level.OWN),
        (("shareProject",), Level.WRITE),
    ],
)
def test_the_level_on_a_project_is_the_highest_of_all_ways(permissions: tuple[str, ...], level: Level) -> None:
    rights = frozenset({ProjectRight(1, Level.READ), ProjectRight(1, Level.WRITE)})
    holder = Powers(frozenset(permissions), projects=rights)
    assert holder.level_on(1) == level
    elsewhere = {(): 0, ("shareProject",): 0, ("readProject:*",): 1, ("writeProject:*",): 2}
    assert holder.level_on(2) == elsewhere.get(permissions, 3)


def test_a_right_that_can_be_given_to_oneself_is_as_good_as_held() -> None:
    holder = Powers(frozenset({"readModeAnnot:all"}), grantable=frozenset({"readFacet:*", "useProduction"}))
    assert holder.can("useProduction") and holder.can("readFacet:label") and holder.can("readModeAnnot:manual")
    assert not holder.can("readFacet") and not holder.can("useSearch")
    assert not Powers(frozenset({"readModeAnnot:*"})).can("readModeAnnot:manual")


def test_who_administers_a_group_and_any_users_at_all() -> None:
    of_group, of_all, none = (
        Powers(frozenset({one})) for one in ("createUserIn:g1", "createUserIn:*", "writeGroup:g1")
    )
    assert [one.administers_users for one in (of_group, of_all, none)] == [True, True, False]
    assert [one.administers_group("g1") for one in (of_group, of_all, none)] == [True, True, False]
    assert [one.administers_group("g2") for one in (of_group, of_all)] == [False, True]
    assert [one.administers_group(None) for one in (of_group, of_all)] == [False, True]
    assert not Powers(frozenset({"createUserIn:None"})).administers_group(None), "a group may have that name"


def test_what_is_not_covered_is_named_permissions_first() -> None:
    other = Powers(
        frozenset({"seeGlobalJobs", "useProduction", "useSearch"}),
        projects=frozenset({ProjectRight(2, Level.READ), ProjectRight(1, Level.WRITE, frozenset({"g1"}), "g1")}),
        project_groups=frozenset({"g2", "g1"}),
    )
    held = {"createUserIn:g3"}
    assert first_gap(Powers(frozenset(held)), other) == Gap(permission="seeGlobalJobs")
    held |= {"seeGlobalJobs", "useProduction"}
    assert first_gap(Powers(frozenset(held)), other) == Gap(project=1)
    holder = Powers(frozenset(held), project_groups=frozenset({"g1"}))
    assert first_gap(holder, other) == Gap(project=2)
    holder = replace(holder, projects=frozenset({ProjectRight(2, Level.READ)}))
    assert first_gap(holder, other) == Gap(group="g2")
    assert first_gap(replace(holder, project_groups=frozenset({"g1", "g2"})), other) is None
