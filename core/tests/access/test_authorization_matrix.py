"""Every route x every kind of caller (threats G1, G2): refused calls are sent through the whole application.

A caller without the rights that the rule requires gets 401, 403 or 404, whatever the request contains, and never 5xx.
That a caller with these rights is admitted is checked on the guard itself, so that no route changes or starts anything.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.route_operations import PROJECT, Operation, operations, refusal_status

from annotarium.access.permissions import catalogue
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME

ABSENT = "matrix-absent"
ACTORS: dict[str, tuple[str, ...]] = {
    "nobody-in-particular": (),
    "matrix-reader": ("Reader",),
    "matrix-writer": ("Annotator",),
    "matrix-owner": ("ProjectManager",),
    "matrix-admin": tuple(PREDEFINED_BY_NAME),
}


@pytest.fixture
def actors(client: Any, as_user: Any, make_project: Any) -> dict[str, Any]:
    return {name: as_user(client, name, *grants) for name, grants in ACTORS.items()}


@pytest.fixture(scope="module")
def seen() -> set[str]:
    return set()


@pytest.fixture
def project(make_project: Any, seen: set[str]) -> None:
    if PROJECT not in seen:
        seen.add(PROJECT)
        make_project(PROJECT, owner="matrix-owner", readers=("matrix-reader",), writers=("matrix-writer",))


def expected(operation: Operation, actor: str) -> int:
    """Return 0 if the caller is admitted, otherwise the status that the rule promises; computed from the grants
    alone.
    """
    rule = operation.rule
    if rule.anonymous:
        return 0
    held = set()
    for role in ACTORS[actor]:
        held |= PREDEFINED_BY_NAME[role].permissions
    reads = actor in ("matrix-reader", "matrix-writer", "matrix-owner", "matrix-admin")
    writes = actor in ("matrix-writer", "matrix-owner", "matrix-admin")
    if rule.project is not None and not reads:
        return 404
    if rule.project == "write" and not writes:
        return 403
    if rule.project is not None and rule.owner and actor == "matrix-owner":
        return 0
    _, values = operation.filled()
    answers = []
    for permission in rule.permissions:
        wanted = permission.format(**values)
        family = wanted.partition(":")[0]
        if wanted.endswith(":"):
            answers.append(any(one.startswith(wanted) for one in held))
        else:
            answers.append(wanted in held or (":" in wanted and f"{family}:*" in held))
    allowed = not answers or (any(answers) if rule.any_of else all(answers))
    return 0 if allowed else 403


def test_anonymous_callers(app: Any, client: Any, project: None) -> None:
    holes = []
    for operation in operations(app):
        if operation.rule.anonymous:
            continue
        for name in (PROJECT, ABSENT):
            status = client.request(operation.method, operation.filled(name)[0]).status_code
            if status != 401:
                holes.append((operation.method, operation.path, status))
    assert holes == []


@pytest.mark.parametrize("actor", list(ACTORS))
def test_signed_in_callers(app: Any, client: Any, actors: Any, project: None, actor: str) -> None:
    holes, caller, refused = [], actors[actor], 0
    for operation in operations(app):
        promise = expected(operation, actor)
        verdict = refusal_status(app, operation, caller)
        if promise:
            refused += 1
            verdict = caller.request(operation.method, operation.filled()[0]).status_code
        if verdict != promise:
            holes.append((operation.method, operation.path, f"promised {promise}, got {verdict}"))
    assert holes == []
    assert refused or actor == "matrix-admin"


def test_invisible_and_absent_projects_get_the_same_response(app: Any, client: Any, actors: Any, project: None) -> None:
    oracles, caller = [], actors["nobody-in-particular"]
    for operation in operations(app):
        if operation.rule.project is None:
            continue
        answers = [caller.request(operation.method, operation.filled(name)[0]) for name in (PROJECT, ABSENT)]
        bodies = [str({k: v for k, v in answer.json().items() if k != "errorId"}) for answer in answers]
        if [answer.status_code for answer in answers] != [404, 404] or bodies[0].replace(PROJECT, ABSENT) != bodies[1]:
            oracles.append((operation.method, operation.path, bodies))
    assert oracles == []


def test_each_permission_alone_decides_about_its_operations(
    app: Any, client: Any, as_user: Any, make_project: Any, project: None
) -> None:
    """G2: with all permissions but one: 403; with it: admitted. Only the permissions held decide, not the kind of
    user.
    """
    everything = set(catalogue())
    by_rule: dict[tuple[str, ...], list[Operation]] = {}
    for operation in operations(app):
        if operation.rule.permissions:
            alternatives = operation.rule.permissions
            groups = [alternatives] if operation.rule.any_of else [(permission,) for permission in alternatives]
            for group in groups:
                by_rule.setdefault(group, []).append(operation)
    holes = []
    for number, (permissions, found) in enumerate(sorted(by_rule.items())):
        families = {permission.partition(":")[0] for permission in permissions}
        rest = {one for one in everything if one.partition(":")[0] not in families}
        if "writeProject" in families:
            found = [operation for operation in found if operation.rule.project is None]
        for grants, status in ((rest, 403), (everything, 0)):
            username = f"matrix-without-{number}" if status else "matrix-with-all"
            caller = as_user(client, username, *grants)
            for operation in found:
                verdict = refusal_status(app, operation, caller)
                if status:
                    verdict = caller.request(operation.method, operation.filled()[0]).status_code
                if verdict != status:
                    holes.append((operation.method, operation.path, permissions, verdict))
    assert holes == []
