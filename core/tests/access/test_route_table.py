"""The table of all routes and who may call them, pinned (DESIGN 4.4, threats G2).

A route that is added, removed or opened further fails here until the table says so too:

    ANNOTARIUM_UPDATE_ROUTE_TABLE=1 pytest core/tests/access/test_route_table.py

and the change of `route_table.json` is read like any other change.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from annotarium.access.permissions import is_permission
from annotarium.app import declared_routes

TABLE = Path(__file__).parent / "route_table.json"


def rows(app: Any) -> dict[str, dict[str, Any]]:
    """`METHOD /path` -> its rule; what is False or empty is left out."""
    table = {}
    for method, path, rule in declared_routes(app):
        assert rule is not None, path
        row = {
            "permissions": list(rule.permissions),
            "anyOf": rule.any_of,
            "project": rule.project,
            "writes": rule.write,
            "anonymous": rule.anonymous,
            "idempotent": rule.idempotent,
            "owner": rule.owner,
            "effect": rule.effect,
            "versioned": rule.versioned,
        }
        table[f"{method} {path}"] = {key: value for key, value in row.items() if value}
    return dict(sorted(table.items(), key=lambda item: (item[0].split()[1], item[0])))


@pytest.mark.skipif("ANNOTARIUM_TEST_DOMAINS" in os.environ, reason="only some domains are loaded")
def test_every_route_is_in_the_table(app: Any) -> None:
    present = rows(app)
    assert present, "the walk over the routes found none"
    if os.environ.get("ANNOTARIUM_UPDATE_ROUTE_TABLE"):
        lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in present.items()]
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    pinned = json.loads(TABLE.read_text())
    added = sorted(set(present) - set(pinned))
    removed = sorted(set(pinned) - set(present))
    changed = {
        name: (pinned[name], present[name]) for name in pinned if name in present and pinned[name] != present[name]
    }
    assert (added, removed, changed) == ([], [], {})


def test_rules_name_permissions_that_exist(app: Any) -> None:
    for name, row in rows(app).items():
        for permission in row.get("permissions", []):
            family = permission.endswith(":")
            assert is_permission(f"{permission}x" if family else permission), f"{name}: {permission}"


def test_routes_open_to_everybody_are_few(app: Any) -> None:
    """permissions.md 6: configuration, build facts, sign-in, health; nothing of a project."""
    allowed = {
        "GET /api/health/live",
        "GET /api/health/ready",
        "GET /api/swagger-ui/buildInfo.json",
        "GET /api/ui-config",
        "POST /api/auth/login",
    }
    opened = {name for name, row in rows(app).items() if row.get("anonymous") and not name.startswith("SOCKET")}
    others = {name for name in opened - allowed if "sample" not in name and "theme" not in name}
    assert others == set()
    assert not [name for name in opened if "/projects/" in name]
