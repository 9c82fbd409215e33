"""All SQL of the import pipeline: labels, known documents, bulk writes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import orjson
from sqlalchemy import JSON, Connection, Table, Text, cast, delete, func, or_, select, true, update
from sqlalchemy.orm import Session

from annotarium.db.bulk_copy import copy_rows, supports_copy
from annotarium.db.identifiers import new_ids
from annotarium.db.models import (
    Base,
    Document,
    Group,
    History,
    IdempotencyKey,
    Job,
    JobItem,
    Label,
    LabelSet,
    Outbox,
    Project,
    Role,
    Upload,
    User,
)
from annotarium.importing.outcome import Outcome
from annotarium_schemas.messages import message_of

_ROWS_PER_STATEMENT = 50
_MAX_PARAMETERS = 500
"""Values per `IN` list."""


@dataclass(frozen=True, slots=True)
class ExistingDocument:
    """A live document that an import met again."""

    id: int
    identifier: str
    fingerprint: str
    origin_group_id: int | None


def list_labels(session: Session, project_id: int) -> Sequence[Label]:
    """All labels of a project, deleted ones too, in creation order."""
    return session.scalars(select(Label).where(Label.project_id == project_id).order_by(Label.id)).all()


def find_label_set(session: Session, project_id: int, name: str) -> LabelSet | None:
    """The label set of that name."""
    return session.scalar(select(LabelSet).where(LabelSet.project_id == project_id, LabelSet.name == name))


def uploads_of_jobs(session: Session, project_id: int) -> list[str]:
    """Uploads that the jobs of a project read, and no running job of another one."""
    own = session.scalars(select(Job.upload_ids).where(Job.project_id == project_id))
    others = or_(Job.project_id != project_id, Job.project_id.is_(None))
    read = session.scalars(select(Job.upload_ids).where(Job.status.in_(("STARTED", "PAUSED")), others))
    return sorted({one for ids in own for one in ids or ()} - {one for ids in read for one in ids or ()})


def expire_uploads(session: Session, ids: Sequence[str], timestamp: int) -> None:
    """Have uploads end at a moment."""
    for first in range(0, len(ids), _MAX_PARAMETERS):
        part = ids[first : first + _MAX_PARAMETERS]
        session.execute(update(Upload).where(Upload.id.in_(part)).values(expires_at=timestamp))


def exclusive_sets(session: Session, project_id: int) -> Sequence[LabelSet]:
    """Label sets in which at most one label holds."""
    query = select(LabelSet).where(LabelSet.project_id == project_id, LabelSet.exclusive_classes.is_(True))
    return session.scalars(query).all()


def find_existing(session: Session, project_id: int, identifiers: Iterable[str]) -> dict[str, ExistingDocument]:
    """Live documents of a project by identifier."""
    wanted = list(identifiers)
    found: dict[str, ExistingDocument] = {}
    for first in range(0, len(wanted), _MAX_PARAMETERS):
        columns = (Document.id, Document.identifier, Document.fingerprint, Document.origin_group_id)
        query = select(*columns).where(
            Document.project_id == project_id,
            Document.identifier.in_(wanted[first : first + _MAX_PARAMETERS]),
            Document.deleted_at.is_(None),
        )
        for row in session.execute(query):
            found[row[1]] = ExistingDocument(*row)
    return found


def splits_by_identifier(session: Session, document_ids: Sequence[int]) -> dict[str, str]:
    """The part of a split that documents are in, by their identifiers; those in none are left out."""
    query = select(Document.identifier, Document.split).where(
        Document.id.in_(document_ids), Document.split.is_not(None)
    )
    return {row[0]: str(row[1]) for row in session.execute(query)}


def existing_usernames(session: Session, names: Collection[str]) -> set[str]:
    """Those of the names that accounts have."""
    return set(session.scalars(select(User.username).where(User.username.in_(names))))


class DuplicateDocument(NamedTuple):
    """A live document with the same text."""

    identifier: str
    origin_group_id: int | None


def find_duplicate(session: Session, project_id: int, text: str) -> DuplicateDocument | None:
    """A live document of the project with this very text; those of its length are found by an index."""
    query = select(Document.identifier, Document.origin_group_id).where(
        Document.project_id == project_id,
        Document.length == len(text),
        Document.deleted_at.is_(None),
        Document.text == text,
    )
    row = session.execute(query.limit(1)).one_or_none()
    return None if row is None else DuplicateDocument(row[0], row[1])


def delete_job_items(session: Session, job_id: str) -> None:
    """Remove the report of a job that begins anew."""
    session.execute(delete(JobItem).where(JobItem.job_id == job_id))


def delete_idempotent_answers(session: Session, project_name: str) -> None:
    """Remove the answers that are kept for idempotency keys of calls within a project."""
    within = IdempotencyKey.route.contains(f" /api/projects/{project_name}/", autoescape=True)
    session.execute(delete(IdempotencyKey).where(within))


def revoke_project_permissions(session: Session, project_name: str) -> bool:
    """Take the permissions that name a project away from roles and users; whether any had one."""
    named = {f"readProject:{project_name}", f"writeProject:{project_name}"}
    changed = False
    tables: tuple[type[Role] | type[User], ...] = (Role, User)
    for table in tables:
        text = cast(table.permissions, Text)
        query = select(table).where(or_(*(text.contains(f'"{one}"', autoescape=True) for one in named)))
        holders: Any = session.scalars(query).all()  # typed as what both derive from
        for holder in holders:
            holder.permissions = [one for one in holder.permissions if one not in named]
            holder.version += 1
            changed = True
    return changed


def count_documents(session: Session, project_id: int) -> int:
    """Live documents of a project."""
    query = select(func.count()).select_from(Document)
    return session.scalar(query.where(Document.project_id == project_id, Document.deleted_at.is_(None))) or 0


def count_manual_changes(session: Session, document_ids: Sequence[int]) -> dict[int, int]:
    """Per document: changes made by people since it was imported, one by one or in bulk. Documents without any are
    absent."""
    query = (
        select(History.document_id, func.count())
        .where(
            History.document_id.in_(document_ids),
            History.action.not_in(("deleted", "restored")) | (History.entity != "document"),
        )
        .group_by(History.document_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def delete_documents(session: Session, document_ids: Sequence[int], *, timestamp: int, actor: str) -> None:
    """Soft-delete documents; what hangs on them stays, so that they can be restored."""
    session.execute(
        update(Document)
        .where(Document.id.in_(document_ids))
        .values(deleted_at=timestamp, deleted_by=actor, version=Document.version + 1)
        .execution_options(synchronize_session=False)
    )


def mark_undoable(session: Session, job_id: str) -> None:
    """Say of a job that the history holds what it takes to undo it."""
    session.execute(update(Job).where(Job.id == job_id, Job.undoable.is_(False)).values(undoable=True))


def document_limit(session: Session, project: Project) -> int:
    """Documents that the project's group allows per project, -1 = any number."""
    if project.group_id is None:
        return -1
    group = session.get(Group, project.group_id)
    return group.max_docs_per_project if group is not None else -1


def find_group_id(session: Session, *, name: str | None = None, identifier: str | None = None) -> int | None:
    """The id of a group by its name, else by its identity-provider identifier."""
    if name is not None:
        return session.scalar(select(Group.id).where(Group.name == name))
    return session.scalar(select(Group.id).where(Group.identifier == identifier).limit(1))


def insert_rows(session: Session, table: type[Base], columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows; values in the order of `columns`. Columns not named take their plain defaults.

    SQLite takes the tuples as they are, many in one statement, PostgreSQL copies them: several times faster than the
    statement compiler.
    """
    if not rows:
        return
    connection = session.connection()
    target = table.__table__
    assert isinstance(target, Table)
    missing = {column.name: column.default for column in target.c if column.name not in columns}
    plain = {name: default.arg for name, default in missing.items() if default is not None and default.is_scalar}
    if supports_copy(connection):
        constants = tuple(plain.values())
        copy_rows(connection, target, (*columns, *plain), (row + constants for row in rows) if constants else rows)
        return
    cells = [
        _encoded(column) if isinstance(target.c[name].type, JSON) else column
        for name, column in zip(columns, zip(*rows, strict=True), strict=True)
    ]
    cells += [(value,) * len(rows) for value in plain.values()]
    prepare = connection.dialect.identifier_preparer.quote
    listed = ", ".join(map(prepare, (*columns, *plain)))
    _insert_cells(connection, f"INSERT INTO {prepare(target.name)} ({listed}) VALUES ", cells)


def _encoded(column: Sequence[Any]) -> Sequence[Any]:
    """JSON values as text; None stays NULL."""
    return [None if value is None else orjson.dumps(value).decode() for value in column]


def _insert_cells(connection: Connection, into: str, columns: Sequence[Sequence[Any]]) -> None:
    """Insert rows given column by column. A value that all rows share is bound once to a statement, and NULL never:
    binding takes as long as storing."""
    count = len(columns[0])
    same = [count > 1 and column[0] == column[-1] and column.count(column[0]) == count for column in columns]
    if all(same):  # no table allows it, and no row may be lost
        same[0] = False
    shared = tuple(column[0] for column, one in zip(columns, same, strict=True) if one and column[0] is not None)
    rows = list(zip(*(column for column, one in zip(columns, same, strict=True) if not one), strict=True))

    def statement(together: int) -> str:
        known, fresh = iter(range(1, len(shared) + 1)), iter(range(len(shared) + 1, 1 << 30))
        marks = [
            f"?{next(known)}" if one and column[0] is not None else "NULL" if one else ""
            for column, one in zip(columns, same, strict=True)
        ]
        return into + ", ".join(
            [f"({', '.join([mark or f'?{next(fresh)}' for mark in marks])})" for _ in range(together)]
        )

    whole = len(rows) // _ROWS_PER_STATEMENT * _ROWS_PER_STATEMENT
    if whole:
        parts = [
            shared + tuple(chain.from_iterable(rows[at : at + _ROWS_PER_STATEMENT]))
            for at in range(0, whole, _ROWS_PER_STATEMENT)
        ]
        connection.exec_driver_sql(statement(_ROWS_PER_STATEMENT), parts)
    if whole < len(rows):
        connection.exec_driver_sql(statement(1), [shared + row for row in rows[whole:]])


def projects_with_image(session: Session, image_id: str) -> Sequence[Project]:
    """Live projects whose image it is."""
    query = select(Project).where(Project.image_id == image_id, Project.deleted_at.is_(None))
    return session.scalars(query).all()


def find_image(session: Session, image_id: str) -> Upload | None:
    """An uploaded image, whoever sent it: its id is the secret."""
    return session.scalar(select(Upload).where(Upload.id == image_id, Upload.image.is_(True)))


_ITEM_COLUMNS = (
    "job_id",
    "item",
    "ordinal",
    "outcome",
    "document_identifier",
    "message",
    "fix",
    "said",
    "facts",
    "count",
)
_OUTBOX_COLUMNS = ("id", "project_id", "document_id", "operation", "start", "end")


def insert_job_items(session: Session, job_id: str, outcomes: Iterable[Outcome]) -> None:
    """Lines of an import's report, in the transaction of what they tell about."""
    rows = [
        (job_id, one.item, one.ordinal, one.outcome, one.identifier, *_message_columns(one), one.facts, one.count)
        for one in outcomes
    ]
    insert_rows(session, JobItem, _ITEM_COLUMNS, rows)


def write_summary_items(session: Session, job_id: str, sums: Iterable[tuple[str, str, Outcome]]) -> None:
    """Lines of a report that count the rest of a kind (kind, item, line): written, or written anew."""
    for kind, item, line in sums:
        row = session.get(JobItem, (job_id, item)) or JobItem(job_id=job_id, item=item)
        row.kind, row.ordinal, row.outcome, row.count = kind, line.ordinal, line.outcome, line.count
        row.message, row.fix, row.said = _message_columns(line)
        session.add(row)


def _message_columns(one: Outcome) -> tuple[str | None, str | None, dict[str, Any] | None]:
    return one.message and str(one.message), one.fix and str(one.fix), message_of(message=one.message, fix=one.fix)


def insert_outbox(session: Session, project_id: int, document_ids: Sequence[int], operation: str) -> list[Outbox]:
    """Outbox rows of many documents, in one statement; the rows, which the session does not know."""
    rows = [(number, project_id, document_id, operation, None, None) for number, document_id in _numbered(document_ids)]
    insert_rows(session, Outbox, _OUTBOX_COLUMNS, rows)
    return [Outbox(id=row[0], project_id=project_id, document_id=row[2], operation=operation) for row in rows]


def _numbered(document_ids: Sequence[int]) -> zip[tuple[int, int]]:
    return zip(new_ids(len(document_ids)), document_ids, strict=True)


def count_projects(session: Session, group_id: int, maker: str | None = None) -> int:
    """Live projects of a group, those that one user made when the name is given."""
    query = select(func.count()).select_from(Project).where(Project.group_id == group_id, Project.deleted_at.is_(None))
    query = query.where(Project.created_by == maker if maker is not None else true())
    return session.scalar(query) or 0
