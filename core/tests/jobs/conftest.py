"""A database for each test (SQLite or PostgreSQL, see core/tests/conftest.py), with a user and a project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import environment

from annotarium.access import rights_revision
from annotarium.access.tokens import signing_secret
from annotarium.access.user_rights_cache import cache
from annotarium.db.database import Database, get_database
from annotarium.db.models import Base, Project, User
from annotarium.db.unit_of_work import Event, committed, unit_of_work
from annotarium.jobs.queue_client import get_redis
from annotarium.settings import get_settings


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    for name in ("REDIS_URL", "DATABASE_URL", "OPENSEARCH_URL", "ANNOTARIUM_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANNOTARIUM_DATA", str(tmp_path / "data"))
    for cached in (get_settings, get_database, get_redis):
        cached.cache_clear()
    cache.clear()
    if environment.database_kind() == "postgresql":
        monkeypatch.setenv("DATABASE_URL", os.environ["ANNOTARIUM_TEST_DATABASE_URL"])
    database = get_database()
    if not database.is_sqlite:
        Base.metadata.drop_all(database.write_engine)
    Base.metadata.create_all(database.write_engine)
    with unit_of_work(actor="", write=True) as unit:
        marie = User(username="marie", password_hash="x")
        paul = User(username="paul", password_hash="x")
        unit.session.add_all([marie, paul])
        unit.session.flush()
        unit.session.add(Project(name="films", label="Films", nature="sequence_labelling", owner_id=marie.id))
        rights_revision.note_rights_change(unit.session)
    signing_secret()
    with committed.silenced():
        yield database
    database.dispose()
    for cached in (get_settings, get_database, get_redis):
        cached.cache_clear()
    cache.clear()


@pytest.fixture
def emitted_events(database: Database, emitted_events: list[Event]) -> list[Event]:
    """Live events of what is committed once the database is there."""
    return emitted_events
