"""An Idempotency-Key belongs to one call of one user: its route, its arguments and the restriction of its token."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def writer(client: Any, as_user: Any) -> Any:
    return as_user(client, "writer", "ProjectManager")


def test_an_idempotency_key_reused_in_another_project_is_refused(writer: Any, make_project: Any) -> None:
    """The same body and key, sent to another project: refused, not answered with the first response."""
    first, second = (make_project(owner="writer").name for _ in range(2))
    body, key = {"name": "place", "label": "Place"}, {"Idempotency-Key": "one-key"}
    made = writer.post(f"/api/projects/{first}/labels", json=body, headers=key)
    assert made.status_code == 200, made.text
    again = writer.post(f"/api/projects/{first}/labels", json=body, headers=key)
    assert (again.status_code, again.json()) == (200, made.json())
    other = writer.post(f"/api/projects/{second}/labels", json=body, headers=key)
    assert other.status_code == 400
    assert [label["name"] for label in writer.get(f"/api/projects/{second}/labels").json()] == []


def test_an_idempotency_key_is_scoped_to_the_restriction_of_the_token(
    writer: Any, client: Any, make_project: Any
) -> None:
    """The stored response of a full token is not returned to a restricted one; each gets its own response again."""
    project = make_project(owner="writer").name
    body = {"label": "narrow", "projectFilter": project, "projectAccessMode": "write"}
    made = writer.post("/api/users/writer/keys", json=body)
    assert made.status_code == 200, made.text
    client.cookies.clear()
    narrow = {"X-Kairntech-key": made.json()["key"]}
    path, key = f"/api/projects/{project}/labels", {"Idempotency-Key": "shared"}
    first = writer.post(path, json={"name": "one", "label": "One"}, headers=key)
    second = client.post(path, json={"name": "two", "label": "Two"}, headers=key | narrow)
    assert (first.status_code, second.status_code) == (200, 200), second.text
    again = client.post(path, json={"name": "two", "label": "Two"}, headers=key | narrow)
    assert (again.status_code, again.json()) == (200, second.json())
    assert client.post(path, json={"name": "six", "label": "Six"}, headers=key | narrow).status_code == 400
