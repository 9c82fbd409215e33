"""What a restriction leaves of the rights of its user, permission by permission, and how it is stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotarium.access.restriction import (
    EFFECTS,
    PATTERN_MAX,
    Restriction,
    check_project_filter,
    make_restriction,
    parse_restriction,
)
from annotarium.errors import AccessDenied, InvalidInput

HELD = frozenset(
    {
        "createProject",
        "createUserIn:press",
        "assignRole:*",
        "writeGroup:press",
        "shareProject",
        "useProduction",
        "useAnnotator:crf",
        "readModeAnnot:manual",
        "readFacet:*",
        "readProject:films",
        "readProject:books",
        "writeProject:films",
        "writeProject:*",
    }
)
ORDINARY = {"createProject", "useProduction", "useAnnotator:crf", "readModeAnnot:manual", "readFacet:*"}
OPENING = {"readProject:films", "readProject:books", "writeProject:films", "writeProject:*"}
READING = {"readProject:films", "readProject:books", "readProject:*"}


@pytest.mark.parametrize(
    ("restriction", "left", "opening"),
    [
        (Restriction(), ORDINARY | OPENING | {"shareProject"}, OPENING),
        (Restriction(access_mode="chmod"), ORDINARY | OPENING | {"shareProject"}, OPENING),
        (Restriction(access_mode="write"), ORDINARY | OPENING, OPENING),
        (Restriction(access_mode="read"), ORDINARY | READING, READING),
        (
            Restriction(annotate_only=True),
            {"useProduction", "useAnnotator:crf", "readModeAnnot:manual"} | READING,
            READING,
        ),
        (
            Restriction(annotate_only=True, access_mode="write"),
            {"useProduction", "useAnnotator:crf", "readModeAnnot:manual"} | READING,
            READING,
        ),
        (
            Restriction(project_filter="film.*"),
            ORDINARY | {"shareProject", "readProject:films", "writeProject:films"},
            {"readProject:films", "writeProject:films", "writeProject:*"},
        ),
        (
            Restriction(project_filter="film.*", access_mode="read"),
            ORDINARY | {"readProject:films"},
            {"readProject:films", "readProject:*"},
        ),
        (Restriction(permissions=frozenset()), set(), set()),
        (
            # Of the chosen permissions, those that the user holds, with a `*` on either side.
            Restriction(
                permissions=frozenset(
                    {"createProject", "deleteProject", "readFacet:label", "readProject:*", "useAnnotator:*"}
                )
            ),
            {"createProject", "readFacet:label", "readProject:films", "readProject:books", "useAnnotator:crf"},
            {"readProject:films", "readProject:books"},
        ),
        (Restriction(permissions=frozenset({"readModeAnnot:all"})), {"readModeAnnot:manual"}, set()),
        (Restriction(permissions=frozenset({"readModeAnnot:*"})), set(), set()),
        (Restriction(permissions=frozenset({"createUserIn:press", "assignRole:Reader"})), set(), set()),
    ],
)
def test_permissions_left_by_a_restriction(restriction: Restriction, left: set[str], opening: set[str]) -> None:
    """Permissions over accounts are always removed; with a filter, no permission covers all projects; a read-only
    restriction removes all write permissions.
    """
    assert restriction.narrowed(HELD) == (left, opening)


@pytest.mark.parametrize(
    ("restriction", "furthest"),
    [
        (Restriction(annotate_only=True), "annotate"),
        (Restriction(annotate_only=True, access_mode="write"), "annotate"),
        (Restriction(access_mode="read"), "read"),
        (Restriction(access_mode="write"), "write"),
        (Restriction(access_mode="chmod"), "chmod"),
        (Restriction(), "chmod"),
    ],
)
def test_a_restriction_admits_effects_up_to_its_own(restriction: Restriction, furthest: str) -> None:
    """No restriction allows changes of accounts."""
    assert restriction.effect == furthest
    for effect in EFFECTS:
        if EFFECTS.index(effect) <= EFFECTS.index(furthest):  # type: ignore[arg-type]
            restriction.require_effect(effect)
            continue
        with pytest.raises(AccessDenied) as refused:
            restriction.require_effect(effect)
        assert furthest in str(refused.value.cause)


@pytest.mark.parametrize(
    ("restriction", "facts"),
    [
        (Restriction(), None),
        (Restriction(access_mode="chmod"), None),
        (Restriction(access_mode="read"), {"projectAccessMode": "read"}),
        (Restriction(annotate_only=True), {"annotateOnly": True}),
        (Restriction(project_filter="a.*"), {"projectFilter": "a.*"}),
        (Restriction(permissions=frozenset()), {"permissions": []}),
        (
            Restriction("a.*", "write", True, frozenset({"b", "a"})),
            {"annotateOnly": True, "permissions": ["a", "b"], "projectAccessMode": "write", "projectFilter": "a.*"},
        ),
    ],
)
def test_a_stored_restriction_is_parsed_back_unchanged(restriction: Restriction, facts: dict[str, Any] | None) -> None:
    """A restriction that allows no permission is stored as such, and not as one that allows all."""
    assert restriction.text == ("" if facts is None else json.dumps(facts, separators=(",", ":")))
    if facts is not None:
        assert parse_restriction(restriction.text) == restriction


def test_a_filter_matches_whole_names() -> None:
    either = Restriction(project_filter="films|press")
    assert [name for name in ("films", "press", "films2", "a-press", "film", "films\n", "") if either.opens(name)] == [
        "films",
        "press",
    ]
    assert Restriction().opens("anything")
    assert not Restriction(project_filter="a").opens("A")


@pytest.mark.parametrize("pattern", ["", " \t", "(", "a)|(b", r"(a)\1", "(?=a)", "a" * (PATTERN_MAX + 1)])
def test_an_invalid_filter_expression_is_refused_with_its_field(pattern: str) -> None:
    for refuse in (lambda: check_project_filter(pattern), lambda: make_restriction(project_filter=pattern)):
        with pytest.raises(InvalidInput) as refused:
            refuse()
        assert refused.value.details and refused.value.details[0]["field"] == "projectFilter"
        assert str(refused.value.cause)
        assert refused.value.details[0]["message"] == refused.value.cause


def test_the_longest_filter_is_accepted_and_errors_name_the_field_of_the_caller() -> None:
    check_project_filter("a" * PATTERN_MAX)
    with pytest.raises(InvalidInput) as refused:
        check_project_filter("(", "filter")
    assert refused.value.details and refused.value.details[0]["field"] == "filter"
    assert not str(refused.value.cause).startswith("error")
    assert "\n" not in str(refused.value.cause)


def test_a_restriction_is_created_from_its_arguments() -> None:
    assert make_restriction() == Restriction()
    made = make_restriction(project_filter="a", access_mode="read", annotate_only=True, permissions=["useSearch"])
    assert made == Restriction("a", "read", True, frozenset({"useSearch"}))
    assert make_restriction(permissions=[]).permissions == frozenset()
    assert make_restriction(no_permissions=True).permissions == frozenset()
    assert make_restriction(no_permissions=True, permissions=["useSearch"]).permissions == frozenset()
    with pytest.raises(InvalidInput) as refused:
        make_restriction(permissions=["useSearch", "fly" * 100])
    assert refused.value.details and refused.value.details[0]["field"] == "permissions"
    assert len(refused.value.message) < 120, "what was sent is cut"
