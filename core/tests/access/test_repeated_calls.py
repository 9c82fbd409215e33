"""An Idempotency-Key belongs to one call of one user: its route, its arguments, the restriction of its token."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def writer(client: Any, as_user: Any) -> Any:
    return as_user(client, "writer", "ProjectManager")


def test_a_key_of_one_project_is_no_key_of_another(writer: Any, make_project: Any) -> None:
    """The same body under the same key, sent to another address: it is another call, and nothing is lost in silence."""
    first, second = (make_project(owner="writer").name for _ in range(2))
    body, key = {"name": "place", "label": "Place"}, {"Idempotency-Key": "one-key"}
    made = writer.post(f"/api/projects/{first}/labels", json=body, headers=key)
    assert made.status_code == 200, made.text
    again = writer.post(f"/api/projects/{first}/labels", json=body, headers=key)
    assert (again.status_code, again.json()) == (200, made.json())
    other = writer.post(f"/api/projects/{second}/labels", json=body, headers=key)
    assert other.status_code == 400
    assert [label["name"] for label in writer.get(f"/api/projects/{second}/labels").json()] == []
