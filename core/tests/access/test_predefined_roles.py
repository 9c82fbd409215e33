"""The catalogue of permissions and the predefined roles."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text

from annotarium.access.permissions import (
    GENERAL_PERMISSIONS,
    SEE_PERMISSIONS,
    TOUR_PERMISSIONS,
    catalogue,
    is_permission,
)
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME, PREDEFINED_ROLES, ensure_predefined_roles
from annotarium.access.rights import Access
from annotarium.db.models import InstanceFact, Role
from annotarium.db.unit_of_work import unit_of_work


def test_the_catalogue_has_the_required_names() -> None:
    """permissions.md 1: 52 fixed names, eight families and the modes, ten families of components."""
    assert len(SEE_PERMISSIONS) + len(GENERAL_PERMISSIONS) == 52
    assert len(set(SEE_PERMISSIONS) | set(GENERAL_PERMISSIONS)) == 52
    entries = catalogue()
    assert entries == sorted(set(entries))
    assert Access(1, "ann", frozenset({"readModeAnnot:all"})).can("readModeAnnot:automatic")
    assert {"readProject:*", "useEngine:*", "readModeAnnot:manual", "seeTour"} <= set(entries)
    assert all(is_permission(entry) for entry in entries)
    assert "seeGlobalJobs" not in TOUR_PERMISSIONS
    assert "useSearch" in TOUR_PERMISSIONS


@pytest.mark.parametrize(
    "text", ["", "admin", "role:Reader", "see", "readProject", "readProject:", "x:y", "useEngine", "readModeAnnot:x"]
)
def test_names_that_are_not_permissions(text: str) -> None:
    assert not is_permission(text)


def test_components_are_in_the_catalogue() -> None:
    assert "useConverter:txt" in catalogue(["useConverter:txt"])


def test_predefined_roles_hold_permissions_of_the_catalogue_only() -> None:
    names = [role.rolename for role in PREDEFINED_ROLES]
    assert len(names) == len(set(names)) == 22
    assert {"Reader", "PlatformUserAdmin", "Minimal"} <= set(names)
    for role in PREDEFINED_ROLES:
        assert all(is_permission(permission) for permission in role.permissions), role.rolename
    assert PREDEFINED_BY_NAME["Minimal"].permissions == {"seeUserProfile", "seeLogout", "seeLanguageBtn"}
    manager, evaluator = PREDEFINED_BY_NAME["ProjectManager"], PREDEFINED_BY_NAME["Evaluator"]
    lost = {"exportDocuments", "exportDataset", "exportModels", "exportProject"}
    assert manager.permissions - evaluator.permissions == lost


def test_annotators_can_work_alone_or_together() -> None:
    """Blind annotation, for agreement, and annotation in a team differ in one permission."""
    alone, together = PREDEFINED_BY_NAME["Annotator"], PREDEFINED_BY_NAME["TeamAnnotator"]
    assert together.permissions - alone.permissions == {"readUserAnnot:*"}
    assert alone.permissions < together.permissions


def test_changed_predefined_roles_are_restored_at_start(data_folder: Path) -> None:
    def revision(session: Any) -> Any:
        return session.get(InstanceFact, "access").value

    with unit_of_work(actor="tests", write=True) as unit:
        before = revision(unit.session)
        ensure_predefined_roles(unit.session)
        assert revision(unit.session) == before, "nothing to do, nothing changed"
        reader = unit.session.scalars(select(Role).where(Role.rolename == "Reader")).one()
        reader.permissions = [*reader.permissions, "createUserIn:*"]
        unit.session.delete(unit.session.scalars(select(Role).where(Role.rolename == "Annotator")).one())
        unit.session.flush()
        ensure_predefined_roles(unit.session)
        assert revision(unit.session) != before
    with unit_of_work(actor="tests", write=False) as unit:
        rows = {role.rolename: set(role.permissions) for role in unit.session.scalars(select(Role))}
    assert rows["Reader"] == PREDEFINED_BY_NAME["Reader"].permissions
    assert "Annotator" in rows


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True, scope="module")
def test_concurrent_starts_create_predefined_roles_once(data_folder: Path) -> None:
    """On PostgreSQL two processes may see at the same time that a role is missing; the second checks again after the
    first has committed.
    """

    def start() -> None:
        with unit_of_work(actor="tests", write=True) as unit:
            ensure_predefined_roles(unit.session)

    def has_waiting_connection() -> bool:
        with unit_of_work(actor="tests", write=False) as unit:
            here = "datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0"
            return bool(unit.session.scalar(text(f"SELECT count(*) FROM pg_stat_activity WHERE {here}")))

    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(delete(Role).where(Role.rolename == "Annotator"))
    with ThreadPoolExecutor(1) as other:
        with unit_of_work(actor="tests", write=True) as unit:
            ensure_predefined_roles(unit.session)
            unit.session.flush()
            second = other.submit(start)
            limit = time.monotonic() + 15
            while not has_waiting_connection():
                assert time.monotonic() < limit
                time.sleep(0.01)
        second.result(20)
    with unit_of_work(actor="tests", write=False) as unit:
        assert len(unit.session.scalars(select(Role).where(Role.rolename == "Annotator")).all()) == 1
