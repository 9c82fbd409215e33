"""Restrictions of tokens (`POST /auth/login`) over the whole route table: refused, or within the restriction.

The required effect of each route is derived here from its method and path alone, not from what the server declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.route_operations import Operation, operations, refusal_status

from annotarium.access import passwords
from annotarium.access.permissions import catalogue
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.access.repository import find_user_id, read_rights_revision
from annotarium.access.restriction import EFFECTS, make_restriction
from annotarium.access.rights import Access
from annotarium.access.user_rights_cache import cache, read_access
from annotarium.access.visibility import readable_creation_modes
from annotarium.db.database import get_database
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work

PASSWORD = "correct horse battery"
INSIDE, OUTSIDE, ABSENT = "matrix-project", "hidden-project", "hidden-absent"
KINDS = {
    "read": {"projectAccessMode": "read"},
    "write": {"projectAccessMode": "write"},
    "annotate": {"annotateOnly": "true"},
    "filter": {"projectFilter": "matrix-.*"},
    "none": {"noPermissions": "true"},
}
CEILINGS = {"read": "read", "write": "write", "annotate": "annotate", "filter": "chmod", "none": "chmod"}
ANNOTATING = (
    r"POST .*/_(annotate|format)(_text|_binary|_documents|_format_text|_format_binary|_format_documents)?$",
    r"GET .*/annotators_by_type$",
    r"GET /api/current_user$",
    r"POST /api/auth/logout$",
    r"GET /api/jobs/{job_id}$",
    r"GET .*/job/{job_id}$",
    r"POST .*/job/{job_id}/_wait$",
)
READING = (
    r"(GET|SOCKET) ",
    r"POST .*/(_search|_do_search|_similar|_count|_count_creators|_context|_search_and_count)$",
    r"POST .*/(_export|_export_models|_search_and_export|_export_async|_search_and_export_async)$",
    r"POST .*/(_label_hint|_consequences|_default|_try|_did_you_mean|_next_unfinished|_estimate|_compare)$",
    r"POST .*/lexicons/{lexicon_name}/(_get_term|_children)$",
    r"POST .*/answers/{result_id}/_stop$",
    r"POST /api/projects/{project_name}/.*/_sample$",
    r"POST .*/lexicons/{lexicon_name}/(_get_term|_children)$",
    r"(POST|DELETE) /api/(projects/(_deploy|_undeploy|_enroll_databases)|_external_resources)$",  # no effect
)
WRITING = (r"GET .*/comments/_people$",)  # whom a comment may mention
ACCOUNTS = (
    r"(POST|PATCH|PUT|DELETE) /api/(users|groups|roles)",
    r"GET /api/users/{username}/(keys|sign_ins)",
    r"POST /api/invitations/(_preview|_accept)$",  # a share of the account that would outlive the token
)
SHARING = (
    r"(POST|DELETE) .*/(shares/.*|_chown|_chgrp|_batch_chown_and_share)$",
    r"(GET|POST|DELETE) .*/invitations(/.*)?$",
)


def effect_of(operation: Operation) -> str:
    words = f"{operation.method} {operation.path}"
    for effect, patterns in (
        ("annotate", ANNOTATING),
        ("account", ACCOUNTS),
        ("chmod", SHARING),
        ("write", WRITING),
        ("read", READING),
    ):
        if any(re.match(pattern, words) for pattern in patterns):
            return effect
    return "write"


class Token:
    """A client that sends one token and no other credentials."""

    def __init__(self, client: Any, token: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {token}"}

    def request(self, method: str, path: str, **arguments: Any) -> Any:
        self.client.cookies.clear()
        return self.client.request(method, path, headers=self.headers | arguments.pop("headers", {}), **arguments)


def token(client: Any, username: str, **query: str) -> Token:
    answer = client.post("/api/auth/login", params=query, json={"email": username, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return Token(client, answer.json()["access_token"])


@pytest.fixture(scope="module")
def seen() -> set[str]:
    return set()


@pytest.fixture(autouse=True)
def chief(client: Any, as_user: Any, make_project: Any, seen: set[str]) -> Iterator[None]:
    passwords.limiter.forget_all()
    as_user(client, "chief", *PREDEFINED_BY_NAME)
    if not seen:
        seen.add("made")
        for name in (INSIDE, OUTSIDE):
            make_project(name, owner="chief")
    yield
    client.cookies.clear()


def revoked(kind: str, permission: str) -> bool:
    """Whether the restriction removes this permission of a route, although the user holds all permissions."""
    family = permission.partition(":")[0]
    if family in ("createUserIn", "writeGroup", "assignRole") or kind in ("none", "annotate"):
        return True
    if kind in ("read", "write") and permission == "shareProject":
        return True
    return family == "writeProject" and kind in ("read", "filter")


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_route_is_refused_or_within_the_restriction(app: Any, client: Any, kind: str) -> None:
    caller, holes, refused = token(client, "chief", **KINDS[kind]), [], 0
    for operation in operations(app):
        if operation.rule.anonymous:
            continue
        effect, rule = effect_of(operation), operation.rule
        verdict = refusal_status(app, operation, caller)
        too_far = EFFECTS.index(effect) > EFFECTS.index(CEILINGS[kind])  # type: ignore[arg-type]
        missing = [revoked(kind, permission) for permission in rule.permissions]
        lacks = bool(missing) and (all if rule.any_of else any)(missing) and not rule.owner
        if too_far or lacks:
            refused += 1
            if verdict == 403:
                verdict = caller.request(operation.method, operation.filled()[0]).status_code
            if verdict != 403:
                holes.append((operation.method, operation.path, effect, f"not refused: {verdict}"))
        elif verdict:
            holes.append((operation.method, operation.path, effect, f"refused: {verdict}"))
    assert holes == []
    assert refused > 10


def test_a_filter_hides_all_other_projects_from_every_route(app: Any, client: Any) -> None:
    """As if they did not exist: by address, in lists and in error messages."""
    caller, holes = token(client, "chief", **KINDS["filter"]), []
    for operation in operations(app):
        if operation.rule.anonymous:
            continue
        if operation.rule.project is None:
            if operation.method != "GET":
                continue
            answer = caller.request("GET", operation.filled()[0])
            if OUTSIDE in answer.text:
                holes.append((operation.method, operation.path, "names it"))
            continue
        answers = [caller.request(operation.method, operation.filled(name)[0]) for name in (OUTSIDE, ABSENT)]
        bodies = [str({k: v for k, v in answer.json().items() if k != "errorId"}) for answer in answers]
        if [one.status_code for one in answers] != [404, 404] or bodies[0].replace(OUTSIDE, ABSENT) != bodies[1]:
            holes.append((operation.method, operation.path, bodies[0][:200]))
    assert holes == []
    names = [one["name"] for one in caller.request("GET", "/api/projects").json()]
    assert names == [INSIDE]
    principal = caller.request("GET", "/api/users/chief?jwtFormat=true").json()
    assert {one for one in principal["permissions"] if "Project:" in one} == {
        f"readProject:{INSIDE}",
        f"writeProject:{INSIDE}",
    }


def test_a_restriction_never_adds_rights(client: Any) -> None:
    """For every restriction: each remaining permission and each remaining right on a project was held before."""
    everything = catalogue()
    projects = [Project(id=n, name=name, owner_id=n, group_id=n) for n, name in enumerate(("a", "ab", "b"), 1)]
    callers = [
        Access(user_id=1, username="x", permissions=frozenset(everything)),
        Access(user_id=9, username="x", permissions=frozenset({"readProject:a", "writeProject:ab", "writeLabel"})),
        Access(
            user_id=9, username="x", permissions=frozenset({"readModeAnnot:automatic"}), shared_write=frozenset({3})
        ),
    ]
    choices = (None, [], ["writeLabel", "readProject:*"], ["writeProject:a", "readModeAnnot:manual"], everything)
    restrictions = [
        make_restriction(project_filter=pattern, access_mode=mode, annotate_only=only, permissions=chosen)
        for pattern in (None, "a.*", "zzz")
        for mode in (None, "read", "write", "chmod")
        for only in (False, True)
        for chosen in choices
    ]
    for access in callers:
        modes = readable_creation_modes(access)
        for restriction in restrictions:
            narrow = access.narrowed(restriction)
            told = {one for one in narrow.permissions if not one.startswith("readModeAnnot")}
            # Writing a project includes reading it: for a read-only token, the read permission replaces the write
            # permission.
            grown = [one for one in told if not access.can(one) and not access.can(one.replace("read", "write", 1))]
            assert grown == []
            left = readable_creation_modes(narrow)
            assert modes is None or (left is not None and left <= modes)
            for project in projects:
                before, after = access.rights_on(project), narrow.rights_on(project)
                assert (before.read, before.write, before.owner) >= (after.read, after.write, after.owner)
                assert before.read or not after.read
                assert before.write or not after.write
                assert after.read or not after.write


def test_restricted_rights_are_cached_until_rights_change(client: Any) -> None:
    database = get_database()
    with unit_of_work(actor="tests", write=False) as unit:
        user_id = find_user_id(unit.session, "chief")
        assert user_id is not None
        text = '{"projectAccessMode":"read"}'
        access = read_access(unit.session, user_id, text)
    revision, _ = read_rights_revision(database, None)
    subject = cache.subject(database, user_id, revision)
    assert subject is not None
    assert cache.access(subject, text) == access
    assert cache.access(subject, text) is cache.access(subject, text)
    assert cache.access(subject, "") is subject.access
