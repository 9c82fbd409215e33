"""SQL of archives. Tables are read and written generically, as rows of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import RowMapping, Table, delete, func, insert, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.models import (
    Base,
    Document,
    Group,
    GroupShare,
    History,
    Invitation,
    Job,
    LeftShare,
    Project,
    Suggestion,
    Upload,
    User,
    UserShare,
)
from annotarium.db.postgresql_copy import insert_rows_with_copy, supports_copy
from annotarium.domains.projects.archive.archive_format import GROUPS, HISTORY, PEOPLE, PROJECTS, ArchivedTable
from annotarium.domains.projects.archive.readable_rows import readable_rows

_NAMED = 500
UNFINISHED_PREFIX = "import "
"""Prefix of `deleted_by` for the project of an unfinished import; followed by the id of the job."""


def table_of(model: type[Base]) -> Table:
    table = model.__table__
    assert isinstance(table, Table)
    return table


def page_of_documents(call: ProjectCall, after: int, size: int) -> Sequence[RowMapping]:
    """Rows of readable documents with an id greater than `after`, ascending."""
    query = select(*Document.__table__.c).where(readable_documents(call.access, call.project), Document.id > after)
    return call.session.execute(query.order_by(Document.id).limit(size)).mappings().all()


def count_readable_documents(call: ProjectCall) -> int:
    """Count the documents the caller may read."""
    query = select(func.count()).select_from(Document)
    return call.session.scalar(query.where(readable_documents(call.access, call.project))) or 0


def rows_of_documents(call: ProjectCall, archived: ArchivedTable, ids: Sequence[int]) -> Iterator[RowMapping]:
    """Readable rows of a table that belong to the given documents."""
    table = archived.table
    query = select(*table.c).where(table.c.document_id.in_(ids), readable_rows(call, table.name))
    yield from call.session.execute(query.order_by(*table.primary_key.columns)).mappings()


def rows_of_project(call: ProjectCall, archived: ArchivedTable) -> Iterator[RowMapping]:
    """Readable rows of a table that belong to the project, streamed."""
    table, parent, project_id = archived.table, archived.parent, call.project.id
    query = select(*table.c).where(readable_rows(call, table.name)).order_by(*table.primary_key.columns)
    if parent.name == "project_id":
        query = query.where(parent == project_id)
    else:
        (key,) = parent.foreign_keys
        upper = key.column.table
        query = query.where(parent.in_(select(key.column).where(upper.c.project_id == project_id)))
    yield from call.session.execute(query.execution_options(yield_per=500)).mappings()


def page_of_project_rows(call: ProjectCall, archived: ArchivedTable, after: int, size: int) -> Sequence[RowMapping]:
    """Readable rows of a table of the project with an id greater than `after`, ascending."""
    table = archived.table
    query = select(*table.c).where(readable_rows(call, table.name), archived.parent == call.project.id)
    return call.session.execute(query.where(table.c.id > after).order_by(table.c.id).limit(size)).mappings().all()


def settings_row(session: Session, project_id: int) -> RowMapping:
    """All columns of the project's row."""
    return session.execute(select(*Project.__table__.c).where(Project.id == project_id)).mappings().one()


def user_and_group_names(session: Session) -> dict[str, dict[int, str]]:
    """Names of users and groups by id, by table name."""
    people = session.execute(select(User.id, User.username))
    groups = session.execute(select(Group.id, Group.name))
    return {PEOPLE: {row[0]: row[1] for row in people}, GROUPS: {row[0]: row[1] for row in groups}}


def insert_all(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, each with all columns, in one statement."""
    if not rows:
        return
    connection = session.connection()
    if supports_copy(connection):
        names = [str(column.name) for column in table.c]
        insert_rows_with_copy(connection, table, names, ([row[name] for name in names] for row in rows))
    else:
        connection.execute(insert(table), list(rows))


def find_project(session: Session, name: str) -> Project | None:
    """The project of that name, live or deleted."""
    return session.scalar(select(Project).where(Project.name == name))


def unfinished_imports(session: Session) -> Sequence[tuple[Project, str]]:
    """`(project, status of its job)` of imports whose project is still invisible; a missing job counts as FAILED."""
    query = select(Project).where(Project.deleted_at.is_not(None), Project.deleted_by.startswith(UNFINISHED_PREFIX))
    found = []
    for project in session.scalars(query):
        job = session.get(Job, (project.deleted_by or "").removeprefix(UNFINISHED_PREFIX))
        found.append((project, job.status if job else "FAILED"))
    return found


def delete_project_rows(session: Session, project_id: int, tables: Sequence[ArchivedTable]) -> None:
    """Delete everything that an import has written so far, so that it can start again."""
    session.execute(delete(History).where(History.project_id == project_id))
    session.execute(delete(Suggestion).where(Suggestion.project_id == project_id))
    session.execute(delete(Document).where(Document.project_id == project_id))
    for archived in reversed(tables):
        if archived.parent.name == "project_id" and archived.table.name not in (HISTORY, PROJECTS):
            session.execute(delete(archived.table).where(archived.parent == project_id))


def assign_job_to_project(session: Session, job_id: str, project_id: int) -> None:
    session.execute(update(Job).where(Job.id == job_id).values(project_id=project_id))


def remove_project(session: Session, project_id: int, tables: Sequence[ArchivedTable]) -> None:
    """Delete the invisible project of an import with all its rows."""
    delete_project_rows(session, project_id, tables)
    session.execute(delete(Project).where(Project.id == project_id))


def move_shares(session: Session, old_id: int, new_id: int) -> None:
    """Shares and invitations belong to the project that replaces the old one."""
    for table in (UserShare, GroupShare, LeftShare, Invitation):
        session.execute(update(table).where(table.project_id == old_id).values(project_id=new_id))


def image_of(session: Session, image_id: str | None) -> Upload | None:
    """The uploaded picture of a project."""
    return session.get(Upload, image_id) if image_id else None


def existing_names(session: Session, table: Table, project_id: int, wanted: Sequence[str]) -> set[str]:
    """Which of the names exist in a table of the project."""
    found: set[str] = set()
    for first in range(0, len(wanted), _NAMED):
        part = wanted[first : first + _NAMED]
        query = select(table.c.name).where(table.c.project_id == project_id, table.c.name.in_(part))
        found.update(session.scalars(query))
    return found


def engine_names(session: Session, table: Table, project_id: int, *, favorite: bool) -> Sequence[str]:
    """Names of the project's experiments or gazetteers, or only of the favourites."""
    query = select(table.c.name).where(table.c.project_id == project_id).order_by(table.c.name)
    return session.scalars(query.where(table.c.favorite) if favorite else query).all()
