"""SQL that is the same for annotations and categories, and in part for relations. `table` is one of the models."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVarTuple, cast

from sqlalchemy import ColumnElement, Select, func, not_, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents, readable_labelling_clause
from annotarium.db.bulk_insert import insert_rows
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.identifiers import new_ids
from annotarium.db.models import (
    CLASSIFICATION,
    Annotation,
    Category,
    Document,
    History,
    Label,
    LabelSet,
    Relation,
    Suggestion,
)

Labelled = type[Annotation] | type[Category]
Table = Labelled | type[Relation]
Row = Annotation | Category | Relation
Columns = TypeVarTuple("Columns")
LABELLED_TABLES: dict[str, Labelled] = {"annotation": Annotation, "category": Category}
TABLES: dict[str, Table] = {**LABELLED_TABLES, "relation": Relation}
"""By the entity that history names."""
HISTORY_FIELDS = (
    *("label_id", "start", "end", "status", "creation_mode", "score", "created_by", "properties", "fragments"),
    *("terms", "name_id", "source_id", "target_id"),
)
"""The fields that the history stores, of rows that have them."""
_DELETION = (
    *("id", "document_id", "entity_id", "before", "project_id", "entity", "action", "actor", "at", "job_id"),
    "act_id",
)


def readable_document_clause(call: ProjectCall) -> ColumnElement[bool]:
    """True for live documents of the project that the caller may see (document-level access: origin groups)."""
    return readable_documents(call.access, call.project)


def on_readable_document_clause(call: ProjectCall, table: Table) -> ColumnElement[bool]:
    """True for rows on a document of `readable_document_clause`."""
    return select(Document.id).where(Document.id == table.document_id, readable_document_clause(call)).exists()


def counting_clauses(call: ProjectCall, table: Labelled) -> tuple[ColumnElement[bool], ...]:
    """Clauses that are true for live rows the caller may read, for counting.

    They are written so that the database counts from an index alone, without reading rows and without visiting other
    projects. Few documents are hidden from a caller, so rows on those are excluded, instead of checking every row's
    document.
    """
    out_of_reach = select(Document.id).where(
        Document.project_id == call.project.id, not_(readable_document_clause(call))
    )
    return (
        table.label_id.in_(select(Label.id).where(Label.project_id == call.project.id)),
        table.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, table),
        table.document_id.not_in(out_of_reach),
    )


def label_name(session: Session, label_id: int) -> str:
    """The stable name of a label."""
    return session.scalars(select(Label.name).where(Label.id == label_id)).one()


def is_label_deleted(session: Session, label_id: int) -> bool:
    return session.scalars(select(Label.deleted_at).where(Label.id == label_id)).one() is not None


def _matching_rows_query(
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str], what: Select[*Columns]
) -> Select[*Columns]:
    query = what.where(
        table.project_id == call.project.id,
        table.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, table),
        on_readable_document_clause(call, table),
    )
    return _filter_by_labels_and_creators(call, table, labels, creators, query)


def _filter_by_labels_and_creators(
    call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str], query: Select[*Columns]
) -> Select[*Columns]:
    if labels:
        names = select(Label.id).where(Label.project_id == call.project.id, Label.name.in_(labels))
        query = query.where(table.label_id.in_(names))
    if creators:
        query = query.where(table.created_by.in_(creators))
    return query


def count_matching(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> int:
    """Count the live rows that have one of the labels and one of the creators (empty = any)."""
    query = _filter_by_labels_and_creators(
        call, table, labels, creators, select(func.count()).where(*counting_clauses(call, table))
    )
    return call.session.scalars(query).one()


def matching_ids(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> array[int]:
    """Return the ids of the matching rows in ascending order, as an array of eight bytes each: there may be millions.

    Within a job, rows that the job has already changed are left out, so that a second run does not delete again what
    was restored since the first.
    """
    query = _matching_rows_query(call, table, labels, creators, select(table.id)).order_by(table.id)
    if call.job_id is not None:
        query = query.where(table.id.not_in(select(History.entity_id).where(History.job_id == call.job_id)))
    return array("q", call.session.scalars(query.execution_options(yield_per=10_000)))


def lock_and_read_live_rows(
    call: ProjectCall, table: Labelled, ids: Sequence[int]
) -> list[tuple[int, int, dict[str, Any]]]:
    """Lock those of the rows that are still live until the end of the transaction.

    Returns `(id, document id, history fields)` by id. No ORM objects are created, because there may be millions of
    rows.
    """
    fields = [name for name in HISTORY_FIELDS if hasattr(table, name)]
    query = select(table.id, table.document_id, *(getattr(table, name) for name in fields))
    query = (
        query.where(in_ids_clause(call.session, table.id, ids), table.deleted_at.is_(None))
        .order_by(table.id)
        .with_for_update()
    )
    return [(row[0], row[1], dict(zip(fields, row[2:], strict=True))) for row in call.session.execute(query)]


def write_deletion_history(
    call: ProjectCall, entity: str, states: Sequence[tuple[int, int, dict[str, Any]]], timestamp: int
) -> None:
    """Insert a history row for each of the rows of `lock_and_read_live_rows`, in bulk."""
    one = (call.project.id, entity, "deleted", call.username, timestamp, call.job_id, call.unit.act_id)
    rows = [
        (number, document, identifier, before, *one)
        for number, (identifier, document, before) in zip(new_ids(len(states)), states, strict=True)
    ]
    insert_rows(call.session, History, _DELETION, rows)


def increment_relation_versions(call: ProjectCall, annotation_ids: Sequence[int]) -> None:
    """Increment the versions of the relations of these annotations, so that clients with older copies detect the
    change.
    """
    for end in (Relation.source_id, Relation.target_id):
        call.session.execute(
            update(Relation)
            .where(in_ids_clause(call.session, end, annotation_ids), Relation.deleted_at.is_(None))
            .values(version=Relation.version + 1)
            .execution_options(synchronize_session=False)
        )


def labelling_rows_on_documents(
    call: ProjectCall,
    table: Labelled,
    document_ids: Sequence[int],
    labels: Sequence[str] = (),
    creators: Sequence[str] = (),
    *,
    lock: bool = False,
) -> Sequence[Annotation | Category]:
    """Return the live rows on some documents that the caller may read, by id.

    Args:
        labels, creators: rows with one of the labels and one of the creators; empty = any.
        lock: lock the rows until the end of the transaction.
    """
    query = _matching_rows_query(call, table, labels, creators, select(table)).where(
        table.document_id.in_(document_ids)
    )
    query = query.order_by(table.id)
    rows = call.session.scalars(query.with_for_update(of=table) if lock else query).all()
    return cast("Sequence[Annotation | Category]", rows)


def count_on_documents_per_creator(
    call: ProjectCall, table: Labelled, document_ids: Sequence[int], labels: Sequence[str]
) -> Sequence[tuple[str, int]]:
    """Count per creator the rows that `labelling_rows_on_documents` would return."""
    query = _matching_rows_query(call, table, labels, (), select(table.created_by, func.count(table.id)))
    query = query.where(table.document_id.in_(document_ids)).group_by(table.created_by)
    return [(creator, number) for creator, number in call.session.execute(query)]


def soft_delete(call: ProjectCall, table: Labelled, ids: Sequence[int], timestamp: int) -> None:
    """Soft-delete rows by id and increment their versions. The caller has checked them."""
    call.session.execute(
        update(table)
        .where(in_ids_clause(call.session, table.id, ids))
        .values(deleted_at=timestamp, deleted_by=call.username, version=table.version + 1)
        .execution_options(synchronize_session=False)
    )


def count_rows_per_creator(call: ProjectCall, table: Labelled) -> Sequence[tuple[str, int]]:
    """Return the number of live rows per creator, most first."""
    count = func.count()
    query = select(table.created_by, count).where(*counting_clauses(call, table))
    query = query.group_by(table.created_by).order_by(count.desc(), table.created_by)
    return [(creator, number) for creator, number in call.session.execute(query)]


class JobChanges(NamedTuple):
    """What a job changed on documents."""

    documents: int
    changes: int


def count_job_changes(session: Session, job_id: str, *, action: str | None = None) -> JobChanges:
    """On how many documents a job changed something, and how often; only changes of a kind when `action` is given."""
    query = select(func.count(func.distinct(History.document_id)), func.count())
    query = query.where(History.job_id == job_id, History.document_id != 0)
    if action is not None:
        query = query.where(History.action == action)
    return JobChanges(*session.execute(query).one())


# --- undo, redo and restore
# ---------------------------------------------------------------------------------------------


def lock_rows_by_id(call: ProjectCall, table: Table, ids: Sequence[int]) -> dict[int, Row]:
    """Return rows that the caller may read on live documents, deleted rows included, and lock them until the end of the
    transaction.
    """
    query = select(table).where(
        table.id.in_(ids),
        table.project_id == call.project.id,
        readable_labelling_clause(call.access, call.project, table),
        on_readable_document_clause(call, table),
    )
    query = query.order_by(table.id)  # every transaction locks in this order: no deadlocks
    rows = cast("Sequence[Row]", call.session.scalars(query.with_for_update()).all())
    return {row.id: row for row in rows}


def read_slice(session: Session, document_id: int, start: int, end: int) -> str:
    """Return `text[start:end]` of an existing document."""
    query = select(func.substr(Document.text, start + 1, end - start)).where(Document.id == document_id)
    return str(session.scalars(query).one())


def duplicate_of(call: ProjectCall, row: Annotation | Category) -> Annotation | Category | None:
    """Return another live row with the same label at the same position, None when there is none.

    For an annotation: with the same fragments and by the same creator. For a category: one that the caller may read, as
    when a category is created.
    """
    table = type(row)
    query = select(table).where(
        table.document_id == row.document_id,
        table.label_id == row.label_id,
        table.start.is_not_distinct_from(row.start),
        table.end.is_not_distinct_from(row.end),
        table.deleted_at.is_(None),
        table.id != row.id,
    )
    if isinstance(row, Annotation):
        query = query.where(table.created_by == row.created_by)
    else:
        query = query.where(readable_labelling_clause(call.access, call.project, Category))
    found = cast("Sequence[Annotation | Category]", call.session.scalars(query).all())
    return next((other for other in found if range_and_fragments_of(other) == range_and_fragments_of(row)), None)


def range_and_fragments_of(row: Annotation | Category) -> tuple[object, ...]:
    """Return start, end and fragments of a row; categories have no fragments."""
    return row.start, row.end, row.fragments if isinstance(row, Annotation) else None


def find_conflicting_categories(call: ProjectCall, row: Category) -> Sequence[Category]:
    """Return confirmed categories that exclude this one: of the same exclusive label set, at the same position.

    As when a category is created, categories that the caller may not read do not count: nobody overwrites hidden ones.
    """
    label_set, exclusive = call.session.execute(
        select(Label.label_set_id, LabelSet.exclusive_classes)
        .join(LabelSet, LabelSet.id == Label.label_set_id)
        .where(Label.id == row.label_id)
    ).one()
    if not exclusive and not (call.project.nature == CLASSIFICATION and call.project.exclusive_classes):
        return ()
    return call.session.scalars(
        select(Category).where(
            Category.document_id == row.document_id,
            Category.label_id.in_(select(Label.id).where(Label.label_set_id == label_set)),
            Category.label_id != row.label_id,
            Category.start.is_not_distinct_from(row.start),
            Category.end.is_not_distinct_from(row.end),
            Category.id != row.id,
            confirmed_clause(Category),
            readable_labelling_clause(call.access, call.project, Category),
        )
    ).all()


def find_suggestion(call: ProjectCall, identifier: int) -> Suggestion | None:
    """Return the suggestion of that id, when the caller may read its document."""
    query = select(Suggestion).join(Document, Document.id == Suggestion.document_id)
    query = query.where(
        Suggestion.id == identifier, Suggestion.project_id == call.project.id, readable_document_clause(call)
    )
    return call.session.scalars(query).first()


def has_suggestions_on_segment(call: ProjectCall, document_id: int, start: int, end: int) -> bool:
    """Return whether there are suggestions on a segment."""
    query = select(Suggestion.id).where(
        Suggestion.document_id == document_id, Suggestion.start == start, Suggestion.end == end
    )
    return call.session.scalars(query.limit(1)).first() is not None


_HISTORY_IDS = 400


def last_change(session: Session, entity: str, entity_id: int) -> History | None:
    """Return the newest history row of an annotation, category or relation."""
    query = select(History).where(History.entity_id == entity_id, History.entity == entity, History.action != "kept")
    return session.scalars(query.order_by(History.id.desc()).limit(1)).first()


def changes_after(session: Session, entity: str, ids: Sequence[int], since: int) -> list[tuple[int, int, int | None]]:
    """Return `(id, entity_id, batch_id)` of the history rows of some items after the row `since`, newest first."""
    found: list[tuple[int, int, int | None]] = []
    for begin in range(0, len(ids), _HISTORY_IDS):
        query = select(History.id, History.entity_id, History.batch_id).where(
            History.entity_id.in_(ids[begin : begin + _HISTORY_IDS]),
            History.entity == entity,
            History.id > since,
            History.action != "kept",
        )
        found += [(row[0], row[1], row[2]) for row in session.execute(query)]
    return sorted(found, reverse=True)
