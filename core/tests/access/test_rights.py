"""Rights of one caller: permissions by name and family, rights on projects, and what a restriction leaves of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotarium.access.restriction import Restriction
from annotarium.access.rights import Access, ProjectRights
from annotarium.db.models import Project
from annotarium.errors import AccessDenied

PROJECT = Project(id=3, name="films", owner_id=5, group_id=9)


def caller(*permissions: str, **more: Any) -> Access:
    return Access(1, "ann", permissions=frozenset(permissions), **more)


@pytest.mark.parametrize(
    ("held", "asked", "allowed"),
    [
        ("useSearch", "useSearch", True),
        ("useSearch", "useSearc", False),
        ("readFacet:*", "readFacet:label", True),
        ("readFacet:label", "readFacet:label", True),
        ("readFacet:label", "readFacet:*", False),
        ("readFacet:label", "readFacet:split", False),
        ("readFacet:*", "readFacet", False),
        ("readFacet", "readFacet:label", False),
        (":*", "useSearch", False),
        ("useSearch:*", "useSearch", False),
        ("readModeAnnot:all", "readModeAnnot:manual", True),
        ("readModeAnnot:*", "readModeAnnot:manual", False),
        ("readFacet:all", "readFacet:label", False),
    ],
)
def test_a_permission_is_held_by_name_or_by_family(held: str, asked: str, allowed: bool) -> None:
    access = caller(held)
    assert access.can(asked) is allowed
    assert access.can_any(["deleteProject", asked]) is allowed
    if allowed:
        access.require(asked)
        return
    with pytest.raises(AccessDenied) as refused:
        access.require(asked)
    assert asked in str(refused.value.cause)


def test_an_empty_choice_of_permissions_is_not_held() -> None:
    assert not caller("useSearch").can_any([])


def test_families_and_the_names_in_them() -> None:
    access = caller("createUserIn:press", "createUserIn:law", "createUserInside:x", "useSearch")
    assert access.names_of("createUserIn") == {"press", "law"}
    assert access.holds_family("createUserIn") and access.is_user_administrator
    assert not access.holds_family("createUser") and not access.is_platform_user_administrator
    assert caller("createUserIn:*").is_platform_user_administrator
    assert not caller("createUserIn").is_user_administrator


@pytest.mark.parametrize(
    ("access", "rights"),
    [
        (Access(5, "owner"), ProjectRights(True, True, True)),
        (caller(administered_group_ids=frozenset({9})), ProjectRights(True, True, True)),
        (caller(administered_group_ids=frozenset({8})), ProjectRights()),
        (caller(shared_write=frozenset({3})), ProjectRights(True, True, False)),
        (caller(shared_write=frozenset({4})), ProjectRights()),
        (caller(shared_read=frozenset({3})), ProjectRights(True, False, False)),
        (caller("readProject:films"), ProjectRights(True, False, False)),
        (caller("readProject:*"), ProjectRights(True, False, False)),
        (caller("readProject:film"), ProjectRights()),
        (caller("writeProject:films"), ProjectRights(True, True, False)),
        (caller("writeProject:*"), ProjectRights(True, True, False)),
        (caller("writeProject:other"), ProjectRights()),
        (caller(group_ids=frozenset({9})), ProjectRights()),
    ],
)
def test_rights_on_a_project_and_on_a_locked_project(access: Access, rights: ProjectRights) -> None:
    """A locked project stays readable for those who may write it."""
    assert access.rights_on(PROJECT) == rights
    locked = replace(access, locked_project_ids=frozenset({3}))
    assert locked.rights_on(PROJECT) == replace(rights, write=False)
    assert replace(access, locked_project_ids=frozenset({4})).rights_on(PROJECT) == rights


def test_a_project_without_an_owner_is_owned_by_no_account() -> None:
    for access in (Access(0, ""), caller()):
        assert access.rights_on(Project(id=4, name="q", owner_id=None, group_id=None)) == ProjectRights()
    assert Access(0, "").rights_on(Project(id=4, name="q", owner_id=0, group_id=None)) == ProjectRights()


def test_a_restriction_never_grants() -> None:
    owner = Access(5, "owner", permissions=frozenset({"useSearch", "readProject:*"}), roles=frozenset({"Reader"}))
    reading = owner.narrowed(Restriction(access_mode="read"))
    assert reading.rights_on(PROJECT) == ProjectRights(True, False, True)
    assert owner.narrowed(Restriction(annotate_only=True)).rights_on(PROJECT).write is False
    assert owner.narrowed(Restriction(access_mode="write")).rights_on(PROJECT).write is True
    elsewhere = owner.narrowed(Restriction(project_filter="books.*"))
    assert elsewhere.rights_on(PROJECT) == ProjectRights()
    assert not elsewhere.opens("films") and elsewhere.opens("books-1") and owner.opens("films")
    with pytest.raises(AccessDenied):
        elsewhere.require_opens("films")
    elsewhere.require_opens("books-1")
    assert owner.restriction_text == "" and elsewhere.restriction_text == elsewhere.restriction.text  # type: ignore[union-attr]
    fewer = owner.narrowed(Restriction(permissions=frozenset({"useSearch", "deleteProject"})))
    assert fewer.can("useSearch") and not fewer.can("deleteProject")
    assert (fewer.roles, reading.roles) == (frozenset(), {"Reader"})


def test_a_filter_limits_permissions_over_all_projects() -> None:
    """No permission covers all projects any more; the projects within the filter stay accessible."""
    access = caller("readProject:*", "writeProject:*", "useSearch").narrowed(Restriction(project_filter="film.*"))
    assert access.rights_on(PROJECT) == ProjectRights(True, True, False)
    assert access.rights_on(project_named("books")) == ProjectRights()
    assert not access.can("readProject:*") and not access.can("writeProject:films") and access.can("useSearch")
    assert access.reads_all_projects and access.project_permissions == {"readProject:*", "writeProject:*"}
    reading = caller("writeProject:*").narrowed(Restriction(access_mode="read", project_filter="film.*"))
    assert reading.rights_on(PROJECT) == ProjectRights(True, False, False)
    assert not caller("readProject:films").reads_all_projects
    assert caller("readProject:films").project_permissions == {"readProject:films"}


def project_named(name: str) -> Project:
    return Project(id=3, name=name, owner_id=5, group_id=9)


def test_access_without_permissions_beyond_the_own_account_is_minimal() -> None:
    assert caller().is_minimal is True
    assert caller("seeLogout", "seeUserProfile").is_minimal is True
    assert caller("seeLogout", "useSearch").is_minimal is False
    assert caller("readProject:films").is_minimal is False
