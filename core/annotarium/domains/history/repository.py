"""SQL of the history of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, or_, select
from sqlalchemy.orm import aliased

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_labelling_clause, reads_all_labelling
from annotarium.content.labelling.repository import TABLES, readable_document_clause
from annotarium.content.labelling.suggestion_skipping import SUGGESTION
from annotarium.db.models import Document, History, Job, Label
from annotarium.domains.history.undo_stack import HistoryStep

_CHUNK = 100
UNDOABLE_ENTITIES = (*TABLES, SUGGESTION)
"""The values of `History.entity` whose changes can be undone."""


def own_history_steps(call: ProjectCall, document_id: int) -> Iterator[HistoryStep]:
    """The caller's own labelling changes on a document, without those of jobs, newest first. Reads rows lazily."""
    return _read_history_steps(call, select(*_STEP).where(History.document_id == document_id), {})


def own_history_steps_in_project(call: ProjectCall, documents: dict[int, int]) -> Iterator[HistoryStep]:
    """`own_history_steps` over all documents of the project that the caller may read.

    Args:
        documents: filled with the document id of each operation, as far as steps are read.
    """
    query = select(*_STEP).join(Document, Document.id == History.document_id)
    return _read_history_steps(
        call, query.where(History.project_id == call.project.id, readable_document_clause(call)), documents
    )


_STEP = (History.id, func.coalesce(History.act_id, History.id), History.kind, History.batch_id, History.document_id)


def _read_history_steps(
    call: ProjectCall, query: Select[*tuple[Any, ...]], documents: dict[int, int]
) -> Iterator[HistoryStep]:
    query = query.where(History.actor == call.username, History.job_id.is_(None), History.entity.in_(UNDOABLE_ENTITIES))
    before: int | None = None
    while True:
        page = query if before is None else query.where(History.id < before)
        rows = call.session.execute(page.order_by(History.id.desc()).limit(_CHUNK)).all()
        for *step, document_id in rows:
            documents[step[1]] = document_id
            yield HistoryStep(*step)
        if len(rows) < _CHUNK:
            return
        before = rows[-1][0]


def document(call: ProjectCall, identifier: int) -> Document:
    """The document with this id, which must exist."""
    return call.session.get_one(Document, identifier)


def _of_operation_clause(call: ProjectCall, document_id: int, act: int) -> ColumnElement[bool]:
    return and_(
        History.document_id == document_id,
        History.project_id == call.project.id,
        func.coalesce(History.act_id, History.id) == act,
        History.entity.in_(UNDOABLE_ENTITIES),
    )


def changes_of_operation(call: ProjectCall, document_id: int, act: int) -> Sequence[History]:
    """The changes of an operation on a document, newest first."""
    return call.session.scalars(
        select(History).where(_of_operation_clause(call, document_id, act)).order_by(History.id.desc())
    ).all()


def newest_change_of_operation(call: ProjectCall, document_id: int, act: int) -> tuple[History, int]:
    """The newest change of an operation, which must exist, and the number of its changes."""
    newest = select(History).where(_of_operation_clause(call, document_id, act)).order_by(History.id.desc()).limit(1)
    number = select(func.count(History.id)).where(_of_operation_clause(call, document_id, act))
    return call.session.scalars(newest).one(), call.session.scalars(number).one()


def find_change(call: ProjectCall, document_id: int, identifier: int) -> History | None:
    """The change of a document with this id, or None if the caller may not see it."""
    query = select(History).where(
        History.id == identifier, History.document_id == document_id, _visible_changes_clause(call)
    )
    return call.session.scalars(query.where(History.project_id == call.project.id)).first()


def changes_by_id(call: ProjectCall, ids: Sequence[int]) -> dict[int, History]:
    query = select(History).where(History.id.in_(ids), History.project_id == call.project.id)
    return {row.id: row for row in call.session.scalars(query)}


def _visible_changes_clause(call: ProjectCall) -> ColumnElement[bool]:
    """True for changes whose annotation, category or relation the caller may read."""
    if reads_all_labelling(call.access):
        return History.project_id == call.project.id
    # Skips are personal: without the right to read all labelling, callers see only their own.
    own = and_(History.entity == SUGGESTION, History.actor == call.username)
    shown: list[ColumnElement[bool]] = [History.entity.not_in(UNDOABLE_ENTITIES), own]
    for entity, table in TABLES.items():
        seen = select(table.id).where(
            table.id == History.entity_id, readable_labelling_clause(call.access, call.project, table)
        )
        shown.append(and_(History.entity == entity, seen.exists()))
    return or_(false(), *shown)


def read_history_page(
    call: ProjectCall, document_id: int, *, people: Sequence[str], of: int | None, before: int | None, limit: int
) -> Sequence[History]:
    """Changes of a document that the caller may see, newest first, with ids smaller than `before`."""
    query = select(History).where(
        History.document_id == document_id, History.project_id == call.project.id, _visible_changes_clause(call)
    )
    if people:
        query = query.where(History.actor.in_(people))
    if of is not None:
        query = query.where(History.entity_id == of)
    if before is not None:
        query = query.where(History.id < before)
    return call.session.scalars(query.order_by(History.id.desc()).limit(limit)).all()


def count_changes_by_person(call: ProjectCall, document_id: int) -> list[tuple[str, int]]:
    """`(user name, number of visible changes)` of a document, largest number first."""
    number = func.count(History.id)
    query = select(History.actor, number).where(
        History.document_id == document_id, History.project_id == call.project.id, _visible_changes_clause(call)
    )
    rows = call.session.execute(query.group_by(History.actor).order_by(number.desc(), History.actor))
    return [(row[0], row[1]) for row in rows]


def find_undone_changes(call: ProjectCall, document_id: int, ids: Sequence[int]) -> set[int]:
    """The subset of the changes that were undone and not redone since."""
    if not ids:
        return set()
    later = aliased(History)
    query = select(later.id, later.batch_id).where(
        later.document_id == document_id, later.id > min(ids), later.batch_id.is_not(None)
    )
    cancelled: set[int] = set()
    for identifier, undoes in call.session.execute(query.order_by(later.id.desc())):
        if identifier not in cancelled and undoes is not None:
            cancelled.add(undoes)
    return cancelled & set(ids)


def label_names(call: ProjectCall) -> dict[int, str]:
    """Label id -> stable name, deleted labels included."""
    query = select(Label.id, Label.name).where(Label.project_id == call.project.id)
    return {row[0]: row[1] for row in call.session.execute(query)}


def job_descriptions(call: ProjectCall, ids: Sequence[str]) -> dict[str, str]:
    """Descriptions of jobs, by id."""
    query = select(Job.id, Job.description).where(Job.id.in_(ids), Job.project_id == call.project.id)
    return {row[0]: row[1] for row in call.session.execute(query)} if ids else {}
