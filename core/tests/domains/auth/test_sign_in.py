"""Signing in and out, from the border."""

from __future__ import annotations

import base64
from typing import Any


def test_bearer(client: Any, as_user: Any) -> None:
    as_user(client, "marie", "Reader")
    answer = client.post("/api/auth/login", json={"email": "marie", "password": "correct horse battery"})
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"access_token", "email"}
    token = answer.json()["access_token"]
    assert client.post("/api/auth/logout", headers={"authorization": f"Bearer {token}"}).status_code == 204
    assert client.post("/api/auth/logout", headers={"authorization": f"Bearer {token}"}).status_code == 401
