"""All operations of the application, for tests that cover the whole route table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from annotarium.access.guard import Rule, find_call_refusal
from annotarium.app import declared_routes

PROJECT = "matrix-project"


@dataclass(frozen=True)
class Operation:
    """One method of one route."""

    method: str
    path: str
    rule: Rule

    def filled(self, project: str = PROJECT) -> tuple[str, dict[str, str]]:
        """Return its path with parameters filled in, and their values."""
        names = re.findall(r"{(\w+)(?::\w+)?}", self.path)
        values = {name: project if name == "project_name" else "1" for name in names}
        return re.sub(r"{(\w+)(?::\w+)?}", lambda found: values[found[1]], self.path), values


def operations(app: Any) -> Iterator[Operation]:
    for method, path, rule in declared_routes(app):
        assert rule is not None
        if method not in ("HEAD", "OPTIONS", "SOCKET"):
            yield Operation(method, path, rule)


def refusal_status(app: Any, operation: Operation, caller: Any) -> int:
    """Return 0, or the status with which the guard refuses the caller."""
    address, values = operation.filled()
    scope = {
        "type": "http",
        "method": operation.method,
        "path": address,
        "query_string": b"",
        "path_params": values,
        "headers": [(b"authorization", caller.headers["Authorization"].encode())],
        "server": ("studio.test", 80),
        "scheme": "http",
        "client": ("test", 1),
    }
    error = find_call_refusal(Request(scope), operation.rule)
    return error.status if error else 0
