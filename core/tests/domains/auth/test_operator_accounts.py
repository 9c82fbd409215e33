"""Accounts that the operator manages: the first administrator, passwords from the command line."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import delete, select

from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.models import Role, User, UserRole
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_accounts import (
    ensure_first_administrator,
    set_password,
    update_roles_and_delete_old_sign_ins,
)
from annotarium.domains.auth.operator_api_keys import create_key
from annotarium.errors import InvalidInput, NotFound
from annotarium.settings import get_settings


@pytest.fixture
def nobody(data_folder: Path) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(delete(User))


def sign_in(client: Any, password: str, username: str = "admin") -> int:
    header = base64.b64encode(f"{username}:{password}".encode()).decode()
    status: int = client.get("/api/current_user", headers={"authorization": f"Basic {header}"}).status_code
    return status


@pytest.mark.usefixtures("nobody")
def test_the_first_administrator_password_is_shown_once(client: Any) -> None:
    made = ensure_first_administrator()
    assert made is not None
    assert made.username == "admin"
    assert len(made.password) >= 16
    assert sign_in(client, made.password) == 200
    assert ensure_first_administrator() is None
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(Role.rolename).join(UserRole, UserRole.role_id == Role.id)
        roles = set(unit.session.scalars(query))
        assert roles == set(PREDEFINED_BY_NAME) - {"Minimal"}
        assert made.password not in str(unit.session.scalars(select(User.password_hash)).all())


@pytest.mark.usefixtures("nobody")
def test_the_operator_may_choose_the_first_password(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "admin_password", SecretStr("short"))
    with pytest.raises(InvalidInput):
        ensure_first_administrator()
    monkeypatch.setattr(get_settings(), "admin_password", SecretStr("chosen by the operator"))
    assert ensure_first_administrator() is None
    assert sign_in(client, "chosen by the operator") == 200


def test_a_start_with_existing_users_creates_no_administrator(client: Any, as_user: Any) -> None:
    as_user(client, "marie")
    assert ensure_first_administrator() is None
    assert sign_in(client, "chosen by the operator", "root2") == 401


def test_the_command_line_sets_a_new_password(client: Any, as_user: Any, as_admin: Any) -> None:
    zoe = as_user(client, "zoe", "Reader")
    as_admin.patch("/api/users/zoe", json={"disabled": True})
    set_password("zoe", "another good one")
    assert sign_in(client, "another good one", "zoe") == 200
    assert sign_in(client, "correct horse battery", "zoe") == 401
    assert zoe.get("/api/current_user").status_code == 401, "old sign-ins are over"
    with pytest.raises(NotFound):
        set_password("nobody", "another good one")
    with pytest.raises(InvalidInput):
        set_password("zoe", "short")


def test_api_keys_are_stored_as_digests(client: Any, as_user: Any, data_folder: Path) -> None:
    as_user(client, "robot")
    key = create_key("robot", "nightly")
    assert client.get("/api/current_user", headers={"X-Kairntech-key": key}).json()["username"] == "robot"
    if (data_folder / "annotarium.sqlite").exists():
        stored = b"".join(path.read_bytes() for path in data_folder.glob("annotarium.sqlite*"))
        assert key.encode() not in stored
    with pytest.raises(NotFound):
        create_key("nobody", "x")


def test_cleanup_at_startup_keeps_current_sign_ins(client: Any, as_user: Any) -> None:
    caller = as_user(client, "late", "Reader")
    update_roles_and_delete_old_sign_ins()
    assert caller.get("/api/current_user").status_code == 200
