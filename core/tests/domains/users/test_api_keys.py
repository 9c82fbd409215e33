"""API keys: shown once, restricted like tokens, listed without the key, revoked immediately."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, select

from annotarium.access import api_key_usage
from annotarium.access.api_keys import KEYS_MAX
from annotarium.access.user_rights_cache import cache
from annotarium.db.database import get_database
from annotarium.db.models import ApiKey, AuditEntry, IdempotencyKey
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_api_keys import create_key

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")
PASSWORD = "correct horse battery"
KEYS, ME = "/api/users/marie/keys", "/api/current_user"


@pytest.fixture
def marie(client: Any, as_user: Any) -> Any:
    client.cookies.clear()
    with unit_of_work(actor="tests", write=True) as unit:
        for row in unit.session.scalars(select(ApiKey)):
            unit.session.delete(row)
    api_key_usage.forget_noted_uses()
    return as_user(client, "marie", "ProjectManager")


def make(caller: Any, status: int = 200, **body: Any) -> Any:
    answer = caller.post(KEYS, json={"label": "nightly import"} | body)
    assert answer.status_code == status, answer.text
    return answer.json()


def with_key(client: Any, key: str, path: str = ME) -> int:
    return client.get(path, headers={"X-Kairntech-key": key}).status_code  # type: ignore[no-any-return]


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def test_a_key_is_shown_once_and_revoked_immediately(client: Any, marie: Any) -> None:
    made = make(marie, projectFilter="press.*", projectAccessMode="read", expiresAt=in_days(30))
    key = made.pop("key")
    assert key.startswith("ann_")
    assert with_key(client, key) == 200
    (listed,) = marie.get(KEYS).json()
    assert listed == made
    assert listed["projectFilter"] == "press.*"
    assert (listed["annotateOnly"], listed["noPermissions"], listed["expired"]) == (False, False, False)
    assert "lastUsedAt" not in listed
    assert key not in marie.get(KEYS).text
    assert marie.delete(f"{KEYS}/{made['identifier']}").status_code == 200
    assert with_key(client, key) == 401
    assert marie.get(KEYS).json() == []
    assert marie.delete(f"{KEYS}/{made['identifier']}").status_code == 404
    with unit_of_work(actor="tests", write=False) as unit:
        entries = unit.session.scalars(select(AuditEntry).where(AuditEntry.action.startswith("key."))).all()
        assert [entry.action for entry in entries][-2:] == ["key.create", "key.revoke"]
        assert key not in str([entry.details for entry in entries])


def test_use_of_a_key_is_recorded_rarely_and_outside_requests(client: Any, marie: Any) -> None:
    key = make(marie)["key"]
    with_key(client, key)
    statements: list[str] = []
    engine = get_database().write_engine

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        assert [with_key(client, key) for _ in range(5)] == [200] * 5
        assert not [one for one in statements if "api_keys" in one]
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert api_key_usage.write_noted_uses() == 1
    assert marie.get(KEYS).json()[0]["lastUsedAt"]
    with_key(client, key)
    assert api_key_usage.write_noted_uses() == 0, "once an hour"


def test_an_expired_key_is_refused_and_listed(client: Any, marie: Any) -> None:
    made = make(marie, expiresAt=in_days(1))
    assert with_key(client, made["key"]) == 200
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get(ApiKey, int(made["identifier"]))
        assert row is not None
        row.expires_at = 1_000

    cache.clear()
    assert with_key(client, made["key"]) == 401
    assert marie.get(KEYS).json()[0]["expired"] is True


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"label": "  "}, "label"),
        ({"label": "x" * 101}, "label"),
        ({"projectFilter": "("}, "projectFilter"),
        ({"projectFilter": ""}, "projectFilter"),
        ({"projectAccessMode": "all"}, "projectAccessMode"),
        ({"permissions": ["flyAway"]}, "permissions"),
        ({"permissions": ["seeGlobalJobs"]}, "permissions"),
        ({"permissions": ["createUserIn:*"]}, "permissions"),
        ({"expiresAt": "soon"}, "expiresAt"),
        ({"expiresAt": "2001-01-01"}, "expiresAt"),
        ({"expiresAt": "9999-12-31T23:59:59-14:00"}, "expiresAt"),
        ({"expiresAt": "0001-01-01T00:00:00+14:00"}, "expiresAt"),
    ],
)
def test_invalid_keys_are_refused_with_their_field(marie: Any, body: dict[str, Any], field: str) -> None:
    assert make(marie, 400, **body)["details"][0]["field"] == field
    assert marie.get(KEYS).json() == []


def test_an_account_has_a_limited_number_of_keys(marie: Any) -> None:
    for _ in range(KEYS_MAX):
        make(marie)
    assert make(marie, 409)["fix"] == "Revoke a key that is no longer used"


def test_a_key_is_limited_to_selected_permissions(client: Any, marie: Any, make_project: Any) -> None:
    project = make_project(owner="root", writers=("marie",))
    path = f"/api/projects/{project.name}/labels"
    wide, narrow = make(marie)["key"], make(marie, permissions=["useSearch"])["key"]
    body = {"label": "Person"}
    assert client.post(path, json=body, headers={"X-Kairntech-key": narrow}).status_code == 403
    assert client.post(path, json=body, headers={"X-Kairntech-key": wide}).status_code == 200
    search = f"/api/projects/{project.name}/documents/_search"
    assert client.post(search, headers={"X-Kairntech-key": narrow}).status_code == 200


def test_a_key_cannot_create_keys_and_is_stored_only_as_a_digest(client: Any, marie: Any) -> None:
    key = make(marie)["key"]
    headers = {"X-Kairntech-key": key}
    assert client.post(KEYS, json={"label": "more"}, headers=headers).status_code == 403
    again = marie.post(KEYS, json={"label": "twice"}, headers={"Idempotency-Key": "k"})
    assert again.status_code == 200
    with unit_of_work(actor="tests", write=False) as unit:
        kept = [str(row.answer) for row in unit.session.scalars(select(IdempotencyKey))]
    assert again.json()["key"] not in str(kept), "an answer that is kept to be given again would hold the key"


def test_account_managers_see_and_revoke_its_keys(client: Any, marie: Any, as_user: Any, as_admin: Any) -> None:
    made = make(marie)
    stranger = as_user(client, "stranger", "ProjectManager")
    assert stranger.get(KEYS).status_code in (403, 404)
    assert stranger.delete(f"{KEYS}/{made['identifier']}").status_code in (403, 404)
    assert as_admin.post(KEYS, json={"label": "in her name"}).status_code == 403
    (seen,) = as_admin.get(KEYS).json()
    assert (seen["label"], "key" in seen) == ("nightly import", False)
    assert as_admin.delete(f"/api/users/root/keys/{made['identifier']}").status_code == 404
    assert as_admin.delete(f"{KEYS}/{made['identifier']}").status_code == 200
    assert with_key(client, made["key"]) == 401


def test_disabling_the_account_disables_its_keys(client: Any, marie: Any, as_admin: Any) -> None:
    key = make(marie)["key"]
    as_admin.patch("/api/users/marie", json={"disabled": True})
    assert with_key(client, key) == 401
    as_admin.patch("/api/users/marie", json={"disabled": False})
    assert with_key(client, key) == 200
    as_admin.delete("/api/users/marie")
    assert with_key(client, key) == 401


def test_permission_changes_apply_to_keys_from_the_next_request(client: Any, marie: Any, as_user: Any) -> None:
    key = make(marie, permissions=["createProject", "useSearch"])["key"]
    body = {"label": "New", "nature": "sequence_labelling", "lang": "en"}
    headers = {"X-Kairntech-key": key}
    assert client.post("/api/projects", json=body, headers=headers).status_code == 200
    as_user(client, "marie", "Reader")
    assert client.post("/api/projects", json=body, headers=headers).status_code == 403


def test_a_key_created_by_the_operator_works(client: Any, marie: Any) -> None:
    key = create_key("marie", "by hand")
    assert with_key(client, key) == 200
    assert marie.get(KEYS).json()[0]["createdBy"] == "operator"


@pytest.mark.parametrize("by", ["marie", "administrator"])
def test_a_new_password_revokes_the_keys_by_default(client: Any, marie: Any, as_admin: Any, by: str) -> None:
    """A key created by someone with the old password, or while the account was taken over, must stop working."""
    caller, own = (marie, {"currentPassword": PASSWORD}) if by == "marie" else (as_admin, {})
    key, profile = make(marie)["key"], f"/api/users/{marie.username}/profile"
    assert caller.patch(profile, json={"password": PASSWORD, "revokeKeys": False} | own).status_code == 200
    assert with_key(client, key) == 200
    assert caller.patch(profile, json={"profilename": "Marie"}).status_code == 200
    assert with_key(client, key) == 200
    assert caller.patch(profile, json={"password": PASSWORD} | own).status_code == 200
    assert with_key(client, key) == 401
    assert as_admin.get(KEYS).json() == []
