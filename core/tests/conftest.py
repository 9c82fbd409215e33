"""Fixtures shared by all tests of the server: a database, the application, callers with rights, projects.

The database is a fresh SQLite file per module, copied from a template. `ANNOTARIUM_TEST_DATABASE_KIND=postgresql` runs
all tests on PostgreSQL instead. A module or test that must run on both declares:

    @pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")

PostgreSQL is the server of ANNOTARIUM_TEST_DATABASE_URL; without it such tests are skipped. The search index is the
embedded one; with `ANNOTARIUM_TEST_INDEX=opensearch` it is on the server of ANNOTARIUM_TEST_OPENSEARCH_URL.
"""

from __future__ import annotations

import os
import shutil
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from pkgutil import ModuleInfo, iter_modules
from types import SimpleNamespace
from typing import Any

import pytest
from alembic import command
from fastapi import FastAPI
from sqlalchemy import create_engine, make_url, select
from support import environment
from support.hypothesis_profile import disable_deadlines
from support.live_events import collected_events
from support.search_engines import delete_indexes, search_server

from annotarium import domains
from annotarium.access import passwords, rights_revision
from annotarium.access.call import Call, ProjectCall
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME, ensure_predefined_roles
from annotarium.access.throttle import throttle
from annotarium.access.tokens import SignInClaims, make_sign_in_token, session_seconds
from annotarium.access.user_rights_cache import cache, read_access
from annotarium.app import create_app
from annotarium.db.database import Database, get_database
from annotarium.db.identifiers import now_ms
from annotarium.db.migrate import alembic_config
from annotarium.db.models import (
    Base,
    Group,
    GroupShare,
    Membership,
    Project,
    Role,
    SignInSession,
    User,
    UserRole,
    UserShare,
)
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.events.hub import get_hub
from annotarium.jobs.queue_client import get_redis
from annotarium.jobs.testing import run_pending_jobs
from annotarium.search.answer_client import get_answer_client
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.indexer import get_outbox_relay
from annotarium.search.query_vectors import get_vector_client
from annotarium.server.periodic_tasks import PeriodicTasks
from annotarium.settings import get_settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the test client warns about a change of its HTTP library
    from starlette.testclient import TestClient

disable_deadlines()
PASSWORD = "correct horse battery"
_numbers = count(1)
_NO_PARAMETERS = SimpleNamespace(params={})
_SERVICES = ("DATABASE_URL", "OPENSEARCH_URL", "REDIS_URL")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that choose their databases themselves or open none; they are not run again on another one (see `make
    test-servers`).
    """
    for item in items:
        chosen = "database_kind" in getattr(item, "callspec", _NO_PARAMETERS).params
        if chosen or not {"database_kind", "database"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("chooses_database")


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> None:
    passwords.set_password_hash_cost(memory_kib=64, iterations=1, lanes=1)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite database with all tables and the predefined roles, created once per session."""
    path = tmp_path_factory.mktemp("template") / "annotarium.sqlite"
    database = Database(f"sqlite:///{path}")
    _create_tables(database)
    with database.write_engine.connect() as connection:
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.dispose()
    return path


def _create_tables(database: Database) -> None:
    Base.metadata.create_all(database.write_engine)
    command.stamp(alembic_config(database), "head")
    with unit_of_work(actor="tests", write=True, database=database) as unit:
        ensure_predefined_roles(unit.session)


@pytest.fixture(scope="module")
def database_kind(request: pytest.FixtureRequest) -> str:
    """Return `sqlite` or `postgresql`; skips the test if there is no PostgreSQL server."""
    kind: str = getattr(request, "param", environment.database_kind())
    if kind == "postgresql" and not os.environ.get("ANNOTARIUM_TEST_DATABASE_URL"):
        pytest.skip("ANNOTARIUM_TEST_DATABASE_URL names no PostgreSQL server")
    return kind


@contextmanager
def _settings(values: dict[str, str]) -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    for name in _SERVICES:
        patch.delenv(name, raising=False)
        patch.delenv(f"ANNOTARIUM_{name}", raising=False)
    for name, value in values.items():
        patch.setenv(name, value)
    _clear_caches()
    try:
        yield
    finally:
        if get_database.cache_info().currsize:
            get_database().dispose()
        patch.undo()
        _clear_caches()


def _clear_caches() -> None:
    """Clear what a process caches of its data folder."""
    get_vector_client().close()
    get_answer_client().close()
    for once in (
        get_settings,
        get_database,
        get_search_engine,
        get_outbox_relay,
        get_hub,
        get_redis,
        get_vector_client,
        get_answer_client,
    ):
        once.cache_clear()
    cache.clear()
    passwords.limiter.forget_all()
    throttle.forget_all()
    passwords.verified_passwords.forget_all()


@pytest.fixture(scope="module")
def data_folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path, database_kind: str
) -> Iterator[Path]:
    """Create a data folder with an empty database; the settings of the process point to it during the module."""
    folder = tmp_path_factory.mktemp("data")
    values = {"ANNOTARIUM_DATA": str(folder), "ANNOTARIUM_LOG_LEVEL": "warning"}
    if os.environ.get("ANNOTARIUM_TEST_INDEX") == "opensearch":
        values["OPENSEARCH_URL"] = search_server()
        values["ANNOTARIUM_OPENSEARCH_PREFIX"] = f"test-{uuid.uuid4().hex}"
    if database_kind == "postgresql":
        values["ANNOTARIUM_DATABASE_URL"] = request.getfixturevalue("postgresql_copies")()
    with _settings(values):
        if database_kind == "sqlite":
            shutil.copy2(sqlite_template, folder / "annotarium.sqlite")
        yield folder
        if "OPENSEARCH_URL" in values:
            delete_indexes(get_search_engine())


@pytest.fixture(scope="session")
def postgresql_copies() -> Iterator[Callable[[], str]]:
    """Yield a function that creates a database with all tables and the predefined roles, by copying one created once;
    it returns the URL of the copy.
    """
    server = make_url(os.environ["ANNOTARIUM_TEST_DATABASE_URL"])
    engine = create_engine(server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    template = f"annotarium_tests_{os.getpid()}"
    made: list[str] = []

    def run(statement: str) -> None:
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)

    def address(name: str) -> str:
        made.append(name)
        return server.set(database=name).render_as_string(hide_password=False)

    def copy() -> str:
        while len(made) > 1:
            run(f"DROP DATABASE {made.pop()} WITH (FORCE)")
        name = f"{template}_{next(_numbers)}"
        run(f"CREATE DATABASE {name} TEMPLATE {template}{strategy}")
        return address(name)

    with engine.connect() as connection:  # copied through the log, a database takes three times the time
        strategy = " STRATEGY FILE_COPY" if (connection.dialect.server_version_info or (0,)) >= (15,) else ""
    run(f"CREATE DATABASE {template}")
    database = Database(address(template))
    _create_tables(database)
    database.dispose()
    yield copy
    for name in reversed(made):
        run(f"DROP DATABASE {name} WITH (FORCE)")
    engine.dispose()


@pytest.fixture(scope="module")
def app(data_folder: Path) -> FastAPI:
    """Return the application on the module's database; only with the domains of ANNOTARIUM_TEST_DOMAINS if that is
    set.
    """
    return _made_app()


@lru_cache
def _made_app() -> FastAPI:
    """Create one application for all modules: it opens database and index only at its start, and creating it takes 0.5
    s.
    """
    chosen = os.environ.get("ANNOTARIUM_TEST_DOMAINS", "").replace(",", " ").split()
    patch = pytest.MonkeyPatch()
    if chosen:
        modules = [
            ModuleInfo(finder, name, True) for finder, name, _ in iter_modules(domains.__path__) if name in chosen
        ]
        patch.setattr("annotarium.app.pkgutil.iter_modules", lambda _path: modules)
    application = create_app()
    patch.undo()
    return application


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    """A started application with an anonymous client, without the background thread of periodic tasks."""
    patch = pytest.MonkeyPatch()
    patch.setattr(PeriodicTasks, "start", lambda _keeper: None)
    with TestClient(app, base_url="http://studio.test") as client:
        yield client
    patch.undo()


class Caller:
    """A client that calls as one user. `get`, `post`, `put`, `patch`, `delete`, `request` as in the test client."""

    def __init__(self, client: TestClient, username: str, token: str) -> None:
        self.client = client
        self.username = username
        self.headers = {"Authorization": f"Bearer {token}"}

    def request(self, method: str, path: str, **arguments: Any) -> Any:
        """Send one request; the given headers are added to those of the user."""
        headers = self.headers | dict(arguments.pop("headers", None) or {})
        return self.client.request(method, path, headers=headers, **arguments)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in {"get", "post", "put", "patch", "delete", "head", "options"}:
            raise AttributeError(name)
        return lambda path, **arguments: self.request(name.upper(), path, **arguments)


def _user(session: Any, username: str) -> User:
    user: User | None = session.scalar(select(User).where(User.username == username))
    if user is None:
        user = User(username=username, profilename=username.title(), password_hash=passwords.hash_password(PASSWORD))
        session.add(user)
        session.flush()
    return user


def _group(session: Any, name: str) -> Group:
    group: Group | None = session.scalar(select(Group).where(Group.name == name))
    if group is None:
        group = Group(name=name, label=name.title())
        session.add(group)
        session.flush()
    return group


def grant(username: str, *grants: str, groups: tuple[str, ...] = ()) -> User:
    """Create or change a user; exactly the given predefined roles and permissions are granted, missing groups are
    created.
    """
    with unit_of_work(actor="tests", write=True) as unit:
        session = unit.session
        user = _user(session, username)
        user.permissions = [given for given in grants if given not in PREDEFINED_BY_NAME]
        session.query(UserRole).filter_by(user_id=user.id).delete()
        session.query(Membership).filter_by(user_id=user.id).delete()
        for rolename in (given for given in grants if given in PREDEFINED_BY_NAME):
            role_id = session.scalar(select(Role.id).where(Role.rolename == rolename))
            session.add(UserRole(user_id=user.id, role_id=role_id))
        for name in groups:
            session.add(Membership(user_id=user.id, group_id=_group(session, name).id))
        rights_revision.note_rights_change(session)
        return user


def sign_in_token(user: User) -> str:
    """Sign the user in and return a token."""
    with unit_of_work(actor="tests", write=True) as unit:
        sign_in = SignInSession(user_id=user.id)
        unit.session.add(sign_in)
        unit.session.flush()
        expires_at = now_ms() // 1000 + session_seconds()
        return make_sign_in_token(SignInClaims(user.id, sign_in.id, user.token_revision, expires_at))


AsUser = Callable[..., Caller]
MakeProject = Callable[..., Project]
OpenAs = Callable[..., AbstractContextManager[Any]]


@pytest.fixture
def as_user(data_folder: Path) -> AsUser:
    """`as_user(client, "marie", "Reader", "writeLabel", groups=("press",))`: a caller with exactly these grants.

    The user's password is `PASSWORD` ("correct horse battery").
    """

    def make(client: TestClient, username: str, *grants: str, groups: tuple[str, ...] = ()) -> Caller:
        return Caller(client, username, sign_in_token(grant(username, *grants, groups=groups)))

    return make


@pytest.fixture
def as_admin(as_user: AsUser, client: TestClient) -> Caller:
    """A caller with every predefined role."""
    return as_user(client, "root", *PREDEFINED_BY_NAME)


@pytest.fixture
def make_project(data_folder: Path) -> MakeProject:
    """`make_project(owner="marie", readers=("paul",), writers=(), group="press", nature="classification")`.

    Inserts the row; missing users and groups are created. Without a name it gets a generated one.
    """

    def make(
        name: str | None = None,
        *,
        owner: str | None = "root",
        group: str | None = None,
        readers: tuple[str, ...] = (),
        writers: tuple[str, ...] = (),
        group_readers: tuple[str, ...] = (),
        group_writers: tuple[str, ...] = (),
        nature: str = "sequence_labelling",
        **columns: Any,
    ) -> Project:
        name = name or f"project-{next(_numbers)}"
        with unit_of_work(actor="tests", write=True) as unit:
            session = unit.session
            owner_id = _user(session, owner).id if owner else None
            group_id = _group(session, group).id if group else None
            values = {"label": name, "nature": nature, "owner_id": owner_id, "group_id": group_id} | columns
            project = Project(name=name, created_by=owner or "", **values)
            session.add(project)
            session.flush()
            for write, usernames in ((False, readers), (True, writers)):
                for username in usernames:
                    user_id = _user(session, username).id
                    session.add(UserShare(project_id=project.id, user_id=user_id, write=write))
            for write, names in ((False, group_readers), (True, group_writers)):
                for group_name in names:
                    shared_with = _group(session, group_name).id
                    session.add(GroupShare(project_id=project.id, group_id=shared_with, write=write))
            rights_revision.note_rights_change(session)
            return project

    return make


@pytest.fixture
def open_as(data_folder: Path) -> OpenAs:
    """`with open_as("marie", project, write=True) as call:` opens a Call, or a ProjectCall if a project is passed, for
    services.
    """

    @contextmanager
    def open_call(username: str, project: Project | None = None, *, write: bool = True) -> Iterator[Any]:
        with unit_of_work(actor=username, write=write) as unit:
            user = unit.session.scalar(select(User).where(User.username == username))
            access = read_access(unit.session, user.id) if user else None
            assert access is not None, f"no enabled user {username}"
            if project is None:
                yield Call(unit=unit, access=access)
            else:
                row = unit.session.get(Project, project.id)
                assert row is not None
                yield ProjectCall(unit=unit, access=access, project=row)

    return open_call


@pytest.fixture
def run_jobs(data_folder: Path) -> Callable[[], list[str]]:
    """`run_jobs()` runs the waiting jobs, and the jobs they start, in this thread; returns their ids."""
    return run_pending_jobs


@pytest.fixture
def emitted_events() -> Iterator[list[Event]]:
    """Live events of what is committed during the test."""
    with collected_events() as found:
        yield found
