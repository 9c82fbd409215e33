"""The table of all routes with their callers and limits, pinned (ARCHITECTURE, Access).

A route that is added, removed or opened further fails here until the table is updated:

    ANNOTARIUM_UPDATE_ROUTE_TABLE=1 pytest core/tests/access/test_route_table.py

The change of `route_table.json` is reviewed like any other change.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from annotarium.access.guard import Rule
from annotarium.access.permissions import is_permission
from annotarium.access.request_limits import ANONYMOUS, STANDARD
from annotarium.app import declared_routes

TABLE = Path(__file__).parent / "route_table.json"


def _limits(rule: Rule, method: str) -> dict[str, Any]:
    """Return the class of limits; `bodyBytes` is null for files, which are streamed to disk and limited one by one."""
    limits = rule.limits
    row: dict[str, Any] = {"class": limits.name, "inFlight": limits.at_once}
    if method not in ("GET", "HEAD", "SOCKET"):
        row |= {"bodyBytes": limits.body_bytes, "bodyValues": limits.body_values}
    return row


def rows(app: Any) -> dict[str, dict[str, Any]]:
    """Map `METHOD /path` to its rule, without values that are False or empty."""
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
            "unthrottled": rule.unthrottled_permission,
            "limits": _limits(rule, method),
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


def test_open_routes_are_the_listed_ones(app: Any) -> None:
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


def test_open_routes_accept_small_bodies_only(app: Any) -> None:
    """A caller without an account may send at most 64 kB and a thousand values."""
    for name, row in rows(app).items():
        if row.get("anonymous") and "bodyBytes" in row["limits"]:
            assert row["limits"]["bodyBytes"] <= ANONYMOUS.body_bytes, name
            assert row["limits"]["bodyValues"] <= ANONYMOUS.body_values, name


def test_only_file_and_document_routes_accept_more_than_a_megabyte(app: Any) -> None:
    bodies = {name: row["limits"]["bodyBytes"] for name, row in rows(app).items() if "bodyBytes" in row["limits"]}
    large = [name for name, size in bodies.items() if size is None or size > STANDARD.body_bytes]
    known = ("annotate", "lexicons/", "_load", "_import", "_restore", "uploads", "/documents", "plans/_try")
    assert [name for name in large if not any(part in name for part in known)] == []
