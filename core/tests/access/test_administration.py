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
