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


def test_a_key_under_a_narrow_token_is_one_of_its_own(writer: Any, client: Any, make_project: Any) -> None:
    """What a full token was answered is not for a narrow one; each is answered twice alike."""
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
