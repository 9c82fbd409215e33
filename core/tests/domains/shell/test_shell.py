"""The first requests of the web app."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from annotarium.db import disk_full
from annotarium.domains.shell import health
from annotarium.settings import Settings, get_settings


def test_configuration_needs_no_sign_in(client: Any) -> None:
    """C-001, C-042: session length and password length are published here; no sign-in needed."""
    answer = client.get("/api/ui-config")
    assert answer.status_code == 200
    body = answer.json()
    assert body["session"] == {"expiresInMinutes": 480}
    assert body["passwordPolicy"] == {"minLength": 8}
    assert body["maxLabelsCount"] == 100
    assert body["available"]["natures"] == ["sequence_labelling", "classification", "question_answering"]
    assert body["documentLevelAccessControl"] == {"enabled": False, "showWarningMessage": False}
    assert body["annotationDetails"] == {"entityFishing": False, "wikipediaImage": False}
    assert (body["sso"], body["airGapped"]) == (False, False)


def test_configuration_follows_the_settings(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "air_gapped", True)
    monkeypatch.setattr(get_settings(), "session_minutes", 0)
    monkeypatch.setattr(get_settings(), "password_min_length", 12)
    body = client.get("/api/ui-config").json()
    assert body["airGapped"] is True
    assert body["session"] == {"expiresInMinutes": 0}
    assert body["passwordPolicy"] == {"minLength": 12}


def test_notices_come_from_the_settings(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the back button and the notices of the web app: absent unless the operator sets them."""
    plain = client.get("/api/ui-config").json()
    assert (plain["aiUsageWarning"], plain["userFeedbacks"]) == (False, False)
    assert {"corporation", "backButton"}.isdisjoint(plain)
    told = {"ai_usage_warning": True, "user_feedbacks": True, "corporation": "Press & Co", "back_button": "/portal"}
    for name, value in (told | {"document_level_access": True}).items():
        monkeypatch.setattr(get_settings(), name, value)
    body = client.get("/api/ui-config").json()
    assert (body["aiUsageWarning"], body["userFeedbacks"], body["corporation"]) == (True, True, "Press & Co")
    assert body["backButton"] == "/portal"
    assert body["documentLevelAccessControl"] == {"enabled": True, "showWarningMessage": True}
    monkeypatch.setattr(get_settings(), "document_level_access_warning", False)
    body = client.get("/api/ui-config").json()
    assert body["documentLevelAccessControl"] == {"enabled": True, "showWarningMessage": False}
    assert [Settings(back_button=address).back_button for address in ("https://portal.example.org/a", "/portal")] == [
        "https://portal.example.org/a",
        "/portal",
    ]
    with pytest.raises(ValidationError):
        Settings(back_button="javascript:alert(1)")


def test_build_facts(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNOTARIUM_IMAGE_TAG", "1.2.3")
    body = client.get("/api/swagger-ui/buildInfo.json").json()
    assert body["imageTags"] == {"annotarium": "1.2.3"}
    assert body["version"]
    assert body["buildId"]


def test_current_user(client: Any, as_user: Any) -> None:
    assert client.get("/api/current_user").status_code == 401
    assert as_user(client, "marie").get("/api/current_user").json() == {"username": "marie", "ssoLogin": False}


def test_there_are_no_identity_provider_groups(client: Any, as_user: Any) -> None:
    """E-050: 404 if there are none."""
    assert client.get("/api/oauth2/me/idp-groups").status_code == 401
    assert as_user(client, "marie").get("/api/oauth2/me/idp-groups").status_code == 404


def test_health(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/api/health/live").json()["status"] == "ok"
    assert client.get("/api/health/ready").json()["parts"].keys() == {"record", "queue", "index", "disk"}
    monkeypatch.setattr(health, "_probes", {})
    ready = client.get("/api/health/ready")
    assert (ready.status_code, ready.json()["parts"]) == (200, {"record": {"ok": True, "message": ""}})

    def broken() -> None:
        raise ConnectionError("unix:///secret/path")

    health.register_health_probe("queue", broken)
    ready = client.get("/api/health/ready")
    assert (ready.status_code, ready.json()["status"]) == (503, "failing")
    assert ready.json()["parts"]["queue"]["ok"] is False
    assert "secret" not in ready.text
    health.register_health_probe("disk", disk_full.require_disk_space)
    monkeypatch.setattr(disk_full, "MIN_FREE_BYTES", 1 << 62)
    disk = client.get("/api/health/ready").json()["parts"]["disk"]
    assert disk == {"ok": False, "message": "The disk that holds the data is full"}


def test_an_empty_response_has_no_content_type(client: Any, as_user: Any) -> None:
    """A 204 response: clients that read the content type would parse an empty body as JSON."""
    answer = as_user(client, "marie").post("/api/auth/logout")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-type" not in answer.headers
