"""Unit of work: one request or one job step = one transaction, committed here and nowhere else.

    with unit_of_work(actor="marie", write=True) as unit:
        unit.session.add(...)
        unit.touch(project.id, "facets", document_id=document.id, start=3, end=9)   # for the search index
        unit.emit("annotation/created", {...}, project="project-name")   # live event after the commit

After the commit the signal `committed` is sent: the indexer applies the outbox rows, the bus publishes events. A
listener that fails is logged: the database is already safe and the outbox keeps what is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.orm import Session

from annotarium.db.compiled_statements import insert_statement
from annotarium.db.database import Database, get_database
from annotarium.db.disconnected import DatabaseUnavailable, is_disconnected
from annotarium.db.identifiers import new_id
from annotarium.db.models import Base, Outbox
from annotarium.db.signals import Signal
from annotarium.errors import ServiceUnavailable
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class EventVisibility:
    """What an event is about, to limit it to users who may read that; never sent to clients.

    `creator` and `mode` are those of an annotation or category, `group` is the id of the document's origin group.
    `others` are creator and mode of further annotations: recipients must be allowed to read all of them. With
    `document`, the event is for connections that have that document open.
    """

    creator: str | None = None
    mode: str | None = None
    group: int | None = None
    document: str | None = None
    others: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Event:
    """A live event (B-002) for one project, one user, one group, or for everybody if all three are None.

    `project_id` identifies the project in case its name belongs to another one by now; never sent to clients.
    """

    mutation: str
    arg: Any = None
    project: str | None = None
    user: str | None = None
    user_group: str | None = None
    about: EventVisibility | None = None
    project_id: int | None = None


@dataclass
class UnitOfWork:
    """The open transaction and what must happen after it."""

    session: Session
    actor: str
    write: bool
    database: Database
    touched: list[Outbox] = field(default_factory=list)
    _appended: dict[type[Base], list[dict[str, Any]]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)
    relay: bool = True
    """Whether this process applies `touched` after the commit; False if the caller does it."""
    restriction: str = ""
    """The restriction of the call's token or key, as text: jobs started in this transaction inherit it."""
    act_id: int = field(default_factory=new_id)
    """Identifies the operation: everything this transaction changes is undone as a whole."""

    def touch(
        self,
        project_id: int,
        operation: str,
        *,
        document_id: int | None = None,
        start: int | None = None,
        end: int | None = None,
    ) -> None:
        """Write an outbox row in this transaction (for operations, see the model)."""
        values = {"project_id": project_id, "document_id": document_id, "operation": operation}
        values |= {"id": new_id(), "start": start, "end": end, "actor": self.actor or None}
        self.append(Outbox, values)
        self.touched.append(Outbox(**values))

    def append(self, table: type[Base], values: dict[str, Any]) -> None:
        """Insert a row at the end of the transaction, bypassing the session: far cheaper for rows not read in it.

        All rows of a table must have the same keys; missing columns get their defaults.
        """
        self._appended.setdefault(table, []).append(values)

    def write_appended(self) -> None:
        """Insert the appended rows. Called before the commit."""
        for table, rows in self._appended.items():
            insert_statement(table).run(self.session, rows)
        self._appended = {}

    def emit(
        self,
        mutation: str,
        arg: Any = None,
        *,
        project: str | None = None,
        user: str | None = None,
        user_group: str | None = None,
        about: EventVisibility | None = None,
        project_id: int | None = None,
    ) -> None:
        """Publish a live event after the commit."""
        self.events.append(Event(mutation, arg, project, user, user_group, about, project_id))

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run a function after the commit (enqueue a job, clear a cache)."""
        self.after.append(action)


about_to_commit = Signal[[UnitOfWork]]("about_to_commit")
"""A writing unit is about to be committed; sent inside its transaction, after everything was written."""
committed = Signal[[UnitOfWork]]("committed", isolated=True)
"""A writing unit was committed; sent after its own `after_commit` actions."""


def _run_after_commit(unit: UnitOfWork) -> None:
    for action in unit.after:
        try:
            action()
        except Exception:
            log.exception("after_commit_failed")
    committed.send(unit)


def _begin(session: Session) -> None:
    try:
        session.connection()
    except (OperationalError, NoConnectionFree) as error:
        if is_disconnected(error):
            log.warning("database_disconnected", error=str(error.__cause__ or error)[:300])
            raise DatabaseUnavailable from error
        raise ServiceUnavailable(
            message("busy.record", "The database is busy"),
            cause=str(error.__cause__ or error)[:200],
            fix="Try again in a minute",
        ) from error


@contextmanager
def unit_of_work(*, actor: str, write: bool, database: Database | None = None) -> Iterator[UnitOfWork]:
    """Open a transaction; commit it at the end, roll it back if the body raises.

    Raises:
        ServiceUnavailable: the write lock was not acquired in time, or the database is unreachable.
    """
    database = database or get_database()
    if not write:
        with database.session(write=False) as session:
            # Closing ends the transaction and leaves loaded objects usable; a rollback would expire them.
            yield UnitOfWork(session, actor, False, database)
        return
    # Others wait for the write lock: it is held only during the transaction.
    with database.session(write=True) as session:
        unit = UnitOfWork(session, actor, True, database)
        with database.write_lock(), _rollback_on_error(session):
            _begin(session)
            yield unit
            unit.write_appended()
            session.flush()
            about_to_commit.send(unit)
            session.commit()
    _run_after_commit(unit)


@contextmanager
def _rollback_on_error(session: Session) -> Iterator[None]:
    try:
        yield
    except BaseException:
        session.rollback()
        raise
